//! The page of a position: its value, the values of its moves, and links to play them. Its parts are sent as server-sent
//! events while more becomes known.

mod panel;

use std::sync::Arc;

use axum::extract::State;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Redirect, Response};
use balpan::Outcome;
use balpan_games::Answer;
use maud::{Markup, html};
use serde::Serialize;

use crate::answers::{Answers, Query, Reply, Update, Wait};
use crate::api::{event_stream, follow, json_event};
use crate::board::{self, MoveValues};
use crate::certificates::Certificates;
use crate::error::RequestError;
use crate::link::{Link, Side};
use crate::page::Page;
use crate::pages::editor::editor;
use crate::pages::review::{self, PlayedGame};
use crate::request::{GetRequest, Reader, Site};
use crate::scene::{Scene, load_rules, player_name, run_blocking};
use crate::theory::{convention, has_values};
use crate::words::players::Name;
use crate::words::{
    Lang, certificates as words, frame, position as say, review as reviews, review_page, theory, values,
};
pub(crate) use panel::pick_hint;
use panel::{SearchResult, done_share, progress_text};

/// Responds with the page, or redirects to a tidier link or to the perfect player's move. If the error is in the position,
/// responds with the editor, so that it can be mended there.
pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    let link = request.link(&[])?;
    let error = match position_page(&answers, &request, link.clone()).await {
        Err(error) if error.text.is_some() && error.text == link.at => error,
        response => return response,
    };
    let draft = link.at.clone().unwrap_or_default();
    let editor = run_blocking(move || editor(request.reader.lang, link.game_only().with("draft", draft))).await;
    editor.map(|page| Page { status: error.status, ..page }.into_response()).or(Err(error))
}

/// A link from another site starts no long search.
async fn position_page(answers: &Answers, request: &GetRequest, link: Link) -> Result<Response, RequestError> {
    let loaded = run_blocking(move || {
        let tidied = super::rules::tidy(link.clone())?;
        if tidied == link { Scene::new(link).map(Ok) } else { Ok(Err(tidied.play())) }
    });
    let scene = match loaded.await {
        Ok(Ok(scene)) => scene,
        Ok(Err(url)) => return Ok(Redirect::to(&url).into_response()),
        Err(error) => {
            // Moves in another notation, such as `4455`, are understood as in a review.
            let link = request.link(&[])?;
            let (rules, at, text) = (load_rules(&link)?, link.at.clone(), link.moves.join("; "));
            let played = run_blocking(move || PlayedGame::parse(rules, at.as_deref(), &text)).await;
            let moves = played.map(|played| played.record.moves).ok().filter(|moves| *moves != link.moves);
            let tidy = moves.map(|moves| Redirect::to(&Link { moves, ..link }.play()).into_response());
            return tidy.ok_or(error);
        }
    };
    // Hidden values are not waited for.
    let wait = if is_marked(&scene) || is_engines_turn(&scene) { Wait::UntilOutcome } else { Wait::Never };
    let query = Query { may_take_long: request.site == Site::Own, ..query(&scene) };
    let result = SearchResult::new(answers.ask(query, wait).await)?;
    if let Some(url) = engine_move_url(&scene, &result) {
        return Ok(Redirect::to(&url).into_response());
    }
    // The URL of a preview picture has to be absolute.
    let picture = request.origin.as_ref().map(|origin| {
        let name = Link { game: format!("{}.svg", scene.link.game), ..scene.link.position_only() };
        format!("{origin}{}", name.url("board"))
    });
    let (coach, is_growing) = coach(answers, request, &scene).await?;
    let page = render(request.reader, &scene, &result, &answers.limits().certificates, &coach);
    let is_waiting = page.is_waiting || is_growing;
    Ok(Page { picture, is_waiting, ..page }.into_response())
}

/// Explains the end of a game: the last move that gave something away, a better one, and a link to try again from there. The
/// flag says whether more will be known.
async fn coach(answers: &Answers, request: &GetRequest, scene: &Scene) -> Result<(Markup, bool), RequestError> {
    let (lang, link) = (request.reader.lang, &scene.link);
    if !scene.game.is_over() || scene.history.is_empty() {
        return Ok((html! {}, false));
    }
    let (rules, at, text) = (scene.rules.clone(), link.at.clone(), link.moves.join("; "));
    let played = run_blocking(move || PlayedGame::parse(rules, at.as_deref(), &text)).await?;
    let may_take_long = request.site == Site::Own;
    let (review, is_waiting) = played.review(answers, &link.game, review::PATIENCE, may_take_long).await?;
    let is_readers = |n: &usize| link.side.is_none_or(|side| (review.turns[*n] == 0) == (side == Side::First));
    let Some(n) = review.turning_points().filter(is_readers).last() else {
        let text = if is_waiting { say::waiting(lang) } else { reviews::no_turning_point(lang, &review) };
        return Ok((html! { section #coach data-again[is_waiting] { p { (text) } } }, is_waiting));
    };
    let shown = Link { then: Vec::new(), ..link.after_first(n + 1) };
    let better = review.moves[n].best.first().cloned();
    let picture = run_blocking(move || {
        let scene = Scene::new(shown)?;
        better.map_or(Ok(None), |better| scene.with_ghost(n, &better).map(Some))
    });
    let picture = picture.await?.filter(|scene| scene.board.is_some());
    let coach = html! {
        section #coach {
            p { (reviews::turning_point(lang, &review, n).unwrap_or_default()) }
            @if let Some(scene) = picture {
                figure { (board::figure(lang, &scene, &MoveValues::new(None))) figcaption.hint { (review_page::instead(lang)) } }
            }
            p.actions { (review::try_again(lang, link, n)) }
        }
    };
    Ok((coach, false))
}

/// Returns the question about the scene's position.
pub(crate) fn query(scene: &Scene) -> Query {
    Query::new(scene.rules.clone(), scene.game.clone(), None)
}

/// Returns the answer about a position that the fast queue can solve, as those of exercises and puzzles.
pub(crate) async fn quick_answer(answers: &Answers, scene: &Scene) -> Result<Arc<Answer>, RequestError> {
    let query = Query { may_take_long: false, ..query(scene) };
    match answers.ask(query, Wait::UntilComplete).await {
        Reply::Answered(answer) => Ok(answer),
        Reply::Refused(error) => Err(error.into()),
        _ => Err(RequestError::busy()),
    }
}

fn is_marked(scene: &Scene) -> bool {
    scene.link.marks.unwrap_or(scene.link.side.is_none() || scene.game.is_over())
}

fn is_engines_turn(scene: &Scene) -> bool {
    scene.link.side.is_some_and(|reader| !scene.game.is_over() && (scene.turn() == 0) != (reader == Side::First))
}

/// Returns the URL after the perfect player's move, if it is to move and the move is known.
pub(crate) fn engine_move_url(scene: &Scene, result: &SearchResult) -> Option<String> {
    let mv = result.best_move(&scene.before).filter(|_| is_engines_turn(scene))?;
    Some(scene.link.after(mv).play())
}

/// Whether the board is locked while the perfect player thinks.
fn is_locked(scene: &Scene, result: &SearchResult) -> bool {
    is_engines_turn(scene) && result.is_running()
}

/// Whether the page will show more.
pub(crate) fn is_waiting(scene: &Scene, result: &SearchResult) -> bool {
    result.is_running() && (is_marked(scene) || is_engines_turn(scene))
}

fn render(reader: Reader, scene: &Scene, result: &SearchResult, certificates: &Certificates, coach: &Markup) -> Page {
    let (lang, link) = (reader.lang, &scene.link);
    let is_waiting = is_waiting(scene, result);
    let events = is_waiting.then(|| link.url("events"));
    let body = html! {
        h1 { a href=(link.game_only().url("games")) { (frame::game(lang, &link.game)) } " " small { (scene.game.size()) } }
        @if is_marked(scene) { (proved(reader, scene, certificates)) }
        div.play data-events=[events] { (parts(lang, scene, result, coach)) }
    };
    let page = Page::new(title(lang, scene, result), link.without_lang().play(), body);
    let description = Some(description(lang, scene));
    Page { is_waiting, status: result.status(is_waiting), description, ..page }
}

/// Describes the page in a sentence, for link previews.
fn description(lang: Lang, scene: &Scene) -> String {
    let game = frame::game(lang, &scene.link.game);
    let turn = (!scene.game.is_over()).then(|| format!(" {}.", say::to_move(lang, player(lang, scene, false))));
    format!("{game} {}.{} {}", scene.game.size(), turn.unwrap_or_default(), say::description(lang))
}

/// Shows what is proved of the position, with links to the certificates.
fn proved(reader: Reader, scene: &Scene, certificates: &Certificates) -> Markup {
    let lang = reader.lang;
    let players = [player(lang, scene, false), player(lang, scene, true)];
    html! {
        @for certificate in certificates.about(scene) {
            p.proved {
                (words::proved(lang, &words::statement(lang, certificate.statement, players))) " "
                a href=(reader.link_to(&certificate.name).url("certificates")) { (words::one(lang)) }
            }
        }
    }
}

/// The parts of the page that change when more is known.
fn parts(lang: Lang, scene: &Scene, result: &SearchResult, coach: &Markup) -> Markup {
    let (is_marked, is_locked) = (is_marked(scene), is_locked(scene, result));
    let marked = result.answer().filter(|_| is_marked);
    let is_growing = result.is_growing() && is_marked;
    let values = MoveValues::new(marked);
    html! {
        div.table {
            (board::picture(lang, scene, (!is_locked).then_some(&values)))
            @if !is_locked { (board::palette(lang, scene)) }
            @if is_marked { (legend(lang, scene)) }
        }
        div.panel {
            (panel::verdict(lang, scene, result, is_marked, is_locked))
            (coach)
            (opponent(lang, scene, is_marked))
            (history(lang, scene))
            @if !scene.game.is_over() && !is_locked { (panel::moves(lang, scene, &values, is_growing)) }
            @if is_growing {
                // The line has no room of its own beforehand, so it comes last.
                (links(lang, scene))
                @if !is_locked { (panel::line(lang, scene, marked, true)) }
            } @else {
                @if !is_locked { (panel::line(lang, scene, marked, false)) }
                (links(lang, scene))
            }
        }
    }
}

pub(crate) fn title(lang: Lang, scene: &Scene, result: &SearchResult) -> String {
    let game = format!("{} {}", frame::game(lang, &scene.link.game), scene.game.size());
    match result.answer().filter(|answer| is_marked(scene) && answer.outcome.is_some()) {
        Some(_) => format!("{game}: {}", panel::sentence(lang, scene, result)),
        None => game,
    }
}

/// Returns the name of the player to move, or of the other.
pub(crate) fn player(lang: Lang, scene: &Scene, other: bool) -> Name {
    let player = scene.game.players()[usize::from(other)];
    player_name(lang, &scene.game, player, (scene.turn() + usize::from(other)) % 2)
}

pub(crate) fn legend(lang: Lang, scene: &Scene) -> Markup {
    let words = if scene.game.max_score() > 0 { say::score_legend } else { say::legend };
    html! {
        ul.legend {
            @for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
                li { span class={ "sample " (outcome.to_string()) } {} (words(lang, &outcome.to_string())) }
            }
            li { (say::legend_best(lang)) }
        }
    }
}

/// Links that choose who plays which side, and whether moves are marked.
fn opponent(lang: Lang, scene: &Scene, is_marked: bool) -> Markup {
    let link = &scene.link;
    let names = [side_name(lang, scene, 0), side_name(lang, scene, 1)];
    html! {
        section.opponent {
            @if let Some(side) = link.side {
                p { (say::you_are(lang, names[usize::from(side == Side::Second)].plain)) }
                p.actions {
                    a href=(link.with_side(None).play()) { (say::both_sides(lang)) }
                    (marks_link(lang, scene, is_marked))
                }
            } @else {
                p { (say::opponent(lang)) }
                p.actions {
                    @for (id, side, name) in [("as-first", Side::First, names[0]), ("as-second", Side::Second, names[1])] {
                        a #(id) href=(link.with_side(Some(side)).play()) { (say::as_player(lang, name, side == Side::First)) }
                    }
                    (marks_link(lang, scene, is_marked))
                }
            }
        }
    }
}

/// The link that shows or hides the marks.
fn marks_link(lang: Lang, scene: &Scene, is_marked: bool) -> Markup {
    let words = if is_marked { say::hide_marks(lang) } else { say::show_marks(lang) };
    html! {
        @if !scene.game.is_over() { a #marks href=(Link { marks: Some(!is_marked), ..scene.link.clone() }.play()) { (words) } }
    }
}

/// Returns the name of the player to move at the start of the history (0), or of the other.
fn side_name(lang: Lang, scene: &Scene, side: usize) -> Name {
    player(lang, scene, scene.turn() != side)
}

fn history(lang: Lang, scene: &Scene) -> Markup {
    let link = &scene.link;
    let n = scene.history.len();
    // Against the perfect player, all moves since the reader's last one are taken back; its first moves cannot be.
    let undone = match link.side {
        Some(side) => (0..n).rev().find(|before| (scene.player_of(*before) == 0) == (side == Side::First)),
        None => n.checked_sub(1),
    };
    // Who made a move is said where turns do not alternate.
    let names_players = (0..=n).any(|i| scene.player_of(i) != i % 2);
    html! {
        section.history {
            h2 { (say::history(lang)) }
            ol #history {
                li { a href=(link.after_first(0).play()) { (say::beginning(lang)) } }
                @for (i, played) in scene.history.iter().enumerate() {
                    li { small { (i + 1) ". " @if names_players { (side_name(lang, scene, played.player).plain) " " } } a href=(link.after_first(i + 1).play()) aria-current=[(i + 1 == n).then_some("step")] { (played.text) } }
                }
            }
            @if !link.then.is_empty() { (redo_list(lang, link)) }
            p.actions {
                @if let Some(undone) = undone {
                    a #undo href=(link.after_first(undone).play()) data-key="u" { (say::undo(lang)) }
                }
                @if let Some(next) = link.then.first() {
                    a #redo href=(link.after(next).play()) data-key="r" { (say::redo(lang)) }
                }
                @if n > 0 && (link.side.is_none() || scene.game.is_over()) {
                    @let whole = Link { side: None, marks: None, ..link.position_only() };
                    a #review href=(whole.url("review")) { (review_page::review_this_game(lang)) }
                }
                @if n > 0 && scene.game.is_over() { (play_again(lang, link)) }
            }
        }
    }
}

/// The moves that were taken back, each a link to the position after it.
fn redo_list(lang: Lang, link: &Link) -> Markup {
    let mut at = link.position_only();
    let steps = link.then.iter().map(|mv| {
        at = at.after(mv);
        (at.moves.len(), mv, at.play())
    });
    html! {
        p.hint { (say::later(lang)) }
        ol #later { @for (n, mv, url) in steps { li { small { (n) ". " } a href=(url) { (mv) } } } }
    }
}

/// Links to play again after the end.
fn play_again(lang: Lang, link: &Link) -> Markup {
    let begin = Link { then: Vec::new(), ..link.after_first(0) };
    let other = link.side.map(|side| if side == Side::First { Side::Second } else { Side::First });
    html! {
        a #new-game href=(begin.play()) { (review_page::new_game(lang)) }
        @if other.is_some() { a #rematch href=(begin.with_side(other).play()) { (review_page::rematch(lang)) } }
    }
}

/// The HTML of a frame with this position. The page's script fills in this server's address.
fn snippet(scene: &Scene) -> String {
    let url = scene.link.with_position(&scene.position).url("embed");
    let (width, height) = (320, 380);
    format!("<iframe src=\"http://127.0.0.1:8000{url}\" width=\"{width}\" height=\"{height}\"></iframe>")
}

/// The position as text, and links to the other pages about it.
fn links(lang: Lang, scene: &Scene) -> Markup {
    let link = &scene.link;
    let here = link.with_position(&scene.position);
    html! {
        section.ways {
            h2 { (say::copy(lang)) }
            p.copy {
                code #text { (scene.position) }
                button #copy type="button" data-copy="#text" data-copied=(say::copied(lang)) hidden { (say::copy_button(lang)) }
            }
            details.embedding {
                summary { (say::embed(lang)) }
                p.hint { (say::embed_help(lang)) }
                p.copy {
                    code #snippet { (snippet(scene)) }
                    button #copy-snippet type="button" data-copy="#snippet" data-copied=(say::copied(lang)) hidden { (say::copy_button(lang)) }
                }
            }
            p.actions {
                a #edit href=(here.url("edit")) { (say::edit(lang)) }
                @if scene.moves.len() < super::tree::MAX_NODES { a #tree href=(link.position_only().url("tree")) { (say::tree(lang)) } }
                @if convention(&scene.game).is_some() { a #parts href=(link.position_only().url("parts")) { (theory::title(lang)) } }
                @else if has_values(&scene.game) { a #parts href=(link.position_only().url("parts")) { (values::title(lang)) } }
                a href=(link.game_only().url("games")) { (say::rules(lang)) }
            }
        }
    }
}

/// The change of a page.
#[derive(Serialize)]
struct PageChange {
    title: String,
    /// All parts of the page that may have changed.
    html: String,
    /// Whether this is the last change.
    end: bool,
    /// The URL of the page to show instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    go: Option<String>,
}

/// The progress of the search.
#[derive(Serialize)]
struct SearchProgress {
    text: String,
    done: Option<f64>,
}

/// Streams the changes of a position's page.
pub(crate) async fn events(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    let link = request.link(&[])?;
    let scene = run_blocking(move || Scene::new(link)).await?;
    let updates = follow(&answers, query(&scene))?;
    Ok(event_stream(updates, move |update| page_event(request.reader.lang, &scene, update)))
}

fn page_event(lang: Lang, scene: &Scene, update: Update) -> Event {
    let reply = match update {
        Update::Progress(progress) => {
            let text = progress_text(lang, &progress);
            return json_event("further", &SearchProgress { text, done: done_share(&progress) });
        }
        Update::Reply(reply) => reply,
    };
    match SearchResult::new(reply) {
        Ok(result) => {
            let result = result.growing();
            let change = PageChange {
                title: format!("{} · balpan", title(lang, scene, &result)),
                html: parts(lang, scene, &result, &html! {}).into_string(),
                end: !is_waiting(scene, &result),
                go: engine_move_url(scene, &result),
            };
            json_event("more", &change)
        }
        // The page itself shows the error.
        Err(_) => {
            let here = Some(scene.link.play());
            json_event("more", &PageChange { title: String::new(), html: String::new(), end: true, go: here })
        }
    }
}
