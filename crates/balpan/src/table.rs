//! The transposition table: what is already known of positions met before.

mod buckets;

use std::mem::size_of;
use std::ops::Range;
use std::thread;

use crate::sync::{AtomicU64, Ordering::*, fence};
use buckets::Buckets;

/// A hash table of bounded size, shared by threads that never wait for each other,
/// which keeps what was most work to learn.
///
/// A key is spread by a bijection of its bits: the highest say which bucket, and
/// the entry holds all the others. So a look-up compares whole keys, and neither a
/// collision nor a race of two threads can ever give a wrong answer.
///
/// A bucket is a cache line. BucketLayout of one word stand eight to a bucket and are
/// read and written at once; where that is too short for the key, there are five
/// entries of a word and a half, or three of two words, guarded by a count of the
/// writes (a sequence lock): who reads while another writes has met nothing, and who
/// writes then does not.
///
/// Memory: `new` takes 64 KiB at most, and [`grow`](Self::grow) goes on from there
/// to the limit. One look-up is one cache miss.
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

/// How many bits are whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    key: u32,
    /// Of the key's bits, the lowest ones, which tell entries of one bucket apart.
    tag: u32,
    payload: u32,
    /// Of the key's bits, those that an entry holds; the others say which bucket.
    remainder: u32,
    /// The bits of an entry below its remainder.
    below: u32,
    entries: BucketLayout,
}

/// How entries lie in a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BucketLayout {
    /// Eight of a word each.
    Eight,
    /// Five of a word and a half. Words 1 to 5 have the lower bits, the halves of words 6 and 7,
    /// and the upper one of word 0, the higher bits.
    Five,
    /// Three of two words, the higher one first, from word 1 on.
    Three,
}

impl BucketLayout {
    /// The most of so many bits.
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

/// Where a key belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    bucket: usize,
    /// The remainder's lower and upper half: a whole one would align every slot, and all
    /// that has one, to 16 bytes.
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

    /// A number for the key, never 0; others may have the same.
    pub(crate) fn hash(self) -> u64 {
        let name = (self.bucket as u64).rotate_left(32) ^ self.lower;
        (name.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7).max(1)
    }

    /// The same key's place for what has this tag.
    #[inline]
    pub(crate) const fn with_tag(self, tag: u128) -> Self {
        Self::new(self.bucket, self.remainder() | tag)
    }
}

/// Bits of an entry that say how much work it was, as a power of two. Never all 0:
/// an entry of all zeros is a free one.
const WORK_BITS: u32 = 6;

/// Spreads keys; odd, so that no two become the same.
const MULTIPLIER: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// What undoes a multiplication by [`MULTIPLIER`]: each step doubles the number of right bits.
const MULTIPLIER_INVERSE: u128 = {
    let (mut inverse, mut step) = (MULTIPLIER, 0);
    while step < 6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(MULTIPLIER.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
};

/// The most that they say.
const MAX_WORK: u64 = (1 << WORK_BITS) - 1;

impl TranspositionTable {
    /// 64 KiB: it stays in the cache.
    const INITIAL_INDEX_BITS: u32 = 10;
    /// Sixteen buckets, 1 KiB.
    const MIN_INDEX_BITS: u32 = 4;
    const GROWTH_FACTOR: usize = 4;
    /// To move what is in so many buckets, 4 MiB, is worth threads.
    const MIN_PARALLEL_BUCKETS: usize = 1 << 16;

    /// An empty table for keys and payloads of these widths in bits, that never takes more
    /// than `bytes`, or than the smallest table if that is more: 1 KiB, twice as
    /// much for each bit by which key and payload together pass 126.
    pub(crate) fn new(key: u32, payload: u32, bytes: usize) -> Self {
        Self::with_tags(key, 0, payload, bytes)
    }

    /// As [`new`](Self::new), for several entries a key: they are told apart by a tag
    /// of `tag` more bits, and stand in one bucket.
    pub(crate) fn with_tags(key: u32, tag: u32, payload: u32, bytes: usize) -> Self {
        let least = (key + tag + payload + WORK_BITS).saturating_sub(128).max(Self::MIN_INDEX_BITS);
        let key = key.max(least);
        // Short keys need no more buckets than there are keys.
        let most = (bytes / size_of::<Bucket>()).max(1).ilog2().clamp(least, key);
        let first = most.min(Self::INITIAL_INDEX_BITS.max(least));
        let layout = Layout::new(key + tag, tag, payload, first);
        Self { buckets: Buckets::small(1 << first), layout, max_buckets: 1 << most }
    }

    /// Whether there may be a larger one.
    pub(crate) fn can_grow(&self) -> bool {
        self.buckets.len() < self.max_buckets
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<Bucket>()) as u64
    }

    /// How many entries there is room for.
    pub(crate) fn capacity(&self) -> u64 {
        (self.buckets.len() * self.layout.entries.count()) as u64
    }

    /// Becomes four times as large, with all that it holds, by the work of several threads; for
    /// that moment, both sizes stand side by side. Where the machine has no memory left for
    /// that, it stays as it is.
    pub(crate) fn grow(&mut self, threads: usize) {
        let size = (self.buckets.len() * Self::GROWTH_FACTOR).min(self.max_buckets);
        let Some(buckets) = Buckets::large(size) else {
            self.max_buckets = self.buckets.len();
            return;
        };
        let layout = Layout::new(self.layout.key, self.layout.tag, self.layout.payload, size.ilog2());
        let bigger = Self { buckets, layout, ..*self };
        let all = self.buckets.len();
        if threads < 2 || all < Self::MIN_PARALLEL_BUCKETS {
            self.move_into(&bigger, 0..all);
        } else {
            // What is side by side stays so: each thread writes to a part of its own.
            let part = all.div_ceil(threads);
            thread::scope(|scope| {
                for first in (0..all).step_by(part) {
                    let (from, to) = (&*self, &bigger);
                    let range = first..all.min(first + part);
                    let work = range.clone();
                    let spawned = thread::Builder::new().spawn_scoped(scope, move || from.move_into(to, work));
                    // The system may have no room for a thread.
                    if spawned.is_err() {
                        self.move_into(&bigger, range);
                    }
                }
            });
        }
        *self = bigger;
    }

    /// Puts what these buckets hold in a larger table.
    fn move_into(&self, bigger: &Self, range: Range<usize>) {
        for at in range {
            let moved = |entry: u128| {
                let spread = (at as u128) << self.layout.remainder | entry >> self.layout.below;
                bigger.store_entry(bigger.layout.slot_of(spread), entry & mask(self.layout.below));
            };
            let bucket = &self.buckets[at];
            match self.layout.entries {
                BucketLayout::Eight => bucket.words().filter(|&entry| entry != 0).map(u128::from).for_each(moved),
                guarded => bucket.guarded(guarded).for_each(moved),
            }
        }
    }

    /// Forgets the entries of keys that are not `kept`, and returns how many are left. For a table without tags.
    pub(crate) fn retain(&mut self, kept: impl Fn(u128) -> bool) -> u64 {
        debug_assert_eq!(self.layout.tag, 0, "a key has one entry");
        let mut left = 0;
        for at in 0..self.buckets.len() {
            let bucket = &self.buckets[at];
            let entries: Vec<u128> = match self.layout.entries {
                BucketLayout::Eight => bucket.words().filter(|&entry| entry != 0).map(u128::from).collect(),
                guarded => bucket.guarded(guarded).collect(),
            };
            // BucketLayout stand without gaps.
            bucket.0.iter().for_each(|word| word.store(0, Relaxed));
            for entry in entries {
                let spread = (at as u128) << self.layout.remainder | entry >> self.layout.below;
                if kept(self.layout.key_of(spread)) {
                    left += u64::from(self.store_entry(self.layout.slot_of(spread), entry & mask(self.layout.below)));
                }
            }
        }
        left
    }

    /// Where `key` belongs, until the table grows.
    #[inline]
    pub(crate) fn slot(&self, key: u128) -> Slot {
        self.layout.slot(key)
    }

    /// Has the machine fetch what [`probe`](Self::probe) will read.
    #[inline]
    pub(crate) fn prefetch(&self, slot: Slot) {
        #[cfg(all(target_arch = "x86_64", not(loom)))]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = &raw const self.buckets[slot.bucket];
            // SAFETY: the address is that of a bucket, and prefetching reads nothing
            // that a program could see.
            #[allow(unsafe_code, reason = "a prefetch is no safe call")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
            }
        }
        #[cfg(not(all(target_arch = "x86_64", not(loom))))]
        let _ = slot;
    }

    /// The payload kept for the key of this slot.
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

    /// Keeps a payload, in the entry of the same key, else in a free one, else in
    /// that of the least work. Returns whether it took a free one.
    #[inline]
    pub(crate) fn store(&self, slot: Slot, payload: u64, work: u64) -> bool {
        let work = u64::from(work.max(1).ilog2()) + 1;
        self.store_entry(slot, u128::from(payload << WORK_BITS | work.min(MAX_WORK)))
    }

    /// As [`store`](Self::store), of an entry as it stands; its remainder may be left out.
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

    /// Where a key belongs: a bijection of the keys whose high bits depend on all bits, with
    /// room for a tag.
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
            // No table has a single bucket, so that the remainder is shorter than a word.
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

    /// The key that was spread to this, without a tag: the steps of [`slot`](Self::slot) backwards.
    fn key_of(self, spread: u128) -> u128 {
        let (half, mask) = (self.key / 2, mask(self.key));
        // What is shifted out twice is at most the lowest bit but one.
        let unshift = |key: u128| key ^ key >> half ^ key >> (2 * half);
        let mut key = unshift(spread);
        for _ in 0..2 {
            key = unshift(key.wrapping_mul(MULTIPLIER_INVERSE) & mask);
        }
        key
    }

    /// Where what a key was spread to belongs.
    #[inline]
    fn slot_of(self, spread: u128) -> Slot {
        Slot::new((spread >> self.remainder) as usize, spread & mask(self.remainder))
    }
}

/// The lowest `bits` of 128.
#[inline]
const fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

impl Bucket {
    #[inline]
    fn words(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|word| word.load(Relaxed))
    }

    /// Puts the entry in the place of one with the same bits in `remainder`, else in a free
    /// one, else in that of the least work. Returns whether it took a free one.
    #[inline]
    fn replace(&self, entry: u64, remainder: u64) -> bool {
        let (mut at, mut least) = (0, u64::MAX);
        for (i, kept) in self.words().enumerate() {
            // They are filled in order, so that no entry of the same key follows a free one.
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

    /// The guarded entries that are not free, read one word after the other.
    #[inline]
    fn guarded(&self, entries: BucketLayout) -> impl Iterator<Item = u128> {
        let used = (0..entries.count()).filter(move |&at| self.lower(entries, at) != 0);
        used.map(move |at| u128::from(self.upper(entries, at)) << 64 | u128::from(self.lower(entries, at)))
    }

    /// The lower word of a guarded entry. It tells how much work the entry was: it is 0 if the entry is free.
    #[inline]
    fn lower(&self, entries: BucketLayout, at: usize) -> u64 {
        let word = if entries == BucketLayout::Five { at + 1 } else { 2 * at + 2 };
        self.0[word].load(Relaxed)
    }

    /// The bits of a guarded entry above its lower word.
    #[inline]
    fn upper(&self, entries: BucketLayout, at: usize) -> u64 {
        if entries == BucketLayout::Five {
            let (word, shift) = half_of(at);
            self.0[word].load(Relaxed) >> shift & COUNT_MASK
        } else {
            self.0[2 * at + 1].load(Relaxed)
        }
    }

    /// Whether the guarded entry at this place has those bits above the lowest `below`. Most differ in
    /// their lower words already.
    #[inline]
    fn has(&self, entries: BucketLayout, at: usize, bits: u128, below: u32) -> bool {
        let lower = self.lower(entries, at);
        (lower ^ bits as u64) >> below == 0 && lower != 0 && self.upper(entries, at) == (bits >> 64) as u64
    }

    /// The lower word of the first guarded entry that has those bits above the lowest `below`, unless somebody
    /// writes meanwhile.
    #[inline]
    fn find(&self, entries: BucketLayout, bits: u128, below: u32) -> Option<u64> {
        let guard = self.0[0].load(Acquire);
        let at = (0..entries.count()).find(|&at| self.has(entries, at, bits, below))?;
        let found = self.lower(entries, at);
        // If a word of another write was read above, the count read below has changed.
        fence(Acquire);
        (guard.is_multiple_of(2) && self.0[0].load(Relaxed) == guard).then_some(found)
    }

    /// As [`replace`](Self::replace), unless somebody else writes; the remainder is all bits
    /// but the lowest `below`.
    #[inline]
    fn replace_guarded(&self, entries: BucketLayout, entry: u128, below: u32) -> bool {
        // The lower half of this word counts: odd while somebody writes.
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

/// Bits of half a word.
const HALF_BITS: u32 = 32;

/// The bits of a bucket's first word that count the writes. A reader would have to sleep through
/// 2^31 writes of one bucket to miss them.
const COUNT_MASK: u64 = (1 << HALF_BITS) - 1;

/// The word that has the higher bits of one of five entries, and how far up.
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
    fn it_grows_to_its_limit_and_keeps_what_was_most_work() {
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
    fn growing_loses_nothing() {
        for key_bits in [20, 48, 64, 65, 76, 90, 103] {
            let mut table = TranspositionTable::new(key_bits, 24, 64 << 20);
            // Few enough that hardly a bucket overflows.
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
            // By one thread, and in the end by two.
            while table.can_grow() {
                table.grow(2);
                assert_eq!(kept(&table), before, "{key_bits}");
            }
            assert!(table.buckets.len() > TranspositionTable::MIN_PARALLEL_BUCKETS, "{key_bits}");
        }
    }

    #[test]
    fn it_forgets_what_it_is_told_to_and_no_more() {
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
        fn different_keys_have_different_places(
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
        fn it_says_what_it_was_told_or_nothing(
            bits in 1..=103_u32, table in 0..1_usize << 14, told in prop::collection::vec((any::<u128>(), any::<u32>(), 0..99_u64), 1..999)
        ) {
            let table = TranspositionTable::new(bits, 24, table);
            let mut truth = std::collections::HashMap::new();
            for (key, payload, work) in told {
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

    /// Two threads keep something under one key each, in a bucket that has one place
    /// for both, and a third looks both up: in no order does it, or anybody later,
    /// find what was not kept under that key.
    fn never_torn(key_bits: u32, keys: [u128; 2], fillers: Vec<u128>) {
        // More would take minutes, and one is enough to tear an unguarded entry.
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
            // The reader has a thread of its own: loom does not interrupt the first one.
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

    /// Keys, from `from` on, that belong into the bucket of the first.
    fn one_bucket(layout: Layout, from: u128) -> impl Iterator<Item = u128> {
        let bucket = move |key| layout.slot(key).bucket;
        (from..).filter(move |&key| bucket(key) == bucket(from))
    }

    /// Two keys of one bucket for which guarded entries differ in the upper bits alone,
    /// so that the lower bits of the one and the upper ones of the other pass for either.
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
