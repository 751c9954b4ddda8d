//! Exact solvers for two-player board games: who wins, in how many plies, by
//! which moves.
//!
//! A game is anything that implements [`Game`]; every answer is exact. The winner
//! wins in as few plies as possible, the loser holds out for as many as possible.
//!
//! | to find | use |
//! |---|---|
//! | a position's value, every move's, and a line | [`solve`] with a [`Solver`] |
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
pub mod cgt;
mod claims;
mod df_pn;
mod estimate;
mod game;
pub mod laws;
mod minimax;
mod misere;
mod nimbers;
mod questions;
mod random;
pub mod reach;
mod solution;
mod solver;
mod sync;
mod table;
mod team;
pub mod tree;
mod value;
mod watch;

pub use alpha_beta::AlphaBeta;
pub use df_pn::DfPn;
pub use estimate::{Estimate, estimate};
pub use game::{Game, MOST_KEY_BITS};
pub use minimax::{Minimax, minimax};
pub use misere::Misere;
pub use nimbers::Nimbers;
pub use random::SplitMix;
pub use solution::{Ask, Solution, Verdict, solve};
pub use solver::Solver;
pub use value::{Bounds, Outcome, Value};
pub use watch::{Stopped, Watch};
