//! What is known of a question about a nimber, and what an answer may take.

/// How many questions at least are left to answer, it seems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// To show that the nimber is the one asked about.
    pub(super) yes: u32,
    /// To show that it is another.
    pub(super) no: u32,
}

/// What is known of whether a nimber is the one asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
    Left(Effort),
}

impl Effort {
    /// No effort is too much.
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

/// A number of 1 or more in so many bits, rounded down: exact below 64, to within 1 in
/// 32 above, and at most 2^30.
const NUMBER_BITS: u32 = 10;
const EXACT_BITS: u32 = 5;

const fn code(number: u64) -> u64 {
    const MOST: u64 = 1 << 30;
    let number = if number == 0 {
        1
    } else if number > MOST {
        MOST
    } else {
        number
    };
    let shift = number.ilog2().saturating_sub(EXACT_BITS);
    ((shift as u64) << EXACT_BITS) + (number >> shift)
}

const fn number(code: u64) -> u64 {
    let shift = (code >> EXACT_BITS).saturating_sub(1);
    (code - (shift << EXACT_BITS)) << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_or_rounded_down_a_little() {
        let round = (0..=30).flat_map(|bit| [1_u64 << bit, (1 << bit) + 1, (1 << bit) - 1]);
        for n in (1..100_000).chain(round).filter(|n| (1..=1 << 30).contains(n)) {
            let kept = number(code(n));
            assert!(code(n) > 0 && code(n) >> NUMBER_BITS == 0, "{n}");
            assert!(kept <= n && n - kept <= n / 32 && (n >= 64 || kept == n), "{n} is kept as {kept}");
        }
        assert_eq!([code(0), code(u64::MAX)].map(number), [1, 1 << 30]);
    }

    #[test]
    fn what_is_known_is_kept() {
        for known in [Known::Yes, Known::No, Known::Left(Effort { yes: 1, no: 63 })] {
            assert_eq!(Known::unpacked(known.packed()), known);
        }
    }
}
