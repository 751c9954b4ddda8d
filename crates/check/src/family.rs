//! What the checker knows of a family of games: its rules, and how they are written.

use std::fmt::Debug;

use crate::sure::{Degree, Sure};

/// A position, in two words. Each family says what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(pub u128, pub u128);

/// A move, and what it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// What the family calls the move.
    pub number: u32,
    /// The position after it.
    pub after: Position,
    /// How play has ended, if it has.
    pub end: Option<Outcome>,
}

/// An outcome for the player whose turn it is or would be: 1 a win, 0 a draw, -1 a loss.
pub type Outcome = i32;

/// The rules of a game on a board. Cells are numbered row by row from the top left, from 0; a set
/// of cells is a word with these bits set.
pub trait Family: Debug + Sync {
    /// How play has ended, if it has.
    fn end(&self, position: &Position) -> Option<Outcome>;

    /// Puts the moves of a position in which play has not ended in the place of `moves`.
    fn moves(&self, position: &Position, moves: &mut Vec<Move>);

    /// What a move takes, about: a few dozen nanoseconds are 1.
    fn work(&self) -> u64 {
        1
    }

    /// A number that every move lowers.
    fn layer(&self, position: &Position) -> u32;

    /// The position as a symmetry shows it, of which each entry is the cell that a cell goes to.
    fn image(&self, position: &Position, symmetry: &[u8]) -> Position;

    /// The symmetries of the board that the rules keep, but for the one that moves nothing.
    fn symmetries(&self) -> &[Vec<u8>];

    /// The player to move, and the other one.
    fn players(&self, position: &Position) -> [&'static str; 2];

    /// The position that a text shows.
    ///
    /// # Errors
    /// What is wrong with it.
    fn read(&self, text: &str) -> Result<Position, String>;

    /// The position as [`read`](Self::read) reads it.
    fn write(&self, position: &Position) -> String;

    /// A move by its number.
    fn write_move(&self, number: u32) -> String;

    /// The parts that each move changes one of alone, each a position of its own; `None` where
    /// nimbers do not say who wins.
    fn parts(&self, position: &Position) -> Option<Vec<Position>>;

    /// One part chosen from all that have the same moves: turned, or moved on the board.
    fn canonical_part(&self, part: &Position) -> Position {
        *part
    }

    /// Whether there is room for all positions that can follow.
    ///
    /// # Errors
    /// What there is no room for.
    fn check_room(&self, _position: &Position) -> Result<(), String> {
        Ok(())
    }

    /// A position with the same outcome and no higher layer, which others may have in common.
    fn reduced(&self, position: &Position) -> Position {
        *position
    }

    /// Whether the player to move cannot win any more, whatever the other one does.
    fn mover_cannot_win(&self, _position: &Position) -> bool {
        false
    }

    /// By how many moves the player who is not to move outlasts the other one, as a lemma tells without a search:
    /// at least 0, and that player wins.
    fn outlasts_by(&self, _position: &Position) -> Option<i32> {
        None
    }

    /// The lines that the player to move could still make, as sets of the cells that are missing;
    /// `None` where a pairing of cells proves nothing.
    fn lines_left(&self, _position: &Position) -> Option<Vec<u128>> {
        None
    }
}

/// The position that stands for a position about which a result is claimed: the least of those
/// that the family's symmetries show, of a position that is [reduced](Family::reduced) unless plies are counted.
#[must_use]
pub fn canonical(family: &dyn Family, position: &Position, sure: Sure) -> Position {
    let reduced = if sure.degree() == Some(Degree::Win) { family.reduced(position) } else { *position };
    let images = family.symmetries().iter().map(|symmetry| family.image(&reduced, symmetry));
    images.fold(reduced, Position::min)
}

/// A rectangle of at most 128 cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

/// One of the words that follow the rows of a board, if any: whose turn it is.
pub(crate) type Turn<'t> = Option<&'t str>;

impl Board {
    /// The board that rows with `/` between them show, its characters cell by cell, and the word
    /// after them.
    pub(crate) fn read(text: &str) -> Result<(Self, Vec<char>, Turn<'_>), String> {
        let mut words = text.split_whitespace();
        let rows = words.next().ok_or("there is no position")?;
        let turn = words.next();
        if let Some(more) = words.next() {
            return Err(format!("`{more}` after the position"));
        }
        let cols = rows.split('/').next().map_or(0, |row| row.chars().count());
        if let Some(row) = rows.split('/').find(|row| row.chars().count() != cols) {
            return Err(format!("the row `{row}` is not as long as the first, of {cols}"));
        }
        let board = Self { rows: rows.split('/').count(), cols };
        if cols == 0 || board.cells() > 128 {
            return Err(format!("a board of {} by {cols} cells: there are 1 to 128 cells", board.rows));
        }
        Ok((board, rows.chars().filter(|glyph| *glyph != '/').collect(), turn))
    }

    pub(crate) fn cells(self) -> usize {
        self.rows * self.cols
    }

    /// The set of all cells.
    pub(crate) fn all(self) -> u128 {
        u128::MAX >> (128 - self.cells())
    }

    /// Cells moved to the top left corner.
    pub(crate) fn cornered(self, cells: u128) -> u128 {
        let Self { rows, cols } = self;
        if cells == 0 {
            return 0;
        }
        let top = cells.trailing_zeros() as usize / cols;
        // What is behind the first row does not matter: the lowest is in it.
        let in_one_row = (top..rows).fold(0, |row, n| row | cells >> (n * cols));
        cells >> (top * cols + in_one_row.trailing_zeros() as usize)
    }

    /// The cell so far down and to the right of another one, if it is on the board.
    pub(crate) fn step(self, cell: usize, (down, right): (i32, i32), torus: bool) -> Option<usize> {
        let (rows, cols) = (self.rows as i32, self.cols as i32);
        let (mut row, mut col) = (cell as i32 / cols + down, cell as i32 % cols + right);
        if torus {
            (row, col) = (row.rem_euclid(rows), col.rem_euclid(cols));
        }
        ((0..rows).contains(&row) && (0..cols).contains(&col)).then(|| (row * cols + col) as usize)
    }

    /// Where turns and reflections take each cell, but for the one that moves nothing.
    pub(crate) fn symmetries(self) -> Vec<Vec<u8>> {
        let Self { rows, cols } = self;
        let image = |way: usize| -> Vec<u8> {
            let cell = |cell: usize| {
                let (mut row, mut col) = (cell / cols, cell % cols);
                if way & 4 != 0 {
                    (row, col) = (col, row);
                }
                if way & 1 != 0 {
                    row = rows - 1 - row;
                }
                if way & 2 != 0 {
                    col = cols - 1 - col;
                }
                (row * cols + col) as u8
            };
            (0..self.cells()).map(cell).collect()
        };
        (1..if rows == cols { 8 } else { 4 }).map(image).collect()
    }

    /// Rows of characters with `/` between them.
    pub(crate) fn write(self, glyph: impl Fn(usize) -> char) -> String {
        let row = |row| (row * self.cols..(row + 1) * self.cols).map(&glyph).collect::<String>();
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }
}

/// The set of those cells that a glyph stands on.
pub(crate) fn cells_of(glyphs: &[char], wanted: &[char]) -> u128 {
    (0..glyphs.len()).filter(|cell| wanted.contains(&glyphs[*cell])).fold(0, |set, cell| set | 1 << cell)
}

/// Refuses what is not among `expected`.
pub(crate) fn only(glyphs: &[char], expected: &str) -> Result<(), String> {
    match glyphs.iter().find(|glyph| !expected.contains(**glyph)) {
        Some(glyph) => Err(format!("`{glyph}` in the position: expected one of `{expected}`")),
        None => Ok(()),
    }
}

/// The cells of a set, from the lowest.
pub(crate) fn each(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// The set that a symmetry takes another one to.
pub(crate) fn image(set: u128, symmetry: &[u8]) -> u128 {
    each(set).fold(0, |image, cell| image | 1 << symmetry[cell])
}
