//! Threads that search for the answer to one question, with one table.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::claims::{Claim, Claims};
use crate::journal::{Entry, Journal};
use crate::length::{self, TooDeep};
use crate::table::{Place, Table};
use crate::watch::{BrokenPromise, Stopped, Watch};

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// Another thread has the answer.
    Over,
    /// The watch said so.
    Stopped,
    /// The table is full, and may grow.
    Full,
    /// It takes so long that more threads are worth their while.
    Long,
    /// Another thread has the answer to a question that led to this one.
    Answered,
    /// It went too deep.
    TooDeep,
    /// The game does not keep a promise.
    Broken(BrokenPromise),
    /// What the solver remembers besides the table takes all memory that it may.
    Crowded,
}

impl From<TooDeep> for Interrupt {
    fn from(TooDeep: TooDeep) -> Self {
        Self::TooDeep
    }
}

impl From<BrokenPromise> for Interrupt {
    fn from(promise: BrokenPromise) -> Self {
        Self::Broken(promise)
    }
}

/// A table, and the threads that answer one question after the other with it.
#[derive(Debug)]
pub(crate) struct Team {
    pub(crate) table: Table,
    pub(crate) watch: Watch,
    /// Where results that took long are kept, if anywhere.
    pub(crate) journal: Option<Journal>,
    /// Entries of the table that are in use.
    filled: u64,
    pub(crate) threads: usize,
    /// The stack of each thread but the first.
    stack_bytes: usize,
    /// After this many positions of one question, more threads than one work at it.
    pub(crate) alone: u64,
    pub(crate) positions: u64,
}

/// What the threads that work at one question share.
#[derive(Debug)]
pub(crate) struct Round<'a> {
    pub(crate) table: &'a Table,
    pub(crate) watch: &'a Watch,
    pub(crate) journal: Option<&'a Journal>,
    threads: usize,
    stack_bytes: usize,
    /// Where threads share the work.
    pub(crate) claims: Option<Claims>,
    /// Entries of the table in use; with how many of them it is full.
    filled: AtomicU64,
    full: u64,
    positions: AtomicU64,
    /// After this many positions, or a few more, it is [`Interrupt::Long`].
    long: u64,
    /// The first interrupt, by which all threads end.
    interrupt: OnceLock<Interrupt>,
}

impl Team {
    /// One thread, for the search of such positions.
    pub(crate) fn new<Position>(table: Table, watch: &Watch, alone: u64) -> Self {
        let stack_bytes = length::stack_bytes::<Position>(None);
        Self { table, watch: watch.clone(), journal: None, filled: 0, threads: 1, stack_bytes, alone, positions: 0 }
    }

    /// Another table in place of this one.
    pub(crate) fn renew(&mut self, table: Table) {
        (self.table, self.filled) = (table, 0);
    }

    /// Keeps results that took long, and remembers those kept before.
    pub(crate) fn keep(&mut self, journal: Journal, entries: &[Entry], place: impl Fn(&Table, u128) -> Place) {
        for entry in entries.iter().filter(|entry| journal.is_own(entry)) {
            let place = place(&self.table, entry.key);
            self.put(place, entry.payload, 1 << entry.work.min(63));
        }
        self.journal = Some(journal);
    }

    /// Remembers what was found elsewhere in `work` positions, and keeps it if that is long.
    pub(crate) fn learn(&mut self, key: u128, payload: u64, work: u64) {
        self.put(self.table.place(key), payload, work);
        if let Some(journal) = self.journal.as_ref().filter(|journal| work >= journal.least_work()) {
            journal.keep(key, payload, work);
        }
    }

    /// Forgets what the table has of keys that are not `kept`.
    pub(crate) fn retain(&mut self, kept: impl Fn(u128) -> bool) {
        self.filled = self.table.retain(kept);
    }

    fn put(&mut self, place: Place, payload: u64, work: u64) {
        self.filled += u64::from(self.table.put(place, payload, work));
        if self.filled >= self.table.capacity() / 4 * 3 && self.table.can_grow() {
            self.table.grow(self.threads);
        }
    }

    /// The answer that `search` has. It runs in one thread, and in all of them if it takes
    /// long, and is told whether its thread leads.
    pub(crate) fn ask<T: Send>(
        &mut self,
        search: impl Fn(&Round<'_>, bool) -> Result<T, Interrupt> + Sync,
    ) -> Result<T, Stopped> {
        loop {
            if let Some(answer) = self.ask_within(u64::MAX, &search)? {
                return Ok(answer);
            }
        }
    }

    /// As [`ask`](Self::ask), if it takes at most `most` positions, or a few more.
    pub(crate) fn ask_within<T: Send>(
        &mut self,
        most: u64,
        search: impl Fn(&Round<'_>, bool) -> Result<T, Interrupt> + Sync,
    ) -> Result<Option<T>, Stopped> {
        let alone = if self.threads > 1 { self.alone.min(most) } else { most };
        for (threads, positions) in [(1, alone), (self.threads, most - alone)] {
            if let Some(answer) = self.race(threads, positions, &search)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// The answer if that many threads find it within `most` positions, or a few more.
    fn race<T: Send>(
        &mut self,
        threads: usize,
        most: u64,
        search: impl Fn(&Round<'_>, bool) -> Result<T, Interrupt> + Sync,
    ) -> Result<Option<T>, Stopped> {
        if most == 0 {
            return Ok(None);
        }
        loop {
            let round = self.round(threads, most);
            let result = round.race(&search);
            let (positions, filled) = (round.positions.load(Relaxed), round.filled());
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

    /// What threads share in one round; it is long after this many positions.
    pub(crate) fn round(&self, threads: usize, long: u64) -> Round<'_> {
        let table = &self.table;
        Round {
            table,
            watch: &self.watch,
            journal: self.journal.as_ref(),
            threads,
            stack_bytes: self.stack_bytes,
            claims: (threads > 1).then(Claims::default),
            filled: self.filled.into(),
            full: if table.can_grow() { table.capacity() / 4 * 3 } else { u64::MAX },
            positions: 0.into(),
            long,
            interrupt: OnceLock::new(),
        }
    }
}

impl Round<'_> {
    /// The first answer that one of the threads has, this one being the leader.
    fn race<T: Send>(&self, search: impl Fn(&Round<'_>, bool) -> Result<T, Interrupt> + Sync) -> Result<T, Interrupt> {
        let search = |leads| {
            let result = search(self, leads);
            match result {
                Ok(_) => self.end(Interrupt::Over),
                // The leader may have to go less deep.
                Err(Interrupt::TooDeep) if !leads => {}
                Err(interrupt @ (Interrupt::TooDeep | Interrupt::Broken(_))) => self.end(interrupt),
                Err(_) => {}
            }
            result
        };
        if self.threads == 1 {
            return search(true);
        }
        thread::scope(|scope| {
            // Threads that the system has no room for are done without.
            let spawn = |_| length::spawn_with_stack(scope, self.stack_bytes, || search(false));
            let others: Vec<_> = (1..self.threads).filter_map(spawn).collect();
            let own = search(true);
            let result = others.into_iter().fold(own, |result, other| match other.join() {
                Ok(others) => result.or(others),
                Err(panic) => std::panic::resume_unwind(panic),
            });
            // The first interrupt is why all of them ended.
            result.map_err(|interrupt| self.interrupt.get().copied().unwrap_or(interrupt))
        })
    }

    /// How many entries of the table are in use now.
    pub(crate) fn filled(&self) -> u64 {
        self.filled.load(Relaxed)
    }

    /// Where a thread that reports at regular numbers of positions does so first.
    pub(crate) fn first_report(&self, batch: u64) -> u64 {
        batch.min(self.long)
    }

    /// Adds what a thread has searched, and the entries of the table that it has
    /// filled, for the others and the watch to know.
    pub(crate) fn report(&self, positions: u64, filled: u64) {
        let searched = self.positions.fetch_add(positions, Relaxed) + positions;
        let filled = self.filled.fetch_add(filled, Relaxed) + filled;
        if self.watch.count(positions).is_err() {
            self.end(Interrupt::Stopped);
        } else if filled >= self.full {
            self.end(Interrupt::Full);
        } else if searched >= self.long {
            self.end(Interrupt::Long);
        }
    }

    /// Claims what belongs in this place of the table, where threads share the work.
    pub(crate) fn claim(&self, place: Option<Place>) -> Claim {
        match (&self.claims, place.map(Place::name)) {
            (Some(claims), Some(name)) if claims.claim(name) => Claim::Own(name),
            (Some(_), Some(_)) => Claim::Another,
            _ => Claim::None,
        }
    }

    /// Gives up a claim, if it is one of this thread.
    pub(crate) fn release(&self, claim: Claim) {
        if let (Claim::Own(name), Some(claims)) = (claim, &self.claims) {
            claims.release(name);
        }
    }

    /// How many threads there are at most.
    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// Has all threads end, as what the solver remembers besides the table takes all memory that it may.
    pub(crate) fn end_crowded(&self) {
        self.end(Interrupt::Crowded);
    }

    /// Has all threads end.
    fn end(&self, interrupt: Interrupt) {
        // Only the first one counts.
        let _ = self.interrupt.set(interrupt);
    }

    /// Whether to go on.
    pub(crate) fn check(&self) -> Result<(), Interrupt> {
        self.interrupt.get().map_or(Ok(()), |&interrupt| Err(interrupt))
    }
}
