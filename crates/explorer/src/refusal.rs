//! Why a page is refused, told so that it helps.

use std::ops::Range;

use axum::http::StatusCode;
use balpan_games::{ChangeError, NoAnswer, TextError};

use crate::answers::GivenUp;
use crate::words::Lang;
use crate::words::refusal::{self as say, Words};

/// What was found, where, and what was expected.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// What was found.
    pub(crate) message: String,
    /// What was expected, or what can be done.
    pub(crate) help: String,
    /// Both in Korean, where it is the explorer itself that says it.
    pub(crate) korean: Option<Box<Words>>,
    /// The text that is wrong and the bytes of it, if there is one.
    pub(crate) text: Option<(String, Range<usize>)>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { status, message: message.into(), help: help.into(), korean: None, text: None }
    }

    /// In each language.
    pub(crate) fn told(status: StatusCode, words: impl Fn(Lang) -> Words) -> Self {
        let (message, help) = words(Lang::En);
        Self { korean: Some(Box::new(words(Lang::Ko))), ..Self::new(status, message, help) }
    }

    /// What was found and what was expected, and the language that this is in.
    pub(crate) fn words(&self, lang: Lang) -> (&str, &str, Lang) {
        match (lang, self.korean.as_deref()) {
            (Lang::Ko, Some((message, help))) => (message, help, Lang::Ko),
            _ => (&self.message, &self.help, Lang::En),
        }
    }

    pub(crate) fn bad(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message, help)
    }

    /// A query's value that cannot be meant.
    pub(crate) fn value(key: &str, value: &str, expected: impl Fn(Lang) -> &'static str) -> Self {
        Self::told(StatusCode::BAD_REQUEST, |lang| say::value(lang, key, value, expected(lang)))
    }

    /// A query's key that no page of this kind knows.
    pub(crate) fn key(key: &str) -> Self {
        Self::told(StatusCode::BAD_REQUEST, |lang| say::key(lang, key))
    }

    pub(crate) fn no_game(name: &str) -> Self {
        let names: Vec<_> = balpan_games::presets::PRESETS.iter().map(|(name, _)| format!("`{name}`")).collect();
        Self::told(StatusCode::NOT_FOUND, |lang| say::no_game(lang, name, &names.join(", ")))
    }

    /// Too much is waiting.
    pub(crate) fn busy() -> Self {
        Self::told(StatusCode::SERVICE_UNAVAILABLE, say::busy)
    }

    pub(crate) fn no_page() -> Self {
        Self::told(StatusCode::NOT_FOUND, say::no_page)
    }
}

impl From<TextError> for Refusal {
    fn from(error: TextError) -> Self {
        let text = Some((error.text.clone(), error.span.clone()));
        Self { text, ..Self::bad(format!("{}: {}", error.name, error.message), error.help) }
    }
}

impl From<ChangeError> for Refusal {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Text(error) => error.into(),
            other => Self::bad(other.to_string(), "the game's page shows its rules file"),
        }
    }
}

impl From<GivenUp> for Refusal {
    fn from(GivenUp { after, positions }: GivenUp) -> Self {
        let message = format!("given up after {} seconds and {positions} positions", after.as_secs());
        let help = "take a smaller board or a later position; `balpan solve` on your own machine has no such limit";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message, help)
    }
}

impl From<NoAnswer> for Refusal {
    fn from(error: NoAnswer) -> Self {
        Self::bad(error.to_string(), "take a smaller board or a later position")
    }
}
