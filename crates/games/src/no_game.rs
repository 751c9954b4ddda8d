//! Errors of rules that do not fit a board or a start.

use crate::board::Board;

/// Rules that do not fit a board, or an invalid start. [`RulesFile::parse`](crate::RulesFile::parse) checks
/// those of a rules file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The board has more cells than the game can hold.
    #[error("a board of {board}, which has more than {most} cells")]
    TooManyCells {
        /// The board.
        board: Board,
        /// The maximum.
        most: usize,
    },
    /// There are too many pieces.
    #[error("{pieces} pieces; there may be {most}")]
    TooManyPieces {
        /// The number of pieces.
        pieces: usize,
        /// The maximum.
        most: usize,
    },
    /// A piece has a supply of zero, or one that is too large.
    #[error("a supply of {supply}; it is between 1 and {most}")]
    Supply {
        /// The supply.
        supply: u8,
        /// The maximum.
        most: u8,
    },
    /// `k` is zero.
    #[error("k is 0; at least one cell makes a line")]
    NoLine,
    /// The start is not a position of the game.
    #[error("the start is not a position on the board")]
    NoStart,
}

impl GameError {
    /// Returns an error if the board has more than `most` cells.
    pub(crate) fn check_board(board: Board, most: usize) -> Result<(), Self> {
        if board.cells() > most { Err(Self::TooManyCells { board, most }) } else { Ok(()) }
    }
}
