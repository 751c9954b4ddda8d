//! Ranges of plies.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// An inclusive range of plies to the win. As text: `5..9`, `5..` and `5` (at least 5), `..9` (at least
/// [`PlyRange::DEFAULT_MIN`], at most 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyRange {
    /// The lower bound.
    pub min: u32,
    /// The upper bound, if there is one.
    pub max: Option<u32>,
}

impl PlyRange {
    /// The default lower bound: an immediate win is not a puzzle.
    pub const DEFAULT_MIN: u32 = 3;

    /// The range of `min` plies or more.
    #[must_use]
    pub const fn at_least(min: u32) -> Self {
        Self { min, max: None }
    }

    /// Whether the range contains this number of plies.
    #[must_use]
    pub fn contains(&self, plies: u32) -> bool {
        plies >= self.min && self.max.is_none_or(|max| plies <= max)
    }
}

impl Default for PlyRange {
    fn default() -> Self {
        Self::at_least(Self::DEFAULT_MIN)
    }
}

impl fmt::Display for PlyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.max {
            None => write!(f, "{}", self.min),
            Some(max) => write!(f, "{}..{max}", self.min),
        }
    }
}

/// Why a text is not a range of plies.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlyRangeError {
    /// A bound is not a number.
    #[error("found `{0}`, expected a number of plies, or a range such as 5..9, 5.. or ..9")]
    NotANumber(String),
    /// Both bounds are missing.
    #[error("found no number beside `..`, expected a bound: 5..9, 5.. or ..9")]
    MissingBounds,
    /// A bound is 0.
    #[error("found the bound 0, expected 1 or more: a win takes a ply at least")]
    Zero,
    /// The lower bound is greater than the upper one.
    #[error("found {min}..{max}, which holds no number: expected the smaller bound first, {max}..{min}")]
    Reversed {
        /// The lower bound.
        min: u32,
        /// The upper bound.
        max: u32,
    },
    /// There is only an upper bound, and it is below the default lower bound.
    #[error("found ..{0}, but the lower bound is {usual} where none is given: expected 1..{0}", usual = PlyRange::DEFAULT_MIN)]
    BelowDefault(u32),
}

impl FromStr for PlyRange {
    type Err = PlyRangeError;

    fn from_str(text: &str) -> Result<Self, PlyRangeError> {
        let number = |text: &str| match text.parse::<u32>() {
            Ok(0) => Err(PlyRangeError::Zero),
            Ok(plies) => Ok(plies),
            Err(_) => Err(PlyRangeError::NotANumber(text.to_owned())),
        };
        match text.split_once("..") {
            None => Ok(Self::at_least(number(text)?)),
            Some(("", "")) => Err(PlyRangeError::MissingBounds),
            Some((min, "")) => Ok(Self::at_least(number(min)?)),
            Some(("", max)) => match number(max)? {
                max if max < Self::DEFAULT_MIN => Err(PlyRangeError::BelowDefault(max)),
                max => Ok(Self { min: Self::DEFAULT_MIN, max: Some(max) }),
            },
            Some((min, max)) => match (number(min)?, number(max)?) {
                (min, max) if min > max => Err(PlyRangeError::Reversed { min, max }),
                (min, max) => Ok(Self { min, max: Some(max) }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_parse() {
        let read = |text: &str| text.parse::<PlyRange>().map(|plies| (plies.min, plies.max));
        assert_eq!(read("5"), Ok((5, None)));
        assert_eq!(read("5.."), Ok((5, None)));
        assert_eq!(read("..9"), Ok((3, Some(9))));
        assert_eq!(read("5..9"), Ok((5, Some(9))));
        assert_eq!(read("7..7"), Ok((7, Some(7))));
        let plies = "5..9".parse::<PlyRange>().expect("a range");
        assert_eq!([4, 5, 9, 10].map(|n| plies.contains(n)), [false, true, true, false]);
    }

    #[test]
    fn invalid_ranges_are_refused() {
        for (text, error) in [
            ("..", PlyRangeError::MissingBounds),
            ("0", PlyRangeError::Zero),
            ("0..4", PlyRangeError::Zero),
            ("9..5", PlyRangeError::Reversed { min: 9, max: 5 }),
            ("..2", PlyRangeError::BelowDefault(2)),
            ("", PlyRangeError::NotANumber(String::new())),
            ("5-9", PlyRangeError::NotANumber("5-9".to_owned())),
            ("5...9", PlyRangeError::NotANumber(".9".to_owned())),
            ("-1", PlyRangeError::NotANumber("-1".to_owned())),
            ("99999999999", PlyRangeError::NotANumber("99999999999".to_owned())),
        ] {
            assert_eq!(text.parse::<PlyRange>(), Err(error), "{text}");
        }
    }
}
