//! The tests of the families, in one program: what they share is compiled once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod all_boards;
mod connect4_sets;
mod dominoes;
mod errors;
mod heaps;
mod keep;
mod lines;
mod misere;
mod naive;
mod nimbers;
mod placement;
mod published;
mod published_values;
mod reviews;
mod scaling;
mod trees;
mod values;
mod walkers;
