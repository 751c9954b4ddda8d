//! The error of a request, with its HTTP status and its message in each language.

use axum::Extension;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use balpan::EngineError;
use balpan_games::{ChangeError, QueryError, TextError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::answers::Timeout;
use crate::api::json::json;
use crate::words::Lang;
use crate::words::error::{self as say, Message};

/// An error, which a page shows, or under `/api` the body of a response.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ErrorMessage, description = "The message of an error.")]
pub(crate) struct RequestError {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    /// The kind of a mistake in a position or in rules, such as `no_cell`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    kind: Option<&'static str>,
    /// What was found.
    pub(crate) message: String,
    /// What was expected, or what can be done.
    help: String,
    /// The message and the help in Korean, where they are translated.
    #[serde(skip)]
    korean: Option<Box<Message>>,
    /// The text that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) text: Option<String>,
    /// The range of the wrong bytes: start and end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) span: Option<Box<[usize; 2]>>,
}

/// An error.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    pub(crate) error: RequestError,
}

/// The response is completed by [`render`](crate::page::render), which knows the reader.
impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        (self.status, Extension(self)).into_response()
    }
}

impl RequestError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>, help: impl Into<String>) -> Self {
        let (message, help) = (message.into(), help.into());
        Self { status, kind: None, message, help, korean: None, text: None, span: None }
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

    /// Responds with the error as JSON.
    pub(crate) fn json(self) -> Response {
        let status = self.status;
        let retry = (status == StatusCode::SERVICE_UNAVAILABLE).then_some([(RETRY_AFTER, "10")]);
        (retry, json(status, &ErrorBody { error: self })).into_response()
    }

    /// A request that makes no sense.
    pub(crate) fn invalid(words: impl Fn(Lang) -> Message) -> Self {
        Self::localized(StatusCode::BAD_REQUEST, words)
    }

    pub(crate) fn not_found(words: impl Fn(Lang) -> Message) -> Self {
        Self::localized(StatusCode::NOT_FOUND, words)
    }

    /// A question that is too hard for a page.
    pub(crate) fn too_hard(words: impl Fn(Lang) -> Message) -> Self {
        Self::localized(StatusCode::UNPROCESSABLE_ENTITY, words)
    }

    pub(crate) fn bad_request(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message, help)
    }

    /// A value of a query that its key does not accept.
    pub(crate) fn invalid_value(key: &str, value: &str, expected: impl Fn(Lang) -> &'static str) -> Self {
        Self::invalid(|lang| say::value(lang, key, value, expected(lang)))
    }

    /// A key of a query that this kind of page does not have.
    pub(crate) fn unknown_key(key: &str) -> Self {
        Self::invalid(|lang| say::key(lang, key))
    }

    pub(crate) fn no_game(name: &str) -> Self {
        let names: Vec<_> = balpan_games::presets::all().into_iter().map(|(name, _)| name).collect();
        let all = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let meant = balpan_games::nearest(name, names);
        Self::not_found(|lang| {
            let meant = meant.map_or_else(String::new, |meant| say::did_you_mean(lang, meant));
            say::no_game(lang, name, &format!("{meant}{}", say::the_games(lang, &all)))
        })
    }

    /// Too many questions wait.
    pub(crate) fn busy() -> Self {
        Self::localized(StatusCode::SERVICE_UNAVAILABLE, say::busy)
    }
}

impl From<TextError> for RequestError {
    fn from(error: TextError) -> Self {
        let localized = Self::invalid(|lang| {
            let words = error.explain(lang);
            (words.message, words.help)
        });
        let span = Some(Box::new([error.span.start, error.span.end]));
        Self { kind: Some(error.cause.kind()), text: Some(error.text), span, ..localized }
    }
}

impl From<ChangeError> for RequestError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Text(error) => error.into(),
            other => {
                let localized = Self::invalid(|lang| say::no_change(lang, &other.message(lang)));
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

impl From<QueryError> for RequestError {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Text(error) => error.into(),
            QueryError::NoAnswer(error) => error.into(),
        }
    }
}

impl From<EngineError> for RequestError {
    fn from(error: EngineError) -> Self {
        if matches!(error, EngineError::Stopped(_)) {
            return Self::too_hard(say::too_hard);
        }
        if let EngineError::Rules(failure) = &error {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            return Self { status, ..Self::invalid(|lang| say::rules_failure(lang, &failure.0)) };
        }
        Self::bad_request(error.to_string(), "take a smaller board or a later position")
    }
}
