//! JSON bodies of requests and responses; an answer itself is [`balpan_games::Answer`].

#[cfg(not(feature = "server"))]
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use balpan::Goal;
use balpan_games::Answer;
use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::answers::Progress;
use crate::error::RequestError;
use crate::layers::MAX_BODY_BYTES;

/// All presets.
#[derive(Serialize, ToSchema)]
pub(super) struct Games {
    pub(super) games: Vec<GameInList>,
}

/// A preset.
#[derive(Serialize, ToSchema)]
pub(super) struct GameInList {
    /// The name to ask for.
    pub(super) name: String,
    /// The family of its rules: `walkers`, `placement`, `lines` or `heaps`.
    pub(super) family: &'static str,
    /// One line about the game.
    pub(super) about: String,
    /// The board, rows by columns; or the heaps.
    pub(super) size: String,
}

/// A game's rules.
#[derive(Serialize, ToSchema)]
pub(super) struct RulesOfGame {
    pub(super) name: String,
    /// The family of its rules: `walkers`, `placement`, `lines` or `heaps`.
    pub(super) family: &'static str,
    /// One line about the game.
    pub(super) about: String,
    /// The board, rows by columns; or the heaps.
    pub(super) size: String,
    /// The position at the start.
    pub(super) start: String,
    /// The text of its rules file, which is TOML.
    pub(super) rules: String,
}

/// How far to solve: `winner`, who wins, and a move that does; `outcome`, of every move; `value`, in how many plies, all
/// best moves and a line; `moves`, every move's value.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum AskName {
    Winner,
    Outcome,
    Value,
    Moves,
}

/// Parses the name of a goal in a query.
pub(super) fn parse_goal(text: &str) -> Result<Goal, RequestError> {
    let name = AskName::deserialize(text.into_deserializer());
    let error =
        |_: value::Error| RequestError::invalid_value("ask", text, |_| "`winner`, `outcome`, `value` or `moves`");
    Ok(name.map_err(error)?.into())
}

impl From<AskName> for Goal {
    fn from(name: AskName) -> Self {
        match name {
            AskName::Winner => Self::Winner,
            AskName::Outcome => Self::MoveOutcomes,
            AskName::Value => Self::Value,
            AskName::Moves => Self::MoveValues,
        }
    }
}

/// The state of a question that is being solved.
#[derive(Serialize, ToSchema)]
pub(super) struct NotYet {
    /// Always `not yet`.
    #[schema(value_type = String)]
    status: &'static str,
    /// The progress of the search; left out if it has not started, for a link from another site.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    progress: Option<Progress>,
    /// What is known so far.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared")]
    #[schema(nullable = false, value_type = Option<Answer>)]
    known: Option<Arc<Answer>>,
}

fn shared<S: Serializer>(answer: &Option<Arc<Answer>>, serializer: S) -> Result<S::Ok, S::Error> {
    answer.as_deref().serialize(serializer)
}

impl NotYet {
    pub(super) fn new(progress: Option<Progress>, known: Option<Arc<Answer>>) -> Self {
        Self { status: "not yet", progress, known }
    }
}

/// Returns a JSON response.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    (status, Json(body)).into_response()
}

/// A position to solve: of a `game`, or by `rules`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SolveRequest {
    /// A preset's name.
    pub(super) game: Option<String>,
    /// The text of a rules file, which is TOML, instead of `game`.
    pub(super) rules: Option<String>,
    /// The position; left out, the game's start.
    pub(super) position: Option<String>,
    /// Changes of the rules, each `key=value`.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub(super) set: Vec<String>,
    /// How far to solve; left out, as far as is within reach.
    pub(super) ask: Option<AskName>,
}

/// How long a client may take to send a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Changes of rules in one request: twice the number of rules.
const MAX_CHANGES: usize = 32;

/// Reads and parses the body of a request.
pub(super) async fn read_body(headers: &HeaderMap, body: Body) -> Result<SolveRequest, RequestError> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let help = "send JSON, and say so: `Content-Type: application/json`";
        return Err(RequestError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a body that is not said to be JSON", help));
    }
    let bytes = to_bytes(body, MAX_BODY_BYTES);
    #[cfg(feature = "server")]
    let bytes = tokio::time::timeout(BODY_TIMEOUT, bytes);
    #[cfg(not(feature = "server"))]
    let bytes = async { Ok::<_, Infallible>(bytes.await) };
    let bytes = match bytes.await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            let message = "a body that is too large, or broken off";
            let help = format!("{MAX_BODY_BYTES} bytes at most");
            return Err(RequestError::new(StatusCode::PAYLOAD_TOO_LARGE, message, help));
        }
        Err(_) => {
            let help = format!("send it within {} seconds", BODY_TIMEOUT.as_secs());
            return Err(RequestError::new(StatusCode::REQUEST_TIMEOUT, "a body that takes too long", help));
        }
    };
    let help =
        "expected an object such as {\"game\": \"tictactoe\", \"position\": \"X../.../...\", \"ask\": \"value\"}";
    let request: SolveRequest =
        serde_json::from_slice(&bytes).map_err(|e| RequestError::bad_request(format!("the body: {e}"), help))?;
    if request.set.len() > MAX_CHANGES {
        return Err(RequestError::bad_request(
            format!("{} changes", request.set.len()),
            format!("{MAX_CHANGES} at most"),
        ));
    }
    Ok(request)
}
