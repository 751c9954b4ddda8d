//! Answers and errors about games written in Python, with positions and moves as Python objects.

use balpan::laws::BrokenLaw;
use balpan::{Answer, BrokenPromise, EngineError, Game, MAX_PLIES, Outcome, TooLong, Verdict};
use balpan_games::ReportedBounds;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyList};
use pythonize::pythonize;

use super::interned::Edge;
use super::rules::{IMPARTIAL_HELP, PythonRules};
use crate::errors::{self, error_at};
use crate::many::repr;

/// The names of the player to move and the other.
const PLAYERS: [&str; 2] = ["first player", "second player"];

/// Converts an answer to a dictionary with the fields of the command's `--json`.
pub(super) fn to_dict<'py>(
    py: Python<'py>,
    rules: &PythonRules,
    name: &str,
    id: u32,
    answer: &Answer<u32>,
    number: Option<u32>,
) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    dict.set_item("game", name)?;
    dict.set_item("rules", PyList::empty(py))?;
    dict.set_item("position", rules.position(py, id))?;
    dict.set_item("to_move", PLAYERS[0])?;
    let outcome = answer.outcome();
    dict.set_item("outcome", outcome.map(|outcome| outcome.to_string()))?;
    dict.set_item("remoteness", answer.verdict().and_then(|verdict| verdict.remoteness))?;
    if rules.max_score() > 0 {
        dict.set_item("score", answer.verdict().and_then(score))?;
    }
    let winner = match outcome {
        Some(Outcome::Win) => Some(PLAYERS[0]),
        Some(Outcome::Loss) => Some(PLAYERS[1]),
        Some(Outcome::Draw) | None => None,
    };
    dict.set_item("winner", winner)?;
    dict.set_item("best", answer.best_moves().map(|mv| rules.mv(py, mv)).collect::<Vec<_>>())?;
    let moves = PyList::empty(py);
    for (mv, bounds) in answer.moves_to_show() {
        let entry = PyDict::new(py);
        let verdict = answer.verdict_for(bounds);
        entry.set_item("move", rules.mv(py, mv))?;
        entry.set_item("outcome", verdict.map(|verdict| verdict.outcome.to_string()))?;
        entry.set_item("remoteness", verdict.and_then(|verdict| verdict.remoteness))?;
        if rules.max_score() > 0 {
            entry.set_item("score", verdict.and_then(score))?;
        }
        entry.set_item("position", rules.position(py, rules.play(&id, mv)))?;
        add_bounds(py, &entry, ReportedBounds::new(answer, bounds))?;
        moves.append(entry)?;
    }
    dict.set_item("moves", moves)?;
    dict.set_item("line", answer.line.iter().map(|mv| rules.mv(py, *mv)).collect::<Vec<_>>())?;
    if let Some(number) = number {
        dict.set_item(if rules.has().misere { "misere_value" } else { "nimber" }, number)?;
    }
    dict.set_item("complete", answer.complete)?;
    add_bounds(py, &dict, ReportedBounds::new(answer, answer.bounds))?;
    dict.set_item("positions_searched", answer.positions)?;
    Ok(dict.into_any())
}

/// Returns the score of a verdict, 0 for a draw.
fn score(verdict: Verdict) -> Option<i32> {
    if verdict.outcome == Outcome::Draw { Some(0) } else { verdict.score }
}

/// Adds the bounds of a value that is not known exactly.
fn add_bounds(py: Python<'_>, dict: &Bound<'_, PyDict>, bounds: ReportedBounds) -> PyResult<()> {
    let bounds = pythonize(py, &bounds)?;
    dict.update(bounds.cast::<PyDict>()?.as_mapping())
}

/// Converts an error of the engine, with positions and moves as Python objects.
pub(super) fn engine_error(py: Python<'_>, rules: &PythonRules, id: u32, error: &EngineError) -> PyErr {
    match error {
        EngineError::TooLong(play) => too_long_error(py, rules, id, play),
        EngineError::Broken(promise) => {
            let (message, help) = promise_words(*promise);
            error_at(py, "GameError", message, help, Some(&rules.position(py, id)))
        }
        EngineError::NotImpartial => {
            let help = if rules.has().impartial {
                "a misère game has none: leave `method` out"
            } else {
                "set `impartial = True` if both players have the same moves, and whoever cannot move loses"
            };
            error_at(py, "NoAnswerError", &error.to_string(), help, Some(&rules.position(py, id)))
        }
        other => errors::engine_error(py, other),
    }
}

/// Describes a broken promise with Python's names of the methods, and gives advice.
const fn promise_words(promise: BrokenPromise) -> (&'static str, &'static str) {
    const CHECK: &str = "balpan.check_laws() finds the position that shows it";
    match promise {
        BrokenPromise::ImpartialEnd => {
            ("an end of this `impartial` game is no loss for the player to move", IMPARTIAL_HELP)
        }
        BrokenPromise::MisereEnd => {
            ("an end of this `impartial`, `misere` game is no win for the player to move", IMPARTIAL_HELP)
        }
        BrokenPromise::Mobility => ("a nimber is larger than the number of moves, so parts() or key() is wrong", CHECK),
        BrokenPromise::Contradiction => {
            ("two answers about a position contradict each other, so bounds(), canonical() or key() is wrong", CHECK)
        }
        BrokenPromise::Form => ("a search goes deeper than any play, so canonical() or parts() is wrong", CHECK),
        _ => ("the game does not keep a promise", CHECK),
    }
}

/// The most moves of a long play that are listed.
const MAX_MOVES_LISTED: usize = 12;

/// Returns the error for play that repeats or is too long, with its moves.
fn too_long_error(py: Python<'_>, rules: &PythonRules, id: u32, too_long: &TooLong) -> PyErr {
    // If the engine searched the position after a move, the moves are numbered from there.
    let after = rules.known_edges(id);
    let plays = std::iter::once(Vec::new()).chain(after.iter().map(|edge| vec![*edge]));
    let play = plays.filter(|_| !too_long.moves.is_empty()).find_map(|mut play| {
        let before = too_long.repeats.map(|before| before as usize + play.len());
        play.extend(rules.follow(play.last().map_or(id, |edge| edge.after), &too_long.moves)?);
        let position = |plies: usize| if plies == 0 { id } else { play[plies - 1].after };
        before.is_none_or(|before| position(before) == position(play.len())).then_some((play, before))
    });
    let at = play.as_ref().and_then(|(play, _)| play.last()).map_or(id, |edge| edge.after);
    let position = rules.position(py, at);
    let list_moves = |play: &[Edge]| {
        let moves = play.iter().take(MAX_MOVES_LISTED).map(|edge| repr(&rules.mv(py, edge.mv)));
        let more = (play.len() > MAX_MOVES_LISTED).then(|| "...".to_owned());
        moves.chain(more).collect::<Vec<_>>().join(", ")
    };
    let message = match &play {
        Some((play, Some(before))) => format!(
            "play repeats: position {} after {before} plies comes again after {} plies, by the moves {}",
            repr(&position),
            play.len(),
            list_moves(&play[*before..]),
        ),
        Some((play, None)) => format!(
            "play goes on for too long: {} plies, by the moves {}, to the position {}; a search goes at most {MAX_PLIES} \
             plies deep",
            play.len(),
            list_moves(play),
            repr(&position),
        ),
        None => format!(
            "play goes on for too long from the position {}; a search goes at most {MAX_PLIES} plies deep",
            repr(&position)
        ),
    };
    let help = "play that goes on for too long has no value: has a move no effect, or is there a way back?";
    error_at(py, "GameError", &message, help, Some(&position))
}

/// Returns the error for a broken law, with positions as Python's `repr`.
pub(super) fn law_error(py: Python<'_>, rules: &PythonRules, law: BrokenLaw<u32>) -> PyErr {
    let position = rules.position(py, *law.position());
    let help = match law {
        BrokenLaw::NotNormal { .. } | BrokenLaw::NotMisere { .. } => IMPARTIAL_HELP,
        _ => "see `balpan.Game` for what each method promises",
    };
    let law = law.map(|id| Repr(repr(&rules.position(py, id))));
    error_at(py, "LawError", &law.to_string(), help, Some(&position))
}

/// A position whose `Debug` is Python's `repr`.
struct Repr(String);

impl std::fmt::Debug for Repr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
