//! Position text: the sizes of the heaps, separated by blanks or `+`: `3 5 7`, `3+5+7`. Move
//! text: the heap's size, `>`, and the sizes of the heaps left: `5>2+1`, or `5>0` for none; in Wythoff's Nim also of a
//! second heap, after a comma: `3>1,5>3`.

use balpan::Game;

use super::{Heaps, Move, Position, Rules, messages};
use crate::error::input_errors;
use crate::notation::{Notation, PlayerName};
use crate::text::{TextError, error};
use crate::words::Lang;

/// Maximum number of tokens drawn of a heap.
const MAX_DRAWN_TOKENS: u16 = 60;

input_errors! {
    /// An error in a position of heaps.
    Heaps: HeapsError {
        /// A word that is no heap size.
        NoHeap {
            /// The word.
            word: String,
        } => "no_heap",
        /// A heap of too many tokens.
        TooLarge {
            /// The size, with any number of digits.
            size: String,
            /// The maximum that these moves allow.
            largest: u64,
        } => "heap_too_large",
        /// A heap whose nimber neither a formula nor a proved period gives.
        NoTheory {
            /// The size, with any number of digits.
            size: String,
            /// The largest heap that can be answered.
            largest: u64,
        } => "heap_without_theory",
        /// Too many heaps.
        TooMany {
            /// The maximum number of heaps.
            max: usize,
        } => "too_many_heaps",
        /// No heap before or after a `+`.
        BesidePlus => "no_heap_beside_plus",
        /// An empty text.
        NoHeaps => "no_heaps",
        /// Heaps that cannot arise from the game's start.
        OutOfPlay {
            /// The game's start.
            start: String,
        } => "out_of_play",
    }
}

impl Heaps {
    /// Creates the game by `rules` with the heaps in `text`.
    ///
    /// # Errors
    /// If the text is not a list of heaps, has too many of them, or has heaps too large to
    /// compute their nimbers in some seconds.
    pub fn from_text(rules: Rules, text: &str) -> Result<Self, TextError> {
        let heaps = heaps(text, rules.largest_heap().into(), too_large)?;
        Ok(Self::new(rules, heaps.into_iter().map(|heap| heap as u16).collect()))
    }
}

pub(super) const fn too_large(size: String, largest: u64) -> HeapsError {
    HeapsError::TooLarge { size, largest }
}

impl Rules {
    /// The largest heap of games whose moves are enumerated.
    pub(super) fn largest_heap(&self) -> u16 {
        if self.misere && !self.code.is_joint() { u16::MAX } else { self.code.largest_heap() }
    }
}

/// Parses sizes of heaps, none above `largest`; `too_large` makes the error of one that is.
pub(super) fn heaps(text: &str, largest: u64, too_large: fn(String, u64) -> HeapsError) -> Result<Vec<u64>, TextError> {
    let is_between = |c: char| c == '+' || c.is_whitespace();
    let mut heaps = Vec::new();
    let mut at = 0;
    // The span of a `+` that has no heap after it yet.
    let mut plus = None;
    for piece in text.split_inclusive(is_between) {
        let size = piece.trim_end_matches(is_between);
        let span = at..at + size.len();
        if !size.is_empty() {
            plus = None;
            if !size.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(error(text, span, HeapsError::NoHeap { word: size.into() }));
            }
            match size.parse() {
                Ok(heap) if heap <= largest => heaps.push(heap),
                _ => return Err(error(text, span, too_large(size.into(), largest))),
            }
            if heaps.len() > Heaps::MAX_HEAPS {
                let mistake = HeapsError::TooMany { max: Heaps::MAX_HEAPS };
                return Err(error(text, at..at + size.len(), mistake));
            }
        }
        at += piece.len();
        if piece.ends_with('+') {
            if plus.is_some() || heaps.is_empty() {
                return Err(error(text, at - 1..at, HeapsError::BesidePlus));
            }
            plus = Some(at - 1..at);
        }
    }
    if let Some(span) = plus {
        return Err(error(text, span, HeapsError::BesidePlus));
    }
    if heaps.is_empty() {
        return Err(error(text, 0..text.len(), HeapsError::NoHeaps));
    }
    Ok(heaps)
}

/// Formats sizes with a separator; `0` if there are none.
pub(super) fn join_heaps<H: ToString>(heaps: &[H], between: &str) -> String {
    match heaps {
        [] => "0".to_owned(),
        heaps => heaps.iter().map(H::to_string).collect::<Vec<_>>().join(between),
    }
}

/// Formats a move: the heap, and the heaps left of it, the larger first.
pub(super) fn move_text<H: ToString + Default + PartialEq>(heap: H, left: [H; 3]) -> String {
    let count = left.iter().filter(|left| **left != H::default()).count();
    format!("{}>{}", heap.to_string(), join_heaps(&left[..count], "+"))
}

impl Notation for Heaps {
    fn describe(&self, lang: Lang) -> Vec<String> {
        messages::describe(lang, &self.rules)
    }

    fn size(&self) -> String {
        self.text(&self.start())
    }

    fn parse(&self, text: &str) -> Result<Position, TextError> {
        let heaps = heaps(text, u16::MAX.into(), too_large)?;
        let position = Position::new(heaps.into_iter().map(|heap| heap as u16).collect());
        if !self.is_legal(&position) {
            return Err(error(text, 0..text.len(), HeapsError::OutOfPlay { start: self.size() }));
        }
        Ok(position)
    }

    fn text(&self, position: &Position) -> String {
        join_heaps(&position.0, " ")
    }

    fn move_text(&self, _position: &Position, Move { heap, left, other: [other, other_left] }: Move) -> String {
        let text = move_text(heap, left);
        if other > 0 { format!("{text},{other}>{other_left}") } else { text }
    }

    fn heaps(&self, position: &Position) -> Option<Vec<u16>> {
        Some(position.heaps().to_vec())
    }

    /// A row of tokens for each heap; `0` if there are none.
    fn draw_lines(&self, position: &Position) -> Vec<String> {
        let width = self.start.largest().to_string().len();
        let row = |heap: &u16| {
            let more = if *heap > MAX_DRAWN_TOKENS { "…" } else { "" };
            format!("{heap:>width$}  {}{more}", "o".repeat((*heap).min(MAX_DRAWN_TOKENS).into()))
        };
        match position.heaps() {
            [] => vec!["0".to_owned()],
            heaps => heaps.iter().map(row).collect(),
        }
    }

    fn players(&self, _position: &Position) -> [PlayerName; 2] {
        PlayerName::BY_TURN
    }
}
