//! The ranking of puzzles: by length, then by how tempting the wrong moves are.

use std::cmp::Reverse;

use balpan::{Solution, Verdict};
use serde::Serialize;

/// A move that does not win, with the signs that make it tempting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongMove<M> {
    /// The move.
    pub mv: M,
    /// The outcome and remoteness of the move.
    pub verdict: Verdict,
    /// Whether it draws, or loses only after at least half as many plies as the win takes.
    pub late: bool,
    /// Whether it looks better than the winning move: it leaves the opponent fewer replies; or as many,
    /// and the game's move ordering ([`balpan::Hints::rank`]) has it first.
    pub natural: bool,
    /// The only one of several replies that refutes it; for a drawn move, the only one that does not lose.
    pub only_reply: Option<M>,
}

impl<M> WrongMove<M> {
    /// Counts the signs that it has, of three.
    #[must_use]
    pub fn signs(&self) -> u32 {
        signs(self.late, self.natural, self.only_reply.is_some())
    }
}

/// Counts the signs that are set.
pub(super) fn signs(late: bool, natural: bool, narrow: bool) -> u32 {
    [late, natural, narrow].map(u32::from).iter().sum()
}

/// The criteria of the ranking. The field names in JSON are part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rank {
    /// Whether the position is on the line of a better puzzle, after an even number of plies. Such puzzles
    /// come last.
    pub follows: bool,
    /// The plies to the win; more are better.
    pub plies: u32,
    /// The sum of the next three fields.
    pub tempting: u32,
    /// The number of wrong moves that draw or lose late.
    pub late: u32,
    /// The number of wrong moves that look better than the winning move.
    pub natural: u32,
    /// The number of wrong moves with only one refutation.
    pub narrow: u32,
    /// The number of wrong moves.
    pub wrong: u32,
}

impl Rank {
    pub(super) fn new<M>(solution: &Solution<M>, wrong: &[WrongMove<M>]) -> Self {
        let count = |sign: fn(&WrongMove<M>) -> bool| wrong.iter().filter(|wrong| sign(wrong)).count() as u32;
        Self {
            follows: false,
            plies: solution.verdict.remoteness.unwrap_or(0),
            tempting: wrong.iter().map(WrongMove::signs).sum(),
            late: count(|wrong| wrong.late),
            natural: count(|wrong| wrong.natural),
            narrow: count(|wrong| wrong.only_reply.is_some()),
            wrong: wrong.len() as u32,
        }
    }

    /// Returns a sort key that puts better puzzles first.
    #[must_use]
    pub fn order(&self) -> impl Ord + use<> {
        (self.follows, Reverse(self.plies), Reverse(self.tempting), Reverse(self.wrong))
    }
}
