//! The explorer: pages that show what every move is worth, a game's tree, and the same
//! as JSON.

mod alone;
mod answers;
mod api;
mod asked;
mod assets;
mod board;
mod bounded;
mod census;
mod certificates;
mod connections;
mod events;
mod headers;
mod lessons;
mod link;
mod page;
mod pages;
mod public;
mod puzzles;
mod refusal;
mod reviews;
mod routes;
mod scene;
mod server;
mod site;
mod tags;
mod theme;
mod theory;
mod values;
mod words;

/// What pages say of a position, for whoever says the same elsewhere.
pub mod said {
    pub use crate::words::position::{outcome_word, to_move, verdict, who_wins_is_not_known, worth};
}

use std::sync::Arc;

use axum::Router;

pub use answers::{Answers, Limits};
pub use certificates::{Certificates, LeftOut};
pub use public::Public;
pub use server::{run, serve};

/// Everything that the explorer answers; within the bounds of [`Limits::public`], if these are set.
pub fn router(answers: Arc<Answers>) -> Router {
    let public = answers.public();
    headers::around(routes::routes().merge(api::routes()).with_state(answers), public)
}
