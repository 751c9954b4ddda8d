//! Mistakes in positions of walkers.

use crate::board::Board;

/// A mistake in a position of walkers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalkersMistake {
    /// A token twice.
    SecondToken {
        /// How it is written.
        glyph: char,
    },
    /// One tile for both, where they may not share it.
    SharedTile,
    /// A token more than there are players.
    ThirdToken {
        /// Beside which one it is too many: `*` or `!`.
        beside: char,
    },
    /// A token too few.
    NoToken {
        /// `A` or `B`.
        token: char,
    },
    /// The tile has vanished under the token that is not to move.
    WrongVanished,
    /// Not JSON, or not of a position.
    Json {
        /// What the reader of JSON says.
        message: String,
    },
    /// In JSON, neither a tile nor a hole.
    NoTile {
        /// What is there.
        found: String,
    },
    /// In JSON, no row or column.
    NoNumber {
        /// What is there.
        found: String,
    },
    /// In JSON, a token where there is no tile.
    OffTiles {
        /// `A` or `B`.
        token: char,
        /// Its row and column.
        at: [usize; 2],
        /// The board.
        board: Board,
    },
}

kinds!(Walkers(WalkersMistake) {
    SecondToken => "second_token",
    SharedTile => "shared_tile",
    ThirdToken => "third_token",
    NoToken => "no_token",
    WrongVanished => "wrong_vanished",
    Json => "json",
    NoTile => "no_tile",
    NoNumber => "no_number",
    OffTiles => "off_tiles",
});
