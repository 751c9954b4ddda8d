//! Conversion of Python's arguments to goals, methods and languages.

use balpan::{Goal, Method};
use balpan_games::{Lang, Query};
use pyo3::prelude::*;

use crate::errors::argument_error;

/// Parses a goal. `None` stands for the deepest goal that is within reach.
pub(crate) fn goal(py: Python<'_>, word: Option<&str>) -> PyResult<Option<Goal>> {
    Ok(Some(match word {
        None => return Ok(None),
        Some("winner") => Goal::Winner,
        Some("outcome") => Goal::MoveOutcomes,
        Some("value") => Goal::Value,
        Some("moves") => Goal::MoveValues,
        Some(other) => {
            return Err(unknown(py, "ask", other, "'winner', 'outcome', 'value', 'moves' or None"));
        }
    }))
}

/// Returns the question with this goal, and for the nimber if `nimber` is set.
pub(crate) fn question(py: Python<'_>, word: Option<&str>, nimber: bool) -> PyResult<Query> {
    Ok(Query { goal: goal(py, word)?, nim_value: nimber })
}

/// Parses a method.
pub(crate) fn method(py: Python<'_>, word: &str) -> PyResult<Method> {
    Ok(match word {
        "auto" => Method::Auto,
        "minimax" => Method::Minimax,
        "alpha-beta" => Method::AlphaBeta,
        "df-pn" => Method::DfPn,
        "nimber" => Method::Nimber,
        "table" => Method::Table,
        other => {
            let expected = "'auto', 'minimax', 'alpha-beta', 'df-pn', 'nimber' or 'table'";
            return Err(unknown(py, "method", other, expected));
        }
    })
}

/// Parses a language code.
pub(crate) fn lang(py: Python<'_>, code: &str) -> PyResult<Lang> {
    Lang::from_code(code).ok_or_else(|| unknown(py, "lang", code, "'en' or 'ko'"))
}

fn unknown(py: Python<'_>, name: &str, found: &str, expected: &str) -> PyErr {
    argument_error(py, &format!("{name}={found:?}"), &format!("expected {expected}"))
}
