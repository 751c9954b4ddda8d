//! The description of the interface, OpenAPI 3.1.

pub(super) mod strong;
pub(super) mod tree;

use std::borrow::Cow;

use utoipa::openapi::schema::{OneOfBuilder, Schema, Type};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr};
use utoipa::{IntoParams, OpenApi, PartialSchema, ToSchema};

use super::{body, json};

/// The description.
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
        super::strong::list,
        super::strong::position,
        super::description
    ),
    components(schemas(
        json::Games,
        json::GameInList,
        json::RulesOfGame,
        json::Family,
        json::NotYet,
        json::ErrorBody,
        json::AskName,
        body::SolveRequest,
        Event,
        Answer,
        WorthOfMove,
        Worth,
        Outcome,
        Review,
        Reviewed,
        strong::ServedList,
        strong::Served,
        strong::Subject,
        strong::Tells,
        strong::ServedPosition,
        tree::TreeJson,
        tree::NodeJson,
        tree::ValueJson,
        tree::SearchJson,
        tree::StepJson
    ))
)]
pub(super) struct Description;

/// An event of a stream: its name, and its data, which is JSON.
pub(super) struct Event;

impl PartialSchema for Event {
    fn schema() -> RefOr<Schema> {
        let event = |name: &str, data: &str, about: &str| {
            let name = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([name]));
            let event = ObjectBuilder::new().description(Some(about)).property("event", name).required("event");
            event.property("data", Ref::from_schema_name(data)).required("data")
        };
        let all = OneOfBuilder::new().description(Some("An event of a stream: its name, and its data, which is JSON."));
        let all = all.item(event("more", "NotYet", "More is known than before."));
        let all = all.item(event("further", "NotYet", "The search goes on, and nothing more is known."));
        let all = all.item(event("answer", "Answer", "The answer; the stream ends."));
        all.item(event("error", "ErrorBody", "There is no answer; the stream ends.")).into()
    }
}

impl ToSchema for Event {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Event")
    }
}

/// What is known of a position and its moves, and a line of best play.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_games::Answer`")]
pub(super) struct Answer {
    /// What the game is called.
    game: String,
    /// The rules that were changed, `misere=true`, as a rules file has them.
    rules: Vec<String>,
    /// The position's text.
    position: String,
    /// The player to move.
    to_move: String,
    /// Whether that player wins; null if it is not known yet.
    #[schema(required = true, inline)]
    outcome: Option<Outcome>,
    /// Plies to the end under optimal play; null for a draw, or if they were not asked for
    /// or are not known yet.
    #[schema(required = true)]
    remoteness: Option<u32>,
    /// Who wins, if anybody.
    #[schema(required = true)]
    winner: Option<String>,
    /// The moves that reach the position's worth.
    best: Vec<String>,
    /// Every move that is known, in the game's order.
    moves: Vec<WorthOfMove>,
    /// Best moves to the end.
    line: Vec<String>,
    /// Whether all that was asked for is there.
    complete: bool,
    /// The value is this or better, where it is not known.
    #[schema(nullable = false)]
    at_least: Option<Worth>,
    /// The value is this or worse, where it is not known.
    #[schema(nullable = false)]
    at_most: Option<Worth>,
    /// What it cost.
    positions_searched: u64,
    /// And how long it took.
    seconds: f64,
}

/// What a move is worth to the player who makes it: a best move repeats the position's own.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_games::WorthOfMove`")]
pub(super) struct WorthOfMove {
    /// The move's text.
    #[schema(rename = "move")]
    text: String,
    /// Whether that player wins; null if it is not known yet.
    #[schema(required = true, inline)]
    outcome: Option<Outcome>,
    /// Plies to the end, the move's own among them.
    #[schema(required = true)]
    remoteness: Option<u32>,
    /// The position that it leads to.
    position: String,
    /// Its value is this or better, where that was asked for and is not known.
    #[schema(nullable = false)]
    at_least: Option<Worth>,
    /// Its value is this or worse, where that was asked for and is not known.
    #[schema(nullable = false)]
    at_most: Option<Worth>,
}

/// A value, for the player to move.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_games::Worth`")]
pub(super) struct Worth {
    outcome: Outcome,
    /// Plies to the end; null for a draw, or if nothing is known of them.
    #[schema(required = true)]
    remoteness: Option<u32>,
}

/// For the player to move.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes `balpan::Outcome`")]
pub(super) enum Outcome {
    Win,
    Draw,
    Loss,
}

/// A game looked back at.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_games::Review`")]
pub(super) struct Review {
    /// What the game is called.
    game: String,
    /// The player who begins, and the other.
    players: Vec<String>,
    /// The position where the game begins.
    position: String,
    /// What that is worth to who begins; null if it is not known.
    #[schema(required = true)]
    worth: Option<Worth>,
    /// The moves.
    moves: Vec<Reviewed>,
    /// Whether play is over at the end.
    over: bool,
    /// Who has won by then.
    #[schema(required = true)]
    winner: Option<String>,
    /// Whether every position's worth is known.
    complete: bool,
}

/// A move looked back at.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes `balpan_games::Reviewed`")]
pub(super) struct Reviewed {
    /// The move's text.
    #[schema(rename = "move")]
    text: String,
    /// Who made it.
    player: String,
    /// What the player had before it; null if it is not known.
    #[schema(required = true)]
    before: Option<Worth>,
    /// What it was worth to the player; null if it is not known.
    #[schema(required = true)]
    worth: Option<Worth>,
    /// `?!` slower than need be, `?` gave a win or a draw away, `??` lost a won game.
    #[schema(required = true)]
    mark: Option<String>,
    /// The moves that would have kept all.
    best: Vec<String>,
    /// The position that it led to.
    position: String,
}

/// What game is looked back at.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes keys that are read one by one")]
pub(super) struct ReviewKeys {
    /// The position where it begins, as for `solve`.
    #[param(max_length = 1000)]
    at: Option<String>,
    /// The moves, with blanks or `;` between.
    #[param(example = "1,1;0,1;1,0")]
    moves: String,
}

/// What is asked.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes keys that are read one by one")]
pub(super) struct SolveKeys {
    /// The position, rows from the top with `/` between, or the sizes of heaps; left out,
    /// the game's start.
    #[param(max_length = 1000, example = "X../.O./...")]
    at: Option<String>,
    /// What is asked; left out: what is within reach.
    #[param(inline)]
    ask: Option<json::AskName>,
}

/// What tree is asked for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes keys that are read one by one")]
pub(super) struct TreeKeys {
    /// The position, as for `solve`.
    #[param(max_length = 1000, example = "X../XOO/OX.")]
    at: Option<String>,
    /// Plies; left out: as many as 40 positions allow.
    #[param(minimum = 1, maximum = 500)]
    depth: Option<usize>,
    /// `yes`: what alpha-beta does, too.
    prune: Option<String>,
}

/// Changes of a game's rules, as its rules file would have them. Each family has keys of
/// its own; a key within a table is written with a dot between, as `supply.F`.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes keys that are read one by one")]
pub(super) struct RulesKeys {
    /// The board, rows by columns: `5x9`.
    #[param(example = "3x3")]
    board: Option<String>,
    /// The position that it begins in, instead of a board.
    start: Option<String>,
    /// Walkers: `orthogonal`, `king`, `knight`, `queen`, or a list such as `[[1, 2], [2, 1]]`.
    steps: Option<String>,
    /// Walkers: whether both may stand on one tile.
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
