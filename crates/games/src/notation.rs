//! Notation: the text of a game's positions and moves.

use balpan::Expert;

use crate::board::Board;
use crate::text::TextError;

/// A game whose positions and moves are text.
pub trait Notation: Expert + Clone {
    /// Returns the board of all positions; `None` for games that have none.
    fn board(&self) -> Option<Board> {
        None
    }

    /// Returns the board's size, or the start of a game without a board. Messages print it after the game's
    /// name.
    fn size(&self) -> String {
        self.board().map_or_else(String::new, |board| board.to_string())
    }

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is not a position of the game: the mistake and its place.
    fn parse(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Writes a position in the form that [`parse`](Self::parse) reads.
    fn text(&self, position: &Self::Position) -> String;

    /// Writes a move.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// Returns the character of a cell in a position's text.
    fn glyph(&self, _position: &Self::Position, _cell: usize) -> char {
        '.'
    }

    /// Draws a position of a game without a board, as lines of text for people.
    fn drawn(&self, _position: &Self::Position) -> Vec<String> {
        Vec::new()
    }

    /// Returns the number of the leftmost column in the text of moves.
    fn first_column(&self) -> usize {
        0
    }

    /// Returns the set of cells that a move goes to, covers or marks, one bit a cell.
    fn marked(&self, _position: &Self::Position, _mv: Self::Move) -> u128 {
        0
    }

    /// Returns the player to move and the other player.
    fn players(&self, position: &Self::Position) -> [&'static str; 2];
}

/// The names of players who are distinguished only by whose turn it is.
pub(crate) const BY_TURN: [&str; 2] = ["first player", "second player"];
