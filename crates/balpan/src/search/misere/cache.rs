//! The sums and games that all workers of a search share.

use std::hash::{BuildHasher, Hash};
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::games::Id;
use super::sums::{Limits, Rest, Sums};
use crate::game::{Game, Impartial};
use crate::search::memory::map_bytes;

/// A map in shards, each with a lock of its own: workers seldom wait for one another.
pub(super) struct Sharded<K, V> {
    shards: Vec<Mutex<FxHashMap<K, V>>>,
    /// The bytes of all maps.
    bytes: AtomicUsize,
}

/// The number of shards, several for each core of a large machine.
const SHARDS: usize = 256;

impl<K: Eq + Hash, V: Clone> Sharded<K, V> {
    fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), bytes: 0.into() }
    }

    fn shard(&self, key: &K) -> MutexGuard<'_, FxHashMap<K, V>> {
        // The map of a shard uses other bits of the same hash.
        lock(&self.shards[(FxBuildHasher.hash_one(key) >> 32) as usize % SHARDS])
    }

    /// Returns a copy of the value of `key`, if it has one.
    pub(super) fn get(&self, key: &K) -> Option<V> {
        self.shard(key).get(key).cloned()
    }

    /// Gives `key` this value. Returns whether it had none.
    pub(super) fn insert(&self, key: K, value: V) -> bool {
        let mut shard = self.shard(&key);
        let before = map_bytes(&shard);
        let is_new = shard.insert(key, value).is_none();
        self.bytes.fetch_add(map_bytes(&shard) - before, Relaxed);
        is_new
    }

    /// The bytes of all entries, without what keys and values point to.
    fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Replaces each entry by `kept(entry)`, and removes it where that is `None`.
    fn rebuild(&mut self, kept: impl Fn((K, V)) -> Option<(K, V)>) {
        let mut bytes = 0;
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            *shard = mem::take(shard).into_iter().filter_map(&kept).collect();
            bytes += map_bytes(shard);
        }
        self.bytes = bytes.into();
    }
}

/// The sums that positions split into, shared by all workers of a search.
///
/// Adding a new sum takes the one lock of [`sums`](Self::sums). What is looked up for each position stands in
/// [`Sharded`] maps beside it.
pub(super) struct SumCache<G: Game + ?Sized> {
    pub(super) limits: Limits,
    /// The games that small parts equal.
    pub(super) small: Sharded<G::Position, Id>,
    /// The rests that result from a rest without parts and one or two games.
    pub(super) with_games: Sharded<(u32, [Id; 2]), Rest>,
    /// What moves in a rest lead to, by the rest's number.
    pub(super) options: Sharded<u32, Arc<[Rest]>>,
    /// Whether the player to move loses a rest without a part beside it, by the rest's number.
    pub(super) lost: Sharded<u32, bool>,
    sums: Mutex<Sums<G>>,
    max_bytes: usize,
}

impl<G: Impartial> SumCache<G> {
    /// No sums yet, and later at most `max_bytes`, or a few more, if [`forget`](Self::forget) is called whenever it
    /// [is full](Self::is_full).
    pub(super) fn new(limits: Limits, max_bytes: usize) -> Self {
        Self {
            limits,
            small: Sharded::new(),
            with_games: Sharded::new(),
            options: Sharded::new(),
            lost: Sharded::new(),
            sums: Mutex::new(Sums::new(limits.short)),
            max_bytes,
        }
    }

    /// The bytes that one of `threads` workers may take for its own copies.
    pub(super) fn bytes_per_thread(&self, threads: usize) -> usize {
        self.max_bytes / 4 / threads.max(1)
    }

    /// The bytes that sums and small parts take, without what positions point to.
    pub(super) fn bytes(&self) -> usize {
        let Self { small, with_games, options, lost, .. } = self;
        small.bytes() + with_games.bytes() + options.bytes() + lost.bytes() + self.sums().bytes()
    }

    /// Returns whether there is hardly room for more: workers take a quarter for themselves.
    pub(super) fn is_full(&self) -> bool {
        self.bytes() > self.max_bytes / 4 * 3
    }

    /// Forgets what has taken the least work to learn. Returns by number which rests are remembered.
    pub(super) fn forget(&mut self) -> Vec<bool> {
        let sums = self.sums.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (rests, ids) = sums.forget(self.max_bytes / 3);
        self.lost.rebuild(|(rest, is_lost)| rests[rest as usize].then_some((rest, is_lost)));
        self.with_games.rebuild(|_| None);
        self.options.rebuild(|_| None);
        // Small parts whose games are remembered anyway.
        self.small.rebuild(|(part, game)| Some((part, ids[game as usize])).filter(|(_, game)| *game != Id::MAX));
        if self.small.bytes() > self.max_bytes / 8 {
            self.small.rebuild(|_| None);
        }
        rests
    }

    pub(super) fn sums(&self) -> MutexGuard<'_, Sums<G>> {
        lock(&self.sums)
    }
}

/// Locks what a thread that panicked may have left locked: an entry is whole once it is inserted.
fn lock<T>(cache: &Mutex<T>) -> MutexGuard<'_, T> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}
