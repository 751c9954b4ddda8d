//! The transposition table: search results by position key.

mod buckets;

use std::mem::size_of;
use std::ops::Range;
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering::*, fence};
use std::thread;

use buckets::Buckets;
// Loom runs a test in every order that the memory model allows.
#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering::*, fence};

/// A lock-free hash table of bounded size, shared by threads, which replaces the entries that took the
/// least work.
///
/// A bijection spreads the bits of a key: the highest bits select the bucket, and the entry holds all the
/// others. So a probe compares whole keys, and neither a collision nor a race of two threads can ever give
/// a wrong answer.
///
/// A bucket is a cache line. It has eight entries of one word, which are read and written atomically. If
/// that is too short for the key, it has five entries of a word and a half, or three of two words, guarded
/// by a count of the writes (a sequence lock): a probe during another thread's write finds nothing, and a
/// store during another thread's write is dropped.
///
/// Memory: `new` takes 64 KiB at most, and [`grow`](Self::grow) goes on from there to the limit. One probe
/// is one cache miss.
///
/// Source: quotienting, D. E. Knuth, The Art of Computer Programming 3, 6.4,
/// exercise 13; the sequence lock, H.-J. Boehm, "Can seqlocks get along with
/// programming language memory models?" (2012).
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Buckets,
    layout: Layout,
    max_buckets: usize,
}

#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Bucket([AtomicU64; 8]);

/// The widths of an entry's fields in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    key: u32,
    /// The lowest bits of the key: the tag, which distinguishes the entries of one key in one bucket.
    tag: u32,
    payload: u32,
    /// The bits of the spread key that an entry holds; the others select the bucket.
    remainder: u32,
    /// The bits of an entry below its remainder: payload and work.
    below: u32,
    entries: BucketLayout,
}

/// The number and the size of the entries of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BucketLayout {
    /// Eight of a word each.
    Eight,
    /// Five of a word and a half. Words 1 to 5 hold the lower bits. The halves of words 6 and 7, and the
    /// upper half of word 0, hold the higher bits.
    Five,
    /// Three of two words, the higher one first, from word 1 on.
    Three,
}

impl BucketLayout {
    /// Returns the layout with the most entries of at least this many bits.
    const fn for_entry_bits(bits: u32) -> Self {
        match bits {
            ..=64 => Self::Eight,
            65..=96 => Self::Five,
            _ => Self::Three,
        }
    }

    const fn count(self) -> usize {
        match self {
            Self::Eight => 8,
            Self::Five => 5,
            Self::Three => 3,
        }
    }
}

/// The bucket and the remainder of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    bucket: usize,
    /// The lower and the upper half of the remainder. A `u128` would align every type that contains a slot
    /// to 16 bytes.
    lower: u64,
    upper: u64,
}

impl Slot {
    #[inline]
    const fn new(bucket: usize, remainder: u128) -> Self {
        Self { bucket, lower: remainder as u64, upper: (remainder >> 64) as u64 }
    }

    #[inline]
    const fn remainder(self) -> u128 {
        (self.upper as u128) << 64 | self.lower as u128
    }

    /// Returns a hash of the key, which is never 0. Different keys may have the same hash.
    pub(crate) fn hash(self) -> u64 {
        let name = (self.bucket as u64).rotate_left(32) ^ self.lower;
        (name.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7).max(1)
    }

    /// Returns the slot of the same key with this tag.
    #[inline]
    pub(crate) const fn with_tag(self, tag: u128) -> Self {
        Self::new(self.bucket, self.remainder() | tag)
    }
}

/// The bits of an entry that hold the binary logarithm of its work, plus 1. They are never all 0: an entry
/// of zeros is free.
const WORK_BITS: u32 = 6;

/// The multiplier that spreads keys. It is odd, so that multiplication is a bijection.
const MULTIPLIER: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// The inverse of [`MULTIPLIER`] modulo 2^128, by Newton's method: each step doubles the number of correct
/// bits.
const MULTIPLIER_INVERSE: u128 = {
    let (mut inverse, mut step) = (MULTIPLIER, 0);
    while step < 6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(MULTIPLIER.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
};

/// The largest number in these bits.
const MAX_WORK: u64 = (1 << WORK_BITS) - 1;

impl TranspositionTable {
    /// The index bits of a new table: 64 KiB, which stay in the cache.
    const INITIAL_INDEX_BITS: u32 = 10;
    /// The index bits of the smallest table: sixteen buckets, 1 KiB.
    const MIN_INDEX_BITS: u32 = 4;
    const GROWTH_FACTOR: usize = 4;
    /// The number of buckets from which several threads move the entries: 4 MiB.
    const MIN_PARALLEL_BUCKETS: usize = 1 << 16;

    /// Creates an empty table for keys and payloads of these widths in bits. It never takes more than
    /// `bytes`, or than the smallest table if that is more: 1 KiB, doubled for each bit by which key and
    /// payload together exceed 126.
    pub(crate) fn new(key: u32, payload: u32, bytes: usize) -> Self {
        Self::with_tags(key, 0, payload, bytes)
    }

    /// As [`new`](Self::new), for several entries a key, all in one bucket. A tag of `tag` more bits
    /// distinguishes them.
    pub(crate) fn with_tags(key: u32, tag: u32, payload: u32, bytes: usize) -> Self {
        let least = (key + tag + payload + WORK_BITS).saturating_sub(128).max(Self::MIN_INDEX_BITS);
        let key = key.max(least);
        // Short keys need no more buckets than there are keys.
        let most = (bytes / size_of::<Bucket>()).max(1).ilog2().clamp(least, key);
        let first = most.min(Self::INITIAL_INDEX_BITS.max(least));
        let layout = Layout::new(key + tag, tag, payload, first);
        Self { buckets: Buckets::small(1 << first), layout, max_buckets: 1 << most }
    }

    /// Returns whether the table is below its limit.
    pub(crate) fn can_grow(&self) -> bool {
        self.buckets.len() < self.max_buckets
    }

    /// Returns the table's size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<Bucket>()) as u64
    }

    /// Returns the number of entries for which the table has room.
    pub(crate) fn capacity(&self) -> u64 {
        (self.buckets.len() * self.layout.entries.count()) as u64
    }

    /// Moves all entries to a table four times as large, by several threads. Meanwhile both tables take
    /// memory. If the machine has no memory left, the table stays as it is and does not grow any more.
    pub(crate) fn grow(&mut self, threads: usize) {
        let size = (self.buckets.len() * Self::GROWTH_FACTOR).min(self.max_buckets);
        let Some(buckets) = Buckets::large(size) else {
            self.max_buckets = self.buckets.len();
            return;
        };
        let layout = Layout::new(self.layout.key, self.layout.tag, self.layout.payload, size.ilog2());
        let larger = Self { buckets, layout, ..*self };
        let all = self.buckets.len();
        if threads < 2 || all < Self::MIN_PARALLEL_BUCKETS {
            self.move_into(&larger, 0..all);
        } else {
            // Moves keep the order of the buckets, so each thread writes to a part of its own.
            let part = all.div_ceil(threads);
            thread::scope(|scope| {
                for first in (0..all).step_by(part) {
                    let (from, to) = (&*self, &larger);
                    let range = first..all.min(first + part);
                    let work = range.clone();
                    let spawned = thread::Builder::new().spawn_scoped(scope, move || from.move_into(to, work));
                    // The system may refuse a thread.
                    if spawned.is_err() {
                        self.move_into(&larger, range);
                    }
                }
            });
        }
        *self = larger;
    }

    /// Copies the entries of these buckets to a larger table.
    fn move_into(&self, larger: &Self, range: Range<usize>) {
        for at in range {
            let moved = |entry: u128| {
                let spread = (at as u128) << self.layout.remainder | entry >> self.layout.below;
                larger.store_entry(larger.layout.slot_of(spread), entry & mask(self.layout.below));
            };
            let bucket = &self.buckets[at];
            match self.layout.entries {
                BucketLayout::Eight => bucket.words().filter(|&entry| entry != 0).map(u128::from).for_each(moved),
                guarded => bucket.guarded(guarded).for_each(moved),
            }
        }
    }

    /// Removes the entries of keys for which `is_retained` is false, and returns the number of the others. For a table
    /// without tags.
    pub(crate) fn retain(&mut self, is_retained: impl Fn(u128) -> bool) -> u64 {
        debug_assert_eq!(self.layout.tag, 0, "a key has one entry");
        let mut retained = 0;
        for at in 0..self.buckets.len() {
            let bucket = &self.buckets[at];
            let entries: Vec<u128> = match self.layout.entries {
                BucketLayout::Eight => bucket.words().filter(|&entry| entry != 0).map(u128::from).collect(),
                guarded => bucket.guarded(guarded).collect(),
            };
            // A bucket has no gaps between its entries.
            bucket.0.iter().for_each(|word| word.store(0, Relaxed));
            for entry in entries {
                let spread = (at as u128) << self.layout.remainder | entry >> self.layout.below;
                if is_retained(self.layout.key_of(spread)) {
                    retained +=
                        u64::from(self.store_entry(self.layout.slot_of(spread), entry & mask(self.layout.below)));
                }
            }
        }
        retained
    }

    /// Returns the slot of `key`, which is valid until the table grows.
    #[inline]
    pub(crate) fn slot(&self, key: u128) -> Slot {
        self.layout.slot(key)
    }

    /// Prefetches the cache line that [`probe`](Self::probe) will read.
    #[inline]
    pub(crate) fn prefetch(&self, slot: Slot) {
        #[cfg(all(target_arch = "x86_64", not(loom)))]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = &raw const self.buckets[slot.bucket];
            // SAFETY: the address is that of a bucket, and a prefetch has no effect that a program could
            // observe.
            #[allow(unsafe_code, reason = "a prefetch is no safe call")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
            }
        }
        #[cfg(not(all(target_arch = "x86_64", not(loom))))]
        let _ = slot;
    }

    /// Returns the payload stored for the key of this slot.
    #[inline]
    pub(crate) fn probe(&self, slot: Slot) -> Option<u64> {
        let bucket = &self.buckets[slot.bucket];
        let below = self.layout.below;
        let entry = match self.layout.entries {
            BucketLayout::Eight => {
                let (wanted, remainder) = (slot.lower << below, u64::MAX << below);
                bucket.words().find(|&entry| entry & remainder == wanted && entry != 0)?
            }
            guarded => bucket.find(guarded, slot.remainder() << below, below)?,
        };
        Some(entry >> WORK_BITS & !(u64::MAX << self.layout.payload))
    }

    /// Stores a payload, which took `work` positions to find: in the entry of the same key, else in a free
    /// entry, else in that of the least work. Returns whether the entry was free.
    #[inline]
    pub(crate) fn store(&self, slot: Slot, payload: u64, work: u64) -> bool {
        let work = u64::from(work.max(1).ilog2()) + 1;
        self.store_entry(slot, u128::from(payload << WORK_BITS | work.min(MAX_WORK)))
    }

    /// As [`store`](Self::store), of a packed entry, whose remainder may be missing.
    fn store_entry(&self, slot: Slot, entry: u128) -> bool {
        let bucket = &self.buckets[slot.bucket];
        let below = self.layout.below;
        match self.layout.entries {
            BucketLayout::Eight => {
                let remainder = u64::MAX << below;
                bucket.replace(slot.lower << below | entry as u64 & !remainder, remainder)
            }
            guarded => bucket.replace_guarded(guarded, slot.remainder() << below | entry & mask(below), below),
        }
    }
}

impl Layout {
    fn new(key: u32, tag: u32, payload: u32, index: u32) -> Self {
        let (remainder, below) = (key - index, payload + WORK_BITS);
        Self { key, tag, payload, remainder, below, entries: BucketLayout::for_entry_bits(remainder + below) }
    }

    /// Returns the slot of a key by a bijection whose high bits depend on all bits, with room for a tag.
    #[inline]
    fn slot(self, key: u128) -> Slot {
        let bits = self.key - self.tag;
        if self.key <= 64 {
            let (mut key, mask) = (key as u64, u64::MAX >> (64 - bits));
            for _ in 0..2 {
                key ^= key >> (bits / 2);
                key = key.wrapping_mul(MULTIPLIER as u64) & mask;
            }
            let spread = (key ^ key >> (bits / 2)) << self.tag;
            // No table has a single bucket, so the remainder is shorter than a word.
            let (bucket, remainder) = (spread >> self.remainder, spread & ((1 << self.remainder) - 1));
            return Slot { bucket: bucket as usize, lower: remainder, upper: 0 };
        }
        let (mut key, mask) = (key, mask(bits));
        for _ in 0..2 {
            key ^= key >> (bits / 2);
            key = key.wrapping_mul(MULTIPLIER) & mask;
        }
        self.slot_of((key ^ key >> (bits / 2)) << self.tag)
    }

    /// Returns the key of a spread key without a tag: the inverse of [`slot`](Self::slot).
    fn key_of(self, spread: u128) -> u128 {
        let (half, mask) = (self.key / 2, mask(self.key));
        // The inverse of a shift by half the width has only two further terms.
        let unshift = |key: u128| key ^ key >> half ^ key >> (2 * half);
        let mut key = unshift(spread);
        for _ in 0..2 {
            key = unshift(key.wrapping_mul(MULTIPLIER_INVERSE) & mask);
        }
        key
    }

    /// Returns the slot of a spread key.
    #[inline]
    fn slot_of(self, spread: u128) -> Slot {
        Slot::new((spread >> self.remainder) as usize, spread & mask(self.remainder))
    }
}

/// Returns a mask of the lowest `bits` of 128.
#[inline]
const fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

impl Bucket {
    #[inline]
    fn words(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|word| word.load(Relaxed))
    }

    /// Stores the entry in place of one with the same bits in `remainder`, else in a free one, else in place of
    /// that of the least work. Returns whether the entry was free.
    #[inline]
    fn replace(&self, entry: u64, remainder: u64) -> bool {
        let (mut at, mut least) = (0, u64::MAX);
        for (i, kept) in self.words().enumerate() {
            // Entries are filled in order, so no entry of the same key follows a free one.
            if kept == 0 || (kept ^ entry) & remainder == 0 {
                self.0[i].store(entry, Relaxed);
                return kept == 0;
            }
            if kept & MAX_WORK < least {
                (at, least) = (i, kept & MAX_WORK);
            }
        }
        self.0[at].store(entry, Relaxed);
        false
    }

    /// Returns the guarded entries that are not free. They are read word by word, without the guard.
    #[inline]
    fn guarded(&self, entries: BucketLayout) -> impl Iterator<Item = u128> {
        let used = (0..entries.count()).filter(move |&at| self.lower(entries, at) != 0);
        used.map(move |at| u128::from(self.upper(entries, at)) << 64 | u128::from(self.lower(entries, at)))
    }

    /// Returns the lower word of a guarded entry. It contains the work: it is 0 if the entry is free.
    #[inline]
    fn lower(&self, entries: BucketLayout, at: usize) -> u64 {
        let word = if entries == BucketLayout::Five { at + 1 } else { 2 * at + 2 };
        self.0[word].load(Relaxed)
    }

    /// Returns the bits of a guarded entry above its lower word.
    #[inline]
    fn upper(&self, entries: BucketLayout, at: usize) -> u64 {
        if entries == BucketLayout::Five {
            let (word, shift) = half_of(at);
            self.0[word].load(Relaxed) >> shift & COUNT_MASK
        } else {
            self.0[2 * at + 1].load(Relaxed)
        }
    }

    /// Returns whether the guarded entry at this index has these bits above the lowest `below`. Most entries
    /// differ in their lower words already.
    #[inline]
    fn has(&self, entries: BucketLayout, at: usize, bits: u128, below: u32) -> bool {
        let lower = self.lower(entries, at);
        (lower ^ bits as u64) >> below == 0 && lower != 0 && self.upper(entries, at) == (bits >> 64) as u64
    }

    /// Returns the lower word of the first guarded entry that has these bits above the lowest `below`, unless
    /// another thread writes to the bucket meanwhile.
    #[inline]
    fn find(&self, entries: BucketLayout, bits: u128, below: u32) -> Option<u64> {
        let guard = self.0[0].load(Acquire);
        let at = (0..entries.count()).find(|&at| self.has(entries, at, bits, below))?;
        let found = self.lower(entries, at);
        // If a word of another write was read above, the count below differs.
        fence(Acquire);
        (guard.is_multiple_of(2) && self.0[0].load(Relaxed) == guard).then_some(found)
    }

    /// As [`replace`](Self::replace), unless another thread is writing to the bucket. The remainder is all
    /// bits but the lowest `below`.
    #[inline]
    fn replace_guarded(&self, entries: BucketLayout, entry: u128, below: u32) -> bool {
        // The lower half of this word counts writes: it is odd during one.
        let guard = self.0[0].load(Relaxed);
        if !guard.is_multiple_of(2) || self.0[0].compare_exchange(guard, guard + 1, Acquire, Relaxed).is_err() {
            return false;
        }
        fence(Release);
        let (mut at, mut least, mut is_free) = (0, u64::MAX, false);
        for i in 0..entries.count() {
            let kept = self.lower(entries, i);
            is_free = kept == 0;
            if is_free || self.has(entries, i, entry, below) {
                at = i;
                break;
            }
            if kept & MAX_WORK < least {
                (at, least) = (i, kept & MAX_WORK);
            }
        }
        let (upper, lower) = ((entry >> 64) as u64, entry as u64);
        let mut guard = guard & !COUNT_MASK | guard.wrapping_add(2) & COUNT_MASK;
        if entries == BucketLayout::Five {
            let (half, shift) = half_of(at);
            let with_upper = |word: u64| word & !(COUNT_MASK << shift) | upper << shift;
            match half {
                0 => guard = with_upper(guard),
                _ => self.0[half].store(with_upper(self.0[half].load(Relaxed)), Relaxed),
            }
            self.0[at + 1].store(lower, Relaxed);
        } else {
            self.0[2 * at + 1].store(upper, Relaxed);
            self.0[2 * at + 2].store(lower, Relaxed);
        }
        self.0[0].store(guard, Release);
        is_free
    }
}

/// The bits of half a word.
const HALF_BITS: u32 = 32;

/// The bits of a bucket's first word that count its writes. A reader would have to sleep through 2^31
/// writes to one bucket to miss them.
const COUNT_MASK: u64 = (1 << HALF_BITS) - 1;

/// Returns the word that holds the higher bits of one of five entries, and their shift in it.
#[inline]
const fn half_of(entry: usize) -> (usize, u32) {
    match entry {
        4 => (0, HALF_BITS),
        _ => (6 + entry / 2, HALF_BITS * (entry as u32 % 2)),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn table_grows_to_its_limit_and_keeps_the_entry_of_the_most_work() {
        for key_bits in [40, 64, 76, 90] {
            let mut table = TranspositionTable::new(key_bits, 24, 1 << 20);
            let mut filled = 0;
            for n in 0..1_000_000 {
                filled += u64::from(table.store(table.slot(n), n as u64 & 0xff_ffff, if n == 5 { 1000 } else { 1 }));
                if filled > table.capacity() / 2 && table.can_grow() {
                    table.grow(1);
                }
            }
            assert_eq!(table.buckets.len() * size_of::<Bucket>(), 1 << 20, "{key_bits}");
            assert_eq!(table.probe(table.slot(5)), Some(5), "{key_bits}");
            assert_eq!(table.probe(table.slot(999_999)), Some(999_999), "{key_bits}");
            assert_eq!(table.probe(table.slot(1_000_000)), None, "{key_bits}");
        }
    }

    #[test]
    fn growing_keeps_every_entry() {
        for key_bits in [20, 48, 64, 65, 76, 90, 103] {
            let mut table = TranspositionTable::new(key_bits, 24, 64 << 20);
            // So few keys that hardly a bucket overflows.
            let keys = || (0..1500_u128).map(|n| n.wrapping_mul(0x9_e377_9b97_f4a7_c15f) & mask(key_bits));
            for (n, key) in keys().enumerate() {
                table.store(table.slot(key), n as u64, 1);
            }
            let kept = |table: &TranspositionTable| -> Vec<_> {
                keys()
                    .enumerate()
                    .filter(|&(n, key)| table.probe(table.slot(key)) == Some(n as u64))
                    .map(|(n, _)| n)
                    .collect()
            };
            let before = kept(&table);
            assert!(before.len() > 1300, "{key_bits}: {}", before.len());
            // The first steps run on one thread, the last ones on two.
            while table.can_grow() {
                table.grow(2);
                assert_eq!(kept(&table), before, "{key_bits}");
            }
            assert!(table.buckets.len() > TranspositionTable::MIN_PARALLEL_BUCKETS, "{key_bits}");
        }
    }

    #[test]
    fn retain_removes_exactly_the_rejected_keys() {
        for key_bits in [20, 21, 48, 63, 64, 65, 76, 103] {
            let mut table = TranspositionTable::new(key_bits, 24, 1 << 20);
            let keys = || (0..4000_u128).map(|n| n.wrapping_mul(0x9_e377_9b97_f4a7_c15f) & mask(key_bits));
            for (n, key) in keys().enumerate() {
                table.store(table.slot(key), n as u64, 1);
            }
            let found = |table: &TranspositionTable| keys().map(|key| table.probe(table.slot(key))).collect::<Vec<_>>();
            let before = found(&table);
            let left = table.retain(|key| key % 3 == 0);
            let expected: Vec<_> = keys().zip(before).map(|(key, payload)| payload.filter(|_| key % 3 == 0)).collect();
            assert_eq!(found(&table), expected, "{key_bits}");
            assert_eq!(left, expected.iter().flatten().count() as u64, "{key_bits}");
            assert!(left > 500, "{key_bits}: {left}");
        }
    }

    proptest! {
        #[test]
        fn different_keys_have_different_slots(
            bits in 1..=103_u32, keys in prop::collection::vec(any::<u128>(), 2..40), near in any::<u128>()
        ) {
            let table = TranspositionTable::new(bits, 24, 1 << 12);
            let near = near..near.saturating_add(40);
            let mut keys: Vec<_> = keys.into_iter().chain(near).map(|key| key & mask(bits)).collect();
            keys.sort_unstable();
            keys.dedup();
            let mut places: Vec<_> = keys.iter().map(|&key| table.slot(key)).map(|p| (p.bucket, p.remainder())).collect();
            places.sort_unstable();
            places.dedup();
            prop_assert_eq!(places.len(), keys.len());
        }

        #[test]
        fn probe_returns_the_last_payload_or_nothing(
            bits in 1..=103_u32, table in 0..1_usize << 14, stored in prop::collection::vec((any::<u128>(), any::<u32>(), 0..99_u64), 1..999)
        ) {
            let table = TranspositionTable::new(bits, 24, table);
            let mut truth = std::collections::HashMap::new();
            for (key, payload, work) in stored {
                let (key, payload) = (key & mask(bits), u64::from(payload >> 8));
                table.store(table.slot(key), payload, work);
                truth.insert(key, payload);
                prop_assert_eq!(table.probe(table.slot(key)), Some(payload));
            }
            for (key, payload) in truth {
                let got = table.probe(table.slot(key));
                prop_assert!(got.is_none() || got == Some(payload));
            }
        }
    }
}

#[cfg(all(test, loom))]
mod tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// Checks that a probe never finds a payload that was not stored under its key, in any order of two
    /// threads that store under one key each, in a bucket with one free entry, and a third that probes.
    fn never_torn(key_bits: u32, keys: [u128; 2], fillers: Vec<u128>) {
        // A higher bound would take minutes, and one preemption is enough to tear an unguarded entry.
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(move || {
            let table = Arc::new(TranspositionTable::new(key_bits, PAYLOAD, 0));
            for &filler in &fillers {
                table.store(table.slot(filler), 0, 1 << 20);
            }
            let payload = move |writer: usize| writer as u64 + 5;
            table.store(table.slot(keys[0]), payload(0), 1);
            let check = move |table: &TranspositionTable| {
                for key in keys {
                    let found = table.probe(table.slot(key));
                    let kept = |writer: usize| keys[writer] == key && found == Some(payload(writer));
                    assert!(found.is_none() || kept(0) || kept(1), "{found:x?} under {key:x}");
                }
            };
            let kept = Arc::clone(&table);
            // The reader has its own thread: loom does not preempt the first one.
            let reader = thread::spawn(move || check(&kept));
            let writers = [1, 0].map(|writer| {
                let table = Arc::clone(&table);
                thread::spawn(move || {
                    table.store(table.slot(keys[writer]), payload(writer), 1);
                })
            });
            for thread in writers.into_iter().chain([reader]) {
                thread.join().unwrap();
            }
            check(&table);
        });
    }

    const PAYLOAD: u32 = 24;

    /// Returns the keys from `from` on that belong to the bucket of `from`.
    fn one_bucket(layout: Layout, from: u128) -> impl Iterator<Item = u128> {
        let bucket = move |key| layout.slot(key).bucket;
        (from..).filter(move |&key| bucket(key) == bucket(from))
    }

    /// Returns two keys of one bucket whose guarded entries differ in the upper bits alone, so that a torn
    /// mixture of both would match one of them.
    fn twins(layout: Layout) -> [u128; 2] {
        let low = |key| {
            let slot = layout.slot(key);
            (slot.bucket, slot.remainder() & mask(64 - layout.below))
        };
        let mut met = std::collections::HashMap::new();
        (0..).find_map(|key| met.insert(low(key), key).map(|twin| [twin, key])).unwrap()
    }

    #[test]
    fn entries_of_one_word_are_never_torn() {
        let layout = Layout::new(30, 0, PAYLOAD, TranspositionTable::MIN_INDEX_BITS);
        let keys = one_bucket(layout, 0).take(9).collect::<Vec<_>>();
        never_torn(30, [keys[0], keys[1]], keys[2..].to_vec());
        never_torn(30, [keys[0]; 2], keys[2..].to_vec());
    }

    #[test]
    fn guarded_entries_are_never_torn() {
        for (key, entries) in [(70, BucketLayout::Five), (100, BucketLayout::Three)] {
            let layout = Layout::new(key, 0, PAYLOAD, TranspositionTable::MIN_INDEX_BITS);
            assert_eq!(layout.entries, entries);
            let twins = twins(layout);
            let others = one_bucket(layout, twins[0]).filter(|key| !twins.contains(key));
            let fillers: Vec<_> = others.take(entries.count() - 1).collect();
            never_torn(key, twins, fillers.clone());
            never_torn(key, [twins[0]; 2], fillers);
        }
    }
}
