//! Mistakes in the rows of a board, and in what follows them.

use crate::board::{Board, BoardError};

/// A mistake in the rows of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowsMistake {
    /// Nothing before or after a `/`.
    NoRow {
        /// What a cell can be.
        glyphs: &'static str,
    },
    /// Nothing at all.
    NoBoard {
        /// What a cell can be.
        glyphs: &'static str,
    },
    /// A word in the middle of the board.
    BetweenRows {
        /// The word.
        word: String,
    },
    /// A character that no cell has.
    NoCell {
        /// The character.
        glyph: char,
        /// What a cell can be.
        glyphs: &'static str,
    },
    /// A row that is longer or shorter than the first.
    Uneven {
        /// Its cells.
        cells: usize,
        /// Those of the first.
        first: usize,
    },
    /// A board that is too large, or none.
    Size(BoardError),
    /// Not the board of this game.
    OtherBoard {
        /// What was found.
        board: Board,
        /// The game's.
        game: Board,
    },
    /// Not the board that was asked for.
    NotAsked {
        /// What was found.
        board: Board,
        /// What was asked for.
        asked: Board,
    },
    /// A word after the board that is not a side.
    NoSide {
        /// The word.
        word: String,
        /// What may be there.
        expected: AfterBoard,
    },
    /// A word that does not belong after the board.
    NotAfter {
        /// The word.
        word: String,
        /// What may be there.
        expected: AfterBoard,
    },
    /// A word after the board, too many.
    TooManyWords {
        /// The word.
        word: String,
        /// What may be there.
        expected: AfterBoard,
    },
}

kinds!(Rows(RowsMistake) {
    NoRow => "no_row",
    NoBoard => "no_board",
    BetweenRows => "between_rows",
    NoCell => "no_cell",
    Uneven => "uneven_rows",
    Size => "board_size",
    OtherBoard => "other_board",
    NotAsked => "board_not_asked",
    NoSide => "no_side",
    NotAfter => "not_after_board",
    TooManyWords => "too_many_words",
});

/// What may follow a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AfterBoard {
    /// Nothing.
    Nothing,
    /// The side to move, by its letter; the first if none is given.
    Side([char; 2]),
    /// The side to move, by its letter; by the counts of marks if none is given.
    SideOrCounts([char; 2]),
    /// The pieces that have been placed.
    UsedPieces,
}
