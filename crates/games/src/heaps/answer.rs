//! Answers about heaps too large for a search, by their values.

use balpan::{Goal, Outcome};

use super::Rules;
use super::large::{HeapValues, MAX_HEAP};
use super::notation::{HeapsError, heaps, join_heaps, move_text};
use crate::answer::{Answer, MoveAnswer, NimValue, ReportedBounds};
use crate::error::InputError;
use crate::notation::PlayerName;
use crate::text::{TextError, error};

/// Answers about a position with a heap too large for games that enumerate moves; `None` if it has none.
pub(super) fn large_answer(rules: &Rules, text: &str) -> Option<Result<Answer, TextError>> {
    let no_theory = |size, largest| HeapsError::NoTheory { size, largest };
    // Other errors are found where the game is made.
    let all = match heaps(text, u64::MAX, no_theory) {
        Err(error) if matches!(error.cause, InputError::Heaps(HeapsError::NoTheory { .. })) => vec![u64::MAX],
        all => all.ok()?,
    };
    let largest = all.iter().copied().max().filter(|largest| *largest > rules.largest_heap().into())?;
    let values = HeapValues::new(&rules.code, rules.misere, largest.min(MAX_HEAP));
    Some(heaps(text, values.max_heap(), no_theory).and_then(|mut heaps| {
        heaps.retain(|heap| *heap > 0);
        heaps.sort_unstable();
        let unknown = || HeapsError::NoTheory { size: largest.to_string(), largest: values.max_heap() };
        let sum = values.sum(heaps.iter().copied()).ok_or_else(|| error(text, 0..text.len(), unknown()))?;
        let nim_value =
            if rules.misere { NimValue::MisereValue(sum.misere_value()) } else { NimValue::Nimber(sum.nimber) };
        let after = |heap: u64, left: [u64; 3]| {
            let mut after = heaps.clone();
            after.remove(after.binary_search(&heap).unwrap_or(0));
            after.extend(left.into_iter().filter(|left| *left > 0));
            after.sort_unstable();
            (move_text(heap, left), join_heaps(&after, " "))
        };
        let is_lost = values.is_lost(sum);
        let winning = if is_lost { Vec::new() } else { values.winning_moves(&heaps) };
        let winning = winning.into_iter().map(|(heap, left)| after(heap, left)).collect();
        Ok(theory_answer(join_heaps(&heaps, " "), PlayerName::BY_TURN, is_lost, winning, Some(nim_value)))
    }))
}

/// An answer that follows without a search: who wins, and winning moves with the positions after them.
pub(super) fn theory_answer(
    position: String,
    [mover, other]: [PlayerName; 2],
    is_lost: bool,
    winning: Vec<(String, String)>,
    nim_value: Option<NimValue>,
) -> Answer {
    let winning_move = |(text, position)| MoveAnswer {
        text,
        outcome: Some(Outcome::Win),
        remoteness: None,
        score: None,
        position,
        keeps_turn: false,
        within: ReportedBounds::default(),
    };
    Answer {
        game: String::new(),
        rules: Vec::new(),
        position,
        to_move: mover,
        outcome: Some(if is_lost { Outcome::Loss } else { Outcome::Win }),
        remoteness: None,
        score: None,
        winner: Some(if is_lost { other } else { mover }),
        best: winning.iter().map(|(text, _)| text.clone()).collect(),
        moves: winning.into_iter().map(winning_move).collect(),
        line: Vec::new(),
        repeats: false,
        line_turns: Vec::new(),
        nim_value,
        nimber_at_least: None,
        complete: true,
        within: ReportedBounds::default(),
        positions_searched: 0,
        seconds: 0.0,
        goal: Goal::Winner,
    }
}
