//! Sums of impartial games, and values of expressions.

use std::path::Path;
use std::time::Instant;

use balpan::{Budget, EngineError, Watch};
use balpan_games::calculator::{Calculator, CalculatorError, ParsedExpression};
use balpan_games::presets::preset;
use balpan_games::sum::{SumReport, Summand, WinningMove};
use balpan_games::{EngineOptions, QueryError, RulesFile, TextError};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::errors::{engine_error, error, text_error};
use crate::game::TextGame;
use crate::own::call::guard;
use crate::waiting::{RunControl, run_interruptible};

/// A component of a sum.
#[derive(FromPyObject)]
pub(crate) enum Component<'py> {
    /// A game of a rules file, and the text of a position.
    Rules(PyRef<'py, TextGame>, Option<String>),
    /// A game written in Python: its name, its nimber, and the number of positions searched for it. The caller
    /// finds its moves.
    Python(String, u32, u64),
}

/// See [`Component::Python`].
struct PythonSummand {
    nimber: u32,
    positions: u64,
}

impl Summand for PythonSummand {
    fn position(&self) -> String {
        String::new()
    }

    fn nimber(&mut self, _watch: &Watch) -> Result<u32, EngineError> {
        Ok(self.nimber)
    }

    fn moves_to(&mut self, _nimber: u32, _component: usize, _watch: &Watch) -> Result<Vec<WinningMove>, EngineError> {
        Ok(Vec::new())
    }

    fn nimber_at(&mut self, _position: &str, _watch: &Watch) -> Result<u32, QueryError> {
        Ok(self.nimber)
    }

    fn moves_at(&mut self, _position: &str, _watch: &Watch) -> Result<Vec<WinningMove>, QueryError> {
        Ok(Vec::new())
    }

    fn positions_searched(&self) -> u64 {
        self.positions
    }
}

/// Returns the nimber of each position and of the sum, and the winning moves.
#[pyfunction]
pub(crate) fn sum_of<'py>(
    py: Python<'py>,
    parts: Vec<Component<'py>>,
    moves: bool,
    deadline: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut names = Vec::with_capacity(parts.len());
    let mut summands: Vec<Box<dyn Summand>> = Vec::with_capacity(parts.len());
    let engines = parts.iter().filter(|component| matches!(component, Component::Rules(..))).count();
    for component in parts {
        let (game, position) = match component {
            Component::Rules(game, position) => (game, position),
            Component::Python(name, nimber, positions) => {
                names.push(name);
                summands.push(Box::new(PythonSummand { nimber, positions }));
                continue;
            }
        };
        let (shared, name) = (&game.0, &game.0.rules.name);
        let start = shared.at(py, position.as_deref())?;
        if !start.is_impartial() {
            let help = "a sum takes placement games with the same pieces for both and no supply, heaps, and lines with \
                        shared marks that always end in a line; none of them misère";
            let message = format!("{name} is not impartial, or not by the normal convention");
            return Err(error(py, "NoAnswerError", &message, help));
        }
        // All engines exist at the same time, so they share the memory.
        let Budget { memory, threads } = shared.make.budget;
        let make = EngineOptions::new(Budget { memory: memory / engines, threads });
        summands.push(guard(py, || make.summand(&start))?);
        names.push(name.clone());
    }
    let begin = Instant::now();
    let control = RunControl::new(py, deadline, progress)?;
    let sum = run_interruptible(py, control, |watch| SumReport::find(&names, &mut summands, moves, watch))?;
    let sum = sum.map_err(|error| engine_error(py, &error))?.with_elapsed(begin.elapsed());
    Ok(pythonize(py, &sum)?)
}

/// Returns the value of an expression, with the fields of `balpan value --json`.
#[pyfunction]
pub(crate) fn value<'py>(
    py: Python<'py>,
    expression: &str,
    memory: usize,
    deadline: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    // An unreadable file is treated as missing: the error points at the name.
    let rules = |name: &str| -> Result<Option<RulesFile>, TextError> {
        match preset(name) {
            Some(rules) => rules.map(Some),
            None if !Path::new(name).is_file() => Ok(None),
            None => std::fs::read_to_string(name).ok().map(|text| RulesFile::parse(name, &text)).transpose(),
        }
    };
    let parsed = ParsedExpression::read(expression, rules).map_err(|error| text_error(py, &error))?;
    let begin = Instant::now();
    let answer = run_interruptible(py, RunControl::new(py, deadline, progress)?, |watch| {
        Calculator::new(EngineOptions::new(Budget { memory, threads: 1 }), watch).evaluate(&parsed)
    })?;
    let answer = answer.map_err(|none| match none {
        CalculatorError::Text(error) => text_error(py, &error),
        CalculatorError::NoAnswer(none) => engine_error(py, &none),
        CalculatorError::Cgt(none) => error(py, "NoAnswerError", &none.to_string(), "allow more memory"),
    })?;
    Ok(pythonize(py, &answer.with_elapsed(begin.elapsed()))?)
}
