//! How far a process is.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use balpan_strong::Phase;

use crate::outbox::Sent;

/// How far the workers of a process are.
#[derive(Debug, Default)]
pub struct Progress {
    phase: AtomicU64,
    layer: AtomicU64,
    known: AtomicU64,
    done: AtomicU64,
    bytes: AtomicU64,
    items: AtomicU64,
    peak: AtomicU64,
}

impl Progress {
    /// The phase, and the layer in hand.
    pub fn at(&self) -> (Phase, u32) {
        let phase = match self.phase.load(Relaxed) {
            0 => Phase::Forwards,
            1 => Phase::Backwards,
            _ => Phase::Writing,
        };
        (phase, self.layer.load(Relaxed) as u32)
    }

    /// The positions that this process knows of, and those that the phase has done.
    pub fn positions(&self) -> (u64, u64) {
        (self.known.load(Relaxed), self.done.load(Relaxed))
    }

    /// What its workers have sent to other workers.
    pub fn sent(&self) -> Sent {
        Sent { bytes: self.bytes.load(Relaxed), items: self.items.load(Relaxed), peak: self.peak.load(Relaxed) }
    }

    pub(crate) fn set(&self, phase: Phase, layer: u32) {
        if self.phase.swap(phase as u64, Relaxed) != phase as u64 {
            self.done.store(0, Relaxed);
        }
        self.layer.store(layer.into(), Relaxed);
    }

    pub(crate) fn knows(&self, positions: u64) {
        self.known.fetch_add(positions, Relaxed);
    }

    pub(crate) fn does(&self, positions: u64) {
        self.done.fetch_add(positions, Relaxed);
    }

    pub(crate) fn sends(&self, sent: Sent) {
        self.bytes.fetch_add(sent.bytes, Relaxed);
        self.items.fetch_add(sent.items, Relaxed);
        self.peak.fetch_max(sent.peak, Relaxed);
    }
}
