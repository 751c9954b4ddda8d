//! From yes-or-no questions to a value.

use crate::value::{Outcome, Value};
use crate::watch::Stopped;

/// The value of a position, where `ask` tells whether it is worth more than it is
/// asked: a lower bound that is more, or an upper bound that is not. First who wins,
/// then in how many plies, a step nearer each time.
pub(crate) fn value(mut ask: impl FnMut(Value) -> Result<Value, Stopped>) -> Result<Value, Stopped> {
    let value = ask(Value::DRAW)?;
    let value = if value <= Value::DRAW { value.min(ask(Value::BELOW_DRAW)?) } else { value };
    narrowed(value, ask)
}

/// The value, where `value` is a draw, a lower bound that is a win, or an upper bound
/// that is a loss.
pub(crate) fn narrowed(
    mut value: Value,
    mut ask: impl FnMut(Value) -> Result<Value, Stopped>,
) -> Result<Value, Stopped> {
    match value.outcome() {
        Outcome::Draw => Ok(value),
        // A win at least this soon; sooner?
        Outcome::Win => loop {
            let answer = ask(value)?;
            if answer <= value {
                return Ok(value);
            }
            value = answer;
        },
        // A loss at the latest now; really that late?
        Outcome::Loss => loop {
            let answer = ask(value.or_better())?;
            if answer >= value {
                return Ok(value);
            }
            value = answer;
        },
    }
}

/// The outcome alone, as [`value`].
pub(crate) fn outcome(mut ask: impl FnMut(Value) -> Result<Value, Stopped>) -> Result<Outcome, Stopped> {
    let value = ask(Value::DRAW)?;
    Ok(if value == Value::DRAW { ask(Value::BELOW_DRAW)? } else { value }.outcome())
}
