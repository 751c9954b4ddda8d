//! The JSON interface, `/api/v1`: the same objects as the command's `--json`.

pub(crate) mod json;
mod openapi;

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_TYPE, ETAG, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::from_fn;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use balpan::Goal;
use balpan_games::presets;
use balpan_games::{Answer, Review, RulesFile};
use balpan_pictures::tree::{TreeJson, ViewOptions};
use balpan_strong::{ServedList, ServedPosition};
use futures_util::stream::unfold;
use serde::Serialize;
use utoipa::OpenApi;

use crate::answers::{Answers, Query, Reply, Update, Updates, Wait};
use crate::error::{ErrorBody, RequestError};
use crate::layers::tag;
use crate::link::parse_yes_no;
use crate::pages::review::PlayedGame;
use crate::pages::tree as pages;
use crate::request::{GetRequest, Site, refuse_cross_site};
use crate::scene::{change_rules, load_game, load_preset, parse_rules, run_blocking};
use json::{GameInList, Games, NotYet, RulesOfGame, SolveRequest, json, parse_goal, read_body};
use openapi::{Description, ReviewKeys, RulesKeys, SolveKeys, TreeKeys};

/// Everything under `/api`.
pub(crate) fn routes() -> Router<Arc<Answers>> {
    let solving = Router::new()
        .route("/solve/{game}", get(solve))
        .route("/solve", post(solve_body))
        .route("/events/{game}", get(events))
        .route("/tree/{game}", get(tree))
        .route("/review/{game}", get(review))
        .route_layer(from_fn(refuse_cross_site));
    let v1 = Router::new()
        .route("/games", get(games))
        .route("/games/{game}", get(game))
        .merge(solving)
        .route("/strong", get(strong))
        .route("/strong/{id}/{layer}/{key}", get(strong_position))
        .route("/openapi.json", get(description))
        .fallback(nothing)
        .method_not_allowed_fallback(async || {
            let help = "/api/v1/openapi.json describes what there is, and by which methods";
            RequestError::new(StatusCode::METHOD_NOT_ALLOWED, "not by this method", help)
        });
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
async fn games() -> Result<Response, RequestError> {
    let in_list = |(name, _): (&'static str, _)| {
        let rules = load_preset(name)?;
        let game = rules.game()?;
        Ok(GameInList { name: rules.name, family: game.family(), about: rules.about, size: game.size() })
    };
    let games = presets::all().into_iter().map(in_list).collect::<Result<_, RequestError>>()?;
    Ok(json(StatusCode::OK, &Games { games }))
}

/// A preset's rules, with the changes of the query.
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}",
    params(("game" = String, Path, description = "A game's name"), RulesKeys),
    responses(
        (status = 200, body = RulesOfGame, description = "The game's rules"),
        (status = 400, body = ErrorBody, description = "The query is no change of these rules"),
        (status = 404, body = ErrorBody, description = "There is no such game")
    )
)]
async fn game(request: GetRequest) -> Result<Response, RequestError> {
    let ([], changes) = parse_query(&request.query, [])?;
    let rules = run_blocking(move || {
        let rules = change_rules(preset(&request)?, &changes)?;
        let game = rules.game()?;
        Ok(RulesOfGame {
            family: game.family(),
            size: game.size(),
            start: game.start_text(),
            name: rules.name,
            about: rules.about,
            rules: rules.text,
        })
    });
    Ok(json(StatusCode::OK, &rules.await?))
}

/// The value of a position of a preset, and of each of its moves.
#[utoipa::path(
    get,
    path = "/api/v1/solve/{game}",
    params(("game" = String, Path, description = "A game's name"), SolveKeys, RulesKeys),
    responses(
        (status = 200, body = Answer, description = "The answer; not complete if the rest takes too long"),
        (status = 304, description = "The answer has the tag that `If-None-Match` says"),
        (status = 202, body = NotYet, description = "It is being solved: ask again"),
        (status = 400, body = ErrorBody, description = "The query is not a position of such a game"),
        (status = 403, body = ErrorBody, description = "A page of another site asks"),
        (status = 404, body = ErrorBody, description = "There is no such game"),
        (status = 422, body = ErrorBody, description = "It was given up: it takes too long"),
        (status = 503, body = ErrorBody, description = "Too much is waiting: ask later")
    )
)]
async fn solve(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    answer_response(&answers, url_query(request).await?).await
}

/// The same answer as it grows: server-sent events, `more` with what is known so far, `further` while nothing more is
/// known, `answer` or `error` at the end.
#[utoipa::path(
    get,
    path = "/api/v1/events/{game}",
    params(("game" = String, Path, description = "A game's name"), SolveKeys, RulesKeys),
    responses(
        (status = 200, content_type = "text/event-stream", body = openapi::Event, description = "The answer's steps: the schema is that of each event"),
        (status = 400, body = ErrorBody, description = "The query is not a position of such a game"),
        (status = 403, body = ErrorBody, description = "A page of another site asks"),
        (status = 404, body = ErrorBody, description = "There is no such game"),
        (status = 503, body = ErrorBody, description = "Too many are followed: ask later")
    )
)]
async fn events(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    Ok(event_stream(follow(&answers, url_query(request).await?)?, update_event))
}

/// Parses a URL into a question about a preset. Only requests from this site may take long.
async fn url_query(request: GetRequest) -> Result<Query, RequestError> {
    let ([position, ask], changes) = parse_query(&request.query, ["at", "ask"])?;
    let goal = ask.as_deref().map(parse_goal).transpose()?;
    let may_take_long = request.site == Site::Own;
    let query = load_query(move || change_rules(preset(&request)?, &changes), position, goal).await?;
    Ok(Query { may_take_long, ..query })
}

/// The value of a position, of a preset or by rules of one's own.
#[utoipa::path(
    post,
    path = "/api/v1/solve",
    request_body = SolveRequest,
    responses(
        (status = 200, body = Answer, description = "The answer; not complete if the rest takes too long"),
        (status = 202, body = NotYet, description = "It is being solved: ask again"),
        (status = 400, body = ErrorBody, description = "The body is not a position of a game"),
        (status = 403, body = ErrorBody, description = "A page of another site asks"),
        (status = 404, body = ErrorBody, description = "There is no such game"),
        (status = 408, body = ErrorBody, description = "The body took too long"),
        (status = 413, body = ErrorBody, description = "The body is too large"),
        (status = 415, body = ErrorBody, description = "The body is not said to be JSON"),
        (status = 422, body = ErrorBody, description = "It was given up: it takes too long"),
        (status = 503, body = ErrorBody, description = "Too much is waiting: ask later")
    )
)]
async fn solve_body(
    State(answers): State<Arc<Answers>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, RequestError> {
    let SolveRequest { game, rules, position, set, ask } = read_body(&headers, body).await?;
    let rules = move || {
        let rules = match (game, rules) {
            (Some(name), None) => load_preset(&name)?,
            (None, Some(text)) => parse_rules("rules", &text)?,
            _ => {
                let help = "a preset's name, or a rules file's text";
                return Err(RequestError::bad_request("expected one of `game` and `rules`", help));
            }
        };
        change_rules(rules, &set)
    };
    answer_response(&answers, load_query(rules, position, ask.map(Into::into)).await?).await
}

/// The game tree below a position, and the steps of alpha-beta on it.
#[utoipa::path(
    get,
    path = "/api/v1/tree/{game}",
    params(("game" = String, Path, description = "A game's name"), TreeKeys, RulesKeys),
    responses(
        (status = 200, body = TreeJson<'static>, description = "The tree"),
        (status = 400, body = ErrorBody, description = "The query is not a position of such a game, or the tree is too large"),
        (status = 403, body = ErrorBody, description = "A page of another site asks"),
        (status = 404, body = ErrorBody, description = "There is no such game"),
        (status = 422, body = ErrorBody, description = "The values take too long to find"),
        (status = 503, body = ErrorBody, description = "Too much is waiting: ask later")
    )
)]
async fn tree(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    let ([position, depth, prune], changes) = parse_query(&request.query, ["at", "depth", "prune"])?;
    let depth = depth.as_deref().map(pages::parse_depth).transpose()?;
    let prune = prune.map_or(Ok(false), |prune| parse_yes_no("prune", &prune))?;
    let query = load_query(move || change_rules(preset(&request)?, &changes), position, None).await?;
    let tree = pages::grow(&answers, &query.rules, query.game, depth, prune).await?;
    Ok(json(StatusCode::OK, &tree.json(&ViewOptions::default())))
}

/// A review of a game: the value of each move, and what it gave away.
#[utoipa::path(
    get,
    path = "/api/v1/review/{game}",
    params(("game" = String, Path, description = "A game's name"), ReviewKeys, RulesKeys),
    responses(
        (status = 200, body = Review, description = "The review; not complete if positions take too long"),
        (status = 202, body = Review, description = "Positions are being solved: ask again"),
        (status = 400, body = ErrorBody, description = "The query is not a game that was played"),
        (status = 403, body = ErrorBody, description = "A page of another site asks"),
        (status = 404, body = ErrorBody, description = "There is no such game")
    )
)]
async fn review(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    let may_take_long = request.site == Site::Own;
    let ([position, moves], changes) = parse_query(&request.query, ["at", "moves"])?;
    let played = run_blocking(move || {
        let rules = change_rules(preset(&request)?, &changes)?;
        PlayedGame::parse(rules, position.as_deref(), &moves.unwrap_or_default())
    });
    let (played, patience) = (played.await?, answers.limits().patience);
    let (review, is_pending) = played.review(&answers, &played.rules.name, patience, may_take_long).await?;
    if is_pending {
        return Ok(([(RETRY_AFTER, "1")], json(StatusCode::ACCEPTED, &review)).into_response());
    }
    Ok(json(StatusCode::OK, &review))
}

/// The highest layer that a file can have.
const MAX_LAYER: u32 = u16::MAX as u32;

/// The strong solutions that are served.
#[utoipa::path(
    get,
    path = "/api/v1/strong",
    responses((status = 200, body = ServedList, description = "What can be asked for; files are not named"))
)]
async fn strong(State(answers): State<Arc<Answers>>) -> Response {
    json(StatusCode::OK, &answers.limits().tablebase.served())
}

/// The entry of a position in a strong solution, by its layer and its key in hexadecimal.
#[utoipa::path(
    get,
    path = "/api/v1/strong/{id}/{layer}/{key}",
    params(
        ("id" = String, Path, description = "The solution, as the list has it"),
        ("layer" = u32, Path, maximum = 65535, description = "The position's layer: a number that every move lowers"),
        ("key" = String, Path, min_length = 1, max_length = 32, description = "The key of its canonical form, at most 32 hexadecimal digits")
    ),
    responses(
        (status = 200, body = ServedPosition, description = "What is known: nothing, if it is not in a file here"),
        (status = 400, body = ErrorBody, description = "The path has no layer or no key, or the layer is too high"),
        (status = 404, body = ErrorBody, description = "There is no such solution"),
        (status = 503, body = ErrorBody, description = "Its file is damaged")
    )
)]
async fn strong_position(
    State(answers): State<Arc<Answers>>,
    path: Result<Path<(String, String, String)>, PathRejection>,
) -> Result<Response, RequestError> {
    let help = "expected `/api/v1/strong/ID/LAYER/KEY`, a decimal and a hexadecimal number";
    let parsed = path.ok().and_then(|Path((id, layer, key))| {
        let is_key = key.len() <= 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some((id, layer.parse().ok()?, u128::from_str_radix(&key, 16).ok().filter(|_| is_key)?))
    });
    let (id, layer, key) = parsed.ok_or_else(|| RequestError::bad_request("no layer, or no key", help))?;
    if layer > MAX_LAYER {
        return Err(RequestError::bad_request(format!("layer {layer}"), format!("a layer is at most {MAX_LAYER}")));
    }
    // The lookup may read from the disk.
    let entry = run_blocking(move || match answers.limits().tablebase.serve(&id, layer, key) {
        Some(Ok(entry)) => Ok(entry),
        Some(Err(_)) => {
            let help = "the operator of this server can see which";
            Err(RequestError::new(StatusCode::SERVICE_UNAVAILABLE, "a file of this solution is damaged", help))
        }
        None => Err(RequestError::new(
            StatusCode::NOT_FOUND,
            "there is no such solution",
            "/api/v1/strong lists what there is",
        )),
    });
    Ok(json(StatusCode::OK, &entry.await?))
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

async fn nothing() -> RequestError {
    RequestError::new(StatusCode::NOT_FOUND, "there is nothing here", "/api/v1/openapi.json describes what there is")
}

/// Loads the rules of the preset in the path.
fn preset(request: &GetRequest) -> Result<RulesFile, RequestError> {
    let help = "the path of a game ends in its name, in UTF-8";
    let error = || RequestError::bad_request("a path that cannot be read", help);
    load_preset(request.name.as_deref().ok_or_else(error)?)
}

/// Parses a query into the values of these keys, and the changes of rules, as `key=value`.
///
/// # Errors
/// If a key occurs twice.
fn parse_query<const N: usize>(
    query: &str,
    keys: [&str; N],
) -> Result<([Option<String>; N], Vec<String>), RequestError> {
    let (mut values, mut changes, mut seen) = ([const { None }; N], Vec::new(), HashSet::new());
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        if !seen.insert(key.clone()) {
            return Err(RequestError::bad_request(format!("`{}`, given twice", key.escape_debug()), "give it once"));
        }
        match keys.iter().position(|known| *known == key) {
            Some(n) => values[n] = Some(value.into_owned()),
            None => changes.push(format!("{key}={value}")),
        }
    }
    Ok((values, changes))
}

/// Loads the game of a question about a position.
async fn load_query(
    rules: impl FnOnce() -> Result<RulesFile, RequestError> + Send + 'static,
    position: Option<String>,
    goal: Option<Goal>,
) -> Result<Query, RequestError> {
    let load = move || {
        let rules = rules()?;
        let game = load_game(&rules, position.as_deref())?;
        Ok(Query::new(rules, game, goal))
    };
    run_blocking(load).await
}

/// The body of a response about a question.
enum AnswerBody {
    Answer(Arc<Answer>),
    NotYet(NotYet),
}

impl AnswerBody {
    fn new(reply: Reply) -> Result<Self, RequestError> {
        match reply {
            Reply::Answered(answer) => Ok(Self::Answer(answer)),
            // Asking again from this site starts the search.
            Reply::NotStarted(known) => Ok(Self::NotYet(NotYet::new(None, known))),
            Reply::Pending(progress, known) => Ok(Self::NotYet(NotYet::new(Some(progress), known))),
            // A partial answer with an outcome is the best that will come.
            Reply::TimedOut(_, Some(known)) if known.outcome.is_some() => Ok(Self::Answer(known)),
            Reply::TimedOut(timeout, _) => Err(timeout.into()),
            Reply::Busy => Err(RequestError::busy()),
            Reply::Refused(error) => Err(error.into()),
        }
    }
}

/// Responds with the answer to a question, or with its state.
async fn answer_response(answers: &Answers, query: Query) -> Result<Response, RequestError> {
    Ok(match AnswerBody::new(answers.ask(query, Wait::UntilComplete).await)? {
        AnswerBody::Answer(answer) => {
            let tag = answer.complete.then(|| [(ETAG, answer_tag(&answer))]);
            (tag, json(StatusCode::OK, &*answer)).into_response()
        }
        AnswerBody::NotYet(not_yet) => ([(RETRY_AFTER, "1")], json(StatusCode::ACCEPTED, &not_yet)).into_response(),
    })
}

/// Returns the tag of an answer's content, without its cost.
fn answer_tag(answer: &Answer) -> HeaderValue {
    let content = Answer { positions_searched: 0, seconds: 0.0, ..answer.clone() };
    tag(&serde_json::to_vec(&content).unwrap_or_default())
}

/// Converts an update to an event with the whole answer so far.
fn update_event(update: Update) -> Event {
    match update {
        Update::Progress(progress) => json_event("further", &NotYet::new(Some(progress), None)),
        Update::Reply(reply) => match AnswerBody::new(reply) {
            Ok(AnswerBody::Answer(answer)) => json_event("answer", &*answer),
            Ok(AnswerBody::NotYet(not_yet)) => json_event("more", &not_yet),
            Err(error) => json_event("error", &ErrorBody { error }),
        },
    }
}

/// Follows a question.
///
/// # Errors
/// Busy, if too many questions are followed.
pub(crate) fn follow(answers: &Arc<Answers>, query: Query) -> Result<Updates, RequestError> {
    answers.follow(query).ok_or_else(RequestError::busy)
}

/// Streams all updates as events that `event` makes of them.
pub(crate) fn event_stream(updates: Updates, event: impl FnMut(Update) -> Event + Send + 'static) -> Response {
    let events = unfold((updates, event), |(mut updates, mut event)| async move {
        let update = updates.next().await?;
        Some((Ok::<_, Infallible>(event(update)), (updates, event)))
    });
    Sse::new(events).into_response()
}

/// Returns an event with JSON data, whose serialisation cannot fail.
pub(crate) fn json_event(name: &str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).unwrap_or_default();
    Event::default().event(name).data(data)
}
