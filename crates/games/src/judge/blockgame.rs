//! AlgoSpot BLOCKGAME: a count, then five lines a case of `.` and `#`; `WINNING`
//! or `LOSING` a line.

use std::io::{BufRead, Write};

use balpan::{Stopped, Watch};

use super::input::Words;
use super::{JudgeError, preset_game};
use crate::any::AnyGame;
use crate::placement::{LosingBoards, NoTable};

/// Bytes of the table.
const TABLE: u64 = 4 << 20;

/// Answers a stream of cases: all 2^25 boards are settled at once, which takes
/// some milliseconds, then each case is a look-up.
///
/// # Errors
/// If the input is not as the statement says, or reading or writing fails.
pub fn blockgame(input: impl BufRead, mut output: impl Write, watch: &Watch) -> Result<(), JudgeError> {
    let mut words = Words::new(input);
    let cases = words.count()?;
    let mut losing = None;
    for case in 1..=cases {
        let rows = words.square::<5>(b".#", case, cases)?;
        let cells = rows.as_flattened().iter().enumerate();
        let filled = cells.fold(0, |filled, (cell, &glyph)| filled | u64::from(glyph == b'#') << cell);
        let losing = match &mut losing {
            Some(settled) => settled,
            none => none.insert(all_boards(watch)?),
        };
        let answer = if losing.is_losing(filled) { "LOSING" } else { "WINNING" };
        writeln!(output, "{answer}").map_err(JudgeError::Write)?;
    }
    words.end(cases)?;
    output.flush().map_err(JudgeError::Write)
}

fn all_boards(watch: &Watch) -> Result<LosingBoards, Stopped> {
    let AnyGame::Placement(game) = preset_game("blockgame") else {
        unreachable!("the block game is of the placement family");
    };
    match LosingBoards::new(&game, TABLE, watch) {
        Ok(losing) => Ok(losing),
        Err(NoTable::Stopped(stopped)) => Err(stopped),
        Err(other) => unreachable!("an impartial game on 25 cells has such a table of 4 MiB: {other}"),
    }
}
