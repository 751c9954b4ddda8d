//! Move ordering within a component: placements in its middle first, as they are likely to
//! split it.

use std::sync::OnceLock;

use crate::board::{Board, CellSet, Cells};

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
