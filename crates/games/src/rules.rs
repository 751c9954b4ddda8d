//! A game as a small TOML file that a person can edit.

mod file;

use toml_edit::{DocumentMut, Item, Value};

use crate::any::AnyGame;
use crate::board::{Board, BoardError};
use crate::text::{TextError, error};
use crate::{lines, placement, walkers};

/// The text of a rules file, and what it says.
#[derive(Clone, Debug)]
pub struct RulesFile {
    /// What people call the game: a preset's name or the file's.
    pub name: String,
    /// One line about the game; may be empty.
    pub about: String,
    /// The file's text.
    pub text: String,
    rules: Rules,
    board: Board,
    /// The position it begins in, where that is not the family's usual one.
    start: Option<String>,
    /// Whether `board` was asked for, so that a position has to be on it.
    board_is_fixed: bool,
}

/// The rules of any family.
#[derive(Clone, Debug)]
pub(crate) enum Rules {
    Walkers(walkers::Rules),
    Placement(placement::Rules),
    Lines(lines::Rules),
}

/// Why a rules file cannot be changed as was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// The file itself cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The board asked for is none.
    #[error("`{0}` is no board: {1}")]
    Board(String, BoardError),
    /// Not `key=value`.
    #[error("`{0}` changes nothing; expected key=value, such as k=5")]
    Set(String),
}

impl RulesFile {
    /// Reads a rules file; `name` is what the game is called.
    ///
    /// # Errors
    /// The first mistake in it, with its place.
    pub fn parse(name: &str, text: &str) -> Result<Self, TextError> {
        file::parse(name, text)
    }

    /// The same rules on another board, the family's usual start on it.
    ///
    /// # Errors
    /// If `size` is no board, or the rules do not go with it.
    pub fn on_board(&self, size: &str) -> Result<Self, ChangeError> {
        let board = Board::parse(size).map_err(|e| ChangeError::Board(size.into(), e))?;
        let mut document = self.document()?;
        document.remove("start");
        document.insert("board", toml_edit::value(board.to_string()));
        let name = self.name.clone();
        Ok(Self { board_is_fixed: true, ..file::parse(&name, &document.to_string())? })
    }

    /// The same file with one key changed, `key=value`; the value may be written
    /// as in TOML, or a string without its quotes. `a.b=value` changes `b` in the
    /// table `a`.
    ///
    /// # Errors
    /// If it is not `key=value`, or the rules are none any more.
    pub fn set(&self, change: &str) -> Result<Self, ChangeError> {
        let malformed = || ChangeError::Set(change.into());
        let (key, value) = change.split_once('=').ok_or_else(malformed)?;
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() || key.split('.').any(str::is_empty) {
            return Err(malformed());
        }
        let value: Value = value.parse().unwrap_or_else(|_| value.into());
        let mut document = self.document()?;
        let mut path = key.split('.').peekable();
        let mut table: &mut dyn toml_edit::TableLike = document.as_table_mut();
        while let Some(part) = path.next() {
            if path.peek().is_none() {
                table.insert(part, Item::Value(value.clone()));
                break;
            }
            let inner = table.entry(part).or_insert_with(toml_edit::table);
            table = inner.as_table_like_mut().ok_or_else(malformed)?;
        }
        Ok(Self { board_is_fixed: self.board_is_fixed, ..file::parse(&self.name, &document.to_string())? })
    }

    fn document(&self) -> Result<DocumentMut, TextError> {
        self.text.parse().map_err(|e: toml_edit::TomlError| TextError {
            name: self.name.clone(),
            span: e.span().unwrap_or(0..self.text.len()),
            ..error(&self.text, 0..0, e.message(), "a rules file is TOML")
        })
    }

    /// The game, from its own start.
    ///
    /// # Errors
    /// None that [`parse`](Self::parse) has not found before.
    pub fn game(&self) -> Result<AnyGame, TextError> {
        match &self.start {
            Some(text) => AnyGame::from_text(&self.rules, self.board, text),
            None => Ok(AnyGame::on(&self.rules, self.board)),
        }
    }

    /// The game from the position that `text` shows. Its board is as large as the
    /// text says, unless [`on_board`](Self::on_board) has fixed it.
    ///
    /// # Errors
    /// If the text is no position of such a game.
    pub fn game_at(&self, text: &str) -> Result<AnyGame, TextError> {
        let game = AnyGame::from_text(&self.rules, self.board, text)?;
        if self.board_is_fixed && game.board() != self.board {
            let message = format!("a board of {}, where {} was asked for", game.board(), self.board);
            return Err(error(text, 0..text.len(), &message, "leave out the one or change the other"));
        }
        Ok(game)
    }
}
