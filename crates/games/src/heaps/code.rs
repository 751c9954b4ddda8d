//! Codes: the moves on one heap.

use std::fmt;

use balpan::Tame;

use super::large::HeapValue;
use super::take::{Split, Take};

/// The number of tokens that may be taken from a heap, and the heaps that may be left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Any number of tokens, as in Nim.
    Nim,
    /// The digits of an octal or hexadecimal code, the one before the point first. The digit for `n` tokens
    /// is a sum: 1 if they may be a whole heap, 2 if one heap may be left, 4 if two may be, 8 if three may be.
    /// The digit before the point, for moves that take nothing, is 0, 4, 8 or 12.
    ///
    /// Source: R. K. Guy and C. A. B. Smith, "The G-values of various games", Proceedings
    /// of the Cambridge Philosophical Society 52 (1956).
    Digits(Vec<u8>),
    /// The keys `take` and `split` of a rules file.
    Rule(Take, Split),
}

/// Bits of a code's digits: what a move may leave.
pub(super) const NOTHING: u8 = 1;
pub(super) const ONE: u8 = 2;
pub(super) const TWO: u8 = 4;
pub(super) const THREE: u8 = 8;
/// Two heaps of different sizes; no code has this digit.
pub(super) const UNEQUAL: u8 = 16;

/// Maximum number of digits of a code.
pub(super) const MAX_DIGITS: usize = 256;

/// Maximum number of options enumerated for a table of nimbers: some seconds.
pub(super) const MAX_OPTIONS: u64 = 3 << 30;

/// Maximum number of options enumerated for a table of tame genera, which are only a help: half a second.
pub(super) const MAX_MISERE_OPTIONS: u64 = 1 << 27;

/// Maximum heap where heaps are no independent parts, and a search looks at all positions.
const MAX_JOINT_HEAP: u16 = 64;

/// Maximum heap of a table.
const MAX_TABLE: u64 = 1 << 23;

/// Formats as `nim`, `0.77` or `take 1,3 split two`.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nim => f.write_str("nim"),
            Self::Digits(digits) => {
                let (first, others) = digits.split_first().unwrap_or((&0, &[]));
                write!(f, "{first:X}.")?;
                others.iter().try_for_each(|digit| write!(f, "{digit:X}"))
            }
            Self::Rule(take, split) => {
                write!(f, "take {take}")?;
                if *split == Split::No { Ok(()) } else { write!(f, " split {}", split.name()) }
            }
        }
    }
}

impl Code {
    /// Parses `nim`, or an octal or hexadecimal code such as `0.77` or `0.3F`; `None` if the text is neither.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == "nim" {
            return Some(Self::Nim);
        }
        let (first, others) = text.split_once('.')?;
        let first = match first {
            "" | "0" => 0,
            "4" => TWO,
            "8" => THREE,
            "C" | "c" => TWO | THREE,
            _ => return None,
        };
        let digit = |digit: char| digit.to_digit(16).map(|digit| digit as u8);
        let digits: Vec<u8> = std::iter::once(Some(first)).chain(others.chars().map(digit)).collect::<Option<_>>()?;
        (digits.len() <= MAX_DIGITS).then_some(Self::Digits(digits))
    }

    /// Returns the code of the keys `take` and `split`.
    #[must_use]
    pub fn from_rule(take: Take, split: Split) -> Self {
        if (&take, split) == (&Take::Any, Split::No) { Self::Nim } else { Self::Rule(take, split) }
    }

    /// Lists the numbers of tokens that may be taken from a heap of this size, 0 among them where a move may only
    /// split, with the digit for each.
    pub(super) fn takes(&self, heap: u64) -> impl Iterator<Item = (u64, u8)> {
        let digit = move |taken: u64| match self {
            Self::Nim | Self::Rule(_, Split::No) => NOTHING | ONE,
            Self::Digits(digits) => digits.get(taken as usize).copied().unwrap_or(0),
            // Where nothing is taken, the rest is the heap.
            Self::Rule(Take::None, Split::Any) | Self::Rule(_, Split::Two) if taken == 0 => TWO,
            Self::Rule(_, Split::Unequal) if taken == 0 => UNEQUAL,
            Self::Rule(_, Split::Any) => NOTHING | ONE | TWO,
            Self::Rule(..) => NOTHING | ONE,
        };
        let next = move |taken: u64| match self {
            Self::Nim => Take::Any.next(heap, taken),
            Self::Digits(digits) => Some(taken + 1).filter(|next| *next <= heap && *next < digits.len() as u64),
            Self::Rule(take, _) => take.next(heap, taken),
        };
        let first = if self.only_splits() { Some(0) } else { next(0) };
        std::iter::successors(first, move |taken| next(*taken)).map(move |taken| (taken, digit(taken)))
    }

    /// Whether a move may take nothing.
    fn only_splits(&self) -> bool {
        match self {
            Self::Nim => false,
            Self::Digits(digits) => digits.first().is_some_and(|digit| *digit != 0),
            Self::Rule(take, split) => {
                matches!(split, Split::Two | Split::Unequal) || (take, *split) == (&Take::None, Split::Any)
            }
        }
    }

    /// Whether the numbers of tokens that may be taken are the same for all heaps that have them.
    const fn takes_alike(&self) -> bool {
        !matches!(self, Self::Rule(Take::LessThanHalf | Take::AtMostHalf | Take::EvenOrAllIfOdd | Take::Divisors, _))
    }

    /// Calls `found` with the options of the heaps of 1 to `largest` tokens, one heap after the other, and then `done`.
    fn for_each_heap<S>(
        &self,
        largest: u64,
        state: &mut S,
        mut found: impl FnMut(&mut S, u64, [u64; 3]),
        mut done: impl FnMut(&mut S, u64),
    ) {
        let all: Vec<_> = if self.takes_alike() { self.takes(largest).collect() } else { Vec::new() };
        for heap in 1..=largest {
            let mut leave = |(taken, digit)| {
                options_leaving(heap - taken, digit, u64::MAX).for_each(|left| found(state, heap, left))
            };
            if self.takes_alike() {
                all.iter().take_while(|(taken, _)| *taken <= heap).copied().for_each(&mut leave);
            } else {
                self.takes(heap).for_each(&mut leave);
            }
            done(state, heap);
        }
    }

    /// The options of a heap: each as three heaps, the larger first, of which some may be empty.
    pub(crate) fn options(&self, heap: u64) -> impl Iterator<Item = [u64; 3]> {
        self.takes(heap).flat_map(move |(taken, digit)| options_leaving(heap - taken, digit, u64::MAX))
    }

    /// Returns the digits that allow the same moves of heaps of at most `largest` tokens; `None` if no code does.
    #[must_use]
    pub fn digits(&self, largest: u64) -> Option<Vec<u8>> {
        let largest = largest.min(MAX_DIGITS as u64 - 1);
        match self {
            Self::Digits(digits) => Some(digits.clone()),
            Self::Rule(
                Take::LessThanHalf | Take::AtMostHalf | Take::EvenOrAllIfOdd | Take::Divisors | Take::Wythoff,
                _,
            )
            | Self::Rule(_, Split::Unequal) => None,
            _ => {
                let mut digits = vec![0; largest as usize + 1];
                self.takes(largest).for_each(|(taken, digit)| digits[taken as usize] = digit);
                Some(digits)
            }
        }
    }

    /// Returns the digits of the code that allows the same moves of all heaps, if it has at most 256.
    #[must_use]
    pub fn finite_digits(&self) -> Option<Vec<u8>> {
        let most = MAX_DIGITS as u64 - 1;
        match self {
            Self::Digits(_) | Self::Rule(Take::None, _) => self.digits(0),
            Self::Rule(Take::Set(numbers), _) => {
                let last = numbers.last().copied().filter(|last| *last <= most)?;
                self.digits(last)
            }
            _ => None,
        }
    }

    /// The maximum number of heaps that a move may leave of one.
    pub(super) fn max_heaps_left(&self) -> u32 {
        match self {
            Self::Nim | Self::Rule(_, Split::No) => 1,
            Self::Rule(..) => 2,
            Self::Digits(digits) => match digits.iter().fold(0, |all, digit| all | digit) {
                THREE.. => 3,
                TWO.. => 2,
                _ => 1,
            },
        }
    }

    /// Whether a move may change two heaps, so that they are no independent parts.
    pub(super) const fn is_joint(&self) -> bool {
        matches!(self, Self::Rule(Take::Wythoff, _))
    }

    /// Whether a move may leave several heaps.
    pub(super) fn splits(&self) -> bool {
        self.max_heaps_left() > 1
    }

    /// The least number of tokens that a move may take; `None` if there is no move.
    fn least_taken(&self) -> Option<u64> {
        match self {
            Self::Digits(digits) => digits.iter().position(|digit| *digit != 0).map(|least| least as u64),
            _ if self.only_splits() => Some(0),
            Self::Rule(Take::None, _) => None,
            Self::Rule(Take::Set(numbers), _) => numbers.first().copied(),
            Self::Nim | Self::Rule(..) => Some(1),
        }
    }

    /// The maximum length of play with this many tokens, in plies.
    pub(super) fn max_plies(&self, tokens: u32) -> u32 {
        match self.least_taken() {
            None => 0,
            // There are no more splits than tokens.
            Some(0) => 2 * tokens,
            Some(least) => (u64::from(tokens) / least) as u32,
        }
    }

    /// A number that every move lowers, from the numbers of tokens and heaps: the maximum
    /// length of play, or slightly more.
    pub(super) fn layer(&self, tokens: u32, heaps: u32) -> u32 {
        // Taking nothing adds a heap; taking a whole heap removes one.
        if self.only_splits() { (2 * tokens).saturating_sub(heaps) } else { self.max_plies(tokens) }
    }

    /// The largest heap whose nimber takes some seconds at most.
    pub(super) fn largest_heap(&self) -> u16 {
        if self.is_joint() {
            MAX_JOINT_HEAP
        } else if self.has_formula(false) {
            u16::MAX
        } else {
            self.largest_heap_within(MAX_OPTIONS).min(u16::MAX.into()) as u16
        }
    }

    /// The largest heap up to which all heaps have at most about `most` options together; at most [`MAX_TABLE`].
    pub(super) fn largest_heap_within(&self, most: u64) -> u64 {
        let takes = |heap: u64| match self {
            Self::Nim | Self::Rule(Take::Any | Take::Divisors | Take::Wythoff, _) => heap,
            Self::Rule(Take::LessThanHalf | Take::AtMostHalf | Take::EvenOrAllIfOdd, _) => heap / 2,
            Self::Digits(digits) => digits.len() as u64,
            Self::Rule(Take::None, _) => 0,
            Self::Rule(Take::Set(numbers), _) => numbers.len() as u64,
            Self::Rule(Take::Powers(_), _) => 64,
            Self::Rule(Take::Squares, _) => heap.isqrt(),
        };
        let (with_two, with_three) = match self {
            Self::Digits(digits) => {
                let with = |bit: u8| digits.iter().filter(|digit| **digit & bit != 0).count() as u64;
                (with(TWO), with(THREE))
            }
            Self::Nim | Self::Rule(_, Split::No) => (0, 0),
            Self::Rule(_, Split::Any) => (0, 0),
            Self::Rule(_, Split::Two | Split::Unequal) => (1, 0),
        };
        // Options of one heap take about four times as long as pairs, which come in a row.
        let options = |heap: u64| {
            let splits = heap.saturating_mul(heap) / 4;
            let takes = takes(heap);
            let with_two = if matches!(self, Self::Rule(_, Split::Any)) { takes.max(1) } else { with_two };
            let triples = (splits / 9).saturating_mul(heap).saturating_mul(with_three);
            splits.saturating_mul(with_two).saturating_add(heap.saturating_mul(4 * takes)).saturating_add(triples)
        };
        let mut heaps = 0..MAX_TABLE;
        while !heaps.is_empty() {
            let middle = heaps.end - (heaps.end - heaps.start) / 2;
            if options(middle) <= most { heaps.start = middle } else { heaps.end = middle - 1 }
        }
        heaps.end
    }

    /// Returns the nimbers of all heaps of at most `largest` tokens, by a [formula](Self::by_formula) or from all
    /// options: the nimber of a heap is the minimum excludant (mex) of its options' nimbers; that of several heaps
    /// is their nim-sum.
    ///
    /// Time: linear for codes that never leave two heaps and take few numbers, otherwise quadratic.
    pub(super) fn nimbers(&self, largest: u64) -> Vec<u32> {
        if self.has_formula(false) {
            return (0..=largest).filter_map(|heap| Some(self.by_formula(heap)?.nimber as u32)).collect();
        }
        let mut state = (vec![0], self.mex_table(largest));
        self.for_each_heap(
            largest,
            &mut state,
            |(nimbers, mex), heap, left| {
                mex.insert(left.iter().fold(0, |sum, left| sum ^ nimbers[*left as usize]), heap);
            },
            |(nimbers, mex), heap| nimbers.push(mex.mex(heap)),
        );
        state.0
    }

    /// Returns the genera of heaps of at most `largest` tokens, where they are tame; only as
    /// far as that takes less than a second.
    pub(super) fn tame(&self, largest: u64) -> Vec<Option<Tame>> {
        if self.has_formula(true) {
            return (0..=largest).map(|heap| self.by_formula(heap).and_then(HeapValue::tame)).collect();
        }
        let largest = largest.min(self.largest_heap_within(MAX_MISERE_OPTIONS));
        let (mut nimbers, mut misere_values) = (self.mex_table(largest), self.mex_table(largest));
        let mut tame = vec![Some(Tame::ENDED)];
        for heap in 1..=largest {
            let mut options = self.options(heap).peekable();
            if options.peek().is_none() {
                tame.push(Some(Tame::ENDED));
                continue;
            }
            let are_tame = options.all(|left| {
                let Some(sum) = left.iter().map(|left| tame[*left as usize]).sum::<Option<Tame>>() else {
                    return false;
                };
                nimbers.insert(sum.nimber(), heap);
                misere_values.insert(sum.misere_value(), heap);
                true
            });
            let of_options = || Tame::from_values(nimbers.mex(heap), misere_values.mex(heap));
            tame.push(are_tame.then(of_options).flatten());
        }
        tame
    }

    /// Creates the mex table for options of heaps of at most `largest` tokens. No value exceeds the length of play.
    fn mex_table(&self, largest: u64) -> MexTable {
        let most = self.max_plies(largest as u32) as usize + 1;
        // The misère value of the end is 1, even if play is shorter than that.
        MexTable(vec![0; most.next_power_of_two().max(2)])
    }
}

/// Lists the ways to leave `left` tokens as a digit allows, the larger heaps first. All heaps but the largest have at most
/// `bound` tokens.
pub(super) fn options_leaving(left: u64, digit: u8, bound: u64) -> impl Iterator<Item = [u64; 3]> {
    let one = digit & if left == 0 { NOTHING } else { ONE } != 0;
    let pairs = match digit & (TWO | UNEQUAL) {
        0 => 0,
        UNEQUAL => left.saturating_sub(1) / 2,
        _ => left / 2,
    };
    let triples = if digit & THREE == 0 { 0 } else { (left / 3).min(bound) };
    let of_three = move |least: u64| {
        let rest = left - least;
        (least..=(rest / 2).min(bound)).map(move |middle| [rest - middle, middle, least])
    };
    let pairs = (1..=pairs.min(bound)).map(move |less| [left - less, less, 0]);
    one.then_some([left, 0, 0]).into_iter().chain(pairs).chain((1..=triples).flat_map(of_three))
}

/// A mex table: for each value the last heap with an option of that value. Heaps are visited in ascending order.
struct MexTable(Vec<u64>);

impl MexTable {
    fn insert(&mut self, value: u32, heap: u64) {
        self.0[value as usize] = heap;
    }

    /// The minimum excludant of the values of the options of `heap`.
    fn mex(&self, heap: u64) -> u32 {
        self.0.iter().position(|by| *by != heap).unwrap_or(self.0.len()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nimbers(code: &str, largest: u64) -> Vec<u32> {
        Code::parse(code).unwrap().nimbers(largest)
    }

    #[test]
    fn codes_are_read_or_refused() {
        assert_eq!(Code::parse("nim"), Some(Code::Nim));
        assert_eq!(Code::parse("0.77"), Some(Code::Digits(vec![0, 7, 7])));
        assert_eq!(Code::parse(".137"), Code::parse("0.137"));
        assert_eq!(Code::parse("4."), Some(Code::Digits(vec![4])));
        for wrong in ["", "77", "0.g", "0.7.7", "1.7", "44.7", "0.-1", "0,77", &("0.".to_owned() + &"7".repeat(999))] {
            assert_eq!(Code::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn options_are_what_the_digits_say() {
        let options = |code, heap| Code::parse(code).unwrap().options(heap).collect::<Vec<_>>();
        assert_eq!(options("0.77", 3), [[2, 0, 0], [1, 1, 0], [1, 0, 0]]);
        assert_eq!(options("0.77", 2), [[1, 0, 0], [0, 0, 0]]);
        assert_eq!(options("0.137", 2), [[0, 0, 0]]);
        assert_eq!(options("0.137", 3), [[1, 0, 0], [0, 0, 0]]);
        assert_eq!(options("4.", 5), [[4, 1, 0], [3, 2, 0]]);
        assert_eq!(options("0.C", 6), [[4, 1, 0], [3, 2, 0], [3, 1, 1], [2, 2, 1]]);
        assert_eq!(options("nim", 2), [[1, 0, 0], [0, 0, 0]]);
    }

    /// Winning Ways, chapter 4, tables 6 and 7.
    #[test]
    fn published_nimbers() {
        let kayles = nimbers("0.77", 2_000);
        assert_eq!(kayles[..13], [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]);
        assert!((71..1_988).all(|n| kayles[n] == kayles[n + 12]) && kayles[70] != kayles[82]);
        let dawson = nimbers("0.07", 2_000);
        assert_eq!(dawson[..15], [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]);
        assert!((53..1_966).all(|n| dawson[n] == dawson[n + 34]) && dawson[52] != dawson[86]);
        // Dawson's Chess.
        assert_eq!(nimbers("0.137", 1_999), dawson[1..]);
        // Nim itself, and Nim of up to three tokens.
        assert_eq!(nimbers("0.333", 100), (0..=100).map(|n| n % 4).collect::<Vec<_>>());
        assert_eq!(nimbers(&format!("0.{}", "3".repeat(200)), 200), nimbers("nim", 200));
        // Lasker's Nim takes any number or splits.
        let lasker = nimbers(&format!("4.{}", "3".repeat(200)), 200);
        let expected = |n: u32| {
            if n > 0 && n.is_multiple_of(4) {
                n - 1
            } else if n % 4 == 3 {
                n + 1
            } else {
                n
            }
        };
        assert_eq!(lasker, (0..=200).map(expected).collect::<Vec<_>>());
    }

    /// Winning Ways, chapter 13: Kayles is tame up to four pins. Codes whose heaps are nim heaps
    /// are tame throughout.
    #[test]
    fn heaps_are_tame_as_far_as_published() {
        let wild = |code: &str| {
            let tame = Code::parse(code).unwrap().tame(60);
            tame.iter().position(Option::is_none)
        };
        assert_eq!(wild("nim"), None);
        assert_eq!(wild("0.333"), None);
        assert_eq!(wild(&format!("0.{}", "3".repeat(60))), None);
        assert_eq!(wild("0.77"), Some(5));
    }

    #[test]
    fn tables_are_as_large_as_seconds_allow() {
        let largest = |code: &str| Code::parse(code).unwrap().largest_heap();
        assert_eq!([largest("nim"), largest("0.77"), largest("4.333")], [u16::MAX; 3]);
        assert!((5_000..10_000).contains(&largest(&format!("0.{}", "7".repeat(255)))));
    }
}
