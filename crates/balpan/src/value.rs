//! Outcomes and values of positions, and bounds on values.

use std::fmt;

/// The outcome of a game for the player to move. The order is that player's preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The player to move loses.
    Loss,
    /// Neither player wins.
    Draw,
    /// The player to move wins.
    Win,
}

impl Outcome {
    /// Returns the outcome for the other player.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

/// An outcome with its remoteness, for the player to move.
///
/// The order is that player's preference: win sooner > win later > draw > loss
/// later > loss sooner. A draw has no remoteness.
///
/// ```
/// use balpan::Value;
/// assert!(Value::win(3) > Value::win(5));
/// assert!(Value::win(5) > Value::DRAW);
/// assert!(Value::loss(4) > Value::loss(2));
/// // A move into a loss for the other player in 2 plies is a win in 3.
/// assert_eq!(Value::loss(2).to_parent(), Value::win(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) i32);

/// The number that represents a win in 0 plies. A win in `n` is `SOONEST - n`, a loss in `n` is its
/// negative, a draw is 0.
const SOONEST: i32 = 1 << 30;

impl Value {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// A threshold between losses and draws; no position has this value. A position whose value is not
    /// better is lost.
    pub const BELOW_DRAW: Self = Self(-1);

    /// Returns the value of a win in `remoteness` plies.
    ///
    /// # Panics
    /// If `remoteness` is 2^29 or more: no game that a solver can search is that long.
    #[must_use]
    pub const fn win(remoteness: u32) -> Self {
        assert!(remoteness < 1 << 29, "a game this long cannot be solved");
        Self(SOONEST - remoteness as i32)
    }

    /// Returns the value of a loss in `remoteness` plies.
    ///
    /// # Panics
    /// As [`Value::win`].
    #[must_use]
    pub const fn loss(remoteness: u32) -> Self {
        Self(-Self::win(remoteness).0)
    }

    /// Returns the value of a position where play has ended.
    #[must_use]
    pub const fn terminal(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Loss => Self::loss(0),
            Outcome::Draw => Self::DRAW,
            Outcome::Win => Self::win(0),
        }
    }

    /// Returns the outcome.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self.0 {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        }
    }

    /// Returns the plies to the end under optimal play, in which the winner hurries and the loser holds
    /// out; `None` for a draw.
    #[must_use]
    pub const fn remoteness(self) -> Option<u32> {
        match self.0 {
            0 => None,
            score => Some((SOONEST - score.abs()) as u32),
        }
    }

    /// Returns the value of the move that leads to a position of this value: seen by the other player, and
    /// one ply longer. It reverses the order.
    #[must_use]
    pub const fn to_parent(self) -> Self {
        Self(-self.0 + self.0.signum())
    }

    /// Returns the value of the position after a move of this value: the inverse of
    /// [`to_parent`](Self::to_parent).
    #[must_use]
    pub(crate) const fn to_child(self) -> Self {
        Self(-self.0 - self.0.signum())
    }

    /// Returns the threshold for the position after a move, where this is the threshold for the move: the
    /// move is better than this if, and only if, the position is *not* better than the returned threshold.
    #[must_use]
    pub const fn child_threshold(self) -> Self {
        // A draw or better is the other player's draw or worse.
        let below_draw = self.0 == Self::BELOW_DRAW.0;
        Self(-self.0 - self.0.signum() - 1 - below_draw as i32)
    }

    /// Returns the threshold of the test whether a value is this or better.
    pub(crate) const fn just_below(self) -> Self {
        Self(self.0 - 1)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `win in 5`, `draw`, `loss in 0`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.remoteness() {
            None => f.pad("draw"),
            Some(plies) => f.pad(&format!("{} in {plies}", self.outcome())),
        }
    }
}

/// Bounds on a value, which is between `lower` and `upper`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The lower bound.
    pub lower: Value,
    /// The upper bound.
    pub upper: Value,
}

impl Bounds {
    /// The bounds of any position that has a move: no win or loss comes sooner than after one ply.
    pub const ANY: Self = Self { lower: Value::loss(1), upper: Value::win(1) };

    /// Returns the bounds that contain only `value`.
    #[must_use]
    pub const fn exact(value: Value) -> Self {
        Self { lower: value, upper: value }
    }

    /// Decides whether the value is better than `threshold`: returns the lower bound if that is better, the
    /// upper bound if that is not; `None` if the bounds leave it open.
    #[inline]
    #[must_use]
    pub fn decide(&self, threshold: Value) -> Option<Value> {
        if self.lower > threshold {
            return Some(self.lower);
        }
        (self.upper <= threshold).then_some(self.upper)
    }

    /// Returns the value, if the bounds contain only one.
    #[inline]
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Returns the outcome, if all values within have the same one.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        (self.lower.outcome() == self.upper.outcome()).then_some(self.lower.outcome())
    }

    /// Returns the intersection of both bounds.
    #[must_use]
    pub fn intersect(&self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Returns the bounds of the move that leads to a position with these bounds.
    #[must_use]
    pub const fn to_parent(&self) -> Self {
        Self { lower: self.upper.to_parent(), upper: self.lower.to_parent() }
    }

    /// Returns the bounds that follow from the answer of a null-window test: see [`decide`](Self::decide).
    #[must_use]
    pub fn from_test(answer: Value, threshold: Value) -> Self {
        if answer > threshold { Self { lower: answer, ..Self::ANY } } else { Self { upper: answer, ..Self::ANY } }
    }

    /// Returns the bounds of a position with this outcome, from which play takes at most `plies` plies.
    #[must_use]
    pub fn from_outcome(outcome: Outcome, plies: u32) -> Self {
        match outcome {
            Outcome::Win => Self { lower: Value::win(plies), ..Self::ANY },
            Outcome::Draw => Self::exact(Value::DRAW),
            Outcome::Loss => Self { upper: Value::loss(plies), ..Self::ANY },
        }
    }

    /// Returns whether `value` is within the bounds.
    #[must_use]
    pub fn contains(&self, value: Value) -> bool {
        self.lower <= value && value <= self.upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_as_the_player_to_move_prefers() {
        let worst_to_best = [
            Value::loss(0),
            Value::loss(1),
            Value::loss(64),
            Value::BELOW_DRAW,
            Value::DRAW,
            Value(1),
            Value::win(64),
            Value::win(1),
            Value::win(0),
        ];
        assert!(worst_to_best.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn to_parent_swaps_the_players_and_adds_a_ply() {
        assert_eq!(Value::loss(0).to_parent(), Value::win(1));
        assert_eq!(Value::win(4).to_parent(), Value::loss(5));
        assert_eq!(Value::DRAW.to_parent(), Value::DRAW);
        for value in [Value::win(7), Value::DRAW, Value::loss(0)] {
            assert_eq!(value.to_parent().to_child(), value);
            assert_eq!(value.remoteness().is_none(), value == Value::DRAW);
        }
    }

    #[test]
    fn child_thresholds_test_the_opposite() {
        let mut values: Vec<_> = (0..9).flat_map(|plies| [Value::win(plies), Value::loss(plies)]).collect();
        values.extend([Value::DRAW, Value(1), Value::BELOW_DRAW]);
        for &threshold in &values {
            for &after in values.iter().filter(|after| after.0.abs() != 1) {
                assert_eq!(
                    after.to_parent() > threshold,
                    after <= threshold.child_threshold(),
                    "{after:?} after {threshold:?}"
                );
            }
        }
    }

    #[test]
    fn values_are_formatted() {
        assert_eq!(Value::win(5).to_string(), "win in 5");
        assert_eq!(format!("{:>6}|{:<9}|", Value::DRAW, Value::loss(0)), "  draw|loss in 0|");
    }
}
