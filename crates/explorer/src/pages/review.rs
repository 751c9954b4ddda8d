//! A game looked back at: who was winning after each move, where that changed, and the board
//! after any of them.

mod graph;

use std::time::Duration;

use axum::http::StatusCode;
use balpan_games::{Mark, Review};
use maud::{Markup, html};

use crate::answers::Answers;
use crate::board;
use crate::link::{Link, Side};
use crate::page::{Page, Reader, reason, with_code};
use crate::refusal::Refusal;
use crate::reviews::Played;
use crate::scene::{self, Scene, apart, name_in};
use crate::site::Site;

use crate::words::review::{self as words, standing};
use crate::words::{Lang, frame, position, review_page as say, tree};

/// What only this kind of page knows.
pub(crate) const KEYS: [&str; 1] = ["ply"];

/// A page waits so long for what can be known soon.
const PATIENCE: Duration = Duration::from_millis(700);

/// The page, or the tidier URL of the same.
pub(crate) enum Shown {
    Page(Page),
    Elsewhere(String),
}

pub(crate) async fn page(answers: &Answers, reader: Reader, link: Link, from: Site) -> Result<Shown, Refusal> {
    let lang = reader.lang;
    let text = link.moves.join("; ");
    let (rules, at) = (scene::rules(&link)?, link.at.clone());
    let read = {
        let text = text.clone();
        apart(move || Played::read(rules, at.as_deref(), &text)).await
    };
    let played = match read {
        Ok(played) => played,
        // What was typed is there to be mended.
        Err(refusal) if refusal.status == StatusCode::BAD_REQUEST && !text.is_empty() => {
            let body = html! {
                (heading(lang, &link))
                (reason(lang, &refusal))
                (form(lang, &link, &text, true))
            };
            return Ok(Shown::Page(Page { status: refusal.status, ..finished(lang, link, body) }));
        }
        Err(refusal) => return Err(refusal),
    };
    if played.record.moves != link.moves {
        let tidy = Link { moves: played.record.moves.clone(), ..link };
        return Ok(Shown::Elsewhere(tidy.url("review")));
    }
    if link.moves.is_empty() {
        let body = html! { (heading(lang, &link)) p.lead { (say::lead(lang)) } (form(lang, &link, "", true)) };
        return Ok(Shown::Page(finished(lang, link, body)));
    }
    let ply = ply(&link)?;
    let (review, is_waiting) = played.review(answers, &link.game, PATIENCE, from == Site::Own).await?;
    let here = link.after_first(ply);
    let scene = apart(move || Scene::new(Link { then: Vec::new(), ..here })).await?;
    let body = shown(lang, &link, &review, &scene, is_waiting);
    let page = finished(lang, link, body);
    let status = if is_waiting { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok(Shown::Page(Page { is_waiting, status, ..page }))
}

/// After how many moves the board is shown; all if that is not said.
fn ply(link: &Link) -> Result<usize, Refusal> {
    let last = link.moves.len();
    let Some(text) = link.other("ply") else { return Ok(last) };
    let wrong = || Refusal::value("ply", text, |lang| lang.pick("how many moves are made", "몇 수까지 둘지"));
    text.parse().ok().filter(|ply| *ply <= last).ok_or_else(wrong)
}

fn finished(lang: Lang, link: Link, body: Markup) -> Page {
    let title = format!("{}: {}", say::title(lang), link.game);
    Page::new(title, move |lang| link.with_lang(lang).url("review"), body)
}

fn heading(lang: Lang, link: &Link) -> Markup {
    html! { h1 { a href=(link.of_game().url("games")) { (frame::game(lang, &link.game)) } " " small { (say::title(lang)) } } }
}

/// Where moves are typed or pasted.
fn form(lang: Lang, link: &Link, text: &str, is_first: bool) -> Markup {
    html! {
        form.record method="get" action={ "/review/" (link.game) } {
            @for (key, value) in &link.changes { input type="hidden" name=(key) value=(value); }
            @if let Some(at) = &link.at { input type="hidden" name="at" value=(at); }
            @if let Some(lang) = link.lang { input type="hidden" name="lang" value=(lang.code()); }
            label {
                span { (with_code(say::moves_help(lang))) }
                textarea #record name="moves" rows="4" spellcheck="false" autocomplete="off" autofocus[is_first] { (text) }
            }
            p { button type="submit" { (say::look_back(lang)) } }
        }
    }
}

fn shown(lang: Lang, link: &Link, review: &Review, scene: &Scene, is_waiting: bool) -> Markup {
    let ply = scene.history.len();
    let picture = match &scene.view.board {
        Some(view) => board::board(lang, scene, view, None),
        None => board::heaps(lang, scene, None),
    };
    html! {
        (heading(lang, link))
        div.play data-again[is_waiting] {
            div.table {
                (steps(lang, link, ply))
                (picture)
            }
            div.panel {
                section #review.verdict data-ply=(ply) data-complete=(review.complete) {
                    p.turn { (words::result(lang, review)) }
                    ul #turns {
                        @for n in review.turning_points() {
                            @if let Some(told) = words::turning_point(lang, review, n) {
                                li { a href=(link.with("ply", (n + 1).to_string()).url("review")) { (told) } }
                            }
                        }
                        @if review.turning_points().next().is_none() { li { (words::no_turning_point(lang, review)) } }
                    }
                    @if is_waiting { p role="status" { (position::waiting(lang)) } }
                }
                (graph::graph(lang, link, review, ply))
                (history(lang, link, review, ply))
                (here(lang, link, review, ply))
                (ways_on(lang, link, scene))
            }
        }
    }
}

/// The way through the game.
fn steps(lang: Lang, link: &Link, now: usize) -> Markup {
    let last = link.moves.len();
    let ways = [
        ("first", "Home", (now > 0).then_some(0), tree::first(lang)),
        ("previous", "ArrowLeft", now.checked_sub(1), tree::previous(lang)),
        ("next", "ArrowRight", (now < last).then_some(now + 1), tree::next(lang)),
        ("last", "End", (now < last).then_some(last), tree::last(lang)),
    ];
    html! {
        nav.tree-choices #steps aria-label=(tree::steps(lang)) {
            @for (id, key, to, words) in ways {
                @match to {
                    Some(to) => a.tool #(id) data-key=(key) href=(link.with("ply", to.to_string()).url("review")) { (words) },
                    None => span.tool #(id) role="link" aria-disabled="true" { (words) },
                }
            }
            span { (say::move_of(lang, now, last)) }
        }
    }
}

/// The moves with their marks, and what the marks say.
fn history(lang: Lang, link: &Link, review: &Review, ply: usize) -> Markup {
    let marks = [Mark::Slower, Mark::Half, Mark::All];
    let is_there = |mark: &Mark| review.moves.iter().any(|mv| mv.mark == Some(*mark));
    html! {
        section.history {
            h2 { (say::moves(lang)) }
            ol #history {
                @for (n, mv) in review.moves.iter().enumerate() {
                    li {
                        small { (n + 1) ". " }
                        a href=(link.with("ply", (n + 1).to_string()).url("review")) aria-current=[(n + 1 == ply).then_some("step")] { (mv.text) }
                        @if let Some(mark) = mv.mark { b.given title=(words::mark(lang, mark)) { (mark.sign()) } }
                    }
                }
            }
            ul.legend { @for mark in marks.into_iter().filter(is_there) { li { b.given { (mark.sign()) } " " (words::mark(lang, mark)) } } }
        }
    }
}

/// Who wins after the moves that are shown, and what the last of them should have been.
fn here(lang: Lang, link: &Link, review: &Review, ply: usize) -> Markup {
    let last = ply.checked_sub(1).and_then(|last| review.moves.get(last).map(|mv| (last, mv)));
    html! {
        p #here { (say::after(lang, ply)) " " b { (standing(lang, review, ply)) } }
        @if let Some((n, mv)) = last.filter(|(_, mv)| mv.mark.is_some()) {
            p #better {
                (say::better(lang)) " "
                @for best in mv.best.iter().take(6) { a href=(link.after_first(n).after(best).play()) { (best) } " " }
            }
        }
    }
}

fn ways_on(lang: Lang, link: &Link, scene: &Scene) -> Markup {
    let (begin, names) = (link.after_first(0).of_position(), scene.view.players);
    let begin = Link { then: Vec::new(), marks: None, ..begin };
    // The players' names are those of who is to move after the moves that are shown.
    let player = |side: usize| name_in(lang, &scene.game, names[usize::from(scene.turn() != side)], side);
    html! {
        section.ways {
            p.actions {
                a #play-on href=(scene.link.with_side(None).play()) { (say::play_on(lang)) }
                a #new-game href=(begin.with_side(None).play()) { (say::new_game(lang)) }
                @for (side, code) in [(0, Side::First), (1, Side::Second)] {
                    a href=(begin.with_side(Some(code)).play()) { (position::as_player(lang, player(side), side == 0)) }
                }
            }
            details { summary { (say::another(lang)) } (form(lang, &link.of_game(), "", false)) }
        }
    }
}
