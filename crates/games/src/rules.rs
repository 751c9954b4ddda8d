//! A game as a small TOML file that a person can edit.

mod file;

use toml_edit::{DocumentMut, Item, Value};

use crate::any::{AnyGame, AnyRules};
use crate::board::{Board, BoardError};
use crate::text::{TextError, error};

/// The text of a rules file, and what it says.
#[derive(Clone, Debug)]
pub struct RulesFile {
    /// What people call the game: a preset's name or the file's.
    pub name: String,
    /// One line about the game; may be empty.
    pub about: String,
    /// The file's text.
    pub text: String,
    rules: AnyRules,
    board: Board,
    /// The position it begins in, where that is not the family's usual one.
    start: Option<String>,
    /// Whether `board` was asked for, so that a position has to be on it.
    board_is_fixed: bool,
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
    /// A key within one that has none.
    #[error("`{0}` changes nothing: `{1}` is no table")]
    NoTable(String, String),
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
        Ok(Self { board_is_fixed: true, ..self.set(&format!("board={board}"))? })
    }

    /// The same file with one key changed, `key=value`; the value may be written
    /// as in TOML, or a string without its quotes. `a.b=value` changes `b` in the
    /// table `a`. A new board takes the place of a start, and the other way round.
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
        // Only one of the two says what the board is.
        match key {
            "board" => document.remove("start"),
            "start" => document.remove("board"),
            _ => None,
        };
        let mut path = key.split('.').peekable();
        let mut table: &mut dyn toml_edit::TableLike = document.as_table_mut();
        while let Some(part) = path.next() {
            if path.peek().is_none() {
                table.insert(part, Item::Value(value.clone()));
                break;
            }
            let inner = table.entry(part).or_insert_with(toml_edit::table);
            table = inner.as_table_like_mut().ok_or_else(|| ChangeError::NoTable(change.into(), part.into()))?;
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
            Some(text) => self.rules.game_at(self.board, text),
            None => Ok(self.rules.game_on(self.board)),
        }
    }

    /// The game from the position that `text` shows. Its board is as large as the
    /// text says, unless [`on_board`](Self::on_board) has fixed it.
    ///
    /// # Errors
    /// If the text is no position of such a game.
    pub fn game_at(&self, text: &str) -> Result<AnyGame, TextError> {
        let game = self.rules.game_at(self.board, text)?;
        if self.board_is_fixed && game.board() != self.board {
            let message = format!("a board of {}, where {} was asked for", game.board(), self.board);
            return Err(error(text, 0..text.len(), &message, "leave out the one or change the other"));
        }
        Ok(game)
    }
}
