//! The proofs that are remembered.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::{Fight, Proof};

/// A hash table of bounded size, which threads share. It keeps the proofs that took most positions, of those
/// that fall into one bucket. It holds whole fights, so that no answer can be another fight's.
///
/// The system provides memory when an entry is first written.
#[derive(Debug)]
pub(super) struct Proofs {
    shards: Vec<Mutex<Vec<Entry>>>,
    /// Buckets in a shard, a power of two.
    buckets: usize,
    /// Entries in use.
    filled: AtomicU64,
}

/// The maker's marks, the free cells, the zone, and beside the positions that it took, two bits. All zeros if there
/// is none.
type Entry = [u64; 4];

const SHARDS: usize = 256;

/// What the system provides at least when an entry is first written.
const PAGE: u64 = 4096;

/// Entries in a bucket.
const WAYS: usize = 4;

const MAKERS_TURN: u64 = 1;
const MAKES: u64 = 2;

impl Proofs {
    /// At most `bytes` bytes, or the smallest table if that takes more: 32 KiB.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = 1 << (bytes / (SHARDS * WAYS * size_of::<Entry>())).max(1).ilog2();
        let shard = || Mutex::new(vec![[0; 4]; buckets * WAYS]);
        Self { shards: (0..SHARDS).map(|_| shard()).collect(), buckets, filled: 0.into() }
    }

    /// The bytes that are in use, at the most.
    pub(super) fn bytes(&self) -> u64 {
        let all = (SHARDS * self.buckets * WAYS * size_of::<Entry>()) as u64;
        all.min(self.filled.load(Relaxed) * PAGE)
    }

    pub(super) fn get(&self, fight: Fight, makers_turn: bool) -> Option<Proof> {
        self.within(fight, makers_turn, |bucket| {
            let entry = bucket.iter().find(|entry| is_of(entry, fight, makers_turn))?;
            Some(Proof { makes: entry[3] & MAKES != 0, zone: entry[2] })
        })
    }

    /// Remembers a proof that took some positions.
    pub(super) fn put(&self, fight: Fight, makers_turn: bool, proof: Proof, positions: u64) {
        let flags = u64::from(makers_turn) * MAKERS_TURN + u64::from(proof.makes) * MAKES;
        let entry = [fight.maker, fight.free, proof.zone, positions.max(1) << 2 | flags];
        self.within(fight, makers_turn, |bucket| {
            let own = bucket.iter().position(|entry| is_of(entry, fight, makers_turn));
            let cheapest = (0..WAYS).min_by_key(|&n| bucket[n][3] >> 2);
            if let Some(n) = own.or(cheapest) {
                self.filled.fetch_add(u64::from(bucket[n][3] == 0), Relaxed);
                bucket[n] = entry;
            }
        });
    }

    /// What `work` returns of the bucket that the fight belongs to.
    fn within<T>(&self, fight: Fight, makers_turn: bool, work: impl FnOnce(&mut [Entry]) -> T) -> T {
        let mut hash =
            fight.maker.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ fight.free.rotate_left(32) ^ u64::from(makers_turn);
        hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        let first = hash as usize % self.buckets * WAYS;
        let mut entries = shard.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut entries[first..first + WAYS])
    }
}

fn is_of(entry: &Entry, fight: Fight, makers_turn: bool) -> bool {
    entry[..2] == [fight.maker, fight.free] && entry[3] != 0 && (entry[3] & MAKERS_TURN != 0) == makers_turn
}
