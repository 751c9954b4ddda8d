//! Thresholds of values, in steps of one token.

use balpan::{Outcome, Value};

/// The number of steps from which the token to move exceeds `threshold`: if it makes that
/// many before it is stuck, its loss comes later. `u32::MAX` if no loss is enough.
pub(super) fn steps_to_exceed(threshold: Value) -> u32 {
    match (threshold.outcome(), threshold.remoteness()) {
        (Outcome::Loss, Some(plies)) => plies / 2 + 1,
        _ => u32::MAX,
    }
}

/// The number of steps from which the other token keeps the one to move at `threshold` or
/// below: a win in 2n + 1 plies comes no sooner than n steps. `u32::MAX` if every win exceeds
/// the threshold.
pub(super) fn steps_to_prevent(threshold: Value) -> u32 {
    match (threshold.outcome(), threshold.remoteness()) {
        (Outcome::Win, Some(plies)) => plies / 2,
        _ => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_as_many_as_it_takes_and_no_more() {
        for plies in 0..20 {
            let (threshold, n) = (Value::loss(plies), steps_to_exceed(Value::loss(plies)));
            assert!(Value::loss(2 * n) > threshold && Value::loss(2 * n - 2) <= threshold, "{threshold}");
            let (threshold, n) = (Value::win(plies), steps_to_prevent(Value::win(plies)));
            assert!(Value::win(2 * n + 1) <= threshold && (n == 0 || Value::win(2 * n - 1) > threshold), "{threshold}");
        }
        assert_eq!((steps_to_exceed(Value::DRAW), steps_to_prevent(Value::DRAW)), (u32::MAX, u32::MAX));
    }
}
