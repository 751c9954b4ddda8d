//! AlgoSpot TICTACTOE: a count, then three lines a case of `.`, `x` and `o`, x moves
//! first; who wins under perfect play, `x`, `o` or `TIE`, a line.

use std::io::{BufRead, Write};

use balpan::{AlphaBeta, Outcome, Solver, Watch};

use super::input::Words;
use super::{JudgeError, preset_game};
use crate::any::AnyGame;
use crate::notation::Notation;

/// Bytes enough for all 765 classes of positions.
const TABLE: usize = 1 << 20;

/// Answers a stream of cases. A board on which the game has ended is answered by
/// who has won.
///
/// # Errors
/// If the input is not as the statement says, or reading or writing fails.
pub fn tictactoe(input: impl BufRead, mut output: impl Write, watch: &Watch) -> Result<(), JudgeError> {
    let AnyGame::Lines(game) = preset_game("tictactoe") else {
        unreachable!("tic-tac-toe is of the lines family");
    };
    let mut solver = AlphaBeta::new(&game, TABLE, watch);
    let mut words = Words::new(input);
    let cases = words.count()?;
    for case in 1..=cases {
        let rows = words.square::<3>(b".xo", case, cases)?;
        let text = rows.map(|row| String::from_utf8_lossy(&row).to_uppercase()).join("/");
        let position = game.parse(&text).map_err(|e| {
            let found = format!("{} in case {case} of {cases}, which ends here", e.message);
            words.error_about(found, "a board that can occur: x moves first, and the first line ends the game")
        })?;
        let [mover, other] = game.players(&position);
        let outcome = solver.value(&position)?.outcome();
        let answer = match outcome {
            Outcome::Win => mover.to_lowercase(),
            Outcome::Loss => other.to_lowercase(),
            Outcome::Draw => "TIE".to_owned(),
        };
        writeln!(output, "{answer}").map_err(JudgeError::Write)?;
    }
    words.end(cases)?;
    output.flush().map_err(JudgeError::Write)
}
