//! Refused pages: the reason, and what to do.

use std::ops::Range;

use axum::http::StatusCode;
use balpan::EngineError;
use balpan_games::{ChangeError, TextError};

use crate::answers::GivenUp;
use crate::words::refusal::{self as say, Words};
use crate::words::{Lang, census, theory};

/// What was found, where, and what was expected.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// The name of its kind, where a position or rules are wrong.
    pub(crate) kind: Option<&'static str>,
    /// What was found.
    pub(crate) message: String,
    /// What was expected, or what can be done.
    pub(crate) help: String,
    /// Both in Korean, where there are words for it.
    pub(crate) korean: Option<Box<Words>>,
    /// The text that is wrong and the bytes of it, if there is one.
    pub(crate) text: Option<(String, Range<usize>)>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { status, kind: None, message: message.into(), help: help.into(), korean: None, text: None }
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

    pub(crate) fn no_certificate() -> Self {
        Self::told(StatusCode::NOT_FOUND, say::no_certificate)
    }

    /// The certificate is not checked yet.
    pub(crate) fn certificate_unchecked() -> Self {
        Self::told(StatusCode::SERVICE_UNAVAILABLE, say::certificate_unchecked)
    }

    pub(crate) fn no_lesson() -> Self {
        Self::told(StatusCode::NOT_FOUND, say::no_lesson)
    }

    pub(crate) fn too_many_positions() -> Self {
        Self::told(StatusCode::UNPROCESSABLE_ENTITY, census::too_many)
    }

    pub(crate) fn not_impartial() -> Self {
        Self::told(StatusCode::BAD_REQUEST, theory::not_impartial)
    }

    pub(crate) fn no_puzzle() -> Self {
        Self::told(StatusCode::NOT_FOUND, say::no_puzzle)
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
        let told = Self::told(StatusCode::BAD_REQUEST, |lang| {
            let words = error.words(lang);
            (words.message, words.help)
        });
        Self { kind: Some(error.cause.kind()), text: Some((error.text, error.span)), ..told }
    }
}

impl From<ChangeError> for Refusal {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Text(error) => error.into(),
            other => {
                let told = Self::told(StatusCode::BAD_REQUEST, |lang| say::no_change(lang, other.message(lang)));
                Self { kind: Some(other.kind()), ..told }
            }
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

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        if matches!(error, EngineError::Stopped(_)) {
            return Self::told(StatusCode::UNPROCESSABLE_ENTITY, say::too_hard);
        }
        Self::bad(error.to_string(), "take a smaller board or a later position")
    }
}
