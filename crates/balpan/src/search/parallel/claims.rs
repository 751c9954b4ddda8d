//! Claims, by which the workers of one search avoid the same positions.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Worker;

/// The names of the positions that workers are currently searching. A claim is a hint: if one is lost or mistaken for
/// another, two workers do the same work, or one defers a move unnecessarily, and no result changes.
///
/// Source: J.-C. Weill, "The ABDADA distributed minimax search algorithm" (1996), in the simpler form of T. Kerrigan
/// (2017): a table of its own.
#[derive(Debug)]
pub struct Claims(Box<[AtomicU64]>);

/// The result of an attempt to claim a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// No claim is needed.
    None,
    /// This worker has claimed the position, under this name.
    Own(u64),
    /// Another worker has claimed the position, under this name.
    Another(u64),
}

impl Claims {
    /// The number of slots per worker. A worker claims one position for each ply of its path, so few claims share a
    /// slot.
    const SLOTS_PER_WORKER: usize = 512;

    /// Creates the claims of this number of workers: 4 KiB for each.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        let slots = workers.saturating_mul(Self::SLOTS_PER_WORKER).clamp(1, 1 << 20).next_power_of_two();
        Self((0..slots).map(|_| AtomicU64::new(0)).collect())
    }

    /// Claims the position of this name, which must not be 0. Returns false if another worker has claimed it.
    pub fn claim(&self, name: u64) -> bool {
        let slot = self.slot(name);
        match slot.load(Relaxed) {
            held if held == name => return false,
            0 => slot.store(name, Relaxed),
            // Another claim occupies the slot, so this one is not recorded.
            _ => {}
        }
        true
    }

    /// Releases a claim.
    pub fn release(&self, name: u64) {
        let slot = self.slot(name);
        if slot.load(Relaxed) == name {
            slot.store(0, Relaxed);
        }
    }

    fn slot(&self, name: u64) -> &AtomicU64 {
        &self.0[name as usize & (self.0.len() - 1)]
    }
}

/// Returns the rank of a deferred move in the order in which a worker searches these: the largest first. All ranks of
/// the main worker are equal, so it keeps the order of a single worker. Each helper has its own order: with the same
/// order, helpers would follow each other and find the same.
pub fn deferred_rank(worker: Worker<'_>, name: u64) -> u8 {
    if worker.is_main() {
        return u8::MAX;
    }
    ((name ^ worker.number() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}
