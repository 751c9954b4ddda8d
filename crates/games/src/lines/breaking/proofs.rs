//! The proofs that are remembered.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::{Fight, Proof};
use crate::memory::Words;

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

#[derive(Debug)]
struct Shard {
    /// Bucket by bucket, as many as a power of two.
    entries: Entries,
    filled: usize,
}

/// The memory of a shard.
#[derive(Debug)]
enum Entries {
    Few(Vec<Entry>),
    Many(Words),
}

/// The maker's marks, the breaker's, the free cells, the zone, and beside the positions that it took, three bits. All
/// zeros if there is none.
type Entry = [u64; 5];

/// Few, so that each is large: see [`Entries::free`].
const SHARDS: usize = 16;

/// Entries in a bucket.
const WAYS: usize = 4;

const MAKERS_TURN: u64 = 1;
const IS_RACE: u64 = 2;
const MAKES: u64 = 4;
const FLAG_BITS: u32 = 3;

impl Proofs {
    /// At most `bytes` bytes, or the smallest table if that takes more: 2.5 KiB.
    pub(super) fn new(bytes: usize) -> Self {
        let most_buckets = 1 << (bytes / (SHARDS * WAYS * size_of::<Entry>())).max(1).ilog2();
        let shard = || Shard { entries: Entries::Few(vec![Entry::default(); WAYS]), filled: 0 };
        let shards: Vec<_> = (0..SHARDS).map(|_| Mutex::new(shard())).collect();
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
            let entries = shard.entries.all();
            let (count, bytes) = (entries.len(), size_of_val(entries));
            if shard.filled * 2 > count && count < self.most_buckets * WAYS && shard.grow() {
                self.bytes.fetch_add(bytes as u64, Relaxed);
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

impl Entries {
    /// The bytes of a large page.
    const LARGE: usize = 2 << 20;

    /// As many free entries; `None` if the machine has no memory for them.
    ///
    /// From a large page on, they are straight from the system, in large pages where it has them: small ones that are
    /// taken and given back one after the other keep all threads waiting.
    fn free(count: usize) -> Option<Self> {
        if count * size_of::<Entry>() < Self::LARGE {
            return Some(Self::Few(vec![Entry::default(); count]));
        }
        Words::zeros(count * Entry::default().len()).map(Self::Many)
    }

    #[inline]
    fn all(&mut self) -> &mut [Entry] {
        match self {
            Self::Few(entries) => entries,
            Self::Many(words) => words.blocks_mut(),
        }
    }
}

impl Shard {
    #[inline]
    fn bucket(&mut self, name: u64) -> &mut [Entry] {
        let entries = self.entries.all();
        let first = name as usize % (entries.len() / WAYS) * WAYS;
        &mut entries[first..first + WAYS]
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

    /// Makes room for twice as many. Returns whether there was memory for that.
    fn grow(&mut self) -> bool {
        let Some(larger) = Entries::free(2 * self.entries.all().len()) else {
            return false;
        };
        let mut entries = std::mem::replace(&mut self.entries, larger);
        self.filled = 0;
        for &entry in entries.all().iter().filter(|entry| entry[4] != 0) {
            let (fight, makers_turn) = asked(&entry);
            self.put(name(fight, makers_turn), entry);
        }
        true
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_found_in_memory_of_either_kind() {
        // From small shards to ones of several large pages.
        let fights = if cfg!(miri) { 1 << 8 } else { 1 << 20 };
        let budget = 256 << 20;
        let proofs = Proofs::new(budget);
        let fight = |n: u64| Fight { free: !n, maker: n, breaker: 0, is_race: n.is_multiple_of(3) };
        let proof = |n: u64| Proof { makes: n.is_multiple_of(5), zone: n };
        (0..fights).for_each(|n| proofs.put(fight(n), n.is_multiple_of(2), proof(n), n));
        let found = |n: u64| proofs.get(fight(n), n.is_multiple_of(2));
        // Some have taken the place of others.
        let kept = (0..fights).filter_map(|n| Some((n, found(n)?))).inspect(|&(n, kept)| assert_eq!(kept, proof(n)));
        assert!(kept.count() as u64 > fights / 10 * 9);
        assert!((0..fights).all(|n| proofs.get(fight(n), !n.is_multiple_of(2)).is_none()));
        assert!((2 * 40 * fights..=budget as u64).contains(&proofs.bytes()));
    }
}
