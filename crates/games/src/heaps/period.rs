//! Nim-sequences of octal and hexadecimal games, and their periods.

use balpan::{Stopped, Watch};
use serde::Serialize;

use super::Code;

/// An octal or hexadecimal code by its digits, that before the point first. In the digit for taking `n` tokens, bit 1
/// allows to take a whole heap, 2 to leave one heap, 4 to leave two heaps, and 8 to leave three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexadecimalCode(Vec<u8>);

/// The nim-sequence of a game, and its period or growth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NimSequence {
    /// The nimbers, by heap size from 0 on.
    pub nimbers: Vec<u32>,
    /// The period, if it is proved.
    pub period: Option<Period>,
    /// The growth of these nimbers, if they grow by a rule and no period is proved. It says nothing about larger
    /// heaps.
    pub growth: Option<ArithmeticGrowth>,
}

/// Arithmetic periodicity observed in a nim-sequence, not proved: each nimber is `by` more than that of the heap
/// smaller by `length`.
///
/// Many games that may leave three heaps grow like this for ever. The theorems that decide it (R. B. Austin, 1976; S.
/// Howse and R. J. Nowakowski, "Periodicity and arithmetic-periodicity in hexadecimal games", 2004) have conditions
/// on the code that are not checked here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ArithmeticGrowth {
    /// The period in tokens, the least one.
    pub length: usize,
    /// The first heap size from which the rule holds.
    pub from: usize,
    /// The saltus: the difference after one period.
    pub by: u32,
}

/// A period: from some heap size on, the nimbers repeat for ever.
///
/// It is proved by the theorem of R. K. Guy and C. A. B. Smith ("The G-values of various games", 1956): if a period
/// holds for enough heaps, it holds for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// The period in tokens, the least one.
    pub length: usize,
    /// The preperiod: the first heap size from which the period holds.
    pub from: usize,
    /// Smaller heap sizes whose nimbers differ from those of the period continued downwards.
    pub exceptions: Vec<usize>,
}

impl HexadecimalCode {
    /// Parses a code such as `0.77`, `4.` or `0.3F`; `None` if it is malformed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match Code::parse(text)? {
            Code::Digits(digits) => Some(Self::from_digits(digits)),
            Code::Nim | Code::Rule(..) => None,
        }
    }

    /// Creates the code of digits of which the first is 0, 4, 8 or 12, and all are below 16.
    #[must_use]
    pub(super) fn from_digits(mut digits: Vec<u8>) -> Self {
        let last = digits.iter().rposition(|digit| *digit != 0).map_or(1, |last| last + 1);
        digits.truncate(last);
        Self(digits)
    }

    /// Returns the largest number of heaps that a move may leave of one heap.
    #[must_use]
    pub fn max_heaps_left(&self) -> usize {
        let has = |bit: u8| self.0.iter().any(|digit| digit & bit != 0);
        if has(8) {
            3
        } else if has(4) {
            2
        } else {
            1
        }
    }

    /// Returns the nimbers of heaps up to `max` tokens. Once a period is proved, the rest is filled in from it.
    ///
    /// Cost: in a game with a *sparse space*, in which most nimbers are common and few are rare, a step for each
    /// smaller heap with a rare nimber; in other games, a step for each smaller heap. The square of that if three
    /// heaps may be left.
    ///
    /// # Errors
    /// [`Stopped`] if the watch stops it.
    pub fn sequence(&self, max: usize, watch: &Watch) -> Result<NimSequence, Stopped> {
        let sequence = self.sequence_until_stopped(max, watch);
        if sequence.nimbers.len() > max { Ok(sequence) } else { Err(Stopped::Interrupted) }
    }

    /// As [`sequence`](Self::sequence), of fewer heaps if the watch stops it.
    #[must_use]
    pub fn sequence_until_stopped(&self, max: usize, watch: &Watch) -> NimSequence {
        // With three heaps, each step takes long.
        let batch = if self.max_heaps_left() > 2 { 1 } else { 64 };
        let mut search = NimSequenceSearch::new(self);
        let mut next_check = 64;
        let mut period = None;
        while search.nimbers.len() <= max {
            search.next();
            if search.nimbers.len().is_multiple_of(batch) {
                if watch.count(batch as u64).is_err() {
                    break;
                }
                watch.set_progress(search.nimbers.len() as f64 / (max + 1) as f64);
            }
            if search.nimbers.len() == next_check {
                next_check += next_check / 4;
                search.choose_space();
                period = self.period_of(&search.nimbers);
                if period.is_some() {
                    break;
                }
            }
        }
        let mut nimbers = search.nimbers;
        let period = period.or_else(|| self.period_of(&nimbers));
        if let Some(period) = &period {
            while nimbers.len() <= max {
                nimbers.push(nimbers[nimbers.len() - period.length]);
            }
            nimbers.truncate(max + 1);
        }
        let growth = if period.is_none() { growth_of(&nimbers) } else { None };
        NimSequence { nimbers, period, growth }
    }

    /// Returns the period that these nimbers prove, if there is one.
    fn period_of(&self, nimbers: &[u32]) -> Option<Period> {
        let count = nimbers.len();
        // From the end backwards, the lengths of agreement with the sequence shifted by each period.
        let backwards: Vec<u32> = nimbers.iter().rev().copied().collect();
        let same = agreements(&backwards);
        let (heaps, last) = (self.max_heaps_left(), self.0.len() - 1);
        for (length, same) in same.into_iter().enumerate().skip(1) {
            // From here on, nimbers[n] = nimbers[n + length].
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

/// Returns the growth rule of the nimbers up to the last one, if it holds for at least four periods and half of the
/// sequence.
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

/// Returns, for each shift, the length of the prefix on which the sequence agrees with itself shifted (Z-algorithm).
pub(super) fn agreements<T: PartialEq>(sequence: &[T]) -> Vec<usize> {
    let mut same = vec![0; sequence.len()];
    let (mut from, mut to) = (0, 0);
    for i in 1..sequence.len() {
        let mut length = if i < to { same[i - from].min(to - i) } else { 0 };
        while i + length < sequence.len() && sequence[length] == sequence[i + length] {
            length += 1;
        }
        if i + length > to {
            (from, to) = (i, i + length);
        }
        same[i] = length;
    }
    same
}

/// The computation of a nim-sequence, one nimber after the other.
struct NimSequenceSearch<'d> {
    digits: &'d [u8],
    nimbers: Vec<u32>,
    /// Bits of which a rare nimber has an even number set; 0 if no sparse space is in use.
    space: u32,
    /// Heaps with rare nimbers.
    rare: Vec<usize>,
    /// By nimber, the last heap with an option of that nimber.
    marked_by: Vec<usize>,
    /// If three heaps may be left: by number of tokens, the nimbers of pairs of heaps.
    pairs: Vec<Vec<u32>>,
}

impl<'d> NimSequenceSearch<'d> {
    fn new(HexadecimalCode(digits): &'d HexadecimalCode) -> Self {
        // The empty heap has nimber 0.
        Self { digits, nimbers: vec![0], space: 0, rare: vec![0], marked_by: vec![0; 64], pairs: Vec::new() }
    }

    fn is_rare(&self, nimber: u32) -> bool {
        (nimber & self.space).count_ones().is_multiple_of(2)
    }

    /// Selects the bits for which the fewest heaps are rare.
    fn choose_space(&mut self) {
        let max = self.nimbers.iter().copied().max().unwrap_or(0);
        let bits = (u32::BITS - max.leading_zeros()).min(10);
        let mut heaps_by_nimber = vec![0_usize; 1 << bits];
        for nimber in &self.nimbers {
            heaps_by_nimber[(*nimber as usize) & ((1 << bits) - 1)] += 1;
        }
        let count = |space: u32| {
            let rare = (0..).zip(&heaps_by_nimber).filter(|(value, _)| (value & space).count_ones().is_multiple_of(2));
            rare.map(|(_, count): (u32, _)| count).sum::<usize>()
        };
        self.space = (1..1 << bits).min_by_key(|space| count(*space)).unwrap_or(0);
        if count(self.space) * 2 > self.nimbers.len() {
            self.space = 0;
        }
        self.rare = (1..self.nimbers.len()).filter(|heap| self.is_rare(self.nimbers[*heap])).collect();
    }

    fn mark(&mut self, nimber: u32, heap: usize) {
        let at = nimber as usize;
        if at >= self.marked_by.len() {
            self.marked_by.resize((at + 1).next_power_of_two(), 0);
        }
        self.marked_by[at] = heap;
    }

    fn is_marked(&self, nimber: u32, heap: usize) -> bool {
        self.marked_by.get(nimber as usize) == Some(&heap)
    }

    fn next(&mut self) {
        let heap = self.nimbers.len();
        let taken = 0..self.digits.len().min(heap + 1);
        for taken in taken.clone() {
            let (digit, left) = (self.digits[taken], heap - taken);
            if left == 0 && digit & 1 != 0 {
                self.mark(0, heap);
            }
            if left > 0 && left < heap && digit & 2 != 0 {
                self.mark(self.nimbers[left], heap);
            }
            if digit & 8 != 0 {
                self.mark_triples(left, heap);
            }
        }
        let splits: Vec<usize> = taken.filter(|taken| self.digits[*taken] & 4 != 0).map(|taken| heap - taken).collect();
        for &left in &splits {
            if self.space == 0 {
                for a in 1..=left / 2 {
                    self.mark(self.nimbers[a] ^ self.nimbers[left - a], heap);
                }
            } else {
                for i in 0..self.rare.len() {
                    let a = self.rare[i];
                    if a >= left {
                        break;
                    }
                    self.mark(self.nimbers[a] ^ self.nimbers[left - a], heap);
                }
            }
        }
        let nimber = self.mex(&splits, heap);
        self.nimbers.push(nimber);
        if self.is_rare(nimber) {
            self.rare.push(heap);
        }
        if self.digits.iter().any(|digit| digit & 8 != 0) {
            self.store_pairs(heap);
        }
    }

    /// Returns the mex of the options' nimbers. Two common nimbers add up to a rare one, so all common options have
    /// been marked. Smaller rare ones are looked up one by one.
    fn mex(&mut self, splits: &[usize], heap: usize) -> u32 {
        let first_unmarked = |search: &Self, is_rare: bool| {
            (0..).find(|nimber| search.is_rare(*nimber) == is_rare && !search.is_marked(*nimber, heap)).unwrap_or(0)
        };
        if self.space == 0 {
            return first_unmarked(self, true);
        }
        let common = first_unmarked(self, false);
        let mut rare = first_unmarked(self, true);
        if rare > common {
            return common;
        }
        for &left in splits {
            for a in (1..=left / 2).rev() {
                let nimber = self.nimbers[a] ^ self.nimbers[left - a];
                if nimber < common && !self.is_marked(nimber, heap) {
                    self.mark(nimber, heap);
                    if nimber == rare {
                        rare = first_unmarked(self, true);
                        if rare > common {
                            return common;
                        }
                    }
                }
            }
        }
        rare
    }

    /// Marks the nimbers of all triples of heaps with this number of tokens.
    fn mark_triples(&mut self, left: usize, heap: usize) {
        for a in 1..left.saturating_sub(1) {
            // `a` is the smallest of the three heaps, or some triples would come twice.
            if 3 * a > left {
                break;
            }
            for i in 0..self.pairs.get(left - a).map_or(0, Vec::len) {
                let nimber = self.nimbers[a] ^ self.pairs[left - a][i];
                self.mark(nimber, heap);
            }
        }
    }

    /// Stores the nimbers of all pairs of heaps with this number of tokens.
    fn store_pairs(&mut self, tokens: usize) {
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

    fn sequence(code: &str, max: usize) -> NimSequence {
        HexadecimalCode::parse(code).unwrap().sequence(max, &Watch::default()).unwrap()
    }

    /// R. K. Guy and C. A. B. Smith (1956), and A. Gangolli and T. Plambeck, "A note on periodicity in some octal
    /// games" (1989): period and preperiod.
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
    fn nimbers_agree_with_plain_mex() {
        for code in [
            "0.77", "0.07", "0.137", "0.6", "0.004", "0.14", "0.36", "0.106", "4.", "4.7", "0.3", "0.156", "0.2",
            "0.45",
        ] {
            let plain = Code::parse(code).unwrap().nimbers(1_500);
            assert_eq!(sequence(code, 1_500).nimbers, plain, "{code}");
        }
    }

    /// Games with three heaps left, against plain enumeration.
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

    /// Splitting a heap into three with nothing taken: the nimbers grow, and no period is claimed.
    #[test]
    fn growth_is_reported_without_a_period() {
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
    fn codes_are_parsed_or_refused() {
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
