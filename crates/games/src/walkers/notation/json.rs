//! The judge's form of a position, `{"board":[[1,1],[1,0]],"aloc":[0,0],"bloc":[0,1]}`: 1
//! is a tile, 0 a hole; then row and column of A, who is to move, and of B.

use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Position;
use crate::board::{Board, CellSet};
use crate::error::{RowsError, WalkersError};
use crate::text::{TextError, error};

/// The parts of the JSON text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionJson<'t> {
    #[serde(borrow)]
    board: &'t RawValue,
    #[serde(borrow)]
    aloc: &'t RawValue,
    #[serde(borrow)]
    bloc: &'t RawValue,
}

/// Whether `text` is JSON: no row of a board begins with a brace.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Reads the board and the position; `share` says whether tokens may share a tile.
pub(super) fn position<W: CellSet>(text: &str, share: bool) -> Result<(Board, Position<W>), TextError> {
    let source = Source(text);
    let PositionJson { board, aloc, bloc } = source.read(text)?;
    let (board, tiles) = source.board(board)?;
    let a = source.token('A', aloc, board, tiles)?;
    let b = source.token('B', bloc, board, tiles)?;
    if a == b && !share {
        return Err(error(text, source.span(bloc), WalkersError::SharedTile));
    }
    Ok((board, Position { tiles, mover: a, other: b, b_to_move: false }))
}

/// The whole text, into which errors point.
#[derive(Clone, Copy)]
struct Source<'t>(&'t str);

impl<'t> Source<'t> {
    /// The offset of a part within the text.
    fn at(self, part: &'t str) -> usize {
        part.as_ptr() as usize - self.0.as_ptr() as usize
    }

    fn span(self, part: &'t RawValue) -> Range<usize> {
        let at = self.at(part.get());
        at..at + part.get().len()
    }

    /// Reads a part of the text.
    fn read<T: Deserialize<'t>>(self, part: &'t str) -> Result<T, TextError> {
        serde_json::from_str(part).map_err(|e| {
            let line: usize = part.split_inclusive('\n').take(e.line().saturating_sub(1)).map(str::len).sum();
            // The last byte that was read.
            let wrong = self.at(part) + (line + e.column()).saturating_sub(1).min(part.len());
            let start = (0..=wrong).rfind(|at| self.0.is_char_boundary(*at)).unwrap_or(0);
            let end = start + self.0[start..].chars().next().map_or(0, char::len_utf8);
            // Line and column are shown separately.
            let message = e.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            error(self.0, start..end, WalkersError::Json { message: message.to_owned() })
        })
    }

    /// Reads the board and its tiles.
    fn board<W: CellSet>(self, written: &'t RawValue) -> Result<(Board, W), TextError> {
        let rows: Vec<&RawValue> = self.read(written.get())?;
        let mut cells: Vec<&RawValue> = Vec::new();
        let mut first = 0;
        for (n, row) in rows.iter().enumerate() {
            let of_row: Vec<&RawValue> = self.read(row.get())?;
            if n == 0 {
                first = of_row.len();
            } else if of_row.len() != first {
                let mistake = RowsError::Uneven { cells: of_row.len(), first };
                return Err(error(self.0, self.span(row), mistake));
            }
            cells.extend(of_row);
        }
        let board = Board::with_max_cells(W::CELLS, rows.len(), first);
        let board = board.map_err(|e| error(self.0, self.span(written), RowsError::Size(e)))?;
        let mut tiles = W::zero();
        for (cell, written) in cells.into_iter().enumerate() {
            match written.get() {
                "1" => tiles |= W::bit(cell),
                "0" => {}
                other => {
                    let mistake = WalkersError::NoTile { found: other.to_owned() };
                    return Err(error(self.0, self.span(written), mistake));
                }
            }
        }
        Ok((board, tiles))
    }

    /// Reads the cell of a token.
    fn token<W: CellSet>(self, token: char, written: &'t RawValue, board: Board, tiles: W) -> Result<u8, TextError> {
        let number = |written: &'t RawValue| {
            let found = written.get();
            let mistake = || WalkersError::NoNumber { found: found.to_owned() };
            found.parse::<usize>().map_err(|_| error(self.0, self.span(written), mistake()))
        };
        let [row, col]: [&RawValue; 2] = self.read(written.get())?;
        let (row, col) = (number(row)?, number(col)?);
        if row < board.rows() && col < board.cols() && !(tiles & W::bit(board.cell(row, col))).is_zero() {
            return Ok(board.cell(row, col) as u8);
        }
        Err(error(self.0, self.span(written), WalkersError::OffTiles { token, at: [row, col], board }))
    }
}
