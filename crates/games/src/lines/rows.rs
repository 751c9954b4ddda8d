//! Finding k in a row by shifting whole boards.

use crate::board::{Board, Cells, bit};

/// Where k in a row can lie on a board.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    k: usize,
    overlines: bool,
    directions: [Direction; 4],
    /// The cells of every k in a row.
    windows: Vec<u64>,
    /// How many windows each cell lies in.
    through: Vec<i32>,
}

/// One of the four ways in which a row can run.
#[derive(Clone, Copy, Debug)]
struct Direction {
    /// From a cell to the next one of a row.
    shift: usize,
    /// The cells at which a window of k cells begins.
    begins: u64,
    /// Those of them that have a cell before the window.
    before: u64,
    /// Those of them that have a cell after the window.
    after: u64,
}

impl Rows {
    pub(super) fn new(board: Board, k: u8, overlines: bool) -> Self {
        let k = usize::from(k);
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)].map(|step| Direction::new(board, step, k));
        let mut windows = Vec::new();
        let mut through = vec![0; board.cells()];
        for direction in &directions {
            for begin in Cells(direction.begins) {
                let cells = (0..k).map(|i| begin + i * direction.shift);
                windows.push(cells.clone().fold(0, |set, cell| set | bit(cell)));
                cells.for_each(|cell| through[cell] += 1);
            }
        }
        Self { k, overlines, directions, windows, through }
    }

    /// The cells of every k in a row.
    pub(super) fn windows(&self) -> &[u64] {
        &self.windows
    }

    /// How many windows of k cells `cell` lies in.
    #[inline]
    pub(super) fn through(&self, cell: usize) -> i32 {
        self.through[cell]
    }

    /// Whether some k in a row all belong to `cells`, whatever lies beyond.
    #[inline]
    pub(super) fn has_window(&self, cells: u64) -> bool {
        let any = |k| self.directions.iter().fold(0, |found, direction| found | direction.windows(cells, k)) != 0;
        with_constant(self.k, any)
    }

    /// How many k in a row belong to `cells`.
    #[inline]
    pub(super) fn count_windows(&self, cells: u64) -> u32 {
        let count = |k| self.directions.iter().map(|direction| direction.windows(cells, k).count_ones()).sum();
        with_constant(self.k, count)
    }

    /// Whether the marks make a line.
    #[inline]
    pub(super) fn has_line(&self, marks: u64) -> bool {
        if self.overlines {
            return self.has_window(marks);
        }
        self.directions.iter().any(|direction| {
            let longer_before = (marks << direction.shift) & direction.before;
            let longer_after = (marks >> (direction.shift * self.k).min(63)) & direction.after;
            direction.windows(marks, self.k) & !longer_before & !longer_after != 0
        })
    }

    /// The cells each of which, marked too, makes a line. Marked cells may be
    /// among them.
    #[inline]
    pub(super) fn completing(&self, marks: u64) -> u64 {
        let missing = |k| self.directions.iter().fold(0, |cells, direction| cells | direction.missing_one(marks, k));
        let completing = with_constant(self.k, missing);
        if self.overlines {
            return completing;
        }
        Cells(completing).filter(|&cell| self.has_line(marks | bit(cell))).fold(0, |cells, cell| cells | bit(cell))
    }
}

/// `work` for k in a row, in code of its own for the usual k, where loops over them
/// are unrolled.
#[inline(always)]
fn with_constant<T>(k: usize, work: impl Fn(usize) -> T) -> T {
    match k {
        3 => work(3),
        4 => work(4),
        5 => work(5),
        k => work(k),
    }
}

impl Direction {
    fn new(board: Board, (down, right): (i8, i8), k: usize) -> Self {
        let shift = i64::from(down) * board.cols() as i64 + i64::from(right);
        let at = |cell: usize, times: i64| {
            let (row, col) = board.row_col(cell);
            let row = row as i64 + times * i64::from(down);
            let col = col as i64 + times * i64::from(right);
            (0..board.rows() as i64).contains(&row) && (0..board.cols() as i64).contains(&col)
        };
        let where_on_board = |times: &[i64]| {
            (0..board.cells())
                .filter(|&cell| times.iter().all(|&times| at(cell, times)))
                .fold(0, |cells, cell| cells | bit(cell))
        };
        let k = k as i64;
        let begins = where_on_board(&[k - 1]);
        Self {
            // Where there is no row, k shifts might leave the word; where a cell alone is
            // one, a single shift might.
            shift: if begins == 0 { 0 } else { shift.min(63) as usize },
            begins,
            before: where_on_board(&[k - 1, -1]),
            after: where_on_board(&[k]),
        }
    }

    /// The cells at which k cells in a row begin that are all in `cells`.
    #[inline(always)]
    fn windows(&self, cells: u64, k: usize) -> u64 {
        let mut run = cells;
        let mut length = 1;
        // Runs of twice the length, while that is not too long; then the rest.
        while length * 2 <= k {
            run &= run >> (length * self.shift);
            length *= 2;
        }
        if length < k {
            run &= run >> ((k - length) * self.shift);
        }
        run & self.begins
    }

    /// The cells that alone are missing from k in a row, and those of full rows.
    #[inline(always)]
    fn missing_one(&self, cells: u64, k: usize) -> u64 {
        let (one, two, three) = (self.shift, 2 * self.shift, 3 * self.shift);
        if k == 4 {
            // Where two, of a window that begins there, are both in `cells`.
            let pairs = cells & cells >> one;
            let first = pairs >> one & cells >> three & self.begins;
            let second = cells & pairs >> two & self.begins;
            let third = pairs & cells >> three & self.begins;
            let fourth = pairs & cells >> two & self.begins;
            return first | second << one | third << two | fourth << three;
        }
        let mut missing = 0;
        // `head`: where a window begins whose first `gap` cells are all there.
        let mut head = self.begins;
        for gap in 0..k {
            let mut rest = head;
            for i in gap + 1..k {
                rest &= cells >> (i * self.shift);
            }
            missing |= rest << (gap * self.shift);
            head &= cells >> (gap * self.shift);
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By walking, cell by cell, from each cell in each direction.
    fn has_line_naively(board: Board, marks: u64, k: usize, overlines: bool) -> bool {
        let marked = |row: i64, col: i64| {
            let on = (0..board.rows() as i64).contains(&row) && (0..board.cols() as i64).contains(&col);
            on && marks & bit(board.cell(row as usize, col as usize)) != 0
        };
        Cells(board.all()).any(|cell| {
            let (row, col) = board.row_col(cell);
            let (row, col) = (row as i64, col as i64);
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(down, right)| {
                if marked(row - down, col - right) {
                    return false;
                }
                let run = (0..).take_while(|i| marked(row + i * down, col + i * right)).count();
                run == k || overlines && run > k
            })
        })
    }

    #[test]
    fn shifted_boards_find_the_lines_that_walking_finds() {
        let mut marks = 0x9e37_79b9_7f4a_7c15_u64;
        for (rows, cols) in [(3, 3), (8, 8), (1, 64), (64, 1), (5, 9), (6, 7), (1, 1), (2, 5)] {
            let board = Board::new(rows, cols).unwrap();
            for k in 1..=8 {
                for overlines in [true, false] {
                    let found = Rows::new(board, k, overlines);
                    for _ in 0..400 {
                        marks = marks.wrapping_mul(0xd129_0d3a_ac5c_b6c5).rotate_left(23) ^ 0x5bd1_e995;
                        let some = marks & marks.rotate_left(17) & board.all();
                        for marks in [marks & board.all(), some, board.all() & !some, board.all(), 0] {
                            let naively = |marks| has_line_naively(board, marks, k.into(), overlines);
                            assert_eq!(found.has_line(marks), naively(marks), "{board} k={k} {marks:x}");
                            let completing = Cells(board.all() & !marks)
                                .filter(|&cell| naively(marks | bit(cell)))
                                .fold(0, |cells, cell| cells | bit(cell));
                            if !naively(marks) {
                                let quick = found.completing(marks) & !marks;
                                assert_eq!(quick, completing, "{board} k={k} {marks:x}");
                            }
                        }
                    }
                }
            }
        }
    }
}
