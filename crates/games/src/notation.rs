//! Notation: the text of a game's positions and moves.

use std::fmt;

use balpan::Game;
use serde::Serialize;

use crate::board::Board;
use crate::own::find_position;
use crate::text::TextError;
use crate::words::Lang;

/// A game whose positions and moves are text. Law: where [players](Self::players) have names of their own, a move swaps the
/// two unless it [keeps the turn](balpan::Game::keeps_turn).
pub trait Notation: Game + Clone {
    /// Returns the board of all positions; `None` for games that have none.
    fn board(&self) -> Option<Board> {
        None
    }

    /// Returns the board's size, or the start of a game without a board. Messages print it after the game's
    /// name.
    fn size(&self) -> String {
        self.board().map_or_else(String::new, |board| board.to_string())
    }

    /// Describes the rules, one sentence each.
    fn describe(&self, _lang: Lang) -> Vec<String> {
        Vec::new()
    }

    /// Writes a position in the form that [`parse`](Self::parse) reads: without control characters, and without blanks
    /// at the ends. Positions that differ have texts that differ.
    fn text(&self, position: &Self::Position) -> String;

    /// Reads a position. By default looks for it among the first million that play can reach from the start, which may take
    /// a second.
    ///
    /// # Errors
    /// If the text is not a position of the game: the mistake and its place.
    fn parse(&self, text: &str) -> Result<Self::Position, TextError> {
        find_position(self, text)
    }

    /// Writes a move, without blanks. By default as the position that it leads to, with `_` for blanks.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.text(&self.play(position, mv)).replace(char::is_whitespace, "_")
    }

    /// Returns the move with this text, if there is one.
    fn find_move(&self, position: &Self::Position, text: &str) -> Option<Self::Move> {
        self.moves(position).find(|mv| self.move_text(position, *mv) == text)
    }

    /// Returns the character of a cell in a position's text.
    fn glyph(&self, _position: &Self::Position, _cell: usize) -> char {
        '.'
    }

    /// Returns the [index](PlayerName::index) of the player whose piece a character is; `None` if it is nobody's, or both players'.
    fn owner(&self, glyph: char) -> Option<usize> {
        match glyph {
            'A' | 'X' => Some(0),
            'B' | 'O' => Some(1),
            _ => None,
        }
    }

    /// Draws a position of a game without a board, as lines of text for people. By default as its [text](Self::text).
    fn draw_lines(&self, position: &Self::Position) -> Vec<String> {
        vec![self.text(position)]
    }

    /// Draws a position of a game without a board as an SVG file, for pages. They show it as an image, so that what it
    /// contains cannot act on them.
    fn picture(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// Returns the sizes of the heaps of tokens in a position, in a game of heaps.
    fn heaps(&self, _position: &Self::Position) -> Option<Vec<u16>> {
        None
    }

    /// Returns the set of cells, one bit each, of the lines of marks that have ended play.
    fn winning_cells(&self, _position: &Self::Position) -> u128 {
        0
    }

    /// Returns the lines on the board that join neighbours, as the cells along each; none where neighbours share a side.
    fn edges(&self) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// Returns the number of the leftmost column in the text of moves.
    fn first_column(&self) -> usize {
        0
    }

    /// Returns the set of cells that a move goes to, covers or marks, one bit a cell.
    fn move_cells(&self, _position: &Self::Position, _mv: Self::Move) -> u128 {
        0
    }

    /// Returns the player to move and the other player. By default only the turn distinguishes them.
    fn players(&self, _position: &Self::Position) -> [PlayerName; 2] {
        PlayerName::BY_TURN
    }
}

/// The name of a player, which the game's family gives. It serializes as [`as_str`](Self::as_str).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum PlayerName {
    /// Of the token `A`, who moves first in walkers.
    A,
    /// Of the token `B`.
    B,
    /// Of the mark `X`, who moves first in games of lines.
    X,
    /// Of the mark `O`.
    O,
    /// Left in partizan placement games, who moves first.
    Left,
    /// Right in partizan placement games.
    Right,
    /// White, of rules files in the rules language.
    White,
    /// Black.
    Black,
    /// The player to move, in games that distinguish players by turn alone.
    #[serde(rename = "first player")]
    First,
    /// The other player, in games that distinguish players by turn alone.
    #[serde(rename = "second player")]
    Second,
}

impl PlayerName {
    /// The player to move and the other, in games that distinguish players by turn alone.
    pub const BY_TURN: [Self; 2] = [Self::First, Self::Second];

    /// Returns the player of a name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Self::A,
            Self::B,
            Self::X,
            Self::O,
            Self::Left,
            Self::Right,
            Self::White,
            Self::Black,
            Self::First,
            Self::Second,
        ];
        all.into_iter().find(|player| player.as_str() == name)
    }

    /// Returns the name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::X => "X",
            Self::O => "O",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::White => "White",
            Self::Black => "Black",
            Self::First => "first player",
            Self::Second => "second player",
        }
    }

    /// Returns 0 for `A`, `X`, Left, White and the first player, 1 for their opponents.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::A | Self::X | Self::Left | Self::White | Self::First => 0,
            Self::B | Self::O | Self::Right | Self::Black | Self::Second => 1,
        }
    }

    /// Whether the game distinguishes players by turn alone.
    #[must_use]
    pub const fn is_by_turn(self) -> bool {
        matches!(self, Self::First | Self::Second)
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
