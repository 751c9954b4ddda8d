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

/// The result of a game under optimal play, for the player to move: an outcome with its remoteness, or a score.
///
/// The order is that player's preference: win sooner > win later > positive score > draw = score 0 > negative score >
/// loss later > loss sooner. Scores and draws have no remoteness.
///
/// ```
/// use balpan::Value;
/// assert!(Value::win(3) > Value::win(5));
/// assert!(Value::win(5) > Value::DRAW);
/// assert!(Value::loss(4) > Value::loss(2));
/// assert!(Value::win(60) > Value::from_score(7) && Value::from_score(7) > Value::DRAW);
/// // A move into a loss for the other player in 2 plies is a win in 3; the score of the other player changes its sign.
/// assert_eq!(Value::loss(2).to_parent(), Value::win(3));
/// assert_eq!(Value::from_score(-7).to_parent(), Value::from_score(7));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) i32);

/// The number that represents a win in 0 plies. A win in `n` is `SOONEST - n`, a loss in `n` is its
/// negative, a score is itself, and a draw is 0.
const SOONEST: i32 = 1 << 30;

impl Value {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The threshold just below a draw: a position whose value is not better is lost, or has a negative score.
    pub const BELOW_DRAW: Self = Self(-1);
    /// The largest [score](Self::from_score); the smallest is its negative.
    pub const MAX_SCORE: i32 = 1 << 24;

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

    /// Returns the value of a game that ends with this score for the player to move; 0 is a draw.
    ///
    /// # Panics
    /// If the score is beyond [`MAX_SCORE`](Self::MAX_SCORE) or its negative.
    #[must_use]
    pub const fn from_score(score: i32) -> Self {
        assert!(-Self::MAX_SCORE <= score && score <= Self::MAX_SCORE, "a score beyond Value::MAX_SCORE");
        Self(score)
    }

    /// Returns the score, 0 for a draw; `None` for a win or a loss in a number of plies.
    #[must_use]
    pub const fn score(self) -> Option<i32> {
        if self.direction() == 0 { Some(self.0) } else { None }
    }

    /// Returns the value of a position where play has ended without a score.
    #[must_use]
    pub const fn terminal(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Loss => Self::loss(0),
            Outcome::Draw => Self::DRAW,
            Outcome::Win => Self::win(0),
        }
    }

    /// Returns the outcome; a positive score is a win, a negative one a loss.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self.0 {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        }
    }

    /// Returns the plies to the end under optimal play, in which the winner hurries and the loser holds
    /// out; `None` for a score or a draw.
    #[must_use]
    pub const fn remoteness(self) -> Option<u32> {
        if self.direction() == 0 { None } else { Some((SOONEST - self.0.abs()) as u32) }
    }

    /// Returns 1 for a win in a number of plies, -1 for a loss, 0 for a score or a draw.
    #[inline]
    const fn direction(self) -> i32 {
        (self.0 > Self::MAX_SCORE) as i32 - (self.0 < -Self::MAX_SCORE) as i32
    }

    /// Returns the value of the move that leads to a position of this value: seen by the other player, and
    /// one ply longer. It reverses the order.
    #[must_use]
    pub const fn to_parent(self) -> Self {
        Self(-self.0 + self.direction())
    }

    /// Returns the threshold for the position after a move, where this is the threshold for the move: the
    /// move is better than this if, and only if, the position is *not* better than the returned threshold.
    #[must_use]
    pub const fn child_threshold(self) -> Self {
        Self(-self.0 - self.direction() - 1)
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

/// `win in 5`, `win by 3`, `draw`, `loss in 0`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.remoteness() {
            None if self.0 == 0 => f.pad("draw"),
            None => f.pad(&format!("{} by {}", self.outcome(), self.0.abs())),
            Some(plies) => f.pad(&format!("{} in {plies}", self.outcome())),
        }
    }
}

/// The player to move after a move: how the value after it is seen by the player who makes it. A move costs a ply either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The other player's.
    Passes,
    /// The same player's again.
    Kept,
}

impl Turn {
    /// Returns the turn, known to the compiler where [turns alternate](crate::Game::TURNS_ALTERNATE).
    #[inline]
    pub(crate) const fn as_declared<G: crate::Game>(self) -> Self {
        if G::TURNS_ALTERNATE { Self::Passes } else { self }
    }

    /// Returns the player to move after a move of the player `mover`: 0 or 1.
    #[must_use]
    pub const fn next_player(self, mover: usize) -> usize {
        match self {
            Self::Passes => 1 - mover,
            Self::Kept => mover,
        }
    }

    /// Returns the value of the move, given that of the position after it.
    #[inline]
    #[must_use]
    pub const fn to_parent(self, value: Value) -> Value {
        match self {
            Self::Passes => value.to_parent(),
            Self::Kept => Value(value.0 - value.direction()),
        }
    }

    /// Returns the value of the position after the move, given that of the move: the inverse of
    /// [`to_parent`](Self::to_parent).
    #[inline]
    pub(crate) const fn to_child(self, value: Value) -> Value {
        match self {
            Self::Passes => Value(-value.0 - value.direction()),
            Self::Kept => Value(value.0 + value.direction()),
        }
    }

    /// Returns the threshold for the position after the move, where `threshold` is that for the move. If the turn passes,
    /// the move is better if, and only if, the position is *not*; if it is kept, if, and only if, the position is.
    #[inline]
    #[must_use]
    pub const fn child_threshold(self, threshold: Value) -> Value {
        match self {
            Self::Passes => threshold.child_threshold(),
            Self::Kept => Value(threshold.0 + threshold.direction()),
        }
    }

    /// Returns the bounds of the move, given those of the position after it.
    #[must_use]
    pub const fn bounds_to_parent(self, Bounds { lower, upper }: Bounds) -> Bounds {
        self.ordered(self.to_parent(lower), self.to_parent(upper))
    }

    /// Returns the bounds of the position after the move, given those of the move.
    pub(crate) const fn bounds_to_child(self, Bounds { lower, upper }: Bounds) -> Bounds {
        self.ordered(self.to_child(lower), self.to_child(upper))
    }

    /// Returns the bounds made from a lower and an upper one: where the turn passes, they change places.
    const fn ordered(self, from_lower: Value, from_upper: Value) -> Bounds {
        match self {
            Self::Passes => Bounds { lower: from_upper, upper: from_lower },
            Self::Kept => Bounds { lower: from_lower, upper: from_upper },
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

    /// Returns the bounds that follow from the answer of a null-window test: see [`decide`](Self::decide).
    #[must_use]
    pub fn from_test(answer: Value, threshold: Value) -> Self {
        if answer > threshold { Self { lower: answer, ..Self::ANY } } else { Self { upper: answer, ..Self::ANY } }
    }

    /// Returns the bounds of a position with this outcome, in a game without scores, from which play takes at most `plies`
    /// plies.
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
            Value::from_score(-Value::MAX_SCORE),
            Value::from_score(-1),
            Value::DRAW,
            Value::from_score(1),
            Value::from_score(Value::MAX_SCORE),
            Value::win((1 << 29) - 1),
            Value::win(64),
            Value::win(1),
            Value::win(0),
        ];
        assert!(worst_to_best.is_sorted_by(|a, b| a < b));
    }

    /// Values on both sides of every change of kind.
    fn all_kinds_of_values() -> Vec<Value> {
        let plies = (0..9).chain((1 << 29) - 3..1 << 29);
        let mut values: Vec<_> = plies.flat_map(|plies| [Value::win(plies), Value::loss(plies)]).collect();
        let scores =
            (-4..=4).chain([-1, 1].into_iter().flat_map(|sign| (0..4).map(move |n| sign * (Value::MAX_SCORE - n))));
        values.extend(scores.map(Value::from_score));
        values
    }

    #[test]
    fn moves_cost_a_ply_and_scores_nothing() {
        assert_eq!(Value::loss(0).to_parent(), Value::win(1));
        assert_eq!(Value::win(4).to_parent(), Value::loss(5));
        assert_eq!(Value::DRAW.to_parent(), Value::DRAW);
        assert_eq!(Value::from_score(5).to_parent(), Value::from_score(-5));
        assert_eq!(Turn::Kept.to_parent(Value::win(4)), Value::win(5));
        assert_eq!(Turn::Kept.to_parent(Value::from_score(5)), Value::from_score(5));
        for value in all_kinds_of_values() {
            assert_eq!(value.score().is_none(), value.remoteness().is_some());
            if value.remoteness() != Some((1 << 29) - 1) {
                for turn in [Turn::Passes, Turn::Kept] {
                    assert_eq!(turn.to_child(turn.to_parent(value)), value);
                }
            }
        }
    }

    #[test]
    fn child_thresholds_test_the_same() {
        let values = all_kinds_of_values();
        let thresholds: Vec<_> = values.iter().flat_map(|value| [*value, value.just_below()]).collect();
        for after in values.into_iter().filter(|value| value.remoteness() != Some((1 << 29) - 1)) {
            for &threshold in &thresholds {
                let passes = after <= Turn::Passes.child_threshold(threshold);
                assert_eq!(after.to_parent() > threshold, passes, "{after:?} after {threshold:?}");
                let kept = after > Turn::Kept.child_threshold(threshold);
                assert_eq!(Turn::Kept.to_parent(after) > threshold, kept, "{after:?} after {threshold:?}");
            }
        }
    }

    #[test]
    fn values_are_formatted() {
        assert_eq!(Value::win(5).to_string(), "win in 5");
        assert_eq!(format!("{:>6}|{:<9}|", Value::DRAW, Value::loss(0)), "  draw|loss in 0|");
        assert_eq!(format!("{:?} {}", Value::from_score(3), Value::from_score(-1)), "win by 3 loss by 1");
    }
}
