//! Rules files: a game as a small TOML file that a person can edit.

mod file;
mod keys;

use std::error::Error;

use toml_edit::{DocumentMut, Item, Value};

use crate::any::{AnyGame, AnyRules};
use crate::board::Board;
use crate::mistake::{RowsMistake, RulesMistake};
use crate::presets::preset;
use crate::text::{TextError, TextOf, error};

/// A rules file: its text and the rules in it.
#[derive(Clone, Debug)]
pub struct RulesFile {
    /// The name of the game: that of the preset or of the file.
    pub name: String,
    /// One line about the game; may be empty.
    pub about: String,
    /// The file's text.
    pub text: String,
    rules: AnyRules,
    /// Where there is one.
    board: Board,
    /// The position it begins in, where that is not the family's usual one.
    start: Option<String>,
    /// Whether `board` was asked for, so that a position has to be on it.
    board_is_fixed: bool,
}

/// Why a change of a rules file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeError {
    /// The changed file is invalid.
    Text(TextError),
    /// Not `key=value`.
    Set(String),
    /// A key within a key that is not a table: the change, and that key.
    NoTable(String, String),
}

impl ChangeError {
    /// The name of its kind, for programs: it never changes.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(error) => error.mistake.kind(),
            Self::Set(_) => "no_change",
            Self::NoTable(..) => "no_table",
        }
    }
}

impl Error for ChangeError {}

impl From<TextError> for ChangeError {
    fn from(error: TextError) -> Self {
        Self::Text(error)
    }
}

pub use keys::is_rules_key;
pub(crate) use keys::{FAMILIES, MARKS, STEPS};

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
        self.changed(&[format!("board={size}")])
    }

    /// The same file with one key changed; see [`changed`](Self::changed).
    ///
    /// # Errors
    /// If it is not `key=value`, or the rules are none any more.
    pub fn set(&self, change: &str) -> Result<Self, ChangeError> {
        self.changed(&[change.to_owned()])
    }

    /// The same file with some keys changed, each `key=value`; the value may be
    /// written as in TOML, or a string without its quotes. `a.b=value` changes `b` in
    /// the table `a`. A new board takes the place of a start, and the other way round.
    ///
    /// # Errors
    /// If a change is not `key=value`, or the changed rules are invalid.
    pub fn changed(&self, changes: &[String]) -> Result<Self, ChangeError> {
        let mut document = self.document()?;
        let mut keys = Vec::new();
        for change in changes {
            keys.push(change_one(&mut document, change)?);
        }
        // Only one of the two says what the board is.
        let [board, start] = ["board", "start"].map(|key| keys.contains(&key));
        if board != start {
            document.remove(if board { "start" } else { "board" });
        }
        let changed = file::parse(&self.name, &document.to_string())?;
        Ok(Self { board_is_fixed: board || self.board_is_fixed && !start, ..changed })
    }

    fn document(&self) -> Result<DocumentMut, TextError> {
        self.text.parse().map_err(|e: toml_edit::TomlError| {
            let span = e.span().unwrap_or(0..self.text.len());
            let mistake = RulesMistake::Toml { message: e.message().to_owned() };
            TextError { of: TextOf::Rules(self.name.clone()), ..error(&self.text, span, mistake) }
        })
    }

    /// The rules in the form that [`changed`](Self::changed) takes, such as `misere=true`, in the order of
    /// the file. The name, the board and the start are left out.
    ///
    /// # Errors
    /// Never, if the file was made by [`parse`](Self::parse): an invalid text is refused there.
    pub fn changes(&self) -> Result<Vec<String>, TextError> {
        const OTHERS: [&str; 4] = ["family", "about", "board", "start"];
        let mut changes = Vec::new();
        changes_of("", self.document()?.as_table(), &mut changes);
        changes.retain(|change| !OTHERS.contains(&change.split('=').next().unwrap_or_default()));
        Ok(changes)
    }

    /// The rules that differ from those of the preset of this name; all rules of the file, if there is
    /// no such preset.
    ///
    /// # Errors
    /// Never, if the file was made by [`parse`](Self::parse): an invalid text is refused there.
    pub fn untold(&self, name: &str) -> Result<Vec<String>, TextError> {
        let told = preset(name).transpose()?.map(|preset| preset.changes()).transpose()?.unwrap_or_default();
        Ok(self.changes()?.into_iter().filter(|change| !told.contains(change)).collect())
    }

    /// What identifies the game whose results are stored: the rules and its
    /// [size](crate::Notation::size), one per line.
    ///
    /// # Errors
    /// Never, if the file was made by [`parse`](Self::parse): an invalid text is refused there.
    pub fn told(&self, size: &str) -> Result<String, TextError> {
        let family = self.text.lines().find(|line| line.trim_start().starts_with("family"));
        let family = family.map_or("", |line| line.split('#').next().unwrap_or_default().trim());
        let mut told = vec![family.split_whitespace().collect::<String>()];
        told.extend(self.changes()?);
        told.push(format!("{}={size}", if self.is_of_heaps() { "start" } else { "board" }));
        Ok(told.join("\n"))
    }

    /// Whether a board was asked for, so that every position has to be on it.
    #[must_use]
    pub const fn has_fixed_board(&self) -> bool {
        self.board_is_fixed
    }

    /// Whether the game is one of heaps: those take time to be made if they are large.
    #[must_use]
    pub const fn is_of_heaps(&self) -> bool {
        matches!(self.rules, AnyRules::Heaps(_))
    }

    /// The game, from its own start.
    ///
    /// # Errors
    /// Never, if the file was made by [`parse`](Self::parse): an invalid text is refused there.
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
    /// If the text is not a position of such a game.
    pub fn game_at(&self, text: &str) -> Result<AnyGame, TextError> {
        let game = self.rules.game_at(self.board, text)?;
        if let Some(board) = game.board()
            && self.board_is_fixed
            && board != self.board
        {
            return Err(error(text, 0..text.len(), RowsMistake::NotAsked { board, asked: self.board }));
        }
        Ok(game)
    }
}

/// The keys of a table and of those in it, with their values, each a line.
fn changes_of(before: &str, table: &dyn toml_edit::TableLike, changes: &mut Vec<String>) {
    for (key, item) in table.iter() {
        match (item.as_table_like(), item.as_value()) {
            (Some(inner), _) => changes_of(&format!("{before}{key}."), inner, changes),
            (None, Some(value)) => {
                let value = value.as_str().map_or_else(|| value.clone().decorated("", "").to_string(), str::to_owned);
                changes.push(format!("{before}{key}={}", value.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
            (None, None) => {}
        }
    }
}

/// Changes one key, which it returns.
fn change_one<'c>(document: &mut DocumentMut, change: &'c str) -> Result<&'c str, ChangeError> {
    let malformed = || ChangeError::Set(change.into());
    let (key, value) = change.split_once('=').ok_or_else(malformed)?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || key.split('.').any(str::is_empty) {
        return Err(malformed());
    }
    // A board is text, so that `3` is told to be none as `3x` is.
    let in_toml = value.parse().ok().filter(|value: &Value| key != "board" || value.is_str());
    let value = in_toml.unwrap_or_else(|| value.into());
    let mut table: &mut dyn toml_edit::TableLike = document.as_table_mut();
    let (tables, last) = key.rsplit_once('.').map_or((None, key), |(tables, last)| (Some(tables), last));
    for part in tables.into_iter().flat_map(|tables| tables.split('.')) {
        let inner = table.entry(part).or_insert_with(toml_edit::table);
        table = inner.as_table_like_mut().ok_or_else(|| ChangeError::NoTable(change.into(), part.into()))?;
    }
    table.insert(last, Item::Value(value));
    Ok(key)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn rules_are_told_as_they_are_changed() {
        let text = "family = \"placement\"\nboard = \"4x4\" # small\nmisere = true # yes\n[left]\nL = \"##/#.\"\n[right]\n\
                    I = \"##\"\n";
        let rules = RulesFile::parse("own", text).unwrap();
        let changes = rules.changes().unwrap();
        assert_eq!(changes, ["misere=true", "left.L=##/#.", "right.I=##"]);
        assert_eq!(rules.changed(&changes).unwrap().changes().unwrap(), changes);
    }
}
