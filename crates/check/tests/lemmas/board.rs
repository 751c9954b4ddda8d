//! Boards, and pieces on them.

use std::ops::RangeInclusive;

/// A rectangle of cells, numbered by rows from the top left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

impl Board {
    /// Returns all rectangles with a number of cells in the range.
    pub(crate) fn all(cells: RangeInclusive<usize>) -> impl Iterator<Item = Self> {
        let of =
            |cells: usize| (1..=cells).filter(move |rows| cells.is_multiple_of(*rows)).map(move |rows| (rows, cells));
        cells.flat_map(of).map(|(rows, cells)| Self { rows, cols: cells / rows })
    }

    pub(crate) fn cells(self) -> usize {
        self.rows * self.cols
    }

    pub(crate) fn cell(self, row: i32, col: i32) -> Option<usize> {
        let is_inside = (0..self.rows as i32).contains(&row) && (0..self.cols as i32).contains(&col);
        is_inside.then(|| row as usize * self.cols + col as usize)
    }

    pub(crate) fn row_col(self, cell: usize) -> (i32, i32) {
        ((cell / self.cols) as i32, (cell % self.cols) as i32)
    }

    /// Writes a board of free cells.
    pub(crate) fn write_empty(self) -> String {
        vec![".".repeat(self.cols); self.rows].join("/")
    }

    /// Returns where a piece, rows of `#` and `.`, can lie on the empty board.
    pub(crate) fn placements(self, piece: &str, rotate: bool, reflect: bool) -> Vec<u32> {
        let in_row = |(row, text): (usize, &str)| {
            let cols =
                text.char_indices().filter(|(_, glyph)| *glyph == '#').map(move |(col, _)| (row as i32, col as i32));
            cols.collect::<Vec<_>>()
        };
        let mut cells: Vec<(i32, i32)> = piece.split('/').enumerate().flat_map(in_row).collect();
        let mut found = Vec::new();
        for turns in 0..8 {
            if turns == 4 {
                cells.iter_mut().for_each(|(_, col)| *col = -*col);
            }
            if (turns % 4 == 0 || rotate) && (turns < 4 || reflect) {
                for down in -8 - self.rows as i32..=8 + self.rows as i32 {
                    for right in -8 - self.cols as i32..=8 + self.cols as i32 {
                        let on_board = cells.iter().map(|(row, col)| self.cell(row + down, col + right));
                        found.extend(on_board.map(|cell| Some(1 << cell?)).sum::<Option<u32>>());
                    }
                }
            }
            cells.iter_mut().for_each(|(row, col)| (*row, *col) = (*col, -*row));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
