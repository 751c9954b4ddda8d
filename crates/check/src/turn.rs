//! Parts of a board turned and reflected.

use crate::family::{Board, each};

/// A cell turned over and then by quarters, in one of eight ways.
pub(crate) fn turned((row, col): (i32, i32), way: u8) -> (i32, i32) {
    (0..way % 4).fold((row, if way >= 4 { -col } else { col }), |(row, col), _| (col, -row))
}

/// One of the eight ways to turn and reflect what lies in the top left corner of a board.
#[derive(Debug)]
pub(crate) struct Turn {
    /// Whether rows become columns.
    is_quarter: bool,
    /// For each eight cells and each set of them, where they go: a part has many cells, and most of the
    /// check's time would go into moving them one by one.
    images: Vec<[u128; 256]>,
}

impl Turn {
    pub(crate) fn new(board: Board, way: u8) -> Self {
        let Board { rows, cols } = board;
        let is_quarter = way % 2 == 1;
        // What fits before and after a quarter turn lies in a square.
        let (rows, cols) = if is_quarter { (rows.min(cols), rows.min(cols)) } else { (rows, cols) };
        let corner = |row: i32, col: i32| {
            let (row, col) = turned((row, col), way);
            (row.min(0), col.min(0))
        };
        let far = corner(rows as i32 - 1, cols as i32 - 1);
        let image = |cell: usize| {
            let (row, col) = (cell / board.cols, cell % board.cols);
            if row >= rows || col >= cols {
                return 0;
            }
            let (row, col) = turned((row as i32, col as i32), way);
            1 << ((row - far.0) as usize * board.cols + (col - far.1) as usize)
        };
        let of_cells: Vec<u128> = (0..board.cells()).map(image).collect();
        let of_eight = |cells: &[u128]| {
            std::array::from_fn(|set| each(set as u128).filter_map(|n| cells.get(n)).fold(0, |image, cell| image | cell))
        };
        Self { is_quarter, images: of_cells.chunks(8).map(of_eight).collect() }
    }

    /// The image of cells that lie in the top left corner, there as well; `None` if it does not fit.
    pub(crate) fn of_cornered(&self, board: Board, cells: u128) -> Option<u128> {
        let mut image = 0;
        for (eight, images) in cells.to_le_bytes().into_iter().zip(&self.images) {
            image |= images[usize::from(eight)];
        }
        // A quarter turn drops what does not fit.
        let is_whole = !self.is_quarter || image.count_ones() == cells.count_ones();
        is_whole.then(|| board.cornered(image))
    }
}
