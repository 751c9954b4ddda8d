//! Solvers that only one game has.

use std::sync::Arc;

use crate::answer::Goal;
use crate::engine::EngineCore;
use crate::hints::Hints;
use crate::impartial::Impartial;
use crate::settler::BoxedSettler;
use crate::solver::Solver;
use crate::watch::{Stopped, Watch};

/// The memory and threads that a solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes for tables.
    pub memory: usize,
    /// Threads that search.
    pub threads: usize,
}

impl Default for Budget {
    /// 256 MiB and one thread.
    fn default() -> Self {
        Self { memory: 256 << 20, threads: 1 }
    }
}

/// There is no table of all positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The game has none.
    #[error("there is no table of all positions: only placement games with the same pieces for both players have one")]
    NotOfThisGame,
    /// More is to be known of a position than its filled cells.
    #[error(
        "only games whose positions are a board alone have a table: the same pieces for both players, and no supply"
    )]
    NotTheBoardAlone,
    /// It would take more memory than allowed.
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
    /// The watch said stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A solver of its own that a game has made.
pub type BoxedSolver<Position> = Box<dyn Solver<Position> + Send>;

/// What an [`Engine`](crate::Engine) needs to know to solve a game by other means than the general
/// solvers. All defaults are correct: the game has no such means.
pub trait Expert: Hints + Impartial + Sized + Send + 'static {
    /// The solvers of an [`Engine`](crate::Engine) for the game.
    ///
    /// By default each crate that makes an engine compiles all solvers for the game. A crate of
    /// games that others depend on writes this method with the same body in the `impl` of each game: the
    /// solvers are then compiled once, in that crate.
    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        EngineCore::new(self, budget)
    }

    /// Whether a [`build_table`](Self::build_table) for the position is made, in at most `bytes` bytes, in
    /// less time than a search would take.
    fn has_quick_table(&self, _position: &Self::Position, _bytes: usize) -> bool {
        false
    }

    /// A table that [covers](Solver::covers) the position and all that can follow it.
    ///
    /// # Errors
    /// If there is none within the budget, or `watch` says to stop.
    fn build_table(
        &self,
        _position: &Self::Position,
        _budget: Budget,
        _watch: &Watch,
    ) -> Result<BoxedSolver<Self::Position>, TableError> {
        Err(TableError::NotOfThisGame)
    }

    /// A solver for outcomes only that is faster than a search of the game itself, for instance by
    /// another game with the same outcomes.
    fn outcome_solver(self: &Arc<Self>, _budget: Budget, _watch: &Watch) -> Option<BoxedSolver<Self::Position>> {
        None
    }

    /// What settles who wins before a search does, if anything.
    fn settler(self: &Arc<Self>, _budget: Budget, _watch: &Watch) -> Option<BoxedSettler<Self::Position>> {
        None
    }

    /// The same game, knowing more [nimbers](Impartial::nimber) of parts of the position;
    /// `None` if there is no more to know.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` says to stop.
    fn with_part_nimbers(
        &self,
        _position: &Self::Position,
        _budget: Budget,
        _watch: &Watch,
    ) -> Result<Option<Self>, Stopped> {
        Ok(None)
    }

    /// Whether proof-number search finds a first winning move sooner than alpha-beta.
    fn suits_proof_numbers(&self) -> bool {
        false
    }

    /// How far an answer can go in reasonable time, for callers that do not say.
    fn default_goal(&self, _position: &Self::Position) -> Goal {
        Goal::MoveValues
    }
}
