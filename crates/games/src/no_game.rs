//! Errors of rules that do not fit a board or a start.

use crate::board::Board;

/// Rules that do not go with a board, or a start that is none. A rules file's are checked
/// when it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGame {
    /// The board has more cells than the game can hold.
    #[error("a board of {board}, which has more than {most} cells")]
    TooManyCells {
        /// The board.
        board: Board,
        /// The most cells.
        most: usize,
    },
    /// There are too many pieces.
    #[error("{pieces} pieces; there may be {most}")]
    TooManyPieces {
        /// The number of pieces.
        pieces: usize,
        /// The most pieces.
        most: usize,
    },
    /// A piece has a supply of none, or of too many.
    #[error("a supply of {supply}; it is between 1 and {most}")]
    Supply {
        /// The supply.
        supply: u8,
        /// The largest.
        most: u8,
    },
    /// No cells make a line.
    #[error("k is 0; at least one cell makes a line")]
    NoLine,
    /// The start is not a position of the game.
    #[error("the start is not a position on the board")]
    NoStart,
}

impl NoGame {
    /// Refuses boards of more than `most` cells.
    pub(crate) fn check_board(board: Board, most: usize) -> Result<(), Self> {
        if board.cells() > most { Err(Self::TooManyCells { board, most }) } else { Ok(()) }
    }
}
