//! The tests of contests in one executable, so that shared code is compiled once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod explain;
mod function;
mod generate;
mod judges;
mod load;
mod mistakes;
mod naive;
mod package;
mod problems;
mod program;
mod programs;
mod puzzles;
mod running;
mod sheets;
mod sheets_fit;
mod slips;
mod solution;
mod stress;
mod wrong_programs;
