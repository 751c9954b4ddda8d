//! What is answered, as JSON; an answer itself is [`balpan_games::Answer`].

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use balpan::Ask;
use balpan_games::AnyGame;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answers::Progress;
use crate::refusal::Refusal;

/// All presets.
#[derive(Serialize, ToSchema)]
pub(super) struct Games {
    pub(super) games: Vec<GameInList>,
}

/// A preset.
#[derive(Serialize, ToSchema)]
pub(super) struct GameInList {
    /// What to ask for.
    pub(super) name: String,
    pub(super) family: Family,
    /// One line about the game.
    pub(super) about: String,
    /// The board, rows by columns; or the heaps.
    pub(super) size: String,
}

/// A game's rules.
#[derive(Serialize, ToSchema)]
pub(super) struct RulesOfGame {
    pub(super) name: String,
    pub(super) family: Family,
    /// One line about the game.
    pub(super) about: String,
    /// The board, rows by columns; or the heaps.
    pub(super) size: String,
    /// The position that it begins in.
    pub(super) start: String,
    /// The text of its rules file, which is TOML.
    pub(super) rules: String,
}

/// What kind of game it is.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Family {
    Walkers,
    Placement,
    Lines,
    Heaps,
}

impl Family {
    pub(super) const fn of(game: &AnyGame) -> Self {
        match game {
            AnyGame::Walkers(_) => Self::Walkers,
            AnyGame::Placement(_) | AnyGame::Wide(_) => Self::Placement,
            AnyGame::Lines(_) => Self::Lines,
            AnyGame::Heaps(_) => Self::Heaps,
        }
    }
}

/// What is asked: `value`, outcome and remoteness of every move; `outcome` alone;
/// `winner`, who wins, and one move that does.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum AskName {
    Value,
    Outcome,
    Winner,
}

impl AskName {
    pub(super) fn read(text: &str) -> Result<Self, Refusal> {
        match text {
            "value" => Ok(Self::Value),
            "outcome" => Ok(Self::Outcome),
            "winner" => Ok(Self::Winner),
            other => Err(Refusal::value("ask", other, |_| "`value`, `outcome` or `winner`")),
        }
    }
}

impl From<AskName> for Ask {
    fn from(name: AskName) -> Self {
        match name {
            AskName::Value => Self::Value,
            AskName::Outcome => Self::Outcome,
            AskName::Winner => Self::Winner,
        }
    }
}

/// It is being solved.
#[derive(Serialize, ToSchema)]
pub(super) struct NotYet {
    /// Always `not yet`.
    #[schema(value_type = String)]
    status: &'static str,
    progress: HowFar,
}

/// How far it is.
#[derive(Serialize, ToSchema)]
struct HowFar {
    /// Since it was asked first.
    seconds: f64,
    /// Positions searched.
    positions: u64,
    /// Moves of the position that are known.
    moves_known: u64,
    /// Moves of the position in all; 0 while they are not counted.
    moves: u64,
    /// Which part of the question in hand is done, from 0 to 1; 0 where that is not told.
    share: f64,
    /// How many other questions come before it; 0 when it is being solved.
    ahead: usize,
}

impl From<Progress> for NotYet {
    fn from(Progress { elapsed, positions, moves: (moves_known, moves), share, ahead }: Progress) -> Self {
        let progress = HowFar { seconds: elapsed.as_secs_f64(), positions, moves_known, moves, share, ahead };
        Self { status: "not yet", progress }
    }
}

/// What is wrong.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    error: ErrorMessage,
}

/// What was found, and what was expected.
#[derive(Serialize, ToSchema)]
struct ErrorMessage {
    /// What was found.
    message: String,
    /// What was expected, or what can be done.
    help: String,
    /// The text that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    text: Option<String>,
    /// The bytes of the text that are wrong: from, and up to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    span: Option<[usize; 2]>,
}

impl From<Refusal> for ErrorBody {
    fn from(Refusal { message, help, text, .. }: Refusal) -> Self {
        let (text, span) = text.map(|(text, span)| (text, [span.start, span.end])).unzip();
        Self { error: ErrorMessage { message, help, text, span } }
    }
}

/// A refusal under `/api` is JSON.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.status;
        let response = json(status, &ErrorBody::from(self));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => ([(RETRY_AFTER, "10")], response).into_response(),
            _ => response,
        }
    }
}

/// A response of this status.
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => (status, [(CONTENT_TYPE, "application/json")], bytes).into_response(),
        // Nothing that is answered here has keys or numbers that JSON lacks.
        Err(e) => (StatusCode::INTERNAL_SERVER_ERROR, e.to_string()).into_response(),
    }
}
