//! Contests of the [`balpan_games`]: the original problems, programs that should solve them,
//! and what is set of them.
//!
//! | to find | use |
//! |---|---|
//! | the answers to a problem, in its judge's own format | [`answer_all`], with [`BlockGame`], [`Platforms`], [`TicTacToe`], or [`OwnGame`] for rules of one's own |
//! | where somebody's program is wrong, and the smallest such case | [`stress`] |
//! | which misunderstanding explains answers that somebody's program has given | [`stress::explain`] |
//! | what somebody's program does with an input, within limits | [`Program`] |
//! | test data with certified answers | [`generate()`] |
//! | that data as a problem package for Kattis, DOMjudge or Polygon | [`package`](package::package) |
//! | positions with exactly one winning move | [`puzzle`] |
//! | what a new problem has to implement | [`Judge`] |
//!
//! ```
//! use balpan::Watch;
//! use balpan_contest::{BlockGame, answer_all};
//!
//! let input = "1\n#####\n##..#\n#####\n#####\n#####\n";
//! let mut output = Vec::new();
//! answer_all(&BlockGame, input.as_bytes(), &mut output, &Watch::default())?;
//! assert_eq!(output, b"WINNING\n");
//! # Ok::<(), balpan_contest::JudgeError>(())
//! ```

pub mod generate;
pub mod judge;
pub mod package;
pub mod program;
pub mod puzzle;
mod said;
pub mod stress;

pub use generate::{
    Covered, DataJson, Given, Hard, NoData, TestData, Wanted, data_json, generate, generate_with, hardest,
};
pub use judge::blockgame::BlockGame;
pub use judge::own::{self, OwnGame};
pub use judge::platforms::Platforms;
pub use judge::tictactoe::TicTacToe;
pub use judge::{About, Judge, JudgeError, Mistake, Played, Recursion, Reference, Size, Survey, answer_all};
pub use program::{End, Limits, NoProgram, Program, Run};
pub use said::Said;
