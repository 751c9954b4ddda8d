//! The workers of a solver, with the transposition table that they share.

use std::ops::Deref;
use std::sync::OnceLock;

use crate::search::checkpoint::{Journal, JournalEntry};
use crate::search::length::{self, TooDeep};
use crate::search::parallel::{Claims, Interrupt, SharedSearch, Worker};
use crate::search::table::{Slot, TranspositionTable};
use crate::search::watch::{Stopped, Watch};

/// The workers of a solver, which search for the answer to one question after the other, and their table.
#[derive(Debug)]
pub(crate) struct Workers {
    pub(crate) table: TranspositionTable,
    pub(crate) watch: Watch,
    /// Where results that took long are recorded, if anywhere.
    pub(crate) journal: Option<Journal>,
    /// Entries of the table that are in use.
    filled: u64,
    pub(crate) threads: usize,
    /// The stack of each thread but the first.
    stack_bytes: usize,
    /// The number of positions of one question that the main worker searches before it starts helpers.
    pub(crate) alone: u64,
    pub(crate) positions: u64,
    /// One table of claims for all questions.
    claims: OnceLock<Claims>,
}

/// The state that the workers share while they search for one answer.
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
    /// One worker, for the search of such positions. Helpers, if any, start after `alone` positions of a question.
    pub(crate) fn new<Position>(table: TranspositionTable, watch: &Watch, alone: u64) -> Self {
        Self {
            table,
            watch: watch.clone(),
            journal: None,
            filled: 0,
            threads: 1,
            stack_bytes: length::stack_bytes::<Position>(None),
            alone,
            positions: 0,
            claims: OnceLock::new(),
        }
    }

    /// Replaces the table.
    pub(crate) fn set_table(&mut self, table: TranspositionTable) {
        (self.table, self.filled) = (table, 0);
    }

    /// Records results that took long in `journal` from now on, and stores those of `entries` that are its own.
    pub(crate) fn set_journal(
        &mut self,
        journal: Journal,
        entries: &[JournalEntry],
        slot: impl Fn(&TranspositionTable, u128) -> Slot,
    ) {
        for entry in entries.iter().filter(|entry| journal.is_own(entry)) {
            let slot = slot(&self.table, entry.key);
            self.store(slot, entry.payload, 1 << entry.work.min(63));
        }
        self.journal = Some(journal);
    }

    /// Stores what was found elsewhere in `work` positions, and records it if that is long.
    pub(crate) fn learn(&mut self, key: u128, payload: u64, work: u64) {
        self.store(self.table.slot(key), payload, work);
        if let Some(journal) = self.journal.as_ref().filter(|journal| work >= journal.min_work()) {
            journal.append(key, payload, work);
        }
    }

    /// Removes the table's entries whose keys are not to be `kept`.
    pub(crate) fn retain(&mut self, kept: impl Fn(u128) -> bool) {
        self.filled = self.table.retain(kept);
    }

    fn store(&mut self, slot: Slot, payload: u64, work: u64) {
        self.filled += u64::from(self.table.store(slot, payload, work));
        if self.filled >= self.max_filled() {
            self.table.grow(self.threads);
        }
    }

    /// The number of entries with which the table should grow.
    fn max_filled(&self) -> u64 {
        if self.table.can_grow() { self.table.capacity() / 4 * 3 } else { u64::MAX }
    }

    /// The answer that `search` finds. It runs in the main worker, and in all workers if it takes long.
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

    /// As [`search`](Self::search), if it takes at most `max_positions` positions, or a few more.
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

    /// The state of a search by so many threads, within so many positions.
    pub(crate) fn share(&self, threads: usize, max_positions: u64) -> TableSearch<'_> {
        let Self { watch, claims, stack_bytes, alone, .. } = self;
        let shared = SharedSearch::new(watch, claims, threads, *stack_bytes, *alone, max_positions)
            .with_entries(self.filled, self.max_filled());
        TableSearch { shared, table: &self.table, journal: self.journal.as_ref() }
    }
}
