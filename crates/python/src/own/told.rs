//! Answers about positions of Python's: the same fields, with positions and moves as they are.

use balpan::laws::BrokenLaw;
use balpan::{Answer, BrokenPromise, EngineError, Game, MAX_PLIES, Outcome, TooLong};
use balpan_games::Within;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyList};
use pythonize::pythonize;

use super::book::Edge;
use super::rules::{IMPARTIAL_HELP, OwnRules};
use crate::errors::{error_at, of_answer};
use crate::many::shown;

/// The players are told apart by whose turn it is.
const PLAYERS: [&str; 2] = ["first player", "second player"];

/// What is known of a position.
pub(super) fn answer<'py>(
    py: Python<'py>,
    rules: &OwnRules,
    name: &str,
    id: u32,
    known: &Answer<u32>,
    number: Option<u32>,
) -> PyResult<Bound<'py, PyAny>> {
    let told = PyDict::new(py);
    told.set_item("game", name)?;
    told.set_item("rules", PyList::empty(py))?;
    told.set_item("position", rules.position(py, id))?;
    told.set_item("to_move", PLAYERS[0])?;
    let outcome = known.outcome();
    told.set_item("outcome", outcome.map(|outcome| outcome.to_string()))?;
    told.set_item("remoteness", known.verdict().and_then(|verdict| verdict.remoteness))?;
    let winner = match outcome {
        Some(Outcome::Win) => Some(PLAYERS[0]),
        Some(Outcome::Loss) => Some(PLAYERS[1]),
        Some(Outcome::Draw) | None => None,
    };
    told.set_item("winner", winner)?;
    told.set_item("best", known.best_moves().map(|mv| rules.mv(py, mv)).collect::<Vec<_>>())?;
    let moves = PyList::empty(py);
    for (mv, bounds) in known.moves_to_show() {
        let of = PyDict::new(py);
        let verdict = known.verdict_for(bounds);
        of.set_item("move", rules.mv(py, mv))?;
        of.set_item("outcome", verdict.map(|verdict| verdict.outcome.to_string()))?;
        of.set_item("remoteness", verdict.and_then(|verdict| verdict.remoteness))?;
        of.set_item("position", rules.position(py, rules.play(&id, mv)))?;
        within(py, &of, Within::of(known, bounds))?;
        moves.append(of)?;
    }
    told.set_item("moves", moves)?;
    told.set_item("line", known.line.iter().map(|mv| rules.mv(py, *mv)).collect::<Vec<_>>())?;
    if let Some(number) = number {
        told.set_item(if rules.has().misere { "misere_value" } else { "nimber" }, number)?;
    }
    told.set_item("complete", known.complete)?;
    within(py, &told, Within::of(known, known.bounds))?;
    told.set_item("positions_searched", known.positions)?;
    Ok(told.into_any())
}

/// Adds what bounds a value that is not known.
fn within(py: Python<'_>, told: &Bound<'_, PyDict>, within: Within) -> PyResult<()> {
    let bounds = pythonize(py, &within)?;
    told.update(bounds.cast::<PyDict>()?.as_mapping())
}

/// Why there is no answer about a position, with positions and moves as they are.
pub(super) fn no_answer(py: Python<'_>, rules: &OwnRules, id: u32, none: &EngineError) -> PyErr {
    match none {
        EngineError::TooLong(found) => too_long(py, rules, id, found),
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
            error_at(py, "NoAnswerError", &none.to_string(), help, Some(&rules.position(py, id)))
        }
        none => of_answer(py, none),
    }
}

/// What a search found broken, by the names that it has in Python, and the remedy.
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

/// The number of moves of a long play that are listed.
const MAX_MOVES_LISTED: usize = 12;

/// Play that repeats or is too long, by its moves.
fn too_long(py: Python<'_>, rules: &OwnRules, id: u32, found: &TooLong) -> PyErr {
    // A search of what a move leads to numbers the moves from there.
    let after = rules.edges_known(id);
    let plays = std::iter::once(Vec::new()).chain(after.iter().map(|edge| vec![*edge]));
    let play = plays.filter(|_| !found.moves.is_empty()).find_map(|mut play| {
        let before = found.repeats.map(|before| before as usize + play.len());
        play.extend(rules.follow(play.last().map_or(id, |edge| edge.after), &found.moves)?);
        let position = |plies: usize| if plies == 0 { id } else { play[plies - 1].after };
        before.is_none_or(|before| position(before) == position(play.len())).then_some((play, before))
    });
    let at = play.as_ref().and_then(|(play, _)| play.last()).map_or(id, |edge| edge.after);
    let position = rules.position(py, at);
    let listed = |play: &[Edge]| {
        let moves = play.iter().take(MAX_MOVES_LISTED).map(|edge| shown(&rules.mv(py, edge.mv)));
        let more = (play.len() > MAX_MOVES_LISTED).then(|| "...".to_owned());
        moves.chain(more).collect::<Vec<_>>().join(", ")
    };
    let message = match &play {
        Some((play, Some(before))) => format!(
            "play repeats: position {} after {before} plies comes again after {} plies, by the moves {}",
            shown(&position),
            play.len(),
            listed(&play[*before..]),
        ),
        Some((play, None)) => format!(
            "play goes on for too long: {} plies, by the moves {}, to the position {}; a search goes at most {MAX_PLIES} \
             plies deep",
            play.len(),
            listed(play),
            shown(&position),
        ),
        None => format!(
            "play goes on for too long from the position {}; a search goes at most {MAX_PLIES} plies deep",
            shown(&position)
        ),
    };
    let help = "play that goes on for too long has no value: has a move no effect, or is there a way back?";
    error_at(py, "GameError", &message, help, Some(&position))
}

/// A law that is broken, told with positions as Python shows them.
pub(super) fn broken(py: Python<'_>, rules: &OwnRules, broken: BrokenLaw<u32>) -> PyErr {
    let position = rules.position(py, *broken.position());
    let help = match broken {
        BrokenLaw::NotNormal { .. } | BrokenLaw::NotMisere { .. } => IMPARTIAL_HELP,
        _ => "see `balpan.Game` for what each method promises",
    };
    let broken = broken.map(|id| Shown(shown(&rules.position(py, id))));
    error_at(py, "LawError", &broken.to_string(), help, Some(&position))
}

/// A position, as Python shows it.
struct Shown(String);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
