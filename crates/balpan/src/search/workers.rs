//! The workers of a solver, with the transposition table that they share.

use std::ops::Deref;
use std::sync::OnceLock;

use crate::search::checkpoint::{Journal, JournalEntry};
use crate::search::length::{self, TooDeep};
use crate::search::parallel::{Claims, DEFAULT_PARALLEL_THRESHOLD, Interrupt, SharedSearch, Worker};
use crate::search::table::{Slot, TranspositionTable};
use crate::search::watch::{Stopped, Watch};

/// The workers of a solver, which answer one query after another, and their table.
#[derive(Debug)]
pub(crate) struct Workers {
    pub(crate) table: TranspositionTable,
    pub(crate) watch: Watch,
    /// The journal of expensive results, if there is one.
    pub(crate) journal: Option<Journal>,
    /// The number of table entries in use.
    filled: u64,
    pub(crate) threads: usize,
    /// The stack size of helpers.
    stack_bytes: usize,
    /// The number of positions of a query that the main worker searches before it starts helpers.
    pub(crate) parallel_threshold: u64,
    pub(crate) positions: u64,
    /// The claims, which all queries use.
    claims: OnceLock<Claims>,
}

/// The state that the workers share during one search.
#[derive(Debug)]
pub(crate) struct TableSearch<'a> {
    shared: SharedSearch<'a>,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) journal: Option<&'a Journal>,
}

impl<'a> Deref for TableSearch<'a> {
    type Target = SharedSearch<'a>;

    fn deref(&self) -> &Self::Target {
        &self.shared
    }
}

impl Workers {
    /// Creates one worker for positions of this type. Helpers, if any, start after [`DEFAULT_PARALLEL_THRESHOLD`]
    /// positions of a query.
    pub(crate) fn new<Position>(table: TranspositionTable, watch: &Watch) -> Self {
        Self {
            table,
            watch: watch.clone(),
            journal: None,
            filled: 0,
            threads: 1,
            stack_bytes: length::stack_bytes::<Position>(None),
            parallel_threshold: DEFAULT_PARALLEL_THRESHOLD,
            positions: 0,
            claims: OnceLock::new(),
        }
    }

    /// Replaces the table.
    pub(crate) fn set_table(&mut self, table: TranspositionTable) {
        (self.table, self.filled) = (table, 0);
    }

    /// Sets the journal for expensive results, and stores those of `entries` that belong to it in the table. `slot` returns the
    /// slot of a key in the journal, if the table has one.
    pub(crate) fn set_journal(
        &mut self,
        journal: Journal,
        entries: &[JournalEntry],
        slot: impl Fn(&TranspositionTable, u128) -> Option<Slot>,
    ) {
        for entry in entries.iter().filter(|entry| journal.is_own(entry)) {
            if let Some(slot) = slot(&self.table, entry.key) {
                self.store(slot, entry.payload, 1 << entry.work.min(63));
            }
        }
        self.journal = Some(journal);
    }

    /// Stores a result that was found elsewhere in `work` positions, and appends it to the journal if that is
    /// expensive.
    pub(crate) fn learn(&mut self, key: u128, payload: u64, work: u64) {
        self.store(self.table.slot(key), payload, work);
        if let Some(journal) = self.journal.as_ref().filter(|journal| work >= journal.min_work()) {
            journal.append(key, payload, work);
        }
    }

    /// Removes the table's entries whose keys do not satisfy `is_retained`.
    pub(crate) fn retain(&mut self, is_retained: impl Fn(u128) -> bool) {
        self.filled = self.table.retain(is_retained);
    }

    fn store(&mut self, slot: Slot, payload: u64, work: u64) {
        self.filled += u64::from(self.table.store(slot, payload, work));
        if self.filled >= self.max_filled() {
            self.table.grow(self.threads);
        }
    }

    /// Returns the number of entries from which the table should grow.
    fn max_filled(&self) -> u64 {
        if self.table.can_grow() { self.table.capacity() / 4 * 3 } else { u64::MAX }
    }

    /// Returns the result of `search`, which runs in the main worker, and also in helpers if it takes long.
    pub(crate) fn search<T: Send>(
        &mut self,
        search: impl Fn(&TableSearch<'_>, Worker<'_>) -> Result<T, Interrupt> + Sync,
    ) -> Result<T, Stopped> {
        loop {
            if let Some(answer) = self.search_within(u64::MAX, &search)? {
                return Ok(answer);
            }
        }
    }

    /// Like [`search`](Self::search), but returns `None` once about `max_positions` positions are searched without a
    /// result.
    pub(crate) fn search_within<T: Send>(
        &mut self,
        max_positions: u64,
        search: impl Fn(&TableSearch<'_>, Worker<'_>) -> Result<T, Interrupt> + Sync,
    ) -> Result<Option<T>, Stopped> {
        if max_positions == 0 {
            return Ok(None);
        }
        loop {
            let shared = self.share(self.threads, max_positions);
            let result = shared.run(|worker| search(&shared, worker));
            let (positions, filled) = (shared.positions(), shared.filled());
            self.positions += positions;
            self.filled = filled;
            match result {
                Ok(answer) => return Ok(Some(answer)),
                Err(Interrupt::Stopped) => return Err(Stopped::Interrupted),
                Err(Interrupt::TooDeep) => return Err(TooDeep.stopped()),
                Err(Interrupt::Broken(promise)) => return Err(Stopped::Broken(promise)),
                Err(Interrupt::Full) => self.table.grow(self.threads),
                Err(Interrupt::Long | Interrupt::Over | Interrupt::Answered | Interrupt::Crowded) => return Ok(None),
            }
        }
    }

    /// Returns the shared state of a search by up to `threads` workers within `max_positions` positions.
    pub(crate) fn share(&self, threads: usize, max_positions: u64) -> TableSearch<'_> {
        let Self { watch, claims, stack_bytes, parallel_threshold, .. } = self;
        let shared = SharedSearch::new(watch, claims, threads, *stack_bytes, *parallel_threshold, max_positions)
            .with_entries(self.filled, self.max_filled());
        TableSearch { shared, table: &self.table, journal: self.journal.as_ref() }
    }
}
