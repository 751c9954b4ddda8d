//! Position text: `.` a free cell, `#` a filled one. ` l` or ` r` is the side to move of a
//! partizan game. ` -FI` lists the used pieces that have a supply, one letter for each.

use std::ops::Range;

use super::{Piece, Placement, Position, Rules, messages};
use crate::board::{Board, CellSet, Cells};
use crate::error::{AfterBoard, RowsError, input_errors};
use crate::notation::{Notation, PlayerName};
use crate::text::{Grid, TextError};
use crate::words::Lang;

const GLYPHS: &str = ".#";
const SIDE: AfterBoard = AfterBoard::Side(['l', 'r']);

input_errors! {
    /// An error in a position of a placement game.
    Placement: PlacementError {
        /// Used pieces that cover more cells than are filled.
        TooFewFilled {
            /// The number of cells of the pieces that have been placed.
            placed: usize,
            /// The number of filled cells.
            filled: usize,
        } => "too_few_filled",
        /// A letter that names no piece with a supply.
        NoSuchPiece {
            /// The letter.
            letter: char,
        } => "no_such_piece",
        /// More of a piece than its supply.
        UsedUp {
            /// The piece's letter.
            letter: char,
            /// The supply.
            supply: u8,
        } => "used_up",
    }
}

impl<W: CellSet> Placement<W> {
    /// Returns the board.
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Creates the game by `rules` from the position in `text`, on its board.
    ///
    /// # Errors
    /// If the text is not a position of such a game, or has more cells than the word.
    pub fn from_text(rules: Rules, text: &str) -> Result<Self, TextError> {
        let grid = grid(text, W::CELLS)?;
        let start = position(&grid, &rules)?;
        Ok(Self::new_unchecked(rules, grid.board).with_legal_start(start))
    }
}

/// The pieces with a supply: index in `used`, piece and supply.
fn supplied(rules: &Rules) -> impl Iterator<Item = (usize, &Piece, u8)> {
    let pieces = rules.pieces.all().enumerate();
    pieces.filter_map(|(n, piece)| piece.supply.map(|supply| (n, piece, supply)))
}

fn grid(text: &str, most_cells: usize) -> Result<Grid<'_>, TextError> {
    Grid::parse(text, GLYPHS, most_cells, |word| matches!(word, "l" | "r") || word.starts_with('-'))
}

fn position<W: CellSet>(grid: &Grid, rules: &Rules) -> Result<Position<W>, TextError> {
    let mut position = Position { filled: grid.set::<W>('#'), used: 0, right_to_move: false };
    let (mut side, mut used) = (None, None);
    let counted = supplied(rules).next().is_some();
    let expected = match (rules.pieces.is_partizan(), counted) {
        (true, false) => SIDE,
        (false, false) => AfterBoard::Nothing,
        (_, true) => AfterBoard::UsedPieces,
    };
    for word in &grid.words {
        let again = match word.text {
            "l" | "r" if rules.pieces.is_partizan() => {
                position.right_to_move = word.text == "r";
                side.replace(word).is_some()
            }
            letters if letters.starts_with('-') && counted => {
                let at = word.at + 1;
                position.used = read_used(&letters[1..], at, rules, |span, mistake| grid.error_at(span, mistake))?;
                let placed: usize = supplied(rules)
                    .map(|(n, piece, _)| ((position.used >> (4 * n)) & 15) as usize * piece.shape.cells())
                    .sum();
                let filled = position.filled.count_ones() as usize;
                if placed > filled {
                    return Err(grid.error_at(word.span(), PlacementError::TooFewFilled { placed, filled }));
                }
                used.replace(word).is_some()
            }
            other => {
                return Err(grid.error_at(word.span(), RowsError::NotAfter { word: other.into(), expected }));
            }
        };
        if again {
            return Err(grid.error_at(word.span(), RowsError::TooManyWords { word: word.text.into(), expected }));
        }
    }
    Ok(position)
}

fn read_used(
    letters: &str,
    at: usize,
    rules: &Rules,
    error: impl Fn(Range<usize>, PlacementError) -> TextError,
) -> Result<u64, TextError> {
    let mut used = 0;
    for (i, letter) in letters.char_indices() {
        let span = at + i..at + i + letter.len_utf8();
        let named = |(_, piece, _): &(usize, &Piece, u8)| piece.name.chars().eq([letter]);
        let Some((n, _, supply)) = supplied(rules).find(named) else {
            return Err(error(span, PlacementError::NoSuchPiece { letter }));
        };
        if (used >> (4 * n)) & 15 == u64::from(supply) {
            return Err(error(span, PlacementError::UsedUp { letter, supply }));
        }
        used += 1 << (4 * n);
    }
    Ok(used)
}

impl<W: CellSet> Notation for Placement<W> {
    fn describe(&self, lang: Lang) -> Vec<String> {
        messages::describe(lang, &self.rules)
    }

    fn board(&self) -> Option<Board> {
        Some(self.board())
    }

    fn parse(&self, text: &str) -> Result<Position<W>, TextError> {
        let grid = grid(text, W::CELLS)?;
        grid.expect_board(self.board)?;
        position(&grid, &self.rules)
    }

    fn text(&self, position: &Position<W>) -> String {
        let mut text = self.board.text(|cell| self.glyph(position, cell));
        if position.right_to_move {
            text.push_str(" r");
        }
        if position.used != 0 {
            text.push_str(" -");
            for (n, piece, _) in supplied(&self.rules) {
                let placed = (position.used >> (4 * n)) & 15;
                text.extend((0..placed).map(|_| piece.name.as_str()));
            }
        }
        text
    }

    fn move_text(&self, position: &Position<W>, mv: u16) -> String {
        let cells: Vec<_> = Cells(self.move_cells(position, mv)).map(|cell| self.board.cell_text(cell)).collect();
        cells.join("+")
    }

    fn glyph(&self, position: &Position<W>, cell: usize) -> char {
        if (position.filled & W::bit(cell)).is_zero() { '.' } else { '#' }
    }

    fn move_cells(&self, position: &Position<W>, mv: u16) -> u128 {
        self.movers_placements(position)[usize::from(mv)].cells.into()
    }

    fn players(&self, position: &Position<W>) -> [PlayerName; 2] {
        match (self.rules.pieces.is_partizan(), position.right_to_move) {
            (false, _) => PlayerName::BY_TURN,
            (true, false) => [PlayerName::Left, PlayerName::Right],
            (true, true) => [PlayerName::Right, PlayerName::Left],
        }
    }
}
