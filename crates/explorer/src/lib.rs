//! The explorer: web pages and a JSON API that show the value of every move and the tree of a game.
//!
//! A [`router`] turns a request into a response; [`serve`] and [`run`] put a server around it. Nothing here solves a game:
//! [`Answers`] queues the questions for the engines of [`balpan_games`].

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod answers;
mod api;
mod assets;
mod board;
mod bounded;
mod certificates;
mod embed;
mod error;
mod link;
mod page;
mod pages;
mod request;
mod routes;
mod scene;
mod server;
mod theory;
mod words;

use std::sync::Arc;

use axum::Router;

pub use answers::{Answers, Limits};
pub use certificates::{Certificates, SkippedFile};
pub use server::public::PublicLimits;
pub use server::{run, run_until, serve};

/// Returns all routes of the explorer, within [`Limits::public`] if these are set.
pub fn router(answers: Arc<Answers>) -> Router {
    let public = answers.limits().public;
    server::layers::with_layers(routes::routes().merge(api::routes()).with_state(answers), public)
}
