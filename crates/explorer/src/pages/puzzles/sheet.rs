//! Printable sheets: the puzzles of one game on boards of one size, and their answers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use balpan_pictures::puzzle::{Puzzle as Drawn, Puzzles, sheets};

use super::{start_link, task};
use crate::answers::Answers;
use crate::embed::PICTURE_POLICY;
use crate::error::RequestError;
use crate::pages::position;
use crate::puzzles::{puzzles, today};
use crate::request::GetRequest;
use crate::scene::{Scene, run_blocking};
use crate::words::puzzles as say;

/// Puzzles on a sheet.
const MAX_PUZZLES: usize = 12;

pub(super) fn url(first: usize, answers: bool) -> String {
    format!("/puzzles/sheet?of={}{}", first + 1, if answers { "&answers=yes" } else { "" })
}

/// Lists the sizes of boards, each with its first puzzle.
pub(super) fn sizes(numbers: &[usize]) -> Vec<(String, usize)> {
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
                of = n.filter(|n| *n < puzzles().len()).ok_or_else(RequestError::no_puzzle)?;
            }
            "answers" => with_answers = crate::link::parse_yes_no(&key, &value)?,
            "lang" => {}
            key => return Err(RequestError::unknown_key(key)),
        }
    }
    let game = &puzzles()[of].link.game;
    let alike = |n: &usize| puzzles()[*n].link.game == *game && size(*n) == size(of);
    let mut drawn = Vec::new();
    let mut first = None;
    for n in (0..puzzles().len()).filter(alike).take(MAX_PUZZLES) {
        let puzzle = &puzzles()[n];
        let link = start_link(n, puzzle, None);
        let scene = run_blocking(move || Scene::new(link)).await?;
        let answer = position::quick_answer(&answers, &scene).await?;
        drawn.push(Drawn {
            position: scene.view.position.clone(),
            to_move: scene.view.players[0],
            task: task(lang, &scene, puzzle),
            level: say::level(lang, puzzle.level).to_owned(),
            winning: answer.best.first().cloned().unwrap_or_default(),
            line: answer.line.clone(),
            failures: Vec::new(),
        });
        first.get_or_insert(scene.game);
    }
    let game = first.ok_or_else(RequestError::no_puzzle)?;
    let title = format!("{} {}", puzzles()[of].link.game, game.size());
    let pages = sheets(&game, &Puzzles { title, lang, puzzles: drawn });
    let page = pages.into_iter().next().ok_or_else(RequestError::no_puzzle)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PICTURE_POLICY)),
    ];
    Ok((headers, if with_answers { page.answers } else { page.puzzles }).into_response())
}
