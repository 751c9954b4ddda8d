//! The transposition table: what is already known of positions met before.

use std::hash::{BuildHasher, Hash};
use std::mem::size_of;

use rustc_hash::FxBuildHasher;

use crate::value::Bounds;

/// What the search learnt of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<Move> {
    pub(crate) bounds: Bounds,
    /// The move that was best, or that refuted, to be tried first next time.
    pub(crate) best: Move,
}

#[derive(Clone, Debug)]
struct Entry<Position, Move> {
    position: Position,
    known: Known<Move>,
    /// How many positions it took to learn this: the more, the longer it stays.
    work: u32,
}

/// A hash table of bounded size that keeps what was most work to learn.
///
/// Whole positions are the keys, so a hash collision can cost time but never an
/// answer. Memory: `size_of::<Entry>() + 1` bytes or so a position; it starts at
/// a few KiB and doubles while it fills, up to its limit. One look-up reads
/// [`BUCKET`](Self::BUCKET) neighbouring entries at most.
#[derive(Debug)]
pub(crate) struct Table<Position, Move> {
    slots: Vec<Option<Entry<Position, Move>>>,
    filled: usize,
    most_slots: usize,
}

impl<Position: Eq + Hash, Move: Copy> Table<Position, Move> {
    const BUCKET: usize = 4;
    const FIRST_SLOTS: usize = 256;

    /// A table that stays within `bytes`, or within one bucket if that is more.
    pub(crate) fn new(bytes: usize) -> Self {
        let fitting = bytes / size_of::<Option<Entry<Position, Move>>>();
        // While it grows, the old table and the new one stand side by side; the
        // sum of both is what has to fit.
        let most_slots = match (fitting * 2 / 3).max(Self::BUCKET) {
            n if n.is_power_of_two() => n,
            n => n.next_power_of_two() / 2,
        };
        let slots = std::iter::repeat_with(|| None).take(most_slots.min(Self::FIRST_SLOTS)).collect();
        Self { slots, filled: 0, most_slots }
    }

    fn bucket(&self, position: &Position) -> std::ops::Range<usize> {
        // The high bits of this hash are the good ones.
        let hash = FxBuildHasher.hash_one(position);
        let buckets = (self.slots.len() / Self::BUCKET) as u64;
        let bucket = ((u128::from(hash) * u128::from(buckets)) >> 64) as usize;
        bucket * Self::BUCKET..(bucket + 1) * Self::BUCKET
    }

    pub(crate) fn get(&self, position: &Position) -> Option<Known<Move>> {
        self.slots[self.bucket(position)]
            .iter()
            .flatten()
            .find(|entry| entry.position == *position)
            .map(|entry| entry.known)
    }

    pub(crate) fn put(&mut self, position: Position, known: Known<Move>, work: u64) {
        if self.filled * 4 > self.slots.len() * 3 && self.slots.len() * 2 <= self.most_slots {
            self.grow();
        }
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        self.place(Entry { position, known, work });
    }

    fn place(&mut self, entry: Entry<Position, Move>) {
        let bucket = self.bucket(&entry.position);
        // The position's own slot, else a free one, else the least work's.
        let slot = self.slots[bucket].iter_mut().min_by_key(|slot| match slot {
            Some(kept) if kept.position == entry.position => (0, 0),
            None => (1, 0),
            Some(kept) => (2, kept.work),
        });
        if let Some(slot) = slot {
            self.filled += usize::from(slot.is_none());
            *slot = Some(entry);
        }
    }

    /// Doubles; where the machine has no memory left for that, it stays as it is.
    fn grow(&mut self) {
        let mut bigger = Vec::new();
        if bigger.try_reserve_exact(self.slots.len() * 2).is_err() {
            self.most_slots = self.slots.len();
            return;
        }
        bigger.resize_with(self.slots.len() * 2, || None);
        let old = std::mem::replace(&mut self.slots, bigger);
        self.filled = 0;
        for entry in old.into_iter().flatten() {
            self.place(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn known(plies: u32) -> Known<u8> {
        Known { bounds: Bounds::exactly(Value::win(plies)), best: 7 }
    }

    #[test]
    fn it_grows_to_its_limit_and_keeps_what_was_most_work() {
        let mut table = Table::<u64, u8>::new(64 << 10);
        for n in 0..100_000 {
            table.put(n, known(n as u32), if n == 5 { 1000 } else { 1 });
        }
        let bytes = table.slots.len() * size_of::<Option<Entry<u64, u8>>>();
        assert!((16 << 10..=64 << 10).contains(&bytes), "{bytes} bytes");
        assert_eq!(table.get(&5).unwrap().bounds, Bounds::exactly(Value::win(5)));
        assert_eq!(table.get(&99_999).unwrap().bounds, Bounds::exactly(Value::win(99_999)));
        assert!(table.get(&100_000).is_none());
    }

    #[test]
    fn a_table_of_no_size_still_works() {
        let mut table = Table::<u64, u8>::new(0);
        for n in 0..10 {
            table.put(n, known(n as u32), 1);
            assert_eq!(table.get(&n).unwrap().bounds, Bounds::exactly(Value::win(n as u32)));
        }
    }
}
