//! Prefix codes: frequent values take fewer bits.
//!
//! The lengths are Huffman's (1952). The codewords follow from the lengths, as in RFC 1951, section
//! 3.2.2: shorter ones first, those of one length in the order of their values.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The longest codeword, in bits.
const MAX_CODEWORD_BITS: u8 = 32;

/// Returns the length of the codeword of each value, given the number of its occurrences. A single
/// value takes no bits.
///
/// Cost: time `n log n` for `n` values.
pub(crate) fn lengths(counts: &[u64]) -> Vec<u8> {
    let mut weights: Vec<u64> = counts.iter().map(|&count| count.clamp(1, 1 << 40)).collect();
    loop {
        let lengths = huffman_lengths(&weights);
        if lengths.iter().all(|&length| length <= MAX_CODEWORD_BITS) {
            return lengths;
        }
        // The closer the weights, the shorter the longest codeword. With all of them 1 it has 16
        // bits: there are at most 40,003 values.
        weights.iter_mut().for_each(|weight| *weight = weight.div_ceil(2));
    }
}

/// Returns Huffman's lengths, without a limit.
fn huffman_lengths(weights: &[u64]) -> Vec<u8> {
    let mut parents = vec![0; weights.len()];
    let mut heap: BinaryHeap<_> = weights.iter().copied().zip(0..).map(Reverse).collect();
    while let (Some(Reverse((one, first))), Some(Reverse((other, second)))) = (heap.pop(), heap.pop()) {
        let parent = parents.len();
        (parents[first], parents[second]) = (parent, parent);
        parents.push(0);
        heap.push(Reverse((one + other, parent)));
    }
    // Parents come after their children; the root is last.
    let mut depths = vec![0_u8; parents.len()];
    for node in (0..parents.len().saturating_sub(1)).rev() {
        depths[node] = depths[parents[node]].saturating_add(1);
    }
    depths.truncate(weights.len());
    depths
}

/// A prefix code in the form that a decoder needs.
#[derive(Debug)]
pub(crate) struct PrefixCode {
    /// The number of codewords of each length.
    counts: [u32; MAX_CODEWORD_BITS as usize + 1],
    /// The indices of the values, in the order of their codewords.
    places: Vec<u32>,
}

impl PrefixCode {
    /// Creates the code of these lengths; `None` unless every sequence of bits begins with exactly
    /// one codeword.
    pub(crate) fn new(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0_u32; MAX_CODEWORD_BITS as usize + 1];
        let mut taken = 0_u64;
        for &length in lengths {
            *counts.get_mut(usize::from(length))? += 1;
            taken = taken.checked_add(1 << (MAX_CODEWORD_BITS - length))?;
        }
        if taken != 1 << MAX_CODEWORD_BITS {
            return None;
        }
        let mut places: Vec<u32> = (0..lengths.len() as u32).collect();
        places.sort_by_key(|&place| lengths[place as usize]);
        Some(Self { counts, places })
    }

    /// Returns the codeword of each value, with its first bit as the highest, and its length.
    pub(crate) fn codewords(&self) -> Vec<(u64, u8)> {
        let mut words = vec![(0, 0); self.places.len()];
        let (mut word, mut places) = (0, self.places.iter());
        for (length, &count) in (0..).zip(&self.counts) {
            word <<= 1;
            for &place in places.by_ref().take(count as usize) {
                words[place as usize] = (word, length);
                word += 1;
            }
        }
        words
    }

    /// Decodes a codeword, and returns the index of its value; `bit` returns the bit at each place,
    /// from 0 on.
    pub(crate) fn read(&self, mut bit: impl FnMut(u8) -> bool) -> Option<usize> {
        let (mut word, mut first, mut before) = (0_u64, 0_u64, 0_usize);
        for (length, &count) in (0..).zip(&self.counts) {
            if length > 0 {
                word = word << 1 | u64::from(bit(length - 1));
                first <<= 1;
            }
            if word < first + u64::from(count) {
                return self.places.get(before + (word - first) as usize).map(|&place| place as usize);
            }
            first += u64::from(count);
            before += count as usize;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn codewords_are_read_back_and_are_short(counts in vec(prop_oneof![1..5_u64, 1..1_u64 << 20, 1..1_u64 << 40], 1..60)) {
            let lengths = lengths(&counts);
            let code = PrefixCode::new(&lengths).unwrap();
            for (place, (word, length)) in code.codewords().into_iter().enumerate() {
                prop_assert_eq!(length, lengths[place]);
                prop_assert_eq!(code.read(|bit| word >> (length - 1 - bit) & 1 == 1), Some(place));
            }
            // Within a bit of the entropy.
            let all = counts.iter().sum::<u64>() as f64;
            let bits: f64 = counts.iter().zip(&lengths).map(|(&count, &length)| count as f64 * f64::from(length)).sum();
            let entropy: f64 = counts.iter().map(|&count| count as f64 * (all / count as f64).log2()).sum();
            prop_assert!(entropy - 1.0 <= bits && bits <= entropy + all, "{} for {}", bits, entropy);
        }

        #[test]
        fn lengths_that_lie_are_refused(lengths in vec(any::<u8>(), 0..6)) {
            let sum: f64 = lengths.iter().map(|&length| 0.5_f64.powi(length.into())).sum();
            let fits = sum == 1.0 && lengths.iter().all(|&length| length <= MAX_CODEWORD_BITS);
            prop_assert_eq!(PrefixCode::new(&lengths).is_some(), fits);
        }
    }

    #[test]
    fn no_codeword_is_too_long() {
        let mut counts = vec![1, 1];
        while counts.len() < 60 {
            counts.push(counts[counts.len() - 1] + counts[counts.len() - 2]);
        }
        let lengths = lengths(&counts);
        assert!(lengths.iter().all(|&length| length <= MAX_CODEWORD_BITS), "{lengths:?}");
        assert!(PrefixCode::new(&lengths).is_some());
        assert_eq!(super::lengths(&[7]), [0]);
        assert_eq!(PrefixCode::new(&[0]).unwrap().read(|_| unreachable!()), Some(0));
        assert!(PrefixCode::new(&[]).is_none());
    }
}
