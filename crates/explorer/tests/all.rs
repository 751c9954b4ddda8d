//! The integration tests of the explorer, in one program so that shared code is compiled once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod api;
mod certificate_pages;
mod crawl;
mod fifth_family;
mod floods;
mod growing;
mod hostile;
mod injection;
mod public;
mod scores_and_loops;
mod trees;
mod weight;
