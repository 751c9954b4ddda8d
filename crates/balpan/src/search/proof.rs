//! Proof numbers, shared by the searches for outcomes and values, misère sums, and nimbers.

use std::ops::RangeInclusive;

use crate::search::parallel::{Worker, deferred_rank};
use crate::value::Turn;

/// Proof and disproof numbers: the least numbers of positions that seem left to search. Those from a table may belong to a
/// test with another threshold, so they are only a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProofNumbers {
    /// The number for a proof.
    pub(crate) proof: u64,
    /// The number for a disproof.
    pub(crate) disproof: u64,
}

impl ProofNumbers {
    /// The infinite limit.
    pub(crate) const ANY: Self = Self { proof: u64::MAX, disproof: u64::MAX };

    /// Returns the initial numbers of a position with this number of moves: a proof may take one move, a disproof takes an
    /// answer to each.
    pub(crate) const fn for_moves(moves: u64) -> Self {
        Self { proof: 1, disproof: if moves == 0 { 1 } else { moves } }
    }

    /// Returns the numbers of a move for the player who makes it, given those of the position after it, or the other way
    /// round: a proof for one player is a disproof for the other.
    pub(crate) const fn to_parent(self, turn: Turn) -> Self {
        match turn {
            Turn::Passes => Self { proof: self.disproof, disproof: self.proof },
            Turn::Kept => self,
        }
    }

    /// Returns whether one of the numbers reaches the limit.
    pub(crate) const fn reaches(self, limits: Self) -> bool {
        self.proof >= limits.proof || self.disproof >= limits.disproof
    }
}

/// A virtual loss: the surcharge on the numbers of a move that another worker is searching, until this worker searches it.
///
/// Source: G. Chaslot et al., "Parallel Monte-Carlo tree search" (2008); for proof numbers, J. Pawlewicz and R. Hayward,
/// "Scalable parallel DFPN search" (2013).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handicap(u8);

impl Handicap {
    /// The virtual losses of helpers where the search stays with a move until another one is better by a quarter.
    pub(crate) const FOR_HELPERS: RangeInclusive<u8> = 4..=19;

    /// Returns the virtual loss of a claim for a worker, which is one of `for_helpers`, in sixteenths, if the worker is a
    /// helper. Helpers differ in it, as otherwise they would follow each other and find the same.
    pub(crate) fn new(worker: Worker<'_>, name: u64, for_helpers: RangeInclusive<u8>) -> Self {
        let (min, max) = for_helpers.into_inner();
        let span = u32::from(max - min) + 1;
        let offset = u32::from(deferred_rank(worker, name)) * span / 256;
        Self(if worker.is_main() { 16 } else { min + offset as u8 })
    }

    /// Returns whether there is one.
    pub(crate) const fn is_set(self) -> bool {
        self.0 > 0
    }

    /// Returns a number with the handicap, in sixteenths.
    #[inline]
    pub(crate) const fn applied_to(self, proof: u64) -> u64 {
        if self.0 == 0 { proof } else { proof.saturating_add((proof.saturating_mul(self.0 as u64)) >> 4) }
    }
}

/// The most-proving move, and the numbers of the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The index of the first move with the least proof number.
    pub(crate) at: usize,
    /// The numbers of the position.
    pub(crate) numbers: ProofNumbers,
    /// The proof number of the second best move.
    second: u64,
    /// The number of the other moves.
    others: u64,
}

impl Choice {
    /// Selects among moves with these proof numbers, for the player who makes them, and these [virtual losses](Handicap).
    /// Returns `None` if there is no move.
    ///
    /// A virtual loss counts for the selection only, and not for the numbers of the position, which all workers read.
    ///
    /// The disproof number is that of the hardest move, plus one for each other move (weak proof-number search). The sum
    /// would count repeatedly what the moves have in common, which is nearly everything if moves can be played in any order.
    #[inline]
    pub(crate) fn select(numbers: impl Iterator<Item = (ProofNumbers, Handicap)>) -> Option<Self> {
        let mut at = None;
        let (mut first, mut second, mut least) = (u64::MAX, u64::MAX, u64::MAX);
        let (mut hardest, mut count) = (0, 0);
        for (n, (ProofNumbers { proof, disproof }, handicap)) in numbers.enumerate() {
            least = least.min(proof);
            let proof = handicap.applied_to(proof);
            if at.is_none() || proof < first {
                (at, first, second) = (Some(n), proof, first);
            } else {
                second = second.min(proof);
            }
            hardest = hardest.max(disproof);
            count += 1;
        }
        let others = count - 1_u64.min(count);
        let numbers = ProofNumbers { proof: least, disproof: hardest.saturating_add(others).min(u64::MAX - 1) };
        Some(Self { at: at?, numbers, second, others })
    }

    /// Returns the limit of the selected move, which was searched `visits` times, given that of the position: the search
    /// stays with it until the second best move is better by a quarter.
    pub(crate) fn child_limits(&self, limits: ProofNumbers, visits: u32) -> ProofNumbers {
        let least = least_after(visits);
        ProofNumbers {
            proof: limits.proof.min(self.second.saturating_add(self.second / 4 + 1)).max(least),
            disproof: match limits.disproof {
                u64::MAX => u64::MAX,
                limit => (limit - self.others).max(least),
            },
        }
    }
}

/// Returns the least limit of a move that was searched `visits` times, which doubles after every eight. As long as the table
/// holds the results, the limit is higher anyway; if entries are replaced, this is why a search ends.
#[inline]
pub(crate) fn least_after(visits: u32) -> u64 {
    const PATIENCE: u32 = 8;
    1_u64.checked_shl(visits / PATIENCE).unwrap_or(u64::MAX)
}

/// Packs a number of 1 or more into a few bits, rounded down: exact below `2^(exact_bits + 1)`, above
/// to within 1 in `2^exact_bits`.
pub(crate) const fn code(number: u64, exact_bits: u32) -> u64 {
    let shift = number.ilog2().saturating_sub(exact_bits);
    ((shift as u64) << exact_bits) + (number >> shift)
}

/// Returns the number of a [`code`].
pub(crate) const fn number(code: u64, exact_bits: u32) -> u64 {
    let shift = (code >> exact_bits).saturating_sub(1);
    (code - (shift << exact_bits)) << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_are_exact_or_rounded_down() {
        for exact_bits in [5, 6] {
            let round = (0..64).flat_map(|bit| [1_u64 << bit, (1 << bit) + 1, u64::MAX >> bit]);
            for n in (1..100_000).chain(round) {
                let stored = number(code(n, exact_bits), exact_bits);
                assert!(code(n, exact_bits) > 0 && code(n, exact_bits) >> (exact_bits + 6) == 0, "{n}");
                assert!(stored <= n && n - stored <= n >> exact_bits, "{n} is stored as {stored}");
                assert!(n >> (exact_bits + 1) > 0 || stored == n, "{n} is stored as {stored}");
            }
        }
    }

    #[test]
    fn the_first_least_proof_number_is_selected() {
        assert!(Choice::select([].into_iter()).is_none());
        let numbers = [(5, 1), (2, 9), (2, 3), (4, 4)].map(|(proof, disproof)| ProofNumbers { proof, disproof });
        let choice = Choice::select(numbers.map(|numbers| (numbers, Handicap::default())).into_iter()).unwrap();
        assert_eq!((choice.at, choice.numbers), (1, ProofNumbers { proof: 2, disproof: 12 }));
        assert_eq!(choice.child_limits(ProofNumbers::ANY, 0), ProofNumbers { proof: 3, disproof: u64::MAX });
        assert_eq!(
            choice.child_limits(ProofNumbers { proof: 9, disproof: 20 }, 40),
            ProofNumbers { proof: 32, disproof: 32 }
        );
    }

    #[test]
    fn virtual_losses_delay_claimed_moves() {
        let chosen = |numbers: [(u64, bool); 3]| {
            let numbers = numbers.map(|(proof, is_claimed)| {
                (ProofNumbers { proof, disproof: 1 }, Handicap(if is_claimed { 16 } else { 0 }))
            });
            Choice::select(numbers.into_iter()).map(|choice| (choice.at, choice.second, choice.numbers.proof))
        };
        assert_eq!(chosen([(2, true), (3, false), (9, false)]), Some((1, 4, 2)));
        // Not where all else takes more than twice as much, or other threads are there as well.
        assert_eq!(chosen([(2, true), (5, false), (9, false)]), Some((0, 5, 2)));
        assert_eq!(chosen([(2, true), (3, true), (9, false)]), Some((0, 6, 2)));
    }
}
