//! The review of a game: who was winning after each move, where that changed, and the board after any move.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use balpan::clock::Instant;
use balpan_games::{Annotation, Answer, AnyGame, Record, Review, RulesFile, is_alternating};
use maud::{Markup, html};

use crate::answers::{Answers, Query, Reply, Wait};
use crate::board;
use crate::error::RequestError;
use crate::link::{Link, Side};
use crate::page::{Page, error_box, lang_field, step_links, with_code};
use crate::request::{GetRequest, Site};
use crate::scene::{self, Scene, load_game, player_name, run_blocking};
use crate::words::review::{self as words, MAX_BAR_HEIGHT, names, points_lost, standing};
use crate::words::{Lang, expected, frame, position, review_page as say, tree};

/// The keys of this kind of page.
pub(crate) const KEYS: [&str; 1] = ["ply"];

/// How long the page waits for positions that are solved soon.
pub(crate) const PATIENCE: Duration = Duration::from_millis(700);

/// Responds with the page, or redirects to the tidier URL of the same.
pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    let (lang, link) = (request.reader.lang, request.link(&KEYS)?);
    let text = link.moves.join("; ");
    let parsed = {
        let (link, text) = (link.clone(), text.clone());
        run_blocking(move || PlayedGame::parse(scene::load_rules(&link)?, link.at.as_deref(), &text)).await
    };
    let played = match parsed {
        Ok(played) => played,
        // The form keeps the text, to be mended.
        Err(error) if error.status == StatusCode::BAD_REQUEST && !text.is_empty() => {
            let body = html! {
                (heading(lang, &link))
                (error_box(lang, &error))
                (form(lang, &link, &text, true))
            };
            return Ok(Page { status: error.status, ..new_page(lang, &link, body) }.into_response());
        }
        Err(error) => return Err(error),
    };
    if played.record.moves != link.moves {
        let tidy = Link { moves: played.record.moves.clone(), ..link };
        return Ok(Redirect::to(&tidy.url("review")).into_response());
    }
    if link.moves.is_empty() {
        let body = html! { (heading(lang, &link)) p.lead { (say::lead(lang)) } (form(lang, &link, "", true)) };
        return Ok(new_page(lang, &link, body).into_response());
    }
    let ply = ply(&link)?;
    let (review, is_waiting) = played.review(&answers, &link.game, PATIENCE, request.site == Site::Own).await?;
    let here = link.after_first(ply);
    let made = ply.checked_sub(1).and_then(|last| review.moves.get(last));
    let better = made.filter(|mv| mv.mark.is_some()).and_then(|mv| mv.best.first().cloned());
    let scene = run_blocking(move || {
        let scene = Scene::new(Link { then: Vec::new(), ..here })?;
        if let Some(better) = better { scene.with_ghost(ply - 1, &better) } else { Ok(scene) }
    });
    let scene = scene.await?;
    let body = body(lang, &link, &review, &scene, is_waiting);
    let status = if is_waiting { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok(Page { is_waiting, status, ..new_page(lang, &link, body) }.into_response())
}

/// Returns the number of moves after which the board is shown, by default all.
fn ply(link: &Link) -> Result<usize, RequestError> {
    let last = link.moves.len();
    let Some(text) = link.extra("ply") else { return Ok(last) };
    let wrong = || RequestError::invalid_value("ply", text, expected::moves_made);
    text.parse().ok().filter(|ply| *ply <= last).ok_or_else(wrong)
}

fn new_page(lang: Lang, link: &Link, body: Markup) -> Page {
    Page::new(
        format!("{}: {}", say::title(lang), frame::game(lang, &link.game)),
        link.without_lang().url("review"),
        body,
    )
}

fn heading(lang: Lang, link: &Link) -> Markup {
    html! { h1 { a href=(link.game_only().url("games")) { (frame::game(lang, &link.game)) } " " small { (say::title(lang)) } } }
}

/// The form for the moves.
fn form(lang: Lang, link: &Link, text: &str, is_first: bool) -> Markup {
    html! {
        form.record method="get" action={ "/review/" (link.game) } {
            @for (key, value) in &link.changes { input type="hidden" name=(key) value=(value); }
            @if let Some(at) = &link.at { input type="hidden" name="at" value=(at); }
            (lang_field(link.lang))
            label {
                span { (with_code(say::moves_help(lang))) }
                textarea #record name="moves" rows="4" spellcheck="false" autocomplete="off" autofocus[is_first] { (text) }
            }
            p { button type="submit" { (say::look_back(lang)) } }
        }
    }
}

fn body(lang: Lang, link: &Link, review: &Review, scene: &Scene, is_waiting: bool) -> Markup {
    let ply = scene.history.len();
    html! {
        (heading(lang, link))
        div.play data-again[is_waiting] {
            div.table {
                (steps(lang, link, ply))
                (board::picture(lang, scene, None))
            }
            div.panel {
                section #review.verdict data-ply=(ply) data-complete=(review.complete) {
                    p.turn { (words::result(lang, review)) }
                    ul #turns {
                        @for n in review.turning_points() {
                            @if let Some(text) = words::turning_point(lang, review, n) {
                                li { a href=(link.with("ply", (n + 1).to_string()).url("review")) { (text) } }
                            }
                        }
                        @if review.turning_points().next().is_none() { li { (words::no_turning_point(lang, review)) } }
                    }
                    @if is_waiting { p role="status" { (position::waiting(lang)) } }
                }
                (graph(lang, link, review, ply))
                (history(lang, link, review, ply))
                (standing_section(lang, link, review, ply))
                (play_links(lang, link, scene))
            }
        }
    }
}

/// Links to the first, previous, next and last move.
fn steps(lang: Lang, link: &Link, now: usize) -> Markup {
    let last = link.moves.len();
    let steps =
        [(now > 0).then_some(0), now.checked_sub(1), (now < last).then_some(now + 1), (now < last).then_some(last)];
    html! {
        nav.tree-choices #steps aria-label=(tree::steps(lang)) {
            (step_links(lang, steps, |ply| link.with("ply", ply.to_string()).url("review")))
            span { (say::move_of(lang, now, last)) }
        }
    }
}

/// Margins of the graph: above and below for marks, at the left for names.
const MARGIN: f64 = 22.0;
const SIDE: f64 = 58.0;
const MIDDLE: f64 = MARGIN + MAX_BAR_HEIGHT;
const HEIGHT: f64 = 2.0 * MIDDLE;

/// The graph: after each move a bar towards the winner, the longer the sooner the win.
fn graph(lang: Lang, link: &Link, review: &Review, ply: usize) -> Markup {
    let plies = review.moves.len();
    let wide = (560.0 / (plies + 1) as f64).clamp(9.0, 36.0);
    let width = SIDE + wide * (plies + 1) as f64 + 4.0;
    let [first, second] = names(lang, review);
    html! {
        svg.graph viewBox={ "0 0 " (width) " " (HEIGHT) } width=(width) height=(HEIGHT) role="group" aria-label=(say::graph(lang)) {
            text.name x="0" y=(MARGIN + 14.0) { (first.plain) }
            text.name x="0" y=(MIDDLE + 5.0) { "=" }
            text.name x="0" y=(HEIGHT - MARGIN - 4.0) { (second.plain) }
            line.middle x1=(SIDE - 6.0) x2=(width) y1=(MIDDLE) y2=(MIDDLE) {}
            @for at in 0..=plies {
                @let x = SIDE + wide * at as f64;
                a.point href=(link.with("ply", at.to_string()).url("review")) aria-label={ @if at == 0 { (say::beginning(lang)) ": " } (words::label(lang, review, at)) }
                    aria-current=[(at == ply).then_some("step")] {
                    rect.column x=(x) y="0" width=(wide) height=(HEIGHT) {}
                    (bar(review, at, x, wide))
                    @if let Some(mark) = at.checked_sub(1).and_then(|last| review.moves[last].mark) {
                        // The mark is on the side of the player who made the move.
                        @let y = if review.turns[at - 1] == 0 { MARGIN - 7.0 } else { HEIGHT - 8.0 };
                        text.given x=(x + wide / 2.0) y=(y) { (mark.symbol()) }
                    }
                }
            }
        }
    }
}

fn bar(review: &Review, ply: usize, x: f64, wide: f64) -> Markup {
    let (left, broad) = (x + wide * 0.14, wide * 0.72);
    match words::bar(review, ply) {
        None => html! { circle.unknown cx=(x + wide / 2.0) cy=(MIDDLE) r="2.5" {} },
        Some((Some(0), high)) => html! { rect.bar.first x=(left) y=(MIDDLE - high) width=(broad) height=(high) {} },
        Some((Some(_), high)) => html! { rect.bar.second x=(left) y=(MIDDLE) width=(broad) height=(high) {} },
        Some((None, _)) => html! { rect.bar.even x=(left) y=(MIDDLE - 3.0) width=(broad) height="6" {} },
    }
}

/// The moves with their marks, and a legend of the marks.
fn history(lang: Lang, link: &Link, review: &Review, ply: usize) -> Markup {
    let marks = [Annotation::Dubious, Annotation::Mistake, Annotation::Blunder];
    let names = names(lang, review);
    let is_there = |mark: &Annotation| review.moves.iter().any(|mv| mv.mark == Some(*mark));
    html! {
        section.history {
            h2 { (say::moves(lang)) }
            ol #history {
                @for (n, mv) in review.moves.iter().enumerate() {
                    li {
                        small { (n + 1) ". " @if !is_alternating(&review.turns) { (names[review.turns[n]].plain) " " } }
                        a href=(link.with("ply", (n + 1).to_string()).url("review")) aria-current=[(n + 1 == ply).then_some("step")] { (mv.text) }
                        @if let Some(mark) = mv.mark { b.given title=(words::mark(lang, review, mark)) { (mark.symbol()) } }
                    }
                }
            }
            ul.legend { @for mark in marks.into_iter().filter(is_there) { li { b.given { (mark.symbol()) } " " (words::mark(lang, review, mark)) } } }
        }
    }
}

/// Who wins after the shown moves, and better moves than the last one.
fn standing_section(lang: Lang, link: &Link, review: &Review, ply: usize) -> Markup {
    let last = ply.checked_sub(1).and_then(|last| review.moves.get(last).map(|mv| (last, mv)));
    html! {
        p #here { @if ply == 0 { (say::at_start(lang)) } @else { (say::after(lang, ply)) } " " b { (standing(lang, review, ply)) } }
        @if let Some((n, mv)) = last.filter(|(_, mv)| mv.mark.is_some()) {
            p #better {
                @if let Some(points) = mv.points_lost() { (points_lost(lang, points)) ". " }
                (say::better(lang)) " "
                @for best in mv.best.iter().take(6) { a href=(link.after_first(n).after(best).play()) { (best) } " " }
            }
            @let side = if review.turns[n] == 0 { Side::First } else { Side::Second };
            p.actions { (try_again(lang, &link.with_side(Some(side)), n)) }
        }
    }
}

/// The link to the position before move `n`, from 0, to be played again from there.
pub(crate) fn try_again(lang: Lang, link: &Link, n: usize) -> Markup {
    let before = Link { then: Vec::new(), ..link.after_first(n) };
    html! { a.button #try-again href=(before.play()) { (say::try_again(lang)) } }
}

fn play_links(lang: Lang, link: &Link, scene: &Scene) -> Markup {
    let (begin, names) = (link.after_first(0).position_only(), scene.game.players());
    let begin = Link { then: Vec::new(), marks: None, ..begin };
    // The names are in the order of the position after the shown moves.
    let player = |side: usize| player_name(lang, &scene.game, names[usize::from(scene.turn() != side)], side);
    html! {
        section.ways {
            p.actions {
                a #play-on href=(scene.link.with_side(None).play()) { (say::play_on(lang)) }
                a #new-game href=(begin.with_side(None).play()) { (say::new_game(lang)) }
                @for (side, code) in [(0, Side::First), (1, Side::Second)] {
                    a href=(begin.with_side(Some(code)).play()) { (position::as_player(lang, player(side), side == 0)) }
                }
            }
            details { summary { (say::another(lang)) } (form(lang, &link.game_only(), "", false)) }
        }
    }
}

/// Positions of one game that are solved at the same time.
const MAX_CONCURRENT: usize = 4;

/// A game that was played.
pub(crate) struct PlayedGame {
    pub(crate) rules: RulesFile,
    pub(crate) record: Record,
    /// The game, starting from each position in turn.
    games: Vec<AnyGame>,
}

impl PlayedGame {
    /// Parses the moves from a position, or from the game's start.
    pub(crate) fn parse(rules: RulesFile, at: Option<&str>, moves: &str) -> Result<Self, RequestError> {
        let begin = load_game(&rules, at)?;
        let record = Record::read(&begin, moves)?;
        let games = record.positions.iter().map(|text| rules.game_at(text)).collect::<Result<_, _>>()?;
        Ok(Self { rules, record, games })
    }

    /// Reviews the game as far as is known after `patience`. The flag says whether more will be known.
    pub(crate) async fn review(
        &self,
        answers: &Answers,
        name: &str,
        patience: Duration,
        may_take_long: bool,
    ) -> Result<(Review, bool), RequestError> {
        let start = Instant::now();
        let last = self.record.moves.len();
        let mut known: Vec<Option<Arc<Answer>>> = vec![None; last + 1];
        let mut pending = 0;
        for ply in (0..=last).rev() {
            if ply == last && self.record.end.is_some() {
                continue;
            }
            if pending == MAX_CONCURRENT {
                break;
            }
            let wait = if start.elapsed() < patience { Wait::UntilOutcome } else { Wait::Never };
            let query = Query { may_take_long, ..Query::new(self.rules.clone(), self.games[ply].clone(), None) };
            let reply = answers.ask(query, wait).await;
            pending += usize::from(matches!(reply, Reply::Pending(..) | Reply::Busy));
            known[ply] = reply.known()?;
        }
        let known: Vec<_> = known.iter().map(Option::as_deref).collect();
        Ok((Review::new(name, Vec::new(), &self.record, &known), pending > 0))
    }
}
