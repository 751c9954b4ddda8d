//! Symmetries of boards.

use crate::board::{Board, CellSet, Cells};

/// A permutation of the cells of a board, with lookup tables to map whole sets.
#[derive(Clone, Debug)]
pub(crate) struct Permutation<W = u64> {
    cells: Vec<u8>,
    /// The image of every set of eight consecutive cells.
    bytes: Vec<[W; 256]>,
}

impl<W: CellSet> Permutation<W> {
    fn new(board: Board, to: impl Fn(usize, usize) -> (usize, usize)) -> Self {
        Self::to_cells(board, |row, col| {
            let (row, col) = to(row, col);
            board.cell(row, col)
        })
    }

    /// Creates a permutation from the image of each row and column.
    fn to_cells(board: Board, to: impl Fn(usize, usize) -> usize) -> Self {
        let of_cell = |cell| {
            let (row, col) = board.row_col(cell);
            to(row, col) as u8
        };
        let cells: Vec<u8> = (0..board.cells()).map(of_cell).collect();
        let bytes = cells
            .chunks(8)
            .map(|byte| {
                let mut sets = [W::zero(); 256];
                for set in 1..1_usize << byte.len() {
                    let lowest = set & set.wrapping_neg();
                    let image = byte[lowest.trailing_zeros() as usize];
                    sets[set] = sets[set ^ lowest] | W::bit(image.into());
                }
                sets
            })
            .collect();
        Self { cells, bytes }
    }

    /// Creates the permutation that moves no cell.
    pub(crate) fn identity(board: Board) -> Self {
        Self::new(board, |row, col| (row, col))
    }

    /// The image of a cell.
    #[inline]
    pub(crate) fn cell(&self, cell: usize) -> usize {
        self.cells[cell].into()
    }

    /// The image of a set of cells.
    #[inline]
    pub(crate) fn set(&self, cells: W) -> W {
        let (mut image, mut rest) = (W::zero(), cells);
        for sets in &self.bytes {
            let lowest: u128 = rest.into();
            image |= sets[usize::from(lowest as u8)];
            rest = rest >> 8;
        }
        image
    }
}

/// The non-trivial rotations and reflections that map a rectangle onto itself: seven for a
/// square, three for other boards.
pub(crate) fn rotations_and_reflections<W: CellSet>(board: Board) -> Vec<Permutation<W>> {
    let (down, right) = (board.rows() - 1, board.cols() - 1);
    let turned = |row, col, vertical: bool, horizontal: bool| {
        let row = if vertical { down - row } else { row };
        (row, if horizontal { right - col } else { col })
    };
    let mut found = Vec::new();
    for transposed in [false, true] {
        if transposed && board.rows() != board.cols() {
            break;
        }
        for (vertical, horizontal) in [(false, false), (true, false), (false, true), (true, true)] {
            if transposed || vertical || horizontal {
                found.push(Permutation::new(board, |row, col| {
                    let (row, col) = if transposed { (col, row) } else { (row, col) };
                    turned(row, col, vertical, horizontal)
                }));
            }
        }
    }
    found
}

/// The transposition onto the board with rows and columns exchanged.
pub(crate) fn transposition<W: CellSet>(board: Board) -> Permutation<W> {
    Permutation::to_cells(board, |row, col| col * board.rows() + row)
}

/// The reflection that exchanges left and right.
pub(crate) fn mirror(board: Board) -> Permutation {
    Permutation::new(board, |row, col| (row, board.cols() - 1 - col))
}

/// Whether `permutation` is an automorphism of the relation `to`, from each cell to a set
/// of cells.
pub(crate) fn is_automorphism<W: CellSet>(permutation: &Permutation<W>, to: &[W]) -> bool {
    to.iter().enumerate().all(|(cell, &set)| to[permutation.cell(cell)] == permutation.set(set))
}

/// Translates `cells` on a torus so that `origin` moves to cell 0.
pub(crate) fn translate_to_origin<W: CellSet>(board: Board, cells: W, origin: usize) -> W {
    let (row, col) = board.row_col(origin);
    Cells(cells).fold(W::zero(), |moved, cell| {
        let home = (-(row as i64) as i8, -(col as i64) as i8);
        moved | board.offset(cell, home, true).map_or(W::zero(), W::bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::bit;

    #[test]
    fn a_square_has_eight_symmetries_and_an_oblong_four() {
        let count = |rows, cols| {
            let board = Board::new(rows, cols).unwrap();
            // A corner and its neighbour: no two symmetries treat them alike.
            let mut images: Vec<_> = rotations_and_reflections::<u64>(board)
                .iter()
                .map(|p| (p.cell(0), p.set(0b10)))
                .chain([(0, 0b10)])
                .collect();
            images.sort_unstable();
            images.dedup();
            images.len()
        };
        assert_eq!(count(8, 8), 8);
        assert_eq!(count(5, 5), 8);
        assert_eq!(count(3, 5), 4);
    }

    #[test]
    fn sets_go_where_their_cells_go() {
        for (rows, cols) in [(8, 8), (5, 5), (2, 7), (1, 1)] {
            let board = Board::new(rows, cols).unwrap();
            for permutation in rotations_and_reflections::<u64>(board) {
                let set = 0x9249_2f0c_38a1_5ac3 & board.all();
                let expected = Cells(set).fold(0, |image, cell| image | bit(permutation.cell(cell)));
                assert_eq!(permutation.set(set), expected);
            }
        }
    }

    #[test]
    fn rows_become_columns() {
        // X . .      X .
        // . X O  ->  . X
        //            . O
        assert_eq!(transposition::<u64>(Board::new(2, 3).unwrap()).set(bit(0) | bit(4)), bit(0) | bit(3));
    }

    #[test]
    fn on_a_torus_any_cell_can_be_brought_home() {
        let board = Board::new(2, 3).unwrap();
        // X . .      . X .
        // . . O  ->  . . .  with O, cell 5, at the top left
        assert_eq!(translate_to_origin::<u64>(board, bit(0) | bit(5), 5), bit(4) | bit(0));
    }
}
