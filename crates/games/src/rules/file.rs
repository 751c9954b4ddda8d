//! Reading a rules file: TOML with spans, so that an error points at its line.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::RulesFile;
use crate::board::Board;
use crate::error::{InputError, RulesError};
use crate::registry::{Family, FamilyRules, families};
use crate::text::{TextError, TextKind};

/// A string with its place in a rules file.
pub(crate) type Text = Spanned<String>;

/// The key that determines the other keys.
#[derive(Deserialize)]
struct FamilyFile {
    family: Option<Text>,
}

/// The default of keys that are `true` unless a file says otherwise.
pub(crate) const fn yes() -> bool {
    true
}

/// A rules file being read by its family.
#[derive(Clone, Copy, Debug)]
pub struct RulesSource<'t> {
    name: &'t str,
    text: &'t str,
    family: &'static Family,
}

pub(super) fn parse(name: &str, text: &str) -> Result<RulesFile, TextError> {
    let all = families();
    // Errors before the family is known need none.
    let source = RulesSource { name, text, family: all[0] };
    let FamilyFile { family } = source.read_any()?;
    let Some(family) = family else {
        return (crate::language::FAMILY.read)(RulesSource { family: &crate::language::FAMILY, ..source });
    };
    match all.into_iter().find(|known| known.name == family.get_ref()) {
        Some(family) => (family.read)(RulesSource { family, ..source }),
        None => Err(source.error(family.span(), RulesError::OtherFamily { found: family.get_ref().clone() })),
    }
}

impl<'t> RulesSource<'t> {
    /// A file that is read by a family.
    pub(crate) const fn new(name: &'t str, text: &'t str, family: &'static Family) -> Self {
        Self { name, text, family }
    }

    /// Returns the name of the file.
    pub(crate) const fn name(self) -> &'t str {
        self.name
    }

    /// Returns the text of the file.
    pub(crate) const fn text(self) -> &'t str {
        self.text
    }

    /// Returns an error at a place in the file.
    pub fn error(self, span: Range<usize>, cause: impl Into<InputError>) -> TextError {
        TextError { kind: TextKind::Rules(self.name.into()), text: self.text.into(), span, cause: cause.into() }
    }

    /// Turns an error within a string of the document into an error of the document.
    pub(crate) fn error_in(self, value: &Text, inner: TextError) -> TextError {
        let span = value.span();
        let written = self.text.get(span.clone()).unwrap_or_default();
        let span = match written.find(value.get_ref().as_str()) {
            Some(at) => span.start + at + inner.span.start..span.start + at + inner.span.end,
            None => span,
        };
        self.error(span, inner.cause)
    }

    /// Reads the file as a value of `T`, which has the keys of the family.
    ///
    /// # Errors
    /// If a key is unknown, missing or of another type.
    pub fn read<T: for<'de> Deserialize<'de>>(self) -> Result<T, TextError> {
        let table: BTreeMap<Text, toml::Value> = self.read_any()?;
        let Family { keys, required, .. } = *self.family;
        let others = table.keys().filter(|key| !keys.contains(&key.get_ref().as_str()));
        if let Some(other) = others.min_by_key(|key| key.span().start) {
            return Err(self.error(other.span(), RulesError::OtherKey { key: other.get_ref().clone(), keys }));
        }
        if let Some(key) = required.iter().find(|key| !table.contains_key(**key)) {
            return Err(self.error(0..0, RulesError::MissingKey { key }));
        }
        self.read_any()
    }

    fn read_any<T: for<'de> Deserialize<'de>>(self) -> Result<T, TextError> {
        toml::from_str(self.text).map_err(|e| {
            let end = self.text.len();
            self.error(e.span().unwrap_or(end..end), RulesError::Toml { message: in_plain_words(e.message()) })
        })
    }

    /// Returns a string, or the source text of a value that people write without quotes, such as `0.77`.
    pub(crate) fn as_written(self, value: &Spanned<toml::Value>) -> Text {
        let text = match value.get_ref() {
            toml::Value::String(text) => text,
            _ => self.text.get(value.span()).unwrap_or_default(),
        };
        Spanned::new(value.span(), text.to_owned())
    }

    /// Creates the rules file, on the board that its size or its start gives.
    ///
    /// # Errors
    /// If the size is no board's, the start is no position of such a game, or there are both or neither.
    pub fn rules_file(
        self,
        about: Option<String>,
        rules: impl FamilyRules + 'static,
        board: Option<&Text>,
        start: Option<&Text>,
    ) -> Result<RulesFile, TextError> {
        let board = match (board, start) {
            (Some(size), None) => {
                let most = rules.max_cells();
                let none = |error| self.error(size.span(), RulesError::BoardSize { error, max: most });
                Board::parse(size.get_ref(), most).map_err(none)?
            }
            (None, Some(text)) => {
                // The text shows its own board: this one is a placeholder.
                let most = rules.max_cells();
                let none = |error| self.error(text.span(), RulesError::BoardSize { error, max: most });
                let any_board = Board::new(1, 1).map_err(none)?;
                let game = rules.game_at(any_board, text.get_ref());
                game.map_err(|inner| match inner.kind {
                    // The rules do not fit the board.
                    TextKind::Rules(_) => inner,
                    _ => self.error_in(text, inner),
                })?
                .board()
                .unwrap_or(any_board)
            }
            (Some(_), Some(text)) => return Err(self.error(text.span(), RulesError::BoardAndStart)),
            (None, None) => return Err(self.error(0..0, RulesError::NeitherBoardNorStart)),
        };
        Ok(RulesFile {
            name: self.name.into(),
            about: about.unwrap_or_default(),
            about_ko: String::new(),
            text: self.text.into(),
            rules: Arc::new(rules),
            board,
            start: start.map(|text| text.get_ref().clone()),
            board_is_fixed: false,
            game: Arc::default(),
        })
    }
}

/// Replaces names of Rust types in a message of the TOML reader by what the file should have.
fn in_plain_words(message: &str) -> String {
    const TYPES: [(&str, &str); 3] =
        [("i64", "a whole number"), ("a string", "text in quotes"), ("a boolean", "true or false")];
    let plain = TYPES.iter().find_map(|(name, plain)| {
        message.strip_suffix(name).filter(|found| found.ends_with("expected ")).map(|found| format!("{found}{plain}"))
    });
    plain.unwrap_or_else(|| message.to_owned())
}
