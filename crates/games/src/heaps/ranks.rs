//! The shortest keys for heaps: the rank of a position among all positions of no more tokens.

use std::sync::Arc;

use balpan::MAX_KEY_BITS;

/// Maximum number of tokens that are ranked. Beyond, there are more positions than keys can
/// number, unless all heaps are small.
const MAX_TOKENS: usize = 1024;

/// A ranking of all positions of at most `tokens` tokens in heaps of at most `largest`:
/// integer partitions.
///
/// Positions are ordered by the number of tokens, then by the largest heap, then in the same
/// way by the other heaps.
///
/// Memory: 16 bytes for each pair of a number of tokens and a size of heaps, at most 8 MiB.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    /// By number of tokens and size: the number of partitions into heaps of at most that size.
    /// There are no entries for sizes above the number of tokens.
    ways: Arc<[Vec<u128>]>,
    /// By number of tokens: the number of positions of fewer tokens.
    fewer: Arc<[u128]>,
    bits: u32,
}

impl Ranks {
    /// Creates the ranking; `None` if there are too many positions.
    pub(super) fn new(tokens: u32, largest: u16) -> Option<Self> {
        let tokens = usize::try_from(tokens).ok().filter(|tokens| *tokens <= MAX_TOKENS)?;
        let (mut ways, mut fewer, mut count) = (Vec::<Vec<u128>>::new(), Vec::new(), 0_u128);
        for all in 0..=tokens {
            // Zero tokens have one partition into empty parts.
            let mut row = vec![u128::from(all == 0)];
            for size in 1..=all.min(largest.into()) {
                // Either no heap has this size, or one is removed and the rest has none larger.
                let left = &ways[all - size];
                let with_one = left.get(size).or(left.last()).copied().unwrap_or(0);
                row.push(row[size - 1] + with_one);
            }
            fewer.push(count);
            count += row[row.len() - 1];
            if count > 1 << MAX_KEY_BITS {
                return None;
            }
            ways.push(row);
        }
        let bits = (u128::BITS - (count - 1).leading_zeros()).max(1);
        Some(Self { ways: ways.into(), fewer: fewer.into(), bits })
    }

    /// The number of bits of a rank.
    pub(super) const fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the rank of these heaps, which are in ascending order.
    pub(super) fn rank(&self, heaps: &[u16]) -> u128 {
        let mut tokens: usize = heaps.iter().map(|heap| usize::from(*heap)).sum();
        let mut rank = self.fewer.get(tokens).copied().unwrap_or(0);
        for &heap in heaps.iter().rev() {
            let smaller = usize::from(heap).saturating_sub(1);
            rank += self.ways.get(tokens).and_then(|row| row.get(smaller)).copied().unwrap_or(0);
            tokens -= usize::from(heap);
        }
        rank
    }

    /// Returns the heaps of a rank, in descending order; `None` if no position has it.
    pub(super) fn heaps(&self, rank: u128) -> Option<Vec<u16>> {
        let mut tokens = self.fewer.partition_point(|fewer| *fewer <= rank).checked_sub(1)?;
        let mut rank = rank - self.fewer[tokens];
        let mut heaps = Vec::new();
        while tokens > 0 {
            // Positions with a smaller largest heap have lower ranks.
            let row = self.ways.get(tokens)?;
            let heap = row.partition_point(|ways| *ways <= rank);
            if heap == row.len() {
                return None;
            }
            rank -= row[heap.checked_sub(1)?];
            tokens = tokens.checked_sub(heap)?;
            heaps.push(u16::try_from(heap).ok()?);
        }
        (rank == 0).then_some(heaps)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    /// All positions of `tokens` tokens, in order of rank.
    fn all(tokens: u16, largest: u16) -> Vec<Vec<u16>> {
        if tokens == 0 {
            return vec![Vec::new()];
        }
        let with = |heap: u16| {
            all(tokens - heap, heap).into_iter().map(move |mut heaps| {
                heaps.push(heap);
                heaps
            })
        };
        (1..=largest.min(tokens)).flat_map(with).collect()
    }

    #[test]
    fn all_positions_are_numbered_in_order() {
        for (tokens, largest) in [(0, 0), (1, 1), (12, 12), (12, 5), (15, 2), (15, 1), (7, 9)] {
            let ranks = Ranks::new(tokens, largest).unwrap();
            let expected: Vec<_> = (0..=tokens as u16).flat_map(|tokens| all(tokens, largest)).collect();
            for (rank, heaps) in (0..).zip(&expected) {
                assert_eq!(ranks.rank(heaps), rank, "{heaps:?} of {tokens}, {largest}");
                let from_largest: Vec<u16> = heaps.iter().rev().copied().collect();
                assert_eq!(ranks.heaps(rank), Some(from_largest), "{rank} of {tokens}, {largest}");
            }
            let count = expected.len() as u128;
            assert!([count, count + 1, 1 << ranks.bits(), u128::MAX].iter().all(|rank| ranks.heaps(*rank).is_none()));
            // At least one bit, and none too many.
            assert!((count.max(2) - 1).ilog2() + 1 == ranks.bits(), "{count} in {} bits", ranks.bits());
        }
    }

    /// The number of partitions of 100 and 200: G. H. Hardy and S. Ramanujan, "Asymptotic
    /// formulae in combinatory analysis", Proceedings of the London Mathematical Society 17 (1918).
    #[test]
    fn published_numbers_of_partitions() {
        let ranks = Ranks::new(201, 201).unwrap();
        assert_eq!(ranks.fewer[101] - ranks.fewer[100], 190_569_292);
        assert_eq!(ranks.fewer[201] - ranks.fewer[200], 3_972_999_029_388);
    }

    #[test]
    fn tables_are_bounded() {
        assert!(Ranks::new(890, 890).is_some_and(|ranks| ranks.bits() <= MAX_KEY_BITS));
        for (tokens, largest) in [(1_000, 1_000), (1_024, 1_024), (1_025, 1), (u32::MAX, u16::MAX)] {
            assert!(Ranks::new(tokens, largest).is_none(), "{tokens}, {largest}");
        }
        let small = Ranks::new(MAX_TOKENS as u32, 3).unwrap();
        assert!(small.bits() < 32);
        let most = Ranks::new(890, 890).unwrap();
        let entries: usize = most.ways.iter().map(Vec::len).sum();
        assert!(entries * size_of::<u128>() <= 8 << 20);
    }
}
