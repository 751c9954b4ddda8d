//! Programming contests about the games of [`balpan_games`]: judges with exact answers, programs
//! under test, test data and puzzles. Nothing here knows a terminal, HTML or HTTP.
//!
//! | to find | use |
//! |---|---|
//! | the answers to a problem, in its judge's own format | [`answer_all`], with [`BlockGame`], [`Platforms`], [`TicTacToe`], or [`CustomGame`] for any rules file |
//! | the smallest case on which a program is wrong | [`stress`] |
//! | the misunderstanding that explains a program's answers | [`stress::explain`] |
//! | a program's output for an input, within limits | [`Program`] |
//! | test data with certified answers | [`generate()`] |
//! | that data as a problem package for Kattis, DOMjudge or Polygon | [`package`](package::package) |
//! | positions with exactly one winning move | [`puzzle`] |
//! | a game between programs | [`Referee`] |
//! | the trait that a new problem implements | [`Judge`] |
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

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

pub mod generate;
pub mod judge;
pub mod package;
pub mod problem;
pub mod program;
pub mod puzzle;
pub mod referee;
pub mod stress;

pub use generate::{
    Coverage, DataJson, DataOptions, FixedCases, GenerateError, HardCase, TestData, data_json, find_hard_cases,
    generate, generate_with,
};
pub use judge::blockgame::BlockGame;
pub use judge::custom::{self, CustomGame};
pub use judge::platforms::Platforms;
pub use judge::tictactoe::TicTacToe;
pub use judge::{
    JUDGES_IN_RUST, Judge, JudgeError, JudgeInfo, JudgeTask, Mistake, OptimalPlay, Phrase, Recursion, Reference, Size,
    Survey, answer_all, with_judge,
};
pub use problem::{Problem, ProblemError, find_problem};
pub use program::{End, Limits, Program, ProgramError, Run};
pub use referee::Referee;
