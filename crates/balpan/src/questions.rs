//! From yes-or-no questions to a value.

use crate::value::{Bounds, Outcome, Value};
use crate::watch::Stopped;

/// The value of a position, where `ask` decides whether it is worth more than it is
/// asked: a lower bound that is more, or an upper bound that is not. First who wins,
/// then in how many plies.
pub(crate) fn value(mut ask: impl FnMut(Value) -> Result<Value, Stopped>) -> Result<Value, Stopped> {
    let value = bound(&mut ask)?;
    narrowed(value, ask)
}

/// A draw, a lower bound that is a win, or an upper bound that is a loss: who wins.
pub(crate) fn bound(mut ask: impl FnMut(Value) -> Result<Value, Stopped>) -> Result<Value, Stopped> {
    let value = ask(Value::DRAW)?;
    Ok(if value <= Value::DRAW { value.min(ask(Value::BELOW_DRAW)?) } else { value })
}

/// What follows from a [`bound`].
pub(crate) fn bounds(bound: Value) -> Bounds {
    match bound.outcome() {
        Outcome::Win => Bounds { lower: bound, ..Bounds::ANY },
        Outcome::Draw => Bounds::exactly(bound),
        Outcome::Loss => Bounds { upper: bound, ..Bounds::ANY },
    }
}

/// The value, where it is known to be within `known`: first who wins, if that is open,
/// then in how many plies.
pub(crate) fn value_within(
    mut known: Bounds,
    mut ask: impl FnMut(Value) -> Result<Value, Stopped>,
) -> Result<Value, Stopped> {
    for asked in [Value::DRAW, Value::BELOW_DRAW] {
        if known.answer(asked).is_none() {
            known = known.and(Bounds::told(ask(asked)?, asked));
        }
    }
    let (from, to) = match known.lower.outcome() {
        Outcome::Win => (known.lower, known.upper),
        Outcome::Draw => return Ok(Value::DRAW),
        Outcome::Loss => (known.upper, known.lower),
    };
    narrowed_from(from, to.remoteness().unwrap_or(0), ask)
}

/// The value, where `value` is a draw, a lower bound that is a win, or an upper bound
/// that is a loss: whether play ends sooner is asked a step further each time it does,
/// and by single plies again when it does not.
pub(crate) fn narrowed(value: Value, ask: impl FnMut(Value) -> Result<Value, Stopped>) -> Result<Value, Stopped> {
    narrowed_from(value, 0, ask)
}

/// As [`narrowed`], where play does not end in fewer plies than `soonest`.
fn narrowed_from(
    value: Value,
    mut soonest: u32,
    mut ask: impl FnMut(Value) -> Result<Value, Stopped>,
) -> Result<Value, Stopped> {
    let (Some(mut latest), is_win) = (value.remoteness(), value.outcome() == Outcome::Win) else {
        return Ok(value);
    };
    let ends_in = |plies| if is_win { Value::win(plies) } else { Value::loss(plies) };
    let mut step = 1;
    while soonest < latest {
        let than = latest + 1 - u32::min(step, latest - soonest);
        let asked = if is_win { Value::win(than) } else { Value::loss(than).or_better() };
        let answer = ask(asked)?;
        let plies = answer.remoteness().unwrap_or(latest);
        if (answer > asked) == is_win {
            (latest, step) = (plies, 2 * step);
        } else {
            (soonest, step) = (plies, 1);
        }
    }
    Ok(ends_in(latest))
}

/// The outcome alone, as [`value`].
pub(crate) fn outcome(mut ask: impl FnMut(Value) -> Result<Value, Stopped>) -> Result<Outcome, Stopped> {
    let value = ask(Value::DRAW)?;
    Ok(if value == Value::DRAW { ask(Value::BELOW_DRAW)? } else { value }.outcome())
}
