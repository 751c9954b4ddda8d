//! The state of a test for a nimber, and the options that a test of a part leaves open.

use std::hash::{Hash, Hasher};
use std::ops::{Range, RangeInclusive};

use rustc_hash::FxHasher;

use crate::search::proof::{self, Handicap};

/// Proof and disproof numbers of a test: the least numbers of tests that seem left to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TestNumbers {
    /// To show that the nimber is the target.
    pub(super) proof: u32,
    /// To show that it is not.
    pub(super) disproof: u32,
}

/// The state of a test whether a part has a nimber, its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestState {
    /// The nimber is the target.
    Proved,
    /// The nimber is not the target.
    Disproved,
    Open(TestNumbers),
}

impl TestNumbers {
    /// Infinite limits.
    pub(super) const ANY: Self = Self { proof: u32::MAX, disproof: u32::MAX };

    /// Returns the initial numbers of a part with this number of moves. An option with the target nimber is a
    /// disproof, and takes some search to find among many; a proof has to refute every option.
    pub(super) fn for_moves(moves: usize) -> Self {
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        Self { proof: moves, disproof: moves.isqrt() }
    }

    /// Returns whether one of the numbers reaches the limit.
    pub(super) const fn reaches(self, limits: Self) -> bool {
        self.proof >= limits.proof || self.disproof >= limits.disproof
    }
}

impl TestState {
    /// The bits of [`pack`](Self::pack).
    pub(super) const BITS: u32 = 2 * NUMBER_BITS;

    /// Packs two numbers of 1 or more; a first number of 0 marks an answer.
    pub(super) fn pack(self) -> u64 {
        match self {
            Self::Disproved => 0,
            Self::Proved => 1,
            Self::Open(TestNumbers { proof, disproof }) => code(proof.into()) << NUMBER_BITS | code(disproof.into()),
        }
    }

    pub(super) fn unpack(packed: u64) -> Self {
        let (first, second) = (packed >> NUMBER_BITS, packed & ((1 << NUMBER_BITS) - 1));
        match (first, second) {
            (0, 0) => Self::Disproved,
            (0, _) => Self::Proved,
            _ => Self::Open(TestNumbers { proof: number(first) as u32, disproof: number(second) as u32 }),
        }
    }
}

/// The bits of a packed number.
const NUMBER_BITS: u32 = 10;
/// The precision of packed numbers, see [`proof::code`].
const EXACT_BITS: u32 = 5;
/// The largest packed number; larger ones are packed as this one.
const MAX_NUMBER: u64 = 1 << 30;

const fn code(number: u64) -> u64 {
    let number = if number == 0 { 1 } else { number };
    proof::code(if number > MAX_NUMBER { MAX_NUMBER } else { number }, EXACT_BITS)
}

const fn number(code: u64) -> u64 {
    proof::number(code, EXACT_BITS)
}

/// The search stays with an option until the second best one is better by one part in this number.
pub(super) const SLACK_DIVISOR: u32 = 10;

/// The [virtual losses](Handicap) of helpers, as small as the slack: helpers that are sent to worse options search what is
/// not needed. Simulated on five boards of 3x17 to 5x7, 16 workers are 10% faster with these than with
/// [`Handicap::FOR_HELPERS`], by the geometric mean.
pub(super) const HELPER_HANDICAPS: RangeInclusive<u8> = 2..=5;

/// The divisor of the numbers of all options but the hardest: options share most of their work.
const SHARED_WORK_DIVISOR: u32 = 8;

/// An option of a part whose test is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenOption {
    /// The index of the option's first part of unknown nimber, among those of all options; the smallest part comes
    /// last.
    pub(super) first: u32,
    pub(super) parts: u16,
    pub(super) visits: u16,
    /// The nimber that the sum of these parts is tested for.
    pub(super) target: u32,
    pub(super) numbers: TestNumbers,
    pub(super) handicap: Handicap,
}

impl OpenOption {
    pub(super) fn new(first: usize, parts: usize, target: u32) -> Self {
        Self {
            first: first as u32,
            parts: parts as u16,
            visits: 0,
            target,
            numbers: TestNumbers::ANY,
            handicap: Handicap::default(),
        }
    }

    /// Returns the range of the option's parts.
    #[inline]
    pub(super) fn range(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.parts)
    }
}

/// A lossy hash table of a few hundred options that finds duplicates. A missed duplicate only costs time. Each slot
/// holds the first part of an option, the number of its parts, and the target.
pub(super) struct DuplicateFilter([(u16, u16, u32); 256]);

impl Default for DuplicateFilter {
    fn default() -> Self {
        Self([(0, 0, 0); 256])
    }
}

impl DuplicateFilter {
    /// Returns whether no earlier option has the parts from `begin` on and the same target. Inserts the option.
    #[inline]
    pub(super) fn is_new(&mut self, parts: &[impl Hash + PartialEq], begin: usize, target: u32) -> bool {
        let (own, Ok(count), Ok(begin)) = (&parts[begin..], u16::try_from(parts.len() - begin), u16::try_from(begin))
        else {
            return true;
        };
        let mut hasher = FxHasher::default();
        own.hash(&mut hasher);
        let hash = (hasher.finish() >> 20) as usize;
        for probe in 0..8 {
            let slot = &mut self.0[hash.wrapping_add(probe) % 256];
            let (other, others) = (usize::from(slot.0), usize::from(slot.1));
            if others == 0 {
                *slot = (begin, count, target);
                return true;
            }
            if slot.2 == target && parts[other..other + others] == *own {
                return false;
            }
        }
        true
    }
}

/// The most-proving option, and the numbers from which those of the part follow.
pub(super) struct OptionChoice {
    /// The index of the option with the least proof number, virtual losses included.
    pub(super) at: usize,
    /// The proof number of the second best option.
    pub(super) second: u32,
    /// The least proof number, without virtual losses.
    pub(super) least: u32,
    /// The largest disproof number.
    pub(super) hardest: u32,
    /// The surcharge for the other options: their number, and a share of their disproof numbers.
    pub(super) others: u32,
}

impl OptionChoice {
    /// Selects the first of the options with the least proof number; `None` if there is none.
    #[inline]
    pub(super) fn select(options: &[OpenOption]) -> Option<Self> {
        let (mut at, mut first, mut second, mut least) = (0, u32::MAX, u32::MAX, u32::MAX);
        let (mut hardest, mut sum) = (0, 0_u32);
        for (n, OpenOption { numbers, handicap, .. }) in options.iter().enumerate() {
            least = least.min(numbers.proof);
            let proof = handicap.applied_to(numbers.proof.into()).min(u32::MAX.into()) as u32;
            if proof < first {
                (at, first, second) = (n, proof, first);
            } else {
                second = second.min(proof);
            }
            hardest = hardest.max(numbers.disproof);
            sum = sum.saturating_add(numbers.disproof);
        }
        let others = (options.len() as u32).saturating_sub(1) + (sum - hardest) / SHARED_WORK_DIVISOR;
        (!options.is_empty()).then_some(Self { at, second, least, hardest, others })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_are_clamped() {
        assert_eq!([code(0), code(u64::MAX)].map(number), [1, 1 << 30]);
        assert!(code(u64::MAX) >> NUMBER_BITS == 0);
    }

    #[test]
    fn states_are_packed_and_unpacked() {
        for state in [TestState::Proved, TestState::Disproved, TestState::Open(TestNumbers { proof: 1, disproof: 63 })]
        {
            assert_eq!(TestState::unpack(state.pack()), state);
        }
    }
}
