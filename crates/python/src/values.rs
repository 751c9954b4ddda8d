//! Values of what people write.

use std::path::Path;
use std::time::Instant;

use balpan::Budget;
use balpan_games::calculator::{Calculator, CalculatorError, ParsedExpression};
use balpan_games::presets::preset;
use balpan_games::{MakeEngine, RulesFile, TextError};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::errors::{error, of_answer, of_text};
use crate::waiting::{Patience, watched};

/// What an expression is worth: all that `balpan value --json` tells.
#[pyfunction]
#[pyo3(signature = (expression, memory, deadline, progress))]
pub(crate) fn value<'py>(
    py: Python<'py>,
    expression: &str,
    memory: usize,
    deadline: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    // A file that cannot be read is as none: the name is pointed at.
    let rules = |name: &str| -> Result<Option<RulesFile>, TextError> {
        match preset(name) {
            Some(rules) => rules.map(Some),
            None if !Path::new(name).is_file() => Ok(None),
            None => std::fs::read_to_string(name).ok().map(|text| RulesFile::parse(name, &text)).transpose(),
        }
    };
    let written = ParsedExpression::read(expression, rules).map_err(|mistake| of_text(py, &mistake))?;
    let begin = Instant::now();
    let answer = watched(py, Patience::new(py, deadline, progress)?, |watch| {
        Calculator::new(MakeEngine::within(Budget { memory, threads: 1 }), watch).evaluate(&written)
    })?;
    let answer = answer.map_err(|none| match none {
        CalculatorError::Text(mistake) => of_text(py, &mistake),
        CalculatorError::NoAnswer(none) => of_answer(py, &none),
        CalculatorError::Cgt(none) => error(py, "NoAnswerError", &none.to_string(), "allow more memory"),
    })?;
    Ok(pythonize(py, &answer.with_elapsed(begin.elapsed()))?)
}
