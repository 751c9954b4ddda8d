//! The table of proofs.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::{BoardState, Proof};
use crate::memory::ZeroedWords;

/// A bounded hash table of proofs, shared by threads. Of proofs in one bucket it keeps those that took the most
/// positions. ShardMemory hold whole positions, so no hash collision can give a wrong answer.
///
/// The table has shards, each of which grows independently while the others are used.
#[derive(Debug)]
pub(super) struct ProofTable {
    shards: Vec<Mutex<Shard>>,
    /// Maximum number of buckets of a shard, a power of two.
    max_buckets: usize,
    /// Memory in use, in bytes.
    bytes: AtomicU64,
}

#[derive(Debug)]
struct Shard {
    /// Buckets one after the other; their number is a power of two.
    entries: ShardMemory,
    filled: usize,
}

/// The memory of a shard.
#[derive(Debug)]
enum ShardMemory {
    Heap(Vec<ProofEntry>),
    Mapped(ZeroedWords),
}

/// The maker's marks, the breaker's marks, the free cells, the zone, and the number of positions searched with three
/// flags. All zeros for a free entry.
type ProofEntry = [u64; 5];

/// Number of shards: few, so that each is large enough for [`ShardMemory::free`] to map it.
const SHARDS: usize = 16;

/// Number of entries in a bucket.
const BUCKET_ENTRIES: usize = 4;

const MAKERS_TURN: u64 = 1;
const IS_RACE: u64 = 2;
const MAKES: u64 = 4;
const FLAG_BITS: u32 = 3;

impl ProofTable {
    /// Creates a table of at most `bytes` bytes, or the smallest one if that is larger: 2.5 KiB.
    pub(super) fn new(bytes: usize) -> Self {
        let max_buckets = 1 << (bytes / (SHARDS * BUCKET_ENTRIES * size_of::<ProofEntry>())).max(1).ilog2();
        let shard = || Shard { entries: ShardMemory::Heap(vec![ProofEntry::default(); BUCKET_ENTRIES]), filled: 0 };
        let shards: Vec<_> = (0..SHARDS).map(|_| Mutex::new(shard())).collect();
        Self { shards, max_buckets, bytes: ((SHARDS * BUCKET_ENTRIES * size_of::<ProofEntry>()) as u64).into() }
    }

    /// The memory in use, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    pub(super) fn probe(&self, state: BoardState, makers_turn: bool) -> Option<Proof> {
        let hash = hash(state, makers_turn);
        self.with_shard(hash, |shard| {
            let entry = shard.bucket(hash).iter().find(|entry| matches(entry, state, makers_turn))?;
            Some(Proof { makes: entry[4] & MAKES != 0, zone: entry[3] })
        })
    }

    /// Stores a proof that took this many positions.
    pub(super) fn store(&self, state: BoardState, makers_turn: bool, proof: Proof, positions: u64) {
        let hash = hash(state, makers_turn);
        let flags = flags(state, makers_turn) + u64::from(proof.makes) * MAKES;
        let entry = [state.maker, state.breaker, state.free, proof.zone, positions.max(1) << FLAG_BITS | flags];
        self.with_shard(hash, |shard| {
            let entries = shard.entries.all();
            let (count, bytes) = (entries.len(), size_of_val(entries));
            if shard.filled * 2 > count && count < self.max_buckets * BUCKET_ENTRIES && shard.grow() {
                self.bytes.fetch_add(bytes as u64, Relaxed);
            }
            shard.put(hash, entry);
        });
    }

    /// Calls `work` with the shard of a hash.
    fn with_shard<T>(&self, hash: u64, work: impl FnOnce(&mut Shard) -> T) -> T {
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        work(&mut shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ShardMemory {
    /// The size of a large page in bytes.
    const LARGE_PAGE_BYTES: usize = 2 << 20;

    /// Allocates free entries; `None` if memory is insufficient.
    ///
    /// From a large page on, they are mapped from the system, in large pages where it has them: small pages that are
    /// allocated and freed one after the other make all threads wait.
    fn free(count: usize) -> Option<Self> {
        if count * size_of::<ProofEntry>() < Self::LARGE_PAGE_BYTES {
            return Some(Self::Heap(vec![ProofEntry::default(); count]));
        }
        ZeroedWords::zeros(count * ProofEntry::default().len()).map(Self::Mapped)
    }

    #[inline]
    fn all(&mut self) -> &mut [ProofEntry] {
        match self {
            Self::Heap(entries) => entries,
            Self::Mapped(words) => words.blocks_mut(),
        }
    }
}

impl Shard {
    #[inline]
    fn bucket(&mut self, hash: u64) -> &mut [ProofEntry] {
        let entries = self.entries.all();
        let first = hash as usize % (entries.len() / BUCKET_ENTRIES) * BUCKET_ENTRIES;
        &mut entries[first..first + BUCKET_ENTRIES]
    }

    /// Replaces the entry of the same position, or the one that took the fewest positions.
    fn put(&mut self, hash: u64, entry: ProofEntry) {
        let bucket = self.bucket(hash);
        let (state, makers_turn) = position_of(&entry);
        let own = bucket.iter_mut().position(|entry| matches(entry, state, makers_turn));
        let cheapest = (0..BUCKET_ENTRIES).min_by_key(|&n| bucket[n][4] >> FLAG_BITS);
        if let Some(n) = own.or(cheapest) {
            let is_new = bucket[n][4] == 0;
            bucket[n] = entry;
            self.filled += usize::from(is_new);
        }
    }

    /// Doubles the capacity. Returns whether there was memory for it.
    fn grow(&mut self) -> bool {
        let Some(larger) = ShardMemory::free(2 * self.entries.all().len()) else {
            return false;
        };
        let mut entries = std::mem::replace(&mut self.entries, larger);
        self.filled = 0;
        for &entry in entries.all().iter().filter(|entry| entry[4] != 0) {
            let (state, makers_turn) = position_of(&entry);
            self.put(hash(state, makers_turn), entry);
        }
        true
    }
}

/// The position and side to move of an entry.
fn position_of(&[maker, breaker, free, _, rest]: &ProofEntry) -> (BoardState, bool) {
    (BoardState { maker, breaker, free, is_race: rest & IS_RACE != 0 }, rest & MAKERS_TURN != 0)
}

/// A hash of a position and the side to move, never 0.
pub(super) fn hash(state: BoardState, makers_turn: bool) -> u64 {
    let mut hash =
        state.maker.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ state.free.rotate_left(32) ^ flags(state, makers_turn);
    hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ state.breaker;
    hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash.max(1)
}

/// The flags of a position and the side to move.
fn flags(state: BoardState, makers_turn: bool) -> u64 {
    u64::from(makers_turn) * MAKERS_TURN + u64::from(state.is_race) * IS_RACE
}

fn matches(entry: &ProofEntry, state: BoardState, makers_turn: bool) -> bool {
    entry[4] != 0 && position_of(entry) == (state, makers_turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_found_in_memory_of_either_kind() {
        // From small shards to shards of several large pages.
        let states = if cfg!(miri) { 1 << 8 } else { 1 << 20 };
        let budget = 256 << 20;
        let proofs = ProofTable::new(budget);
        let state = |n: u64| BoardState { free: !n, maker: n, breaker: 0, is_race: n.is_multiple_of(3) };
        let proof = |n: u64| Proof { makes: n.is_multiple_of(5), zone: n };
        (0..states).for_each(|n| proofs.store(state(n), n.is_multiple_of(2), proof(n), n));
        let found = |n: u64| proofs.probe(state(n), n.is_multiple_of(2));
        // Some have been replaced by others.
        let kept = (0..states).filter_map(|n| Some((n, found(n)?))).inspect(|&(n, kept)| assert_eq!(kept, proof(n)));
        assert!(kept.count() as u64 > states / 10 * 9);
        assert!((0..states).all(|n| proofs.probe(state(n), !n.is_multiple_of(2)).is_none()));
        assert!((2 * 40 * states..=budget as u64).contains(&proofs.bytes()));
    }
}
