//! The rules of a game as the fields of a form: the keys that can be set, with their values.

use crate::any::AnyGame;

/// A key of rules files as a field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// The kind of field.
    pub kind: Kind,
    /// The current value, as `--set` takes it.
    pub value: String,
}

/// A kind of field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A line of text.
    Text,
    /// A whole number.
    Number,
    /// `true` or `false`.
    YesNo,
    /// One of a list of words.
    Choice(&'static [&'static str]),
    /// A table of pieces.
    Pieces,
}

impl Setting {
    pub(crate) const fn new(key: &'static str, kind: Kind, value: String) -> Self {
        Self { key, kind, value }
    }

    pub(crate) fn yes_no(key: &'static str, value: bool) -> Self {
        Self::new(key, Kind::YesNo, value.to_string())
    }
}

/// Returns all keys that can be set, in the order of a form.
#[must_use]
pub fn settings(game: &AnyGame) -> Vec<Setting> {
    let board = game.board().map(|board| Setting::new("board", Kind::Text, board.to_string()));
    board.into_iter().chain(game.settings()).collect()
}
