//! Request bodies.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

use super::json::AskName;
use crate::headers::LARGEST_BODY;
use crate::refusal::Refusal;

/// A position to solve: of a `game`, or by `rules`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SolveRequest {
    /// A preset's name.
    pub(super) game: Option<String>,
    /// Or the text of a rules file, which is TOML.
    pub(super) rules: Option<String>,
    /// The position; left out, the game's start.
    pub(super) position: Option<String>,
    /// Changes of the rules, each `key=value`.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub(super) set: Vec<String>,
    /// Left out: what is within reach.
    pub(super) ask: Option<AskName>,
}

/// A client has so long to send a body.
const WITHIN: Duration = Duration::from_secs(10);

/// Changes of rules in one request: twice as many as there are rules.
const MOST_CHANGES: usize = 32;

pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<SolveRequest, Refusal> {
    let said = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = said.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let help = "send JSON, and say so: `Content-Type: application/json`";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a body that is not said to be JSON", help));
    }
    let bytes = match tokio::time::timeout(WITHIN, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            let message = "a body that is too large, or broken off";
            let help = format!("{LARGEST_BODY} bytes at most");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message, help));
        }
        Err(_) => {
            let help = format!("send it within {} seconds", WITHIN.as_secs());
            return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "a body that takes too long", help));
        }
    };
    let help =
        "expected an object such as {\"game\": \"tictactoe\", \"position\": \"X../.../...\", \"ask\": \"value\"}";
    let request: SolveRequest =
        serde_json::from_slice(&bytes).map_err(|e| Refusal::bad(format!("the body: {e}"), help))?;
    if request.set.len() > MOST_CHANGES {
        return Err(Refusal::bad(format!("{} changes", request.set.len()), format!("{MOST_CHANGES} at most")));
    }
    Ok(request)
}
