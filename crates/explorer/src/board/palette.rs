//! Pieces to choose from: the shapes of the moves that can be made. One that is held, turned as it is, lies as a
//! ghost wherever it fits, and a click places it; what is held is in the URL.

use std::collections::BTreeSet;

use balpan_games::placement::{Piece, Pieces};
use balpan_games::{Board, Cells, FamilyRules};
use maud::{Markup, html};

use super::worth::Worths;
use super::{CELL, badge, corner, drawing, hit, pieces};
use crate::scene::{MoveView, Scene};
use crate::words::{Lang, position as say};

/// Cells of the largest piece that an address may name, and of its longest side.
const MOST_CELLS: usize = 64;

/// Pieces that have a key.
const MOST_KEYS: usize = 9;

/// The cells of a piece, from the top left of the rectangle that they fill, row by row.
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

    fn of_move(board: Board, mv: &MoveView) -> Self {
        Self::new(Cells(mv.cells).map(|cell| board.row_col(cell)).collect())
    }

    /// As a rules file draws it: `##/.#`.
    fn read(text: &str) -> Option<Self> {
        let rows = text.split('/').enumerate();
        let cells = rows.flat_map(|(row, cells)| cells.match_indices('#').map(move |(col, _)| (row, col)));
        let cells: Vec<_> = cells.take(MOST_CELLS + 1).collect();
        ((1..=MOST_CELLS).contains(&cells.len())).then(|| Self::new(cells))
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

    /// A quarter further, clockwise.
    fn turned(&self) -> Self {
        let rows = self.extent().0;
        Self::new(self.0.iter().map(|&(row, col)| (col, rows - 1 - row)).collect())
    }

    /// Left to right.
    fn mirrored(&self) -> Self {
        let cols = self.extent().1;
        Self::new(self.0.iter().map(|&(row, col)| (row, cols - 1 - col)).collect())
    }

    /// Turned again and again, from this one on.
    fn turns(&self) -> Vec<Self> {
        std::iter::successors(Some(self.clone()), |shape| Some(shape.turned())).take(4).collect()
    }

    /// The same for all that turning and mirroring make of it.
    fn piece(&self) -> Self {
        let all = self.turns().into_iter().chain(self.mirrored().turns());
        all.min().unwrap_or_else(|| self.clone())
    }

    /// The cell that lies under the pointer: the one nearest to the middle.
    fn handle(&self) -> usize {
        let many = self.0.len();
        let (rows, cols) = self.0.iter().fold((0, 0), |(rows, cols), (row, col)| (rows + row, cols + col));
        let off = |(row, col): &(usize, usize)| (row * many).abs_diff(rows).pow(2) + (col * many).abs_diff(cols).pow(2);
        (0..many).min_by_key(|n| off(&self.0[*n])).unwrap_or(0)
    }
}

/// The pieces that can be placed, and the one that is held.
pub(crate) struct Palette {
    /// All ways in which they can lie.
    shapes: BTreeSet<Shape>,
    held: Option<Shape>,
}

impl Palette {
    /// Of a placement game's position; nothing of any other's.
    pub(crate) fn of(scene: &Scene) -> Option<Self> {
        let view = scene.view.board.as_ref()?;
        if !matches!(scene.game.rules(), FamilyRules::Placement(_)) {
            return None;
        }
        let shapes: BTreeSet<_> = scene.view.moves.iter().map(|mv| Shape::of_move(view.board, mv)).collect();
        let named = scene.link.piece.as_deref().and_then(Shape::read);
        // Where it does not fit as it is held, it may if it is turned.
        let held = named.and_then(|named| {
            let ways = named.turns().into_iter().chain(named.mirrored().turns());
            ways.into_iter().find(|shape| shapes.contains(shape))
        });
        Some(Self { shapes, held })
    }

    pub(crate) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// The first of these ways to lie that there is, if it is another one.
    fn first_of(&self, ways: &[Shape]) -> Option<&Shape> {
        let found = ways.iter().find_map(|way| self.shapes.get(way));
        found.filter(|found| self.held.as_ref() != Some(found))
    }

    /// The held piece as it lies after a turn, and after a mirror.
    fn turned(&self) -> [Option<&Shape>; 2] {
        let Some(held) = &self.held else { return [None; 2] };
        [self.first_of(&held.turns()[1..]), self.first_of(&held.mirrored().turns())]
    }

    /// A shape of each piece, the smaller pieces first; of the held one, as it is held.
    fn pieces(&self) -> Vec<&Shape> {
        let mut pieces: Vec<(Shape, &Shape)> = Vec::new();
        for shape in self.held.iter().chain(&self.shapes) {
            let piece = shape.piece();
            if !pieces.iter().any(|(known, _)| *known == piece) {
                pieces.push((piece, shape));
            }
        }
        pieces.sort_by(|(a, _), (b, _)| (a.0.len(), a).cmp(&(b.0.len(), b)));
        pieces.into_iter().map(|(_, shape)| shape).collect()
    }
}

/// What a rules file calls a piece.
fn name<'s>(scene: &'s Scene, shape: &Shape) -> Option<&'s str> {
    let FamilyRules::Placement(rules) = scene.game.rules() else {
        return None;
    };
    let is_same = |piece: &&Piece| Shape::read(&piece.shape.to_string()).is_some_and(|of| of.piece() == shape.piece());
    of_rules(&rules.pieces).into_iter().find(is_same).map(|piece| piece.name.as_str())
}

fn of_rules(pieces: &Pieces) -> Vec<&Piece> {
    match pieces {
        Pieces::Shared(pieces) => pieces.iter().collect(),
        Pieces::Own { left, right } => left.iter().chain(right).collect(),
    }
}

/// The pieces as links that take one up, and the ways to turn the one that is held.
pub(crate) fn palette(lang: Lang, scene: &Scene) -> Markup {
    let Some(palette) = Palette::of(scene).filter(|palette| !palette.shapes.is_empty()) else {
        return html! {};
    };
    let holding = |shape: &Shape| scene.link.holding(Some(shape.text())).play();
    let class = if pieces::is_dark(scene, scene.history.len()) { "dark" } else { "light" };
    let [turned, mirrored] = palette.turned();
    html! {
        nav #palette.palette aria-label=(say::palette(lang)) {
            @for (n, shape) in palette.pieces().into_iter().enumerate() {
                @let said = say::piece(lang, name(scene, shape), shape.0.len());
                a.tool href=(holding(shape)) title=(said) aria-label=(said) data-piece=(shape.text())
                    data-key=[(n < MOST_KEYS).then(|| n + 1)]
                    aria-current=[(palette.held.as_ref() == Some(shape)).then_some("true")] { (drawing(class, &shape.text())) }
            }
            @if palette.is_held() {
                @if let Some(shape) = turned { a.tool #turn data-key="t" href=(holding(shape)) { "⟳ " (say::turn(lang)) } }
                @if let Some(shape) = mirrored { a.tool #mirror data-key="m" href=(holding(shape)) { "⇋ " (say::mirror(lang)) } }
                a.tool #put-back data-key="Escape" href=(scene.link.holding(None).play()) { (say::put_back(lang)) }
            }
        }
    }
}

/// A link for each place where the held piece fits, on the cell by which it is held.
pub(super) fn ghosts(lang: Lang, scene: &Scene, board: Board, palette: &Palette, worths: &Worths) -> Markup {
    let Some(held) = &palette.held else { return html! {} };
    let class = if pieces::is_dark(scene, scene.history.len()) { "dark" } else { "light" };
    let fits: Vec<(&MoveView, usize)> = (scene.view.moves.iter())
        .filter(|mv| Shape::of_move(board, mv) == *held)
        .filter_map(|mv| Some((mv, Cells(mv.cells).nth(held.handle())?)))
        .collect();
    html! {
        g.moves.placing {
            @for (mv, cell) in fits {
                @let worth = worths.of(&mv.text);
                @let (x, y) = corner(board, cell);
                a.move href=(scene.link.after(&mv.text).play()) data-move=(mv.text)
                    aria-label=(worth.label(lang, &say::place_here(lang, &mv.text))) {
                    g class={ "ghost piece " (class) } { (pieces::shape(board, mv.cells)) }
                    (hit(board, cell))
                    (badge(worth, x + CELL / 2, y + CELL / 2))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::link::Link;

    #[test]
    fn a_shape_is_turned_and_mirrored() {
        let shape = |text: &str| Shape::read(text).unwrap();
        assert_eq!(shape("##/.#").turned().text(), ".#/##");
        assert_eq!(shape("##/.#").mirrored().text(), "##/#.");
        assert_eq!(shape("..../.##./..#.").text(), "##/.#");
        assert_eq!(shape("##/.#").piece(), shape("#./##").piece());
        assert_eq!(shape(".#./###/.#.").turned(), shape(".#./###/.#."));
        // By its middle.
        assert_eq!((shape("###").handle(), shape(".#./###/.#.").handle()), (1, 2));
        for text in ["", "...", "a/b", &"#".repeat(65)] {
            assert_eq!(Shape::read(text), None, "{text}");
        }
    }

    /// Every move can be made by a piece that is held in one way or another.
    #[test]
    fn every_move_has_a_ghost() {
        for (game, at, pieces) in
            [("blockgame", None, 2), ("domineering", Some("..../.... r"), 1), ("pentominoes", None, 12)]
        {
            let link = Link { game: game.to_owned(), at: at.map(str::to_owned), ..Link::default() };
            let scene = Scene::new(link.clone()).unwrap();
            let palette = Palette::of(&scene).unwrap();
            assert_eq!(palette.pieces().len(), pieces, "{game}");
            let mut moves = BTreeSet::new();
            for shape in &palette.shapes {
                let held = Scene::new(link.holding(Some(shape.text()))).unwrap();
                let palette = Palette::of(&held).unwrap();
                assert_eq!(palette.held.as_ref(), Some(shape));
                let board = held.view.board.as_ref().unwrap().board;
                let page = ghosts(Lang::En, &held, board, &palette, &Worths::new(None)).into_string();
                let made = page.split("data-move=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
                moves.extend(made);
            }
            assert_eq!(moves, scene.view.moves.iter().map(|mv| mv.text.clone()).collect(), "{game}");
        }
    }

    #[test]
    fn turns_lead_through_all_ways_to_lie() {
        let link = Link { game: "pentominoes".to_owned(), ..Link::default() };
        let mut seen = BTreeSet::new();
        let mut held = Shape::read("##./.#./.##").unwrap();
        for n in 0..8 {
            let scene = Scene::new(link.holding(Some(held.text()))).unwrap();
            let palette = Palette::of(&scene).unwrap();
            seen.insert(palette.held.clone().unwrap());
            let [turned, mirrored] = palette.turned();
            held = if n % 2 == 0 { turned } else { mirrored }.unwrap().clone();
        }
        assert_eq!(seen.len(), 4, "a Z lies in four ways");
    }
}
