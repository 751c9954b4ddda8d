//! The tests of certificates, in one program: shared code is compiled once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod adversarial;
mod certificates;
mod common;
mod hostile;
mod places;
mod rules;
