//! What all solvers have in common.

use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Stopped, Watch};

/// Anything that finds exact values of a game's positions.
pub trait Solver<Position> {
    /// The position's value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    fn value(&mut self, position: &Position) -> Result<Value, Stopped>;

    /// The position's outcome alone; often cheaper than its value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    fn outcome(&mut self, position: &Position) -> Result<Outcome, Stopped> {
        self.value(position).map(Value::outcome)
    }

    /// Whether the position's value is better than `asked`: a lower bound that is, or an
    /// upper bound that is not. Often cheaper than the value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    fn ask(&mut self, position: &Position, _asked: Value) -> Result<Value, Stopped> {
        self.value(position)
    }

    /// Bounds that tell the position's outcome, found on the way to its value: with
    /// [`value_within`](Self::value_within) them it takes as long as [`value`](Self::value).
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    fn verdict(&mut self, position: &Position) -> Result<Bounds, Stopped> {
        self.value(position).map(Bounds::exactly)
    }

    /// The position's value, where it is known to be within `bounds`.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    fn value_within(&mut self, position: &Position, _bounds: Bounds) -> Result<Value, Stopped> {
        self.value(position)
    }

    /// What the solver remembers of the position's value, or sees at a glance;
    /// [`Bounds::ANY`] if nothing.
    fn known(&mut self, _position: &Position) -> Bounds {
        Bounds::ANY
    }

    /// Whether the solver answers for this position: a table may hold a part of a game.
    fn covers(&self, _position: &Position) -> bool {
        true
    }

    /// The bytes of the solver's tables now.
    fn bytes(&self) -> u64 {
        0
    }

    /// The number of positions that this solver has searched in its life.
    fn positions_searched(&self) -> u64;

    /// Reports to `watch` from now on.
    fn set_watch(&mut self, watch: &Watch);
}
