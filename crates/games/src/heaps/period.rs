//! Nimbers of heaps by octal and hexadecimal codes, as far as is wanted, and whether they come again and again.

use balpan::{Stopped, Watch};
use serde::Serialize;

/// The digits of an octal or hexadecimal code, that before the point first. Of the digit for `n` tokens, 1 says that
/// they may be a whole heap, 2 that one heap may be left of it, 4 that two may be, and 8 that three may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexadecimalCode(Vec<u8>);

/// HexadecimalCode of the longest code.
const MAX_DIGITS: usize = 256;

/// Nimbers of heaps from none on, and what is proved of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NimSequence {
    /// By size.
    pub nimbers: Vec<u32>,
    /// How they come again, where that is proved.
    pub period: Option<Period>,
    /// How they grow, where no period is proved and these nimbers do so by a rule: of larger heaps, nothing is said.
    pub growth: Option<ArithmeticGrowth>,
}

/// As far as nimbers are known, each is that of the heap smaller by `length`, and `by` more.
///
/// Nimbers of heaps that may be left as three grow like this for ever in many games. Theorems that decide it (R. B.
/// Austin, 1976; S. Howse and R. J. Nowakowski, "Periodicity and arithmetic-periodicity in hexadecimal games", 2004) ask
/// more of the code than is looked at here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ArithmeticGrowth {
    /// The least such number of tokens.
    pub length: usize,
    /// The first heap from which on it holds.
    pub from: usize,
    /// How much more.
    pub by: u32,
}

/// From some size on, each nimber is that of the heap larger by the period, for ever.
///
/// Proved by the theorem of R. K. Guy and C. A. B. Smith ("The G-values of various games", 1956): where that is seen of
/// enough heaps, it is so of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// The least such number of tokens.
    pub length: usize,
    /// The first size from which on it holds.
    pub from: usize,
    /// Sizes before that whose nimbers are not what the period would have, going back.
    pub exceptions: Vec<usize>,
}

impl HexadecimalCode {
    /// Reads a code such as `0.77`, `4.` or `0.3F`; `None` if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (first, others) = text.split_once('.')?;
        let first = match first {
            "" | "0" => 0,
            "4" => 4,
            "8" => 8,
            "C" | "c" => 12,
            _ => return None,
        };
        let digit = |c: char| c.to_digit(16).map(|digit| digit as u8);
        let digits: Vec<u8> = std::iter::once(Some(first)).chain(others.chars().map(digit)).collect::<Option<_>>()?;
        let last = digits.iter().rposition(|digit| *digit != 0).map_or(1, |last| last + 1);
        (digits.len() <= MAX_DIGITS).then(|| Self(digits[..last.max(1)].to_vec()))
    }

    /// The most heaps that may be left of one.
    #[must_use]
    pub fn most_left(&self) -> usize {
        let has = |bit: u8| self.0.iter().any(|digit| digit & bit != 0);
        if has(8) {
            3
        } else if has(4) {
            2
        } else {
            1
        }
    }

    /// The nimbers of heaps up to `most` tokens, or as far as it takes to prove a period: beyond that they are
    /// filled in.
    ///
    /// Cost: for each heap a step for each heap of a rare nimber, where nimbers are of two kinds and those of one are
    /// rare (the *sparse space*); otherwise for each smaller heap. Where three heaps may be left, the square of that.
    ///
    /// # Errors
    /// [`Stopped`] if the watch says stop.
    pub fn sequence(&self, most: usize, watch: &Watch) -> Result<NimSequence, Stopped> {
        let sequence = self.sequence_until_stopped(most, watch);
        if sequence.nimbers.len() > most { Ok(sequence) } else { Err(Stopped::Interrupted) }
    }

    /// The same, of smaller heaps if the watch says stop.
    #[must_use]
    pub fn sequence_until_stopped(&self, most: usize, watch: &Watch) -> NimSequence {
        // Of three heaps, each takes long.
        let batch = if self.most_left() > 2 { 1 } else { 64 };
        let mut found = Finder::new(self);
        let mut next_look = 64;
        let mut period = None;
        while found.nimbers.len() <= most {
            found.next();
            if found.nimbers.len().is_multiple_of(batch) {
                if watch.count(batch as u64).is_err() {
                    break;
                }
                watch.set_progress(found.nimbers.len() as f64 / (most + 1) as f64);
            }
            if found.nimbers.len() == next_look {
                next_look += next_look / 4;
                found.choose_space();
                period = self.period_of(&found.nimbers);
                if period.is_some() {
                    break;
                }
            }
        }
        let mut nimbers = found.nimbers;
        let period = period.or_else(|| self.period_of(&nimbers));
        if let Some(period) = &period {
            while nimbers.len() <= most {
                nimbers.push(nimbers[nimbers.len() - period.length]);
            }
            nimbers.truncate(most + 1);
        }
        let growth = if period.is_none() { growth_of(&nimbers) } else { None };
        NimSequence { nimbers, period, growth }
    }

    /// The period that these nimbers prove, if they do.
    fn period_of(&self, nimbers: &[u32]) -> Option<Period> {
        let count = nimbers.len();
        // From the end back: how long the sequence is the same as itself `period` places before.
        let backwards: Vec<u32> = nimbers.iter().rev().copied().collect();
        let same = agreements(&backwards);
        let (heaps, last) = (self.most_left(), self.0.len() - 1);
        for (length, same) in same.into_iter().enumerate().skip(1) {
            // nimbers[n] is nimbers[n + length] from here on.
            let from = count - length - same;
            if count > heaps * (from + length) + last && from + length < count {
                let differs = |n: &usize| {
                    let later = n + (from - n).div_ceil(length) * length;
                    nimbers[*n] != nimbers[later]
                };
                return Some(Period { length, from, exceptions: (0..from).filter(differs).collect() });
            }
        }
        None
    }
}

/// By which rule the nimbers grow up to the last one, seen at least four times over and in half of them.
fn growth_of(nimbers: &[u32]) -> Option<ArithmeticGrowth> {
    let steps: Vec<i64> = nimbers.windows(2).rev().map(|two| i64::from(two[1]) - i64::from(two[0])).collect();
    let same = agreements(&steps);
    let (length, same) = (1..steps.len() / 4).map(|length| (length, same[length])).find(|(length, same)| {
        let seen = length + same;
        seen >= 4 * length && 2 * seen >= steps.len()
    })?;
    let from = steps.len() - length - same;
    let by = u32::try_from(steps[..length].iter().sum::<i64>()).ok().filter(|by| *by > 0)?;
    Some(ArithmeticGrowth { length, from, by })
}

/// By shift, how long a sequence agrees with itself shifted so far.
fn agreements<T: PartialEq>(of: &[T]) -> Vec<usize> {
    let mut same = vec![0; of.len()];
    let (mut from, mut to) = (0, 0);
    for i in 1..of.len() {
        let mut length = if i < to { same[i - from].min(to - i) } else { 0 };
        while i + length < of.len() && of[length] == of[i + length] {
            length += 1;
        }
        if i + length > to {
            (from, to) = (i, i + length);
        }
        same[i] = length;
    }
    same
}

/// Finds one nimber after the other.
struct Finder<'d> {
    digits: &'d [u8],
    nimbers: Vec<u32>,
    /// Nimbers of which an even number of these bits are set are rare; 0 if there is no such kind.
    space: u32,
    /// Heaps of rare nimbers.
    rare: Vec<usize>,
    /// By nimber, the heap that last had an option of it.
    met_by: Vec<usize>,
    /// Where three heaps may be left: by tokens, the nimbers of two heaps that have them together.
    pairs: Vec<Vec<u32>>,
}

impl<'d> Finder<'d> {
    fn new(HexadecimalCode(digits): &'d HexadecimalCode) -> Self {
        // A heap of no token.
        Self { digits, nimbers: vec![0], space: 0, rare: vec![0], met_by: vec![0; 64], pairs: Vec::new() }
    }

    fn is_rare(&self, nimber: u32) -> bool {
        (nimber & self.space).count_ones().is_multiple_of(2)
    }

    /// Takes the bits for which the fewest heaps are rare.
    fn choose_space(&mut self) {
        let most = self.nimbers.iter().copied().max().unwrap_or(0);
        let bits = (u32::BITS - most.leading_zeros()).min(10);
        let mut of_value = vec![0_usize; 1 << bits];
        for nimber in &self.nimbers {
            of_value[(*nimber as usize) & ((1 << bits) - 1)] += 1;
        }
        let count = |space: u32| {
            let rare = (0..).zip(&of_value).filter(|(value, _)| (value & space).count_ones().is_multiple_of(2));
            rare.map(|(_, count): (u32, _)| count).sum::<usize>()
        };
        self.space = (1..1 << bits).min_by_key(|space| count(*space)).unwrap_or(0);
        if count(self.space) * 2 > self.nimbers.len() {
            self.space = 0;
        }
        self.rare = (1..self.nimbers.len()).filter(|heap| self.is_rare(self.nimbers[*heap])).collect();
    }

    fn meet(&mut self, nimber: u32, heap: usize) {
        let at = nimber as usize;
        if at >= self.met_by.len() {
            self.met_by.resize((at + 1).next_power_of_two(), 0);
        }
        self.met_by[at] = heap;
    }

    fn is_met(&self, nimber: u32, heap: usize) -> bool {
        self.met_by.get(nimber as usize) == Some(&heap)
    }

    fn next(&mut self) {
        let heap = self.nimbers.len();
        let taken = 0..self.digits.len().min(heap + 1);
        for taken in taken.clone() {
            let (digit, left) = (self.digits[taken], heap - taken);
            if left == 0 && digit & 1 != 0 {
                self.meet(0, heap);
            }
            if left > 0 && left < heap && digit & 2 != 0 {
                self.meet(self.nimbers[left], heap);
            }
            if digit & 8 != 0 {
                self.meet_threes(left, heap);
            }
        }
        let splits: Vec<usize> = taken.filter(|taken| self.digits[*taken] & 4 != 0).map(|taken| heap - taken).collect();
        for &left in &splits {
            if self.space == 0 {
                for a in 1..=left / 2 {
                    self.meet(self.nimbers[a] ^ self.nimbers[left - a], heap);
                }
            } else {
                for i in 0..self.rare.len() {
                    let a = self.rare[i];
                    if a >= left {
                        break;
                    }
                    self.meet(self.nimbers[a] ^ self.nimbers[left - a], heap);
                }
            }
        }
        let nimber = self.least(&splits, heap);
        self.nimbers.push(nimber);
        if self.is_rare(nimber) {
            self.rare.push(heap);
        }
        if self.digits.iter().any(|digit| digit & 8 != 0) {
            self.pairs_of(heap);
        }
    }

    /// The least nimber that no option has. Two common ones make a rare one, so of common nimbers all are met by
    /// now; whether a smaller rare one is an option's is looked up.
    fn least(&mut self, splits: &[usize], heap: usize) -> u32 {
        let least = |finder: &Self, is_rare: bool| {
            (0..).find(|nimber| finder.is_rare(*nimber) == is_rare && !finder.is_met(*nimber, heap)).unwrap_or(0)
        };
        if self.space == 0 {
            return least(self, true);
        }
        let common = least(self, false);
        let mut rare = least(self, true);
        if rare > common {
            return common;
        }
        for &left in splits {
            for a in (1..=left / 2).rev() {
                let nimber = self.nimbers[a] ^ self.nimbers[left - a];
                if nimber < common && !self.is_met(nimber, heap) {
                    self.meet(nimber, heap);
                    if nimber == rare {
                        rare = least(self, true);
                        if rare > common {
                            return common;
                        }
                    }
                }
            }
        }
        rare
    }

    /// Options of three heaps with this total number of tokens.
    fn meet_threes(&mut self, left: usize, heap: usize) {
        for a in 1..left.saturating_sub(1) {
            // The other two have no fewer tokens each, or some come twice.
            if 3 * a > left {
                break;
            }
            for i in 0..self.pairs.get(left - a).map_or(0, Vec::len) {
                let nimber = self.nimbers[a] ^ self.pairs[left - a][i];
                self.meet(nimber, heap);
            }
        }
    }

    /// Notes the nimbers of two heaps with this total number of tokens.
    fn pairs_of(&mut self, tokens: usize) {
        self.pairs.resize(tokens + 1, Vec::new());
        let mut pairs: Vec<u32> = (1..=tokens / 2).map(|a| self.nimbers[a] ^ self.nimbers[tokens - a]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        self.pairs[tokens] = pairs;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::heaps::Code;

    fn sequence(code: &str, most: usize) -> NimSequence {
        HexadecimalCode::parse(code).unwrap().sequence(most, &Watch::default()).unwrap()
    }

    /// R. K. Guy and C. A. B. Smith (1956), and A. Gangolli and T. Plambeck, "A note on periodicity in some octal games"
    /// (1989): period, and the size from which on it holds.
    #[test]
    fn published_periods() {
        for (code, length, from) in
            [("0.77", 12, 71), ("0.07", 34, 53), ("0.137", 34, 52), ("0.156", 349, 3_479), ("0.356", 142, 7_315)]
        {
            let period = sequence(code, 20_000).period.unwrap();
            assert_eq!((period.length, period.from), (length, from), "{code}");
        }
    }

    #[test]
    fn nimbers_are_those_of_all_options() {
        for code in [
            "0.77", "0.07", "0.137", "0.6", "0.004", "0.14", "0.36", "0.106", "4.", "4.7", "0.3", "0.156", "0.2",
            "0.45",
        ] {
            let plain = Code::parse(code).unwrap().nimbers(1_500);
            assert_eq!(sequence(code, 1_500).nimbers, plain, "{code}");
        }
    }

    /// Three heaps, by all ways to make them.
    #[test]
    fn hexadecimal_codes() {
        for code in ["0.8", "0.9", "0.F", "0.1F", "0.3A", "8.", "C.", "0.9C"] {
            let HexadecimalCode(digits) = HexadecimalCode::parse(code).unwrap();
            let found = sequence(code, 60);
            let mut nimbers = vec![0_u32];
            for heap in 1..=60_usize {
                let mut options = Vec::new();
                for (taken, digit) in (0..=heap).zip(&digits) {
                    let left = heap - taken;
                    if digit & 1 != 0 && left == 0 {
                        options.push(0);
                    }
                    if digit & 2 != 0 && left > 0 && taken > 0 {
                        options.push(nimbers[left]);
                    }
                    for a in 1..left {
                        if digit & 4 != 0 {
                            options.push(nimbers[a] ^ nimbers[left - a]);
                        }
                        for b in 1..(left - a) {
                            if digit & 8 != 0 {
                                options.push(nimbers[a] ^ nimbers[b] ^ nimbers[left - a - b]);
                            }
                        }
                    }
                }
                nimbers.push((0..).find(|nimber| !options.contains(nimber)).unwrap());
            }
            assert_eq!(found.nimbers, nimbers, "{code}");
        }
    }

    /// Splitting a heap into three, nothing taken: the nimbers grow, and no period is claimed.
    #[test]
    fn growth_is_told_and_not_proved() {
        let found = sequence("8.", 400);
        assert_eq!(found.period, None);
        let ArithmeticGrowth { length, from, by } = found.growth.unwrap();
        for heap in from..=400 - length {
            assert_eq!(found.nimbers[heap + length], found.nimbers[heap] + by, "{heap}");
        }
        assert_eq!(sequence("0.77", 200).growth, None);
        assert_eq!(sequence("0.007", 400).growth, None);
    }

    #[test]
    fn codes_are_read_or_refused() {
        for (code, digits) in
            [("0.77", &[0, 7, 7][..]), (".3F", &[0, 3, 15]), ("4.", &[4]), ("0.70", &[0, 7]), ("0.", &[0])]
        {
            assert_eq!(HexadecimalCode::parse(code), Some(HexadecimalCode(digits.to_vec())), "{code}");
        }
        for wrong in ["", "77", "1.7", "0.7.7", "0.g", "0,77", "-0.7"] {
            assert_eq!(HexadecimalCode::parse(wrong), None, "{wrong}");
        }
        assert_eq!(sequence("0.", 10).nimbers, [0; 11]);
    }
}
