//! Request bodies.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

use super::json::AskName;
use crate::error::RequestError;
use crate::server::layers::MAX_BODY_BYTES;

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
pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<SolveRequest, RequestError> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let help = "send JSON, and say so: `Content-Type: application/json`";
        return Err(RequestError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a body that is not said to be JSON", help));
    }
    let bytes = match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await {
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
