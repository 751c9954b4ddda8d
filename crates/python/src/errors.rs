//! Conversion of errors to the exceptions of `balpan._errors`.

use balpan::reach::ReachError;
use balpan::{EngineError, Stopped, TableError};
use balpan_games::{ChangeError, Explanation, Lang, QueryError, TextError, TextKind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns an exception of this class with a message and advice.
pub(crate) fn error(py: Python<'_>, class: &str, message: &str, help: &str) -> PyErr {
    error_at(py, class, message, help, None)
}

/// Returns an exception of this class, with the position that it is about.
pub(crate) fn error_at(
    py: Python<'_>,
    class: &str,
    message: &str,
    help: &str,
    position: Option<&Bound<'_, PyAny>>,
) -> PyErr {
    let exception = || -> PyResult<PyErr> {
        let class = py.import("balpan._errors")?.getattr(class)?;
        let fields = PyDict::new(py);
        if !help.is_empty() {
            fields.set_item("help", help)?;
        }
        if let Some(position) = position {
            fields.set_item("position", position)?;
        }
        Ok(PyErr::from_value(class.call((message,), Some(&fields))?))
    };
    exception().unwrap_or_else(|failure| failure)
}

/// Returns the error for an invalid argument.
pub(crate) fn argument_error(py: Python<'_>, message: &str, help: &str) -> PyErr {
    error(py, "ArgumentError", message, help)
}

/// Returns the error for an invalid number of seconds.
pub(crate) fn seconds_error(py: Python<'_>, name: &str, found: f64) -> PyErr {
    argument_error(py, &format!("{name}={found}"), "expected seconds, 0 or more, or a `timedelta`")
}

/// Returns the error for a thread that cannot be started.
pub(crate) fn thread_error(py: Python<'_>, failed: &std::io::Error) -> PyErr {
    error(py, "NoAnswerError", &format!("no thread can be started: {failed}"), "end other work, or take fewer threads")
}

/// Returns the error for text that cannot be parsed. Its class depends on the kind of text.
pub(crate) fn text_error(py: Python<'_>, cause: &TextError) -> PyErr {
    let class = match cause.kind {
        TextKind::Position => "PositionError",
        TextKind::Record => "MovesError",
        TextKind::Rules(_) => "RulesError",
        TextKind::Expression => "PositionError",
    };
    let Explanation { message, help } = cause.explain(Lang::En);
    // Python counts characters, not bytes.
    let characters = |byte: usize| cause.text.char_indices().take_while(|(at, _)| *at < byte).count();
    let exception = || -> PyResult<PyErr> {
        let class = py.import("balpan._errors")?.getattr(class)?;
        let fields = PyDict::new(py);
        fields.set_item("position", &cause.text)?;
        fields.set_item("span", (characters(cause.span.start), characters(cause.span.end)))?;
        fields.set_item("help", help)?;
        fields.set_item("kind", cause.cause.kind())?;
        Ok(PyErr::from_value(class.call((message,), Some(&fields))?))
    };
    exception().unwrap_or_else(|failure| failure)
}

/// Returns the error for an invalid change of rules.
pub(crate) fn change_error(py: Python<'_>, cause: &ChangeError) -> PyErr {
    match cause {
        ChangeError::Text(cause) => text_error(py, cause),
        other => {
            error(py, "RulesError", &other.message(Lang::En), "the keys and their values are in the game's `rules`")
        }
    }
}

/// Returns the error of an engine that answers in text.
pub(crate) fn text_answer_error(py: Python<'_>, error: &QueryError) -> PyErr {
    match error {
        QueryError::Text(cause) => text_error(py, cause),
        QueryError::NoAnswer(error) => engine_error(py, error),
    }
}

/// Returns the error of an engine.
pub(crate) fn engine_error(py: Python<'_>, cause: &EngineError) -> PyErr {
    let help = match cause {
        EngineError::Table(TableError::TooLarge { .. } | TableError::NoMemory { .. }) => {
            "allow more with memory=, or take a smaller board"
        }
        EngineError::TooLong(_) => "take smaller heaps; or ask for the winner alone, which follows from the nimber",
        EngineError::Stopped(_) => "allow more time with deadline=",
        EngineError::NotImpartial => "ask without the nimber, or take a game such as nim, kayles or cram",
        _ => "take method=\"auto\"",
    };
    error(py, "NoAnswerError", &cause.to_string(), help)
}

/// Returns the error of an unfinished census.
pub(crate) fn census_error(py: Python<'_>, unfinished: &ReachError) -> PyErr {
    let help = match unfinished {
        ReachError::TooMany(_) => {
            "allow more with memory=, or take a smaller board; with symmetry=True, fewer are counted"
        }
        ReachError::Stopped(Stopped::TooLong(_)) => "take smaller heaps",
        ReachError::Stopped(_) => "allow more time",
    };
    error(py, "NoAnswerError", &unfinished.to_string(), help)
}
