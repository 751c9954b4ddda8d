//! Move generation and the order of moves within a component.

use std::sync::OnceLock;

use super::PiecePlacement;
use crate::board::{Board, CellSet, Cells};

/// A player's placements by piece and orientation.
///
/// An orientation is a set of cells from its anchor, the first cell, on. It fits at the anchors
/// where the free cells, shifted back by each of its offsets, all have a bit: a few operations
/// on words instead of one for each placement.
#[derive(Clone, Debug)]
pub(super) struct PlacementIndex<W> {
    pieces: Vec<OrientedPiece<W>>,
    /// The offsets of all orientations without the anchors, concatenated.
    offsets: Vec<u8>,
    /// The indices of the placements, orientation by orientation, in order of anchors.
    numbers: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct OrientedPiece<W> {
    /// The placement anchored at cell 0.
    placed: PiecePlacement<W>,
    /// The anchors on the empty board.
    anchors: W,
    /// The range of its offsets.
    cells: [u32; 2],
    /// The start of its indices.
    numbers: u32,
}

impl<W: CellSet> PlacementIndex<W> {
    /// Creates the index of `placements`, whose order numbers them.
    pub(super) fn new(placements: &[PiecePlacement<W>]) -> Self {
        let mut this = Self { pieces: Vec::new(), offsets: Vec::new(), numbers: Vec::new() };
        let anchor = |placed: &PiecePlacement<W>| placed.cells.trailing_zeros() as usize;
        let anchored_at_0 =
            |placed: &PiecePlacement<W>| PiecePlacement { cells: placed.cells >> anchor(placed), ..*placed };
        let mut sorted: Vec<_> = placements.iter().zip(0..).collect();
        sorted.sort_unstable_by_key(|(placed, _)| (placed.used, anchored_at_0(placed), anchor(placed)));
        for (placed, number) in sorted {
            let lying = anchored_at_0(placed);
            if this.pieces.last().is_none_or(|piece| piece.placed != lying) {
                let begin = this.offsets.len() as u32;
                this.offsets.extend(Cells(lying.cells).skip(1).map(|cell| cell as u8));
                let (cells, numbers) = ([begin, this.offsets.len() as u32], this.numbers.len() as u32);
                this.pieces.push(OrientedPiece { placed: lying, anchors: W::zero(), cells, numbers });
            }
            if let Some(piece) = this.pieces.last_mut() {
                piece.anchors |= W::bit(anchor(placed));
            }
            this.numbers.push(number);
        }
        this
    }

    /// The orientations that fit somewhere, with all their anchors.
    #[inline]
    fn fitting(&self, free: W, used: u64) -> impl Iterator<Item = (&OrientedPiece<W>, W)> {
        self.pieces.iter().filter(move |piece| piece.placed.is_supplied(used)).filter_map(move |piece| {
            let [begin, end] = piece.cells;
            let cells = &self.offsets[begin as usize..end as usize];
            let fits = cells.iter().fold(piece.anchors & free, |fits, &cell| fits & free >> usize::from(cell));
            (!fits.is_zero()).then_some((piece, fits))
        })
    }

    /// Whether any placement fits.
    pub(super) fn any(&self, free: W, used: u64) -> bool {
        self.fitting(free, used).next().is_some()
    }

    /// The number of placements that fit.
    pub(super) fn count(&self, free: W, used: u64) -> usize {
        self.fitting(free, used).map(|(_, fits)| fits.count_ones() as usize).sum()
    }

    /// The indices of the placements that fit.
    pub(super) fn numbers(&self, free: W, used: u64) -> impl Iterator<Item = u16> {
        self.fitting(free, used).flat_map(move |(piece, fits)| {
            let number =
                |anchor| piece.numbers as usize + (piece.anchors & (W::bit(anchor) - W::one())).count_ones() as usize;
            Cells(fits).map(move |anchor| self.numbers[number(anchor)])
        })
    }

    /// The placements that fit.
    pub(super) fn placements(&self, free: W, used: u64) -> impl Iterator<Item = PiecePlacement<W>> {
        self.fitting(free, used).flat_map(|(piece, fits)| {
            Cells(fits).map(move |anchor| PiecePlacement { cells: piece.placed.cells << anchor, ..piece.placed })
        })
    }
}

/// For each size of a box in the top left corner, the placements within the box by their
/// distance from its middle, first along the longer side.
#[derive(Clone, Debug)]
pub(super) struct CentreOrder {
    board: Board,
    /// The boxes requested so far, row by row.
    boxes: Vec<OnceLock<Box<[u16]>>>,
}

impl CentreOrder {
    pub(super) fn new(board: Board) -> Self {
        Self { board, boxes: (0..board.cells()).map(|_| OnceLock::new()).collect() }
    }

    /// Returns the indices of the placements within the bounding box of `cells` from the top left
    /// corner.
    pub(super) fn within<W: CellSet>(&self, cells: W, placements: impl ExactSizeIterator<Item = W>) -> &[u16] {
        if cells.is_zero() {
            return &[];
        }
        let cols = self.board.cols();
        let last_row = (W::CELLS - 1 - cells.leading_zeros() as usize) / cols;
        let columns = (0..=last_row).fold(W::zero(), |columns, row| columns | cells >> (row * cols));
        let columns = columns & W::max_value() >> (W::CELLS - cols);
        let last_col = W::CELLS - 1 - columns.leading_zeros() as usize;
        self.boxes[last_row * cols + last_col].get_or_init(|| self.order(last_row, last_col, placements))
    }

    /// Orders the placements within the box that ends with this row and this column.
    #[cold]
    fn order<W: CellSet>(
        &self,
        last_row: usize,
        last_col: usize,
        placements: impl ExactSizeIterator<Item = W>,
    ) -> Box<[u16]> {
        let mut order = Vec::new();
        for (n, cells) in (0_u16..).zip(placements) {
            let places = || Cells(cells).map(|cell| (cell / self.board.cols(), cell % self.board.cols()));
            let top = places().map(|(row, _)| row).min().unwrap_or(0);
            let bottom = places().map(|(row, _)| row).max().unwrap_or(0);
            let left = places().map(|(_, col)| col).min().unwrap_or(0);
            let right = places().map(|(_, col)| col).max().unwrap_or(0);
            if bottom <= last_row && right <= last_col {
                // Twice the distances from the middle.
                let (down, across) = ((top + bottom).abs_diff(last_row), (left + right).abs_diff(last_col));
                order.push(if last_col >= last_row { (across, down, n) } else { (down, across, n) });
            }
        }
        order.sort_unstable();
        order.into_iter().map(|(_, _, n)| n).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_comes_first() {
        let board = Board::new(3, 5).unwrap();
        // Vertical dominoes, and one horizontal one.
        let placements = [0b00001_00001_u64, 0b00010_00010, 0b00100_00100, 0b10000_10000, 0b00110];
        let within = |central: &CentreOrder, cells: u64| central.within(cells, placements.into_iter()).to_vec();
        let central = CentreOrder::new(board);
        assert_eq!(within(&central, 0b00111_00111), [1, 4, 0, 2]);
        assert_eq!(within(&central, 0b10000_00000_00001), [2, 4, 1, 0, 3]);
        assert_eq!(within(&central, 0b10), [0; 0]);
        assert_eq!(within(&central, 0), [0; 0]);
    }
}
