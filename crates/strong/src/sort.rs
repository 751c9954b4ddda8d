//! Radix sort of words.

use std::ops::Range;

use crate::word::Word;

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
