//! How the positions and moves of a game are written and drawn.

use balpan::Expert;

use crate::board::Board;
use crate::text::TextError;

/// A game whose positions and moves are text.
pub trait Notation: Expert + Clone {
    /// The board that all its positions are on, if it is played on one.
    fn board(&self) -> Option<Board> {
        None
    }

    /// The board's size, or the start where there is no board: what comes after the
    /// game's name.
    fn size(&self) -> String {
        self.board().map_or_else(String::new, |board| board.to_string())
    }

    /// Reads a position.
    ///
    /// # Errors
    /// What is wrong with the text, where, and what was expected.
    fn parse(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Writes a position so that [`parse`](Self::parse) reads it back.
    fn text(&self, position: &Self::Position) -> String;

    /// Writes a move.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The character that a position's text has for a cell of the board.
    fn glyph(&self, _position: &Self::Position, _cell: usize) -> char {
        '.'
    }

    /// The position as lines for people, where there is no board.
    fn drawn(&self, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// The number that moves give the leftmost column.
    fn first_column(&self) -> usize {
        0
    }

    /// The cells of the board which a move goes to, covers or marks.
    fn marked(&self, _position: &Self::Position, _mv: Self::Move) -> u128 {
        0
    }

    /// The player to move, and the other, by name.
    fn players(&self, position: &Self::Position) -> [&'static str; 2];
}

/// The names of players who are distinguished only by whose turn it is.
pub(crate) const BY_TURN: [&str; 2] = ["first player", "second player"];
