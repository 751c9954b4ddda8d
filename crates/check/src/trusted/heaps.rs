//! Heaps: a move takes tokens from one heap, and may leave two of the rest, as an octal code says. A player who
//! cannot move loses, or in misère play wins.
//!
//! A position: the sizes of at most 32 heaps, a byte each, the largest first.

use super::game::{Game, LOST, Move, Outcome, Position, WON, flag};
use crate::untrusted::meter::Meter;
use crate::{CheckError, Result};

#[derive(Debug)]
pub(crate) struct Heaps {
    /// The digit for each number of tokens taken; `None` for Nim.
    pub(crate) code: Option<Vec<u8>>,
    misere: bool,
    /// Whether each size of heap has a move.
    has_move: Vec<bool>,
}

pub(crate) const MAX_HEAPS: usize = 32;

impl Heaps {
    pub(crate) fn new(code: Option<Vec<u8>>, misere: bool) -> Self {
        let is_finite = code.as_ref().is_none_or(|code| code.first().is_some_and(|first| first & 3 == 0));
        assert!(is_finite, "a move takes a token or makes a heap more");
        let mut heaps = Self { code, misere, has_move: Vec::new() };
        heaps.has_move = (0..=u8::MAX).map(|heap| heaps.each_rest(heap).next().is_some()).collect();
        heaps
    }

    /// The digit for taking `taken` tokens: 1 if they may be all, 2 if one heap may be left, 4 if two may.
    fn digit(&self, taken: u8) -> u8 {
        match &self.code {
            None => 3 * u8::from(taken > 0),
            Some(code) => code.get(usize::from(taken)).copied().unwrap_or(0),
        }
    }

    /// The rests that a move may leave of a heap: two heaps, the larger first; 0 is no heap.
    fn each_rest(&self, heap: u8) -> impl Iterator<Item = [u8; 2]> {
        (0..=heap).flat_map(move |taken| {
            let (digit, rest) = (self.digit(taken), heap - taken);
            let one = digit & if rest == 0 { 1 } else { 2 } != 0;
            let halves = if digit & 4 != 0 { rest / 2 } else { 0 };
            one.then_some([rest, 0]).into_iter().chain((1..=halves).map(move |less| [rest - less, less]))
        })
    }
}

/// The heaps of a position, the largest first.
pub(crate) fn heaps(at: &Position) -> impl DoubleEndedIterator<Item = u8> {
    at.0.to_be_bytes().into_iter().chain(at.1.to_be_bytes()).filter(|heap| *heap > 0)
}

/// The position of some heaps; `None` if there are too many.
pub(crate) fn position(all: impl Iterator<Item = u8>) -> Option<Position> {
    let (mut sorted, mut count) = ([0; MAX_HEAPS], 0);
    for heap in all.filter(|heap| *heap > 0) {
        *sorted.get_mut(count)? = heap;
        count += 1;
    }
    sorted[..count].sort_unstable_by(|a, b| b.cmp(a));
    let word = |from: usize| sorted[from..from + 16].iter().fold(0, |word, heap| word << 8 | u128::from(*heap));
    Some(Position::new(word(0), word(16)))
}

impl Game for Heaps {
    fn end(&self, at: &Position, meter: &Meter) -> Result<Option<Outcome>> {
        meter.spend(32)?;
        let is_over = !heaps(at).any(|heap| self.has_move[usize::from(heap)]);
        Ok(is_over.then_some(if self.misere { WON } else { LOST }))
    }

    fn moves(&self, at: &Position, meter: &Meter, moves: &mut Vec<Move>) -> Result<()> {
        let too_many = || CheckError::TooLarge(format!("a move leaves more than {MAX_HEAPS} heaps"));
        let mut last = 0;
        for (n, heap) in heaps(at).enumerate().filter(|(_, heap)| self.has_move[usize::from(*heap)]) {
            if heap == last {
                continue;
            }
            last = heap;
            for rest in self.each_rest(heap) {
                meter.spend(128)?;
                let others = heaps(at).enumerate().filter(|other| other.0 != n).map(|other| other.1);
                let after = position(others.chain(rest)).ok_or_else(too_many)?;
                let number = u32::from(heap) << 16 | u32::from(rest[0]) << 8 | u32::from(rest[1]);
                moves.push(Move { number, after, end: self.end(&after, meter)?, keeps_turn: false });
            }
        }
        Ok(())
    }

    /// Every move lowers this: it takes a token, or makes one heap more.
    fn layer(&self, at: &Position) -> u32 {
        heaps(at).map(|heap| 2 * u32::from(heap) - 1).sum()
    }

    fn write(&self, at: &Position) -> String {
        let all: Vec<String> = heaps(at).rev().map(|heap| heap.to_string()).collect();
        if all.is_empty() { "0".into() } else { all.join(" ") }
    }

    fn rules(&self) -> Vec<String> {
        let digits = |code: &[u8]| code.iter().map(u8::to_string).collect::<String>();
        let code = self.code.as_ref().map_or("nim".into(), |code| format!("{}.{}", code[0], digits(&code[1..])));
        vec![format!("code: {code}"), flag("misere", self.misere)]
    }

    /// The heaps.
    fn parts(&self, at: &Position, meter: &Meter) -> Result<Option<Vec<Position>>> {
        meter.spend(32)?;
        Ok((!self.misere).then(|| heaps(at).filter_map(|heap| position([heap].into_iter())).collect()))
    }
}
