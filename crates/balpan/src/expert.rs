//! What a game knows of how it is solved best.

use std::sync::Arc;

use crate::answer::Ask;
use crate::hints::Hints;
use crate::impartial::Impartial;
use crate::solver::Solver;
use crate::watch::{Stopped, Watch};

/// What may be spent.
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
pub enum NoTable {
    /// The game has none.
    #[error("there is no table of all positions: placement games have one, where both players have the same pieces")]
    NotOfThisGame,
    /// More is to be known of a position than its filled cells.
    #[error("only for games whose positions are a board alone: both players with the same pieces, no supply")]
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
    #[error("there is no memory for a table of all boards of {cells} cells")]
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

/// What a game can tell an [`Engine`](crate::Engine) of how it is solved best. Every default
/// is sound: there is nothing special about the game.
pub trait Expert: Hints + Impartial + Sized + Send + 'static {
    /// Whether a [`table`](Self::table) for the position is made, in at most `bytes` bytes, in
    /// less time than a search would take.
    fn has_quick_table(&self, _position: &Self::Position, _bytes: usize) -> bool {
        false
    }

    /// A table that [covers](Solver::covers) the position and all that can follow it.
    ///
    /// # Errors
    /// If there is none within the budget, or `watch` says to stop.
    fn table(
        &self,
        _position: &Self::Position,
        _budget: Budget,
        _watch: &Watch,
    ) -> Result<BoxedSolver<Self::Position>, NoTable> {
        Err(NoTable::NotOfThisGame)
    }

    /// A solver that tells outcomes, and no more, quicker than a search of the game itself:
    /// by another game that has the same outcomes, for instance.
    fn outcomes(self: &Arc<Self>, _budget: Budget, _watch: &Watch) -> Option<BoxedSolver<Self::Position>> {
        None
    }

    /// The same game, knowing more [nimbers](Impartial::nimber) of parts of the position;
    /// `None` if there is no more to know.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` says to stop.
    fn informed(&self, _position: &Self::Position, _budget: Budget, _watch: &Watch) -> Result<Option<Self>, Stopped> {
        Ok(None)
    }

    /// Whether proof numbers find a first winning move sooner than alpha-beta does.
    fn suits_proof_numbers(&self) -> bool {
        false
    }

    /// How far an answer to whoever does not say how far can go in reasonable time.
    fn within_reach(&self, _position: &Self::Position) -> Ask {
        Ask::Moves
    }
}
