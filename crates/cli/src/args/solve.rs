//! Arguments of `balpan solve`.

use std::path::PathBuf;
use std::time::Duration;

use balpan::{Goal, Method};
use clap::{Args as ClapArgs, ValueEnum};

use super::{GameArgs, LangName, StrongArgs};
use crate::numbers::parse_deadline;

#[derive(ClapArgs, Debug)]
#[command(after_help = "A sum is solved where more games follow, each after a `+`: balpan solve nim 3 5 + kayles 7")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// What to find; by default, as much as takes reasonable time
    #[arg(long, value_enum, value_name = "HOW_FAR", conflicts_with_all = ["winner", "outcome", "remoteness"])]
    pub(crate) ask: Option<AskName>,
    /// Find only who wins, and a winning move: --ask winner
    #[arg(long, conflicts_with_all = ["outcome", "remoteness"])]
    pub(crate) winner: bool,
    /// Find only who wins, here and after every move: --ask outcome
    #[arg(long, conflicts_with = "remoteness")]
    pub(crate) outcome: bool,
    /// Find the outcome and plies of every move, however large the board: --ask moves
    #[arg(long)]
    pub(crate) remoteness: bool,
    /// Find the nimber of an impartial game, too; of a misère game the misère value
    #[arg(long)]
    pub(crate) nimber: bool,
    /// Print the score, too, in a game of lines with gravity: 22 less the number of stones that the
    /// winner will have placed on 6x7; negative if that is not the player to move
    #[arg(long, conflicts_with_all = ["estimate", "cgt"])]
    pub(crate) score: bool,
    /// Stop after this time and print what is known: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) deadline: Option<Duration>,
    /// Solve every line of a file, or of standard input (-): one JSON object per line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["estimate", "cgt", "position"])]
    pub(crate) positions: Option<PathBuf>,
    /// Keep results that took long in this file, and continue from those in it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["estimate", "cgt"])]
    pub(crate) keep: Option<PathBuf>,
    /// The number of threads; all cores by default. The answers do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The solver; all give the same answers
    #[arg(long, value_enum, default_value_t = SolverName::Auto)]
    pub(crate) solver: SolverName,
    /// Print the value of the position in combinatorial game theory, whoever is to
    /// move: a number, a nimber, a switch, .. (placement games under normal play)
    #[arg(long, conflicts_with_all = ["ask", "outcome", "winner", "remoteness", "nimber", "solver", "threads", "estimate"])]
    pub(crate) cgt: bool,
    /// Do not solve, but estimate within seconds what it would cost
    #[arg(long)]
    pub(crate) estimate: bool,
    /// The language; by default that of the locale (LC_ALL, LC_MESSAGES, LANG). The output of
    /// --json is the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
}

impl SolveArgs {
    /// Returns the goal, if an option sets one.
    pub(crate) fn goal(&self) -> Option<Goal> {
        match self.ask {
            Some(name) => Some(name.into()),
            None if self.winner => Some(Goal::Winner),
            None if self.outcome => Some(Goal::MoveOutcomes),
            None if self.remoteness => Some(Goal::MoveValues),
            None => None,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskName {
    /// Who wins, and a winning move
    Winner,
    /// Who wins, here and after every move
    Outcome,
    /// Also the plies, all best moves, and a line
    Value,
    /// Also the plies after every other move
    Moves,
}

impl From<AskName> for Goal {
    fn from(name: AskName) -> Self {
        match name {
            AskName::Winner => Self::Winner,
            AskName::Outcome => Self::MoveOutcomes,
            AskName::Value => Self::Value,
            AskName::Moves => Self::MoveValues,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SolverName {
    /// The fastest one
    Auto,
    /// Plain exhaustive minimax, for small positions
    Minimax,
    /// Alpha-beta with a transposition table
    AlphaBeta,
    /// Depth-first proof-number search, for outcomes of placement games
    DfPn,
    /// A table of all positions, for impartial placement games
    Table,
    /// Nimbers of independent parts, for who wins an impartial game
    Nimber,
}

impl From<SolverName> for Method {
    fn from(name: SolverName) -> Self {
        match name {
            SolverName::Auto => Self::Auto,
            SolverName::Minimax => Self::Minimax,
            SolverName::AlphaBeta => Self::AlphaBeta,
            SolverName::DfPn => Self::DfPn,
            SolverName::Table => Self::Table,
            SolverName::Nimber => Self::Nimber,
        }
    }
}
