//! From yes-or-no questions to a value.

use crate::value::{Bounds, Outcome, Value};
use crate::watch::{BrokenPromise, Stopped};

/// The value of a position that is within `known`, where `ask` decides whether it is worth more
/// than it is asked: a lower bound that is more, or an upper bound that is not. First who wins,
/// if that is open, then in how many plies.
pub(crate) fn find_value(
    known: Bounds,
    mut test: impl FnMut(Value) -> Result<Value, Stopped>,
) -> Result<Value, Stopped> {
    let known = find_outcome_bounds(known, &mut test)?;
    let (from, to) = match known.lower.outcome() {
        Outcome::Win => (known.lower, known.upper),
        Outcome::Draw => return Ok(Value::DRAW),
        Outcome::Loss => (known.upper, known.lower),
    };
    find_remoteness(from, to.remoteness().unwrap_or(0), test)
}

/// Bounds that tell who wins, as [`find_value`].
pub(crate) fn find_outcome_bounds(
    mut known: Bounds,
    mut test: impl FnMut(Value) -> Result<Value, Stopped>,
) -> Result<Bounds, Stopped> {
    for threshold in [Value::DRAW, Value::BELOW_DRAW] {
        if known.decide(threshold).is_none() {
            known = known.intersect(Bounds::from_test(test(threshold)?, threshold));
        }
    }
    if known.outcome().is_none() {
        return Err(Stopped::Broken(BrokenPromise::Contradiction));
    }
    Ok(known)
}

/// The value, where `value` is a draw, a lower bound that is a win, or an upper bound that is a
/// loss, and play does not end in fewer plies than `soonest`: whether it ends sooner than known is
/// asked a step further each time it does, and by single plies again when it does not. Each answer narrows what is
/// known, or there is none.
fn find_remoteness(
    value: Value,
    mut soonest: u32,
    mut test: impl FnMut(Value) -> Result<Value, Stopped>,
) -> Result<Value, Stopped> {
    let (Some(mut latest), is_win) = (value.remoteness(), value.outcome() == Outcome::Win) else {
        return Ok(value);
    };
    let ends_in = |plies| if is_win { Value::win(plies) } else { Value::loss(plies) };
    let mut step = 1;
    while soonest < latest {
        let than = latest + 1 - u32::min(step, latest - soonest);
        let threshold = if is_win { Value::win(than) } else { Value::loss(than).just_below() };
        let answer = test(threshold)?;
        let is_sooner = (answer > threshold) == is_win;
        let plies = answer.remoteness().filter(|_| answer.outcome() == value.outcome());
        match plies {
            Some(plies) if is_sooner && soonest <= plies && plies < latest => (latest, step) = (plies, 2 * step),
            Some(plies) if !is_sooner && soonest < plies && plies <= latest => (soonest, step) = (plies, 1),
            // Nothing is learnt, or a question was answered otherwise before.
            _ => return Err(Stopped::Broken(BrokenPromise::Contradiction)),
        }
    }
    if soonest == latest { Ok(ends_in(latest)) } else { Err(Stopped::Broken(BrokenPromise::Contradiction)) }
}

/// The outcome alone, as [`find_value`].
pub(crate) fn find_outcome(mut test: impl FnMut(Value) -> Result<Value, Stopped>) -> Result<Outcome, Stopped> {
    let value = test(Value::DRAW)?;
    Ok(if value == Value::DRAW { test(Value::BELOW_DRAW)? } else { value }.outcome())
}
