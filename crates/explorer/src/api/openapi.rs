//! The OpenAPI 3.1 description of the JSON API. The schemas are derived from the types that are written as JSON.

use balpan_games::Answer;
use serde::Serialize;
use utoipa::openapi::schema::{Schema, Type};
use utoipa::openapi::{ObjectBuilder, RefOr};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::json::{self, NotYet};
use crate::error::ErrorBody;

/// The description of the API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "balpan",
        description = "Exact answers about two-player board games: who wins, in how many plies, by which moves.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        super::games,
        super::game,
        super::solve,
        super::solve_body,
        super::events,
        super::tree,
        super::review,
        super::strong,
        super::strong_position,
        super::description
    )
)]
pub(super) struct Description;

/// An event of a stream: its name, and its data, which is JSON.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", content = "data", rename_all = "lowercase")]
#[expect(dead_code, reason = "describes events that are written one by one")]
pub(super) enum Event {
    /// More is known than before.
    More(NotYet),
    /// The search goes on, and nothing more is known.
    Further(NotYet),
    /// The answer; the stream ends.
    Answer(Answer),
    /// There is no answer; the stream ends.
    Error(ErrorBody),
}

/// The query of a review.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes keys that are read one by one")]
pub(super) struct ReviewKeys {
    /// The position at the start, as for `solve`.
    #[param(max_length = 1000)]
    at: Option<String>,
    /// The moves, with blanks or `;` between.
    #[param(example = "1,1;0,1;1,0")]
    moves: String,
}

/// The query of a question.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes keys that are read one by one")]
pub(super) struct SolveKeys {
    /// The position, rows from the top with `/` between, or the sizes of heaps; left out,
    /// the game's start.
    #[param(max_length = 1000, example = "X../.O./...")]
    at: Option<String>,
    /// How far to solve; left out, as far as is within reach.
    #[param(inline)]
    ask: Option<json::AskName>,
}

/// The query of a tree.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes keys that are read one by one")]
pub(super) struct TreeKeys {
    /// The position, as for `solve`.
    #[param(max_length = 1000, example = "X../XOO/OX.")]
    at: Option<String>,
    /// Plies; left out, as many as 40 positions allow.
    #[param(minimum = 1, maximum = 500)]
    depth: Option<usize>,
    /// `yes` adds the steps of alpha-beta.
    prune: Option<String>,
}

/// Changes of a game's rules, with the keys of rules files. Each family has its own keys; a key within a table has a dot
/// between, as `supply.F`.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes keys that are read one by one")]
pub(super) struct RulesKeys {
    /// The board, rows by columns: `5x9`.
    #[param(example = "3x3")]
    board: Option<String>,
    /// The position at the start, instead of a board.
    start: Option<String>,
    /// Walkers: `orthogonal`, `king`, `knight`, `queen`, or a list such as `[[1, 2], [2, 1]]`.
    steps: Option<String>,
    /// Walkers: whether both tokens may be on one tile.
    #[param(schema_with = flag)]
    share: Option<bool>,
    /// Walkers: whether the board's edges are joined.
    #[param(schema_with = flag)]
    torus: Option<bool>,
    /// Placement: the pieces of both players, a table such as `{domino = "##"}`.
    pieces: Option<String>,
    /// Placement: the pieces of Left.
    left: Option<String>,
    /// Placement: the pieces of Right.
    right: Option<String>,
    /// Placement: how many there are of pieces, a table such as `{F = 1}`.
    supply: Option<String>,
    /// Placement: whether pieces may be turned by quarters.
    #[param(schema_with = flag)]
    rotate: Option<bool>,
    /// Placement: whether pieces may be turned over.
    #[param(schema_with = flag)]
    reflect: Option<bool>,
    /// Whether the player who cannot move wins, or who makes a line loses.
    #[param(schema_with = flag)]
    misere: Option<bool>,
    /// One heap with a memory: how many times as many tokens as the move before a move may take.
    #[param(minimum = 1)]
    times: Option<u32>,
    /// Lines: how many in a row.
    #[param(minimum = 1)]
    k: Option<u32>,
    /// Lines: whether marks fall to the lowest free cell of their column.
    #[param(schema_with = flag)]
    gravity: Option<bool>,
    /// Lines: `own`, or `shared` if both players make the same mark.
    marks: Option<String>,
    /// Lines: whether more than k in a row count as well.
    #[param(schema_with = flag)]
    overlines: Option<bool>,
    /// Heaps: `nim`, or an octal code such as `0.77`.
    code: Option<String>,
}

fn flag() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Boolean).into()
}
