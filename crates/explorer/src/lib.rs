//! The explorer: pages that show what every move is worth, a game's tree, and the same
//! as JSON.

mod answers;
mod api;
mod asked;
mod assets;
mod board;
mod certificates;
mod events;
mod headers;
mod link;
mod page;
mod pages;
mod refusal;
mod routes;
mod scene;
mod server;
mod site;
mod tags;
mod words;

use std::sync::Arc;

use axum::Router;

pub use answers::{Answers, Limits};
pub use certificates::{Certificates, LeftOut};
pub use server::{run, serve};

/// Everything that the explorer answers.
pub fn router(answers: Arc<Answers>) -> Router {
    headers::around(routes::routes().merge(api::routes()).with_state(answers))
}
