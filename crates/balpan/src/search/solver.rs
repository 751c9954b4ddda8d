//! The interface of all solvers, their budget, and values found by null-window tests.

use super::watch::{BrokenPromise, Stopped, Watch};
use crate::value::{Bounds, Outcome, Value};

/// A solver of exact values of positions.
pub trait Solver<Position> {
    /// Returns the position's value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    fn value(&mut self, position: &Position) -> Result<Value, Stopped>;

    /// Returns the outcome of the position, which is often cheaper than its value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    fn outcome(&mut self, position: &Position) -> Result<Outcome, Stopped> {
        self.value(position).map(Value::outcome)
    }

    /// Tests whether the value of the position is better than `threshold` (a null-window search). Returns
    /// a lower bound that is better, or an upper bound that is not. This is often cheaper than the value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    fn test(&mut self, position: &Position, _threshold: Value) -> Result<Value, Stopped> {
        self.value(position)
    }

    /// Returns bounds that decide the position's outcome, found on the way to its value:
    /// [`value_within`](Self::value_within) these bounds continues from there, and both together take as
    /// long as [`value`](Self::value).
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    fn outcome_bounds(&mut self, position: &Position) -> Result<Bounds, Stopped> {
        self.value(position).map(Bounds::exact)
    }

    /// Returns the position's value, given that it is within `bounds`.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    fn value_within(&mut self, position: &Position, _bounds: Bounds) -> Result<Value, Stopped> {
        self.value(position)
    }

    /// Returns bounds on the value from the solver's tables, without a search; [`Bounds::ANY`] if there
    /// are none.
    fn known_bounds(&mut self, _position: &Position) -> Bounds {
        Bounds::ANY
    }

    /// Returns whether the solver covers this position: a table may hold only a part of a game.
    fn covers(&self, _position: &Position) -> bool {
        true
    }

    /// Returns the present size of the solver's tables in bytes.
    fn bytes(&self) -> u64 {
        0
    }

    /// Returns the number of positions searched by this solver so far.
    fn positions_searched(&self) -> u64;

    /// Sets the watch that the solver reports to and is stopped by.
    fn set_watch(&mut self, watch: &Watch);
}

/// Decides some null-window tests of a game by other means than a search of its positions, for instance
/// by a simpler game that bounds it. A settler has tables of its own, and may be slow: an
/// [`Engine`](crate::Engine) calls it for the positions that it is asked about itself, before it searches.
pub trait Settler<Position> {
    /// Decides whether the value of a position that has a move is better than `threshold`. Returns a lower
    /// bound that is better, or an upper bound that is not; `None` if it cannot decide.
    ///
    /// # Errors
    /// [`Stopped`] if the settler's watch stops the computation.
    fn settle(&mut self, position: &Position, threshold: Value) -> Result<Option<Value>, Stopped>;

    /// Returns bounds on the value of a position that has a move, from tables or at little cost.
    fn known_bounds(&mut self, position: &Position) -> Bounds;

    /// Returns the present size of the settler's tables in bytes.
    fn bytes(&self) -> u64;

    /// Returns the number of positions searched by this settler so far.
    fn positions_searched(&self) -> u64;

    /// Sets the watch that the settler reports to and is stopped by.
    fn set_watch(&mut self, watch: &Watch);
}

/// A settler that a game builds for itself.
pub type BoxedSettler<Position> = Box<dyn Settler<Position> + Send>;

/// The memory and threads that a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes for tables.
    pub memory: usize,
    /// The number of threads that search.
    pub threads: usize,
}

impl Default for Budget {
    /// 256 MiB and one thread.
    fn default() -> Self {
        Self { memory: 256 << 20, threads: 1 }
    }
}

/// Why there is no table of all positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The game has no such table.
    #[error("the game has no table of all positions")]
    NotOfThisGame,
    /// A position is more than its filled cells.
    #[error(
        "only games whose positions are a board alone have a table: the same pieces for both players, and no supply"
    )]
    NotTheBoardAlone,
    /// The table would take more memory than is allowed.
    #[error("a table of all boards of {cells} cells takes {needed} bytes; {allowed} are allowed")]
    TooLarge {
        /// Cells that can be free or filled.
        cells: usize,
        /// Bytes of the table.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The machine does not have the memory that is allowed.
    #[error("this machine has not enough memory for a table of all boards of {cells} cells")]
    NoMemory {
        /// Cells that can be free or filled.
        cells: usize,
    },
    /// More positions than this can be reached than the memory allowed holds.
    #[error("more than {0} positions can be reached: too many for the memory allowed")]
    TooManyPositions(usize),
    /// The [`Watch`] stopped the construction.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A solver of any type, such as one that a game builds for itself.
pub type BoxedSolver<Position> = Box<dyn Solver<Position> + Send>;

/// A null-window test, as [`Solver::test`]. Functions that run several take it as a trait object, and are compiled once: a test
/// costs a search.
pub(crate) type Test<'t> = dyn FnMut(Value) -> Result<Value, Stopped> + 't;

/// Finds the value of a position within `known` by null-window tests: first the outcome, if it is open, then the remoteness
/// or the score, which is at most `max_score`.
pub(crate) fn find_value(known: Bounds, max_score: u32, test: &mut Test<'_>) -> Result<Value, Stopped> {
    // A game that contradicts itself can lead to bounds beyond the end of play, which no position has.
    let known = known.intersect(Bounds { lower: Value::terminal(Outcome::Loss), upper: Value::terminal(Outcome::Win) });
    if known.lower > known.upper {
        return Err(Stopped::Broken(BrokenPromise::Contradiction));
    }
    let Bounds { lower, upper } = find_outcome_bounds(known, test)?;
    let (mut nearest, farthest) = match lower.outcome() {
        Outcome::Win => (lower, upper),
        Outcome::Draw => return Ok(Value::DRAW),
        Outcome::Loss => (upper, lower),
    };
    // Scores come first: so many values lie between them and an end in a number of plies that steps would take long.
    let (is_win, max_score) = (lower.outcome() == Outcome::Win, max_score.min(Value::MAX_SCORE as u32) as i32);
    let largest = Value::from_score(if is_win { max_score } else { -max_score });
    let is_beyond = |value| if is_win { value > largest } else { value < largest };
    if max_score > 0 && !is_beyond(nearest) && is_beyond(farthest) {
        let value = step_to_value(nearest, largest, &mut |threshold| {
            test(threshold).map(|answer| if is_beyond(answer) { largest } else { answer })
        })?;
        if value != largest {
            return Ok(value);
        }
        nearest = test(if is_win { largest } else { largest.just_below() })?;
        if !is_beyond(nearest) {
            return Ok(largest);
        }
    }
    step_to_value(nearest, farthest, test)
}

/// Narrows `known` by null-window tests until it decides the outcome.
pub(crate) fn find_outcome_bounds(mut known: Bounds, test: &mut Test<'_>) -> Result<Bounds, Stopped> {
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

/// Finds the value, which is between `nearest`, a bound, and `farthest`: from a late win to a soon one or from a small score
/// to a large one, and for losses likewise. Each test asks whether the value is farther than known: the step doubles while it
/// is, and starts again from one when it is not. Each answer narrows the range, or it is a contradiction.
fn step_to_value(nearest: Value, farthest: Value, test: &mut Test<'_>) -> Result<Value, Stopped> {
    let direction = if farthest > nearest { 1 } else { -1 };
    let (mut nearest, mut farthest, mut step) = (i64::from(nearest.0), i64::from(farthest.0), 1);
    while nearest != farthest {
        let next = nearest + direction * i64::min(step, (farthest - nearest).abs());
        let threshold = Value((if direction > 0 { next - 1 } else { next }) as i32);
        let answer = test(threshold)?;
        let is_farther = (answer > threshold) == (direction > 0);
        let answer = i64::from(answer.0);
        let is_within = (answer - nearest) * direction >= 0 && (farthest - answer) * direction >= 0;
        if is_farther && is_within && answer != nearest {
            (nearest, step) = (answer, 2 * step);
        } else if !is_farther && is_within && answer != farthest {
            (farthest, step) = (answer, 1);
        } else {
            // The answer narrows nothing, or contradicts an earlier one.
            return Err(Stopped::Broken(BrokenPromise::Contradiction));
        }
    }
    Ok(Value(nearest as i32))
}

/// Finds the outcome alone by null-window tests.
pub(crate) fn find_outcome(test: &mut Test<'_>) -> Result<Outcome, Stopped> {
    let value = test(Value::DRAW)?;
    Ok(if value == Value::DRAW { test(Value::BELOW_DRAW)? } else { value }.outcome())
}
