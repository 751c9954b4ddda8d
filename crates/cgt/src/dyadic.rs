//! Dyadic rationals, the short games that are numbers.

use std::fmt;
use std::ops::{Add, Neg};

/// A dyadic rational in lowest terms: its denominator is a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dyadic {
    numerator: i64,
    /// The denominator is 2^`exponent`.
    exponent: u32,
}

impl Dyadic {
    /// Zero.
    pub const ZERO: Self = Self::integer(0);

    /// Creates an integer.
    #[must_use]
    pub const fn integer(n: i64) -> Self {
        Self { numerator: n, exponent: 0 }
    }

    /// Creates `numerator / 2^exponent`.
    #[must_use]
    pub const fn new(numerator: i64, exponent: u32) -> Self {
        let common = match numerator {
            0 => exponent,
            _ if numerator.trailing_zeros() < exponent => numerator.trailing_zeros(),
            _ => exponent,
        };
        Self { numerator: numerator >> common, exponent: exponent - common }
    }

    /// Returns the left and the right option of the canonical form.
    #[must_use]
    pub const fn options(self) -> [Option<Self>; 2] {
        let Self { numerator, exponent } = self;
        if exponent > 0 {
            return [Some(Self::new(numerator - 1, exponent)), Some(Self::new(numerator + 1, exponent))];
        }
        match numerator {
            0 => [None, None],
            1.. => [Some(Self::integer(numerator - 1)), None],
            _ => [None, Some(Self::integer(numerator + 1))],
        }
    }

    /// Returns the simplest number, that of the earliest birthday, strictly between `above` and `below`.
    /// An absent bound is no bound. Returns `None` if there is no such number.
    #[must_use]
    pub fn simplest_between(above: Option<Self>, below: Option<Self>) -> Option<Self> {
        let fits = |number: Self| above.is_none_or(|above| above < number) && below.is_none_or(|below| number < below);
        if fits(Self::ZERO) {
            return Some(Self::ZERO);
        }
        if let (Some(above), Some(below)) = (above, below)
            && above >= below
        {
            return None;
        }
        // The integer nearest to zero, then ever finer fractions.
        for exponent in 0..=above.map_or(0, |n| n.exponent).max(below.map_or(0, |n| n.exponent)) + 1 {
            let number = match (above, below) {
                (Some(above), _) if above >= Self::ZERO => Self::new(above.floor_in(exponent) + 1, exponent),
                (_, Some(below)) => Self::new(-((-below).floor_in(exponent) + 1), exponent),
                _ => Self::ZERO,
            };
            if fits(number) {
                return Some(number);
            }
        }
        None
    }

    /// Returns the numerator, and the exponent of two of the denominator.
    pub(super) const fn fraction(self) -> (i64, u32) {
        (self.numerator, self.exponent)
    }

    /// Returns -1, 0 or 1.
    pub(super) const fn sign(self) -> i64 {
        self.numerator.signum()
    }

    /// Returns whether a store accepts the number: below 2^30 in size and no finer than 1/2^30. Sums and means
    /// of such numbers do not overflow.
    pub(super) const fn is_storable(self) -> bool {
        self.exponent <= 30 && self.numerator.unsigned_abs() >> self.exponent < 1 << 30
    }

    /// Returns whether the number is no finer than 1/2^31, as results of additions and halvings have to be.
    pub(super) const fn is_representable(self) -> bool {
        self.exponent <= 31
    }

    /// Returns the integer that the number equals, if it is one.
    #[must_use]
    pub const fn as_integer(self) -> Option<i64> {
        if self.exponent == 0 { Some(self.numerator) } else { None }
    }

    /// Returns the nearest floating-point number.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / (1_u64 << self.exponent.min(63)) as f64
    }

    /// Returns the birthday.
    pub(super) const fn birthday(self) -> u64 {
        let whole = self.numerator.unsigned_abs() >> self.exponent;
        if self.exponent == 0 { whole } else { whole + 1 + self.exponent as u64 }
    }

    /// Returns the greatest integer that is at most the number.
    pub(super) const fn floor(self) -> i64 {
        self.floor_in(0)
    }

    /// Returns half of the number.
    #[must_use]
    pub const fn half(self) -> Self {
        Self::new(self.numerator, self.exponent + 1)
    }

    /// Returns the number in units of 1/2^`exponent`, rounded down.
    const fn floor_in(self, exponent: u32) -> i64 {
        if exponent >= self.exponent {
            self.numerator << (exponent - self.exponent)
        } else {
            self.numerator >> (self.exponent - exponent)
        }
    }

    /// Returns both numerators over the common denominator, and its exponent of two.
    fn with_common_denominator(self, other: Self) -> (i64, i64, u32) {
        let exponent = self.exponent.max(other.exponent);
        (self.floor_in(exponent), other.floor_in(exponent), exponent)
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (a, b, _) = self.with_common_denominator(*other);
        a.cmp(&b)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for Dyadic {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (a, b, exponent) = self.with_common_denominator(other);
        Self::new(a + b, exponent)
    }
}

impl Neg for Dyadic {
    type Output = Self;

    fn neg(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }
}

/// `-3`, `3/4`.
impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => write!(f, "{}", self.numerator),
            exponent => write!(f, "{}/{}", self.numerator, 1_u128 << exponent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simplest_number_lies_between() {
        let between = |a: Option<(i64, u32)>, b: Option<(i64, u32)>| {
            let number = |n: Option<(i64, u32)>| n.map(|(n, exponent)| Dyadic::new(n, exponent));
            Dyadic::simplest_between(number(a), number(b)).map(|n| n.to_string())
        };
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(between(None, None), is("0"));
        assert_eq!(between(Some((2, 0)), None), is("3"));
        assert_eq!(between(None, Some((-5, 1))), is("-3"));
        assert_eq!(between(Some((0, 0)), Some((1, 0))), is("1/2"));
        assert_eq!(between(Some((1, 2)), Some((1, 0))), is("1/2"));
        assert_eq!(between(Some((1, 1)), Some((1, 0))), is("3/4"));
        assert_eq!(between(Some((-1, 0)), Some((-1, 1))), is("-3/4"));
        assert_eq!(between(Some((5, 2)), Some((100, 0))), is("2"));
        assert_eq!(between(Some((1, 0)), Some((1, 0))), None);
        assert_eq!(between(Some((1, 0)), Some((-1, 0))), None);
    }

    #[test]
    fn numbers_lie_between_their_options() {
        for numerator in -40..=40 {
            for exponent in 0..5 {
                let number = Dyadic::new(numerator, exponent);
                let [left, right] = number.options();
                assert_eq!(Dyadic::simplest_between(left, right), Some(number));
                assert_eq!(number + -number, Dyadic::ZERO);
            }
        }
    }
}
