//! Sequences of nimbers with their periods, and misère quotients.

use std::time::Instant;

use balpan::EngineError;
use balpan_cgt::quotient::{DEFAULT_MEMORY, QuotientError};
use balpan_games::heaps::{Code, MAX_THREE_WAY_HEAP, PeriodReport, code_digits};
use balpan_games::misere::MisereError;
use balpan_games::quotients::{MAX_HEAP, QuotientInput, QuotientReport};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::errors::{engine_error, error};
use crate::game::TextGame;
use crate::waiting::{RunControl, run_interruptible};

/// The largest heap of a sequence, as in the command.
const MAX_SEQUENCE_HEAP: usize = 100_000_000;

/// Returns the nimbers of the heaps of a code and their period, with the fields of `balpan period --json`.
#[pyfunction]
pub(crate) fn period<'py>(
    py: Python<'py>,
    code: &str,
    to: usize,
    deadline: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some((code, digits)) = code_digits(code) else {
        let help = "expected an octal or hexadecimal code such as 0.77 or 0.3F, or a game of heaps such as kayles";
        return Err(error(py, "NoAnswerError", &format!("`{code}` is no code"), help));
    };
    let max = if digits.max_heaps_left() > 2 { MAX_THREE_WAY_HEAP } else { MAX_SEQUENCE_HEAP };
    if !(1..=max).contains(&to) {
        let help = format!("expected a number from 1 to {max}");
        return Err(error(py, "NoAnswerError", &format!("{to} is no largest heap"), &help));
    }
    let begin = Instant::now();
    let found = run_interruptible(py, RunControl::new(py, deadline, progress)?, |watch| {
        PeriodReport::find(&code, &digits, to, watch)
    })?;
    let found = found.map_err(|stopped| engine_error(py, &EngineError::from(stopped)))?;
    Ok(pythonize(py, &found.with_elapsed(begin.elapsed()))?)
}

/// Returns a misère quotient, of heaps of a code or of a game's positions, with the fields of
/// `balpan quotient --json`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are what the command's options are")]
pub(crate) fn quotient<'py>(
    py: Python<'py>,
    code: Option<&str>,
    game: Option<PyRef<'py, TextGame>>,
    position: Option<&str>,
    largest: u16,
    most: u16,
    deadline: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let heaps = |name: &str, code: Code| {
        if !(1..=MAX_HEAP).contains(&largest) {
            let help = format!("expected a number from 1 to {MAX_HEAP}");
            return Err(error(py, "NoAnswerError", &format!("{largest} is no largest heap"), &help));
        }
        Ok((format!("{name} {largest}"), QuotientInput::Heaps(code, largest)))
    };
    let (name, input) = match (code, &game) {
        (Some(text), _) => match Code::parse(text) {
            Some(code) => heaps(text, code)?,
            None => {
                let help = "expected an octal code such as 0.77, or a game";
                return Err(error(py, "NoAnswerError", &format!("`{text}` is no code"), help));
            }
        },
        (None, Some(game)) => {
            let (name, game) = (&game.0.rules.name, game.0.at(py, position)?);
            match game.heap_code() {
                Some(code) => heaps(name, code.clone())?,
                None => (name.clone(), QuotientInput::Game(Box::new(game))),
            }
        }
        (None, None) => return Err(error(py, "NoAnswerError", "neither a code nor a game", "give one")),
    };
    let begin = Instant::now();
    let found = run_interruptible(py, RunControl::new(py, deadline, progress)?, |watch| {
        QuotientReport::find(&name, &input, most.into(), DEFAULT_MEMORY, watch, |_| {})
    })?;
    let found = found.map_err(|cause| match cause {
        MisereError::Stopped(stopped) | MisereError::Quotient(QuotientError::Stopped(stopped)) => {
            engine_error(py, &EngineError::from(stopped))
        }
        MisereError::NotMisere(_) => {
            let help = "both players have to have the same moves, and who cannot move has to win: misere=True";
            error(py, "NoAnswerError", &format!("{name} is {cause}"), help)
        }
        MisereError::TooMany(_)
        | MisereError::TooManyMoves(_)
        | MisereError::TooLong(_)
        | MisereError::Quotient(QuotientError::TooLarge(_)) => {
            error(py, "NoAnswerError", &format!("{name}: {cause}"), "allow more with `most`, or take smaller heaps")
        }
    })?;
    Ok(pythonize(py, &found.with_elapsed(begin.elapsed()))?)
}
