//! Independent parts of a board, each in a canonical form.
//!
//! Two free cells belong together if a placement covers both. Parts that hang
//! together by no placement are played as a sum of games.

use super::Piece;
use super::pieces::Shape;
use crate::board::{Board, CellSet};

/// How the pieces of one player split what is free of a board.
#[derive(Clone, Debug)]
pub(super) struct Parts<W> {
    /// Whether parts of nimber 0 may be left out: not by the misère convention.
    by_nimber: bool,
    board: Board,
    /// Parts that fit on this board need no canonical form.
    small: Option<Board>,
    /// Pieces, as they may lie, that link all cells that any piece links.
    links: Vec<Lay<W>>,
    /// All pieces, as they may lie.
    lays: Vec<Lay<W>>,
    /// All placements on the free board.
    placements: Vec<W>,
    /// How dominoes, lying and upright, may lie, if they are all that is placed.
    dominoes: Option<[W; 2]>,
    /// The symmetries that map pieces to pieces, but for the one that moves nothing.
    symmetries: Vec<Symmetry>,
    /// The cells of the first row, for all others to be shifted by.
    row: W,
    /// For each set of cells in a row's byte, the same cells in a column.
    columns: [Box<[W; 256]>; 2],
}

/// One piece, lying in one way: a placement for each place of its first cell.
#[derive(Clone, Debug)]
struct Lay<W> {
    /// How far its other cells are from its first one.
    others: Vec<u32>,
    /// Where its first cell may be.
    places: W,
}

/// Rows exchanged for columns or not, then turned upside down or not, then left to
/// right or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Symmetry {
    transposed: bool,
    upside_down: bool,
    mirrored: bool,
}

/// Rows and columns that a set spans.
#[derive(Clone, Copy, Debug)]
struct Span {
    rows: usize,
    cols: usize,
}

impl<W: CellSet> Parts<W> {
    pub(super) fn new(board: Board, pieces: &[Piece], rotate: bool, reflect: bool, by_nimber: bool) -> Self {
        let mut shapes: Vec<Shape> =
            pieces.iter().flat_map(|piece| piece.shape.orientations(rotate, reflect)).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let symmetries = Symmetry::all().filter(|symmetry| {
            let mut images: Vec<Shape> = shapes.iter().map(|shape| symmetry.of_shape(shape)).collect();
            images.sort_unstable();
            images == shapes
        });
        let symmetries = symmetries.collect();
        let lays: Vec<_> = shapes.iter().map(|shape| Lay::new(board, shape)).collect();
        let domino = |drawing| {
            let domino = Shape::parse(drawing).ok()?;
            shapes.iter().zip(&lays).find(|(shape, _)| **shape == domino).map(|(_, lay)| lay.places)
        };
        let dominoes = match [domino("##"), domino("#/#")] {
            [Some(lying), Some(upright)] if shapes.len() == 2 => Some([lying, upright]),
            _ => None,
        };
        let links = linking(&shapes).iter().map(|shape| Lay::new(board, shape)).collect();
        let row = W::max_value() >> (W::CELLS - board.cols());
        let column = |from: usize| {
            let mut sets = Box::new([W::zero(); 256]);
            for (byte, set) in sets.iter_mut().enumerate() {
                for bit in (0..8).filter(|bit| byte >> bit & 1 == 1) {
                    let cell = (from + bit) * board.cols();
                    if cell < board.cells() {
                        *set |= W::bit(cell);
                    }
                }
            }
            sets
        };
        let placements = shapes.iter().flat_map(|shape| shape.on(board)).collect();
        Self {
            by_nimber,
            board,
            small: None,
            links,
            lays,
            placements,
            dominoes,
            symmetries,
            row,
            columns: [column(0), column(8)],
        }
    }

    /// The same, with parts that fit on a small board left as they are.
    pub(super) fn knowing(self, small: Board) -> Self {
        Self { small: Some(small), ..self }
    }

    /// Calls `part` for each part of what is `free`, in canonical form. Cells that no
    /// piece can cover are left out, and so are parts of which it is plain that they
    /// have the nimber 0.
    #[inline]
    pub(super) fn split(&self, free: W, mut part: impl FnMut(W)) {
        let mut part = |cells| self.canonical(cells).into_iter().for_each(&mut part);
        if let Some(places) = self.dominoes {
            Grid { cols: self.board.cols(), places }.split(free, part);
            return;
        }
        let fits: Vec<W> = self.links.iter().map(|lay| lay.fits(free)).collect();
        let links = || self.links.iter().zip(&fits);
        let mut live = links().fold(W::zero(), |live, (lay, &fits)| live | lay.cells(fits));
        while !live.is_zero() {
            let mut grown = live & (!live + W::one());
            loop {
                let touched = links().map(|(lay, &fits)| lay.cells(fits & lay.touching(grown)));
                let more = touched.fold(grown, |grown, cells| grown | cells);
                if more == grown {
                    break;
                }
                grown = more;
            }
            live &= !grown;
            part(grown);
        }
    }

    /// How many placements fit on what is free.
    #[inline]
    pub(super) fn mobility(&self, free: W) -> usize {
        self.lays.iter().map(|lay| lay.fits(free).count_ones() as usize).sum()
    }

    /// The least of the images of a part by symmetries, moved to the top left, or the part
    /// itself, moved so, if it is a small one; `None` if one of them shows that whoever moves second can answer each placement by
    /// its image.
    #[inline]
    fn canonical(&self, part: W) -> Option<W> {
        let (part, span) = self.cornered(part);
        if self.small.is_some_and(|small| span.fits(small)) {
            return Some(part);
        }
        let turned = span.turned();
        let both_ways = turned.fits(self.board);
        let mut least = part;
        let mut transposed = None;
        for &symmetry in &self.symmetries {
            let (flipped, span) = match symmetry.transposed {
                false => (part, span),
                true if both_ways => (*transposed.get_or_insert_with(|| self.transposed(part, span)), turned),
                true => continue,
            };
            let image = self.flipped(flipped, span, symmetry);
            if image == part && self.by_nimber && part.count_ones() >= MANY_CELLS && self.pairs_up(part, span, symmetry)
            {
                return None;
            }
            least = least.min(image);
        }
        Some(least)
    }

    /// What a symmetry makes of a set in the top left corner that spans these rows and columns, but
    /// for exchanging rows for columns.
    #[inline]
    fn flipped(&self, set: W, span: Span, symmetry: Symmetry) -> W {
        match (symmetry.upside_down, symmetry.mirrored) {
            (false, false) => set,
            (true, false) => self.upside_down(set, span),
            (false, true) => self.upside_down(self.half_turn(set, span), span),
            (true, true) => self.half_turn(set, span),
        }
    }

    /// Whether a symmetry of the part is its own inverse and maps no placement onto
    /// cells that it covers itself: then the images of placements can always be
    /// placed, and none is left when it is the first player's turn to have none.
    #[cold]
    fn pairs_up(&self, part: W, span: Span, symmetry: Symmetry) -> bool {
        let quarter_turn = symmetry.transposed && symmetry.upside_down != symmetry.mirrored;
        let image = |placed: W| match symmetry.transposed {
            true => self.flipped(self.transposed(placed, span.turned()), span, symmetry),
            false => self.flipped(placed, span, symmetry),
        };
        !quarter_turn
            && self
                .placements
                .iter()
                .filter(|&&placed| (placed & !part).is_zero())
                .all(|&placed| (placed & image(placed)).is_zero())
    }

    /// The set moved up and left as far as it goes.
    #[inline]
    fn cornered(&self, set: W) -> (W, Span) {
        let cols = self.board.cols();
        let top = set.trailing_zeros() as usize / cols;
        let set = set >> (top * cols);
        let rows = (W::CELLS - 1 - set.leading_zeros() as usize) / cols + 1;
        let mut columns = W::zero();
        for row in 0..rows {
            columns |= set >> (row * cols);
        }
        let columns = columns & self.row;
        let left = columns.trailing_zeros() as usize;
        let right = W::CELLS - columns.leading_zeros() as usize;
        (set >> left, Span { rows, cols: right - left })
    }

    #[inline]
    fn upside_down(&self, set: W, span: Span) -> W {
        let cols = self.board.cols();
        let mut image = W::zero();
        for row in 0..span.rows {
            image |= (set >> (row * cols) & self.row) << ((span.rows - 1 - row) * cols);
        }
        image
    }

    /// The bits backwards.
    #[inline]
    fn half_turn(&self, set: W, span: Span) -> W {
        let last = (span.rows - 1) * self.board.cols() + span.cols - 1;
        set.reverse_bits() >> (W::CELLS - 1 - last)
    }

    #[inline]
    fn transposed(&self, set: W, span: Span) -> W {
        let cols = self.board.cols();
        let mut image = W::zero();
        for row in 0..span.rows {
            let cells: u128 = (set >> (row * cols) & self.row).into();
            let [low, high] = (cells as u16).to_le_bytes();
            image |= (self.columns[0][usize::from(low)] | self.columns[1][usize::from(high)]) << row;
        }
        image
    }
}

/// Whether smaller parts pair up is not asked: they are quickly solved.
const MANY_CELLS: u32 = 12;

impl Span {
    const fn fits(self, board: Board) -> bool {
        self.rows <= board.rows() && self.cols <= board.cols()
    }

    const fn turned(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }
}

impl<W: CellSet> Lay<W> {
    fn new(board: Board, shape: &Shape) -> Self {
        let placed: Vec<W> = shape.on(board);
        let first = |cells: W| cells.trailing_zeros() as usize;
        let others = placed.first().map(|&cells| {
            let from = first(cells);
            crate::board::Cells(cells).skip(1).map(|cell| (cell - from) as u32).collect()
        });
        let places = placed.iter().fold(W::zero(), |places, &cells| places | W::bit(first(cells)));
        Self { others: others.unwrap_or_default(), places }
    }

    /// Where its first cell may be if these cells are free.
    #[inline]
    fn fits(&self, free: W) -> W {
        self.others.iter().fold(self.places & free, |fits, &by| fits & free >> by as usize)
    }

    /// Where its first cell may be if it is to cover one of these.
    #[inline]
    fn touching(&self, cells: W) -> W {
        self.others.iter().fold(cells, |touching, &by| touching | cells >> by as usize)
    }

    /// The cells that it covers from these places.
    #[inline]
    fn cells(&self, places: W) -> W {
        self.others.iter().fold(places, |cells, &by| cells | places << by as usize)
    }
}

/// A board's cells and their neighbours, where dominoes are placed and nothing else.
#[derive(Clone, Copy)]
struct Grid<W> {
    cols: usize,
    /// Where the first cell of a domino may be, lying and upright.
    places: [W; 2],
}

impl<W: CellSet> Grid<W> {
    /// As [`Parts::split`], in fewer steps.
    #[inline]
    fn split(self, free: W, mut part: impl FnMut(W)) {
        let free = self.without_twins(free);
        let [right, down] = self.neighbours(free);
        let mut live = right | right << 1 | down | self.below(down);
        while !live.is_zero() {
            let mut grown = live & (!live + W::one());
            loop {
                let mut more = grown;
                more |= (more & right) << 1 | more >> 1 & right;
                more |= self.below(more & down) | self.above(more) & down;
                if more == grown {
                    break;
                }
                grown = more;
            }
            live &= !grown;
            part(grown);
        }
    }

    /// The free cells whose right neighbour is free, and those whose lower one is.
    #[inline]
    fn neighbours(self, free: W) -> [W; 2] {
        let [lying, upright] = self.places;
        [free & free >> 1 & lying, free & self.above(free) & upright]
    }

    #[inline]
    fn below(self, cells: W) -> W {
        if self.cols < W::CELLS { cells << self.cols } else { W::zero() }
    }

    #[inline]
    fn above(self, cells: W) -> W {
        cells.shifted_down(self.cols)
    }

    /// What is free, without cells that are as good as another one.
    ///
    /// A cell with one neighbour alone is a leaf, its neighbour a stem. Whichever of
    /// the leaves of a stem is covered, the others are left alone: one is enough. And
    /// a cell between stems alone is one more leaf to each.
    #[inline]
    fn without_twins(self, free: W) -> W {
        let [right, down] = self.neighbours(free);
        let (left, up) = (right << 1, self.below(down));
        let two = right & left | down & up | (right | left) & (down | up);
        let leaves = (right | left | down | up) & !two;
        // Stems, by where their leaf is.
        let (leaf_left, leaf_right) = ((leaves & right) << 1, (leaves & left) >> 1);
        let (leaf_above, leaf_below) = (self.below(leaves & down), self.above(leaves & up));
        let more_leaves = (leaf_right & leaf_left) << 1
            | self.above(leaf_above & (leaf_left | leaf_right))
            | self.below(leaf_below & (leaf_left | leaf_right | leaf_above));
        let stems = leaf_left | leaf_right | leaf_above | leaf_below;
        let others = !stems;
        let beside_others =
            right & others >> 1 | left & others << 1 | down & self.above(others) | up & self.below(others);
        free & !(more_leaves | two & others & !beside_others)
    }
}

/// Those of the shapes that link all that any of them links: a shape that smaller
/// ones cover cell by cell without a gap adds nothing.
fn linking(shapes: &[Shape]) -> Vec<Shape> {
    let mut shapes = shapes.to_vec();
    shapes.sort_by_key(Shape::cells);
    let mut links: Vec<Shape> = Vec::new();
    for shape in shapes {
        if !is_linked(&shape, &links) {
            links.push(shape);
        }
    }
    links
}

/// Whether placements of `links` within the shape hang together over all of it.
fn is_linked(shape: &Shape, links: &[Shape]) -> bool {
    let Some(board) = shape.board() else {
        return false;
    };
    let [cells]: [u128; 1] = match shape.on(board)[..] {
        [cells] => [cells],
        _ => return false,
    };
    let within: Vec<u128> =
        links.iter().flat_map(|link| link.on::<u128>(board)).filter(|placed| placed & !cells == 0).collect();
    let mut linked = cells & cells.wrapping_neg();
    if !within.iter().any(|placed| placed & linked != 0) {
        return false;
    }
    loop {
        let touched = within.iter().filter(|&&placed| placed & linked != 0);
        let grown = touched.fold(linked, |grown, placed| grown | placed);
        if grown == linked {
            return linked == cells;
        }
        linked = grown;
    }
}

impl Symmetry {
    /// All but the one that moves nothing.
    fn all() -> impl Iterator<Item = Self> {
        (1..8).map(|n| Self { transposed: n & 4 != 0, upside_down: n & 2 != 0, mirrored: n & 1 != 0 })
    }

    fn of_shape(self, shape: &Shape) -> Shape {
        let shape = if self.transposed { shape.transposed() } else { shape.clone() };
        let shape = if self.upside_down { shape.upside_down() } else { shape };
        if self.mirrored { shape.mirrored() } else { shape }
    }
}
