//! `balpan judge`: a contest's input in, a contest's output out.

use std::io::{BufWriter, stdin, stdout};

use balpan::Watch;
use balpan_contest::{BlockGame, Platforms, TicTacToe, answer_all};

use crate::args::Judge;
use crate::failure::Failure;

/// Ctrl-C ends it as it ends any filter.
pub(crate) fn run(judge: Judge) -> Result<(), Failure> {
    let input = stdin().lock();
    let output = stdout().lock();
    let watch = Watch::default();
    match judge {
        Judge::Blockgame => answer_all(&BlockGame, input, BufWriter::new(output), &watch)?,
        Judge::Tictactoe => answer_all(&TicTacToe, input, BufWriter::new(output), &watch)?,
        // A large board takes its time: each answer leaves as soon as it is there.
        Judge::Platforms => answer_all(&Platforms, input, output, &watch)?,
    }
    Ok(())
}
