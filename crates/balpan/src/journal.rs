//! The stream of expensive results from solvers to a sink.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

/// A result of a search, in the form of a solver's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    /// The solver that found it.
    pub solver: u8,
    /// The layout of the payload.
    pub layout: u8,
    /// The key of the question in the solver's table.
    pub key: u128,
    /// The payload in the table.
    pub payload: u64,
    /// The number of positions searched for it, as a power of two.
    pub work: u8,
}

/// A place that keeps entries.
pub trait JournalSink: Debug + Send + Sync {
    /// Keeps an entry. Called by several threads during a search.
    fn append(&self, entry: JournalEntry);

    /// Makes the entries kept so far durable.
    ///
    /// # Errors
    /// If an entry could not be kept since the last call.
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Where one solver writes its results.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    sink: Arc<dyn JournalSink>,
    min_work: u64,
    solver: u8,
    layout: u8,
}

impl Journal {
    /// A journal of results that took at least `min_work` positions.
    pub(crate) fn new(sink: Arc<dyn JournalSink>, min_work: u64) -> Self {
        Self { sink, min_work, solver: 0, layout: 0 }
    }

    /// The same for one solver's payloads.
    pub(crate) fn of(self, solver: u8, layout: u32) -> Self {
        Self { solver, layout: layout as u8, ..self }
    }

    /// The same, of results that took at least `min_work` positions.
    pub(crate) fn at_least(mut self, min_work: u64) -> Self {
        self.min_work = min_work;
        self
    }

    /// Whether an entry is one of this solver's.
    pub(crate) const fn is_own(&self, entry: &JournalEntry) -> bool {
        entry.solver == self.solver && entry.layout == self.layout
    }

    /// The least number of positions that a result took to be kept.
    #[inline]
    pub(crate) const fn min_work(&self) -> u64 {
        self.min_work
    }

    pub(crate) fn keep(&self, key: u128, payload: u64, work: u64) {
        let work = work.max(1).ilog2() as u8;
        self.sink.append(JournalEntry { solver: self.solver, layout: self.layout, key, payload, work });
    }
}
