//! How a game's positions and moves are written, drawn and spoken of.

use balpan::Game;

use crate::board::Board;
use crate::text::TextError;

/// A game on a board whose positions and moves are text.
pub trait Notation: Game {
    /// The board that all its positions are on.
    fn board(&self) -> Board;

    /// Reads a position.
    ///
    /// # Errors
    /// What is wrong with the text, where, and what was expected.
    fn parse(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Writes a position so that [`parse`](Self::parse) reads it back.
    fn text(&self, position: &Self::Position) -> String;

    /// Writes a move.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The character that a position's text has for a cell.
    fn glyph(&self, position: &Self::Position, cell: usize) -> char;

    /// The number that moves give the leftmost column.
    fn first_column(&self) -> usize {
        0
    }

    /// The cells which a move goes to, covers or marks.
    fn marked(&self, position: &Self::Position, mv: Self::Move) -> u128;

    /// The player to move, and the other, by name.
    fn players(&self, position: &Self::Position) -> [&'static str; 2];
}

/// The names of players who are told apart only by whose turn it is.
pub(crate) const BY_TURN: [&str; 2] = ["first player", "second player"];
