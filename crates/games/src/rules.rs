//! Rules files: a game as a small TOML file that a person can edit.

mod file;

use std::error::Error;
use std::sync::{Arc, OnceLock};

use balpan::Goal;
use toml_edit::{DocumentMut, Item, Value};

use crate::answer::Answer;
use crate::any::AnyGame;
use crate::board::Board;
use crate::engines::Query;
use crate::error::{RowsError, RulesError};
use crate::heaps::row_answer;
use crate::presets::preset;
use crate::registry::{FamilyRules, families};
use crate::text::{TextError, TextKind, error};
use crate::words::Lang;

/// A rules file: its text and the rules in it.
#[derive(Clone, Debug)]
pub struct RulesFile {
    /// The name of the preset or of the file.
    pub name: String,
    /// One line about the game; may be empty.
    pub about: String,
    /// The same in Korean; may be empty.
    pub about_ko: String,
    /// The file's text.
    pub text: String,
    rules: Arc<dyn FamilyRules>,
    /// The board; meaningless for games without one.
    board: Board,
    /// The first position, if it is not the family's usual start.
    start: Option<String>,
    /// Whether `board` was set explicitly, so that every position must be on it.
    board_is_fixed: bool,
    /// The game from the file's start, once it was asked for.
    game: Arc<OnceLock<AnyGame>>,
}

/// The reason why a change to a rules file is refused.
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
    /// Returns the name of the error's kind, for programs: it never changes.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(error) => error.cause.kind(),
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

pub use file::RulesSource;
pub(crate) use file::{Text, yes};

/// Whether `key`, or the table that it is in, is a key that a change may set in rules files of some family:
/// any key but `family` and the descriptions.
#[must_use]
pub fn is_rules_key(key: &str) -> bool {
    let key = key.split('.').next().unwrap_or_default();
    !["family", "about", "about_ko"].contains(&key) && families().iter().any(|family| family.keys.contains(&key))
}

impl RulesFile {
    /// Returns the line about the game, in English if it has none in the language.
    #[must_use]
    pub fn about_in(&self, lang: Lang) -> &str {
        if lang == Lang::Ko && !self.about_ko.is_empty() { &self.about_ko } else { &self.about }
    }

    /// Reads a rules file of a game called `name`.
    ///
    /// # Errors
    /// If the file is invalid: the first mistake and its place.
    pub fn parse(name: &str, text: &str) -> Result<Self, TextError> {
        file::parse(name, text)
    }

    /// Returns the same rules on another board, from the family's usual start.
    ///
    /// # Errors
    /// If `size` is not a board's size, or the rules do not fit the board.
    pub fn with_board(&self, size: &str) -> Result<Self, ChangeError> {
        self.with_changes(&[format!("board={size}")])
    }

    /// Returns warnings: rules that can never apply, each with its place in the file. They are not errors.
    #[must_use]
    pub fn warnings(&self) -> Vec<TextError> {
        self.game().map_or_else(|_| Vec::new(), |game| self.rules.warnings(&game))
    }

    /// Returns the same file with one key changed; see [`with_changes`](Self::with_changes).
    ///
    /// # Errors
    /// If the change is not `key=value`, or the changed rules are invalid.
    pub fn with_change(&self, change: &str) -> Result<Self, ChangeError> {
        self.with_changes(&[change.to_owned()])
    }

    /// Returns the same file with some keys changed, each change a `key=value`. The value is TOML, or a string
    /// without quotes. `a.b=value` changes `b` in the table `a`. A new board replaces a start, and vice versa.
    ///
    /// # Errors
    /// If a change is not `key=value`, or the changed rules are invalid.
    pub fn with_changes(&self, changes: &[String]) -> Result<Self, ChangeError> {
        let mut document = self.document()?;
        let mut keys = Vec::new();
        for change in changes {
            keys.push(apply_change(&mut document, change)?);
        }
        // Moves on heaps are given by a code, or by what is taken and split.
        let has = |key: &str| keys.contains(&key);
        match (has("code"), has("take") || has("split")) {
            (true, false) => ["take", "split"].iter().for_each(|key| drop(document.remove(key))),
            (false, true) => drop(document.remove("code")),
            _ => {}
        }
        // A file has either a board or a start.
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
            let mistake = RulesError::Toml { message: e.message().to_owned() };
            TextError { kind: TextKind::Rules(self.name.clone()), ..error(&self.text, span, mistake) }
        })
    }

    /// Returns the rules as `key=value`, the form that [`with_changes`](Self::with_changes) takes, in the file's order:
    /// without the family, the descriptions, the board and the start.
    ///
    /// # Errors
    /// Never, if the file was made by [`parse`](Self::parse): an invalid text is refused there.
    pub fn assignments(&self) -> Result<Vec<String>, TextError> {
        self.assignments_but(&["family", "about", "about_ko", "board", "start"])
    }

    fn assignments_but(&self, others: &[&str]) -> Result<Vec<String>, TextError> {
        let mut changes = Vec::new();
        push_changes("", self.document()?.as_table(), &mut changes);
        changes.retain(|change| !others.contains(&change.split('=').next().unwrap_or_default()));
        Ok(changes)
    }

    /// Returns the rules that differ from those of the preset called `name`; all rules of the file if there is
    /// no such preset.
    ///
    /// # Errors
    /// Never, if the file was made by [`parse`](Self::parse): an invalid text is refused there.
    pub fn non_default_rules(&self, name: &str) -> Result<Vec<String>, TextError> {
        let default = preset(name).transpose()?.map(|preset| preset.assignments()).transpose()?.unwrap_or_default();
        Ok(self.assignments()?.into_iter().filter(|change| !default.contains(change)).collect())
    }

    /// Returns the text that identifies the game of stored results: the family, the rules and the
    /// [size](crate::Notation::size), one a line.
    ///
    /// # Errors
    /// Never, if the file was made by [`parse`](Self::parse): an invalid text is refused there.
    pub fn identity(&self, size: &str) -> Result<String, TextError> {
        let family = self.text.lines().find(|line| line.trim_start().starts_with("family"));
        let family = family.map_or("", |line| line.split('#').next().unwrap_or_default().trim());
        let mut lines = vec![family.split_whitespace().collect::<String>()];
        // Files of earlier versions have the Korean description among the rules.
        lines.extend(self.assignments_but(&["family", "about", "board", "start"])?);
        lines.push(format!("{}={size}", if self.has_board() { "board" } else { "start" }));
        Ok(lines.join("\n"))
    }

    /// Whether the board was set explicitly, so that every position must be on it.
    #[must_use]
    pub const fn has_fixed_board(&self) -> bool {
        self.board_is_fixed
    }

    /// Whether games have a board. The others are heap games, of which large ones take time to create.
    #[must_use]
    pub fn has_board(&self) -> bool {
        self.rules.has_board()
    }

    /// Returns the board; meaningless for games without one.
    pub(crate) const fn board(&self) -> Board {
        self.board
    }

    /// Returns the game, from the file's start.
    ///
    /// # Errors
    /// Never, if the file was made by [`parse`](Self::parse): an invalid text is refused there.
    pub fn game(&self) -> Result<AnyGame, TextError> {
        if let Some(game) = self.game.get() {
            return Ok(game.clone());
        }
        let game = match &self.start {
            Some(text) => self.rules.game_at(self.board, text),
            None => self.rules.game_on(self.board),
        }?;
        Ok(self.game.get_or_init(|| game).clone())
    }

    /// Returns the answer about a position that is too large for a search but follows from a theory: heaps of up to 2^63
    /// tokens whose nimbers have a formula or a proved period, two heaps of Wythoff's Nim, one heap with a memory, and Treblecross
    /// on a row of more than 20 cells. It has the winner, the nimber or misère value if it is known, and winning moves: all if they are few. It is complete unless the question is
    /// about plies or other moves. `None` if a search answers the position.
    ///
    /// # Errors
    /// If a heap is larger than can be answered.
    #[must_use]
    pub fn large_answer(&self, text: &str, question: Query) -> Option<Result<Answer, TextError>> {
        let found = self.rules.large_answer(text).or_else(|| row_answer(self, text).map(Ok))?;
        let complete = question.goal.is_none_or(|goal| goal == Goal::Winner);
        Some(found.map(|answer| Answer { game: self.name.clone(), complete, ..answer }))
    }

    /// Returns the game from the position in `text`, on the board of that position unless
    /// [`with_board`](Self::with_board) has fixed the board.
    ///
    /// # Errors
    /// If the text is not a position of such a game.
    pub fn game_at(&self, text: &str) -> Result<AnyGame, TextError> {
        let game = self.rules.game_at(self.board, text).map_err(|inner| match inner.kind {
            // Rules that do not fit the position's board.
            TextKind::Rules(_) => error(text, 0..text.len(), inner.cause),
            _ => inner,
        })?;
        if let Some(board) = game.board()
            && self.board_is_fixed
            && board != self.board
        {
            return Err(error(text, 0..text.len(), RowsError::NotRequested { board, requested: self.board }));
        }
        Ok(game)
    }
}

/// Appends `key=value` for every key of a table and of the tables in it. `prefix` is the path of the table.
fn push_changes(prefix: &str, table: &dyn toml_edit::TableLike, changes: &mut Vec<String>) {
    for (key, item) in table.iter() {
        match (item.as_table_like(), item.as_value()) {
            (Some(inner), _) => push_changes(&format!("{prefix}{key}."), inner, changes),
            (None, Some(value)) => {
                let value = value.as_str().map_or_else(|| value.clone().decorated("", "").to_string(), str::to_owned);
                changes.push(format!("{prefix}{key}={}", value.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
            (None, None) => {}
        }
    }
}

/// Applies one `key=value` to a document and returns the key.
fn apply_change<'c>(document: &mut DocumentMut, change: &'c str) -> Result<&'c str, ChangeError> {
    let malformed = || ChangeError::Set(change.into());
    let (key, value) = change.split_once('=').ok_or_else(malformed)?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() || key.split('.').any(str::is_empty) {
        return Err(malformed());
    }
    // A board is always text, so that `3` gets the same error as `3x`.
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
    fn changes_read_back_as_themselves() {
        let text = "family = \"placement\"\nboard = \"4x4\" # small\nmisere = true # yes\n[left]\nL = \"##/#.\"\n[right]\n\
                    I = \"##\"\n";
        let rules = RulesFile::parse("own", text).unwrap();
        let changes = rules.assignments().unwrap();
        assert_eq!(changes, ["misere=true", "left.L=##/#.", "right.I=##"]);
        assert_eq!(rules.with_changes(&changes).unwrap().assignments().unwrap(), changes);
    }
}
