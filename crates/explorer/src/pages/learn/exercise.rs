//! The exercise at the end of a lesson. The program computes the right answer.

use axum::http::StatusCode;
use balpan::tree::Step;
use balpan::{Outcome, Watch};
use balpan_games::AnyGame;
use maud::{Markup, html};

use super::lessons::{Exercise, Lesson};
use super::parse_address;
use crate::answers::Answers;
use crate::board::{self, MoveValues};
use crate::error::RequestError;
use crate::link::Link;
use crate::pages::position;
use crate::scene::{Scene, run_blocking};
use crate::theory::{NIMBER_LIMITS, nimbers};
use crate::words::{Lang, learn as say, position as words};

/// A depth that no tree of a lesson reaches.
const FULL_DEPTH: &str = "40";

/// The right answer.
enum Solution {
    Number(u64),
    Outcome(Outcome),
}

pub(super) async fn exercise(
    answers: &Answers,
    lang: Lang,
    lesson: &Lesson,
    link: &Link,
) -> Result<Markup, RequestError> {
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
    let hidden = link.lang.map(Lang::code);
    Ok(html! {
        form.exercise method="get" action={ "/learn/" (lesson.name) "#exercise" } {
            @if let Some(lang) = hidden { input type="hidden" name="lang" value=(lang); }
            @match solution {
                Solution::Number(_) => label { span { (say::answer(lang)) } input #answer type="text" inputmode="numeric" name="answer" value=[given] autocomplete="off" maxlength="20"; },
                Solution::Outcome(_) => fieldset {
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
        @if !reply.is_empty() { p { (words::line(lang)) ": " @for mv in &reply { code { (mv) } " " } } }
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
        let tree = super::load_tree(answers, link).await?;
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
