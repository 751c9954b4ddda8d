//! The two ways to place a piece. The palette has the shapes of the legal moves: a held piece shows as a ghost wherever it
//! fits, and a click places it. Or its cells are picked one after the other. The held piece in its orientation and the
//! picked cells are in the URL.

use std::collections::BTreeSet;

use balpan_games::placement::Piece;
use balpan_games::{Board, Cells};
use maud::{Markup, html};

use super::value::{MoveValue, MoveValues};
use super::{CELL, badge, cell_badge, corner, drawing, hit, move_link, pieces, strip};
use crate::link::Link;
use crate::scene::{MoveView, Scene};
use crate::words::{Lang, position as say};

/// Cells of the largest piece in a URL.
const MAX_CELLS: usize = 64;

/// Pieces with a key.
const MAX_KEYS: usize = 9;

/// The cells of a piece in an orientation, as sorted rows and columns from the top left of its bounding box.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Shape(Vec<(usize, usize)>);

impl Shape {
    fn new(mut cells: Vec<(usize, usize)>) -> Self {
        let first = |of: fn(&(usize, usize)) -> usize| cells.iter().map(of).min().unwrap_or(0);
        let (top, left) = (first(|cell| cell.0), first(|cell| cell.1));
        cells.iter_mut().for_each(|(row, col)| (*row, *col) = (*row - top, *col - left));
        cells.sort_unstable();
        Self(cells)
    }

    fn from_move(board: Board, mv: &MoveView) -> Self {
        Self::new(Cells(mv.cells).map(|cell| board.row_col(cell)).collect())
    }

    /// Parses the drawing of a rules file: `##/.#`.
    fn parse(text: &str) -> Option<Self> {
        let rows = text.split('/').enumerate();
        let cells = rows.flat_map(|(row, cells)| cells.match_indices('#').map(move |(col, _)| (row, col)));
        let cells: Vec<_> = cells.take(MAX_CELLS + 1).collect();
        ((1..=MAX_CELLS).contains(&cells.len())).then(|| Self::new(cells))
    }

    fn text(&self) -> String {
        let (rows, cols) = self.extent();
        let cell = |row, col| if self.0.contains(&(row, col)) { '#' } else { '.' };
        let row = |row| (0..cols).map(|col| cell(row, col)).collect::<String>();
        (0..rows).map(row).collect::<Vec<_>>().join("/")
    }

    fn extent(&self) -> (usize, usize) {
        let side = |of: fn(&(usize, usize)) -> usize| self.0.iter().map(of).max().map_or(0, |last| last + 1);
        (side(|cell| cell.0), side(|cell| cell.1))
    }

    /// Rotates the shape by a quarter, clockwise.
    fn rotate(&self) -> Self {
        let rows = self.extent().0;
        Self::new(self.0.iter().map(|&(row, col)| (col, rows - 1 - row)).collect())
    }

    /// Mirrors the shape left to right.
    fn mirror(&self) -> Self {
        let cols = self.extent().1;
        Self::new(self.0.iter().map(|&(row, col)| (row, cols - 1 - col)).collect())
    }

    /// Returns the four rotations, from this one on.
    fn rotations(&self) -> Vec<Self> {
        std::iter::successors(Some(self.clone()), |shape| Some(shape.rotate())).take(4).collect()
    }

    /// Returns the canonical orientation of the piece.
    fn canonical(&self) -> Self {
        let all = self.rotations().into_iter().chain(self.mirror().rotations());
        all.min().unwrap_or_else(|| self.clone())
    }

    /// Returns the index of the cell under the pointer: the one nearest to the middle.
    fn handle(&self) -> usize {
        let many = self.0.len();
        let (rows, cols) = self.0.iter().fold((0, 0), |(rows, cols), (row, col)| (rows + row, cols + col));
        let off = |(row, col): &(usize, usize)| (row * many).abs_diff(rows).pow(2) + (col * many).abs_diff(cols).pow(2);
        (0..many).min_by_key(|n| off(&self.0[*n])).unwrap_or(0)
    }
}

/// The pieces that can be placed, and the one that is held.
pub(crate) struct Palette {
    /// All orientations that fit somewhere.
    shapes: BTreeSet<Shape>,
    held: Option<Shape>,
}

impl Palette {
    /// Returns the palette of a placement game's position; `None` for other games.
    pub(crate) fn new(scene: &Scene) -> Option<Self> {
        let view = scene.board.as_ref()?;
        scene.game.pieces()?;
        let shapes: BTreeSet<_> = scene.moves.iter().map(|mv| Shape::from_move(view.board, mv)).collect();
        let named = scene.link.piece.as_deref().and_then(Shape::parse);
        // A piece that fits nowhere in its orientation is turned until it fits.
        let held = named.and_then(|named| {
            let ways = named.rotations().into_iter().chain(named.mirror().rotations());
            ways.into_iter().find(|shape| shapes.contains(shape))
        });
        Some(Self { shapes, held })
    }

    pub(crate) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Returns the first of these orientations that fits, if it is not the held one.
    fn first_fit(&self, ways: &[Shape]) -> Option<&Shape> {
        let found = ways.iter().find_map(|way| self.shapes.get(way));
        found.filter(|found| self.held.as_ref() != Some(found))
    }

    /// Returns the held piece after a rotation, and after a mirroring.
    fn next_orientations(&self) -> [Option<&Shape>; 2] {
        let Some(held) = &self.held else { return [None; 2] };
        [self.first_fit(&held.rotations()[1..]), self.first_fit(&held.mirror().rotations())]
    }

    /// Returns a shape of each piece, the smaller pieces first; the held piece is in its orientation.
    fn pieces(&self) -> Vec<&Shape> {
        let mut pieces: Vec<(Shape, &Shape)> = Vec::new();
        for shape in self.held.iter().chain(&self.shapes) {
            let piece = shape.canonical();
            if !pieces.iter().any(|(other, _)| *other == piece) {
                pieces.push((piece, shape));
            }
        }
        pieces.sort_by(|(a, _), (b, _)| (a.0.len(), a).cmp(&(b.0.len(), b)));
        pieces.into_iter().map(|(_, shape)| shape).collect()
    }
}

/// Returns the name of a piece in the rules.
fn name<'s>(scene: &'s Scene, shape: &Shape) -> Option<&'s str> {
    let is_same =
        |piece: &&Piece| Shape::parse(&piece.shape.to_string()).is_some_and(|of| of.canonical() == shape.canonical());
    scene.game.pieces()?.all().find(is_same).map(|piece| piece.name.as_str())
}

/// The pieces as links that pick one up, with links that turn the held one.
pub(crate) fn palette(lang: Lang, scene: &Scene) -> Markup {
    let Some(palette) = Palette::new(scene).filter(|palette| !palette.shapes.is_empty()) else {
        return html! {};
    };
    let with_piece = |shape: &Shape| scene.link.with_piece(Some(shape.text())).play();
    let class = if pieces::is_dark(scene, scene.history.len()) { "dark" } else { "light" };
    let [turned, mirrored] = palette.next_orientations();
    html! {
        nav #palette.palette aria-label=(say::palette(lang)) {
            @for (n, shape) in palette.pieces().into_iter().enumerate() {
                @let said = match name(scene, shape) {
                    Some(name) => say::named_piece(lang, name, shape.0.len()),
                    None => say::piece(lang, shape.0.len()),
                };
                a.tool href=(with_piece(shape)) title=(said) aria-label=(said) data-piece=(shape.text())
                    data-key=[(n < MAX_KEYS).then(|| n + 1)]
                    aria-current=[(palette.held.as_ref() == Some(shape)).then_some("true")] { (drawing(class, &shape.text())) }
            }
            @if palette.is_held() {
                @if let Some(shape) = turned { a.tool #turn data-key="t" href=(with_piece(shape)) { "⟳ " (say::turn(lang)) } }
                @if let Some(shape) = mirrored { a.tool #mirror data-key="m" href=(with_piece(shape)) { "⇋ " (say::mirror(lang)) } }
                a.tool #put-back data-key="Escape" href=(scene.link.with_piece(None).play()) { (say::put_back(lang)) }
            }
        }
    }
}

/// Draws a link on each place where the held piece fits, on the cell by which it is held.
pub(super) fn ghosts(lang: Lang, scene: &Scene, board: Board, palette: &Palette, values: &MoveValues) -> Markup {
    let Some(held) = &palette.held else { return html! {} };
    let class = if pieces::is_dark(scene, scene.history.len()) { "dark" } else { "light" };
    let fits: Vec<(&MoveView, usize)> = (scene.moves.iter())
        .filter(|mv| Shape::from_move(board, mv) == *held)
        .filter_map(|mv| Some((mv, Cells(mv.cells).nth(held.handle())?)))
        .collect();
    html! {
        g.moves.placing {
            @for (mv, cell) in fits {
                @let (x, y) = corner(board, cell);
                (move_link(lang, scene, values, (&mv.text, &say::place_here(lang, &mv.text)), html! {
                    g class={ "ghost piece " (class) } { (pieces::shape(board, mv.cells)) }
                    (hit(board, cell))
                    (badge(values.get(&mv.text), x + CELL / 2, y + CELL / 2))
                }))
            }
        }
    }
}

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
        self.complete_moves().next()
    }

    /// Returns the moves of exactly the picked cells: several, if they differ in the piece or in which cell is for what.
    fn complete_moves(&self) -> impl Iterator<Item = &'a MoveView> {
        self.moves.iter().filter(|mv| mv.cells == self.cells).copied()
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
                            None => pick_url(scene, board, picked.cells | bit),
                        };
                        @let action = match only {
                            Some(mv) => say::place_here(lang, &mv.text),
                            None => say::pick_cell(lang, &text),
                        };
                        a.move href=(href) data-cell=(text) data-move=[only.map(|mv| &mv.text)]
                            aria-label=(best.label(lang, &action)) {
                            (hit(board, cell))
                            (cell_badge(scene, board, cell, best))
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
    let complete: Vec<_> = picked.complete_moves().collect();
    if complete.len() > 1 {
        let strips = complete.iter().enumerate();
        return html! {
            @for (n, mv) in strips { (strip(lang, scene, values, mv, corner(board, cell), n, complete.len())) }
        };
    }
    let text = board.cell_text(cell);
    let complete = complete.first().copied();
    let href = match complete {
        Some(mv) => scene.link.after(&mv.text).play(),
        None => pick_url(scene, board, picked.cells & !(1 << cell)),
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

/// Returns the URL with these cells picked.
fn pick_url(scene: &Scene, board: Board, cells: u128) -> String {
    let pick = Cells(cells).map(|cell| board.cell_text(cell)).collect();
    Link { pick, ..scene.link.position_only() }.play()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn shapes_rotate_and_mirror() {
        let shape = |text: &str| Shape::parse(text).unwrap();
        assert_eq!(shape("##/.#").rotate().text(), ".#/##");
        assert_eq!(shape("##/.#").mirror().text(), "##/#.");
        assert_eq!(shape("..../.##./..#.").text(), "##/.#");
        assert_eq!(shape("##/.#").canonical(), shape("#./##").canonical());
        assert_eq!(shape(".#./###/.#.").rotate(), shape(".#./###/.#."));
        // The handle is in the middle.
        assert_eq!((shape("###").handle(), shape(".#./###/.#.").handle()), (1, 2));
        for text in ["", "...", "a/b", &"#".repeat(65)] {
            assert_eq!(Shape::parse(text), None, "{text}");
        }
    }

    /// Every move can be made by holding a piece in some orientation.
    #[test]
    fn every_move_has_a_ghost() {
        for (game, at, pieces) in
            [("blockgame", None, 2), ("domineering", Some("..../.... r"), 1), ("pentominoes", None, 12)]
        {
            let link = Link { game: game.to_owned(), at: at.map(str::to_owned), ..Link::default() };
            let scene = Scene::new(link.clone()).unwrap();
            let palette = Palette::new(&scene).unwrap();
            assert_eq!(palette.pieces().len(), pieces, "{game}");
            let mut moves = BTreeSet::new();
            for shape in &palette.shapes {
                let held = Scene::new(link.with_piece(Some(shape.text()))).unwrap();
                let palette = Palette::new(&held).unwrap();
                assert_eq!(palette.held.as_ref(), Some(shape));
                let board = held.board.as_ref().unwrap().board;
                let page = ghosts(Lang::En, &held, board, &palette, &MoveValues::new(None)).into_string();
                let made = page.split("data-move=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
                moves.extend(made);
            }
            assert_eq!(moves, scene.moves.iter().map(|mv| mv.text.clone()).collect(), "{game}");
        }
    }

    #[test]
    fn every_orientation_is_reached() {
        let link = Link { game: "pentominoes".to_owned(), ..Link::default() };
        let mut seen = BTreeSet::new();
        let mut held = Shape::parse("##./.#./.##").unwrap();
        for n in 0..8 {
            let scene = Scene::new(link.with_piece(Some(held.text()))).unwrap();
            let palette = Palette::new(&scene).unwrap();
            seen.insert(palette.held.clone().unwrap());
            let [turned, mirrored] = palette.next_orientations();
            held = if n % 2 == 0 { turned } else { mirrored }.unwrap().clone();
        }
        assert_eq!(seen.len(), 4, "a Z lies in four ways");
    }
}
