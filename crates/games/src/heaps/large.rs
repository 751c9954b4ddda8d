//! Heaps of any size: nimbers by formula or by a proved period, and moves without enumerating all of them.
//!
//! | moves on a heap of n | nimber, for which the tests enumerate all small heaps |
//! |---|---|
//! | any number; any number, and the rest may be split | n |
//! | any number, or a split in two (Lasker's Nim) | n − 1 if 4 divides n, n + 1 if 4 divides n + 1, otherwise n |
//! | powers of an odd number: all are odd | n mod 2 |
//! | powers of an even b: modulo b + 1 they are 1 or b, so the nimbers of the take set {1, b} stay as they are | 2 if n mod (b + 1) is b, otherwise the last bit of n mod (b + 1) |
//! | at most half | n / 2 if n is even, otherwise that of (n − 1) / 2 (OEIS A025480) |
//! | less than half | that of at most half, of n − 1 |
//! | an even number that leaves some, or all of an odd n | n / 2 − 1 if n is even and not 0, (n + 1) / 2 if n is odd |
//! | a proper divisor | the number of times that 2 divides n (OEIS A007814) |
//!
//! Under misère play the heaps of all but the last row are tame, fickle where the nimber is 0 or 1, as every heap with a
//! move has an option of nimber 0 or 1 (T. S. Ferguson, "On sums of graph games with last player losing", 1974).

use balpan::{Tame, Watch};

use super::code::{Code, options_leaving};
use super::period::{HexadecimalCode, agreements};
use super::take::{Split, Take};

/// Maximum size of a heap.
pub const MAX_HEAP: u64 = 1 << 63;

/// The largest heaps whose periods are looked for, one after the other.
const TABLE_SIZES: [u64; 3] = [1 << 12, 1 << 17, u64::MAX];

/// Winning moves that are listed of one position.
const MAX_LISTED: usize = 100;

/// Options of a heap that are enumerated where a formula finds winning moves, too.
const MAX_ENUMERATED: u64 = 256;

/// A heap, or a sum of heaps: its nimber, and whether it is firm under misère play, as a [`Tame`] value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeapValue {
    pub(super) nimber: u64,
    pub(super) is_firm: bool,
}

impl HeapValue {
    const ENDED: Self = Self { nimber: 0, is_firm: false };

    const fn with_nimber(nimber: u64) -> Self {
        Self { nimber, is_firm: nimber > 1 }
    }

    pub(super) fn tame(self) -> Option<Tame> {
        let nimber = self.nimber as u32;
        Tame::from_values(nimber, if self.is_firm { nimber } else { nimber ^ 1 })
    }

    pub(super) const fn misere_value(self) -> u64 {
        if self.is_firm { self.nimber } else { self.nimber ^ 1 }
    }
}

impl From<Tame> for HeapValue {
    fn from(tame: Tame) -> Self {
        Self { nimber: tame.nimber().into(), is_firm: tame.misere_value() == tame.nimber() }
    }
}

impl std::ops::Add for HeapValue {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { nimber: self.nimber ^ other.nimber, is_firm: self.is_firm || other.is_firm }
    }
}

impl Code {
    /// Whether [`by_formula`](Self::by_formula) has the values of all heaps.
    pub(super) fn has_formula(&self, misere: bool) -> bool {
        self.by_formula(1).is_some() && !(misere && matches!(self, Self::Rule(Take::Divisors, _)))
    }

    /// The value of a heap by a formula, if these moves have one.
    pub(super) fn by_formula(&self, heap: u64) -> Option<HeapValue> {
        let nimber = match self {
            Self::Nim | Self::Rule(Take::Any, Split::No | Split::Any) => heap,
            Self::Rule(Take::Any, Split::Two) => lasker(heap),
            Self::Rule(Take::Powers(base), Split::No) if base % 2 == 1 => heap % 2,
            Self::Rule(Take::Powers(base), Split::No) => match base.checked_add(1).map_or(heap, |sum| heap % sum) {
                rest if rest == *base => 2,
                rest => rest % 2,
            },
            Self::Rule(Take::AtMostHalf, Split::No) => odd_part_index(heap),
            Self::Rule(Take::LessThanHalf, Split::No) => odd_part_index(heap.saturating_sub(1)),
            Self::Rule(Take::EvenOrAllIfOdd, Split::No) => heap.div_ceil(2).saturating_sub((heap + 1) % 2),
            Self::Rule(Take::Divisors, Split::No) => heap.checked_ilog2().map_or(0, |_| heap.trailing_zeros().into()),
            _ => return None,
        };
        Some(HeapValue::with_nimber(nimber))
    }
}

/// The nimber in Lasker's Nim; it swaps 3 and 4, 7 and 8, and so on, so it is its own inverse.
const fn lasker(heap: u64) -> u64 {
    match heap % 4 {
        0 if heap > 0 => heap - 1,
        3 => heap + 1,
        _ => heap,
    }
}

/// The v for which `heap` is (2 v + 1) 2^k − 1.
const fn odd_part_index(heap: u64) -> u64 {
    (heap + 1) >> (heap + 1).trailing_zeros() >> 1
}

/// The values of the heaps of a game: a table with a period, unless there is a formula.
#[derive(Clone, Debug)]
pub(super) struct HeapValues<'c> {
    code: &'c Code,
    misere: bool,
    /// By size of heap; `None` where a heap is wild. In normal play all are firm.
    table: Vec<Option<Tame>>,
    /// The first heap and the length of a proved period.
    period: Option<(u64, u64)>,
    /// The largest heap of a table that takes some seconds.
    limit: u64,
}

impl<'c> HeapValues<'c> {
    /// Finds the values of heaps of up to `largest` tokens, as far as they are known and take some seconds.
    pub(super) fn new(code: &'c Code, misere: bool, largest: u64) -> Self {
        let mut values = Self { code, misere, table: Vec::new(), period: None, limit: MAX_HEAP };
        if code.has_formula(misere) {
            return values;
        }
        let digits = code.finite_digits().filter(|_| !misere).map(HexadecimalCode::from_digits);
        let most = if misere { super::code::MAX_MISERE_OPTIONS } else { super::code::MAX_OPTIONS };
        values.limit = code.largest_heap_within(most);
        if digits.is_none() && !misere && values.longest_taken().is_none() && largest > values.limit {
            // A table would prove no period.
            return values;
        }
        let limit = values.limit.min(largest);
        for size in TABLE_SIZES.map(|size| size.min(limit)) {
            let firm = |nimber: &u32| Tame::from_values(*nimber, *nimber);
            if let Some(digits) = &digits {
                let sequence = digits.sequence_until_stopped(size as usize, &Watch::default());
                values.table = sequence.nimbers.iter().map(firm).collect();
                values.period = sequence.period.map(|period| (period.from as u64, period.length as u64));
            } else {
                values.table = if misere { code.tame(size) } else { code.nimbers(size).iter().map(firm).collect() };
                values.period = values.find_period();
            }
            if values.period.is_some() || size == limit {
                break;
            }
        }
        values
    }

    /// The largest number that a move may take, where a move takes one of finitely many numbers and leaves one heap.
    fn longest_taken(&self) -> Option<usize> {
        match self.code {
            Code::Digits(digits) if !self.code.splits() => Some(digits.len() - 1),
            Code::Rule(Take::Set(numbers), Split::No) => Some(*numbers.last()? as usize),
            _ => None,
        }
    }

    /// The period that the table proves: the value of a heap is a function of those of the `longest` heaps before it, so
    /// the sequence repeats once that many do.
    fn find_period(&self) -> Option<(u64, u64)> {
        let longest = self.longest_taken()?;
        // Up to there, a digit may allow to take a whole heap alone, or never.
        let backwards: Vec<_> = self.table.get(longest + 1..)?.iter().rev().copied().collect();
        let same = agreements(&backwards);
        let length = (1..backwards.len()).find(|length| same[*length] >= longest.max(1))?;
        let from = self.table.len() - length - same[length];
        Some((from as u64, length as u64))
    }

    /// Returns the value of a heap; `None` if it is not known.
    pub(super) fn value(&self, heap: u64) -> Option<HeapValue> {
        if self.code.has_formula(self.misere) {
            return self.code.by_formula(heap);
        }
        let at = match self.period {
            Some((from, length)) if heap >= from => from + (heap - from) % length,
            _ => heap,
        };
        self.table.get(usize::try_from(at).ok()?).copied().flatten().map(HeapValue::from)
    }

    /// Returns the largest heap up to which all values are known.
    pub(super) fn max_heap(&self) -> u64 {
        match self.table.iter().position(Option::is_none) {
            Some(wild) => wild as u64 - 1,
            None if self.period.is_some() => MAX_HEAP,
            None => self.limit,
        }
    }

    /// Returns the sum of the heaps; `None` if one of them is not known.
    pub(super) fn sum(&self, heaps: impl IntoIterator<Item = u64>) -> Option<HeapValue> {
        heaps.into_iter().try_fold(HeapValue::ENDED, |sum, heap| Some(sum + self.value(heap)?))
    }

    /// Whether the player to move loses.
    pub(super) const fn is_lost(&self, sum: HeapValue) -> bool {
        (if self.misere { sum.misere_value() } else { sum.nimber }) == 0
    }

    /// Returns winning moves: a heap and what is left of it. They are all if there are few, and at least one if the
    /// position is won.
    pub(super) fn winning_moves(&self, heaps: &[u64]) -> Vec<(u64, [u64; 3])> {
        let mut moves = Vec::new();
        for (n, &heap) in heaps.iter().enumerate() {
            if heap == 0 || heaps[..n].contains(&heap) {
                continue;
            }
            let others = heaps.iter().enumerate().filter(|(other, _)| *other != n).map(|(_, other)| *other);
            let Some(others) = self.sum(others) else { continue };
            let wins = |left: &[u64; 3]| self.sum(*left).is_some_and(|left| self.is_lost(left + others));
            let room = MAX_LISTED - moves.len();
            let candidates = self.candidates(heap, others.nimber).into_iter();
            if self.code.has_formula(self.misere) && heap > MAX_ENUMERATED {
                moves.extend(candidates.filter(wins).take(room).map(|left| (heap, left)));
            } else {
                let bound = self.period.map_or(u64::MAX, |(from, length)| from + length);
                let options =
                    self.code.takes(heap).flat_map(|(taken, digit)| options_leaving(heap - taken, digit, bound));
                moves.extend(options.filter(wins).take(room).map(|left| (heap, left)));
            }
        }
        moves
    }

    /// The options of a large heap, by a formula, among which is one of nimber `target` or `target ^ 1`, if there is one.
    fn candidates(&self, heap: u64, target: u64) -> Vec<[u64; 3]> {
        let one = |left: u64| [left, 0, 0];
        let of_nimber = |target: u64| -> Vec<u64> {
            match self.code {
                Code::Rule(Take::Any, Split::Two) => vec![lasker(target)],
                Code::Rule(Take::AtMostHalf | Take::LessThanHalf, _) => {
                    let shift = u64::from(matches!(self.code, Code::Rule(Take::LessThanHalf, _)));
                    let first = target.checked_mul(2).and_then(|twice| twice.checked_add(1));
                    let sizes = std::iter::successors(first, |size| size.checked_mul(2)).map(|size| size - 1 + shift);
                    sizes.filter(|left| *left < heap && self.allows(heap, *left)).collect()
                }
                Code::Rule(Take::EvenOrAllIfOdd, _) => {
                    let sizes = target
                        .checked_mul(2)
                        .map_or([0; 3], |twice| [0, twice.saturating_sub(1), twice.saturating_add(2)]);
                    sizes.into_iter().filter(|left| *left < heap && self.allows(heap, *left)).collect()
                }
                Code::Rule(Take::Divisors, _) => {
                    let power = 1_u64.checked_shl(target.min(64) as u32).filter(|power| heap.is_multiple_of(*power));
                    power.map(|power| heap.saturating_sub(power)).into_iter().filter(|left| *left > 0).collect()
                }
                _ => vec![target],
            }
        };
        let mut found: Vec<[u64; 3]> = match self.code {
            Code::Rule(Take::Powers(_), _) => self.code.takes(heap).map(|(taken, _)| one(heap - taken)).collect(),
            _ => [target, target ^ 1].into_iter().flat_map(of_nimber).filter(|left| *left < heap).map(one).collect(),
        };
        if matches!(self.code, Code::Rule(Take::Any, Split::Two)) {
            found.push([heap - 1, 1, 0]);
        }
        found
    }

    /// Whether a move may leave one heap of `left` tokens.
    fn allows(&self, heap: u64, left: u64) -> bool {
        match self.code {
            Code::Rule(take, _) => take.next(heap, heap - left - 1) == Some(heap - left),
            _ => true,
        }
    }
}
