//! Placing a piece by picking its cells one after the other. The picked cells are in the URL.

use balpan_games::{Board, Cells};
use maud::{Markup, html};

use super::value::{MoveValue, MoveValues};
use super::{CELL, badge, corner, hit};
use crate::scene::{MoveView, Scene};
use crate::words::{Lang, position as say};

/// The picked cells, and the moves that cover all of them.
pub(crate) struct Selection<'a> {
    pub(crate) cells: u128,
    pub(crate) moves: Vec<&'a MoveView>,
}

impl<'a> Selection<'a> {
    pub(crate) fn new(scene: &'a Scene, board: Board) -> Self {
        let cell_of = |text: &String| (0..board.cells()).find(|cell| board.cell_text(*cell) == *text);
        let cells = scene.link.pick.iter().filter_map(cell_of).fold(0, |cells, cell| cells | 1 << cell);
        let moves = scene.moves.iter().filter(|mv| mv.cells & cells == cells).collect();
        Self { cells, moves }
    }

    /// Returns the move of exactly the picked cells.
    pub(crate) fn complete_move(&self) -> Option<&'a MoveView> {
        self.moves.iter().find(|mv| mv.cells == self.cells).copied()
    }
}

/// Draws links on all cells that a piece can cover.
pub(super) fn links(lang: Lang, scene: &Scene, board: Board, values: &MoveValues) -> Markup {
    let picked = Selection::new(scene, board);
    html! {
        g.moves {
            @for cell in 0..board.cells() {
                @let bit = 1_u128 << cell;
                @if picked.cells & bit != 0 {
                    (selected_cell(lang, scene, board, &picked, values, cell))
                } @else {
                    @let through: Vec<_> = picked.moves.iter().filter(|mv| mv.cells & bit != 0).collect();
                    @if !through.is_empty() {
                        @let best = through.iter().map(|mv| values.get(&mv.text)).fold(MoveValue::default(), MoveValue::better_of);
                        @let text = board.cell_text(cell);
                        // The last cell of the only possible piece places it.
                        @let only = match through[..] {
                            [mv] if mv.cells == picked.cells | bit => Some(mv),
                            _ => None,
                        };
                        @let href = match only {
                            Some(mv) => scene.link.after(&mv.text).play(),
                            None => scene.link.with_pick(texts(board, picked.cells | bit)).play(),
                        };
                        @let action = match only {
                            Some(mv) => say::place_here(lang, &mv.text),
                            None => say::pick_cell(lang, &text),
                        };
                        a.move href=(href) data-cell=(text) data-move=[only.map(|mv| &mv.text)]
                            aria-label=(best.label(lang, &action)) {
                            (hit(board, cell))
                            @let (x, y) = corner(board, cell);
                            (badge(best, x + CELL / 2, y + CELL / 2))
                        }
                    }
                }
            }
        }
    }
}

/// Draws a picked cell. A click on it places the piece if it is complete, and else unpicks the cell.
fn selected_cell(
    lang: Lang,
    scene: &Scene,
    board: Board,
    picked: &Selection,
    values: &MoveValues,
    cell: usize,
) -> Markup {
    let text = board.cell_text(cell);
    let complete = picked.complete_move();
    let href = match complete {
        Some(mv) => scene.link.after(&mv.text).play(),
        None => scene.link.with_pick(texts(board, picked.cells & !(1 << cell))).play(),
    };
    let label = match complete {
        Some(mv) => values.get(&mv.text).label(lang, &say::place_here(lang, &mv.text)),
        None => say::unpick_cell(lang, &text),
    };
    let (x, y) = corner(board, cell);
    html! {
        a.move.picked href=(href) data-cell=(text) data-move=[complete.map(|mv| &mv.text)] aria-label=(label) {
            (hit(board, cell))
            @match complete {
                Some(mv) => (badge(values.get(&mv.text), x + CELL / 2, y + CELL / 2)),
                None => circle.dot cx=(x + CELL / 2) cy=(y + CELL / 2) r="7" {},
            }
        }
    }
}

fn texts(board: Board, cells: u128) -> Vec<String> {
    Cells(cells).map(|cell| board.cell_text(cell)).collect()
}
