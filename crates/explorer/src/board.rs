//! A position as SVG: the board, what stands on it, and each move marked on it by what it
//! is worth.

mod heaps;
mod mini;
mod outline;
mod palette;
mod picking;
mod pieces;
mod worth;

use balpan_games::{AnyGame, Board, Cells, FamilyRules};
use maud::{Markup, PreEscaped, html};

use crate::scene::{BoardView, Scene};
use crate::words::{Lang, position as say};

pub(crate) use heaps::{can_split, heaps};
pub(crate) use mini::{ground, mini};
pub(crate) use palette::{Palette, palette};
pub(crate) use picking::Picked;
pub(crate) use worth::{Worth, Worths, badge};

/// A cell's side, and the room for the numbers of rows and columns, in the picture's units.
pub(crate) const CELL: usize = 60;
const MARGIN: usize = 26;

/// The top left corner of a cell.
pub(crate) fn corner(board: Board, cell: usize) -> (usize, usize) {
    let (row, col) = board.row_col(cell);
    (MARGIN + col * CELL, MARGIN + row * CELL)
}

/// The board of the scene, with its moves as links and what `worths` knows of them; without
/// it, no move can be made.
pub(crate) fn board(lang: Lang, scene: &Scene, view: &BoardView, worths: Option<&Worths>) -> Markup {
    let is_placement = matches!(scene.game.rules(), FamilyRules::Placement(_));
    frame(
        lang,
        view,
        html! {
            (cells(scene, view))
            @if is_placement { (pieces::placed(scene, view.board)) }
            (last_move(scene, view))
            @match worths {
                Some(worths) if is_placement => (of_pieces(lang, scene, view.board, worths)),
                Some(worths) => (moves(lang, scene, view, worths)),
                None => {}
            }
        },
    )
}

/// Where pieces can be placed: the one that is held, or any, cell by cell.
fn of_pieces(lang: Lang, scene: &Scene, board: Board, worths: &Worths) -> Markup {
    match Palette::of(scene).filter(Palette::is_held) {
        Some(palette) => palette::ghosts(lang, scene, board, &palette, worths),
        None => picking::links(lang, scene, board, worths),
    }
}

/// What is clicked on of a cell.
fn hit(board: Board, cell: usize) -> Markup {
    let (x, y) = corner(board, cell);
    html! { rect.hit x=(x + 2) y=(y + 2) width=(CELL - 4) height=(CELL - 4) rx="7" {} }
}

/// A board's numbers around `inside`, and the board in words.
pub(crate) fn frame(lang: Lang, view: &BoardView, inside: Markup) -> Markup {
    let (board, (width, height)) = (view.board, size(view.board));
    html! {
        svg #board.board viewBox={ "0 0 " (width) " " (height) } width=(shown(width)) height=(shown(height))
            role="group" aria-label=(say::board_label(lang, board.rows(), board.cols())) aria-describedby="board-text" {
            (numbers(view))
            (inside)
        }
        p #board-text.unseen { (in_words(lang, view)) }
    }
}

/// The picture of a position that is only to be seen.
pub(crate) fn still(scene: &Scene) -> Markup {
    let Some(view) = &scene.view.board else {
        return heaps::still(scene);
    };
    let (width, height) = size(view.board);
    html! {
        svg.board.still viewBox={ (MARGIN - 4) " " (MARGIN - 4) " " (width - MARGIN + 4) " " (height - MARGIN + 4) } {
            (cells(scene, view))
        }
    }
}

/// A position within a text, with what each move is worth where that is told; nothing of it is a
/// link.
pub(crate) fn figure(lang: Lang, scene: &Scene, worths: &Worths) -> Markup {
    let Some(view) = &scene.view.board else {
        return heaps::still(scene);
    };
    let board = view.board;
    let (width, height) = size(board);
    let is_placement = matches!(scene.game.rules(), FamilyRules::Placement(_));
    html! {
        svg.board.figure viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
            aria-label=(in_words(lang, view)) {
            (numbers(view))
            (cells(scene, view))
            @if is_placement { (pieces::placed(scene, board)) }
            (last_move(scene, view))
            @if !is_placement {
                @for mv in &scene.view.moves {
                    @let worth = worths.of(&mv.text);
                    @for cell in Cells(mv.cells).filter(|_| !worth.sign().is_empty()) {
                        @let (x, y) = corner(board, cell);
                        (badge(worth, x + CELL / 2, y + CELL / 2))
                    }
                }
            }
        }
    }
}

/// A position as a picture that needs nothing else.
pub(crate) fn alone(lang: Lang, scene: &Scene, worths: &Worths) -> Markup {
    let (width, height) = scene.view.board.as_ref().map_or((272, 192), |view| size(view.board));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
            style { (PreEscaped(crate::assets::of_board())) }
            (figure(lang, scene, worths))
        }
    }
}

/// A part of a board, and what stands on its cells.
pub(crate) struct Tint {
    pub(crate) cells: u128,
    /// Its nimber or its value.
    pub(crate) said: String,
    /// What it is called, in the corner, if it has a name.
    pub(crate) letter: Option<String>,
    /// Whether to move in it is worth most.
    pub(crate) is_hot: bool,
}

/// A board whose parts are tinted.
pub(crate) fn tinted(lang: Lang, scene: &Scene, view: &BoardView, parts: &[Tint]) -> Markup {
    let board = view.board;
    frame(
        lang,
        view,
        html! {
            (cells(scene, view))
            g aria-hidden="true" {
                @for (n, Tint { cells, said, letter, is_hot }) in parts.iter().enumerate() {
                    @let is_long = said.chars().count() > 3;
                    @for cell in Cells(*cells) {
                        @let (x, y) = corner(board, cell);
                        rect class={ "tint-" (n % 6) @if *is_hot { " hot" } } x=(x + 2) y=(y + 2) width=(CELL - 4) height=(CELL - 4) rx="7" {}
                        text.nimber.small[is_long] x=(x + CELL / 2) y=(y + CELL / 2 + 6) { (said) }
                        @if let Some(letter) = letter { text.letter x=(x + 6) y=(y + 14) { (letter) } }
                    }
                }
            }
        },
    )
}

/// A piece as its rules file draws it.
pub(crate) fn drawing(class: &str, rows: &str) -> Markup {
    const SIDE: usize = 14;
    let (high, wide) = (rows.split('/').count(), rows.split('/').map(str::len).max().unwrap_or(0));
    html! {
        svg.drawing width=(wide * SIDE) height=(high * SIDE) aria-hidden="true" {
            g class={ "piece " (class) } {
                @for (row, cells) in rows.split('/').enumerate() {
                    @for (col, _) in cells.match_indices('#') {
                        rect x=(col * SIDE + 1) y=(row * SIDE + 1) width=(SIDE - 2) height=(SIDE - 2) rx="2" {}
                    }
                }
            }
        }
    }
}

/// How large a picture is shown, where there is room: small boards not too large.
pub(crate) fn shown(units: usize) -> usize {
    units * 8 / 5
}

fn size(board: Board) -> (usize, usize) {
    (MARGIN + board.cols() * CELL + 4, MARGIN + board.rows() * CELL + 4)
}

/// The numbers of rows and columns.
fn numbers(view: &BoardView) -> Markup {
    let board = view.board;
    html! {
        g.numbers aria-hidden="true" {
            @for col in 0..board.cols() {
                text x=(MARGIN + col * CELL + CELL / 2) y="17" { (col + view.first_column) }
            }
            // Where columns alone are numbered, rows have no use for numbers.
            @if view.first_column == 0 {
                @for row in 0..board.rows() {
                    text x="12" y=(MARGIN + row * CELL + CELL / 2 + 5) { (row) }
                }
            }
        }
    }
}

/// The cells, and what stands on them.
fn cells(scene: &Scene, view: &BoardView) -> Markup {
    let look = Look::of(&scene.game, view);
    let (last, left) = scene.history.last().map_or((0, 0), |played| (played.cells, played.left));
    html! {
        g aria-hidden="true" {
            @for (cell, &glyph) in view.glyphs.iter().enumerate() {
                @let falls = matches!(look, Look::Slots) && last & (1 << cell) != 0;
                @let picture = cell_picture(corner(view.board, cell), glyph, look);
                @if falls { g class={ "falls falls-" (view.board.row_col(cell).0 + 1) } { (picture) } } @else { (picture) }
                @if matches!(look, Look::Tiles) && left & (1 << cell) != 0 {
                    @let (x, y) = corner(view.board, cell);
                    rect.tile.sinks x=(x + 2) y=(y + 2) width=(CELL - 4) height=(CELL - 4) rx="7" {}
                }
            }
        }
    }
}

/// What cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Tiles, which vanish.
    Tiles,
    /// Cells of a board.
    Cells,
    /// Slots, into which discs fall.
    Slots,
}

impl Look {
    pub(crate) fn of(game: &AnyGame, view: &BoardView) -> Self {
        match game.rules() {
            FamilyRules::Walkers(_) => Self::Tiles,
            // Where columns alone are numbered, marks fall.
            FamilyRules::Lines(_) if view.first_column > 0 => Self::Slots,
            _ => Self::Cells,
        }
    }
}

/// One cell and what stands on it.
pub(crate) fn cell_picture((x, y): (usize, usize), glyph: char, look: Look) -> Markup {
    let ground = match glyph {
        '#' if look == Look::Tiles => "hole",
        '!' => "hole",
        '#' => "filled",
        _ => "tile",
    };
    let (middle_x, middle_y) = (x + CELL / 2, y + CELL / 2);
    html! {
        @if look == Look::Slots {
            rect.slots x=(x) y=(y) width=(CELL) height=(CELL) {}
            circle.slot cx=(middle_x) cy=(middle_y) r="24" {}
        } @else {
            rect.(ground) x=(x + 2) y=(y + 2) width=(CELL - 4) height=(CELL - 4) rx="7" {}
        }
        @match glyph {
            'X' if look == Look::Slots => (disc("dark", 'X', middle_x, middle_y)),
            'O' if look == Look::Slots => (disc("light", 'O', middle_x, middle_y)),
            'A' | 'B' => (token(glyph, middle_x, middle_y, 19)),
            '!' => (token('!', middle_x, middle_y, 19)),
            '*' => { (token('A', middle_x - 11, middle_y - 9, 15)) (token('B', middle_x + 11, middle_y + 9, 15)) }
            'X' => path.ex d={
                "M" (x + 17) " " (y + 17) "l26 26m0 -26l-26 26"
            } {},
            'O' => circle.ring cx=(middle_x) cy=(middle_y) r="15" {},
            _ => {}
        }
    }
}

/// A disc in its slot: a player has a colour, and a letter.
fn disc(class: &str, name: char, x: usize, y: usize) -> Markup {
    html! {
        g class={ "disc " (class) } {
            circle cx=(x) cy=(y) r="22" {}
            text x=(x) y=(y + 6) { (name) }
        }
    }
}

fn token(name: char, x: usize, y: usize, r: usize) -> Markup {
    let class = match name {
        'A' => "token dark",
        'B' => "token light",
        _ => "token falling",
    };
    html! {
        g class=(class) {
            circle cx=(x) cy=(y) r=(r) {}
            text x=(x) y=(y + r / 3 + 1) { (name) }
        }
    }
}

/// The outline of the last move, or of the line with which it has won.
fn last_move(scene: &Scene, view: &BoardView) -> Markup {
    let last = scene.history.last().map_or(0, |played| played.cells);
    let line = outline::winning_lines(scene, view);
    html! { g.last.won[line != 0] aria-hidden="true" { (outline::outline(view.board, if line == 0 { last } else { line })) } }
}

/// The moves of games in which a move is a cell, or where marks fall, a column.
fn moves(lang: Lang, scene: &Scene, view: &BoardView, worths: &Worths) -> Markup {
    html! {
        g.moves {
            @for mv in &scene.view.moves {
                @for cell in Cells(mv.cells) {
                    @let worth = worths.of(&mv.text);
                    @let (x, y) = corner(view.board, cell);
                    // A mark falls from anywhere in its column.
                    @let (top, high) = if view.first_column > 0 {
                        (MARGIN, view.board.rows() * CELL)
                    } else {
                        (y, CELL)
                    };
                    a.move href=(scene.link.after(&mv.text).play()) data-move=(mv.text)
                        aria-label=(worth.label(lang, &mv.text)) {
                        rect.hit x=(x + 2) y=(top + 2) width=(CELL - 4) height=(high - 4) rx="7" {}
                        (badge(worth, x + CELL / 2, y + CELL / 2))
                    }
                }
            }
        }
    }
}

/// The board for readers who hear the page: row by row.
fn in_words(lang: Lang, view: &BoardView) -> String {
    let board = view.board;
    let rows = (0..board.rows()).map(|row| {
        let cells = &view.glyphs[board.cell(row, 0)..][..board.cols()];
        let said: Vec<_> = cells.iter().map(|&glyph| say::glyph(lang, glyph)).collect();
        format!("{}: {}", say::row(lang, row), said.join(", "))
    });
    rows.collect::<Vec<_>>().join(". ")
}
