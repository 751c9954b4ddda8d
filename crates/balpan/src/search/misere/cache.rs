//! The sums and games that the workers of a search share.

use std::hash::{BuildHasher, Hash};
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::games::Id;
use super::sums::{Limits, Rest, Sums};
use crate::game::Game;
use crate::search::memory::map_bytes;

/// A hash map in shards, each with its own lock, so that workers seldom wait.
pub(super) struct Sharded<K, V> {
    shards: Vec<Mutex<FxHashMap<K, V>>>,
    /// The bytes of all shards.
    bytes: AtomicUsize,
}

/// The number of shards: several for each core of a large machine.
const SHARDS: usize = 256;

impl<K: Eq + Hash, V: Clone> Sharded<K, V> {
    fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), bytes: 0.into() }
    }

    fn shard(&self, key: &K) -> MutexGuard<'_, FxHashMap<K, V>> {
        // The map within a shard uses other bits of the same hash.
        lock(&self.shards[(FxBuildHasher.hash_one(key) >> 32) as usize % SHARDS])
    }

    /// Returns a copy of the value of `key`.
    pub(super) fn get(&self, key: &K) -> Option<V> {
        self.shard(key).get(key).cloned()
    }

    /// Sets the value of `key`. Returns whether the key is new.
    pub(super) fn insert(&self, key: K, value: V) -> bool {
        let mut shard = self.shard(&key);
        let before = map_bytes(&shard);
        let is_new = shard.insert(key, value).is_none();
        self.bytes.fetch_add(map_bytes(&shard) - before, Relaxed);
        is_new
    }

    /// Returns the bytes of all entries, without what keys and values own.
    fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Replaces each entry by `map(entry)`, and removes it if that is `None`.
    fn rebuild(&mut self, map: impl Fn((K, V)) -> Option<(K, V)>) {
        let mut bytes = 0;
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            *shard = mem::take(shard).into_iter().filter_map(&map).collect();
            bytes += map_bytes(shard);
        }
        self.bytes = bytes.into();
    }
}

/// The sums that positions split into, shared by the workers of a search.
///
/// Adding a new sum takes the lock of [`sums`](Self::sums). Frequent look-ups use the [`Sharded`] maps.
pub(super) struct SumCache<G: Game> {
    pub(super) limits: Limits,
    /// The games that small parts equal.
    pub(super) small: Sharded<G::Position, Id>,
    /// The sum of a rest without parts and one or two games.
    pub(super) with_games: Sharded<(u32, [Id; 2]), Rest>,
    /// The options of a rest, by its number.
    pub(super) options: Sharded<u32, Arc<[Rest]>>,
    /// Whether the player to move loses a rest by itself, without a largest part, by the rest's number.
    pub(super) lost: Sharded<u32, bool>,
    sums: Mutex<Sums<G>>,
    max_bytes: usize,
}

impl<G: Game> SumCache<G> {
    /// Creates an empty cache. It stays within about `max_bytes` if [`evict`](Self::evict) is called whenever it [is
    /// full](Self::is_full).
    pub(super) fn new(limits: Limits, max_bytes: usize) -> Self {
        Self {
            limits,
            small: Sharded::new(),
            with_games: Sharded::new(),
            options: Sharded::new(),
            lost: Sharded::new(),
            sums: Mutex::new(Sums::new(limits.max_sum_plies)),
            max_bytes,
        }
    }

    /// Returns the bytes that each of `threads` workers may use for its own copies.
    pub(super) fn bytes_per_thread(&self, threads: usize) -> usize {
        self.max_bytes / 4 / threads.max(1)
    }

    /// Returns the bytes of sums and small parts, without what positions own.
    pub(super) fn bytes(&self) -> usize {
        let Self { small, with_games, options, lost, .. } = self;
        small.bytes() + with_games.bytes() + options.bytes() + lost.bytes() + self.sums().bytes()
    }

    /// Returns whether the sums exceed three quarters of the memory. The workers' copies take the other quarter.
    pub(super) fn is_full(&self) -> bool {
        self.bytes() > self.max_bytes / 4 * 3
    }

    /// Evicts the results that took the least work. Returns by number which rests are retained.
    pub(super) fn evict(&mut self) -> Vec<bool> {
        let sums = self.sums.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (rests, ids) = sums.evict(self.max_bytes / 3);
        self.lost.rebuild(|(rest, is_lost)| rests[rest as usize].then_some((rest, is_lost)));
        self.with_games.rebuild(|_| None);
        self.options.rebuild(|_| None);
        // Small parts whose games are retained need little memory.
        self.small.rebuild(|(part, game)| Some((part, ids[game as usize])).filter(|(_, game)| *game != Id::MAX));
        if self.small.bytes() > self.max_bytes / 8 {
            self.small.rebuild(|_| None);
        }
        rests
    }

    /// Locks the sums.
    pub(super) fn sums(&self) -> MutexGuard<'_, Sums<G>> {
        lock(&self.sums)
    }
}

/// Locks a mutex, even if a thread panicked while holding it: each entry is complete once it is inserted.
fn lock<T>(cache: &Mutex<T>) -> MutexGuard<'_, T> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}
