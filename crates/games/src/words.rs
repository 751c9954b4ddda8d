//! Messages about mistakes, and descriptions of rules, in English and Korean side by side.

mod board;
mod pieces;
mod record;
mod rules;
mod values;

use std::fmt;

pub(crate) use board::after;

use crate::any::AnyGame;
use crate::error::InputError;
use crate::nearest::nearest;
use crate::rules::ChangeError;
use crate::text::{TextError, TextKind};
use crate::{heaps, language, lines, pile, placement, row, walkers};

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
}

impl Lang {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::En, Self::Ko];

    /// Returns the language's code, as in `lang="ko"`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ko => "ko",
        }
    }

    /// Returns the language of a code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// Selects the phrase in this language.
    pub fn pick<T>(self, en: T, ko: T) -> T {
        match self {
            Self::En => en,
            Self::Ko => ko,
        }
    }
}

/// The message about a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The mistake.
    pub message: String,
    /// The form that was expected, or the remedy.
    pub help: String,
}

impl Explanation {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// Describes the rules of a game, one sentence each.
#[must_use]
pub fn describe_rules(lang: Lang, game: &AnyGame) -> Vec<String> {
    game.describe(lang)
}

impl InputError {
    /// Describes the mistake: what was found and what was expected.
    #[must_use]
    pub fn explain(&self, lang: Lang) -> Explanation {
        match self {
            Self::Rows(mistake) => board::rows(lang, mistake),
            Self::Walkers(mistake) => walkers::messages::explain(lang, mistake),
            Self::Placement(mistake) => placement::messages::explain(lang, mistake),
            Self::Lines(mistake) => lines::messages::explain(lang, mistake),
            Self::Heaps(mistake) => heaps::messages::explain(lang, mistake),
            Self::Row(mistake) => row::explain(lang, mistake),
            Self::Pile(mistake) => pile::explain(lang, mistake),
            Self::Language(mistake) => language::messages::explain(lang, mistake),
            Self::Record(mistake) => record::record(lang, mistake),
            Self::Rules(mistake) => rules::rules(lang, mistake),
            Self::Pieces(mistake) => pieces::pieces(lang, mistake),
            Self::Custom(mistake) => Explanation::new(&mistake.found, &mistake.expected),
            Self::Values(mistake) => values::values(lang, mistake),
        }
    }
}

impl TextError {
    /// Returns the name of the text: `position`, `moves`, `expression` or a file's name.
    #[must_use]
    pub fn name(&self, lang: Lang) -> &str {
        match &self.kind {
            TextKind::Position => lang.pick("position", "국면"),
            TextKind::Record => lang.pick("moves", "수순"),
            TextKind::Expression => lang.pick("expression", "식"),
            TextKind::Rules(name) => name,
        }
    }

    /// Describes the mistake after the text's name.
    #[must_use]
    pub fn explain(&self, lang: Lang) -> Explanation {
        let Explanation { message, help } = self.cause.explain(lang);
        Explanation { message: format!("{}: {message}", self.name(lang)), help }
    }
}

/// In English.
impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.explain(Lang::En).message)
    }
}

/// In English.
impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(Lang::En), self.cause)
    }
}

/// In English.
impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(Lang::En))
    }
}

impl ChangeError {
    /// Describes the refused change.
    #[must_use]
    pub fn message(&self, lang: Lang) -> String {
        match self {
            Self::Text(error) => error.explain(lang).message,
            Self::Set(change) => lang.pick(
                format!("`{change}` changes nothing; expected key=value, such as k=5"),
                format!("`{change}`: 바뀌는 것이 없습니다. k=5처럼 항목=값으로 적으세요"),
            ),
            Self::NoTable(change, key) => lang.pick(
                format!("`{change}` changes nothing: `{key}` is not a table"),
                format!("`{change}`: 바뀌는 것이 없습니다. `{key}` 항목은 표가 아닙니다"),
            ),
        }
    }
}

/// Returns a question that suggests the name nearest to `found`; empty if none is near.
pub(crate) fn did_you_mean(lang: Lang, found: &str, names: &[&str]) -> String {
    // A word may be known and yet not be meant here.
    match nearest(found, names.iter().copied()).filter(|name| *name != found) {
        Some(name) => lang.pick(format!("did you mean `{name}`? "), format!("혹시 `{name}`인가요? ")),
        None => String::new(),
    }
}
