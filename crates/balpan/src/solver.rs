//! The interface of all solvers.

use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Stopped, Watch};

/// A solver of exact values of positions.
pub trait Solver<Position> {
    /// The position's value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch says to stop.
    fn value(&mut self, position: &Position) -> Result<Value, Stopped>;

    /// The outcome of the position; often cheaper than its value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch says to stop.
    fn outcome(&mut self, position: &Position) -> Result<Outcome, Stopped> {
        self.value(position).map(Value::outcome)
    }

    /// Whether the value of the position is better than `threshold`: a lower bound that is better, or an
    /// upper bound that is not. Often cheaper than the value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch says to stop.
    fn test(&mut self, position: &Position, _threshold: Value) -> Result<Value, Stopped> {
        self.value(position)
    }

    /// Bounds that decide the position's outcome, found on the way to its value: with
    /// [`value_within`](Self::value_within) them it takes as long as [`value`](Self::value).
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch says to stop.
    fn outcome_bounds(&mut self, position: &Position) -> Result<Bounds, Stopped> {
        self.value(position).map(Bounds::exact)
    }

    /// The position's value, where it is known to be within `bounds`.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch says to stop.
    fn value_within(&mut self, position: &Position, _bounds: Bounds) -> Result<Value, Stopped> {
        self.value(position)
    }

    /// Bounds on the value that the solver remembers, or sees without a search; [`Bounds::ANY`] if
    /// there are none.
    fn known_bounds(&mut self, _position: &Position) -> Bounds {
        Bounds::ANY
    }

    /// Whether the solver covers this position: a table may hold only a part of a game.
    fn covers(&self, _position: &Position) -> bool {
        true
    }

    /// The bytes of the solver's tables now.
    fn bytes(&self) -> u64 {
        0
    }

    /// The number of positions searched by this solver so far.
    fn positions_searched(&self) -> u64;

    /// Reports to `watch` from now on.
    fn set_watch(&mut self, watch: &Watch);
}
