//! The proofs that are remembered.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::{Fight, Proof};

/// A hash table of bounded size, which threads share. It keeps the proofs that took most positions, of those
/// that fall into one bucket. It holds whole fights, so that no answer can be another fight's.
///
/// It is in shards, each of which grows by itself, while others are used.
#[derive(Debug)]
pub(super) struct Proofs {
    shards: Vec<Mutex<Shard>>,
    /// The most buckets of a shard, a power of two.
    most_buckets: usize,
    /// Bytes in use.
    bytes: AtomicU64,
}

#[derive(Clone, Debug)]
struct Shard {
    /// Bucket by bucket, as many as a power of two.
    entries: Vec<Entry>,
    filled: usize,
}

/// The maker's marks, the breaker's, the free cells, the zone, and beside the positions that it took, three bits. All
/// zeros if there is none.
type Entry = [u64; 5];

const SHARDS: usize = 256;

/// Entries in a bucket.
const WAYS: usize = 4;

const MAKERS_TURN: u64 = 1;
const IS_RACE: u64 = 2;
const MAKES: u64 = 4;
const FLAG_BITS: u32 = 3;

impl Proofs {
    /// At most `bytes` bytes, or the smallest table if that takes more: 40 KiB.
    pub(super) fn new(bytes: usize) -> Self {
        let most_buckets = 1 << (bytes / (SHARDS * WAYS * size_of::<Entry>())).max(1).ilog2();
        let shard = Shard { entries: vec![Entry::default(); WAYS], filled: 0 };
        let shards: Vec<_> = (0..SHARDS).map(|_| Mutex::new(shard.clone())).collect();
        Self { shards, most_buckets, bytes: ((SHARDS * WAYS * size_of::<Entry>()) as u64).into() }
    }

    /// The bytes that are in use.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    pub(super) fn get(&self, fight: Fight, makers_turn: bool) -> Option<Proof> {
        let name = name(fight, makers_turn);
        self.within(name, |shard| {
            let entry = shard.bucket(name).iter().find(|entry| is_of(entry, fight, makers_turn))?;
            Some(Proof { makes: entry[4] & MAKES != 0, zone: entry[3] })
        })
    }

    /// Remembers a proof that took some positions.
    pub(super) fn put(&self, fight: Fight, makers_turn: bool, proof: Proof, positions: u64) {
        let name = name(fight, makers_turn);
        let flags = question(fight, makers_turn) + u64::from(proof.makes) * MAKES;
        let entry = [fight.maker, fight.breaker, fight.free, proof.zone, positions.max(1) << FLAG_BITS | flags];
        self.within(name, |shard| {
            if shard.filled * 2 > shard.entries.len() && shard.entries.len() < self.most_buckets * WAYS {
                self.bytes.fetch_add(size_of_val(&*shard.entries) as u64, Relaxed);
                shard.grow();
            }
            shard.put(name, entry);
        });
    }

    /// What `work` returns of the shard that what has this name belongs to.
    fn within<T>(&self, name: u64, work: impl FnOnce(&mut Shard) -> T) -> T {
        let shard = &self.shards[(name >> 32) as usize % SHARDS];
        work(&mut shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Shard {
    fn bucket(&mut self, name: u64) -> &mut [Entry] {
        let first = name as usize % (self.entries.len() / WAYS) * WAYS;
        &mut self.entries[first..first + WAYS]
    }

    /// Puts an entry in the place of one of the same fight, or of the cheapest.
    fn put(&mut self, name: u64, entry: Entry) {
        let bucket = self.bucket(name);
        let (fight, makers_turn) = asked(&entry);
        let own = bucket.iter_mut().position(|entry| is_of(entry, fight, makers_turn));
        let cheapest = (0..WAYS).min_by_key(|&n| bucket[n][4] >> FLAG_BITS);
        if let Some(n) = own.or(cheapest) {
            let is_new = bucket[n][4] == 0;
            bucket[n] = entry;
            self.filled += usize::from(is_new);
        }
    }

    /// Makes room for twice as many.
    fn grow(&mut self) {
        let larger = vec![Entry::default(); 2 * self.entries.len()];
        let entries = std::mem::replace(&mut self.entries, larger);
        self.filled = 0;
        for entry in entries.into_iter().filter(|entry| entry[4] != 0) {
            let (fight, makers_turn) = asked(&entry);
            self.put(name(fight, makers_turn), entry);
        }
    }
}

/// The question that an entry answers.
fn asked(&[maker, breaker, free, _, rest]: &Entry) -> (Fight, bool) {
    (Fight { maker, breaker, free, is_race: rest & IS_RACE != 0 }, rest & MAKERS_TURN != 0)
}

/// A hash of what is asked about the fight, never 0.
pub(super) fn name(fight: Fight, makers_turn: bool) -> u64 {
    let mut hash =
        fight.maker.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ fight.free.rotate_left(32) ^ question(fight, makers_turn);
    hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ fight.breaker;
    hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash.max(1)
}

/// The bits of what is asked about the fight.
fn question(fight: Fight, makers_turn: bool) -> u64 {
    u64::from(makers_turn) * MAKERS_TURN + u64::from(fight.is_race) * IS_RACE
}

fn is_of(entry: &Entry, fight: Fight, makers_turn: bool) -> bool {
    entry[4] != 0 && asked(entry) == (fight, makers_turn)
}
