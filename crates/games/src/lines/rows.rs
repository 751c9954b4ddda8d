//! Rows of k marks, found by shifting bitboards.

use std::array;

use crate::board::{Board, Cells, bit};
use crate::instructions::Instructions;

/// The windows of a board: k cells in a row.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    k: usize,
    overlines: bool,
    /// The shift from a cell to the next one of a row, in each direction.
    shifts: Directions,
    /// The cells at which a window begins.
    begins: Directions,
    /// The beginnings of windows with a cell before the window.
    before: Directions,
    /// The beginnings of windows with a cell after the window.
    after: Directions,
    /// The cells of every window.
    windows: Vec<u64>,
    /// The number of windows through each cell.
    through: Vec<i32>,
    instructions: Instructions,
}

/// One item for each direction of a row, side by side for vector instructions.
pub(super) type Directions = [u64; 4];

/// The directions, as rows down and columns to the right.
const STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Rows {
    pub(super) fn new(board: Board, k: u8, overlines: bool) -> Self {
        let last = i64::from(k) - 1;
        let where_on_board = |step, times: &[i64]| {
            let all_on_board = |&cell: &usize| times.iter().all(|&times| is_on_board(board, cell, step, times));
            (0..board.cells()).filter(all_on_board).fold(0, |cells, cell| cells | bit(cell))
        };
        let begins = STEPS.map(|step| where_on_board(step, &[last]));
        let shift = |(down, right): (i8, i8), begins| {
            let shift = i64::from(down) * board.cols() as i64 + i64::from(right);
            // Without windows, k shifts might exceed the word; with windows of one cell, a
            // single shift might.
            if begins == 0 { 0 } else { shift.min(63) as u64 }
        };
        let shifts = array::from_fn(|i| shift(STEPS[i], begins[i]));
        let k = usize::from(k);
        let mut windows = Vec::new();
        let mut through = vec![0; board.cells()];
        for (&begins, &shift) in begins.iter().zip(&shifts) {
            for begin in Cells(begins) {
                let cells = (0..k).map(|i| begin + i * shift as usize);
                windows.push(cells.clone().fold(0, |set, cell| set | bit(cell)));
                cells.for_each(|cell| through[cell] += 1);
            }
        }
        Self {
            k,
            overlines,
            shifts,
            begins,
            before: STEPS.map(|step| where_on_board(step, &[last, -1])),
            after: STEPS.map(|step| where_on_board(step, &[last + 1])),
            windows,
            through,
            instructions: Instructions::found(),
        }
    }

    /// The cells of every window.
    pub(super) fn windows(&self) -> &[u64] {
        &self.windows
    }

    /// The number of windows through `cell`.
    #[inline]
    pub(super) fn through(&self, cell: usize) -> i32 {
        self.through[cell]
    }

    /// Whether `cells` contains a window, even as part of a longer row.
    #[inline(always)]
    pub(super) fn has_window(&self, cells: u64) -> bool {
        any(self.windows_in(cells)) != 0
    }

    /// The number of windows that `cells` contains.
    #[inline(always)]
    pub(super) fn count_windows(&self, cells: u64) -> u32 {
        self.windows_in(cells).into_iter().map(u64::count_ones).sum()
    }

    /// Whether the marks make a line.
    #[inline]
    pub(super) fn has_line(&self, marks: u64) -> bool {
        if self.overlines {
            return self.has_window(marks);
        }
        let windows = self.windows_in(marks);
        (0..4).any(|i| {
            let longer_before = (marks << self.shifts[i]) & self.before[i];
            let longer_after = (marks >> (self.shifts[i] * self.k as u64).min(63)) & self.after[i];
            windows[i] & !longer_before & !longer_after != 0
        })
    }

    /// The cells that would complete a line if marked; marked cells may be among them.
    #[inline(always)]
    pub(super) fn completing(&self, marks: u64) -> u64 {
        let completing = match self.k {
            4 => match missing_one_of_4_by_avx2(self.instructions, &self.shifts, &self.begins, marks) {
                Some(missing) => missing,
                None => self.missing_one_of_4(marks),
            },
            k => self.missing_one(marks, k),
        };
        if self.overlines {
            return completing;
        }
        Cells(completing).filter(|&cell| self.has_line(marks | bit(cell))).fold(0, |cells, cell| cells | bit(cell))
    }

    /// The beginnings of windows within `cells`, in each direction.
    #[inline(always)]
    fn windows_in(&self, cells: u64) -> Directions {
        // The usual k are compiled separately, without loops.
        match self.k {
            3 => self.windows_of(cells, 3),
            4 => self.windows_of(cells, 4),
            5 => self.windows_of(cells, 5),
            k => self.windows_of(cells, k),
        }
    }

    #[inline(always)]
    fn windows_of(&self, cells: u64, k: usize) -> Directions {
        let mut runs = [cells; 4];
        let mut length = 1;
        // Double the length of the runs while possible, then add the rest.
        while length * 2 <= k {
            runs = and(runs, self.ahead(runs, length));
            length *= 2;
        }
        if length < k {
            runs = and(runs, self.ahead(runs, k - length));
        }
        and(runs, self.begins)
    }

    /// The only missing cells of windows, and those of full windows.
    #[inline(always)]
    fn missing_one(&self, cells: u64, k: usize) -> u64 {
        let mut missing = 0;
        // `heads`: the beginnings of windows whose first `gap` cells are all present.
        let mut heads = self.begins;
        for gap in 0..k {
            let others = (gap + 1..k).fold(heads, |others, i| and(others, self.ahead([cells; 4], i)));
            missing |= any(self.back(others, gap));
            heads = and(heads, self.ahead([cells; 4], gap));
        }
        missing
    }

    /// Computes [`missing_one`](Self::missing_one) of 4 in a row, by pairs.
    #[inline(always)]
    fn missing_one_of_4(&self, cells: u64) -> u64 {
        let cells = [cells; 4];
        let (second, third) = (self.ahead(cells, 1), self.ahead(cells, 2));
        let fourth = and(self.ahead(cells, 3), self.begins);
        let first_two = and(and(cells, second), self.begins);
        let last_two = and(third, fourth);
        any(and(second, last_two))
            | any(self.back(and(cells, last_two), 1))
            | any(self.back(and(first_two, fourth), 2))
            | any(self.back(and(first_two, third), 3))
    }

    /// In each direction, the cells from which the cell `steps` further on is in `cells`.
    #[inline(always)]
    fn ahead(&self, cells: Directions, steps: usize) -> Directions {
        let ([a, b, c, d], [e, f, g, h], steps) = (cells, self.shifts, steps as u64);
        [a >> (e * steps), b >> (f * steps), c >> (g * steps), d >> (h * steps)]
    }

    /// The inverse of [`ahead`](Self::ahead).
    #[inline(always)]
    fn back(&self, cells: Directions, steps: usize) -> Directions {
        let ([a, b, c, d], [e, f, g, h], steps) = (cells, self.shifts, steps as u64);
        [a << (e * steps), b << (f * steps), c << (g * steps), d << (h * steps)]
    }
}

#[inline(always)]
fn and(one: Directions, other: Directions) -> Directions {
    [one[0] & other[0], one[1] & other[1], one[2] & other[2], one[3] & other[3]]
}

/// The union over all directions.
#[inline(always)]
fn any(cells: Directions) -> u64 {
    cells[0] | cells[1] | (cells[2] | cells[3])
}

/// Whether the cell `times` steps from `cell` is on the board.
fn is_on_board(board: Board, cell: usize, (down, right): (i8, i8), times: i64) -> bool {
    let (row, col) = board.row_col(cell);
    let row = row as i64 + times * i64::from(down);
    let col = col as i64 + times * i64::from(right);
    (0..board.rows() as i64).contains(&row) && (0..board.cols() as i64).contains(&col)
}

/// Computes [`Rows::missing_one_of_4`] for all directions at
/// once, as it is needed after every move; `None` if the machine has no AVX2.
#[inline(always)]
fn missing_one_of_4_by_avx2(
    instructions: Instructions,
    shifts: &Directions,
    begins: &Directions,
    cells: u64,
) -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    if instructions.are_wide() {
        // SAFETY: this machine has AVX2, as detected.
        #[allow(unsafe_code, reason = "the only way to call for instructions that the machine is found to have")]
        return Some(unsafe { by_avx2(shifts, begins, cells) });
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (instructions, shifts, begins, cells);
    None
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_avx2(shifts: &Directions, begins: &Directions, cells: u64) -> u64 {
    use std::arch::x86_64::*;

    let lanes = |[a, b, c, d]: Directions| _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64);
    let cells = _mm256_set1_epi64x(cells as i64);
    let one = lanes(*shifts);
    let two = _mm256_add_epi64(one, one);
    let three = _mm256_add_epi64(one, two);
    let begins = lanes(*begins);
    let second = _mm256_srlv_epi64(cells, one);
    let third = _mm256_srlv_epi64(cells, two);
    let fourth = _mm256_and_si256(_mm256_srlv_epi64(cells, three), begins);
    let first_two = _mm256_and_si256(_mm256_and_si256(cells, second), begins);
    let last_two = _mm256_and_si256(third, fourth);
    let missing = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(second, last_two), _mm256_sllv_epi64(_mm256_and_si256(cells, last_two), one)),
        _mm256_or_si256(
            _mm256_sllv_epi64(_mm256_and_si256(first_two, fourth), two),
            _mm256_sllv_epi64(_mm256_and_si256(first_two, third), three),
        ),
    );
    let halves = _mm_or_si128(_mm256_castsi256_si128(missing), _mm256_extracti128_si256::<1>(missing));
    (_mm_cvtsi128_si64(halves) | _mm_extract_epi64::<1>(halves)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks cell by cell from each cell in each direction.
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
