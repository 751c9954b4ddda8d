//! Sets of cells: the pieces of placement games, on the board and as small pictures of moves in lists, and outlines.

use std::fmt::Write;

use balpan_games::{Board, Cells, PlayerName};
use maud::{Markup, html};

use super::{CELL, corner};
use crate::scene::{BoardView, Scene};

/// Draws the pieces of the history, numbered.
pub(crate) fn placed_pieces(scene: &Scene, board: Board) -> Markup {
    html! {
        g aria-hidden="true" {
            @for (n, played) in scene.history.iter().enumerate() {
                g class={ "piece " (if is_dark(scene, n) { "dark" } else { "light" }) } {
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

/// Whether the piece of move `n` is dark: Left's, or if the players have no such names, the first player's.
pub(super) fn is_dark(scene: &Scene, n: usize) -> bool {
    let player = scene.player_of(n);
    match scene.game.players()[usize::from(player != scene.turn())] {
        PlayerName::Left => true,
        PlayerName::Right => false,
        _ => player == 0,
    }
}

/// Draws cells as one shape, joined where they are neighbours.
pub(super) fn shape(board: Board, cells: u128) -> Markup {
    let has =
        |row: usize, col: usize| row < board.rows() && col < board.cols() && cells & (1 << board.cell(row, col)) != 0;
    let half = CELL / 2;
    html! {
        @for cell in Cells(cells) {
            @let (x, y) = corner(board, cell);
            @let (row, col) = board.row_col(cell);
            @let (right, below) = (has(row, col + 1), has(row + 1, col));
            rect x=(x + 3) y=(y + 3) width=(CELL - 6) height=(CELL - 6) rx="6" {}
            // Joints to the neighbours, and the middle of four cells.
            @if right { rect x=(x + half) y=(y + 3) width=(CELL) height=(CELL - 6) {} }
            @if below { rect x=(x + 3) y=(y + half) width=(CELL - 6) height=(CELL) {} }
            @if right && below && has(row + 1, col + 1) {
                rect x=(x + half) y=(y + half) width=(CELL) height=(CELL) {}
            }
        }
    }
}

/// The side of a cell in a small picture.
const MINI_SIDE: usize = 7;

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
    let class = if is_dark(scene, scene.history.len()) { "dark" } else { "light" };
    let (width, height) = (view.board.cols() * MINI_SIDE, view.board.rows() * MINI_SIDE);
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
