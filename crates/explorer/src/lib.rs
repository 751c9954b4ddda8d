//! The explorer: web pages and a JSON API that show the value of every move and the tree of a game.
//!
//! A [`router`] turns a request into a response. The feature `server`, which is on by default, has what serves it over TCP, and
//! solves positions in threads. Without it, `handle` answers a request in the calling thread, as in a browser. Nothing here
//! solves a game: [`Answers`] gives the questions to the engines of [`balpan_games`].

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod answers;
mod api;
mod assets;
mod board;
mod bounded;
mod certificates;
mod embed;
mod error;
mod layers;
mod link;
mod page;
mod pages;
mod request;
mod routes;
mod scene;
#[cfg(feature = "server")]
mod server;
mod theory;
mod words;

use std::sync::Arc;

use axum::Router;
#[cfg(not(feature = "server"))]
use axum::body::{Body, Bytes};
#[cfg(not(feature = "server"))]
use axum::http::{Request, response};

pub use answers::{Answers, Limits};
pub use certificates::{Certificates, SkippedFile};
#[cfg(feature = "server")]
pub use server::public::PublicLimits;
#[cfg(feature = "server")]
pub use server::{run, run_until, serve};

/// Returns all routes of the explorer. A server's are within [`Limits::public`] if these are set.
pub fn router(answers: Arc<Answers>) -> Router {
    #[cfg(feature = "server")]
    let public = answers.limits().public;
    let routes = routes::routes().merge(api::routes()).with_state(answers);
    #[cfg(feature = "server")]
    let routes = server::guarded(routes, public);
    layers::with_layers(routes)
}

/// Answers a request in the calling thread. `emit` gets the parts of the body as they become known; an event stream ends when it
/// returns false.
///
/// # Errors
/// If the response waits for another thread, which none does.
#[cfg(not(feature = "server"))]
pub fn handle(
    mut router: Router,
    request: Request<Body>,
    mut emit: impl FnMut(&response::Parts, &Bytes) -> bool,
) -> Result<response::Parts, axum::Error> {
    use futures_util::{FutureExt, StreamExt};
    use tower::Service;

    let pending = || axum::Error::new("a response that waits");
    let Ok(response) = router.call(request).now_or_never().ok_or_else(pending)?;
    let (head, body) = response.into_parts();
    let mut body = body.into_data_stream();
    while let Some(part) = body.next().now_or_never().ok_or_else(pending)? {
        if !emit(&head, &part?) {
            break;
        }
    }
    Ok(head)
}
