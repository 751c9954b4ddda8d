//! The JSON interface, `/api/v1`: the same objects as the command's `--json`.

mod body;
mod json;
mod openapi;
mod strong;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CONTENT_TYPE, ETAG, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::from_fn;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use balpan::Goal;
use balpan_games::presets::PRESETS;
use balpan_games::{Answer, RulesFile};
use balpan_pictures::tree::ViewOptions;
use utoipa::OpenApi;

use crate::answers::{Answers, Asked, Reply, Step, Wait};
use crate::asked::{game_from, preset_named, rules_changed, rules_written};
use crate::events::{follow, named, streamed};
use crate::link::yes_or_no;
use crate::pages::tree as pages;
use crate::refusal::Refusal;
use crate::reviews::Played;
use crate::routes::Name;
use crate::scene::{apart, start_text};
use crate::site::{Site, api_not_of_others};
use crate::tags::tag;
use body::SolveRequest;
use json::{AskName, ErrorBody, Family, GameInList, Games, NotYet, RulesOfGame, json};
use openapi::tree::TreeJson;
use openapi::{Description, ReviewKeys, RulesKeys, SolveKeys, TreeKeys};

/// Everything under `/api`.
pub(crate) fn routes() -> Router<Arc<Answers>> {
    let solving = Router::new()
        .route("/solve/{game}", get(solve))
        .route("/solve", post(solve_body))
        .route("/events/{game}", get(events))
        .route("/tree/{game}", get(tree))
        .route("/review/{game}", get(review))
        .route_layer(from_fn(api_not_of_others));
    let v1 = Router::new()
        .route("/games", get(games))
        .route("/games/{game}", get(game))
        .merge(solving)
        .route("/strong", get(strong::list))
        .route("/strong/{id}/{layer}/{key}", get(strong::position))
        .route("/openapi.json", get(description))
        .fallback(nothing)
        .method_not_allowed_fallback(other_method);
    Router::new()
        .nest("/api/v1", v1)
        .route("/api", any(nothing))
        .route("/api/", any(nothing))
        .route("/api/{*rest}", any(nothing))
}

/// All presets.
#[utoipa::path(
    get,
    path = "/api/v1/games",
    responses((status = 200, body = Games, description = "The games that come with balpan"))
)]
async fn games() -> Result<Response, Refusal> {
    let in_list = |(name, _): (&'static str, _)| {
        let rules = preset_named(name)?;
        let game = rules.game()?;
        Ok(GameInList { name: rules.name, family: Family::of(&game), about: rules.about, size: game.size() })
    };
    let games = PRESETS.into_iter().map(in_list).collect::<Result<_, Refusal>>()?;
    Ok(json(StatusCode::OK, &Games { games }))
}

/// A preset's rules, changed as the query says.
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}",
    params(("game" = String, Path, description = "A game's name"), RulesKeys),
    responses(
        (status = 200, body = RulesOfGame, description = "The game's rules"),
        (status = 400, body = json::ErrorBody, description = "The query is no change of these rules"),
        (status = 404, body = json::ErrorBody, description = "There is no such game")
    )
)]
async fn game(name: Name, RawQuery(query): RawQuery) -> Result<Response, Refusal> {
    let mut changes = Vec::new();
    for (key, value) in pairs(query.as_deref())? {
        changes.push(format!("{key}={value}"));
    }
    let of_game = apart(move || {
        let rules = rules_changed(preset_in(name)?, &changes)?;
        let game = rules.game()?;
        Ok(RulesOfGame {
            family: Family::of(&game),
            size: game.size(),
            start: start_text(&game),
            name: rules.name,
            about: rules.about,
            rules: rules.text,
        })
    });
    Ok(json(StatusCode::OK, &of_game.await?))
}

/// What a position of a preset is worth, and each of its moves.
#[utoipa::path(
    get,
    path = "/api/v1/solve/{game}",
    params(("game" = String, Path, description = "A game's name"), SolveKeys, RulesKeys),
    responses(
        (status = 200, body = openapi::Answer, description = "The answer; not complete if the rest takes too long"),
        (status = 304, description = "The answer has the tag that `If-None-Match` says"),
        (status = 202, body = NotYet, description = "It is being solved: ask again"),
        (status = 400, body = json::ErrorBody, description = "The query is not a position of such a game"),
        (status = 403, body = json::ErrorBody, description = "A page of another site asks"),
        (status = 404, body = json::ErrorBody, description = "There is no such game"),
        (status = 422, body = json::ErrorBody, description = "It was given up: it takes too long"),
        (status = 503, body = json::ErrorBody, description = "Too much is waiting: ask later")
    )
)]
async fn solve(
    State(answers): State<Arc<Answers>>,
    method: Method,
    headers: HeaderMap,
    name: Name,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let asked = asked_in(name, query).await?;
    let may_take_long = Site::of(&method, &headers) == Site::Own;
    answered(&answers, Asked { may_take_long, ..asked }).await
}

/// The same answer as it grows: server-sent events, `more` with what is known by now, `further`
/// while nothing more is known, `answer` or `error` at the end.
#[utoipa::path(
    get,
    path = "/api/v1/events/{game}",
    params(("game" = String, Path, description = "A game's name"), SolveKeys, RulesKeys),
    responses(
        (status = 200, content_type = "text/event-stream", body = openapi::Event, description = "The answer's steps: the schema is that of each event"),
        (status = 400, body = json::ErrorBody, description = "The query is not a position of such a game"),
        (status = 403, body = json::ErrorBody, description = "A page of another site asks"),
        (status = 404, body = json::ErrorBody, description = "There is no such game"),
        (status = 503, body = json::ErrorBody, description = "Too many are followed: ask later")
    )
)]
async fn events(
    State(answers): State<Arc<Answers>>,
    method: Method,
    headers: HeaderMap,
    name: Name,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let asked = asked_in(name, query).await?;
    let may_take_long = Site::of(&method, &headers) == Site::Own;
    Ok(streamed(follow(&answers, Asked { may_take_long, ..asked })?, event))
}

/// What a query asks about a preset.
async fn asked_in(name: Name, query: Option<String>) -> Result<Asked, Refusal> {
    let (mut position, mut ask, mut changes) = (None, None, Vec::new());
    for (key, value) in pairs(query.as_deref())? {
        match key.as_str() {
            "at" => position = Some(value),
            "ask" => ask = Some(AskName::read(&value)?.into()),
            _ => changes.push(format!("{key}={value}")),
        }
    }
    asked(move || rules_changed(preset_in(name)?, &changes), position, ask).await
}

/// What a position is worth, of a preset or by rules of one's own.
#[utoipa::path(
    post,
    path = "/api/v1/solve",
    request_body = SolveRequest,
    responses(
        (status = 200, body = openapi::Answer, description = "The answer; not complete if the rest takes too long"),
        (status = 202, body = NotYet, description = "It is being solved: ask again"),
        (status = 400, body = json::ErrorBody, description = "The body is not a position of a game"),
        (status = 403, body = json::ErrorBody, description = "A page of another site asks"),
        (status = 404, body = json::ErrorBody, description = "There is no such game"),
        (status = 408, body = json::ErrorBody, description = "The body took too long"),
        (status = 413, body = json::ErrorBody, description = "The body is too large"),
        (status = 415, body = json::ErrorBody, description = "The body is not said to be JSON"),
        (status = 422, body = json::ErrorBody, description = "It was given up: it takes too long"),
        (status = 503, body = json::ErrorBody, description = "Too much is waiting: ask later")
    )
)]
async fn solve_body(State(answers): State<Arc<Answers>>, headers: HeaderMap, body: Body) -> Result<Response, Refusal> {
    let SolveRequest { game, rules, position, set, ask } = body::read(&headers, body).await?;
    let rules = move || {
        let rules = match (game, rules) {
            (Some(name), None) => preset_named(&name)?,
            (None, Some(text)) => rules_written("rules", &text)?,
            _ => {
                let help = "a preset's name, or a rules file's text";
                return Err(Refusal::bad("expected one of `game` and `rules`", help));
            }
        };
        rules_changed(rules, &set)
    };
    answered(&answers, asked(rules, position, ask.map(Into::into)).await?).await
}

/// The tree of play below a position, and what alpha-beta does on it.
#[utoipa::path(
    get,
    path = "/api/v1/tree/{game}",
    params(("game" = String, Path, description = "A game's name"), TreeKeys, RulesKeys),
    responses(
        (status = 200, body = TreeJson, description = "The tree"),
        (status = 400, body = json::ErrorBody, description = "The query is not a position of such a game, or the tree is too large"),
        (status = 403, body = json::ErrorBody, description = "A page of another site asks"),
        (status = 404, body = json::ErrorBody, description = "There is no such game"),
        (status = 422, body = json::ErrorBody, description = "The values take too long to find"),
        (status = 503, body = json::ErrorBody, description = "Too much is waiting: ask later")
    )
)]
async fn tree(State(answers): State<Arc<Answers>>, name: Name, RawQuery(query): RawQuery) -> Result<Response, Refusal> {
    let (mut position, mut depth, mut prune, mut changes) = (None, None, false, Vec::new());
    for (key, value) in pairs(query.as_deref())? {
        match key.as_str() {
            "at" => position = Some(value),
            "depth" => depth = Some(pages::depth(&value)?),
            "prune" => prune = yes_or_no("prune", &value)?,
            _ => changes.push(format!("{key}={value}")),
        }
    }
    let made = apart(move || {
        let rules = rules_changed(preset_in(name)?, &changes)?;
        Ok((game_from(&rules, position.as_deref())?, rules))
    });
    let (game, rules) = made.await?;
    let known = answers.known(&rules, &game);
    let tree = pages::grown(game, known, rules.name, depth, prune).await?;
    Ok(json(StatusCode::OK, &tree.json(&ViewOptions::default())))
}

/// A game that was played: what each move was worth, and what it gave away.
#[utoipa::path(
    get,
    path = "/api/v1/review/{game}",
    params(("game" = String, Path, description = "A game's name"), ReviewKeys, RulesKeys),
    responses(
        (status = 200, body = openapi::Review, description = "The review; not complete if positions take too long"),
        (status = 202, body = openapi::Review, description = "Positions are being solved: ask again"),
        (status = 400, body = json::ErrorBody, description = "The query is not a game that was played"),
        (status = 403, body = json::ErrorBody, description = "A page of another site asks"),
        (status = 404, body = json::ErrorBody, description = "There is no such game")
    )
)]
async fn review(
    State(answers): State<Arc<Answers>>,
    method: Method,
    headers: HeaderMap,
    name: Name,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let (mut position, mut moves, mut changes) = (None, String::new(), Vec::new());
    for (key, value) in pairs(query.as_deref())? {
        match key.as_str() {
            "at" => position = Some(value),
            "moves" => moves = value,
            _ => changes.push(format!("{key}={value}")),
        }
    }
    let made = apart(move || {
        let rules = rules_changed(preset_in(name)?, &changes)?;
        Played::read(rules, position.as_deref(), &moves)
    });
    let (played, may_take_long) = (made.await?, Site::of(&method, &headers) == Site::Own);
    let (review, is_going) = played.review(&answers, &played.rules.name, answers.patience(), may_take_long).await?;
    if is_going {
        return Ok(([(RETRY_AFTER, "1")], json(StatusCode::ACCEPTED, &review)).into_response());
    }
    Ok(json(StatusCode::OK, &review))
}

/// This description.
#[utoipa::path(
    get,
    path = "/api/v1/openapi.json",
    responses((status = 200, content_type = "application/json", description = "This description, OpenAPI 3.1"))
)]
async fn description() -> Response {
    static TEXT: LazyLock<String> = LazyLock::new(|| Description::openapi().to_json().unwrap_or_default());
    ([(CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}

async fn nothing() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is nothing here", "/api/v1/openapi.json describes what there is")
}

async fn other_method() -> Refusal {
    let help = "/api/v1/openapi.json describes what there is, and by which methods";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "not by this method", help)
}

fn preset_in(name: Name) -> Result<RulesFile, Refusal> {
    let Ok(Path(name)) = name else {
        let help = "the path of a game ends in its name, in UTF-8";
        return Err(Refusal::bad("a path that cannot be read", help));
    };
    preset_named(&name)
}

/// The keys and values of a query, each key once.
fn pairs(query: Option<&str>) -> Result<Vec<(String, String)>, Refusal> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for (key, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        if pairs.iter().any(|(other, _)| *other == key) {
            return Err(Refusal::bad(format!("`{}`, given twice", key.escape_debug()), "give it once"));
        }
        pairs.push((key.into_owned(), value.into_owned()));
    }
    Ok(pairs)
}

/// A question about a position.
async fn asked(
    rules: impl FnOnce() -> Result<RulesFile, Refusal> + Send + 'static,
    position: Option<String>,
    ask: Option<Goal>,
) -> Result<Asked, Refusal> {
    let made = apart(move || {
        let rules = rules()?;
        let game = game_from(&rules, position.as_deref())?;
        Ok(Asked { name: rules.name.clone(), rules, position: start_text(&game), game, ask, may_take_long: true })
    });
    made.await
}

/// Asks, and says what came of it.
async fn answered(answers: &Answers, asked: Asked) -> Result<Response, Refusal> {
    match answers.ask(asked, Wait::Patiently).await {
        Reply::Answered(answer) => Ok(([(ETAG, said(&answer))], json(StatusCode::OK, &*answer)).into_response()),
        // What a link from another site does not begin is begun by asking again, too.
        Reply::Left(known) => Ok(not_yet(NotYet::new(None, known))),
        Reply::NotYet(progress, known) => Ok(not_yet(NotYet::new(Some(progress), known))),
        // There is no more to come, and what there is is true.
        Reply::GivenUp(_, Some(known)) if known.outcome.is_some() => Ok(json(StatusCode::OK, &*known)),
        Reply::GivenUp(given_up, _) => Err(given_up.into()),
        Reply::Busy => Err(Refusal::busy()),
        Reply::Refused(no_answer) => Err(no_answer.into()),
    }
}

fn not_yet(not_yet: NotYet) -> Response {
    ([(RETRY_AFTER, "1")], json(StatusCode::ACCEPTED, &not_yet)).into_response()
}

/// The tag of what an answer says, whatever it has cost.
fn said(answer: &Answer) -> HeaderValue {
    let said = Answer { positions_searched: 0, seconds: 0.0, ..answer.clone() };
    tag(&serde_json::to_vec(&said).unwrap_or_default())
}

/// An answer as it grows: each step as a whole.
fn event(step: Step) -> Event {
    match step {
        Step::Further(progress) => named("further", &NotYet::new(Some(progress), None)),
        Step::More(Reply::Answered(answer)) => named("answer", &*answer),
        Step::More(Reply::GivenUp(_, Some(known))) if known.outcome.is_some() => named("answer", &*known),
        Step::More(Reply::NotYet(progress, known)) => named("more", &NotYet::new(Some(progress), known)),
        Step::More(Reply::Left(known)) => named("more", &NotYet::new(None, known)),
        Step::More(Reply::GivenUp(given_up, _)) => named("error", &ErrorBody::from(Refusal::from(given_up))),
        Step::More(Reply::Busy) => named("error", &ErrorBody::from(Refusal::busy())),
        Step::More(Reply::Refused(no_answer)) => named("error", &ErrorBody::from(Refusal::from(no_answer))),
    }
}

#[cfg(test)]
mod tests;
