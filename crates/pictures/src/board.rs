//! Drawings of positions: as text for a terminal, and as small boards in trees and sheets of puzzles.

mod alone;
mod grid;
pub(crate) mod svg;

use balpan::Outcome;
use balpan_games::Notation;

pub use alone::position_svg;
pub use grid::{Owner, Paint, draw_line, draw_marked, draw_position, without_colour};

/// The drawing of a position.
#[derive(Clone, Debug)]
pub(crate) enum Drawing {
    /// A board.
    Board(Cells),
    /// The sizes of heaps. The frame has room for `rows` heaps of at most `largest` tokens.
    Heaps { heaps: Vec<u16>, rows: usize, largest: u16 },
}

/// The cells of a board, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) glyphs: Vec<char>,
    /// The cells that the last move marked, one bit each.
    pub(crate) marked: u128,
    /// The two end cells of the line that ended the game.
    pub(crate) line: Option<[usize; 2]>,
}

impl Cells {
    /// Returns the end cells of the longest row of equal marks through the marked cell.
    fn longest_line(&self) -> Option<[usize; 2]> {
        let last = self.marked.trailing_zeros() as usize;
        let glyph = *self.glyphs.get(last).filter(|glyph| matches!(glyph, 'X' | 'O'))?;
        let end = |down: isize, right: isize| {
            let (mut row, mut col, mut length) = ((last / self.cols) as isize, (last % self.cols) as isize, 0_usize);
            loop {
                let next = (row + down, col + right);
                let inside = (0..self.rows as isize).contains(&next.0) && (0..self.cols as isize).contains(&next.1);
                if !inside || self.glyphs[next.0 as usize * self.cols + next.1 as usize] != glyph {
                    return (row as usize * self.cols + col as usize, length);
                }
                (row, col, length) = (next.0, next.1, length + 1);
            }
        };
        let lines = [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(down, right)| (end(down, right), end(-down, -right)));
        let longest = lines.into_iter().max_by_key(|((_, one), (_, other))| one + other)?;
        Some([longest.0.0, longest.1.0])
    }
}

/// Returns the drawing of a position, with these cells marked.
pub(crate) fn drawing<G: Notation>(game: &G, position: &G::Position, marked: u128) -> Drawing {
    match game.board() {
        Some(board) => {
            let glyphs = (0..board.cells()).map(|cell| game.glyph(position, cell)).collect();
            let mut cells = Cells { rows: board.rows(), cols: board.cols(), glyphs, marked, line: None };
            if game.is_over(position) && game.end(position) != Outcome::Draw {
                cells.line = cells.longest_line();
            }
            Drawing::Board(cells)
        }
        None => {
            let heaps = game.heaps(position);
            Drawing::Heaps { rows: heaps.len(), largest: heaps.iter().copied().max().unwrap_or(0), heaps }
        }
    }
}

/// Writes a drawing as lines of text.
pub(crate) fn board_lines(drawing: &Drawing) -> Vec<String> {
    match drawing {
        Drawing::Board(Cells { cols, glyphs, .. }) => {
            let spaced = |row: &[char]| row.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
            glyphs.chunks(*cols).map(spaced).collect()
        }
        Drawing::Heaps { heaps, .. } if heaps.is_empty() => vec!["0".to_owned()],
        Drawing::Heaps { heaps, .. } => vec![heaps.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")],
    }
}
