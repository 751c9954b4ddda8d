//! The routes of all pages.

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::routing::get;

use crate::answers::Answers;
use crate::error::RequestError;
use crate::pages::{
    census, certificate, editor, games, heaps, learn, parts, position, problems, puzzles, review, rules, sum, tree,
    value,
};
use crate::request::{refuse_cross_site, set_theme};
use crate::words::error as say;
use crate::{assets, embed};

pub(crate) fn routes() -> Router<Arc<Answers>> {
    let solving = Router::new()
        .route("/play/{game}", get(position::page))
        .route("/review/{game}", get(review::page))
        .route("/learn/{lesson}", get(learn::page))
        .route("/census/{game}", get(census::page))
        .route("/parts/{game}", get(parts::page))
        .route("/sum", get(sum::page))
        .route("/value", get(value::page))
        .route("/period", get(heaps::period))
        .route("/quotient", get(heaps::quotient))
        .route("/puzzles/{number}", get(puzzles::page))
        .route("/puzzles/sheet", get(puzzles::sheet))
        .route("/tree/{game}", get(tree::page))
        .route("/events/{game}", get(position::events))
        .route_layer(from_fn(refuse_cross_site));
    #[cfg(feature = "server")]
    let solving = {
        use axum::extract::State;
        use axum::http::header::CONTENT_TYPE;
        let metrics = async |State(answers): State<Arc<Answers>>| {
            ([(CONTENT_TYPE, "text/plain; version=0.0.4")], answers.metrics())
        };
        solving.route("/health", get(async || "ok\n")).route("/metrics", get(metrics))
    };
    Router::new()
        .merge(solving)
        .route("/", get(games::page))
        .route("/help", get(games::help))
        .route("/theme", get(set_theme))
        .route("/board/{game}", get(embed::board_svg))
        .route("/embed/{game}", get(embed::embedded_page))
        .route("/games/{game}", get(rules::page))
        .route("/edit/{game}", get(editor::page))
        .route("/learn", get(learn::list))
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/today", get(puzzles::today_page))
        .route("/stress", get(problems::list))
        .route("/stress/{name}", get(problems::page))
        .route("/certificates", get(certificate::list))
        .route("/certificates/{name}", get(certificate::page))
        .route("/assets/{name}", get(assets::asset))
        .fallback(async || RequestError::not_found(say::no_page))
        .method_not_allowed_fallback(async || RequestError::localized(StatusCode::METHOD_NOT_ALLOWED, say::method))
}
