//! The list of lessons, and the page of a lesson.

mod lessons;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use balpan::tree::Step;
use balpan::{Outcome, Watch};
use balpan_games::AnyGame;
use balpan_pictures::tree::{LinkTarget, TreeView, ViewOptions};
use maud::{Markup, PreEscaped, html};

use crate::answers::{Answers, Wait};
use crate::board::{self, MoveValues};
use crate::error::RequestError;
use crate::link::Link;
use crate::page::{Page, lang_field, with_code};
use crate::pages::{position, tree};
use crate::request::GetRequest;
use crate::scene::{Scene, run_blocking};
use crate::theory::{NIMBER_LIMITS, nimbers};
use crate::words::{Lang, error as errors, learn as say, position as position_words};
use lessons::{Block, Exercise, Lesson, lessons};

/// The keys of this kind of page.
pub(crate) const KEYS: [&str; 1] = ["answer"];

/// The list of lessons.
pub(crate) async fn list(GetRequest { reader, .. }: GetRequest) -> Page {
    let lang = reader.lang;
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::lead(lang)) }
        ol.lessons { @for lesson in lessons(lang) { li { a href=(reader.link_to(lesson.name).url("learn")) { (lesson.title) } } } }
    };
    Page::new(say::title(lang), "/learn", body)
}

/// The page of a lesson. The reader's answer is in the link.
pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Page, RequestError> {
    let (reader, link) = (request.reader, request.link(&KEYS)?);
    let lang = reader.lang;
    let all = lessons(lang);
    let n = all
        .iter()
        .position(|lesson| lesson.name == link.game)
        .ok_or_else(|| RequestError::not_found(errors::no_lesson))?;
    let lesson = &all[n];
    let mut blocks = Vec::new();
    for block in &lesson.blocks {
        blocks.push(render_block(&answers, lang, block).await?);
    }
    let exercise = exercise(&answers, lang, lesson, &link).await?;
    let to = |n: usize| reader.link_to(all[n].name).url("learn");
    let body = html! {
        p.turn { a href=(reader.url("/learn")) { (say::title(lang)) } " " (n + 1) "/" (all.len()) }
        h1 { (lesson.title) }
        article.lesson {
            @for block in &blocks { (block) }
            (exercise)
        }
        nav.tree-choices aria-label=(say::lessons(lang)) {
            @if let Some(before) = n.checked_sub(1) { a.tool #previous href=(to(before)) { "◀ " (all[before].title) } }
            @if n + 1 < all.len() { a.tool #next href=(to(n + 1)) { (all[n + 1].title) " ▶" } }
        }
    };
    Ok(Page::new(&lesson.title, format!("/learn/{}", lesson.name), body))
}

async fn render_block(answers: &Answers, lang: Lang, block: &Block) -> Result<Markup, RequestError> {
    Ok(match block {
        Block::Heading(text) => html! { h2 { (text) } },
        Block::Paragraph(text) => html! { p { (with_code(text)) } },
        Block::List(items) => html! { ul { @for item in items { li { (with_code(item)) } } } },
        Block::Program(text) => html! { pre { code { (text) } } },
        Block::Picture(caption, address) => {
            let (kind, link) = parse_address(address)?;
            let link = Link { lang: Some(lang), ..link };
            let (picture, url) = match kind {
                "tree" => tree_figure(answers, lang, link).await?,
                _ => board_figure(answers, lang, link).await?,
            };
            html! {
                figure {
                    (picture)
                    figcaption { @if !caption.is_empty() { (caption) " " } a href=(url) { (say::open(lang)) } }
                }
            }
        }
    })
}

/// Parses an address in a lesson into the kind of page, `play` or `tree`, and its link.
fn parse_address(address: &str) -> Result<(&str, Link), RequestError> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let (kind, game) =
        path.trim_start_matches('/').split_once('/').ok_or_else(|| RequestError::not_found(errors::no_page))?;
    Ok((kind, Link::parse(game, query, &tree::KEYS)?))
}

/// Draws a position, and returns the URL of its page.
async fn board_figure(answers: &Answers, lang: Lang, link: Link) -> Result<(Markup, String), RequestError> {
    let url = Link { marks: None, ..link.clone() }.play();
    let scene = run_blocking(move || Scene::new(link)).await?;
    let known = match scene.link.marks {
        Some(false) => None,
        _ => answers.ask(position::query(&scene), Wait::UntilOutcome).await.known()?,
    };
    Ok((board::figure(lang, &scene, &MoveValues::new(known.as_deref())), url))
}

/// Draws a tree, and returns the URL of its page.
async fn tree_figure(answers: &Answers, lang: Lang, link: Link) -> Result<(Markup, String), RequestError> {
    let url = link.url("tree");
    let (_, tree) = tree::load_tree(answers, link.clone()).await?;
    let options = ViewOptions { lang, step: None, folds: Vec::new() };
    let view = TreeView::new(&tree, &options);
    let to = |target: LinkTarget, node: usize| {
        let after = tree.moves_to(node).iter().fold(link.position_only(), |link, mv| link.after(mv));
        if target == LinkTarget::Position { after.play() } else { after.url("tree") }
    };
    let picture = html! { div.tree-picture tabindex="0" role="region" aria-label=(tree.heading(lang)) { (PreEscaped(view.svg(&to))) } };
    Ok((picture, url))
}

/// A depth that no tree of a lesson reaches.
const FULL_DEPTH: &str = "40";

/// The right answer.
enum Solution {
    Number(u64),
    Outcome(Outcome),
}

/// The exercise at the end of a lesson. The program computes the right answer.
async fn exercise(answers: &Answers, lang: Lang, lesson: &Lesson, link: &Link) -> Result<Markup, RequestError> {
    let (kind, of) = &lesson.exercise.ask;
    if kind == "move" {
        return move_exercise(answers, lang, lesson, link, of).await;
    }
    let solution = solution(answers, kind, of).await?;
    let given = link.extra("answer");
    let is_right = given.map(|given| match &solution {
        Solution::Number(n) => given.replace([',', ' '], "").parse() == Ok(*n),
        Solution::Outcome(outcome) => given == outcome.to_string(),
    });
    Ok(html! {
        form.exercise method="get" action={ "/learn/" (lesson.name) "#exercise" } {
            (lang_field(link.lang))
            @match solution {
                Solution::Number(_) => label { span { (say::answer(lang)) } input #answer type="text" inputmode="numeric" name="answer" value=[given] autocomplete="off" maxlength="20"; },
                Solution::Outcome(_) => fieldset {
                    legend { (say::answer(lang)) }
                    @for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
                        label.choice {
                            input type="radio" name="answer" value=(outcome.to_string()) checked[given == Some(outcome.to_string().as_str())];
                            " " (say::outcome(lang, &outcome.to_string()))
                        }
                    }
                },
            }
            p { button #check type="submit" { (say::check(lang)) } }
        }
        (verdict(lang, &lesson.exercise, is_right))
    })
}

/// Says whether the reader's answer is right, if there is one.
fn verdict(lang: Lang, exercise: &Exercise, is_right: Option<bool>) -> Markup {
    html! {
        @match is_right {
            None => p #exercise {},
            Some(true) => p #exercise.checked.right role="status" { b { (say::right(lang)) } " " (exercise.right) },
            Some(false) => p #exercise.checked.wrong role="status" { b { (say::wrong(lang)) } " " (exercise.wrong) },
        }
    }
}

/// An exercise whose answer is a move on the board. A wrong move shows the reply.
async fn move_exercise(
    answers: &Answers,
    lang: Lang,
    lesson: &Lesson,
    link: &Link,
    of: &str,
) -> Result<Markup, RequestError> {
    let (_, begin) = parse_address(of)?;
    let begin = Link { lang: link.lang, host: Some(format!("/learn/{}", lesson.name)), ..begin };
    let with = Link { moves: link.moves.iter().take(1).cloned().collect(), ..begin.clone() };
    let (first, now) = run_blocking(move || Ok((Scene::new(begin)?, Scene::new(with)?))).await?;
    let answer = position::quick_answer(answers, &first).await?;
    let is_right = link.moves.first().map(|mv| answer.best.contains(mv));
    let reply = match is_right {
        Some(false) if !now.game.is_over() => position::quick_answer(answers, &now).await?.line.clone(),
        _ => Vec::new(),
    };
    let unmarked = MoveValues::new(None);
    Ok(html! {
        @if is_right.is_some() { (board::picture(lang, &now, None)) } @else { (board::picture(lang, &first, Some(&unmarked))) }
        (verdict(lang, &lesson.exercise, is_right))
        @if !reply.is_empty() { p { (position_words::line(lang)) ": " @for mv in &reply { code { (mv) } " " } } }
        @if is_right.is_some() { p { a #again href={ (first.link.play()) "#exercise" } { (say::again(lang)) } } }
    })
}

/// Computes the right answer.
async fn solution(answers: &Answers, kind: &str, of: &str) -> Result<Solution, RequestError> {
    let no_solution =
        || RequestError::new(StatusCode::INTERNAL_SERVER_ERROR, "a lesson asks what nobody knows", "mend its file");
    if kind == "number" {
        return of.parse().map(Solution::Number).map_err(|_| no_solution());
    }
    let (_, link) = parse_address(of)?;
    if matches!(kind, "positions" | "visits") {
        let link = if link.extra("depth").is_none() { link.with("depth", FULL_DEPTH) } else { link };
        let (_, tree) = tree::load_tree(answers, link).await?;
        let is_visit = |step: &&Step| matches!(step, Step::Enter { .. });
        let n = if kind == "visits" { tree.steps().iter().filter(is_visit).count() } else { tree.nodes.len() };
        return Ok(Solution::Number(n as u64));
    }
    let scene = run_blocking(move || Scene::new(link)).await?;
    match kind {
        "boards" => {
            let cells = scene.board.as_ref().map_or(0, |view| view.board.cells() as u32);
            1_u64.checked_shl(cells).map(Solution::Number).ok_or_else(no_solution)
        }
        "nimber" => NIMBER_LIMITS.run(move |watch| Ok(Solution::Number(nimber(&scene.game, watch)?))).await,
        "plies" => position::quick_answer(answers, &scene)
            .await?
            .remoteness
            .map(|n| Solution::Number(n.into()))
            .ok_or_else(no_solution),
        "outcome" => {
            position::quick_answer(answers, &scene).await?.outcome.map(Solution::Outcome).ok_or_else(no_solution)
        }
        _ => Err(no_solution()),
    }
}

/// The nimber of a game's start.
fn nimber(game: &AnyGame, watch: &Watch) -> Result<u64, RequestError> {
    let found = nimbers(game, vec![game.start_text()], watch)?;
    Ok(found.first().copied().unwrap_or_default().into())
}
