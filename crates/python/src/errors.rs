//! What is wrong, as an exception of `balpan._errors`.

use balpan::reach::ReachError;
use balpan::{EngineError, Stopped, TableError};
use balpan_games::{ChangeError, Lang, NoTextAnswer, TextError, TextOf, Words};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An exception of this class, with what was found and what can be done.
pub(crate) fn error(py: Python<'_>, class: &str, message: &str, help: &str) -> PyErr {
    error_at(py, class, message, help, None)
}

/// An exception of this class, about this position.
pub(crate) fn error_at(
    py: Python<'_>,
    class: &str,
    message: &str,
    help: &str,
    position: Option<&Bound<'_, PyAny>>,
) -> PyErr {
    let raised = || -> PyResult<PyErr> {
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
    raised().unwrap_or_else(|failed| failed)
}

/// An argument that is not one of those that are allowed.
pub(crate) fn of_argument(py: Python<'_>, message: &str, help: &str) -> PyErr {
    error(py, "ArgumentError", message, help)
}

/// A number of seconds that is none.
pub(crate) fn of_seconds(py: Python<'_>, name: &str, found: f64) -> PyErr {
    of_argument(py, &format!("{name}={found}"), "expected seconds, 0 or more, or a `timedelta`")
}

/// A thread that the system does not start.
pub(crate) fn of_thread(py: Python<'_>, failed: &std::io::Error) -> PyErr {
    error(py, "NoAnswerError", &format!("no thread can be started: {failed}"), "end other work, or take fewer threads")
}

/// Text that cannot be read: the class tells what it is.
pub(crate) fn of_text(py: Python<'_>, mistake: &TextError) -> PyErr {
    let class = match mistake.of {
        TextOf::Position => "PositionError",
        TextOf::Record => "MovesError",
        TextOf::Rules(_) => "RulesError",
        TextOf::Expression => "PositionError",
    };
    let Words { message, help } = mistake.words(Lang::En);
    // Python counts characters.
    let characters = |byte: usize| mistake.text.char_indices().take_while(|(at, _)| *at < byte).count();
    let raised = || -> PyResult<PyErr> {
        let class = py.import("balpan._errors")?.getattr(class)?;
        let fields = PyDict::new(py);
        fields.set_item("position", &mistake.text)?;
        fields.set_item("span", (characters(mistake.span.start), characters(mistake.span.end)))?;
        fields.set_item("help", help)?;
        fields.set_item("kind", mistake.cause.kind())?;
        Ok(PyErr::from_value(class.call((message,), Some(&fields))?))
    };
    raised().unwrap_or_else(|failed| failed)
}

/// Rules that cannot be changed as was asked.
pub(crate) fn of_change(py: Python<'_>, mistake: &ChangeError) -> PyErr {
    match mistake {
        ChangeError::Text(mistake) => of_text(py, mistake),
        other => {
            error(py, "RulesError", &other.message(Lang::En), "the keys and their values are in the game's `rules`")
        }
    }
}

/// No answer to a question in text.
pub(crate) fn of_text_answer(py: Python<'_>, none: &NoTextAnswer) -> PyErr {
    match none {
        NoTextAnswer::Text(mistake) => of_text(py, mistake),
        NoTextAnswer::NoAnswer(none) => of_answer(py, none),
    }
}

/// No answer.
pub(crate) fn of_answer(py: Python<'_>, none: &EngineError) -> PyErr {
    let help = match none {
        EngineError::Table(TableError::TooLarge { .. } | TableError::NoMemory { .. }) => {
            "allow more with memory=, or take a smaller board"
        }
        EngineError::TooLong(_) => "take smaller heaps; or ask for the winner alone, which follows from the nimber",
        EngineError::Stopped(_) => "allow more time with deadline=",
        EngineError::NotImpartial => "ask without the nimber, or take a game such as nim, kayles or cram",
        _ => "take method=\"auto\"",
    };
    error(py, "NoAnswerError", &none.to_string(), help)
}

/// Positions that were not all counted.
pub(crate) fn of_census(py: Python<'_>, unfinished: &ReachError) -> PyErr {
    let help = match unfinished {
        ReachError::TooMany(_) => {
            "allow more with memory=, or take a smaller board; with symmetry=True, fewer are counted"
        }
        ReachError::Stopped(Stopped::TooLong(_)) => "take smaller heaps",
        ReachError::Stopped(_) => "allow more time",
    };
    error(py, "NoAnswerError", &unfinished.to_string(), help)
}
