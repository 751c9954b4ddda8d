//! The tests of the crate, in one program.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod own_partizan_games;
mod quotients;
mod sums;
mod values;
