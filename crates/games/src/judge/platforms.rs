//! Programmers 92345, "Disappearing platforms", as JSON Lines: `{"board": [[1, 1],
//! [1, 0]], "aloc": [0, 0], "bloc": [0, 1]}`; the plies of the game, a line a case.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::io::{BufRead, Write};

use balpan::{AlphaBeta, Solver, Watch};
use serde::Deserialize;

use super::JudgeError;
use super::input::Lines;
use crate::board::{Board, bit};
use crate::walkers::{Position, Rules, Steps, Walkers};

/// One call of the problem's `solution`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    board: Vec<Vec<u8>>,
    aloc: [usize; 2],
    bloc: [usize; 2],
}

/// Bytes of a table: small enough to stay in the cache, where it helps.
const TABLE: usize = 1 << 20;

/// So many sizes of boards have a table at a time.
const MOST_TABLES: usize = 16;

/// Answers a stream of cases, each in the time that its board takes: boards up to
/// 5×5, as in the problem, within some microseconds. Larger ones are solved too. What
/// is learnt of one board helps with the others of its size.
///
/// # Errors
/// If a line is no case, or reading or writing fails.
pub fn platforms(input: impl BufRead, mut output: impl Write, watch: &Watch) -> Result<(), JudgeError> {
    // One for each number of rows and columns; solvers borrow them.
    let games: Vec<OnceCell<Box<Walkers>>> = vec![OnceCell::new(); (Board::MOST_CELLS + 1).pow(2)];
    let mut solvers = HashMap::new();
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next()? {
        let case = read(line).map_err(|(column, found)| JudgeError::Input {
            line: lines.number,
            column,
            found,
            expected: r#"{"board": [[1, 1], [1, 0]], "aloc": [0, 0], "bloc": [0, 1]}"#.to_owned(),
        })?;
        let (board, position) = case.position().map_err(|(found, expected)| JudgeError::Input {
            line: lines.number,
            column: 1,
            found,
            expected,
        })?;
        if solvers.len() >= MOST_TABLES && !solvers.contains_key(&board) {
            solvers.clear();
        }
        let solver = solvers.entry(board).or_insert_with(|| {
            let game = games[board.rows() * (Board::MOST_CELLS + 1) + board.cols()].get_or_init(|| new_game(board));
            AlphaBeta::new(&**game, TABLE, watch)
        });
        let value = solver.value(&position)?;
        // Without draws, a value always has a remoteness.
        writeln!(output, "{}", value.remoteness().unwrap_or(0)).map_err(JudgeError::Write)?;
    }
    output.flush().map_err(JudgeError::Write)
}

const RULES: Rules = Rules { steps: Steps::Orthogonal, share: true, torus: false };

fn new_game(board: Board) -> Box<Walkers> {
    Box::new(Walkers::new(RULES, board))
}

/// A line's case; or in which column what was found.
fn read(line: &[u8]) -> Result<Case, (u64, String)> {
    // A list of the three would be taken for the object else.
    let start = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if line.get(start) != Some(&b'{') {
        return Err((start as u64 + 1, "no case: not a JSON object".to_owned()));
    }
    serde_json::from_slice(line).map_err(|e| {
        // Without the line, which is always the first; and some of what is quoted.
        let text = e.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        (e.column() as u64, format!("no case: {}", text.chars().take(200).collect::<String>()))
    })
}

impl Case {
    /// The board and the position; or what was found and what was expected.
    fn position(&self) -> Result<(Board, Position), (String, String)> {
        let rows = &self.board;
        let cols = rows.first().map_or(0, Vec::len);
        let board = Board::new(rows.len(), cols).map_err(|e| (e.to_string(), "rows of 1 and 0".to_owned()))?;
        if let Some(row) = rows.iter().position(|row| row.len() != cols) {
            let found = format!("row {row} of the board has {} cells", rows[row].len());
            return Err((found, format!("{cols} cells, as in row 0")));
        }
        let cells = || rows.iter().flatten().enumerate();
        if let Some((cell, &other)) = cells().find(|&(_, &tile)| tile > 1) {
            let found = format!("{other} at [{}] of the board", board.cell_text(cell));
            return Err((found, "1 for a tile or 0 for none".to_owned()));
        }
        let tiles = cells().fold(0, |tiles, (cell, &tile)| tiles | u64::from(tile) << cell);
        let token = |name, [row, col]: [usize; 2]| {
            let on_board = row < board.rows() && col < board.cols();
            let cell = if on_board { board.cell(row, col) } else { 0 };
            if on_board && tiles & bit(cell) != 0 {
                return Ok(cell as u8);
            }
            let found = format!("{name} is [{row}, {col}], where there is no tile");
            Err((found, format!("row and column of a tile, from 0, on a board of {board}")))
        };
        let position =
            Position { tiles, mover: token("aloc", self.aloc)?, other: token("bloc", self.bloc)?, b_to_move: false };
        Ok((board, position))
    }
}
