//! Values of expressions.

use std::path::Path;
use std::time::Instant;

use balpan::Budget;
use balpan_games::calculator::{Calculator, CalculatorError, ParsedExpression};
use balpan_games::presets::preset;
use balpan_games::{MakeEngine, RulesFile, TextError};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::errors::{engine_error, error, text_error};
use crate::waiting::{RunControl, run_interruptible};

/// Returns the value of an expression, with the fields of `balpan value --json`.
#[pyfunction]
#[pyo3(signature = (expression, memory, deadline, progress))]
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
        Calculator::new(MakeEngine::within(Budget { memory, threads: 1 }), watch).evaluate(&parsed)
    })?;
    let answer = answer.map_err(|none| match none {
        CalculatorError::Text(error) => text_error(py, &error),
        CalculatorError::NoAnswer(none) => engine_error(py, &none),
        CalculatorError::Cgt(none) => error(py, "NoAnswerError", &none.to_string(), "allow more memory"),
    })?;
    Ok(pythonize(py, &answer.with_elapsed(begin.elapsed()))?)
}
