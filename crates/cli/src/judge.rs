//! `balpan judge`: a contest's input in, a contest's output out.

use std::io::{BufWriter, stdin, stdout};

use balpan::Watch;
use balpan_games::judge;

use crate::args::Judge;
use crate::failure::Failure;

/// Ctrl-C ends it as it ends any filter: what is answered is written, and reading
/// is what it mostly waits for.
pub(crate) fn run(judge: Judge) -> Result<(), Failure> {
    let input = stdin().lock();
    let mut output = BufWriter::new(stdout().lock());
    let watch = Watch::default();
    match judge {
        Judge::Blockgame => judge::blockgame(input, &mut output)?,
        Judge::Tictactoe => judge::tictactoe(input, &mut output, &watch)?,
        Judge::Platforms => judge::platforms(input, &mut output, &watch)?,
    }
    Ok(())
}
