//! Contests of the [`balpan_games`]: the original problems in their judges' own formats.
//!
//! A [`Judge`] knows one problem: how its cases are read and written, what is answered,
//! and which case is smaller than another. [`puzzle`] finds positions worth showing.
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

pub mod judge;
pub mod puzzle;

pub use judge::blockgame::BlockGame;
pub use judge::platforms::Platforms;
pub use judge::tictactoe::TicTacToe;
pub use judge::{Judge, JudgeError, Mistake, Reference, Size, answer_all};
