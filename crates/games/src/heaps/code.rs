//! Octal codes: the moves on one heap.

use std::fmt;

use balpan::Tame;

/// The number of tokens that may be taken from a heap, and the heaps that may be left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Any number of tokens, as in Nim.
    Nim,
    /// The digits of an octal code, the one before the point first. The digit for `n` tokens
    /// is a sum: 1 if they may be a whole heap, 2 if one heap may be left, 4 if two may be.
    /// The digit before the point, for moves that take nothing, is 0 or 4.
    ///
    /// Source: R. K. Guy and C. A. B. Smith, "The G-values of various games", Proceedings
    /// of the Cambridge Philosophical Society 52 (1956).
    Octal(Vec<u8>),
}

/// Maximum number of digits of a code.
const MAX_DIGITS: usize = 256;

/// Maximum number of options enumerated for a table of nimbers: some seconds.
const MAX_OPTIONS: u64 = 3 << 30;

/// Maximum number of options enumerated for a table of tame genera, which are only a help: half a second.
const MAX_MISERE_OPTIONS: u64 = 1 << 27;

/// Formats as `nim` or `0.77`.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nim => f.write_str("nim"),
            Self::Octal(digits) => {
                let (first, others) = digits.split_first().unwrap_or((&0, &[]));
                write!(f, "{first}.")?;
                others.iter().try_for_each(|digit| write!(f, "{digit}"))
            }
        }
    }
}

impl Code {
    /// Parses `nim` or an octal code such as `0.77`; `None` if the text is neither.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == "nim" {
            return Some(Self::Nim);
        }
        let (first, others) = text.split_once('.')?;
        let first = match first {
            "" | "0" => 0,
            "4" => 4,
            _ => return None,
        };
        let octal = |digit: u8| matches!(digit, b'0'..=b'7').then(|| digit - b'0');
        let digits: Vec<u8> = std::iter::once(Some(first)).chain(others.bytes().map(octal)).collect::<Option<_>>()?;
        (digits.len() <= MAX_DIGITS).then_some(Self::Octal(digits))
    }

    fn digit(&self, taken: u16) -> u8 {
        match self {
            Self::Nim => u8::from(taken > 0) * 3,
            Self::Octal(digits) => digits.get(usize::from(taken)).copied().unwrap_or(0),
        }
    }

    /// The maximum number of tokens that one move takes from a heap of this size.
    fn max_tokens_per_move(&self, heap: u16) -> u16 {
        match self {
            Self::Nim => heap,
            Self::Octal(digits) => heap.min(digits.len() as u16 - 1),
        }
    }

    /// The options of a heap: each as two heaps, the larger first, of which either may be
    /// empty.
    pub(crate) fn options(&self, heap: u16) -> impl Iterator<Item = [u16; 2]> {
        (0..=self.max_tokens_per_move(heap)).flat_map(move |taken| {
            let (digit, left) = (self.digit(taken), heap - taken);
            let one = digit & if left == 0 { 1 } else { 2 } != 0;
            let splits = if digit & 4 == 0 { 0 } else { left / 2 };
            one.then_some([left, 0]).into_iter().chain((1..=splits).map(move |less| [left - less, less]))
        })
    }

    /// Whether a move may leave two heaps.
    pub(super) fn splits(&self) -> bool {
        matches!(self, Self::Octal(digits) if digits.iter().any(|digit| digit & 4 != 0))
    }

    /// The maximum length of play with this many tokens, in plies.
    pub(super) fn max_plies(&self, tokens: u32) -> u32 {
        let least_taken = match self {
            Self::Nim => Some(1),
            Self::Octal(digits) => digits.iter().position(|digit| *digit != 0),
        };
        match least_taken {
            None => 0,
            // There are no more splits than tokens.
            Some(0) => 2 * tokens,
            Some(least) => tokens / least as u32,
        }
    }

    /// A number that every move lowers, from the numbers of tokens and heaps: the maximum
    /// length of play, or slightly more.
    pub(super) fn layer(&self, tokens: u32, heaps: u32) -> u32 {
        match self {
            // Taking nothing adds a heap; taking a whole heap removes one.
            Self::Octal(digits) if digits.first().is_some_and(|digit| *digit != 0) => {
                (2 * tokens).saturating_sub(heaps)
            }
            _ => self.max_plies(tokens),
        }
    }

    /// The largest heap whose nimber takes some seconds at most.
    pub(super) fn largest_heap(&self) -> u16 {
        self.largest_heap_within(MAX_OPTIONS)
    }

    /// The largest heap up to which all heaps have at most `most` options together.
    fn largest_heap_within(&self, most: u64) -> u16 {
        let Self::Octal(digits) = self else {
            return u16::MAX;
        };
        let splitting = digits.iter().filter(|digit| **digit & 4 != 0).count() as u64;
        let options = |heap: u64| heap * heap / 4 * splitting + heap * digits.len() as u64;
        let mut heaps = 0..u16::MAX;
        while !heaps.is_empty() {
            let middle = heaps.end - (heaps.end - heaps.start) / 2;
            if options(middle.into()) <= most { heaps.start = middle } else { heaps.end = middle - 1 }
        }
        heaps.end
    }

    /// Returns the nimbers of all heaps of at most `largest` tokens. The nimber of a heap is
    /// the minimum excludant (mex) of its options' nimbers; that of two heaps is their nim-sum.
    ///
    /// Time: linear for codes that never leave two heaps, otherwise quadratic.
    pub(super) fn nimbers(&self, largest: u16) -> Vec<u32> {
        if *self == Self::Nim {
            // The options of a heap have exactly the smaller nimbers.
            return (0..=largest.into()).collect();
        }
        let mut mex = self.mex_table(largest);
        let mut nimbers = vec![0];
        for heap in 1..=largest {
            self.options(heap).for_each(|left| {
                let [a, b] = left.map(|left| nimbers[usize::from(left)]);
                mex.insert(a ^ b, heap);
            });
            nimbers.push(mex.mex(heap));
        }
        nimbers
    }

    /// Returns the genera of heaps of at most `largest` tokens, where they are tame; only as
    /// far as that takes less than a second.
    pub(super) fn tame(&self, largest: u16) -> Vec<Option<Tame>> {
        let largest = largest.min(self.largest_heap_within(MAX_MISERE_OPTIONS));
        if *self == Self::Nim {
            return (0..=largest.into()).map(|heap| Some(Tame::heap(heap))).collect();
        }
        let (mut nimbers, mut misere_values) = (self.mex_table(largest), self.mex_table(largest));
        let mut tame = vec![Some(Tame::ENDED)];
        for heap in 1..=largest {
            let mut options = self.options(heap).peekable();
            if options.peek().is_none() {
                tame.push(Some(Tame::ENDED));
                continue;
            }
            let are_tame = options.all(|[a, b]| {
                let (Some(a), Some(b)) = (tame[usize::from(a)], tame[usize::from(b)]) else {
                    return false;
                };
                nimbers.insert((a + b).nimber(), heap);
                misere_values.insert((a + b).misere_value(), heap);
                true
            });
            let of_options = || Tame::from_values(nimbers.mex(heap), misere_values.mex(heap));
            tame.push(are_tame.then(of_options).flatten());
        }
        tame
    }

    /// Creates the mex table for options of heaps of at most `largest` tokens. No value exceeds the length of play.
    fn mex_table(&self, largest: u16) -> MexTable {
        let most = self.max_plies(largest.into()) as usize + 1;
        // The misère value of the end is 1, even if play is shorter than that.
        MexTable(vec![0; most.next_power_of_two().max(2)])
    }
}

/// A mex table: for each value the last heap with an option of that value. Heaps are visited in ascending order.
struct MexTable(Vec<u16>);

impl MexTable {
    fn insert(&mut self, value: u32, heap: u16) {
        self.0[value as usize] = heap;
    }

    /// The minimum excludant of the values of the options of `heap`.
    fn mex(&self, heap: u16) -> u32 {
        self.0.iter().position(|by| *by != heap).unwrap_or(self.0.len()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nimbers(code: &str, largest: u16) -> Vec<u32> {
        Code::parse(code).unwrap().nimbers(largest)
    }

    #[test]
    fn codes_are_read_or_refused() {
        assert_eq!(Code::parse("nim"), Some(Code::Nim));
        assert_eq!(Code::parse("0.77"), Some(Code::Octal(vec![0, 7, 7])));
        assert_eq!(Code::parse(".137"), Code::parse("0.137"));
        assert_eq!(Code::parse("4."), Some(Code::Octal(vec![4])));
        for wrong in ["", "77", "0.8", "0.7.7", "1.7", "44.7", "0.-1", "0,77", &("0.".to_owned() + &"7".repeat(999))] {
            assert_eq!(Code::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn options_are_what_the_digits_say() {
        let options = |code, heap| Code::parse(code).unwrap().options(heap).collect::<Vec<_>>();
        assert_eq!(options("0.77", 3), [[2, 0], [1, 1], [1, 0]]);
        assert_eq!(options("0.77", 2), [[1, 0], [0, 0]]);
        assert_eq!(options("0.137", 2), [[0, 0]]);
        assert_eq!(options("0.137", 3), [[1, 0], [0, 0]]);
        assert_eq!(options("4.", 5), [[4, 1], [3, 2]]);
        assert_eq!(options("nim", 2), [[1, 0], [0, 0]]);
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
