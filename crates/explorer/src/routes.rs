//! The routes of all pages.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::answers::Answers;
use crate::error::RequestError;
use crate::link::Link;
use crate::page::{Page, PageOrRedirect, Reader, error_page, origin, respond, respond_or_redirect};
use crate::pages::{
    census, certificate, certificates, editor, games, help, learn, period, position, puzzles, quotient, review, rules,
    stress, sum, tree, value,
};
use crate::scene::run_blocking;
use crate::server::site::{Site, refuse_cross_site};
use crate::words::error as say;
use crate::{assets, embed, events, theme};

pub(crate) fn routes() -> Router<Arc<Answers>> {
    let solving = Router::new()
        .route("/play/{game}", get(play_page))
        .route("/review/{game}", get(review_page))
        .route("/learn/{lesson}", get(lesson_page))
        .route("/census/{game}", get(census_page))
        .route("/parts/{game}", get(parts_page))
        .route("/sum", get(sum_page))
        .route("/value", get(value_page))
        .route("/period", get(period_page))
        .route("/quotient", get(quotient_page))
        .route("/puzzles/{number}", get(puzzle_page))
        .route("/puzzles/sheet", get(puzzle_sheet))
        .route("/tree/{game}", get(tree_page))
        .route("/events/{game}", get(events::page_events))
        .route_layer(from_fn(refuse_cross_site));
    Router::new()
        .merge(solving)
        .route("/", get(games_page))
        .route("/help", get(help_page))
        .route("/theme", get(theme::set_theme))
        .route("/board/{game}", get(embed::board_svg))
        .route("/embed/{game}", get(embed::embedded_page))
        .route("/games/{game}", get(rules_page))
        .route("/edit/{game}", get(editor_page))
        .route("/learn", get(lessons_page))
        .route("/puzzles", get(puzzles_page))
        .route("/puzzles/today", get(puzzle_of_the_day))
        .route("/stress", get(stress_page))
        .route("/certificates", get(certificates_page))
        .route("/certificates/{name}", get(certificate_page))
        .route("/assets/{name}", get(assets::asset))
        .fallback(no_page)
        .method_not_allowed_fallback(wrong_method)
}

/// A request without a body, as far as a page or an answer depends on it.
pub(crate) struct GetRequest {
    pub(crate) reader: Reader,
    /// The site that the request comes from.
    pub(crate) site: Site,
    /// This server's address, as the client knows it.
    pub(crate) origin: Option<String>,
    /// The parameter in the path; `None` if there is none or it is not UTF-8.
    pub(crate) name: Option<String>,
    pub(crate) query: String,
}

impl<S: Send + Sync> FromRequestParts<S> for GetRequest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let name = Path::from_request_parts(parts, state).await.ok().map(|Path(name)| name);
        let headers = &parts.headers;
        let (reader, site) = (Reader::from_query(headers, &query), Site::new(&parts.method, headers));
        Ok(Self { reader, site, origin: origin(headers), name, query })
    }
}

impl GetRequest {
    /// Parses the URL of a page about the game in the path. `keys` are the keys of this kind of page.
    pub(crate) fn link(&self, keys: &[&str]) -> Result<Link, RequestError> {
        Link::parse(self.name.as_deref().ok_or_else(RequestError::no_page)?, &self.query, keys)
    }
}

async fn games_page(request: GetRequest) -> Response {
    let reader = request.reader;
    respond(reader, run_blocking(move || games::page(reader, &request.query)).await)
}

async fn help_page(GetRequest { reader, .. }: GetRequest) -> Response {
    respond(reader, Ok(help::page(reader)))
}

async fn rules_page(request: GetRequest) -> Response {
    let reader = request.reader;
    respond(reader, run_blocking(move || rules::page(reader, request.link(&[])?)).await)
}

async fn play_page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Response {
    let (reader, link) = (request.reader, request.link(&[]));
    let page = async { position::page(reader, link.clone()?, &answers, request.site).await };
    match page.await {
        Ok(PageOrRedirect::Page(page)) => {
            // The URL of a preview picture has to be absolute.
            let picture = request.origin.zip(link.ok()).map(|(origin, link)| {
                let name = Link { game: format!("{}.svg", link.game), ..link.position_only() };
                format!("{origin}{}", name.url("board"))
            });
            respond(reader, Ok(Page { picture, ..page }))
        }
        Err(error) => edit_or_refuse(reader, link.ok(), error).await,
        redirect => respond_or_redirect(reader, redirect),
    }
}

/// Opens the editor if the error is in the position, so that it can be mended there; else shows the error.
async fn edit_or_refuse(reader: Reader, link: Option<Link>, error: RequestError) -> Response {
    let is_in_position = |link: &Link| error.text.as_ref().is_some_and(|(text, _)| link.at.as_deref() == Some(text));
    let Some(link) = link.filter(is_in_position) else {
        return respond(reader, Err(error));
    };
    let draft = link.at.clone().unwrap_or_default();
    let editor = run_blocking(move || editor::page(reader, link.game_only().with("draft", draft))).await;
    respond(reader, editor.map(|page| Page { status: error.status, ..page }).or(Err(error)))
}

async fn review_page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Response {
    let page = async { review::page(&answers, request.reader, request.link(&review::KEYS)?, request.site).await };
    respond_or_redirect(request.reader, page.await)
}

async fn editor_page(request: GetRequest) -> Response {
    let reader = request.reader;
    respond(reader, run_blocking(move || editor::page(reader, request.link(&editor::KEYS)?)).await)
}

async fn tree_page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Response {
    let page = async { tree::page(&answers, request.reader, request.link(&tree::KEYS)?).await };
    respond(request.reader, page.await)
}

async fn lessons_page(GetRequest { reader, .. }: GetRequest) -> Response {
    respond(reader, Ok(learn::list(reader)))
}

async fn lesson_page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Response {
    let page = async { learn::page(&answers, request.reader, &request.link(&learn::KEYS)?).await };
    respond(request.reader, page.await)
}

async fn puzzles_page(GetRequest { reader, .. }: GetRequest) -> Response {
    respond(reader, run_blocking(move || puzzles::list(reader)).await)
}

async fn puzzle_of_the_day(request: GetRequest) -> Response {
    Redirect::to(&puzzles::today_url(request.reader)).into_response()
}

async fn puzzle_page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Response {
    let page = async { puzzles::page(&answers, request.reader, &request.link(&puzzles::KEYS)?).await };
    respond_or_redirect(request.reader, page.await)
}

async fn puzzle_sheet(State(answers): State<Arc<Answers>>, GetRequest { reader, query, .. }: GetRequest) -> Response {
    puzzles::sheet(&answers, reader.lang, &query).await.unwrap_or_else(|error| respond(reader, Err(error)))
}

async fn stress_page(GetRequest { reader, .. }: GetRequest) -> Response {
    respond(reader, stress::page(reader).await)
}

async fn census_page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Response {
    let page = async { census::page(&answers, request.reader, request.link(&[])?).await };
    respond(request.reader, page.await)
}

async fn parts_page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Response {
    let page = async { sum::parts_page(&answers, request.reader, request.link(&[])?).await };
    respond(request.reader, page.await)
}

async fn sum_page(GetRequest { reader, query, .. }: GetRequest) -> Response {
    respond(reader, sum::sum_page(reader, &query).await)
}

async fn value_page(GetRequest { reader, query, .. }: GetRequest) -> Response {
    respond(reader, value::page(reader, &query).await)
}

async fn period_page(GetRequest { reader, query, .. }: GetRequest) -> Response {
    respond(reader, period::page(reader, &query).await)
}

async fn quotient_page(GetRequest { reader, query, .. }: GetRequest) -> Response {
    respond(reader, quotient::page(reader, &query).await)
}

async fn certificates_page(State(answers): State<Arc<Answers>>, GetRequest { reader, .. }: GetRequest) -> Response {
    respond(reader, Ok(certificates::page(reader, answers.certificates())))
}

/// A certificate's page; if the name ends in `.cert`, the file.
async fn certificate_page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Response {
    let (reader, all) = (request.reader, Arc::clone(answers.certificates()));
    if let Some(name) = request.name.as_deref().and_then(|name| name.strip_suffix(".cert")) {
        let certificate = match all.get(name) {
            Ok(certificate) => certificate,
            Err(error) => return respond(reader, Err(error)),
        };
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
            (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment")),
            (header::ETAG, certificate.tag.clone()),
        ];
        return (headers, certificate.bytes.clone()).into_response();
    }
    let page = run_blocking(move || {
        let link = request.link(&[])?;
        certificate::page(reader, &link, &*all.get(&link.game)?)
    });
    respond(reader, page.await)
}

async fn no_page(GetRequest { reader, .. }: GetRequest) -> Response {
    respond(reader, Err(RequestError::no_page()))
}

async fn wrong_method(headers: HeaderMap) -> Response {
    let reader = Reader::new(&headers, None);
    let error = RequestError::localized(StatusCode::METHOD_NOT_ALLOWED, say::method);
    respond(reader, Ok(error_page(reader, &error)))
}
