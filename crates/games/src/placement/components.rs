//! Decomposition of a board into independent components, each in canonical form.
//!
//! Two free cells are connected if a placement covers both. The connected components are
//! played as a sum of games.

use super::Piece;
use super::pieces::Shape;
use crate::board::{Board, CellSet};

/// The components of free cells under one player's pieces.
#[derive(Clone, Debug)]
pub(super) struct Components<W> {
    /// Whether components of nimber 0 may be dropped: only in normal play.
    by_nimber: bool,
    board: Board,
    /// Components that fit on this board are left without canonical form.
    small: Option<Board>,
    /// A subset of the oriented pieces that connects the same cells as all of them.
    links: Vec<AnchoredShape<W>>,
    /// All oriented pieces.
    anchored: Vec<AnchoredShape<W>>,
    /// All placements on the empty board.
    placements: Vec<W>,
    /// The anchors of horizontal and vertical dominoes, if they are the only pieces.
    dominoes: Option<[W; 2]>,
    /// The non-trivial symmetries that map pieces to pieces.
    symmetries: Vec<GridSymmetry>,
    /// The cells of the first row.
    row: W,
    /// The transposition of each byte of a row: a set of cells in the first column.
    columns: [Box<[W; 256]>; 2],
}

/// An oriented piece: its placements differ by their anchor, the first cell.
#[derive(Clone, Debug)]
struct AnchoredShape<W> {
    /// The offsets of the other cells from the anchor.
    offsets: Vec<u32>,
    /// The anchors on the empty board.
    anchors: W,
}

/// An optional transposition, then an optional vertical flip, then an optional horizontal
/// flip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GridSymmetry {
    transposed: bool,
    upside_down: bool,
    mirrored: bool,
}

/// The bounding box of a set.
#[derive(Clone, Copy, Debug)]
struct BoundingBox {
    rows: usize,
    cols: usize,
}

impl<W: CellSet> Components<W> {
    pub(super) fn new(board: Board, pieces: &[Piece], rotate: bool, reflect: bool, by_nimber: bool) -> Self {
        let mut shapes: Vec<Shape> =
            pieces.iter().flat_map(|piece| piece.shape.orientations(rotate, reflect)).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let symmetries = GridSymmetry::all().filter(|symmetry| {
            let mut images: Vec<Shape> = shapes.iter().map(|shape| symmetry.image_of_shape(shape)).collect();
            images.sort_unstable();
            images == shapes
        });
        let symmetries = symmetries.collect();
        let anchored: Vec<_> = shapes.iter().map(|shape| AnchoredShape::new(board, shape)).collect();
        let domino = |drawing| {
            let domino = Shape::parse(drawing).ok()?;
            shapes.iter().zip(&anchored).find(|(shape, _)| **shape == domino).map(|(_, anchored)| anchored.anchors)
        };
        let dominoes = match [domino("##"), domino("#/#")] {
            [Some(lying), Some(upright)] if shapes.len() == 2 => Some([lying, upright]),
            _ => None,
        };
        let links = connecting_shapes(&shapes).iter().map(|shape| AnchoredShape::new(board, shape)).collect();
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
            anchored,
            placements,
            dominoes,
            symmetries,
            row,
            columns: [column(0), column(8)],
        }
    }

    /// Returns the same decomposition with components that fit on a small board left as they are.
    pub(super) fn with_small_board(self, small: Board) -> Self {
        Self { small: Some(small), ..self }
    }

    /// Calls `part` for each component of the free cells, in canonical form. Drops cells that no
    /// piece can cover, and components that a symmetry shows to have nimber 0.
    #[inline]
    pub(super) fn split(&self, free: W, mut part: impl FnMut(W)) {
        let mut part = |cells| self.canonical(cells).into_iter().for_each(&mut part);
        if let Some(anchors) = self.dominoes {
            DominoGrid { cols: self.board.cols(), anchors }.split(free, part);
            return;
        }
        let fits: Vec<W> = self.links.iter().map(|shape| shape.fits(free)).collect();
        let links = || self.links.iter().zip(&fits);
        let mut live = links().fold(W::zero(), |live, (shape, &fits)| live | shape.cells(fits));
        while !live.is_zero() {
            let mut grown = live & (!live + W::one());
            loop {
                let touched = links().map(|(shape, &fits)| shape.cells(fits & shape.touching(grown)));
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

    /// Whether pieces may be placed with rows and columns exchanged.
    pub(super) fn is_transposable(&self) -> bool {
        self.symmetries.iter().any(|symmetry| symmetry.transposed)
    }

    /// Returns the number of placements that fit on the free cells.
    #[inline]
    pub(super) fn mobility(&self, free: W) -> usize {
        self.anchored.iter().map(|shape| shape.fits(free).count_ones() as usize).sum()
    }

    /// Returns the least image of a component under the symmetries, moved to the top left; of a
    /// small component the component itself, moved so. Returns `None` if a symmetry shows that the
    /// second player can answer each placement by its image.
    #[inline]
    fn canonical(&self, part: W) -> Option<W> {
        let (part, bounds) = self.to_corner(part);
        if self.small.is_some_and(|small| bounds.fits(small)) {
            return Some(part);
        }
        let turned = bounds.transpose();
        let both_ways = turned.fits(self.board);
        let mut least = part;
        let mut transposed = None;
        for &symmetry in &self.symmetries {
            let (flipped, bounds) = match symmetry.transposed {
                false => (part, bounds),
                true if both_ways => (*transposed.get_or_insert_with(|| self.transpose(part, bounds)), turned),
                true => continue,
            };
            let image = self.flip(flipped, bounds, symmetry);
            if image == part
                && self.by_nimber
                && part.count_ones() >= MIN_PAIRING_CELLS
                && self.is_second_player_win(part, bounds, symmetry)
            {
                return None;
            }
            least = least.min(image);
        }
        Some(least)
    }

    /// The image of a set with this bounding box in the top left corner, after the transposition.
    #[inline]
    fn flip(&self, set: W, bounds: BoundingBox, symmetry: GridSymmetry) -> W {
        match (symmetry.upside_down, symmetry.mirrored) {
            (false, false) => set,
            (true, false) => self.flip_rows(set, bounds),
            (false, true) => self.flip_rows(self.rotate_180(set, bounds), bounds),
            (true, true) => self.rotate_180(set, bounds),
        }
    }

    /// Whether a symmetry of the component is an involution and maps no placement onto a cell of
    /// its own. The second player then wins by symmetry: the image of a placement always fits.
    #[cold]
    fn is_second_player_win(&self, part: W, bounds: BoundingBox, symmetry: GridSymmetry) -> bool {
        let quarter_turn = symmetry.transposed && symmetry.upside_down != symmetry.mirrored;
        let image = |placed: W| match symmetry.transposed {
            true => self.flip(self.transpose(placed, bounds.transpose()), bounds, symmetry),
            false => self.flip(placed, bounds, symmetry),
        };
        !quarter_turn
            && self
                .placements
                .iter()
                .filter(|&&placed| (placed & !part).is_zero())
                .all(|&placed| (placed & image(placed)).is_zero())
    }

    /// The set moved up and left as far as possible, and its bounding box.
    #[inline]
    fn to_corner(&self, set: W) -> (W, BoundingBox) {
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
        (set >> left, BoundingBox { rows, cols: right - left })
    }

    #[inline]
    fn flip_rows(&self, set: W, bounds: BoundingBox) -> W {
        let cols = self.board.cols();
        let mut image = W::zero();
        for row in 0..bounds.rows {
            image |= (set >> (row * cols) & self.row) << ((bounds.rows - 1 - row) * cols);
        }
        image
    }

    /// The set rotated by 180 degrees: its bits reversed.
    #[inline]
    fn rotate_180(&self, set: W, bounds: BoundingBox) -> W {
        let last = (bounds.rows - 1) * self.board.cols() + bounds.cols - 1;
        set.reverse_bits() >> (W::CELLS - 1 - last)
    }

    #[inline]
    fn transpose(&self, set: W, bounds: BoundingBox) -> W {
        let cols = self.board.cols();
        let mut image = W::zero();
        for row in 0..bounds.rows {
            let cells: u128 = (set >> (row * cols) & self.row).into();
            let [low, high] = (cells as u16).to_le_bytes();
            image |= (self.columns[0][usize::from(low)] | self.columns[1][usize::from(high)]) << row;
        }
        image
    }
}

/// Minimum number of cells for the symmetry strategy test: smaller components are quickly solved.
const MIN_PAIRING_CELLS: u32 = 12;

impl BoundingBox {
    const fn fits(self, board: Board) -> bool {
        self.rows <= board.rows() && self.cols <= board.cols()
    }

    const fn transpose(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }
}

impl<W: CellSet> AnchoredShape<W> {
    fn new(board: Board, shape: &Shape) -> Self {
        let placed: Vec<W> = shape.on(board);
        let first = |cells: W| cells.trailing_zeros() as usize;
        let offsets = placed.first().map(|&cells| {
            let from = first(cells);
            crate::board::Cells(cells).skip(1).map(|cell| (cell - from) as u32).collect()
        });
        let anchors = placed.iter().fold(W::zero(), |anchors, &cells| anchors | W::bit(first(cells)));
        Self { offsets: offsets.unwrap_or_default(), anchors }
    }

    /// The anchors whose placements fit on the free cells.
    #[inline]
    fn fits(&self, free: W) -> W {
        self.offsets.iter().fold(self.anchors & free, |fits, &by| fits & free >> by as usize)
    }

    /// The anchors whose placements would cover one of `cells`.
    #[inline]
    fn touching(&self, cells: W) -> W {
        self.offsets.iter().fold(cells, |touching, &by| touching | cells >> by as usize)
    }

    /// The cells covered from these anchors.
    #[inline]
    fn cells(&self, anchors: W) -> W {
        self.offsets.iter().fold(anchors, |cells, &by| cells | anchors << by as usize)
    }
}

/// The adjacency of cells of a board where only dominoes are placed.
#[derive(Clone, Copy)]
struct DominoGrid<W> {
    cols: usize,
    /// The anchors of horizontal and vertical dominoes.
    anchors: [W; 2],
}

impl<W: CellSet> DominoGrid<W> {
    /// Splits as [`Components::split`] does, in fewer steps.
    #[inline]
    fn split(self, free: W, mut part: impl FnMut(W)) {
        let free = self.without_twin_leaves(free);
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

    /// The free cells whose right neighbour is free, and those whose lower neighbour is.
    #[inline]
    fn neighbours(self, free: W) -> [W; 2] {
        let [lying, upright] = self.anchors;
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

    /// Removes free cells that are equivalent to others.
    ///
    /// A cell with one neighbour is a leaf, its neighbour a stem. Covering one leaf of a stem
    /// isolates the others, so one leaf is enough. A cell all of whose neighbours are stems is
    /// one more leaf of each of them.
    #[inline]
    fn without_twin_leaves(self, free: W) -> W {
        let [right, down] = self.neighbours(free);
        let (left, up) = (right << 1, self.below(down));
        let two = right & left | down & up | (right | left) & (down | up);
        let leaves = (right | left | down | up) & !two;
        // Stems by the direction of their leaf.
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

/// The shapes that connect all cells that any shape connects: a shape that smaller ones
/// connect already is dropped.
fn connecting_shapes(shapes: &[Shape]) -> Vec<Shape> {
    let mut shapes = shapes.to_vec();
    shapes.sort_by_key(Shape::cells);
    let mut links: Vec<Shape> = Vec::new();
    for shape in shapes {
        if !connects(&shape, &links) {
            links.push(shape);
        }
    }
    links
}

/// Whether placements of `links` within the shape connect all of its cells.
fn connects(shape: &Shape, links: &[Shape]) -> bool {
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

impl GridSymmetry {
    /// All symmetries but the identity.
    fn all() -> impl Iterator<Item = Self> {
        (1..8).map(|n| Self { transposed: n & 4 != 0, upside_down: n & 2 != 0, mirrored: n & 1 != 0 })
    }

    fn image_of_shape(self, shape: &Shape) -> Shape {
        let shape = if self.transposed { shape.transposed() } else { shape.clone() };
        let shape = if self.upside_down { shape.upside_down() } else { shape };
        if self.mirrored { shape.mirrored() } else { shape }
    }
}
