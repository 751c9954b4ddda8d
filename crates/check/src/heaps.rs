//! Heaps: a move takes tokens from one heap, and may leave two of the rest, as an octal code says.
//! Who cannot move loses, in misère wins.
//!
//! A position: the sizes of at most 32 heaps, a byte each, the largest first.

use crate::family::{Family, Move, Outcome, Position};

#[derive(Debug)]
pub(crate) struct Heaps {
    /// The digit for each number of tokens taken; `None` for Nim.
    code: Option<Vec<u8>>,
    misere: bool,
}

const MOST_HEAPS: usize = 32;

impl Heaps {
    pub(crate) fn new(code: &str, misere: bool) -> Result<Self, String> {
        if code == "nim" {
            return Ok(Self { code: None, misere });
        }
        let digits = code.split_once('.').filter(|(first, _)| matches!(*first, "0" | "4"));
        let digits =
            digits.map(|(first, others)| first.bytes().chain(others.bytes()).map(|digit| digit.wrapping_sub(b'0')));
        let digits: Option<Vec<u8>> = digits.map(Iterator::collect);
        match digits.filter(|digits| digits.iter().all(|digit| *digit < 8)) {
            Some(digits) => Ok(Self { code: Some(digits), misere }),
            None => Err(format!("the code `{code}`: expected `nim` or an octal code such as `0.77`")),
        }
    }

    /// The digit for taking `taken` tokens: 1 if they may be all, 2 if one heap may be left, 4 if two may.
    fn digit(&self, taken: usize) -> u8 {
        match &self.code {
            None => {
                if taken > 0 {
                    3
                } else {
                    0
                }
            }
            Some(code) => code.get(taken).copied().unwrap_or(0),
        }
    }

    /// What may be left of a heap, in two heaps, the larger first, of which 0 is none.
    fn left(&self, heap: usize) -> Vec<[u8; 2]> {
        let mut left = Vec::new();
        for taken in 0..=heap {
            let (digit, rest) = (self.digit(taken), heap - taken);
            if digit & if rest == 0 { 1 } else { 2 } != 0 {
                left.push([rest as u8, 0]);
            }
            if digit & 4 != 0 {
                left.extend((1..=rest / 2).map(|less| [(rest - less) as u8, less as u8]));
            }
        }
        left
    }
}

fn heaps(position: &Position) -> Vec<u8> {
    let bytes = position.0.to_be_bytes().into_iter().chain(position.1.to_be_bytes());
    bytes.filter(|heap| *heap > 0).collect()
}

fn position(mut heaps: Vec<u8>) -> Option<Position> {
    heaps.retain(|heap| *heap > 0);
    if heaps.len() > MOST_HEAPS {
        return None;
    }
    heaps.sort_unstable_by(|a, b| b.cmp(a));
    let word =
        |from: usize| (from..from + 16).fold(0, |word, n| word << 8 | u128::from(heaps.get(n).copied().unwrap_or(0)));
    Some(Position(word(0), word(16)))
}

impl Family for Heaps {
    fn end(&self, at: &Position) -> Option<Outcome> {
        let ended = heaps(at).iter().all(|heap| self.left((*heap).into()).is_empty());
        ended.then_some(if self.misere { 1 } else { -1 })
    }

    fn moves(&self, at: &Position, moves: &mut Vec<Move>) {
        let all = heaps(at);
        moves.clear();
        for (n, &heap) in all.iter().enumerate() {
            if n > 0 && all[n - 1] == heap {
                continue;
            }
            for left in self.left(heap.into()) {
                let mut after = all.clone();
                after.swap_remove(n);
                after.extend(left);
                // There is room: see `check_room`.
                if let Some(after) = position(after) {
                    let number = u32::from(heap) << 16 | u32::from(left[0]) << 8 | u32::from(left[1]);
                    moves.push(Move { number, after, end: self.end(&after) });
                }
            }
        }
    }

    /// Each move takes a token, or makes one heap more.
    fn layer(&self, at: &Position) -> u32 {
        heaps(at).iter().map(|heap| 2 * u32::from(*heap) - 1).sum()
    }

    fn image(&self, at: &Position, _: &[u8]) -> Position {
        *at
    }

    fn symmetries(&self) -> &[Vec<u8>] {
        &[]
    }

    fn players(&self, _: &Position) -> [&'static str; 2] {
        ["the player to move", "the other player"]
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        let size = |word: &str| word.parse::<u8>().map_err(|_| format!("the heap `{word}`: expected 0 to 255"));
        let all = text.split_whitespace().map(size).collect::<Result<Vec<u8>, _>>()?;
        position(all).ok_or_else(|| format!("more than {MOST_HEAPS} heaps"))
    }

    fn check_room(&self, at: &Position) -> Result<(), String> {
        // Where heaps are split, there can be as many as tokens.
        let splits = (0..=255).any(|taken| self.digit(taken) & 4 != 0);
        let most: usize = heaps(at).iter().map(|heap| if splits { usize::from(*heap) } else { 1 }).sum();
        if most > MOST_HEAPS {
            return Err(format!("there can be {most} heaps: expected at most {MOST_HEAPS}"));
        }
        Ok(())
    }

    fn write(&self, at: &Position) -> String {
        let all: Vec<String> = heaps(at).iter().rev().map(u8::to_string).collect();
        if all.is_empty() { "0".into() } else { all.join(" ") }
    }

    fn write_move(&self, number: u32) -> String {
        let [_, heap, more, less] = number.to_be_bytes();
        if less > 0 { format!("{heap}>{more}+{less}") } else { format!("{heap}>{more}") }
    }

    /// The heaps.
    fn parts(&self, at: &Position) -> Option<Vec<Position>> {
        (!self.misere).then(|| heaps(at).into_iter().filter_map(|heap| position(vec![heap])).collect())
    }
}
