//! Polyominoes: drawn as text, rotated, reflected and laid on a board.

use std::error::Error;
use std::fmt;

use crate::board::{Board, CellSet};

/// A piece: a shape with a name and a supply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The name shown to people.
    pub name: String,
    /// The cells.
    pub shape: Shape,
    /// The number that can be placed in a game, from 1 to 15; `None` if unlimited.
    pub supply: Option<u8>,
}

/// A polyomino as sorted cells relative to the top left corner of its bounding box.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape(Vec<(u8, u8)>);

/// The reason why a drawing is no shape.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A character other than `#`, `.` and separators.
    Glyph(char),
    /// No cell at all.
    Empty,
    /// Larger than any board.
    TooLarge,
}

impl Error for ShapeError {}

impl Shape {
    /// Parses rows of `#` (a cell) and `.` (none), separated by `/` or line breaks.
    ///
    /// # Errors
    /// If the text has another character, no cell, or cells too far apart for any board.
    pub fn parse(text: &str) -> Result<Self, ShapeError> {
        let mut cells = Vec::new();
        let rows = text.split(['/', '\n']).map(str::trim).filter(|row| !row.is_empty());
        for (row, line) in rows.enumerate() {
            for (col, glyph) in line.chars().enumerate() {
                match glyph {
                    '#' => {
                        let small = |n: usize| u8::try_from(n).ok().filter(|&n| usize::from(n) < u128::CELLS);
                        cells.push(small(row).zip(small(col)).ok_or(ShapeError::TooLarge)?);
                    }
                    '.' => {}
                    other => return Err(ShapeError::Glyph(other)),
                }
            }
        }
        if cells.is_empty() {
            return Err(ShapeError::Empty);
        }
        Ok(Self::cornered(cells))
    }

    /// Moves cells up and left as far as possible.
    fn cornered(mut cells: Vec<(u8, u8)>) -> Self {
        let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        for cell in &mut cells {
            *cell = (cell.0 - top, cell.1 - left);
        }
        cells.sort_unstable();
        Self(cells)
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.0.len()
    }

    /// The numbers of rows and columns of the bounding box.
    fn size(&self) -> (usize, usize) {
        let high = self.0.iter().map(|cell| cell.0).max().unwrap_or(0);
        let wide = self.0.iter().map(|cell| cell.1).max().unwrap_or(0);
        (usize::from(high) + 1, usize::from(wide) + 1)
    }

    /// Returns the distinct orientations by quarter turns, by reflection or both, starting with
    /// the shape itself.
    #[must_use]
    pub fn orientations(&self, rotate: bool, reflect: bool) -> Vec<Self> {
        let mut found = vec![self.clone()];
        let mut next = 0;
        while let Some(shape) = found.get(next).cloned() {
            let quarter_turn = shape.upside_down().transposed();
            for (allowed, image) in [(rotate, quarter_turn), (reflect, shape.mirrored())] {
                if allowed && !found.contains(&image) {
                    found.push(image);
                }
            }
            next += 1;
        }
        found
    }

    /// The shape with rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Self {
        Self::cornered(self.0.iter().map(|&(row, col)| (col, row)).collect())
    }

    pub(crate) fn upside_down(&self) -> Self {
        let down = self.0.iter().map(|cell| cell.0).max().unwrap_or(0);
        Self::cornered(self.0.iter().map(|&(row, col)| (down - row, col)).collect())
    }

    /// The shape with left and right exchanged.
    pub(crate) fn mirrored(&self) -> Self {
        let right = self.0.iter().map(|cell| cell.1).max().unwrap_or(0);
        Self::cornered(self.0.iter().map(|&(row, col)| (row, right - col)).collect())
    }

    /// The bounding box as a board; `None` if it is too large.
    pub(crate) fn board(&self) -> Option<Board> {
        let (high, wide) = self.size();
        Board::with_max_cells(u128::CELLS, high, wide).ok()
    }

    /// The cells of each placement on an empty board.
    pub(crate) fn on<W: CellSet>(&self, board: Board) -> Vec<W> {
        let (high, wide) = self.size();
        let mut places = Vec::new();
        for row in 0..(board.rows() + 1).saturating_sub(high) {
            for col in 0..(board.cols() + 1).saturating_sub(wide) {
                let cell = |&(r, c): &(u8, u8)| W::bit(board.cell(row + usize::from(r), col + usize::from(c)));
                places.push(self.0.iter().map(cell).fold(W::zero(), |cells, cell| cells | cell));
            }
        }
        places
    }

    /// Whether the shape fits on an empty board, rotated if the rules allow.
    #[must_use]
    pub fn fits(&self, board: Board, rotate: bool) -> bool {
        let (high, wide) = self.size();
        let fits = |high, wide| high <= board.rows() && wide <= board.cols();
        fits(high, wide) || rotate && fits(wide, high)
    }
}

/// Formats as rows of `#` and `.`, separated by `/`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (high, wide) = self.size();
        for row in 0..high {
            if row > 0 {
                f.write_str("/")?;
            }
            for col in 0..wide {
                let is_cell = self.0.contains(&(row as u8, col as u8));
                f.write_str(if is_cell { "#" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        Shape::parse(text).unwrap()
    }

    #[test]
    fn shapes_turn_into_as_many_as_they_should() {
        let turned = |text, rotate, reflect| shape(text).orientations(rotate, reflect).len();
        assert_eq!(turned("##", true, true), 2);
        assert_eq!(turned("##", false, true), 1);
        assert_eq!(turned("##/#.", true, false), 4);
        assert_eq!(turned("##/#.", false, true), 2);
        assert_eq!(turned(".##/##./.#.", true, true), 8);
        assert_eq!(turned(".##/##./.#.", true, false), 4);
        assert_eq!(turned(".#./###/.#.", true, true), 1);
    }

    #[test]
    fn drawings_that_are_no_shape_say_why() {
        assert_eq!(Shape::parse("#x"), Err(ShapeError::Glyph('x')));
        assert_eq!(Shape::parse("../.."), Err(ShapeError::Empty));
        assert_eq!(
            Shape::parse(&".".repeat(128).replace('.', "./").replace("./", "#/").repeat(2)),
            Err(ShapeError::TooLarge)
        );
        assert_eq!(shape("...\n.##\n"), shape("##"));
    }

    #[test]
    fn the_block_game_has_104_placements() {
        let board = Board::new(5, 5).unwrap();
        let places = ["##", "##/#."].map(|piece| {
            let turned = shape(piece).orientations(true, true);
            turned.iter().map(|shape| shape.on::<u64>(board).len()).sum::<usize>()
        });
        assert_eq!(places, [40, 64]);
    }
}
