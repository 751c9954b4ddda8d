//! What an engine keeps of its work.

use std::sync::Arc;

use crate::checkpoint::Checkpoint;
use crate::journal::{Journal, JournalEntry};

/// Who keeps results that took long, and what was kept before.
#[derive(Clone, Debug)]
pub(super) struct Keeping(pub(super) Checkpoint);

/// The least number of positions that a kept result took: what took less is found again in
/// about the time that it takes to read it.
const LEAST_WORK: u64 = 1 << 11;

impl Keeping {
    pub(super) fn journal(&self) -> Journal {
        Journal::new(Arc::clone(&self.0.sink), LEAST_WORK)
    }

    pub(super) fn entries(&self) -> &[JournalEntry] {
        &self.0.entries
    }
}
