//! The routes of all pages.

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
use crate::page::{Page, Reader, origin, refused, respond};
use crate::pages::position::Shown;
use crate::pages::{
    census, certificate, certificates, editor, games, help, learn, period, position, puzzles, quotient, review, rules,
    stress, sum, tree, value,
};
use crate::refusal::Refusal;
use crate::scene::apart;
use crate::site::{Site, not_of_others};
use crate::words::refusal as say;
use crate::{alone, assets, events, theme};

pub(crate) fn routes() -> Router<Arc<Answers>> {
    let solving = Router::new()
        .route("/play/{game}", get(play))
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
        .route("/events/{game}", get(events::of_page))
        .route_layer(from_fn(not_of_others));
    Router::new()
        .merge(solving)
        .route("/", get(home))
        .route("/help", get(help_page))
        .route("/theme", get(theme::chosen))
        .route("/board/{game}", get(alone::picture))
        .route("/embed/{game}", get(alone::embedded))
        .route("/games/{game}", get(rules_page))
        .route("/edit/{game}", get(edit))
        .route("/learn", get(learn_page))
        .route("/puzzles", get(puzzles_page))
        .route("/puzzles/today", get(puzzle_of_the_day))
        .route("/stress", get(stress_page))
        .route("/certificates", get(certificates_page))
        .route("/certificates/{name}", get(certificate_page))
        .route("/assets/{name}", get(assets::asset))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
}

/// A game's name in a path; one that cannot be read is not a game's.
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
    let query = query.unwrap_or_default();
    let reader = Reader::of_query(&headers, &query);
    respond(reader, apart(move || games::page(reader, &query)).await)
}

async fn help_page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let reader = Reader::of_query(&headers, &query.unwrap_or_default());
    respond(reader, Ok(help::page(reader)))
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
    let written = link.clone().ok();
    let shown = match link {
        Ok(link) => position::page(reader, link, &answers, Site::of(&method, &headers)).await,
        Err(refusal) => Err(refusal),
    };
    match shown {
        Ok(Shown::Page(page)) => {
            // A picture is found by its whole address alone.
            let picture = origin(&headers).zip(written).map(|(origin, link)| {
                let name = Link { game: format!("{}.svg", link.game), ..link.of_position() };
                format!("{origin}{}", name.url("board"))
            });
            respond(reader, Ok(Page { picture, ..page }))
        }
        Ok(Shown::Elsewhere(url)) => Redirect::to(&url).into_response(),
        Err(refusal) => mended(reader, written, refusal).await,
    }
}

/// A position that is none is there to be mended in the editor, with the mark under the mistake;
/// what else is refused is told.
async fn mended(reader: Reader, written: Option<Link>, refusal: Refusal) -> Response {
    let of_position = |link: &Link| refusal.text.as_ref().is_some_and(|(text, _)| link.at.as_deref() == Some(text));
    let Some(link) = written.filter(of_position) else {
        return respond(reader, Err(refusal));
    };
    let draft = link.at.clone().unwrap_or_default();
    let editor = apart(move || editor::page(reader, link.of_game().with("draft", draft))).await;
    respond(
        reader,
        Ok(editor.map_or_else(|_| refused(reader, &refusal), |page| Page { status: refusal.status, ..page })),
    )
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

async fn learn_page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let reader = Reader::of_query(&headers, &query.unwrap_or_default());
    respond(reader, Ok(learn::list(reader)))
}

async fn lesson_page(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &learn::KEYS);
    let page = match link {
        Ok(link) => learn::page(&answers, reader, &link).await,
        Err(refusal) => Err(refusal),
    };
    respond(reader, page)
}

async fn puzzles_page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let reader = Reader::of_query(&headers, &query.unwrap_or_default());
    respond(reader, apart(move || puzzles::list(reader)).await)
}

async fn puzzle_of_the_day(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let reader = Reader::of_query(&headers, &query.unwrap_or_default());
    Redirect::to(&puzzles::of_the_day(reader)).into_response()
}

async fn puzzle_page(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &puzzles::KEYS);
    let shown = match link {
        Ok(link) => puzzles::page(&answers, reader, &link).await,
        Err(refusal) => Err(refusal),
    };
    match shown {
        Ok(puzzles::Shown::Page(page)) => respond(reader, Ok(page)),
        Ok(puzzles::Shown::Elsewhere(url)) => Redirect::to(&url).into_response(),
        Err(refusal) => respond(reader, Err(refusal)),
    }
}

async fn puzzle_sheet(State(answers): State<Arc<Answers>>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = query.unwrap_or_default();
    let reader = Reader::of_query(&headers, &query);
    match puzzles::sheet(&answers, reader.lang, &query).await {
        Ok(sheet) => sheet,
        Err(refusal) => respond(reader, Err(refusal)),
    }
}

async fn stress_page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let reader = Reader::of_query(&headers, &query.unwrap_or_default());
    respond(reader, stress::page(reader).await)
}

async fn census_page(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &[]);
    let page = match link {
        Ok(link) => census::page(&answers, reader, link).await,
        Err(refusal) => Err(refusal),
    };
    respond(reader, page)
}

async fn parts_page(
    State(answers): State<Arc<Answers>>,
    name: Name,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let (reader, link) = reader_and_link(name, query, &headers, &[]);
    let page = match link {
        Ok(link) => sum::of_position(&answers, reader, link).await,
        Err(refusal) => Err(refusal),
    };
    respond(reader, page)
}

async fn sum_page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = query.unwrap_or_default();
    let reader = Reader::of_query(&headers, &query);
    respond(reader, sum::of_games(reader, &query).await)
}

async fn value_page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = query.unwrap_or_default();
    let reader = Reader::of_query(&headers, &query);
    respond(reader, value::page(reader, &query).await)
}

async fn period_page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = query.unwrap_or_default();
    let reader = Reader::of_query(&headers, &query);
    respond(reader, period::page(reader, &query).await)
}

async fn quotient_page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = query.unwrap_or_default();
    let reader = Reader::of_query(&headers, &query);
    respond(reader, quotient::page(reader, &query).await)
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
        && let Some(name) = file.strip_suffix(".cert")
    {
        let of = match answers.certificates().named(name) {
            Ok(of) => of,
            Err(refusal) => return respond(Reader::of_query(&headers, &query.unwrap_or_default()), Err(refusal)),
        };
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
        certificate::page(reader, &link, &*certificates.named(&link.game)?)
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
