//! Threads that search for the answer to one question, with one table.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::journal::{Journal, JournalEntry};
use crate::length::{self, TooDeep};
use crate::parallel::{self, Claim, Claims, Worker};
use crate::table::{Slot, TranspositionTable};
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
    /// It takes more positions than it may.
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
    pub(crate) table: TranspositionTable,
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
    /// What the workers are searching: one table for all questions.
    claims: OnceLock<Claims>,
}

/// What the threads that work at one question share.
#[derive(Debug)]
pub(crate) struct Round<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) watch: &'a Watch,
    pub(crate) journal: Option<&'a Journal>,
    threads: usize,
    stack_bytes: usize,
    /// The leader is alone for so many positions.
    alone: u64,
    /// What they are searching, if there are several.
    claims: Option<&'a Claims>,
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
    pub(crate) fn new<Position>(table: TranspositionTable, watch: &Watch, alone: u64) -> Self {
        let stack_bytes = length::stack_bytes::<Position>(None);
        Self {
            table,
            watch: watch.clone(),
            journal: None,
            filled: 0,
            threads: 1,
            stack_bytes,
            alone,
            positions: 0,
            claims: OnceLock::new(),
        }
    }

    /// Another table in place of this one.
    pub(crate) fn renew(&mut self, table: TranspositionTable) {
        (self.table, self.filled) = (table, 0);
    }

    /// Keeps results that took long, and remembers those kept before.
    pub(crate) fn keep(
        &mut self,
        journal: Journal,
        entries: &[JournalEntry],
        place: impl Fn(&TranspositionTable, u128) -> Slot,
    ) {
        for entry in entries.iter().filter(|entry| journal.is_own(entry)) {
            let place = place(&self.table, entry.key);
            self.put(place, entry.payload, 1 << entry.work.min(63));
        }
        self.journal = Some(journal);
    }

    /// Remembers what was found elsewhere in `work` positions, and keeps it if that is long.
    pub(crate) fn learn(&mut self, key: u128, payload: u64, work: u64) {
        self.put(self.table.slot(key), payload, work);
        if let Some(journal) = self.journal.as_ref().filter(|journal| work >= journal.min_work()) {
            journal.keep(key, payload, work);
        }
    }

    /// Forgets what the table has of keys that are not `kept`.
    pub(crate) fn retain(&mut self, kept: impl Fn(u128) -> bool) {
        self.filled = self.table.retain(kept);
    }

    fn put(&mut self, place: Slot, payload: u64, work: u64) {
        self.filled += u64::from(self.table.store(place, payload, work));
        if self.filled >= self.table.capacity() / 4 * 3 && self.table.can_grow() {
            self.table.grow(self.threads);
        }
    }

    /// The answer that `search` has. It runs in the leader, and in all workers if it takes long.
    pub(crate) fn ask<T: Send>(
        &mut self,
        search: impl Fn(&Round<'_>, Worker<'_>) -> Result<T, Interrupt> + Sync,
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
        search: impl Fn(&Round<'_>, Worker<'_>) -> Result<T, Interrupt> + Sync,
    ) -> Result<Option<T>, Stopped> {
        if most == 0 {
            return Ok(None);
        }
        loop {
            let round = self.round(self.threads, most);
            let result = round.race(&search);
            let (positions, filled) = (round.positions.load(Relaxed), round.filled());
            self.positions += positions;
            self.filled = filled;
            if self.threads == 1 {
                self.watch.add_makespan(positions);
            }
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
            alone: if threads > 1 { self.alone } else { u64::MAX },
            claims: (threads > 1).then(|| self.claims.get_or_init(|| Claims::new(threads))),
            filled: self.filled.into(),
            full: if table.can_grow() { table.capacity() / 4 * 3 } else { u64::MAX },
            positions: 0.into(),
            long,
            interrupt: OnceLock::new(),
        }
    }
}

/// One worker's part in a round: what it counts, and when it looks up from its work.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    pub(crate) round: &'a Round<'a>,
    pub(crate) worker: Worker<'a>,
    /// The number of positions that it has searched.
    pub(crate) positions: u64,
    /// Of these, the number that the others know of.
    reported: u64,
    /// The number of positions at which it looks up next.
    next_look: u64,
    batch: u64,
    /// The number of positions at which to start helpers, or where it last did.
    alone: u64,
    /// The number of helpers that it has started, and of positions that all of them are likely to have searched.
    helpers: u64,
    by_all: u64,
    /// The number of entries of the table that it has filled since it reported.
    pub(crate) filled: u64,
    /// Of the positions, those that were searched in vain, as what was deferred before was enough.
    wasted: u64,
}

/// A worker heeds that the others end each time it has searched this many positions.
const LOOK: u64 = 1 << 4;

/// A helper is started for each such number of positions that all have searched: among more workers than that there is
/// nothing to share.
const POSITIONS_PER_HELPER: u64 = 1 << 6;

/// The leader searches at most one position in this many in vain.
const LEADER_SHARE: u64 = 32;

impl<'a> Member<'a> {
    /// A worker that reports its positions, and heeds the others, each time that it has searched `batch` of them.
    pub(crate) fn new(round: &'a Round<'a>, worker: Worker<'a>, batch: u64) -> Self {
        let batch = batch.min(round.long);
        let alone = if worker.number() == 0 { round.alone } else { u64::MAX };
        let next_look = if worker.is_simulated() { 1 } else { batch.min(LOOK) };
        Self {
            round,
            worker,
            positions: 0,
            reported: 0,
            next_look,
            batch,
            alone,
            helpers: 0,
            by_all: alone,
            filled: 0,
            wasted: 0,
        }
    }

    /// Returns whether it is the leader.
    pub(crate) fn leads(&self) -> bool {
        self.worker.number() == 0
    }

    /// Returns whether it may go on with what comes after something that another worker is searching: the leader only
    /// where that has seldom been in vain.
    pub(crate) fn may_defer(&self) -> bool {
        !self.leads() || self.wasted.saturating_mul(LEADER_SHARE) <= self.positions
    }

    /// Notes that so many positions were searched in vain, after something that was deferred.
    pub(crate) fn note_waste(&mut self, positions: u64) {
        self.wasted += positions;
    }

    /// Counts one position, and looks up from the work now and then. Returns whether it has.
    #[inline]
    pub(crate) fn count(&mut self) -> Result<bool, Interrupt> {
        self.positions += 1;
        if self.positions < self.next_look { Ok(false) } else { self.look_up() }
    }

    #[cold]
    fn look_up(&mut self) -> Result<bool, Interrupt> {
        self.worker.spend(1);
        self.next_look = self.positions + if self.worker.is_simulated() { 1 } else { LOOK };
        if self.worker.is_simulated() && !self.positions.is_multiple_of(LOOK) {
            return Ok(false);
        }
        if self.positions >= self.alone {
            self.start_helpers();
        }
        let reports = self.positions - self.reported >= self.batch;
        if reports {
            self.report();
        }
        self.round.check()?;
        Ok(reports)
    }

    /// Starts as many helpers as there is work for, by what all are likely to have searched by now.
    fn start_helpers(&mut self) {
        self.by_all += (self.positions - self.alone) * (1 + self.helpers);
        self.alone = self.positions;
        let helpers = (self.by_all / POSITIONS_PER_HELPER).min(self.round.threads as u64 - 1);
        if helpers > self.helpers {
            self.helpers = helpers;
            self.worker.start_helpers(helpers as usize);
        }
        if helpers + 1 == self.round.threads as u64 {
            self.alone = u64::MAX;
        }
    }

    /// Adds what it has searched, and the entries of the table that it has filled, for the others and the watch to know.
    pub(crate) fn report(&mut self) {
        self.round.report(self.positions - self.reported, self.filled);
        (self.reported, self.filled) = (self.positions, 0);
    }
}

impl Round<'_> {
    /// The first answer that one of the threads has, this one being the leader.
    fn race<T: Send>(
        &self,
        search: impl Fn(&Round<'_>, Worker<'_>) -> Result<T, Interrupt> + Sync,
    ) -> Result<T, Interrupt> {
        let search = |worker: Worker<'_>| {
            let result = search(self, worker);
            match result {
                Ok(_) => self.end(Interrupt::Over),
                // The leader may have to go less deep.
                Err(Interrupt::TooDeep) if worker.number() > 0 => {}
                Err(interrupt @ (Interrupt::TooDeep | Interrupt::Broken(_))) => self.end(interrupt),
                Err(_) => {}
            }
            result
        };
        let results = parallel::run(self.watch, self.threads, self.stack_bytes, search);
        let result = results.into_iter().reduce(Result::or).unwrap_or(Err(Interrupt::Over));
        if self.threads == 1 {
            return result;
        }
        // The first interrupt is why all of them ended.
        result.map_err(|interrupt| self.interrupt.get().copied().unwrap_or(interrupt))
    }

    /// How many entries of the table are in use now.
    pub(crate) fn filled(&self) -> u64 {
        self.filled.load(Relaxed)
    }

    /// Adds what a thread has searched, and the entries of the table that it has
    /// filled, for the others and the watch to know.
    fn report(&self, positions: u64, filled: u64) {
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

    /// What workers are searching, if there are several.
    #[inline]
    pub(crate) const fn claims(&self) -> Option<&Claims> {
        self.claims
    }

    /// Claims what belongs in this place of the table, where threads share the work.
    pub(crate) fn claim(&self, place: Option<Slot>) -> Claim {
        match (self.claims(), place.map(Slot::hash)) {
            (Some(claims), Some(name)) if claims.claim(name) => Claim::Own(name),
            (Some(_), Some(name)) => Claim::Another(name),
            _ => Claim::None,
        }
    }

    /// Gives up a claim, if it is one of this thread.
    pub(crate) fn release(&self, claim: Claim) {
        if let (Claim::Own(name), Some(claims)) = (claim, self.claims()) {
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
