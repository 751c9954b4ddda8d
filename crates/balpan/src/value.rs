//! The value of a position: an outcome and the plies to it.

use std::fmt;

/// How a game ends for the player to move. Ordered as that player prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The player to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The player to move wins.
    Win,
}

impl Outcome {
    /// The same outcome as the other player sees it.
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
/// later > loss sooner. A draw has no remoteness: neither player hurries.
///
/// ```
/// use balpan::Value;
/// assert!(Value::win(3) > Value::win(5));
/// assert!(Value::win(5) > Value::DRAW);
/// assert!(Value::loss(4) > Value::loss(2));
/// // Having moved into a loss for the other player in 2 plies is a win in 3.
/// assert_eq!(Value::loss(2).to_parent(), Value::win(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) i32);

/// The score of a win in no plies. A win in `n` scores `SOONEST - n`, a loss in
/// `n` its negative, a draw 0.
const SOONEST: i32 = 1 << 30;

impl Value {
    /// Nobody wins.
    pub const DRAW: Self = Self(0);
    /// Better than every loss and worse than every draw; itself no position's
    /// value. What is not better is lost.
    pub const BELOW_DRAW: Self = Self(-1);

    /// A win in `remoteness` plies.
    ///
    /// # Panics
    /// If `remoteness` is 2^29 or more: no game that a solver can walk is that
    /// long.
    #[must_use]
    pub const fn win(remoteness: u32) -> Self {
        assert!(remoteness < 1 << 29, "a game this long cannot be solved");
        Self(SOONEST - remoteness as i32)
    }

    /// A loss in `remoteness` plies.
    ///
    /// # Panics
    /// As [`Value::win`].
    #[must_use]
    pub const fn loss(remoteness: u32) -> Self {
        Self(-Self::win(remoteness).0)
    }

    /// The value of a position where play has ended.
    #[must_use]
    pub const fn terminal(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Loss => Self::loss(0),
            Outcome::Draw => Self::DRAW,
            Outcome::Win => Self::win(0),
        }
    }

    /// Who wins.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self.0 {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        }
    }

    /// Plies to the end when the winner hurries and the loser holds out; `None`
    /// for a draw.
    #[must_use]
    pub const fn remoteness(self) -> Option<u32> {
        match self.0 {
            0 => None,
            score => Some((SOONEST - score.abs()) as u32),
        }
    }

    /// Turns the value of the position that a move leads to into the value of
    /// that move: the other player's view, one ply longer. Reverses the order.
    #[must_use]
    pub const fn to_parent(self) -> Self {
        Self(-self.0 + self.0.signum())
    }

    /// Undoes [`to_parent`](Self::to_parent): the value that a position has where the move to it
    /// is worth this.
    #[must_use]
    pub(crate) const fn to_child(self) -> Self {
        Self(-self.0 - self.0.signum())
    }

    /// The question to ask of the position after a move, where the move itself is
    /// asked to be better than this: the move is, if that position is *not* better
    /// than what is returned.
    #[must_use]
    pub const fn child_threshold(self) -> Self {
        // A draw or better is the other player's draw or worse.
        let below_draw = self.0 == Self::BELOW_DRAW.0;
        Self(-self.0 - self.0.signum() - 1 - below_draw as i32)
    }

    /// The question whether a value is this or better.
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

/// The value lies between `lower` and `upper`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is this or better.
    pub lower: Value,
    /// The value is this or worse.
    pub upper: Value,
}

impl Bounds {
    /// What is known of any position that has a move: no win or loss comes
    /// sooner than after one ply.
    pub const ANY: Self = Self { lower: Value::loss(1), upper: Value::win(1) };

    /// Exactly `value`.
    #[must_use]
    pub const fn exact(value: Value) -> Self {
        Self { lower: value, upper: value }
    }

    /// Whether the value is better than `threshold`: a lower bound that is better, or an upper bound
    /// that is not; `None` if these bounds leave it open.
    #[inline]
    #[must_use]
    pub fn decide(&self, threshold: Value) -> Option<Value> {
        if self.lower > threshold {
            return Some(self.lower);
        }
        (self.upper <= threshold).then_some(self.upper)
    }

    /// The value, where only one is within.
    #[inline]
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The outcome, where all values within have the same one.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        (self.lower.outcome() == self.upper.outcome()).then_some(self.lower.outcome())
    }

    /// The bounds that hold if both hold.
    #[must_use]
    pub fn intersect(&self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The bounds of a move, where these are those of the position that it leads to.
    #[must_use]
    pub const fn to_parent(&self) -> Self {
        Self { lower: self.upper.to_parent(), upper: self.lower.to_parent() }
    }

    /// The bounds that follow from the answer to the question `threshold`: see [`decide`](Self::decide).
    #[must_use]
    pub fn from_test(answer: Value, threshold: Value) -> Self {
        if answer > threshold { Self { lower: answer, ..Self::ANY } } else { Self { upper: answer, ..Self::ANY } }
    }

    /// What is known of a position with this outcome from which play takes at most
    /// `plies` more plies.
    #[must_use]
    pub fn from_outcome(outcome: Outcome, plies: u32) -> Self {
        match outcome {
            Outcome::Win => Self { lower: Value::win(plies), ..Self::ANY },
            Outcome::Draw => Self::exact(Value::DRAW),
            Outcome::Loss => Self { upper: Value::loss(plies), ..Self::ANY },
        }
    }

    /// Whether `value` is within.
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
    fn a_ply_back_turns_the_table_and_adds_a_ply() {
        assert_eq!(Value::loss(0).to_parent(), Value::win(1));
        assert_eq!(Value::win(4).to_parent(), Value::loss(5));
        assert_eq!(Value::DRAW.to_parent(), Value::DRAW);
        for value in [Value::win(7), Value::DRAW, Value::loss(0)] {
            assert_eq!(value.to_parent().to_child(), value);
            assert_eq!(value.remoteness().is_none(), value == Value::DRAW);
        }
    }

    #[test]
    fn a_question_is_passed_on_turned_round() {
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
    fn values_speak() {
        assert_eq!(Value::win(5).to_string(), "win in 5");
        assert_eq!(format!("{:>6}|{:<9}|", Value::DRAW, Value::loss(0)), "  draw|loss in 0|");
    }
}
