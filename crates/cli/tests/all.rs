//! The tests of the command, in one program, so that shared code is compiled once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod book;
mod building;
#[cfg(feature = "cluster")]
mod cluster;
mod common;
mod files;
mod generate;
mod inputs;
mod interactive;
mod judges;
mod korean;
mod limits;
mod own_code;
mod own_games;
mod play;
mod proving;
mod puzzles;
mod readme;
mod referee;
mod remote;
mod reviews;
mod serve;
#[path = "common/server.rs"]
mod server;
mod solving;
mod stress;
mod sums;
mod trees;
mod values;
mod without_keys;
mod words;
