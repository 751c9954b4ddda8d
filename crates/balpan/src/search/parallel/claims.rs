//! Claims by which workers that search one tree keep out of each other's way.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Worker;

/// The positions that workers are searching at the moment, by name. A claim is a hint: if it is lost, or is taken for another's, two workers do
/// the same work, or one defers something, and no answer changes.
///
/// Source: J.-C. Weill, "The ABDADA distributed minimax search algorithm" (1996), in the simpler form of T. Kerrigan
/// (2017): a table of its own.
#[derive(Debug)]
pub struct Claims(Box<[AtomicU64]>);

/// The outcome of an attempt to claim something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It is not claimed, and need not be.
    None,
    /// It is this worker's, under a name.
    Own(u64),
    /// Another worker has claimed it, under this name.
    Another(u64),
}

impl Claims {
    /// A worker claims one position for each ply of its path. With so many slots a worker, few claims share one.
    const SLOTS_PER_WORKER: usize = 512;

    /// Claims of so many workers: 4 KiB each.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        let slots = workers.saturating_mul(Self::SLOTS_PER_WORKER).clamp(1, 1 << 20).next_power_of_two();
        Self((0..slots).map(|_| AtomicU64::new(0)).collect())
    }

    /// Claims what has this name, which is not 0. Returns false if another worker has claimed it.
    pub fn claim(&self, name: u64) -> bool {
        let slot = self.slot(name);
        match slot.load(Relaxed) {
            held if held == name => return false,
            0 => slot.store(name, Relaxed),
            // The slot is another claim's: this worker goes without.
            _ => {}
        }
        true
    }

    /// Gives up a claim.
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

/// Returns where a worker tries what it has deferred, among all that it has: the larger ones first. The main worker tries them in
/// the order in which one worker alone would. Helpers each have an order of their own: in the same order they would follow each
/// other, and find the same.
pub fn deferred_rank(worker: Worker<'_>, name: u64) -> u8 {
    if worker.is_main() {
        return u8::MAX;
    }
    ((name ^ worker.number() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}
