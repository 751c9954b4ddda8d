//! What threads share.

use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::games::Id;
use super::sums::{Limits, Sums};
use crate::game::Game;
use crate::impartial::Impartial;

/// The sums that positions split into, and what small parts are worth. Each is locked by itself:
/// games are added up for long, and who only looks up a part does not wait for that.
pub(super) struct Shared<G: Game + ?Sized> {
    pub(super) limits: Limits,
    /// What small parts are worth, by their hashes.
    small: Vec<Mutex<FxHashMap<G::Position, Id>>>,
    sums: Mutex<Sums<G>>,
}

/// More than there are threads, so that two hardly ever want the same.
const SHARDS: usize = 64;

impl<G: Impartial> Shared<G> {
    pub(super) fn new(limits: Limits) -> Self {
        let small = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { limits, small, sums: Mutex::new(Sums::new(limits.short)) }
    }

    pub(super) fn sums(&self) -> MutexGuard<'_, Sums<G>> {
        lock(&self.sums)
    }

    /// What a small part is worth, if a thread has found it.
    pub(super) fn small(&self, part: &G::Position) -> Option<Id> {
        lock(self.shard(part)).get(part).copied()
    }

    /// Tells other threads what a small part is worth.
    pub(super) fn tell_small(&self, part: G::Position, worth: Id) {
        lock(self.shard(&part)).insert(part, worth);
    }

    fn shard(&self, part: &G::Position) -> &Mutex<FxHashMap<G::Position, Id>> {
        // The map of a shard uses other bits of the same hash.
        &self.small[(FxBuildHasher.hash_one(part) >> 32) as usize % SHARDS]
    }
}

/// A thread that panics leaves what was made before: nothing is changed once it is made.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
