//! Positions for pages of others: as a picture, and as the one page that may stand in a frame.
//! Nothing that takes long is begun for either.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, html};

use crate::answers::{Answers, Asked, Reply, Wait};
use crate::board::{self, Worths};
use crate::page::{Reader, respond};
use crate::pages::position;
use crate::refusal::Refusal;
use crate::routes::{Name, reader_and_link};
use crate::scene::{Scene, apart};
use crate::words::{frame, help as say};

/// A picture that brings its own style, and nothing else.
const OF_PICTURE: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// A page that may stand in anybody's frame, and does nothing there but show.
const OF_EMBEDDED: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/// What a link shows, and what is soon known of it, if that is to be told.
async fn seen(
    answers: &Answers,
    name: Name,
    query: Option<String>,
    headers: &HeaderMap,
) -> (Reader, Result<Seen, Refusal>) {
    let (reader, link) = reader_and_link(name, query, headers, &[]);
    let seen = async {
        let link = link?;
        let is_marked = link.marks != Some(false);
        let scene = apart(move || Scene::new(link)).await?;
        let asked = Asked { may_take_long: false, ..position::asked(&scene) };
        let answer = match answers.ask(asked, if is_marked { Wait::ForVerdict } else { Wait::Not }).await {
            _ if !is_marked => None,
            Reply::Answered(answer) => Some(answer),
            Reply::NotYet(_, known) | Reply::GivenUp(_, known) | Reply::Left(known) => known,
            Reply::Busy => None,
            Reply::Refused(no_answer) => return Err(no_answer.into()),
        };
        Ok((scene, answer))
    };
    (reader, seen.await)
}

type Seen = (Scene, Option<Arc<balpan_games::Answer>>);

/// `/board/tictactoe.svg?at=...`: the position as a picture.
pub(crate) async fn picture(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let name = name.map(|Path(name)| Path(name.strip_suffix(".svg").unwrap_or(&name).to_owned()));
    match seen(&answers, name, query, &headers).await {
        (reader, Ok((scene, answer))) => {
            let svg = board::alone(reader.lang, &scene, &Worths::new(answer.as_deref())).into_string();
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
                (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(OF_PICTURE)),
                (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin")),
            ];
            (headers, svg).into_response()
        }
        (reader, Err(refusal)) => respond(reader, Err(refusal)),
    }
}

/// `/embed/tictactoe?at=...`: the board, and the way to its page.
pub(crate) async fn embedded(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let (reader, (scene, answer)) = match seen(&answers, name, query, &headers).await {
        (reader, Ok(seen)) => (reader, seen),
        (reader, Err(refusal)) => return respond(reader, Err(refusal)),
    };
    let lang = reader.lang;
    let title = format!("{} {}", frame::game(lang, &scene.link.game), scene.game.size());
    let page = html! {
        (DOCTYPE)
        html lang=(lang.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · balpan" }
                link rel="stylesheet" href="/assets/style.css";
            }
            body.embedded {
                main {
                    h1.unseen { (title) }
                    (board::figure(lang, &scene, &Worths::new(answer.as_deref())))
                    p { a href=(scene.link.play()) target="_blank" rel="noopener" { (title) " · " (say::open(lang)) } }
                }
            }
        }
    };
    let headers = [(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(OF_EMBEDDED))];
    (headers, Html(page.into_string())).into_response()
}
