//! The keys `take` and `split` of rules files: the moves on one heap in words.

use std::fmt;
use std::ops::Range;

/// The numbers of tokens that a move may take from a heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Take {
    /// None: moves only split heaps.
    None,
    /// Any number from 1 on.
    Any,
    /// These numbers, in ascending order.
    Set(Vec<u64>),
    /// The powers of a number of 2 or more: 1, that number, its square and so on.
    Powers(u64),
    /// The squares 1, 4, 9 and so on.
    Squares,
    /// Fewer than half of the heap's tokens.
    LessThanHalf,
    /// At most half of the heap's tokens.
    AtMostHalf,
    /// A divisor of the heap's size that is smaller than the size.
    Divisors,
    /// An even number smaller than the heap's size, or all tokens of a heap of odd size.
    EvenOrAllIfOdd,
    /// Any number, from one heap or the same number from each of two: Wythoff's Nim. It goes with no split.
    Wythoff,
}

/// Whether and how a move may split a heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Not at all.
    #[default]
    No,
    /// After taking, the rest may be split into two heaps, as in Kayles.
    Any,
    /// Instead of taking, a heap may be split into two, as in Lasker's Nim.
    Two,
    /// Instead of taking, a heap may be split into two of different sizes, as in Grundy's game.
    Unequal,
}

/// Maximum number of tokens in a list of numbers to take.
pub(crate) const MAX_TAKEN: u64 = 1_000_000;

const WORDS: [(&str, Take); 8] = [
    ("none", Take::None),
    ("any", Take::Any),
    ("squares", Take::Squares),
    ("less than half", Take::LessThanHalf),
    ("at most half", Take::AtMostHalf),
    ("divisors", Take::Divisors),
    ("even, or all if odd", Take::EvenOrAllIfOdd),
    ("wythoff", Take::Wythoff),
];

impl Take {
    /// Parses the value of `take`: words such as `any` and `powers of 4`, or numbers and ranges such as `1, 3-5`.
    ///
    /// # Errors
    /// The place of what is neither.
    pub fn parse(text: &str) -> Result<Self, Range<usize>> {
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if let Some((_, take)) = WORDS.into_iter().find(|(word, _)| *word == plain) {
            return Ok(take);
        }
        if let Some(base) = plain.strip_prefix("powers of ") {
            let base = base.parse().ok().filter(|base| *base >= 2);
            let from = text.trim_end().rfind(char::is_whitespace).map_or(0, |at| at + 1);
            return base.map(Self::Powers).ok_or(from..text.trim_end().len());
        }
        let is_between = |c: char| c == ',' || c == '[' || c == ']' || c.is_whitespace();
        let (mut numbers, mut at) = (Vec::new(), 0);
        for piece in text.split_inclusive(is_between) {
            let word = piece.trim_end_matches(is_between);
            let span = at..at + word.len();
            at += piece.len();
            if word.is_empty() {
                continue;
            }
            let number = |word: &str| word.parse().ok().filter(|taken| (1..=MAX_TAKEN).contains(taken));
            let (low, high) = word.split_once('-').unwrap_or((word, word));
            match number(low).zip(number(high)) {
                Some((low, high)) if low <= high => numbers.extend(low..=high),
                _ => return Err(span),
            }
            if numbers.len() as u64 > 2 * MAX_TAKEN {
                return Err(0..text.len());
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.is_empty() { Err(0..text.len()) } else { Ok(Self::Set(numbers)) }
    }

    /// Returns the smallest number above `taken` that may be taken from a heap of this size.
    pub(super) fn next(&self, heap: u64, taken: u64) -> Option<u64> {
        let next = match self {
            Self::None => return None,
            Self::Any | Self::Wythoff => taken + 1,
            Self::Set(numbers) => *numbers.get(numbers.partition_point(|number| *number <= taken))?,
            Self::Powers(base) => {
                std::iter::successors(Some(1), |power: &u64| power.checked_mul(*base)).find(|power| *power > taken)?
            }
            Self::Squares => (taken.isqrt() + 1).checked_mul(taken.isqrt() + 1)?,
            Self::LessThanHalf => Some(taken + 1).filter(|next| *next <= heap.saturating_sub(1) / 2)?,
            Self::AtMostHalf => Some(taken + 1).filter(|next| *next <= heap / 2)?,
            Self::EvenOrAllIfOdd => {
                let even = Some(taken / 2 * 2 + 2).filter(|even| *even < heap);
                even.or((heap % 2 == 1 && taken < heap).then_some(heap))?
            }
            Self::Divisors => (taken + 1..=heap / 2).find(|next| heap.is_multiple_of(*next))?,
        };
        (next <= heap).then_some(next)
    }
}

/// Formats as the value in a rules file; runs of numbers as ranges.
impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(numbers) => {
                for (n, run) in numbers.chunk_by(|a, b| a + 1 == *b).enumerate() {
                    let (low, high) = (run[0], run[run.len() - 1]);
                    f.write_str(if n > 0 { "," } else { "" })?;
                    if low == high { write!(f, "{low}")? } else { write!(f, "{low}-{high}")? }
                }
                Ok(())
            }
            Self::Powers(base) => write!(f, "powers of {base}"),
            other => f.write_str(WORDS.iter().find(|(_, take)| take == other).map_or("", |(word, _)| word)),
        }
    }
}

impl Split {
    /// The values of the key.
    pub const NAMES: &[&str] = &["no", "any", "two", "unequal"];

    /// Parses the value of `split`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let all = [Self::No, Self::Any, Self::Two, Self::Unequal];
        all.into_iter().find(|split| split.name() == text)
    }

    /// Returns the value of the key.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}
