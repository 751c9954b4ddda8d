//! Mistakes in the pieces of rules files.

use crate::board::Board;
use crate::placement::ShapeError;

/// A mistake in the pieces of a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PiecesMistake {
    /// No table of pieces.
    NoPieces,
    /// Pieces for one of the players only.
    OnePlayerOnly,
    /// Pieces for both players, and for one as well.
    BothAndOne,
    /// A table of no piece.
    EmptyTable,
    /// A drawing that is no shape.
    Shape(ShapeError),
    /// The same piece twice.
    Twin {
        /// The other's name.
        name: String,
    },
    /// A piece that is larger than the board.
    TooLarge {
        /// Its name.
        name: String,
        /// The board.
        board: Board,
    },
    /// Too many pieces.
    TooMany {
        /// How many there are.
        pieces: usize,
        /// The most that there may be.
        most: usize,
        /// The most where any has a supply.
        most_with_supply: usize,
    },
    /// A supply that is too large or too small.
    Supply {
        /// What was found.
        supply: i64,
        /// The most that there may be.
        most: i64,
    },
    /// A supply for what can have none.
    NoSupplyFor {
        /// The piece's name.
        name: String,
        /// Why not.
        why: NoSupply,
    },
}

kinds!(Pieces(PiecesMistake) {
    NoPieces => "no_pieces",
    OnePlayerOnly => "one_player_only",
    BothAndOne => "both_and_one",
    EmptyTable => "empty_table",
    Shape => "no_shape",
    Twin => "same_piece_twice",
    TooLarge => "piece_too_large",
    TooMany => "too_many_pieces",
    Supply => "supply",
    NoSupplyFor => "no_supply_for",
});

/// Why something can have no supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoSupply {
    /// There is no piece of that name.
    NoPiece,
    /// Its name is not one capital letter.
    NotOneLetter,
    /// Each player has a piece of that name.
    OfBothPlayers,
}
