//! The pieces that the history has placed: cells of one piece hang together.

use balpan_games::{Board, Cells};
use maud::{Markup, html};

use super::{CELL, corner};
use crate::scene::Scene;

/// The pieces of the history, numbered.
pub(crate) fn placed(scene: &Scene, board: Board) -> Markup {
    html! {
        g aria-hidden="true" {
            @for (n, played) in scene.history.iter().enumerate() {
                g class={ "piece " (if n % 2 == 0 { "dark" } else { "light" }) } {
                    (shape(board, played.cells))
                    @if let Some(first) = Cells(played.cells).next() {
                        @let (x, y) = corner(board, first);
                        text x=(x + CELL / 2) y=(y + CELL / 2 + 5) { (n + 1) }
                    }
                }
            }
        }
    }
}

/// Cells, drawn together where they are neighbours.
pub(crate) fn shape(board: Board, cells: u128) -> Markup {
    let has =
        |row: usize, col: usize| row < board.rows() && col < board.cols() && cells & (1 << board.cell(row, col)) != 0;
    html! {
        @for cell in Cells(cells) {
            @let (x, y) = corner(board, cell);
            @let (row, col) = board.row_col(cell);
            @let wide = if has(row, col + 1) { CELL } else { CELL - 8 };
            @let high = if has(row + 1, col) { CELL } else { CELL - 8 };
            rect x=(x + 4) y=(y + 4) width=(wide) height=(CELL - 8) rx="6" {}
            @if high == CELL { rect x=(x + 4) y=(y + 4) width=(CELL - 8) height=(high) rx="6" {} }
        }
    }
}
