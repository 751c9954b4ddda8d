//! Moves as small pictures, for lists.

use std::fmt::Write;

use balpan_games::{Board, Cells};
use maud::{Markup, html};

use crate::scene::{BoardView, Scene};

/// A cell's side.
const SIDE: usize = 7;

/// Defines the board that all these pictures share, once for a page.
pub(crate) fn ground(view: &BoardView) -> Markup {
    let filled =
        (0..view.board.cells()).filter(|cell| view.glyphs[*cell] == '#').fold(0, |cells, cell| cells | 1_u128 << cell);
    html! {
        svg.unseen aria-hidden="true" width="0" height="0" {
            symbol #ground viewBox=(view_box(view.board)) {
                rect.mini-free width=(view.board.cols()) height=(view.board.rows()) {}
                path.mini-filled d=(path(view.board, filled)) {}
            }
        }
    }
}

/// Draws a move on the shared board.
pub(crate) fn mini(scene: &Scene, view: &BoardView, cells: u128) -> Markup {
    let class = if super::pieces::is_dark(scene, scene.history.len()) { "dark" } else { "light" };
    let (width, height) = (view.board.cols() * SIDE, view.board.rows() * SIDE);
    html! {
        svg.mini viewBox=(view_box(view.board)) width=(width) height=(height) aria-hidden="true" {
            use href="#ground" {}
            path.(class) d=(path(view.board, cells)) {}
        }
    }
}

fn view_box(board: Board) -> String {
    format!("0 0 {} {}", board.cols(), board.rows())
}

fn path(board: Board, cells: u128) -> String {
    Cells(cells).fold(String::new(), |mut path, cell| {
        let (row, col) = board.row_col(cell);
        // Writing to a string cannot fail.
        let _ = write!(path, "M{col} {row}h1v1h-1z");
        path
    })
}
