//! Parts of a board turned and reflected.

use crate::family::{Board, each};

/// A cell turned over and then by quarters, in one of eight ways.
pub(crate) fn turned((row, col): (i32, i32), way: u8) -> (i32, i32) {
    (0..way % 4).fold((row, if way >= 4 { -col } else { col }), |(row, col), _| (col, -row))
}

/// One of the eight ways to turn and reflect what lies in the top left corner of a board.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The cells whose images are on the board.
    fitting: u128,
    /// For each eight cells and each set of them, where they go: a part has many cells, and most of the
    /// check's time would go into moving them one by one.
    images: Vec<[u128; 256]>,
}

impl Turn {
    /// The way with this number, as in [`turned`].
    pub(crate) fn new(board: Board, way: u8) -> Self {
        let Board { rows, cols } = board;
        // What fits before and after a quarter turn lies in a square.
        let (rows, cols) = if way % 2 == 1 { (rows.min(cols), rows.min(cols)) } else { (rows, cols) };
        let far = turned((rows as i32 - 1, cols as i32 - 1), way);
        let (top, left) = (far.0.min(0), far.1.min(0));
        let image = |cell: usize| {
            let (row, col) = (cell / board.cols, cell % board.cols);
            if row >= rows || col >= cols {
                return 0;
            }
            let (row, col) = turned((row as i32, col as i32), way);
            1 << ((row - top) as usize * board.cols + (col - left) as usize)
        };
        let of_cells: Vec<u128> = (0..board.cells()).map(image).collect();
        let of_eight = |cells: &[u128]| {
            std::array::from_fn(|set| {
                each(set as u128).filter_map(|n| cells.get(n)).fold(0, |image, cell| image | cell)
            })
        };
        let fitting = (0..of_cells.len()).filter(|cell| of_cells[*cell] != 0).fold(0, |set, cell| set | 1 << cell);
        Self { fitting, images: of_cells.chunks(8).map(of_eight).collect() }
    }

    /// The image of cells that lie in the top left corner, there as well; `None` if it does not fit.
    pub(crate) fn of_cornered(&self, board: Board, cells: u128) -> Option<u128> {
        if cells & !self.fitting != 0 {
            return None;
        }
        let mut image = 0;
        for (eight, images) in cells.to_le_bytes().into_iter().zip(&self.images) {
            image |= images[usize::from(eight)];
        }
        Some(board.cornered(image))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The cells turned one by one, and moved to the top left.
    fn turned_one_by_one(board: Board, cells: u128, way: u8) -> Option<u128> {
        let Board { rows, cols } = board;
        let all = each(cells).map(|cell| turned(((cell / cols) as i32, (cell % cols) as i32), way));
        let all: BTreeSet<(i32, i32)> = all.collect();
        let (top, left) = (all.iter().map(|cell| cell.0).min()?, all.iter().map(|cell| cell.1).min()?);
        let on_board = all.iter().map(|cell| ((cell.0 - top) as usize, (cell.1 - left) as usize));
        on_board.map(|(row, col)| (row < rows && col < cols).then(|| 1 << (row * cols + col))).sum()
    }

    #[test]
    fn tables_turn_as_cells_do() {
        let mut random = 1_u128;
        for (rows, cols) in [(1, 9), (4, 4), (3, 7), (7, 3), (8, 16), (16, 8), (11, 11)] {
            let board = Board { rows, cols };
            for way in 0..8 {
                let turn = Turn::new(board, way);
                for n in 0..200 {
                    random = random.wrapping_mul(0xda94_2042_e4dd_58b5).wrapping_add(1).rotate_left(64);
                    // Small parts as well, which fit in every way.
                    let near = |cell: &usize| cell / cols <= n % 16 && cell % cols <= n % 16;
                    let window = (0..rows * cols).filter(near).fold(0, |set, cell| set | 1_u128 << cell);
                    let cells = board.cornered(random & window);
                    let expected = turned_one_by_one(board, cells, way);
                    assert_eq!(
                        turn.of_cornered(board, cells),
                        expected.or(Some(0).filter(|_| cells == 0)),
                        "{board:?} {way}"
                    );
                }
            }
        }
    }
}
