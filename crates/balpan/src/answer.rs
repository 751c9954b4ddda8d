//! Answers, which grow while a position is solved.

use std::fmt;

use crate::value::{Bounds, Outcome, Value};

/// How much of an answer to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The outcome only, and a move that reaches it. Other moves are not searched, which can save
    /// nearly all the work.
    Winner,
    /// The outcome of the position and of every move.
    MoveOutcomes,
    /// Outcome and remoteness, all best moves, and a line.
    Value,
    /// All that [`Value`](Self::Value) asks for, and the value of every move.
    MoveValues,
}

impl Goal {
    /// Whether remotenesses are wanted.
    #[must_use]
    pub const fn includes_remoteness(self) -> bool {
        matches!(self, Self::Value | Self::MoveValues)
    }

    /// Whether moves that are not best are wanted.
    #[must_use]
    pub const fn includes_all_moves(self) -> bool {
        matches!(self, Self::MoveOutcomes | Self::MoveValues)
    }
}

/// An outcome, with the remoteness if there is one, it was asked for and it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end under optimal play; `None` for a draw, or if only the
    /// outcome was asked for or is known.
    pub remoteness: Option<u32>,
}

/// `win in 5`, `draw`, or `loss` where the plies are not known.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.remoteness {
            Some(plies) => f.pad(&format!("{} in {plies}", self.outcome)),
            None => self.outcome.fmt(f),
        }
    }
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

/// What is known about a position. An answer grows step by step, and is true at every step: first
/// the winner, then the plies with all best moves and a line, then the outcome of every other
/// move, then the plies of every other move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<Move> {
    /// What was asked for.
    pub goal: Goal,
    /// Bounds on the value, for the player to move.
    pub bounds: Bounds,
    /// Whether play has ended here.
    pub is_over: bool,
    /// Every move in the game's order, with bounds of its value for the player who
    /// makes it: a best move has the position's own.
    pub moves: Vec<(Move, Bounds)>,
    /// Best moves to the end; empty if it was not asked for, or is not known yet.
    pub line: Vec<Move>,
    /// Whether everything that was asked for is known.
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
        self.verdict_for(self.bounds)
    }

    /// The verdict on a value within `bounds`: with plies only if they were asked for.
    #[must_use]
    pub fn verdict_for(&self, bounds: Bounds) -> Option<Verdict> {
        let outcome = bounds.outcome()?;
        let value = bounds.value().filter(|_| self.goal.includes_remoteness() || self.is_over);
        Some(value.map_or_else(|| outcome.into(), Verdict::from))
    }

    /// Whether a move with these bounds is known to be as good as any.
    #[must_use]
    pub fn is_best(&self, of_move: Bounds) -> bool {
        if self.goal.includes_remoteness() && self.bounds.value().is_some() {
            return of_move.lower >= self.bounds.upper;
        }
        self.outcome().is_some_and(|outcome| of_move.lower.outcome() >= outcome)
    }

    /// The moves that are known to be as good as any.
    pub fn best_moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().filter(|(_, bounds)| self.is_best(*bounds)).map(|(mv, _)| *mv)
    }

    /// The moves to show, with their bounds: all moves if all were asked for, otherwise the best.
    pub fn moves_to_show(&self) -> impl Iterator<Item = (Move, Bounds)> {
        let shown = |bounds: &Bounds| self.goal.includes_all_moves() || self.is_best(*bounds);
        self.moves.iter().filter(move |(_, bounds)| shown(bounds)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_written_as_values_are() {
        assert_eq!(Verdict::from(Value::loss(6)).to_string(), Value::loss(6).to_string());
        assert_eq!(format!("{:>5}|{}", Verdict::from(Value::DRAW), Verdict::from(Outcome::Win)), " draw|win");
    }
}
