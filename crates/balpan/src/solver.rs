//! What all solvers have in common.

use crate::game::Game;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::Stopped;

/// Anything that finds exact values of a game's positions.
pub trait Solver<G: Game> {
    /// The position's value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped>;

    /// The position's outcome alone; often cheaper than its value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        self.value(position).map(Value::outcome)
    }

    /// What the solver remembers of the position's value, or sees at a glance;
    /// [`Bounds::ANY`] if nothing.
    fn known(&self, _position: &G::Position) -> Bounds {
        Bounds::ANY
    }

    /// How many positions this solver has visited in its life.
    fn positions_searched(&self) -> u64;
}
