//! Exact solvers for two-player board games: who wins, in how many plies, by
//! which moves.
//!
//! A game is a type that implements [`Game`], in three methods. [`Keyed`], [`Hints`], [`Impartial`] and [`Expert`] are
//! optional; each of their methods makes the game faster to solve. The [`guide`] goes from ten lines to a fast solver.
//!
//! Every answer is exact: the winner wins in as few plies as possible, and the loser holds out for as many as possible.
//!
//! The modules: games (`game`), solvers and what they share (`search`), the façade that selects solvers (`engine`), and
//! other analysis of games (`analysis`). Nothing here knows a particular game.
//!
//! | to find | use |
//! |---|---|
//! | the value of a position, of every move, and a line, as they become known | [`Engine`] |
//! | the same with a solver of your choice | [`solve`] with a [`Solver`] |
//! | one value, fast | [`AlphaBeta`] |
//! | one outcome, fast, where pieces are placed | [`DfPn`] |
//! | a nimber, where positions split into parts | [`Nimbers`] |
//! | a misère value, where positions split into parts | [`Misere`] |
//! | one value, by the plainest method | [`minimax`] |
//! | the value of every reachable position | [`reach`] |
//! | the game tree, and what alpha-beta does on it | [`tree`] |
//! | the cost of a solve in advance | [`estimate()`] |
//! | the value of a partizan game in sums with others | the crate `balpan-cgt` |
//! | whether a game keeps the laws of these traits | [`laws`] |
//! | random numbers from a seed | [`SplitMix`] |
//!
//! ```
#![doc = include_str!("../examples/chomp.rs")]
//! ```

mod analysis;
mod engine;
mod game;
pub mod guide;
mod random;
mod search;
mod value;

pub use analysis::{Estimate, estimate, reach, tree};
pub use engine::{Answer, Engine, EngineCore, EngineError, Goal, Method, Solution, Verdict, solve};
pub use game::{
    BoxedSolver, Budget, Expert, Game, Hints, Impartial, Keyed, MAX_KEY_BITS, Oracle, Plain, Symmetries, TableError,
    Tame, UNRANKED, laws,
};
pub use random::SplitMix;
pub use search::{
    AlphaBeta, BoxedSettler, BrokenPromise, DfPn, JournalEntry, JournalSink, MAX_PLIES, Minimax, Misere, Nimbers,
    NotImpartial, Settler, Solver, Stopped, TooLong, Watch, checkpoint, minimax, parallel, with_stack_for,
};
pub use value::{Bounds, Outcome, Value};

// For `balpan-cgt`, which recurses and caches as the solvers do.
#[doc(hidden)]
pub use search::{DepthLimit, Memo, TooDeep};
