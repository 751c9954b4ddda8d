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
//! | the value of a partizan game in sums with others | the crate `balpan-cgt` |
//! | whether a game keeps the laws of these traits | [`laws`] |
//! | random numbers that depend on a seed only | [`SplitMix`] |
//!
//! ```
#![doc = include_str!("../examples/chomp.rs")]
//! ```

mod analysis;
mod engine;
mod game;
pub mod guide;
mod misere;
mod nimbers;
pub mod parallel;
mod proof;
mod random;
mod search;
mod tame;
mod value;
mod workers;

pub use analysis::{Estimate, estimate, reach, tree};
pub use engine::{Answer, Engine, EngineCore, EngineError, Goal, Method, Solution, Verdict, solve};
pub use game::{
    BoxedSolver, Budget, Expert, Game, Hints, Impartial, Keyed, MAX_KEY_BITS, Oracle, Plain, TableError, laws,
};
pub use misere::Misere;
pub use nimbers::{Nimbers, NotImpartial};
pub use random::SplitMix;
pub use search::{
    AlphaBeta, BoxedSettler, BrokenPromise, DfPn, JournalEntry, JournalSink, MAX_PLIES, Minimax, Settler, Solver,
    Stopped, TooLong, Watch, checkpoint, minimax, with_stack_for,
};
pub use tame::Tame;
pub use value::{Bounds, Outcome, Value};

// For `balpan-cgt`, which recurses and caches as the solvers do.
#[doc(hidden)]
pub use search::{DepthLimit, Memo, TooDeep};
