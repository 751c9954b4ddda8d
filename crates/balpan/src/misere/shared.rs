//! What threads share.

use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::games::Id;
use super::sums::{Limits, Sums};
use crate::game::Game;
use crate::impartial::Impartial;
use crate::memory::map_bytes;

/// The sums that positions split into, and what small parts are worth. Each is locked by itself:
/// games are added up for long, and who only looks up a part does not wait for that.
pub(super) struct Shared<G: Game + ?Sized> {
    pub(super) limits: Limits,
    /// What small parts are worth, by their hashes.
    small: Vec<Mutex<FxHashMap<G::Position, Id>>>,
    sums: Mutex<Sums<G>>,
    most_bytes: usize,
}

/// More than there are threads, so that two hardly ever want the same.
const SHARDS: usize = 64;

impl<G: Impartial> Shared<G> {
    /// Nothing yet; later at most `most_bytes`, or a few more, if [`forget`](Self::forget) is called whenever it
    /// [is full](Self::is_full).
    pub(super) fn new(limits: Limits, most_bytes: usize) -> Self {
        let small = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { limits, small, sums: Mutex::new(Sums::new(limits.short)), most_bytes }
    }

    /// The bytes that one of `threads` threads may take for what it remembers by itself.
    pub(super) fn bytes_of_thread(&self, threads: usize) -> usize {
        self.most_bytes / 4 / threads.max(1)
    }

    /// The bytes that sums and small parts take, without what positions point to.
    pub(super) fn bytes(&self) -> usize {
        let small: usize = self.small.iter().map(|shard| map_bytes(&lock(shard))).sum();
        small + self.sums().bytes()
    }

    /// Whether there is hardly room for more: threads take a quarter for themselves.
    pub(super) fn is_full(&self) -> bool {
        self.bytes() > self.most_bytes / 4 * 3
    }

    /// Forgets what has taken the least work to learn. Returns by number which rests are remembered.
    pub(super) fn forget(&mut self) -> Vec<bool> {
        let sums = self.sums.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (rests, ids) = sums.forget(self.most_bytes / 3);
        for shard in &mut self.small {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            let small = std::mem::take(shard);
            // Those whose games are remembered anyway.
            let kept = small.into_iter().map(|(part, game)| (part, ids[game as usize]));
            *shard = kept.filter(|(_, game)| *game != Id::MAX).collect();
        }
        let small: usize = self.small.iter().map(|shard| map_bytes(&lock(shard))).sum();
        if small > self.most_bytes / 8 {
            self.small.iter_mut().for_each(|shard| *shard = Mutex::default());
        }
        rests
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
