//! The tests of strong solutions, in one program: shared code is compiled once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bytes;
mod common;
mod features;
mod published;
mod table;
mod values;
mod without_keys;
mod working_files;
