//! Disappearing platforms by plain recursion: full backtracking on a `Vec<Vec<_>>`.

use std::io::{self, BufRead, Write};

use serde::Deserialize;

/// One call of the problem's `solution`.
#[derive(Debug, Deserialize)]
pub struct Case {
    /// 1 for a tile, 0 for none.
    pub board: Vec<Vec<u8>>,
    /// Row and column of A.
    pub aloc: (usize, usize),
    /// Row and column of B.
    pub bloc: (usize, usize),
}

/// Returns whether the player on `mover` wins, and the plies to the end.
fn play(board: &mut Vec<Vec<u8>>, mover: (usize, usize), other: (usize, usize)) -> (bool, u32) {
    let (row, col) = mover;
    let (mut win, mut loss) = (None, None);
    if board[row][col] == 1 {
        for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let (Some(to_row), Some(to_col)) = (row.checked_add_signed(down), col.checked_add_signed(right)) else {
                continue;
            };
            if to_row >= board.len() || to_col >= board[0].len() || board[to_row][to_col] == 0 {
                continue;
            }
            board[row][col] = 0;
            let (other_wins, plies) = play(board, other, (to_row, to_col));
            board[row][col] = 1;
            if other_wins {
                loss = loss.max(Some(plies + 1));
            } else {
                win = Some(win.map_or(plies + 1, |best: u32| best.min(plies + 1)));
            }
        }
    }
    match (win, loss) {
        (Some(plies), _) => (true, plies),
        (None, plies) => (false, plies.unwrap_or(0)),
    }
}

/// Returns the plies of the game.
pub fn solution(mut board: Vec<Vec<u8>>, aloc: (usize, usize), bloc: (usize, usize)) -> u32 {
    play(&mut board, aloc, bloc).1
}

/// Reads the judge's input and writes its output.
///
/// # Errors
/// If reading or writing fails.
///
/// # Panics
/// If the input is not in the judge's format.
pub fn judge(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.lines() {
        let case: Case = serde_json::from_str(&line?)?;
        writeln!(output, "{}", solution(case.board, case.aloc, case.bloc))?;
    }
    output.flush()
}
