//! Why a page is refused, told so that it helps.

use std::ops::Range;

use axum::http::StatusCode;
use balpan_games::{ChangeError, NoAnswer, TextError};

use crate::answers::GivenUp;

/// What was found, where, and what was expected.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// What was found.
    pub(crate) message: String,
    /// What was expected, or what can be done.
    pub(crate) help: String,
    /// The text that is wrong and the bytes of it, if there is one.
    pub(crate) text: Option<(String, Range<usize>)>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { status, message: message.into(), help: help.into(), text: None }
    }

    pub(crate) fn bad(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message, help)
    }

    /// A query's value that cannot be meant.
    pub(crate) fn value(key: &str, value: &str, expected: &str) -> Self {
        Self::bad(format!("`{key}={value}`"), format!("expected {expected} for `{key}`"))
    }

    /// A query's key that no page of this kind knows.
    pub(crate) fn key(key: &str) -> Self {
        let help = "expected `at`, `moves`, `as`, `marks`, `lang` or a key of the game's rules file, such as `board`";
        Self::bad(format!("`{key}` means nothing here"), help)
    }

    pub(crate) fn no_game(name: &str) -> Self {
        let names: Vec<_> = balpan_games::presets::PRESETS.iter().map(|(name, _)| *name).collect();
        Self::new(StatusCode::NOT_FOUND, format!("`{name}` is no game"), format!("the games are {}", names.join(", ")))
    }

    /// Too much is waiting.
    pub(crate) fn busy() -> Self {
        let help = "ask again later; `balpan solve` on your own machine does not wait";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "too many positions wait to be solved", help)
    }

    pub(crate) fn no_page() -> Self {
        Self::new(StatusCode::NOT_FOUND, "there is no such page", "the games are at `/`")
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
