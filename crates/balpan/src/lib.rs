//! Exact solvers for two-player board games: who wins, in how many plies, by
//! which moves.
//!
//! A game is a type that implements [`Game`], in three methods; each further one makes it faster to solve. [`solve`] is
//! the shortest way to an answer, and the [`guide`] goes from ten lines to a fast solver.
//!
//! Every answer is exact: the winner wins in as few plies as possible, and the loser holds out for as many as possible;
//! where results are scores, each player maximises the own one.
//!
//! The modules: games (`game`), solvers and what they share (`search`), the façade that selects solvers (`engine`), and
//! other analysis of games (`analysis`). Nothing here knows a particular game.
//!
//! | to find | use |
//! |---|---|
//! | the value of a position, of every move, and a line, as they become known | [`Engine`] |
//! | the same with a solver of your choice | [`solve_with`] a [`Solver`] |
//! | one value, fast | [`AlphaBeta`] |
//! | one outcome, fast, where pieces are placed | [`DfPn`] |
//! | a nimber, where positions split into parts | [`Nimbers`] |
//! | a misère value, where positions split into parts | [`Misere`] |
//! | one value, by the plainest method | [`minimax`] |
//! | the value of every reachable position | [`reach`] |
//! | the game tree, and what alpha-beta does on it | [`tree`] |
//! | the cost of a solve in advance | [`estimate()`] |
//! | the value of a partizan game in sums with others | the crate `balpan-cgt` |
//! | the value of every position, where play may repeat | [`Retrograde`] |
//! | whether a game keeps the laws of these traits | [`laws`] |
//! | random numbers from a seed | [`SplitMix`] |
//!
//! ```
#![doc = include_str!("../examples/chomp.rs")]
//! ```

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod analysis;
pub mod clock;
mod engine;
mod game;
pub mod guide;
mod random;
mod search;
mod value;

pub use analysis::{Estimate, LoopyNimber, estimate, loopy_nimbers, reach, tree};
pub use engine::{Answer, Engine, EngineError, Goal, Method, RulesFailure, Solution, Verdict, solve, solve_with};
pub use game::{Game, MAX_KEY_BITS, MAX_PART_KEY_BITS, Oracle, Symmetries, Tame, UNRANKED, laws};
pub use random::SplitMix;
pub use search::{
    AlphaBeta, BrokenPromise, Budget, DfPn, JournalEntry, JournalSink, MAX_PLIES, Minimax, Misere, Nimbers,
    NotImpartial, Retrograde, Solver, Stopped, TableError, TooLong, Watch, checkpoint, minimax, parallel,
    with_stack_for,
};
pub use value::{Bounds, Outcome, Turn, Value};

// For the crates beside this one: `balpan-cgt` recurses and caches as the solvers do, and `balpan-games` has solvers of
// its own.
#[doc(hidden)]
pub use engine::EngineCore;
#[doc(hidden)]
pub use search::{BoxedSettler, BoxedSolver, DepthLimit, Memo, Settler, TooDeep};
