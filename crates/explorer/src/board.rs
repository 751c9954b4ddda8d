//! A position as SVG: the board, the pieces on it, and a link with its value for each move.

mod heaps;
mod pieces;
mod placing;
mod value;

use balpan_games::{AnyGame, Board, CellStyle, Cells, PlayerName};
use balpan_pictures::board::edges_path;
use maud::{Markup, PreEscaped, html};

use crate::scene::{BoardView, MoveView, Scene};
use crate::words::{Lang, position as say};

pub(crate) use heaps::{can_split, takes_one};
pub(crate) use pieces::{ground, mini};
pub(crate) use placing::{Palette, Selection, palette};
pub(crate) use value::{MoveValue, MoveValues, badge};

/// The side of a cell, and the margin for the numbers of rows and columns, in units of the picture.
pub(crate) const CELL: usize = 60;
const MARGIN: usize = 26;

/// Returns the top left corner of a cell.
pub(crate) fn corner(board: Board, cell: usize) -> (usize, usize) {
    let (row, col) = board.row_col(cell);
    (MARGIN + col * CELL, MARGIN + row * CELL)
}

/// Draws the scene with its moves as links and their values; without `values`, no move can be made.
pub(crate) fn picture(lang: Lang, scene: &Scene, values: Option<&MoveValues>) -> Markup {
    match &scene.board {
        Some(view) => board(lang, scene, view, values),
        None => match scene.game.heaps() {
            Some(heaps) => heaps::heaps(lang, scene, &heaps, values),
            None => still(scene, Some("board")),
        },
    }
}

fn board(lang: Lang, scene: &Scene, view: &BoardView, values: Option<&MoveValues>) -> Markup {
    // Where a move is several cells, such as from and to, they are picked one after the other.
    let picks_cells = scene.game.pieces().is_some() || scene.moves.iter().any(|mv| mv.cells.count_ones() > 1);
    frame(
        lang,
        view,
        html! {
            (contents(scene, view))
            @match values {
                Some(values) if picks_cells => (piece_links(lang, scene, view.board, values)),
                Some(values) => (moves(lang, scene, view, values)),
                None => {}
            }
        },
    )
}

/// Draws the places of the held piece, or else the cells to pick.
fn piece_links(lang: Lang, scene: &Scene, board: Board, values: &MoveValues) -> Markup {
    match Palette::new(scene).filter(Palette::is_held) {
        Some(palette) => placing::ghosts(lang, scene, board, &palette, values),
        None => placing::links(lang, scene, board, values),
    }
}

/// The link that makes a move, with its value in the label.
fn move_link(lang: Lang, scene: &Scene, values: &MoveValues, (mv, label): (&str, &str), inside: Markup) -> Markup {
    html! {
        a.move href=(scene.link.after(mv).play()) data-move=(mv) aria-label=(values.get(mv).label(lang, label)) { (inside) }
    }
}

/// Draws the area of a cell that reacts to clicks.
fn hit(board: Board, cell: usize) -> Markup {
    let (x, y) = corner(board, cell);
    html! { rect.hit x=(x + 2) y=(y + 2) width=(CELL - 4) height=(CELL - 4) rx="7" {} }
}

/// Draws the numbers of rows and columns around `inside`, and describes the board in words.
pub(crate) fn frame(lang: Lang, view: &BoardView, inside: Markup) -> Markup {
    let (board, (width, height)) = (view.board, size(view.board));
    html! {
        svg #board.board viewBox={ "0 0 " (width) " " (height) } width=(display_size(width)) height=(display_size(height))
            role="group" aria-label=(say::board_label(lang, board.rows(), board.cols())) aria-describedby="board-text" {
            (numbers(view))
            (inside)
        }
        p #board-text.unseen { (describe(lang, view)) }
    }
}

/// Draws a position of a game without a board or heaps: the game's own picture, or its text. `id` is that of the element.
fn still(scene: &Scene, id: Option<&str>) -> Markup {
    let text = scene.game.draw_lines().join("\n");
    html! {
        @match scene.game.picture() {
            Some(svg) => (image(&svg, &text, id)),
            None => { pre.board id=[id] { (text) } }
        }
    }
}

/// Shows a picture in SVG, which `text` describes. `id` is that of the element.
pub(crate) fn image(svg: &str, text: &str, id: Option<&str>) -> Markup {
    const SPECIAL: percent_encoding::AsciiSet = percent_encoding::NON_ALPHANUMERIC.remove(b' ').remove(b'/');
    let data = percent_encoding::utf8_percent_encode(svg, &SPECIAL);
    html! { img.board id=[id] src={ "data:image/svg+xml," (data) } alt=(text); }
}

/// Draws a position without numbers and links.
pub(crate) fn thumbnail(scene: &Scene) -> Markup {
    let Some(view) = &scene.board else {
        return scene.game.heaps().map_or_else(|| still(scene, None), |heaps| heaps::thumbnail(&heaps));
    };
    let (width, height) = size(view.board);
    html! {
        svg.board.still viewBox={ (MARGIN - 4) " " (MARGIN - 4) " " (width - MARGIN + 4) " " (height - MARGIN + 4) } {
            (cells(scene, view))
        }
    }
}

/// Draws a position for a text, with the known values of moves and without links.
pub(crate) fn figure(lang: Lang, scene: &Scene, values: &MoveValues) -> Markup {
    let Some(view) = &scene.board else {
        return scene.game.heaps().map_or_else(|| still(scene, None), |heaps| heaps::thumbnail(&heaps));
    };
    let board = view.board;
    let (width, height) = size(board);
    let is_placement = scene.game.pieces().is_some();
    html! {
        svg.board.figure viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
            aria-label=(describe(lang, view)) {
            (numbers(view))
            (contents(scene, view))
            @if !is_placement {
                @for mv in &scene.moves {
                    @let value = values.get(&mv.text);
                    @for cell in Cells(mv.cells).filter(|_| !value.sign().is_empty()) {
                        @let (x, y) = corner(board, cell);
                        (badge(value, x + CELL / 2, y + CELL / 2))
                    }
                }
            }
        }
    }
}

/// Draws a position as an SVG document with its own style.
pub(crate) fn standalone(lang: Lang, scene: &Scene, values: &MoveValues) -> Markup {
    let (width, height) = scene.board.as_ref().map_or((272, 192), |view| size(view.board));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
            style { (PreEscaped(crate::assets::board_style())) }
            (figure(lang, scene, values))
        }
    }
}

/// A part of a board, and the labels on its cells.
pub(crate) struct Tint {
    pub(crate) cells: u128,
    /// The nimber or the value.
    pub(crate) label: String,
    /// The name in the corner of each cell.
    pub(crate) letter: Option<String>,
    /// Whether a move in this part gains most.
    pub(crate) is_hot: bool,
}

/// Draws a board with tinted parts.
pub(crate) fn board_with_parts(lang: Lang, scene: &Scene, view: &BoardView, parts: &[Tint]) -> Markup {
    let board = view.board;
    frame(
        lang,
        view,
        html! {
            (cells(scene, view))
            g aria-hidden="true" {
                @for (n, Tint { cells, label, letter, is_hot }) in parts.iter().enumerate() {
                    @let is_long = label.chars().count() > 3;
                    @for cell in Cells(*cells) {
                        @let (x, y) = corner(board, cell);
                        // The label would hide a piece.
                        @let is_bare = view.glyphs[cell] == '.';
                        rect class={ "tint-" (n % 6) @if *is_hot { " hot" } @if !is_bare { " over" } } x=(x + 2) y=(y + 2) width=(CELL - 4) height=(CELL - 4) rx="7" {}
                        @if is_bare { text.nimber.small[is_long] x=(x + CELL / 2) y=(y + CELL / 2 + 6) { (label) } }
                        @if let Some(name) = letter.as_ref().or(Some(label).filter(|_| !is_bare)) { text.letter.over[!is_bare] x=(x + 6) y=(y + 14) { (name) } }
                    }
                }
            }
        },
    )
}

/// Draws a piece from the text of a rules file.
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

/// Returns the preferred size of a picture in pixels.
pub(crate) fn display_size(units: usize) -> usize {
    units * 8 / 5
}

fn size(board: Board) -> (usize, usize) {
    (MARGIN + board.cols() * CELL + 4, MARGIN + board.rows() * CELL + 4)
}

/// Draws the numbers of rows and columns.
fn numbers(view: &BoardView) -> Markup {
    let board = view.board;
    html! {
        g.numbers aria-hidden="true" {
            @for col in 0..board.cols() {
                text x=(MARGIN + col * CELL + CELL / 2) y="17" { (col + view.first_column) }
            }
            // Games that number columns from 1 do not number rows.
            @if view.first_column == 0 {
                @for row in 0..board.rows() {
                    text x="12" y=(MARGIN + row * CELL + CELL / 2 + 5) { (row) }
                }
            }
        }
    }
}

/// Draws the cells and their contents.
fn cells(scene: &Scene, view: &BoardView) -> Markup {
    let style = scene.game.cell_style();
    let (last, closed) = scene.history.last().map_or((0, 0), |played| (played.cells, played.closed));
    html! {
        g aria-hidden="true" {
            @if matches!(style, CellStyle::Points) { (edges(scene, view)) }
            @for (cell, &glyph) in view.glyphs.iter().enumerate() {
                @let falls = matches!(style, CellStyle::Slots) && last & (1 << cell) != 0;
                @let picture = cell_picture(corner(view.board, cell), glyph, shade(&scene.game, glyph), style);
                @if falls { g class={ "falls falls-" (view.board.row_col(cell).0 + 1) } { (picture) } } @else { (picture) }
                @if matches!(style, CellStyle::Tiles) && closed & (1 << cell) != 0 {
                    @let (x, y) = corner(view.board, cell);
                    rect.tile.sinks x=(x + 2) y=(y + 2) width=(CELL - 4) height=(CELL - 4) rx="7" {}
                }
            }
        }
    }
}

/// Draws the lines that join the points of a board.
fn edges(scene: &Scene, view: &BoardView) -> Markup {
    let exists = |cell: usize| view.glyphs[cell] != '_';
    let corner = (MARGIN as f64, MARGIN as f64);
    let path = edges_path(view.board.cols(), &scene.game.edges(), exists, CELL as f64, corner);
    html! { path.edges d=(path) {} }
}

/// Returns 0 for the piece of the player who has the dark ones, 1 for the other player's; `None` for a piece of nobody.
pub(crate) fn shade(game: &AnyGame, glyph: char) -> Option<usize> {
    let is_white_first = matches!(game.players()[0], PlayerName::White | PlayerName::Black);
    game.owner(glyph).map(|player| player ^ usize::from(is_white_first))
}

/// Draws a cell and its content, a piece by its [`shade`].
pub(crate) fn cell_picture((x, y): (usize, usize), glyph: char, shade: Option<usize>, style: CellStyle) -> Markup {
    let ground = match glyph {
        '#' if style == CellStyle::Tiles => "hole",
        '!' => "hole",
        '#' => "filled",
        _ => "tile",
    };
    let (middle_x, middle_y) = (x + CELL / 2, y + CELL / 2);
    html! {
        @if style == CellStyle::Slots {
            rect.slots x=(x) y=(y) width=(CELL) height=(CELL) {}
            circle.slot cx=(middle_x) cy=(middle_y) r="24" {}
        } @else if style == CellStyle::Points && glyph != '_' {
            circle.(ground) cx=(middle_x) cy=(middle_y) r="21" {}
        } @else if glyph != '_' {
            rect.(ground) x=(x + 2) y=(y + 2) width=(CELL - 4) height=(CELL - 4) rx="7" {}
        }
        @match glyph {
            'X' if style == CellStyle::Slots => (disc("dark", 'X', middle_x, middle_y)),
            'O' if style == CellStyle::Slots => (disc("light", 'O', middle_x, middle_y)),
            '!' if style == CellStyle::Tiles => (token('!', None, middle_x, middle_y, 19)),
            '*' if style == CellStyle::Tiles => {
                (token('A', Some(0), middle_x - 11, middle_y - 9, 15)) (token('B', Some(1), middle_x + 11, middle_y + 9, 15))
            }
            // A mark in the player's colour, with an edge that stands out from the tile.
            'X' => @for class in ["ex edge", "ex"] {
                path.(class) d={ "M" (x + 17) " " (y + 17) "l26 26m0 -26l-26 26" } {}
            },
            'O' => @for class in ["ring edge", "ring"] { circle.(class) cx=(middle_x) cy=(middle_y) r="15" {} },
            '.' | '#' | '_' => {}
            _ => (token(glyph, shade, middle_x, middle_y, 19)),
        }
    }
}

/// Draws a disc in the player's colour with the player's letter.
fn disc(class: &str, name: char, x: usize, y: usize) -> Markup {
    html! {
        g class={ "disc " (class) } {
            circle cx=(x) cy=(y) r="22" {}
            text x=(x) y=(y + 6) { (name) }
        }
    }
}

fn token(name: char, shade: Option<usize>, x: usize, y: usize, r: usize) -> Markup {
    let class = match (shade, name) {
        (Some(0), 'b') => "token dark black",
        (Some(0), _) => "token dark",
        (Some(_), 'w') => "token light white",
        (Some(_), _) => "token light",
        (None, _) => "token falling",
    };
    html! {
        g class=(class) {
            circle cx=(x) cy=(y) r=(r) {}
            text x=(x) y=(y + r / 3 + 1) { (name) }
        }
    }
}

/// Draws the cells, the placed pieces, and an outline of the last move or of the line that it has won with.
fn contents(scene: &Scene, view: &BoardView) -> Markup {
    let last = scene.history.last().map_or(0, |played| played.cells);
    let line = if scene.game.is_over() { scene.game.winning_cells() } else { 0 };
    html! {
        (cells(scene, view))
        @if scene.game.pieces().is_some() { (pieces::placed_pieces(scene, view.board)) }
        @if let Some((cells, after)) = &scene.ghost { (ghost(*cells, after, view.board)) }
        g.last.won[line != 0] aria-hidden="true" { (pieces::outline(view.board, if line == 0 { last } else { line })) }
    }
}

/// Draws a move that was not made: the cells as they would be after it.
fn ghost(cells: u128, after: &Scene, board: Board) -> Markup {
    let style = after.game.cell_style();
    html! {
        g.better aria-hidden="true" {
            @for (cell, &glyph) in after.board.iter().flat_map(|view| view.glyphs.iter().enumerate()).filter(|(cell, _)| cells & (1_u128 << *cell) != 0) {
                (cell_picture(corner(board, cell), glyph, shade(&after.game, glyph), style))
            }
        }
        g.instead aria-hidden="true" { (pieces::outline(board, cells)) }
    }
}

/// Draws the links of games in which a move is a cell, or where marks fall, a column.
fn moves(lang: Lang, scene: &Scene, view: &BoardView, values: &MoveValues) -> Markup {
    let sharing = |cell: usize| scene.moves.iter().filter(move |mv| mv.cells & (1 << cell) != 0);
    let shares: Vec<usize> = (0..view.board.cells()).map(|cell| sharing(cell).count()).collect();
    html! {
        g.moves {
            @for mv in &scene.moves {
                @for cell in Cells(mv.cells) {
                    @let (x, y) = corner(view.board, cell);
                    // Where marks fall, the whole column is the link.
                    @let (top, high) = if view.first_column > 0 {
                        (MARGIN, view.board.rows() * CELL)
                    } else {
                        (y, CELL)
                    };
                    @if shares[cell] == 1 || view.first_column > 0 {
                        (move_link(lang, scene, values, (&mv.text, &mv.text), html! {
                            rect.hit x=(x + 2) y=(top + 2) width=(CELL - 4) height=(high - 4) rx="7" {}
                            (cell_badge(scene, view.board, cell, values.get(&mv.text)))
                        }))
                    } @else {
                        @let n = sharing(cell).take_while(|other| other.text != mv.text).count();
                        (strip(lang, scene, values, mv, (x, y), n, shares[cell]))
                    }
                }
            }
        }
    }
}

/// Draws the sign of a value on a cell; on a piece, small at its foot, so that the piece is seen.
fn cell_badge(scene: &Scene, board: Board, cell: usize, value: MoveValue) -> Markup {
    let (x, y) = corner(board, cell);
    let (x, middle, foot) = (x + CELL / 2, y + CELL / 2, y + CELL - 12);
    if scene.board.as_ref().is_none_or(|view| view.glyphs[cell] == '.') {
        return badge(value, x, middle);
    }
    heaps::small(badge(value, x, foot), x, foot)
}

/// Draws the link of one of several moves that share a cell: each has a strip of it.
fn strip(
    lang: Lang,
    scene: &Scene,
    values: &MoveValues,
    mv: &MoveView,
    (x, y): (usize, usize),
    n: usize,
    shares: usize,
) -> Markup {
    let height = CELL / shares;
    let top = y + height * n;
    let (middle_x, middle_y, scale) = (x + CELL / 2, top + height / 2, (height as f64 / 30.0).min(1.0));
    let transform = format!("translate({middle_x} {middle_y}) scale({scale:.2}) translate(-{middle_x} -{middle_y})");
    let inside = html! {
        title { (mv.text) }
        rect.hit x=(x + 2) y=(top + 1) width=(CELL - 4) height=(height.max(3) - 2) rx="5" {}
        g transform=(transform) { (badge(values.get(&mv.text), middle_x, middle_y)) }
    };
    move_link(lang, scene, values, (&mv.text, &mv.text), inside)
}

/// Describes the board row by row, for screen readers.
fn describe(lang: Lang, view: &BoardView) -> String {
    let board = view.board;
    let rows = (0..board.rows()).map(|row| {
        let cells = &view.glyphs[board.cell(row, 0)..][..board.cols()];
        let names: Vec<_> = cells.iter().map(|&glyph| say::glyph(lang, glyph)).collect();
        format!("{}: {}", say::row(lang, row), names.join(", "))
    });
    rows.collect::<Vec<_>>().join(". ")
}
