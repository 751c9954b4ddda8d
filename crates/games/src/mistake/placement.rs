//! Mistakes in positions of placement games.

/// A mistake in a position of a placement game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlacementMistake {
    /// More cells were covered than are filled.
    TooFewFilled {
        /// Cells of the pieces that have been placed.
        placed: usize,
        /// Cells that are filled.
        filled: usize,
    },
    /// A letter that names no piece with a supply.
    NoSuchPiece {
        /// The letter.
        letter: char,
    },
    /// More of a piece than there are.
    UsedUp {
        /// The piece.
        letter: char,
        /// How many there are.
        supply: u8,
    },
}

kinds!(Placement(PlacementMistake) {
    TooFewFilled => "too_few_filled",
    NoSuchPiece => "no_such_piece",
    UsedUp => "used_up",
});
