//! The original problems in their judges' own formats, byte for byte.
//!
//! Each reads cases from a stream and writes an answer a line, in bounded memory
//! however long the input is.

mod blockgame;
mod input;
mod platforms;
mod tictactoe;

use std::io;

use balpan::Stopped;

pub use blockgame::blockgame;
pub use platforms::platforms;
pub use tictactoe::tictactoe;

use crate::any::AnyGame;
use crate::presets::preset;

/// Why a judge stopped. What it has answered before is right.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The input is not what the problem's statement promises.
    #[error("line {line}, column {column}: {found}")]
    Input {
        /// From 1.
        line: u64,
        /// Bytes from 1.
        column: u64,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The input could not be read.
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
    /// The watch said stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The answers could not be written.
    #[error("the answers cannot be written")]
    Write(#[source] io::Error),
}

/// A preset that a judge is about.
fn preset_game(name: &str) -> AnyGame {
    let game = preset(name).map(|rules| rules.and_then(|rules| rules.game()));
    game.and_then(Result::ok).expect("the tests read every preset")
}
