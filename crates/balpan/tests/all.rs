//! The integration tests of the library, in one program, so that shared code is compiled once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod broken_games;
mod broken_promises;
mod loops;
mod named_games;
mod random_games;
mod random_sums;
mod scores;
mod trees;
