//! Exact solvers for two-player board games: who wins, in how many plies, by
//! which moves.
//!
//! A game is anything that implements [`Game`], in three methods; what else it can tell
//! makes it faster to solve ([`Keyed`], [`Hints`], [`Impartial`], [`Expert`]). Every answer is
//! exact. The winner wins in as few plies as possible, the loser holds out for as many as
//! possible.
//!
//! | to find | use |
//! |---|---|
//! | a position's value, every move's, and a line, as they are known | [`Engine`] |
//! | the same by a solver of one's own choice | [`solve`] with a [`Solver`] |
//! | one value, fast | [`AlphaBeta`] |
//! | one outcome, where pieces are placed | [`DfPn`] |
//! | a nimber, where games fall apart into parts | [`Nimbers`] |
//! | a misère value, where games fall apart into parts | [`Misere`] |
//! | one value, beyond doubt | [`minimax`] |
//! | the value of all positions that can be reached | [`reach`] |
//! | the tree of play, and what alpha-beta does on it | [`tree`] |
//! | what a solve will cost | [`estimate()`] |
//! | what a partizan game is worth in sums with others | [`cgt`] |
//! | whether your game keeps the laws | [`laws`] |
//! | chance that is the same for the same seed | [`SplitMix`] |
//!
//! ```
#![doc = include_str!("../examples/nim.rs")]
//! ```

mod alpha_beta;
mod answer;
pub mod cgt;
mod claims;
mod codes;
mod df_pn;
mod engine;
mod estimate;
mod expert;
mod game;
mod hints;
mod impartial;
mod journal;
pub mod keep;
mod keyed;
mod keys;
pub mod laws;
mod length;
mod minimax;
mod misere;
mod nimbers;
mod oracle;
mod plain;
mod pointers;
mod proof;
mod questions;
mod random;
pub mod reach;
mod solution;
mod solver;
mod steps;
mod sync;
mod table;
mod team;
pub mod tree;
mod value;
mod watch;

pub use alpha_beta::AlphaBeta;
pub use answer::{Answer, Ask, Verdict};
pub use df_pn::DfPn;
pub use engine::{Engine, Method, NoAnswer};
pub use estimate::{Estimate, estimate};
pub use expert::{BoxedSolver, Budget, Expert, NoTable};
pub use game::Game;
pub use hints::Hints;
pub use impartial::Impartial;
pub use journal::{Entry, Keeper};
pub use keyed::{Keyed, MOST_KEY_BITS};
pub use length::{MOST_PLIES, TooLong, with_room};
pub use minimax::{Minimax, minimax};
pub use misere::Misere;
pub use nimbers::{Nimbers, NotImpartial};
pub use oracle::Oracle;
pub use plain::Plain;
pub use random::SplitMix;
pub use solution::{Solution, solve};
pub use solver::Solver;
pub use value::{Bounds, Outcome, Value};
pub use watch::{Stopped, Watch};
