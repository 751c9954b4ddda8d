//! The list of puzzles, and the page on which a puzzle is solved against the perfect defender.

mod sheet;

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use balpan::Outcome;
use balpan_games::Answer;
use maud::{Markup, html};

use super::position;
use crate::answers::Answers;
use crate::board::{self, MoveValue, MoveValues};
use crate::error::RequestError;
use crate::link::Link;
use crate::page::Page;
use crate::puzzles::{Puzzle, puzzles, today};
use crate::request::{GetRequest, Reader};
use crate::scene::{Scene, run_blocking};
use crate::words::players::name;
use crate::words::{Lang, frame, position as words, puzzles as say};
pub(crate) use sheet::sheet;

/// The keys of this kind of page.
pub(crate) const KEYS: [&str; 1] = ["hint"];

/// The number of hints; the last one is the move.
const HINTS: usize = 3;

/// Returns the path of a puzzle by its number from 0.
fn path(n: usize) -> String {
    format!("/puzzles/{}", n + 1)
}

/// Returns the link to the start of a puzzle, whose moves lead to the puzzle's page.
fn start_link(n: usize, puzzle: &Puzzle, lang: Option<Lang>) -> Link {
    Link { host: Some(path(n)), lang, ..puzzle.link.clone() }
}

/// The puzzle of the day, and all puzzles by game and length.
pub(crate) async fn list(GetRequest { reader, .. }: GetRequest) -> Result<Page, RequestError> {
    run_blocking(move || list_page(reader)).await
}

fn list_page(reader: Reader) -> Result<Page, RequestError> {
    let lang = reader.lang;
    let all = puzzles();
    let today_number = today();
    let mut by_game: Vec<(String, Vec<usize>)> = Vec::new();
    for (n, puzzle) in all.iter().enumerate() {
        match by_game.iter_mut().find(|(game, _)| *game == puzzle.link.game) {
            Some((_, numbers)) => numbers.push(n),
            None => by_game.push((puzzle.link.game.clone(), vec![n])),
        }
    }
    for (_, numbers) in &mut by_game {
        numbers.sort_by_key(|n| (all[*n].plies, *n));
    }
    let to = |n: usize| start_link(n, &all[n], reader.url_lang).play();
    let scene = Scene::new(start_link(today_number, &all[today_number], reader.url_lang))?;
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::lead(lang)) }
        section.card.today {
            a.picture href=(to(today_number)) tabindex="-1" aria-hidden="true" { (board::thumbnail(&scene)) }
            div {
                h2 { a #today href=(to(today_number)) { (say::puzzle_of_the_day(lang)) } }
                p { (task(lang, &scene, &all[today_number])) }
            }
        }
        @for (game, numbers) in &by_game {
            section {
                h2 { a href=(reader.link_to(game).url("games")) { (frame::game(lang, game)) } }
                ul.numbers-of {
                    @for &n in numbers {
                        li { a href=(to(n)) { (n + 1) ". " (say::win_in(lang, all[n].plies)) } " " small { (say::level(lang, all[n].level)) } }
                    }
                }
                p.actions { @for (size, first) in sheet::sizes(numbers) {
                    a href=(sheet::url(first, false)) { (say::sheet(lang, &size)) }
                    a href=(sheet::url(first, true)) { (say::answers(lang)) }
                } }
            }
        }
    };
    Ok(Page::new(say::title(lang), "/puzzles", body))
}

/// The task: `X to move wins in 5 plies`.
fn task(lang: Lang, scene: &Scene, puzzle: &Puzzle) -> String {
    say::task(lang, name(lang, scene.view.players[0], 0), puzzle.plies)
}

/// Redirects to the puzzle of the day.
pub(crate) async fn today_page(GetRequest { reader, .. }: GetRequest) -> Redirect {
    let puzzle = puzzles().get(today());
    let url = puzzle.map(|puzzle| start_link(today(), puzzle, reader.url_lang).play());
    Redirect::to(url.as_deref().unwrap_or("/puzzles"))
}

/// The page of a puzzle after the moves of the link; redirects to the one after the defender's reply.
pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    let (reader, link) = (request.reader, request.link(&KEYS)?);
    let n = link.game.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < puzzles().len());
    let n = n.ok_or_else(RequestError::no_puzzle)?;
    let puzzle = &puzzles()[n];
    let played = Link { moves: link.moves.clone(), pick: link.pick.clone(), ..start_link(n, puzzle, link.lang) };
    let hint = match link.extra("hint") {
        None => 0,
        Some(text) => text.parse().ok().filter(|hint| (1..=HINTS).contains(hint)).ok_or_else(|| {
            RequestError::invalid_value("hint", text, |lang| lang.pick("a number from 1 to 3", "1부터 3까지의 수"))
        })?,
    };
    let scene = run_blocking(move || Scene::new(played)).await?;
    let answer = position::quick_answer(&answers, &scene).await?;
    // The reader moves first, and still wins if the position is lost for the defender.
    let is_readers_turn = scene.turn() == 0;
    let wins = answer.outcome == Some(if is_readers_turn { Outcome::Win } else { Outcome::Loss });
    if wins && !is_readers_turn && !scene.view.over {
        let reply = answer.best.first().ok_or_else(RequestError::busy)?;
        return Ok(Redirect::to(&scene.link.after(reply).play()).into_response());
    }
    let start = match scene.history.first() {
        Some(_) => {
            let start = start_link(n, puzzle, link.lang);
            let first = run_blocking(move || Scene::new(start)).await?;
            position::quick_answer(&answers, &first).await?
        }
        None => Arc::clone(&answer),
    };
    let state = PuzzleState { lang: reader.lang, n, puzzle, scene: &scene, answer: &answer, start: &start, wins, hint };
    let title = format!("{} {}", say::one(reader.lang), n + 1);
    Ok(Page::new(title, scene.link.without_lang().play(), state.body(reader)).into_response())
}

/// A puzzle that is being solved.
struct PuzzleState<'a> {
    lang: Lang,
    n: usize,
    puzzle: &'a Puzzle,
    scene: &'a Scene,
    /// The answers about the current position and the first one.
    answer: &'a Answer,
    start: &'a Answer,
    /// Whether the reader still wins.
    wins: bool,
    hint: usize,
}

impl PuzzleState<'_> {
    fn is_solved(&self) -> bool {
        self.wins && self.scene.view.over
    }

    fn body(&self, reader: Reader) -> Markup {
        let Self { lang, n, puzzle, scene, .. } = *self;
        let unmarked = MoveValues::new(None);
        let values = (self.wins && !scene.view.over).then_some(&unmarked);
        html! {
            p.turn { a href=(reader.url("/puzzles")) { (say::title(lang)) } }
            h1 { (say::one(lang)) " " (n + 1) " " small { (frame::game(lang, &puzzle.link.game)) " · " (say::level(lang, puzzle.level)) } }
            div.play {
                div.table { (board::picture(lang, scene, values)) }
                div.panel {
                    section #puzzle.verdict data-game=(puzzle.link.game) data-position=(scene.view.position)
                        data-solved[self.is_solved()] data-lost[!self.wins] {
                        p.sentence.(self.class()) role="status" { (self.sentence()) }
                    }
                    (self.history())
                    @if values.is_some() { (position::pick_hint(lang, scene)) (self.hints()) }
                    @if !self.wins { (self.refutation()) }
                    @if self.is_solved() { (self.explanation()) }
                    p.actions {
                        @if !scene.history.is_empty() { a #again href=(scene.link.after_first(0).without_redo().play()) { (say::again(lang)) } }
                        @if n + 1 < puzzles().len() { a #next href=(start_link(n + 1, &puzzles()[n + 1], reader.url_lang).play()) { (say::next(lang)) } }
                        a href=(puzzle.link.url("games")) { (words::rules(lang)) }
                    }
                }
            }
        }
    }

    fn class(&self) -> &'static str {
        match (self.wins, self.scene.view.over) {
            (false, _) => "loss",
            (true, true) => "win",
            (true, false) => "unknown",
        }
    }

    fn sentence(&self) -> String {
        let (lang, made) = (self.lang, self.scene.history.len());
        if !self.wins {
            let mv = self.scene.history.last().map_or("", |played| &played.text);
            return say::not_this(lang, mv);
        }
        match (self.scene.view.over, made) {
            (true, _) => say::solved(lang, made as u32, self.puzzle.plies),
            (false, 0) => task(lang, self.scene, self.puzzle),
            (false, _) => say::go_on(lang).to_owned(),
        }
    }

    fn history(&self) -> Markup {
        html! {
            ol #history { @for (n, played) in self.scene.history.iter().enumerate() { li { small { (n + 1) ". " } (played.text) } } }
        }
    }

    /// The hints asked for, and a link to the next one.
    fn hints(&self) -> Markup {
        let Self { lang, hint, scene, answer, .. } = *self;
        let right = answer.best.first().map_or("", String::as_str);
        let more = scene.link.with("hint", (hint + 1).to_string()).play();
        html! {
            section.hints {
                @if hint >= 1 { p #hint-1 { (say::hint_plies(lang, answer.remoteness.unwrap_or_default())) } }
                @if hint >= 2 { p #hint-2 { (say::hint_among(lang)) " " @for mv in self.candidates(right) { code { (mv) } " " } } }
                @if hint >= HINTS { p #hint-3 { (say::hint_move(lang)) " " code { (right) } } }
                @if hint < HINTS { p { a #hint href=(more) data-key="h" { (say::hint(lang)) } } }
            }
        }
    }

    /// Returns the right move among two others, in the game's order.
    fn candidates(&self, right: &str) -> Vec<&str> {
        let moves: Vec<&str> = self.answer.moves.iter().map(|mv| mv.text.as_str()).collect();
        let at = moves.iter().position(|mv| *mv == right).unwrap_or(0);
        let from = at.saturating_sub(1 + self.n % 2).min(moves.len().saturating_sub(3));
        moves.into_iter().skip(from).take(3).collect()
    }

    /// The defender's reply to a wrong move.
    fn refutation(&self) -> Markup {
        let Self { lang, scene, answer, .. } = *self;
        let back = scene.link.after_first(scene.history.len().saturating_sub(1)).without_redo();
        html! {
            @if !answer.line.is_empty() {
                p #refutation { (say::refuted(lang)) " " @for mv in &answer.line { code { (mv) } " " } }
            }
            p { a.button #back href=(back.play()) data-key="u" { (say::take_back(lang)) } }
        }
    }

    /// The values of all other first moves.
    fn explanation(&self) -> Markup {
        let Self { lang, puzzle, start, .. } = *self;
        let link = Link { lang: self.scene.link.lang, ..puzzle.link.clone() };
        html! {
            section #explanation {
                h2 { (say::others(lang)) }
                ul {
                    @for mv in start.moves.iter().filter(|mv| !start.is_best(mv)) {
                        @let value = mv.outcome.map(|outcome| MoveValue::new(outcome, mv.remoteness, false)).unwrap_or_default();
                        li class=(value.class()) { a href=(link.after(&mv.text).play()) { (mv.text) } " " b.sign { (value.sign()) } " " (value.words(lang)) }
                    }
                }
            }
        }
    }
}
