//! Solvers and tables that belong to one game.

use std::sync::Arc;

use super::{Hints, Impartial};
use crate::engine::{EngineCore, Goal};
use crate::search::{BoxedSettler, Solver, Stopped, Watch};

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
    #[error("there is no table of all positions: only placement games with the same pieces for both players have one")]
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
    /// The [`Watch`] stopped the construction.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A solver of any type, such as one that a game builds for itself.
pub type BoxedSolver<Position> = Box<dyn Solver<Position> + Send>;

/// Means of solving a game besides the general solvers, for an [`Engine`](crate::Engine). All defaults
/// are correct: the game has no such means.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement all traits that an `Engine` needs",
    note = "wrap a game that implements only `Game` as `balpan::Plain(game)`",
    note = "or implement `Keyed`, `Hints`, `Impartial` and `Expert` for it; their methods all have defaults"
)]
pub trait Expert: Hints + Impartial + Sized + Send + 'static {
    /// Returns the solvers of an [`Engine`](crate::Engine) for the game.
    ///
    /// By default each crate that makes an engine compiles all solvers for the game. A crate of games
    /// that others depend on overrides this method in the `impl` of each game, with the same body: the
    /// solvers are then compiled once, in that crate.
    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        EngineCore::new(self, budget)
    }

    /// Returns whether [`build_table`](Self::build_table) for the position takes at most `bytes` bytes and
    /// less time than a search.
    fn has_quick_table(&self, _position: &Self::Position, _bytes: usize) -> bool {
        false
    }

    /// Builds a table that [covers](Solver::covers) the position and all that can follow it.
    ///
    /// # Errors
    /// [`TableError`] if there is no table within the budget, or `watch` stops the construction.
    fn build_table(
        &self,
        _position: &Self::Position,
        _budget: Budget,
        _watch: &Watch,
    ) -> Result<BoxedSolver<Self::Position>, TableError> {
        Err(TableError::NotOfThisGame)
    }

    /// Returns a solver for outcomes only that is faster than a search of the game itself, for instance
    /// by another game with the same outcomes.
    fn outcome_solver(self: &Arc<Self>, _budget: Budget, _watch: &Watch) -> Option<BoxedSolver<Self::Position>> {
        None
    }

    /// Returns a [`Settler`](crate::Settler), which may decide who wins before a search does.
    fn settler(self: &Arc<Self>, _budget: Budget, _watch: &Watch) -> Option<BoxedSettler<Self::Position>> {
        None
    }

    /// Returns the same game with more known [nimbers](Impartial::nimber) for the parts of the position;
    /// `None` if there are no more.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` stops the computation.
    fn with_part_nimbers(
        &self,
        _position: &Self::Position,
        _budget: Budget,
        _watch: &Watch,
    ) -> Result<Option<Self>, Stopped> {
        Ok(None)
    }

    /// Returns whether proof-number search finds a first winning move sooner than alpha-beta.
    fn suits_proof_numbers(&self) -> bool {
        false
    }

    /// Returns how far an answer can go in reasonable time, for callers that do not choose a goal.
    fn default_goal(&self, _position: &Self::Position) -> Goal {
        Goal::MoveValues
    }
}
