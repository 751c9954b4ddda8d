//! Radix sort of words.

use std::ops::Range;

use num_traits::{AsPrimitive, PrimInt, Unsigned};

/// The largest number of bits of a digit: its counters fit in the first-level cache.
const MAX_DIGIT_BITS: u32 = 11;

/// Fewer words than this are sorted by comparison.
const MIN_RADIX_SORT_LEN: usize = 1 << 11;

/// Sorts words by a range of their bits; the order of words that are equal there is arbitrary.
///
/// Least significant digit first; digits that are the same in all words are skipped. Cost: two
/// passes over the words for each digit, and as much memory again, in `spare`.
pub fn sort<W: Word>(words: &mut Vec<W>, spare: &mut Vec<W>, bits: Range<u32>) {
    if words.len() < MIN_RADIX_SORT_LEN {
        words.sort_unstable();
        return;
    }
    let first = words[0];
    let varying = words.iter().fold(W::zero(), |varying, &word| varying | (word ^ first));
    let count = (bits.end - bits.start).div_ceil(MAX_DIGIT_BITS).max(1);
    let digit_bits = (bits.end - bits.start).div_ceil(count);
    let mask = (1_usize << digit_bits) - 1;
    spare.clear();
    spare.resize(words.len(), W::zero());
    for shift in (0..count).map(|digit| bits.start + digit * digit_bits) {
        let digit = |word: W| -> usize {
            let low: usize = (word >> shift as usize).as_();
            low & mask
        };
        if digit(varying) == 0 {
            continue;
        }
        let mut ends = vec![0_usize; mask + 1];
        for &word in words.iter() {
            ends[digit(word)] += 1;
        }
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        for &word in words.iter() {
            let place = &mut ends[digit(word)];
            spare[*place] = word;
            *place += 1;
        }
        std::mem::swap(words, spare);
    }
}

/// Words by layer. Once the buffer is full, it is drained: sorted and spilled to runs, or looked
/// up.
#[derive(Debug)]
pub struct SpillBuffer<W> {
    /// One list a layer; the one appended to last is at `last`.
    lists: Vec<(u32, Vec<W>)>,
    last: usize,
    remaining: usize,
    capacity: usize,
    /// Scratch space of [`sort`](crate::build::sort::sort()).
    spare: Vec<W>,
}

impl<W: Word> SpillBuffer<W> {
    /// Creates a buffer that takes at most this many bytes, with a third of them for words: a
    /// growing list is copied into one twice as long, and sorting needs a copy.
    pub const fn new(bytes: usize) -> Self {
        let capacity = bytes / size_of::<W>() / 3;
        Self { lists: Vec::new(), last: 0, remaining: capacity, capacity, spare: Vec::new() }
    }

    /// Adds a word. A full buffer still accepts it.
    #[inline]
    pub fn push(&mut self, layer: u32, word: W) {
        self.remaining = self.remaining.saturating_sub(1);
        match self.lists.get_mut(self.last) {
            Some((of, list)) if *of == layer => list.push(word),
            _ => self.push_elsewhere(layer, word),
        }
    }

    fn push_elsewhere(&mut self, layer: u32, word: W) {
        self.last = self.lists.iter().position(|&(of, _)| of == layer).unwrap_or_else(|| {
            self.lists.push((layer, Vec::new()));
            self.lists.len() - 1
        });
        self.lists[self.last].1.push(word);
    }

    /// Whether the buffer must be drained before more words are added.
    pub const fn is_full(&self) -> bool {
        self.remaining == 0
    }

    /// Passes the words of each layer to `take`, from the highest layer, with a spare list for
    /// sorting, and empties the buffer.
    pub fn drain<E>(&mut self, mut take: impl FnMut(u32, &mut Vec<W>, &mut Vec<W>) -> Result<(), E>) -> Result<(), E> {
        self.lists.sort_unstable_by_key(|&(layer, _)| std::cmp::Reverse(layer));
        for (layer, words) in &mut self.lists {
            if !words.is_empty() {
                take(*layer, words, &mut self.spare)?;
                words.clear();
            }
        }
        // Layers that get no more words must not keep their memory.
        self.lists.retain(|(_, words)| words.capacity() >= self.capacity / 4);
        (self.last, self.remaining) = (0, self.capacity);
        Ok(())
    }
}

/// An unsigned integer that holds a [key](balpan::Game::key) and some bits below it.
pub trait Word:
    PrimInt + Unsigned + AsPrimitive<usize> + AsPrimitive<u64> + AsPrimitive<u128> + Send + Sync + 'static
{
    /// The width of the integer.
    const BITS: u32;

    /// Converts a key that fits; higher bits are lost.
    fn from_key(key: u128) -> Self;
}

impl Word for u64 {
    const BITS: u32 = Self::BITS;

    fn from_key(key: u128) -> Self {
        key as Self
    }
}

impl Word for u128 {
    const BITS: u32 = Self::BITS;

    fn from_key(key: u128) -> Self {
        key
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_are_sorted(
            seed in any::<u64>(),
            count in 0_usize..6000,
            mask in any::<u64>(),
            low in 0_u32..20,
        ) {
            // A multiplicative sequence: proptest would take long to generate so many.
            let mut state = seed | 1;
            let mut words: Vec<u64> = (0..count)
                .map(|_| {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    (state >> 7) & mask
                })
                .collect();
            let mut wide: Vec<u128> = words.iter().map(|&word| u128::from(word) << 30).collect();
            let mut expected = words.clone();
            expected.sort_unstable();
            sort(&mut wide, &mut Vec::new(), 30..94);
            prop_assert!(wide.iter().map(|&word| (word >> 30) as u64).eq(expected.iter().copied()));
            sort(&mut words, &mut Vec::new(), low..64);
            prop_assert!(words.iter().map(|word| word >> low).is_sorted());
            words.sort_unstable();
            prop_assert_eq!(words, expected);
        }
    }
}
