//! The range of plies that is asked for.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The plies to the win, both bounds among them. As text: `5..9`, `5..` and `5` (at least
/// 5), `..9` (at least [`Plies::USUAL`], at most 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plies {
    /// The fewest.
    pub least: u32,
    /// The most; `None` for no bound.
    pub most: Option<u32>,
}

impl Plies {
    /// A win at once is no puzzle, so that no fewer plies are asked for by themselves.
    pub const USUAL: u32 = 3;

    /// `least` plies, or more.
    #[must_use]
    pub const fn at_least(least: u32) -> Self {
        Self { least, most: None }
    }

    /// Whether a win takes as long as is asked for.
    #[must_use]
    pub fn holds(&self, plies: u32) -> bool {
        plies >= self.least && self.most.is_none_or(|most| plies <= most)
    }
}

impl Default for Plies {
    fn default() -> Self {
        Self::at_least(Self::USUAL)
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.most {
            None => write!(f, "{}", self.least),
            Some(most) => write!(f, "{}..{most}", self.least),
        }
    }
}

/// What is wrong with the text of a range of plies.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PliesError {
    /// A bound is not a number.
    #[error("found `{0}`, expected a number of plies, or a range such as 5..9, 5.. or ..9")]
    NoNumber(String),
    /// There is neither bound.
    #[error("found no number beside `..`, expected a bound: 5..9, 5.. or ..9")]
    NoBound,
    /// A bound is 0.
    #[error("found the bound 0, expected 1 or more: a win takes a ply at least")]
    Zero,
    /// The bounds are the wrong way round.
    #[error("found {least}..{most}, which holds no number: expected the smaller bound first, {most}..{least}")]
    Reversed {
        /// The first bound.
        least: u32,
        /// The second one.
        most: u32,
    },
    /// Only an upper bound, below the usual lower one.
    #[error("found ..{0}, but the lower bound is {usual} where none is given: expected 1..{0}", usual = Plies::USUAL)]
    BelowUsual(u32),
}

impl FromStr for Plies {
    type Err = PliesError;

    fn from_str(text: &str) -> Result<Self, PliesError> {
        let number = |text: &str| match text.parse::<u32>() {
            Ok(0) => Err(PliesError::Zero),
            Ok(plies) => Ok(plies),
            Err(_) => Err(PliesError::NoNumber(text.to_owned())),
        };
        match text.split_once("..") {
            None => Ok(Self::at_least(number(text)?)),
            Some(("", "")) => Err(PliesError::NoBound),
            Some((least, "")) => Ok(Self::at_least(number(least)?)),
            Some(("", most)) => match number(most)? {
                most if most < Self::USUAL => Err(PliesError::BelowUsual(most)),
                most => Ok(Self { least: Self::USUAL, most: Some(most) }),
            },
            Some((least, most)) => match (number(least)?, number(most)?) {
                (least, most) if least > most => Err(PliesError::Reversed { least, most }),
                (least, most) => Ok(Self { least, most: Some(most) }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read() {
        let read = |text: &str| text.parse::<Plies>().map(|plies| (plies.least, plies.most));
        assert_eq!(read("5"), Ok((5, None)));
        assert_eq!(read("5.."), Ok((5, None)));
        assert_eq!(read("..9"), Ok((3, Some(9))));
        assert_eq!(read("5..9"), Ok((5, Some(9))));
        assert_eq!(read("7..7"), Ok((7, Some(7))));
        let plies = "5..9".parse::<Plies>().expect("a range");
        assert_eq!([4, 5, 9, 10].map(|n| plies.holds(n)), [false, true, true, false]);
    }

    #[test]
    fn mistakes_are_told() {
        for (text, mistake) in [
            ("..", PliesError::NoBound),
            ("0", PliesError::Zero),
            ("0..4", PliesError::Zero),
            ("9..5", PliesError::Reversed { least: 9, most: 5 }),
            ("..2", PliesError::BelowUsual(2)),
            ("", PliesError::NoNumber(String::new())),
            ("5-9", PliesError::NoNumber("5-9".to_owned())),
            ("5...9", PliesError::NoNumber(".9".to_owned())),
            ("-1", PliesError::NoNumber("-1".to_owned())),
            ("99999999999", PliesError::NoNumber("99999999999".to_owned())),
        ] {
            assert_eq!(text.parse::<Plies>(), Err(mistake), "{text}");
        }
    }
}
