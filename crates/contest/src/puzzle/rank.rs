//! The rank of a puzzle: by length, then by how tempting the wrong moves are.

use std::cmp::Reverse;

use balpan::{Solution, Verdict};
use serde::Serialize;

/// A move that does not win, and what speaks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong<M> {
    /// The move.
    pub mv: M,
    /// What it is worth.
    pub verdict: Verdict,
    /// It draws, or loses only after half as many plies as the win takes, or more.
    pub late: bool,
    /// At a glance it looks better than the winning move: it leaves the other player
    /// fewer replies; or as many, and the game's own order of promise
    /// ([`balpan::Hints::rank`]) has it first.
    pub natural: bool,
    /// The one reply that refutes it, where the other player has several: of those to a
    /// drawn move, the one that does not lose.
    pub only_reply: Option<M>,
}

impl<M> Wrong<M> {
    /// How many of the three signs it bears.
    #[must_use]
    pub fn signs(&self) -> u32 {
        signs(self.late, self.natural, self.only_reply.is_some())
    }
}

/// How many of the three signs there are.
pub(super) fn signs(late: bool, natural: bool, narrow: bool) -> u32 {
    [late, natural, narrow].map(u32::from).iter().sum()
}

/// What puzzles are ranked by, the first first. As JSON, the field names are part of the
/// command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rank {
    /// Whether it lies on the line of a better puzzle, two plies on or four and so on:
    /// such ones come last.
    pub follows: bool,
    /// Plies to the win; more are better.
    pub plies: u32,
    /// How tempting the wrong moves are: the sum of the three that follow.
    pub tempting: u32,
    /// How many of them draw, or lose late.
    pub late: u32,
    /// How many of them look better than the winning move.
    pub natural: u32,
    /// How many of them have one refutation alone.
    pub narrow: u32,
    /// How many wrong moves there are.
    pub wrong: u32,
}

impl Rank {
    pub(super) fn new<M>(solution: &Solution<M>, wrong: &[Wrong<M>]) -> Self {
        let count = |sign: fn(&Wrong<M>) -> bool| wrong.iter().filter(|wrong| sign(wrong)).count() as u32;
        Self {
            follows: false,
            plies: solution.verdict.remoteness.unwrap_or(0),
            tempting: wrong.iter().map(Wrong::signs).sum(),
            late: count(|wrong| wrong.late),
            natural: count(|wrong| wrong.natural),
            narrow: count(|wrong| wrong.only_reply.is_some()),
            wrong: wrong.len() as u32,
        }
    }

    /// Sorts better ones first.
    #[must_use]
    pub fn order(&self) -> impl Ord + use<> {
        (self.follows, Reverse(self.plies), Reverse(self.tempting), Reverse(self.wrong))
    }
}
