//! Treblecross on a long row, by independent parts.
//!
//! A player who marks a cell at most two away from a mark lets the other player complete three in a row. So both mark *safe*
//! cells, farther from all marks, as long as there are any; who runs out of them loses. A mark on a safe cell takes it and
//! two neighbours to each side from its run of safe cells: a run of n is a heap of n + 2 of the octal game 0.007, in
//! which three tokens are taken and two heaps may be left (E. Berlekamp, J. Conway and R. Guy, "Winning Ways", chapter 4).

use balpan::Outcome;

use super::Code;
use super::large::HeapValues;
use crate::answer::{Answer, NimValue};
use crate::presets::preset;
use crate::rules::RulesFile;

/// Cells of the longest row.
const MAX_ROW: usize = 4096;

/// Cells of a row from which on it is answered by its parts: shorter ones are solved with plies.
const MIN_ROW: usize = 21;

/// Answers about a long row of Treblecross: who wins, all winning moves, and the nimber of the safe cells unless there is a
/// winning move on another cell. `None` for other games and positions.
pub(crate) fn row_answer(rules: &RulesFile, text: &str) -> Option<Answer> {
    let row: Vec<bool> = text
        .bytes()
        .map(|glyph| match glyph {
            b'.' => Some(false),
            b'x' | b'X' => Some(true),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let is_treblecross = || {
        let own = preset("treblecross")?.ok()?.assignments().ok()?;
        (rules.assignments().ok()? == own).then_some(())
    };
    if !(MIN_ROW..=MAX_ROW).contains(&row.len()) {
        return None;
    }
    is_treblecross()?;
    let (outcome, cells, nimber) = solve_row(&row)?;
    let after = |cell: usize| {
        let glyph = |at: usize| if row[at] || at == cell { 'x' } else { '.' };
        (format!("0,{cell}"), (0..row.len()).map(glyph).collect())
    };
    let players = crate::notation::PlayerName::BY_TURN;
    let winning = cells.into_iter().map(after).collect();
    Some(Answer::by_theory(
        text.to_lowercase(),
        players,
        outcome == Outcome::Loss,
        winning,
        nimber.map(NimValue::Nimber),
    ))
}

/// The outcome of a row of at least three cells with its winning cells, and the nimber of its safe cells if no move
/// completes three in a row; `None` if play is over.
fn solve_row(row: &[bool]) -> Option<(Outcome, Vec<usize>, Option<u64>)> {
    let is_marked = |at: usize| row.get(at).copied().unwrap_or(false);
    let count_before = |at: usize| (1..=2).take_while(|by| at >= *by && row[at - by]).count();
    let count_after = |at: usize| (1..=2).take_while(|by| is_marked(at + by)).count();
    if (0..row.len()).any(|at| row[at] && count_after(at) == 2) {
        return None;
    }
    let completes = |at: &usize| !row[*at] && count_before(*at) + count_after(*at) >= 2;
    let completing: Vec<usize> = (0..row.len()).filter(completes).collect();
    if !completing.is_empty() {
        return Some((Outcome::Win, completing, None));
    }
    let is_safe = |at: usize| !(at.saturating_sub(2)..=at + 2).any(is_marked);
    let safe: Vec<bool> = (0..row.len()).map(is_safe).collect();
    let code = Code::Digits(vec![0, 0, 0, 7]);
    let values = HeapValues::new(&code, false, row.len() as u64 + 2);
    let nimber = |run: usize| values.value(run as u64 + 2).map_or(0, |value| value.nimber);
    let mut runs = Vec::new();
    let mut at = 0;
    for run in safe.chunk_by(|a, b| a == b) {
        if run[0] {
            runs.push((at, run.len()));
        }
        at += run.len();
    }
    let sum = runs.iter().fold(0, |sum, (_, run)| sum ^ nimber(*run));
    let wins = |(from, run): &(usize, usize)| {
        let (from, run, others) = (*from, *run, sum ^ nimber(*run));
        let is_winning = move |at: &usize| {
            let [before, after] = [*at, run - 1 - at].map(|cells| nimber(cells.saturating_sub(2)));
            before ^ after == others
        };
        (0..run).filter(is_winning).map(move |at| from + at).collect::<Vec<_>>()
    };
    let winning: Vec<usize> = runs.iter().flat_map(wins).collect();
    Some((if winning.is_empty() { Outcome::Loss } else { Outcome::Win }, winning, Some(sum)))
}
