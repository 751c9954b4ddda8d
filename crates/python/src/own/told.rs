//! Answers about positions of Python's: the same fields, with positions and moves as they are.

use balpan::laws::Broken;
use balpan::{Answer, Game, Outcome};
use balpan_games::Within;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyList};
use pythonize::pythonize;

use super::rules::OwnRules;
use crate::errors::error;

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
    told.set_item("best", known.best().map(|mv| rules.mv(py, mv)).collect::<Vec<_>>())?;
    let moves = PyList::empty(py);
    for (mv, bounds) in known.shown() {
        let of = PyDict::new(py);
        let verdict = known.told(bounds);
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

/// A law that is broken, told with positions as Python shows them.
pub(super) fn broken(py: Python<'_>, rules: &OwnRules, broken: Broken<u32>) -> PyErr {
    let shown =
        broken.map(|id| Shown(rules.position(py, id).repr().map_or_else(|_| "?".into(), |shown| shown.to_string())));
    error(py, "LawError", &shown.to_string(), "see `balpan.Game` for what each method promises")
}

/// A position, as Python shows it.
struct Shown(String);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
