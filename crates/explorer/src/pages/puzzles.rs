//! Puzzles: their list, printable sheets, and the page on which a puzzle is solved against the perfect defender. Each is a
//! position with exactly one winning move, from a file written with `balpan puzzle`.

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use balpan::Outcome;
use balpan::clock::unix_time;
use balpan_games::Answer;
use balpan_pictures::puzzle::{self as drawn, Level, Puzzles, level, sheets};
use maud::{Markup, html};

use super::position;
use crate::answers::Answers;
use crate::board::{self, MoveValue, MoveValues};
use crate::embed::PICTURE_POLICY;
use crate::error::RequestError;
use crate::link::{Link, parse_yes_no};
use crate::page::Page;
use crate::request::{GetRequest, Reader};
use crate::scene::{Scene, run_blocking};
use crate::words::players::name;
use crate::words::{Lang, error as errors, expected, frame, position as words, puzzles as say};

/// Each line has the plies to the win, the level, and the position's address.
const FILE: &str = include_str!("../../puzzles.txt");

const SECONDS_PER_DAY: u64 = 86_400;

/// A puzzle.
#[derive(Debug)]
struct Puzzle {
    /// Plies to the win.
    plies: u32,
    level: Level,
    /// The game and the position.
    link: Link,
}

/// Returns all puzzles by number.
fn puzzles() -> &'static [Puzzle] {
    static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| FILE.lines().filter_map(parse).collect());
    &PUZZLES
}

/// Parses a line; `None` for comments and blank lines.
fn parse(line: &str) -> Option<Puzzle> {
    let (plies, rest) = line.split_once(' ')?;
    let (level, address) = rest.split_once(" /play/")?;
    let (game, query) = address.split_once('?')?;
    let level = [Level::Easy, Level::Medium, Level::Hard, Level::VeryHard]
        .into_iter()
        .find(|known| known.name().replace(' ', "-") == level)?;
    Some(Puzzle { plies: plies.parse().ok()?, level, link: Link::parse(game, query, &[]).ok()? })
}

/// Returns the number, from 0, of the puzzle of the day, which changes at midnight UTC.
fn today() -> usize {
    (unix_time().as_secs() / SECONDS_PER_DAY) as usize % puzzles().len().max(1)
}

/// The keys of this kind of page.
pub(crate) const KEYS: [&str; 1] = ["hint"];

/// The number of hints; the last one is the move.
const HINTS: usize = 3;

fn no_puzzle() -> RequestError {
    RequestError::not_found(errors::no_puzzle)
}

/// Orders wrong moves by how well they do.
fn preference(mv: &balpan_games::MoveAnswer) -> (Option<Outcome>, i64) {
    MoveValue::new(mv.verdict(), false).preference()
}

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
        section.card.today data-puzzle=(key(&all[today_number])) {
            a.picture href=(to(today_number)) tabindex="-1" aria-hidden="true" { (board::thumbnail(&scene)) }
            div {
                h2 { a #today href=(to(today_number)) { (say::puzzle_of_the_day(lang)) } }
                p { (task(lang, &scene, &all[today_number])) }
                b.tick hidden { "✓ " (say::is_solved(lang)) }
            }
        }
        @for (game, numbers) in &by_game {
            section {
                h2 { a href=(reader.link_to(game).url("games")) { (frame::game(lang, game)) } }
                ul.boards {
                    @for &n in numbers {
                        li data-puzzle=(key(&all[n])) {
                            a href=(to(n)) {
                                span.picture aria-hidden="true" { (board::thumbnail(&Scene::new(start_link(n, &all[n], None))?)) }
                                (n + 1) ". " (say::win_in(lang, all[n].plies))
                            }
                            " " small { (level(lang, all[n].level)) } " " b.tick hidden { "✓ " (say::is_solved(lang)) }
                        }
                    }
                }
                p.actions { @for (size, first) in sizes(numbers) {
                    a href=(sheet_url(first, false)) { (say::sheet(lang, &size)) }
                    a href=(sheet_url(first, true)) { (say::answers(lang)) }
                } }
            }
        }
    };
    Ok(Page::new(say::title(lang), "/puzzles", body))
}

/// The key under which the browser keeps that a puzzle is solved: its game and position, since numbers may change.
fn key(puzzle: &Puzzle) -> String {
    format!("{} {}", puzzle.link.game, puzzle.link.at.as_deref().unwrap_or_default())
}

/// The task: `X to move wins in 5 plies`.
fn task(lang: Lang, scene: &Scene, puzzle: &Puzzle) -> String {
    say::task(lang, name(lang, scene.game.players()[0], 0).plain, &words::plies(lang, puzzle.plies))
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
    let n = n.ok_or_else(no_puzzle)?;
    let puzzle = &puzzles()[n];
    let played = Link { moves: link.moves.clone(), pick: link.pick.clone(), ..start_link(n, puzzle, link.lang) };
    let hint = match link.extra("hint") {
        None => 0,
        Some(text) => text
            .parse()
            .ok()
            .filter(|hint| (1..=HINTS).contains(hint))
            .ok_or_else(|| RequestError::invalid_value("hint", text, expected::hint_number))?,
    };
    let scene = run_blocking(move || Scene::new(played)).await?;
    let answer = position::quick_answer(&answers, &scene).await?;
    // The reader moves first, and still wins if the position is lost for the defender.
    let is_readers_turn = scene.turn() == 0;
    let wins = answer.outcome == Some(if is_readers_turn { Outcome::Win } else { Outcome::Loss });
    if wins && !is_readers_turn && !scene.game.is_over() {
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
    // A wrong move that holds out, and the reply to it, are the first hint.
    let is_asked = hint > 0 && wins && !scene.game.is_over();
    let wrong = answer.moves.iter().filter(|mv| is_asked && !answer.is_best(mv)).max_by_key(|mv| preference(mv));
    let refuted = match wrong {
        Some(wrong) => {
            let after = scene.link.after(&wrong.text);
            let after = run_blocking(move || Scene::new(after)).await?;
            let reply = position::quick_answer(&answers, &after).await?;
            reply.best.first().map(|reply| (wrong.text.clone(), reply.clone()))
        }
        None => None,
    };
    let scene = match answer.best.first().filter(|_| is_asked && hint >= HINTS) {
        Some(best) => {
            let (n, best) = (scene.history.len(), best.clone());
            run_blocking(move || scene.with_ghost(n, &best)).await?
        }
        None => scene,
    };
    let (lang, scene, answer, start) = (reader.lang, &scene, &answer, &start);
    let state = PuzzleState { lang, n, puzzle, scene, answer, start, wins, hint, refuted };
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
    /// A wrong move, and the reply to it.
    refuted: Option<(String, String)>,
}

impl PuzzleState<'_> {
    fn is_solved(&self) -> bool {
        self.wins && self.scene.game.is_over()
    }

    fn body(&self, reader: Reader) -> Markup {
        let Self { lang, n, puzzle, scene, .. } = *self;
        let unmarked = MoveValues::new(None);
        let values = (self.wins && !scene.game.is_over()).then_some(&unmarked);
        html! {
            p.turn { a href=(reader.url("/puzzles")) { (say::title(lang)) } }
            h1 { (say::one(lang)) " " (n + 1) " " small { (frame::game(lang, &puzzle.link.game)) " · " (level(lang, puzzle.level)) } }
            div.play {
                div.table { (board::picture(lang, scene, values)) }
                div.panel {
                    section #puzzle.verdict data-game=(puzzle.link.game) data-puzzle=(key(puzzle)) data-position=(scene.position)
                        data-solved[self.is_solved()] data-lost[!self.wins] {
                        p.sentence.(self.class()) role="status" { (self.sentence()) }
                    }
                    (self.history())
                    @if values.is_some() { (position::pick_hint(lang, scene)) (self.hints()) }
                    @if !self.wins { (self.refutation()) }
                    @if self.is_solved() { (self.explanation()) }
                    p.actions {
                        @if !scene.history.is_empty() { a #again href=(self.back_to(0)) { (say::again(lang)) } }
                        @if n + 1 < puzzles().len() { a #next href=(start_link(n + 1, &puzzles()[n + 1], reader.url_lang).play()) { (say::next(lang)) } }
                        a href=(puzzle.link.url("games")) { (words::rules(lang)) }
                    }
                }
            }
        }
    }

    fn class(&self) -> &'static str {
        match (self.wins, self.scene.game.is_over()) {
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
        match (self.scene.game.is_over(), made) {
            (true, made) if made as u32 > self.puzzle.plies => {
                say::solved_late(lang, &words::plies(lang, made as u32), self.puzzle.plies)
            }
            (true, made) => say::solved(lang, &words::plies(lang, made as u32)),
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
                @if hint >= 1 {
                    p #hint-1 {
                        @match &self.refuted {
                            Some((wrong, reply)) => (say::hint_refuted(lang, wrong, reply)),
                            None => (say::hint_plies(lang, &words::plies(lang, answer.remoteness.unwrap_or_default()))),
                        }
                    }
                }
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

    /// Returns the URL after the first `n` moves; the later ones are forgotten.
    fn back_to(&self, n: usize) -> String {
        Link { then: Vec::new(), ..self.scene.link.after_first(n) }.play()
    }

    /// The defender's reply to a wrong move.
    fn refutation(&self) -> Markup {
        let Self { lang, scene, answer, .. } = *self;
        html! {
            @if !answer.line.is_empty() {
                p #refutation { (say::refuted(lang)) " " @for mv in &answer.line { code { (mv) } " " } }
            }
            p { a.button #back href=(self.back_to(scene.history.len().saturating_sub(1))) data-key="u" { (say::take_back(lang)) } }
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
                        @let value = MoveValue::new(mv.verdict(), false);
                        li class=(value.class()) { a href=(link.after(&mv.text).play()) { (mv.text) } " " b.sign { (value.sign()) } " " (value.words(lang)) }
                    }
                }
            }
        }
    }
}

/// Puzzles on a sheet.
const MAX_PUZZLES: usize = 12;

fn sheet_url(first: usize, answers: bool) -> String {
    format!("/puzzles/sheet?of={}{}", first + 1, if answers { "&answers=yes" } else { "" })
}

/// Lists the sizes of boards, each with its first puzzle.
fn sizes(numbers: &[usize]) -> Vec<(String, usize)> {
    let mut sizes: Vec<(String, usize)> = Vec::new();
    for &n in numbers {
        let size = size(n);
        if !sizes.iter().any(|(other, _)| *other == size) {
            sizes.push((size, n));
        }
    }
    sizes
}

/// The size of a puzzle's board: `3x4`.
fn size(n: usize) -> String {
    let at = puzzles()[n].link.at.as_deref().unwrap_or_default();
    let board = at.split(' ').next().unwrap_or_default();
    format!("{}x{}", board.split('/').count(), board.split('/').next().map_or(0, str::len))
}

/// Serves the sheet with the puzzle of number `of`, or with its answers.
pub(crate) async fn sheet(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Response, RequestError> {
    let lang = request.reader.lang;
    let (mut of, mut with_answers) = (today(), false);
    for (key, value) in form_urlencoded::parse(request.query.as_bytes()) {
        match &*key {
            "of" => {
                let n = value.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                of = n.filter(|n| *n < puzzles().len()).ok_or_else(no_puzzle)?;
            }
            "answers" => with_answers = parse_yes_no(&key, &value)?,
            "lang" => {}
            key => return Err(RequestError::unknown_key(key)),
        }
    }
    let game = &puzzles()[of].link.game;
    let alike = |n: &usize| puzzles()[*n].link.game == *game && size(*n) == size(of);
    let mut of_sheet = Vec::new();
    let mut first = None;
    for n in (0..puzzles().len()).filter(alike).take(MAX_PUZZLES) {
        let puzzle = &puzzles()[n];
        let link = start_link(n, puzzle, None);
        let scene = run_blocking(move || Scene::new(link)).await?;
        let answer = position::quick_answer(&answers, &scene).await?;
        of_sheet.push(drawn::Puzzle {
            position: scene.position.clone(),
            to_move: scene.game.players()[0],
            task: task(lang, &scene, puzzle),
            level: level(lang, puzzle.level).to_owned(),
            winning: answer.best.first().cloned().unwrap_or_default(),
            line: answer.line.clone(),
            failures: Vec::new(),
        });
        first.get_or_insert(scene.game);
    }
    let game = first.ok_or_else(no_puzzle)?;
    let title = format!("{} {}", puzzles()[of].link.game, game.size());
    let pages = sheets(&game, &Puzzles { title, lang, puzzles: of_sheet });
    let page = pages.into_iter().next().ok_or_else(no_puzzle)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PICTURE_POLICY)),
    ];
    Ok((headers, if with_answers { page.answers } else { page.puzzles }).into_response())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan::{Budget, Watch};
    use balpan_games::presets::preset;
    use balpan_games::{EngineCache, EngineOptions, Query};

    use super::*;

    #[test]
    fn every_puzzle_has_one_winning_move_and_the_stated_plies() {
        let lines = FILE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        assert_eq!(lines.count(), puzzles().len());
        assert!(puzzles().len() >= 60);
        for Puzzle { plies, link, .. } in puzzles() {
            let rules = preset(&link.game).unwrap().unwrap();
            let mut engines = EngineCache::new(rules, EngineOptions::new(Budget { memory: 1 << 26, threads: 1 }));
            let at = link.at.as_deref().unwrap();
            let question = Query { goal: Some(balpan::Goal::MoveValues), nim_value: false };
            let answer = engines.ask(at, question, &Watch::default(), &mut |_| {}).unwrap();
            assert_eq!((answer.outcome, answer.remoteness), (Some(Outcome::Win), Some(*plies)), "{at}");
            let winning = answer.moves.iter().filter(|mv| mv.outcome == Some(Outcome::Win)).count();
            assert_eq!(winning, 1, "{} {at}", link.game);
        }
    }
}
