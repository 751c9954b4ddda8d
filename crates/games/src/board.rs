//! Rectangular boards, and bitboards: sets of their cells in one machine word.

use std::error::Error;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{Add, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr, Sub};
use std::sync::Arc;

use balpan::{Budget, EngineCore, MAX_PART_KEY_BITS};

use crate::language::BoardGame;
use crate::placement::Placement;
use crate::walkers::Walkers;

mod sealed {
    pub trait Sealed {}

    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

/// A bitboard: a set of a board's cells in a `u64` or a `u128`. Bit `n` is cell `n`.
pub trait CellSet:
    sealed::Sealed
    + Copy
    + Ord
    + Hash
    + Debug
    + Default
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Into<u128>
    + Send
    + Sync
    + 'static
{
    /// The number of cells that the word has room for.
    const CELLS: usize;

    /// The bytes of the word.
    type Bytes: AsRef<[u8]>;

    /// The empty set.
    #[must_use]
    fn zero() -> Self;

    /// The set of cell 0.
    #[must_use]
    fn one() -> Self;

    /// The set of all cells that the word has room for.
    #[must_use]
    fn max_value() -> Self;

    /// Whether the set is empty.
    #[must_use]
    fn is_zero(self) -> bool;

    /// The number of cells in the set.
    #[must_use]
    fn count_ones(self) -> u32;

    /// The first cell of the set; [`Self::CELLS`] if it is empty.
    #[must_use]
    fn trailing_zeros(self) -> u32;

    /// The number of cells after the last one of the set.
    #[must_use]
    fn leading_zeros(self) -> u32;

    /// The set with the order of all cells reversed.
    #[must_use]
    fn reverse_bits(self) -> Self;

    /// The bytes of the word, least significant first.
    #[must_use]
    fn to_le_bytes(&self) -> Self::Bytes;

    /// The set of the lowest bits of `bits`, as many as the word has room for.
    #[must_use]
    fn from_low_bits(bits: u128) -> Self;

    /// The set with every cell number raised by `cells`, modulo [`Self::CELLS`].
    #[must_use]
    fn rotate_left(self, cells: u32) -> Self;

    /// Builds the engine core of a walkers game on this word: see [`Game::core`](balpan::Game::core).
    #[doc(hidden)]
    fn walkers_core(game: Arc<Walkers<Self>>, budget: Budget) -> EngineCore<Walkers<Self>>;

    /// Builds the engine core of a placement game on this word.
    #[doc(hidden)]
    fn placement_core(game: Arc<Placement<Self>>, budget: Budget) -> EngineCore<Placement<Self>>;

    /// Builds the engine core of a game in the rules language on this word.
    #[doc(hidden)]
    fn language_core(game: Arc<BoardGame<Self>>, budget: Budget) -> EngineCore<BoardGame<Self>>;

    /// The set of one cell.
    #[inline]
    #[must_use]
    fn bit(cell: usize) -> Self {
        Self::one() << cell
    }

    /// Whether a cell is in the set.
    #[inline]
    #[must_use]
    fn contains(self, cell: usize) -> bool {
        self.meets(Self::bit(cell))
    }

    /// Whether the sets have a cell in common.
    #[inline]
    #[must_use]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_zero()
    }

    /// The set of the first cell; empty if there is none.
    #[inline]
    #[must_use]
    fn first(self) -> Self {
        if self.is_zero() { self } else { self & !(self - Self::one()) }
    }

    /// The set of these cells.
    #[inline]
    #[must_use]
    fn of_cells(cells: impl IntoIterator<Item = usize>) -> Self {
        cells.into_iter().fold(Self::zero(), |set, cell| set | Self::bit(cell))
    }

    /// The set with every cell number lowered by `cells`; empty if that is the whole word.
    #[inline]
    #[must_use]
    fn shifted_down(self, cells: usize) -> Self {
        if cells < Self::CELLS { self >> cells } else { Self::zero() }
    }
}

/// Defines inlined methods, each by one expression.
macro_rules! forward {
    ($($name:ident($($args:tt)*) -> $output:ty = $body:expr;)+) => {
        $(
            #[inline]
            fn $name($($args)*) -> $output {
                $body
            }
        )+
    };
}

/// Implements [`CellSet`] for an unsigned integer.
macro_rules! cell_set {
    ($word:ty) => {
        impl CellSet for $word {
            const CELLS: usize = <$word>::BITS as usize;
            type Bytes = [u8; size_of::<$word>()];

            forward! {
                zero() -> Self = 0;
                one() -> Self = 1;
                max_value() -> Self = Self::MAX;
                is_zero(self) -> bool = self == 0;
                count_ones(self) -> u32 = <$word>::count_ones(self);
                trailing_zeros(self) -> u32 = <$word>::trailing_zeros(self);
                leading_zeros(self) -> u32 = <$word>::leading_zeros(self);
                reverse_bits(self) -> Self = <$word>::reverse_bits(self);
                to_le_bytes(&self) -> Self::Bytes = <$word>::to_le_bytes(*self);
                from_low_bits(bits: u128) -> Self = bits as Self;
                rotate_left(self, cells: u32) -> Self = <$word>::rotate_left(self, cells);
            }

            fn walkers_core(game: Arc<Walkers<Self>>, budget: Budget) -> EngineCore<Walkers<Self>> {
                EngineCore::new(game, budget)
            }

            fn placement_core(game: Arc<Placement<Self>>, budget: Budget) -> EngineCore<Placement<Self>> {
                EngineCore::new(game, budget)
            }

            fn language_core(game: Arc<BoardGame<Self>>, budget: Budget) -> EngineCore<BoardGame<Self>> {
                EngineCore::new(game, budget)
            }
        }
    };
}

cell_set!(u64);
cell_set!(u128);

/// A rectangle of cells, numbered row by row from the top left, from 0.
///
/// Sets of its cells are [`CellSet`]s, `u64` by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: u8,
    cols: u8,
}

/// The reason why a board's size is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// No rows or no columns.
    Empty,
    /// More cells than allowed.
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        cols: usize,
        /// The maximum number of cells.
        max: usize,
    },
    /// Not `rows x columns`.
    Unreadable,
}

impl Error for BoardError {}

impl Board {
    /// Maximum number of cells of a board in one 64-bit word.
    pub const MAX_CELLS: usize = u64::CELLS;

    /// Creates a board of `rows` by `cols`.
    ///
    /// # Errors
    /// If it has no cell, or more than [`Self::MAX_CELLS`].
    pub fn new(rows: usize, cols: usize) -> Result<Self, BoardError> {
        Self::with_max_cells(Self::MAX_CELLS, rows, cols)
    }

    /// Creates a board of `rows` by `cols` with at most `max_cells` cells.
    ///
    /// # Errors
    /// If it has no cell, or more than `max_cells`.
    pub fn with_max_cells(max_cells: usize, rows: usize, cols: usize) -> Result<Self, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::Empty);
        }
        match (u8::try_from(rows), u8::try_from(cols)) {
            (Ok(r), Ok(c)) if rows * cols <= max_cells => Ok(Self { rows: r, cols: c }),
            _ => Err(BoardError::TooLarge { rows, cols, max: max_cells }),
        }
    }

    /// Parses rows by columns, such as `5x9`, with at most `max_cells` cells.
    ///
    /// # Errors
    /// If the text has another form, or the size is refused by [`Self::with_max_cells`].
    pub fn parse(text: &str, max_cells: usize) -> Result<Self, BoardError> {
        let (rows, cols) = text.split_once(['x', 'X', '×']).ok_or(BoardError::Unreadable)?;
        match (rows.trim().parse(), cols.trim().parse()) {
            (Ok(rows), Ok(cols)) => Self::with_max_cells(max_cells, rows, cols),
            _ => Err(BoardError::Unreadable),
        }
    }

    /// The board of a position whose text begins with rows of equal length, `/` between them; `None` for other texts.
    pub(crate) fn of_rows(text: &str) -> Option<Self> {
        let mut rows = text.split_whitespace().next()?.split('/').map(|row| row.chars().count());
        let cols = rows.next()?;
        let others = rows.clone().count();
        rows.all(|row| row == cols).then(|| Self::new(1 + others, cols).ok())?
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// The number of columns.
    #[must_use]
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// The number of cells.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// The set of all cells. The board has at most 64.
    #[must_use]
    pub const fn all(self) -> u64 {
        u64::MAX >> (Self::MAX_CELLS - self.cells())
    }

    /// The set of all cells, in a word that has room for them.
    #[must_use]
    pub fn full<W: CellSet>(self) -> W {
        W::max_value() >> (W::CELLS - self.cells())
    }

    /// The cell at a row and a column, which must be on the board.
    #[must_use]
    pub const fn cell(self, row: usize, col: usize) -> usize {
        row * self.cols() + col
    }

    /// The row and column of a cell.
    #[must_use]
    pub const fn row_col(self, cell: usize) -> (usize, usize) {
        (cell / self.cols(), cell % self.cols())
    }

    /// The cell `down` rows below and `right` columns to the right of `cell`; `None` if it is
    /// off the board, which it never is on a torus.
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

    /// `cells` moved up by a row; cells of the top row are dropped.
    #[inline]
    pub(crate) fn up(self, cells: u64) -> u64 {
        cells.checked_shr(self.cols.into()).unwrap_or(0)
    }

    /// `cells` moved down by a row; cells of the bottom row may leave the board.
    #[inline]
    pub(crate) fn down(self, cells: u64) -> u64 {
        cells.checked_shl(self.cols.into()).unwrap_or(0)
    }

    /// Returns a key of planes of cells in the top left corner, the same on every board: the rows and columns that the cells of `extent`
    /// take, 7 bits each, below the cells of each plane in them, row by row. `None` if it would leave less than 16 of
    /// [`MAX_PART_KEY_BITS`], or the extent is empty.
    pub(crate) fn corner_key<W: CellSet>(self, extent: W, planes: &[W]) -> Option<u128> {
        let last_row = Cells(extent).map(|cell| self.row_col(cell).0).max()?;
        let last_col = Cells(extent).map(|cell| self.row_col(cell).1).max()?;
        let cells = (last_row + 1) * (last_col + 1);
        if planes.len() * cells > MAX_CORNER_CELLS {
            return None;
        }
        let mut key = 0;
        for plane in planes {
            for row in 0..=last_row {
                for col in 0..=last_col {
                    key = key << 1 | u128::from(plane.contains(self.cell(row, col)));
                }
            }
        }
        Some(key << CORNER_EXTENT_BITS | (last_row << 7 | last_col) as u128)
    }

    /// Returns the cells of the rows and columns that a [`corner_key`](Self::corner_key) names, and its planes, `count` of at most four,
    /// with rows and columns exchanged if `transposed`. `None` if they are not on the board, or there is no such key.
    pub(crate) fn corner_of_key<W: CellSet>(self, key: u128, count: usize, transposed: bool) -> Option<(W, [W; 4])> {
        let [last_row, last_col] = [(key >> 7) as usize & 127, key as usize & 127];
        let [rows, cols] = if transposed { [last_col, last_row] } else { [last_row, last_col] };
        let cells = (last_row + 1) * (last_col + 1);
        let mut rest = key >> CORNER_EXTENT_BITS;
        if rows >= self.rows()
            || cols >= self.cols()
            || count * cells > MAX_CORNER_CELLS
            || rest >> (count * cells) != 0
        {
            return None;
        }
        let (mut extent, mut planes) = (W::zero(), [W::zero(); 4]);
        for plane in planes[..count].iter_mut().rev() {
            for at in (0..cells).rev() {
                let (row, col) = (at / (last_col + 1), at % (last_col + 1));
                let cell = W::bit(if transposed { self.cell(col, row) } else { self.cell(row, col) });
                extent |= cell;
                *plane |= if rest & 1 == 1 { cell } else { W::zero() };
                rest >>= 1;
            }
        }
        Some((extent, planes))
    }

    /// Formats a cell as row and column from 0: `1,2`.
    #[must_use]
    pub fn cell_text(self, cell: usize) -> String {
        let (row, col) = self.row_col(cell);
        format!("{row},{col}")
    }

    /// Formats the board as rows of `glyph`s from the top, separated by `/`.
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

/// The bits of the rows and columns in a [`Board::corner_key`].
const CORNER_EXTENT_BITS: u32 = 14;
/// The most cells of all planes in a [`Board::corner_key`]: 16 bits of a key of a part are left.
const MAX_CORNER_CELLS: usize = (MAX_PART_KEY_BITS - 16 - CORNER_EXTENT_BITS) as usize;

/// Formats as rows by columns: `5x9`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// An iterator over the cells of a set, in ascending order.
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

/// The set of the lowest cell; empty if there is none.
#[inline]
pub(crate) const fn first(cells: u64) -> u64 {
    cells & cells.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_corners_are_read_on_other_boards() {
        let [board, larger, turned] = [(3, 5), (4, 7), (5, 3)].map(|(rows, cols)| Board::new(rows, cols).unwrap());
        // X X . .        X . .      and in another plane   . . X .
        // . X X X                                          X . . .
        let extent = bit(0) | bit(1) | bit(6) | bit(7) | bit(8);
        let key = board.corner_key(extent, &[extent, bit(2) | bit(5)]).unwrap();
        let in_corner = |board: Board| {
            u64::of_cells([(0, 0), (0, 1), (1, 1), (1, 2), (1, 3)].map(|(row, col)| board.cell(row, col)))
        };
        let (cells, planes) = larger.corner_of_key::<u64>(key, 2, false).unwrap();
        assert_eq!(planes, [in_corner(larger), bit(2) | bit(7), 0, 0]);
        assert_eq!(cells, 0b1111 | 0b1111 << 7);
        assert_eq!(larger.corner_key(planes[0], &planes[..2]), Some(key));
        // Four columns do not fit on three, but four rows do.
        assert_eq!(turned.corner_of_key::<u64>(key, 2, false), None);
        let (_, planes) = turned.corner_of_key::<u64>(key, 2, true).unwrap();
        assert_eq!(
            planes[0],
            u64::of_cells([(0, 0), (1, 0), (1, 1), (2, 1), (3, 1)].map(|(row, col)| turned.cell(row, col)))
        );
        // No set has such a key, or it would be too long.
        assert_eq!(board.corner_of_key::<u64>(key | 1 << 100, 2, false), None);
        let wide = Board::with_max_cells(128, 8, 14).unwrap();
        assert_eq!(wide.corner_key(wide.full::<u128>(), &[wide.full::<u128>()]), None);
        assert_eq!(board.corner_key(0_u64, &[0]), None);
    }
}
