//! The progress of a process.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use balpan_strong::Phase;

use crate::outbox::Traffic;

/// The progress of the workers of a process, for other threads to read.
#[derive(Debug, Default)]
pub struct Progress {
    phase: AtomicU64,
    layer: AtomicU64,
    listed: AtomicU64,
    done: AtomicU64,
    bytes: AtomicU64,
    items: AtomicU64,
    peak: AtomicU64,
}

impl Progress {
    /// Returns the phase and the layer that it works on.
    pub fn at(&self) -> (Phase, u32) {
        let phase = match self.phase.load(Relaxed) {
            0 => Phase::Forwards,
            1 => Phase::Backwards,
            _ => Phase::Writing,
        };
        (phase, self.layer.load(Relaxed) as u32)
    }

    /// Returns the number of positions that this process has listed, and of those that the phase
    /// has done.
    pub fn positions(&self) -> (u64, u64) {
        (self.listed.load(Relaxed), self.done.load(Relaxed))
    }

    /// Returns what its workers have sent to other workers.
    pub fn traffic(&self) -> Traffic {
        Traffic { bytes: self.bytes.load(Relaxed), items: self.items.load(Relaxed), peak: self.peak.load(Relaxed) }
    }

    pub(crate) fn set(&self, phase: Phase, layer: u32) {
        if self.phase.swap(phase as u64, Relaxed) != phase as u64 {
            self.done.store(0, Relaxed);
        }
        self.layer.store(layer.into(), Relaxed);
    }

    pub(crate) fn add_listed(&self, positions: u64) {
        self.listed.fetch_add(positions, Relaxed);
    }

    pub(crate) fn add_done(&self, positions: u64) {
        self.done.fetch_add(positions, Relaxed);
    }

    pub(crate) fn add_traffic(&self, sent: Traffic) {
        self.bytes.fetch_add(sent.bytes, Relaxed);
        self.items.fetch_add(sent.items, Relaxed);
        self.peak.fetch_max(sent.peak, Relaxed);
    }
}
