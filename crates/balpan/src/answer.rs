//! What is known of a position, as it grows.

use crate::value::{Bounds, Outcome, Value};

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// The outcome alone, and a move that reaches it. Other moves are not asked, which
    /// can spare nearly all the work.
    Winner,
    /// The outcome of the position and of every move.
    Outcome,
    /// Outcome and remoteness, all best moves, and a line.
    Value,
    /// All that [`Value`](Self::Value) asks for, and the value of every move.
    Moves,
}

impl Ask {
    /// Whether remotenesses are asked for.
    #[must_use]
    pub const fn plies(self) -> bool {
        matches!(self, Self::Value | Self::Moves)
    }

    /// Whether moves that are not best are asked for.
    #[must_use]
    pub const fn every_move(self) -> bool {
        matches!(self, Self::Outcome | Self::Moves)
    }
}

/// An outcome, and the remoteness where it was asked for, is known, and there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end under optimal play; `None` for a draw, or if only the
    /// outcome was asked for or is known.
    pub remoteness: Option<u32>,
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Self {
        Self { outcome: value.outcome(), remoteness: value.remoteness() }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, remoteness: None }
    }
}

/// What is known of a position. An answer grows step by step, and all that it says is true
/// at every step: first who wins, then in how many plies, all best moves and a line, then
/// every other move's outcome, then every other move's plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<Move> {
    /// How far it was asked to go.
    pub ask: Ask,
    /// The position's value is within, for the player to move.
    pub bounds: Bounds,
    /// Whether play has ended here.
    pub is_over: bool,
    /// Every move in the game's order, with bounds of its value for the player who
    /// makes it: a best move has the position's own.
    pub moves: Vec<(Move, Bounds)>,
    /// Best moves to the end; empty if it was not asked for, or is not known yet.
    pub line: Vec<Move>,
    /// Whether all that was asked for is there.
    pub complete: bool,
    /// The number of positions searched for this answer.
    pub positions: u64,
}

impl<Move: Copy> Answer<Move> {
    /// The outcome, if it is known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.bounds.outcome()
    }

    /// The position's verdict, if the outcome is known.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.told(self.bounds)
    }

    /// What is told of a value within `bounds`: of plies only if they were asked for.
    #[must_use]
    pub fn told(&self, bounds: Bounds) -> Option<Verdict> {
        let outcome = bounds.outcome()?;
        let value = bounds.value().filter(|_| self.ask.plies() || self.is_over);
        Some(value.map_or_else(|| outcome.into(), Verdict::from))
    }

    /// Whether a move with these bounds is known to be as good as any.
    #[must_use]
    pub fn is_best(&self, of_move: Bounds) -> bool {
        if self.ask.plies() && self.bounds.value().is_some() {
            return of_move.lower >= self.bounds.upper;
        }
        self.outcome().is_some_and(|outcome| of_move.lower.outcome() >= outcome)
    }

    /// The moves that are known to be as good as any.
    pub fn best(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().filter(|(_, bounds)| self.is_best(*bounds)).map(|(mv, _)| *mv)
    }

    /// The moves to show, with what is known of them: the best, and where every move was
    /// asked for, all.
    pub fn shown(&self) -> impl Iterator<Item = (Move, Bounds)> {
        let shown = |bounds: &Bounds| self.ask.every_move() || self.is_best(*bounds);
        self.moves.iter().filter(move |(_, bounds)| shown(bounds)).copied()
    }
}
