//! The error of a request, with its HTTP status and its message in each language.

use std::ops::Range;

use axum::http::StatusCode;
use balpan::EngineError;
use balpan_games::{ChangeError, TextError};

use crate::answers::Timeout;
use crate::words::error::{self as say, Message};
use crate::words::{Lang, census, theory};

/// An error that a page or a JSON body shows.
#[derive(Clone, Debug)]
pub(crate) struct RequestError {
    pub(crate) status: StatusCode,
    /// The name of the mistake in a position or in rules.
    pub(crate) kind: Option<&'static str>,
    /// What was found.
    pub(crate) message: String,
    /// What was expected, or what can be done.
    pub(crate) help: String,
    /// The message and the help in Korean, where they are translated.
    pub(crate) korean: Option<Box<Message>>,
    /// The wrong text, and the range of its wrong bytes.
    pub(crate) text: Option<(String, Range<usize>)>,
}

impl RequestError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { status, kind: None, message: message.into(), help: help.into(), korean: None, text: None }
    }

    /// Creates an error whose message is translated.
    pub(crate) fn localized(status: StatusCode, words: impl Fn(Lang) -> Message) -> Self {
        let (message, help) = words(Lang::En);
        Self { korean: Some(Box::new(words(Lang::Ko))), ..Self::new(status, message, help) }
    }

    /// Returns the message, the help, and the language that they are in.
    pub(crate) fn message_in(&self, lang: Lang) -> (&str, &str, Lang) {
        match (lang, self.korean.as_deref()) {
            (Lang::Ko, Some((message, help))) => (message, help, Lang::Ko),
            _ => (&self.message, &self.help, Lang::En),
        }
    }

    pub(crate) fn bad_request(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message, help)
    }

    /// A value of a query that its key does not accept.
    pub(crate) fn invalid_value(key: &str, value: &str, expected: impl Fn(Lang) -> &'static str) -> Self {
        Self::localized(StatusCode::BAD_REQUEST, |lang| say::value(lang, key, value, expected(lang)))
    }

    /// A key of a query that this kind of page does not have.
    pub(crate) fn unknown_key(key: &str) -> Self {
        Self::localized(StatusCode::BAD_REQUEST, |lang| say::key(lang, key))
    }

    pub(crate) fn no_game(name: &str) -> Self {
        let names: Vec<_> = balpan_games::presets::PRESETS.iter().map(|(name, _)| format!("`{name}`")).collect();
        Self::localized(StatusCode::NOT_FOUND, |lang| say::no_game(lang, name, &names.join(", ")))
    }

    pub(crate) fn no_certificate() -> Self {
        Self::localized(StatusCode::NOT_FOUND, say::no_certificate)
    }

    /// A certificate that is not checked yet.
    pub(crate) fn certificate_unchecked() -> Self {
        Self::localized(StatusCode::SERVICE_UNAVAILABLE, say::certificate_unchecked)
    }

    pub(crate) fn no_lesson() -> Self {
        Self::localized(StatusCode::NOT_FOUND, say::no_lesson)
    }

    pub(crate) fn too_many_positions() -> Self {
        Self::localized(StatusCode::UNPROCESSABLE_ENTITY, census::too_many)
    }

    pub(crate) fn not_impartial() -> Self {
        Self::localized(StatusCode::BAD_REQUEST, theory::not_impartial)
    }

    pub(crate) fn no_puzzle() -> Self {
        Self::localized(StatusCode::NOT_FOUND, say::no_puzzle)
    }

    /// Too many questions wait.
    pub(crate) fn busy() -> Self {
        Self::localized(StatusCode::SERVICE_UNAVAILABLE, say::busy)
    }

    pub(crate) fn no_page() -> Self {
        Self::localized(StatusCode::NOT_FOUND, say::no_page)
    }
}

impl From<TextError> for RequestError {
    fn from(error: TextError) -> Self {
        let localized = Self::localized(StatusCode::BAD_REQUEST, |lang| {
            let words = error.explain(lang);
            (words.message, words.help)
        });
        Self { kind: Some(error.cause.kind()), text: Some((error.text, error.span)), ..localized }
    }
}

impl From<ChangeError> for RequestError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Text(error) => error.into(),
            other => {
                let localized =
                    Self::localized(StatusCode::BAD_REQUEST, |lang| say::no_change(lang, other.message(lang)));
                Self { kind: Some(other.kind()), ..localized }
            }
        }
    }
}

impl From<Timeout> for RequestError {
    fn from(Timeout { after, positions }: Timeout) -> Self {
        let message = format!("given up after {} seconds and {positions} positions", after.as_secs());
        let help = "take a smaller board or a later position; `balpan solve` on your own machine has no such limit";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message, help)
    }
}

impl From<EngineError> for RequestError {
    fn from(error: EngineError) -> Self {
        if matches!(error, EngineError::Stopped(_)) {
            return Self::localized(StatusCode::UNPROCESSABLE_ENTITY, say::too_hard);
        }
        Self::bad_request(error.to_string(), "take a smaller board or a later position")
    }
}
