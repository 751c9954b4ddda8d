//! A rectangle of cells, and sets of its cells in one word.

use std::error::Error;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{BitAndAssign, BitOrAssign};

use num_traits::{PrimInt, ToBytes};

/// A word that holds a set of a board's cells: bit `n` is cell `n`.
pub trait CellSet:
    PrimInt + ToBytes + BitAndAssign + BitOrAssign + Into<u128> + Hash + Debug + Send + Sync + 'static
{
    /// How many cells it has room for.
    const CELLS: usize;

    /// The set of one cell.
    #[inline]
    #[must_use]
    fn bit(cell: usize) -> Self {
        Self::one() << cell
    }

    /// The set moved by so many cells; nothing is left if that is all of the word.
    #[inline]
    #[must_use]
    fn moved_up(self, cells: usize) -> Self {
        if cells < Self::CELLS { self >> cells } else { Self::zero() }
    }
}

impl CellSet for u64 {
    const CELLS: usize = 64;
}

impl CellSet for u128 {
    const CELLS: usize = 128;
}

/// A rectangle of cells, numbered row by row from the top left, from 0.
///
/// A set of cells is a [`CellSet`]: a `u64` where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: u8,
    cols: u8,
}

/// A board's size is none that a solver can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// No rows or no columns.
    Empty,
    /// More cells than bits in a word.
    TooLarge {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
        /// The most cells that there may be.
        most: usize,
    },
    /// Not `rows x columns`.
    Unreadable,
}

impl Error for BoardError {}

impl Board {
    /// Cells of the largest board that one machine word holds: the largest there is
    /// but for [`placement`](crate::placement).
    pub const MOST_CELLS: usize = u64::CELLS;

    /// A board of `rows` by `cols`.
    ///
    /// # Errors
    /// If it has no cell, or more than [`Self::MOST_CELLS`].
    pub fn new(rows: usize, cols: usize) -> Result<Self, BoardError> {
        Self::of_at_most(Self::MOST_CELLS, rows, cols)
    }

    /// A board of `rows` by `cols`, of `most` cells at most.
    ///
    /// # Errors
    /// If it has no cell, or more than `most`.
    pub fn of_at_most(most: usize, rows: usize, cols: usize) -> Result<Self, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::Empty);
        }
        match (u8::try_from(rows), u8::try_from(cols)) {
            (Ok(r), Ok(c)) if rows * cols <= most => Ok(Self { rows: r, cols: c }),
            _ => Err(BoardError::TooLarge { rows, cols, most }),
        }
    }

    /// Reads `5x9`: rows by columns, of `most` cells at most.
    ///
    /// # Errors
    /// If it is something else, or not a board that [`Self::of_at_most`] makes.
    pub fn parse(text: &str, most: usize) -> Result<Self, BoardError> {
        let (rows, cols) = text.split_once(['x', 'X', '×']).ok_or(BoardError::Unreadable)?;
        match (rows.trim().parse(), cols.trim().parse()) {
            (Ok(rows), Ok(cols)) => Self::of_at_most(most, rows, cols),
            _ => Err(BoardError::Unreadable),
        }
    }

    /// How many rows.
    #[must_use]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// How many columns.
    #[must_use]
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// How many cells.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// All its cells.
    #[must_use]
    pub const fn all(self) -> u64 {
        u64::MAX >> (Self::MOST_CELLS - self.cells())
    }

    /// All its cells, in a word that has room for them.
    #[must_use]
    pub fn full<W: CellSet>(self) -> W {
        W::max_value() >> (W::CELLS - self.cells())
    }

    /// The cell at a row and a column that are on the board.
    #[must_use]
    pub const fn cell(self, row: usize, col: usize) -> usize {
        row * self.cols() + col
    }

    /// A cell's row and column.
    #[must_use]
    pub const fn row_col(self, cell: usize) -> (usize, usize) {
        (cell / self.cols(), cell % self.cols())
    }

    /// The cell `down` rows below and `right` columns right of `cell`, if that is
    /// on the board; on a torus it always is.
    #[must_use]
    pub fn offset(self, cell: usize, (down, right): (i8, i8), torus: bool) -> Option<usize> {
        let (row, col) = self.row_col(cell);
        let shift = |from: usize, by: i8, size: usize| {
            let to = from as i64 + i64::from(by);
            if torus {
                Some(to.rem_euclid(size as i64) as usize)
            } else {
                usize::try_from(to).ok().filter(|&to| to < size)
            }
        };
        let row = shift(row, down, self.rows())?;
        let col = shift(col, right, self.cols())?;
        Some(self.cell(row, col))
    }

    /// `cells` moved a row up; those of the top row fall off.
    #[inline]
    pub(crate) fn up(self, cells: u64) -> u64 {
        cells.checked_shr(self.cols.into()).unwrap_or(0)
    }

    /// `cells` moved a row down; those of the bottom row may go past the board.
    #[inline]
    pub(crate) fn down(self, cells: u64) -> u64 {
        cells.checked_shl(self.cols.into()).unwrap_or(0)
    }

    /// `1,2`: a cell as people write it, row and column from 0.
    #[must_use]
    pub fn cell_text(self, cell: usize) -> String {
        let (row, col) = self.row_col(cell);
        format!("{row},{col}")
    }

    /// Rows of `glyph`s from the top, with `/` between.
    pub(crate) fn text(self, glyph: impl Fn(usize) -> char) -> String {
        let mut text = String::with_capacity(self.cells() + self.rows());
        for row in 0..self.rows() {
            if row > 0 {
                text.push('/');
            }
            text.extend((0..self.cols()).map(|col| glyph(self.cell(row, col))));
        }
        text
    }
}

/// `5x9`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// The cells of a set, in order.
#[derive(Clone, Copy, Debug)]
pub struct Cells<W = u64>(pub W);

impl<W: CellSet> Iterator for Cells<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_zero() {
            return None;
        }
        let cell = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - W::one();
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl<W: CellSet> ExactSizeIterator for Cells<W> {}

/// The set of one cell.
#[inline]
pub(crate) const fn bit(cell: usize) -> u64 {
    1 << cell
}
