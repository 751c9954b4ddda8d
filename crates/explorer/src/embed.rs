//! Positions for other sites: as a picture, and as the one page that a frame may show. Neither starts a long search.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use balpan_games::Answer;
use maud::{DOCTYPE, html};

use crate::answers::{Answers, Query, Wait};
use crate::board::{self, MoveValues};
use crate::error::RequestError;
use crate::pages::position;
use crate::request::GetRequest;
use crate::scene::{Scene, run_blocking};
use crate::words::{frame, help as say};

/// The policy of a picture, which has its style in itself.
pub(crate) const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// The policy of a page that any site may frame, without scripts and forms.
const EMBEDDED_POLICY: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/// Loads the position of a request, and what is soon known of it unless its marks are hidden.
async fn load(answers: &Answers, request: &GetRequest) -> Result<(Scene, Option<Arc<Answer>>), RequestError> {
    let link = request.link(&[])?;
    let is_marked = link.marks != Some(false);
    let scene = run_blocking(move || Scene::new(link)).await?;
    if !is_marked {
        return Ok((scene, None));
    }
    let query = Query { may_take_long: false, ..position::query(&scene) };
    let known = answers.ask(query, Wait::UntilOutcome).await.known()?;
    Ok((scene, known))
}

/// `/board/tictactoe.svg?at=...`: the position as a picture.
pub(crate) async fn board_svg(
    State(answers): State<Arc<Answers>>,
    request: GetRequest,
) -> Result<Response, RequestError> {
    let name = request.name.as_deref().map(|name| name.strip_suffix(".svg").unwrap_or(name).to_owned());
    let request = GetRequest { name, ..request };
    let (scene, known) = load(&answers, &request).await?;
    let svg = board::standalone(request.reader.lang, &scene, &MoveValues::new(known.as_deref())).into_string();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PICTURE_POLICY)),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin")),
    ];
    Ok((headers, svg).into_response())
}

/// `/embed/tictactoe?at=...`: the board, and a link to the position's page.
pub(crate) async fn embedded_page(
    State(answers): State<Arc<Answers>>,
    request: GetRequest,
) -> Result<Response, RequestError> {
    let (scene, known) = load(&answers, &request).await?;
    let lang = request.reader.lang;
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
                    (board::figure(lang, &scene, &MoveValues::new(known.as_deref())))
                    p { a href=(scene.link.play()) target="_blank" rel="noopener" { (title) " · " (say::open(lang)) } }
                }
            }
        }
    };
    let headers = [(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(EMBEDDED_POLICY))];
    Ok((headers, Html(page.into_string())).into_response())
}
