//! Outlines around sets of cells.

use std::fmt::Write;

use balpan_games::{Board, Cells};
use maud::{Markup, html};

use super::{CELL, corner};

/// The distance of an outline from the edge of its cells.
const INSET: usize = 3;

/// Draws the edges of cells, except for those between two of them.
pub(super) fn outline(board: Board, cells: u128) -> Markup {
    let mut path = String::new();
    for cell in Cells(cells) {
        let ((row, col), (x, y)) = (board.row_col(cell), corner(board, cell));
        let has = |down: isize, right: isize| {
            let (row, col) = (row.checked_add_signed(down), col.checked_add_signed(right));
            row.zip(col).is_some_and(|(row, col)| {
                row < board.rows() && col < board.cols() && cells & (1 << board.cell(row, col)) != 0
            })
        };
        let [up, down, left, right] = [has(-1, 0), has(1, 0), has(0, -1), has(0, 1)];
        let inset = |is_joined: bool| if is_joined { 0 } else { INSET };
        let (x0, x1) = (x + inset(left), x + CELL - inset(right));
        let (y0, y1) = (y + inset(up), y + CELL - inset(down));
        let mut edge = |is_joined: bool, [ax, ay, bx, by]: [usize; 4]| {
            if !is_joined {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{ax} {ay}L{bx} {by}");
            }
        };
        edge(up, [x0, y0, x1, y0]);
        edge(down, [x0, y1, x1, y1]);
        edge(left, [x0, y0, x0, y1]);
        edge(right, [x1, y0, x1, y1]);
    }
    html! { @if !path.is_empty() { path d=(path) {} } }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::link::Link;
    use crate::scene::Scene;

    #[test]
    fn winning_lines_are_found_in_every_direction() {
        for (game, at, cells) in [
            ("tictactoe", "XXX/OO./...", 0b111),
            ("tictactoe", "XO./XO./X..", 0b1_001_001),
            ("tictactoe", "XO./OX./..X", 0b100_010_001),
            ("tictactoe", ".OX/OX./X..", 0b001_010_100),
            ("tictactoe", "XX./OO./...", 0),
        ] {
            let link = Link { game: game.to_owned(), at: Some(at.to_owned()), ..Link::default() };
            let scene = Scene::new(link).unwrap();
            assert_eq!(scene.game.winning_cells(), cells, "{at}");
        }
    }

    #[test]
    fn an_outline_has_no_edge_between_its_cells() {
        let board = Board::new(3, 3).unwrap();
        let edges = |cells| outline(board, cells).into_string().matches('M').count();
        assert_eq!((edges(0), edges(1), edges(0b11), edges(0b11_011)), (0, 4, 6, 8));
    }
}
