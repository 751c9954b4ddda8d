//! JSON bodies of responses; an answer itself is [`balpan_games::Answer`].

use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use balpan::Goal;
use balpan_games::Answer;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::answers::Progress;
use crate::error::RequestError;

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

impl AskName {
    pub(super) fn parse(text: &str) -> Result<Self, RequestError> {
        match text {
            "winner" => Ok(Self::Winner),
            "outcome" => Ok(Self::Outcome),
            "value" => Ok(Self::Value),
            "moves" => Ok(Self::Moves),
            other => Err(RequestError::invalid_value("ask", other, |_| "`winner`, `outcome`, `value` or `moves`")),
        }
    }
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
    progress: Option<SearchProgress>,
    /// What is known so far.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared")]
    #[schema(nullable = false, value_type = Option<Answer>)]
    known: Option<Arc<Answer>>,
}

fn shared<S: Serializer>(answer: &Option<Arc<Answer>>, serializer: S) -> Result<S::Ok, S::Error> {
    answer.as_deref().serialize(serializer)
}

/// The progress of a search.
#[derive(Serialize, ToSchema)]
#[schema(as = HowFar)]
struct SearchProgress {
    /// Seconds since the question was first asked.
    seconds: f64,
    /// Positions searched.
    positions: u64,
    /// Moves of the position that are solved.
    moves_known: u64,
    /// All moves of the position; 0 while they are not counted.
    moves: u64,
    /// The part of the current step that is done, from 0 to 1; 0 if unknown.
    share: f64,
    /// Questions that come before this one; 0 when it is being solved.
    ahead: usize,
}

impl NotYet {
    pub(super) fn new(progress: Option<Progress>, known: Option<Arc<Answer>>) -> Self {
        Self { status: "not yet", progress: progress.map(SearchProgress::from), known }
    }
}

impl From<Progress> for SearchProgress {
    fn from(Progress { elapsed, positions, moves: (moves_known, moves), share, ahead }: Progress) -> Self {
        Self { seconds: elapsed.as_secs_f64(), positions, moves_known, moves, share, ahead }
    }
}

/// Returns a JSON response.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => (status, [(CONTENT_TYPE, "application/json")], bytes).into_response(),
        // Unreachable: no body here has keys or numbers that JSON lacks.
        Err(e) => (StatusCode::INTERNAL_SERVER_ERROR, e.to_string()).into_response(),
    }
}
