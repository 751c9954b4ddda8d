//! Results that took long, on their way to somebody who keeps them.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

/// One result of a search, as a solver's table holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which solver's it is.
    pub solver: u8,
    /// How its payload is laid out.
    pub layout: u8,
    /// The key of the question in the solver's table.
    pub key: u128,
    /// What the table holds for it.
    pub payload: u64,
    /// The number of positions that it took, as a power of two.
    pub work: u8,
}

/// Somebody who keeps entries.
pub trait Keeper: Debug + Send + Sync {
    /// Keeps an entry. Threads call it while they search.
    fn keep(&self, entry: Entry);

    /// Keeps for good what was kept until now.
    ///
    /// # Errors
    /// If something could not be kept, since this was asked last.
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Where one solver writes its results.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    keeper: Arc<dyn Keeper>,
    least_work: u64,
    solver: u8,
    layout: u8,
}

impl Journal {
    /// A journal of results that took at least `least_work` positions.
    pub(crate) fn new(keeper: Arc<dyn Keeper>, least_work: u64) -> Self {
        Self { keeper, least_work, solver: 0, layout: 0 }
    }

    /// The same for one solver's payloads.
    pub(crate) fn of(self, solver: u8, layout: u32) -> Self {
        Self { solver, layout: layout as u8, ..self }
    }

    /// The same, of results that took at least `least_work` positions.
    pub(crate) fn at_least(mut self, least_work: u64) -> Self {
        self.least_work = least_work;
        self
    }

    /// Whether an entry is one of this solver's.
    pub(crate) const fn is_own(&self, entry: &Entry) -> bool {
        entry.solver == self.solver && entry.layout == self.layout
    }

    /// The least number of positions that a result took to be kept.
    #[inline]
    pub(crate) const fn least_work(&self) -> u64 {
        self.least_work
    }

    pub(crate) fn keep(&self, key: u128, payload: u64, work: u64) {
        let work = work.max(1).ilog2() as u8;
        self.keeper.keep(Entry { solver: self.solver, layout: self.layout, key, payload, work });
    }
}
