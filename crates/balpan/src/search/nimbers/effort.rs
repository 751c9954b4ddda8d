//! The state of a test for a nimber, and its proof numbers.

use crate::search::proof;

/// The least numbers of tests that seem left to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// To show that the nimber is the one asked about.
    pub(super) yes: u32,
    /// To show that it is another.
    pub(super) no: u32,
}

/// The state of the test whether a part has a nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
    Left(Effort),
}

impl Effort {
    /// The infinite limit.
    pub(super) const ANY: Self = Self { yes: u32::MAX, no: u32::MAX };

    /// What it seems to take if nothing is known but how many moves there are. An
    /// option of the nimber asked about says no; it takes something to find among
    /// many. For a yes, each has to be answered.
    pub(super) fn fresh(moves: usize) -> Self {
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        Self { yes: moves, no: moves.isqrt() }
    }
}

impl Known {
    /// Bits of [`packed`](Self::packed).
    pub(super) const BITS: u32 = 2 * NUMBER_BITS;

    /// Two numbers of 1 or more; without the first one an answer.
    pub(super) fn packed(self) -> u64 {
        match self {
            Self::No => 0,
            Self::Yes => 1,
            Self::Left(Effort { yes, no }) => code(yes.into()) << NUMBER_BITS | code(no.into()),
        }
    }

    pub(super) fn unpacked(packed: u64) -> Self {
        let (first, second) = (packed >> NUMBER_BITS, packed & ((1 << NUMBER_BITS) - 1));
        match (first, second) {
            (0, 0) => Self::No,
            (0, _) => Self::Yes,
            _ => Self::Left(Effort { yes: number(first) as u32, no: number(second) as u32 }),
        }
    }
}

/// The number of bits of a number that is kept in `code`; larger ones than that has room for
/// are kept as the largest.
const NUMBER_BITS: u32 = 10;
const EXACT_BITS: u32 = 5;
const MOST: u64 = 1 << 30;

const fn code(number: u64) -> u64 {
    let number = if number == 0 { 1 } else { number };
    proof::code(if number > MOST { MOST } else { number }, EXACT_BITS)
}

const fn number(code: u64) -> u64 {
    proof::number(code, EXACT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit() {
        assert_eq!([code(0), code(u64::MAX)].map(number), [1, 1 << 30]);
        assert!(code(u64::MAX) >> NUMBER_BITS == 0);
    }

    #[test]
    fn what_is_known_is_kept() {
        for known in [Known::Yes, Known::No, Known::Left(Effort { yes: 1, no: 63 })] {
            assert_eq!(Known::unpacked(known.packed()), known);
        }
    }
}
