//! The exercise at the end of a lesson: what is asked, and whether the reader is right, by what
//! the program finds itself.

use axum::http::StatusCode;
use balpan::{Outcome, Watch};
use balpan_games::AnyGame;
use maud::{Markup, html};

use super::read;
use crate::answers::Answers;
use crate::board::{self, Worths};
use crate::bounded::bounded;
use crate::lessons::{Exercise, Lesson};
use crate::link::Link;
use crate::pages::position;
use crate::refusal::Refusal;
use crate::scene::{Scene, apart, start_text};
use crate::theory::{LONGEST, ROOM, nimbers};
use crate::words::{Lang, learn as say, position as words};

/// Depth of a tree that is whole.
const WHOLE: &str = "40";

/// What is right.
enum Truth {
    Number(u64),
    Outcome(Outcome),
}

pub(super) async fn exercise(answers: &Answers, lang: Lang, lesson: &Lesson, link: &Link) -> Result<Markup, Refusal> {
    let (kind, of) = &lesson.exercise.ask;
    if kind == "move" {
        return on_board(answers, lang, lesson, link, of).await;
    }
    let truth = truth(answers, kind, of).await?;
    let given = link.other("answer");
    let is_right = given.map(|given| match &truth {
        Truth::Number(n) => given.replace([',', ' '], "").parse() == Ok(*n),
        Truth::Outcome(outcome) => given == outcome.to_string(),
    });
    let hidden = link.lang.map(Lang::code);
    Ok(html! {
        form.exercise method="get" action={ "/learn/" (lesson.name) "#exercise" } {
            @if let Some(lang) = hidden { input type="hidden" name="lang" value=(lang); }
            @match truth {
                Truth::Number(_) => label { span { (say::answer(lang)) } input #answer type="text" inputmode="numeric" name="answer" value=[given] autocomplete="off" maxlength="20"; },
                Truth::Outcome(_) => fieldset {
                    legend { (say::answer(lang)) }
                    @for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
                        label.choice {
                            input type="radio" name="answer" value=(outcome.to_string()) checked[given == Some(outcome.to_string().as_str())];
                            " " (say::outcome(lang, outcome))
                        }
                    }
                },
            }
            p { button #check type="submit" { (say::check(lang)) } }
        }
        (verdict(lang, &lesson.exercise, is_right))
    })
}

/// What is said of an answer, if there is one.
fn verdict(lang: Lang, exercise: &Exercise, is_right: Option<bool>) -> Markup {
    html! {
        @match is_right {
            None => p #exercise {},
            Some(true) => p #exercise.checked.right role="status" { b { (say::right(lang)) } " " (exercise.right) },
            Some(false) => p #exercise.checked.wrong role="status" { b { (say::wrong(lang)) } " " (exercise.wrong) },
        }
    }
}

/// A move to make on the board; a wrong one is answered there.
async fn on_board(answers: &Answers, lang: Lang, lesson: &Lesson, link: &Link, of: &str) -> Result<Markup, Refusal> {
    let (_, begin) = read(of)?;
    let begin = Link { lang: link.lang, host: Some(format!("/learn/{}", lesson.name)), ..begin };
    let with = Link { moves: link.moves.iter().take(1).cloned().collect(), ..begin.clone() };
    let (first, now) = apart(move || Ok((Scene::new(begin)?, Scene::new(with)?))).await?;
    let answer = position::answered_soon(answers, &first).await?;
    let is_right = link.moves.first().map(|mv| answer.best.contains(mv));
    let reply = match is_right {
        Some(false) if !now.view.over => position::answered_soon(answers, &now).await?.line.clone(),
        _ => Vec::new(),
    };
    let unmarked = Worths::new(None);
    let picture = |scene: &Scene, worths: Option<&Worths>| match &scene.view.board {
        Some(view) => board::board(lang, scene, view, worths),
        None => board::heaps(lang, scene, worths),
    };
    Ok(html! {
        @if is_right.is_some() { (picture(&now, None)) } @else { (picture(&first, Some(&unmarked))) }
        (verdict(lang, &lesson.exercise, is_right))
        @if !reply.is_empty() { p { (words::line(lang)) ": " @for mv in &reply { code { (mv) } " " } } }
        @if is_right.is_some() { p { a #again href={ (first.link.play()) "#exercise" } { (say::again(lang)) } } }
    })
}

/// What is right, found anew.
async fn truth(answers: &Answers, kind: &str, of: &str) -> Result<Truth, Refusal> {
    let unknown =
        || Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "a lesson asks what nobody knows", "mend its file");
    if kind == "number" {
        return of.parse().map(Truth::Number).map_err(|_| unknown());
    }
    let (_, link) = read(of)?;
    if matches!(kind, "positions" | "visits") {
        let link = if link.other("depth").is_none() { link.with("depth", WHOLE) } else { link };
        let tree = super::tree_of(answers, link).await?;
        let n = if kind == "visits" { tree.visits() } else { tree.positions() };
        return Ok(Truth::Number(n as u64));
    }
    let scene = apart(move || Scene::new(link)).await?;
    match kind {
        "boards" => {
            let cells = scene.view.board.as_ref().map_or(0, |view| view.board.cells() as u32);
            1_u64.checked_shl(cells).map(Truth::Number).ok_or_else(unknown)
        }
        "nimber" => bounded(&ROOM, LONGEST, move |watch| Ok(Truth::Number(nimber(&scene.game, watch)?))).await,
        "plies" => position::answered_soon(answers, &scene)
            .await?
            .remoteness
            .map(|n| Truth::Number(n.into()))
            .ok_or_else(unknown),
        "outcome" => position::answered_soon(answers, &scene).await?.outcome.map(Truth::Outcome).ok_or_else(unknown),
        _ => Err(unknown()),
    }
}

/// The nimber of a game's start.
fn nimber(game: &AnyGame, watch: &Watch) -> Result<u64, Refusal> {
    let found = nimbers(game, vec![start_text(game)], watch)?;
    Ok(found.first().copied().unwrap_or_default().into())
}
