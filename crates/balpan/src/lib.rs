//! Exact solvers for two-player board games: who wins, in how many plies, by
//! which moves.
//!
//! A game is anything that implements [`Game`], in three methods. [`Keyed`], [`Hints`],
//! [`Impartial`] and [`Expert`] are optional; each of their methods makes it faster to solve.
//! The [`guide`] goes from ten lines to a fast solver.
//!
//! Every answer is exact. The winner wins in as few plies as possible, the loser holds out for
//! as many as possible.
//!
//! | to find | use |
//! |---|---|
//! | the value of a position, of every move, and a line, as they become known | [`Engine`] |
//! | the same with a solver of your choice | [`solve`] with a [`Solver`] |
//! | one value, fast | [`AlphaBeta`] |
//! | one outcome, fast, where pieces are placed | [`DfPn`] |
//! | a nimber, where positions fall apart into parts | [`Nimbers`] |
//! | a misère value, where positions fall apart into parts | [`Misere`] |
//! | one value, by the plainest method | [`minimax`] |
//! | the value of every reachable position | [`reach`] |
//! | the game tree, and what alpha-beta does on it | [`tree`] |
//! | the cost of a solve in advance | [`estimate()`] |
//! | the value of a partizan game in sums with others | [`cgt`] |
//! | whether a game keeps the laws of these traits | [`laws`] |
//! | random numbers that depend on a seed only | [`SplitMix`] |
//!
//! ```
#![doc = include_str!("../examples/chomp.rs")]
//! ```

mod alpha_beta;
mod answer;
pub mod cgt;
pub mod checkpoint;
mod codes;
mod df_pn;
mod engine;
mod estimate;
mod expert;
mod game;
pub mod guide;
mod hints;
mod impartial;
mod journal;
mod keyed;
mod keys;
pub mod laws;
mod length;
mod memory;
mod minimax;
mod misere;
mod nimbers;
mod oracle;
pub mod parallel;
mod plain;
mod proof;
mod questions;
pub mod quotient;
mod random;
pub mod reach;
mod settler;
mod solution;
mod solver;
mod steps;
mod sync;
mod table;
mod tame;
pub mod tree;
mod value;
mod watch;
mod workers;

pub use alpha_beta::AlphaBeta;
pub use answer::{Answer, Goal, Verdict};
pub use df_pn::DfPn;
pub use engine::{Engine, EngineCore, EngineError, Method};
pub use estimate::{Estimate, estimate};
pub use expert::{BoxedSolver, Budget, Expert, TableError};
pub use game::Game;
pub use hints::Hints;
pub use impartial::Impartial;
pub use journal::{JournalEntry, JournalSink};
pub use keyed::{Keyed, MAX_KEY_BITS};
pub use length::{MAX_PLIES, TooLong, with_stack_for};
pub use minimax::{Minimax, minimax};
pub use misere::Misere;
pub use nimbers::{Nimbers, NotImpartial};
pub use oracle::Oracle;
pub use plain::Plain;
pub use random::SplitMix;
pub use settler::{BoxedSettler, Settler};
pub use solution::{Solution, solve};
pub use solver::Solver;
pub use tame::Tame;
pub use value::{Bounds, Outcome, Value};
pub use watch::{BrokenPromise, Stopped, Watch};
