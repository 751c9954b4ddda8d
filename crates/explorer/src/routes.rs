//! Which page answers which path.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::answers::Answers;
use crate::link::Link;
use crate::page::{Reader, refused, respond};
use crate::pages::position::Shown;
use crate::pages::{certificate, certificates, editor, games, position, review, rules, tree};
use crate::refusal::Refusal;
use crate::scene::apart;
use crate::site::{Site, not_of_others};
use crate::words::refusal as say;
use crate::{assets, events};

pub(crate) fn routes() -> Router<Arc<Answers>> {
    let solving = Router::new()
        .route("/play/{game}", get(play))
        .route("/review/{game}", get(review_page))
        .route("/tree/{game}", get(tree_page))
        .route("/events/{game}", get(events::of_page))
        .route_layer(from_fn(not_of_others));
    Router::new()
        .merge(solving)
        .route("/", get(home))
        .route("/games/{game}", get(rules_page))
        .route("/edit/{game}", get(edit))
        .route("/certificates", get(certificates_page))
        .route("/certificates/{name}", get(certificate_page))
        .route("/assets/{name}", get(assets::asset))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
}

/// A game's name in a path; one that cannot be read is no game's.
pub(crate) type Name = Result<Path<String>, PathRejection>;

pub(crate) fn reader_and_link(
    name: Name,
    query: Option<String>,
    headers: &HeaderMap,
    keys: &[&str],
) -> (Reader, Result<Link, Refusal>) {
    let query = query.unwrap_or_default();
    let link = match name {
        Ok(Path(name)) => Link::read(&name, &query, keys),
        Err(_) => Err(Refusal::no_page()),
    };
    (Reader::of_query(headers, &query), link)
}

async fn home(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let reader = Reader::of_query(&headers, &query.unwrap_or_default());
    respond(reader, apart(move || games::page(reader)).await)
}

async fn rules_page(name: Name, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &[]);
    respond(reader, apart(move || rules::page(reader, link?)).await)
}

async fn play(
    State(answers): State<Arc<Answers>>,
    method: Method,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &[]);
    let shown = match link {
        Ok(link) => position::page(reader, link, &answers, Site::of(&method, &headers)).await,
        Err(refusal) => Err(refusal),
    };
    match shown {
        Ok(Shown::Page(page)) => respond(reader, Ok(page)),
        Ok(Shown::Elsewhere(url)) => Redirect::to(&url).into_response(),
        Err(refusal) => respond(reader, Err(refusal)),
    }
}

async fn review_page(
    State(answers): State<Arc<Answers>>,
    method: Method,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &review::KEYS);
    let shown = match link {
        Ok(link) => review::page(&answers, reader, link, Site::of(&method, &headers)).await,
        Err(refusal) => Err(refusal),
    };
    match shown {
        Ok(review::Shown::Page(page)) => respond(reader, Ok(page)),
        Ok(review::Shown::Elsewhere(url)) => Redirect::to(&url).into_response(),
        Err(refusal) => respond(reader, Err(refusal)),
    }
}

async fn edit(name: Name, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &editor::KEYS);
    respond(reader, apart(move || editor::page(reader, link?)).await)
}

async fn tree_page(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &tree::KEYS);
    let page = match link {
        Ok(link) => tree::page(&answers, reader, link).await,
        Err(refusal) => Err(refusal),
    };
    respond(reader, page)
}

async fn certificates_page(
    State(answers): State<Arc<Answers>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let reader = Reader::of_query(&headers, &query.unwrap_or_default());
    respond(reader, Ok(certificates::page(reader, answers.certificates())))
}

/// A certificate's page, or with `.cert` behind its name the file.
async fn certificate_page(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    if let Ok(Path(file)) = &name
        && let Some(of) = file.strip_suffix(".cert").and_then(|name| answers.certificates().named(name))
    {
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
            (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment")),
            (header::ETAG, of.tag.clone()),
        ];
        return (headers, of.bytes.clone()).into_response();
    }
    let (reader, link) = reader_and_link(name, query, &headers, &[]);
    let certificates = Arc::clone(answers.certificates());
    let page = apart(move || {
        let link = link?;
        let of = certificates.named(&link.game).ok_or_else(Refusal::no_certificate)?;
        certificate::page(reader, &link, of)
    });
    respond(reader, page.await)
}

async fn nothing(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let reader = Reader::of_query(&headers, &query.unwrap_or_default());
    respond(reader, Err(Refusal::no_page()))
}

async fn wrong_method(headers: HeaderMap) -> Response {
    let reader = Reader::new(&headers, None);
    let refusal = Refusal::told(StatusCode::METHOD_NOT_ALLOWED, say::method);
    respond(reader, Ok(refused(reader, &refusal)))
}
