//! Evaluates every lemma of the checker on all positions of small boards, and compares the result with brute force.
//!
//! The brute force has its own statement of the rules, after `docs/certificates.md` and `docs/rules.md`, and shares no
//! code with the checker. Only `lemmas/checker.rs` calls the checker.
//!
//! Tests marked as ignored cover larger boards:
//! `cargo test --release -p balpan-check --test lemmas -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "lemmas/board.rs"]
mod board;
#[path = "lemmas/checker.rs"]
mod checker;
#[path = "lemmas/game.rs"]
mod game;
#[path = "lemmas/heaps.rs"]
mod heaps;
#[path = "lemmas/lines.rs"]
mod lines;
#[path = "lemmas/marks.rs"]
mod marks;
#[path = "lemmas/nimbers.rs"]
mod nimbers;
#[path = "lemmas/placement.rs"]
mod placement;
#[path = "lemmas/places.rs"]
mod places;
#[path = "lemmas/walkers.rs"]
mod walkers;
