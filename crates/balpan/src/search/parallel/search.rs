//! What the workers of one search share, and what each of them counts.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Claim, Claims, Worker, run};
use crate::search::length::TooDeep;
use crate::search::watch::{BrokenPromise, Watch};

/// The reason why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// Another worker has the answer.
    Over,
    /// The watch says to stop.
    Stopped,
    /// The transposition table is full, and may grow.
    Full,
    /// The search has used up its positions.
    Long,
    /// Another worker has the answer to a question on this worker's path.
    Answered,
    /// The search went too deep.
    TooDeep,
    /// The game does not keep a promise.
    Broken(BrokenPromise),
    /// What the solver stores beside the table takes all memory that it may.
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

/// The state that all workers of one search share.
#[derive(Debug)]
pub struct SharedSearch<'a> {
    pub(crate) watch: &'a Watch,
    threads: usize,
    /// The stack of each helper.
    stack_bytes: usize,
    /// The number of positions that the main worker searches before it starts helpers.
    alone: u64,
    /// The positions that workers are searching; `None` if there is one worker only.
    claims: Option<&'a Claims>,
    /// Entries of the table in use, and the number with which it is full.
    filled: AtomicU64,
    max_filled: u64,
    positions: AtomicU64,
    /// After this many positions, or a few more, it is [`Interrupt::Long`].
    max_positions: u64,
    /// The first interrupt, by which all workers end.
    interrupt: OnceLock<Interrupt>,
}

impl<'a> SharedSearch<'a> {
    /// A search by up to `threads` workers within `max_positions` positions, or a few more. Helpers get at least
    /// `stack_bytes` of stack, and start after `alone` positions. One table of `claims` serves all searches of a solver.
    #[must_use]
    pub fn new(
        watch: &'a Watch,
        claims: &'a OnceLock<Claims>,
        threads: usize,
        stack_bytes: usize,
        alone: u64,
        max_positions: u64,
    ) -> Self {
        Self {
            watch,
            threads,
            stack_bytes,
            alone: if threads > 1 { alone } else { u64::MAX },
            claims: (threads > 1).then(|| claims.get_or_init(|| Claims::new(threads))),
            filled: 0.into(),
            max_filled: u64::MAX,
            positions: 0.into(),
            max_positions,
            interrupt: OnceLock::new(),
        }
    }

    /// The same search, with a table that has `filled` entries and is full with `max_filled`.
    pub(crate) fn with_entries(self, filled: u64, max_filled: u64) -> Self {
        Self { filled: filled.into(), max_filled, ..self }
    }

    /// Runs `search` in the main worker, and in helpers where it takes long. Returns the first answer.
    ///
    /// # Errors
    /// The first interrupt, if no worker has an answer.
    pub fn run<T: Send>(&self, search: impl Fn(Worker<'_>) -> Result<T, Interrupt> + Sync) -> Result<T, Interrupt> {
        let search = |worker: Worker<'_>| {
            let result = search(worker);
            match result {
                Ok(_) => self.end(Interrupt::Over),
                // The main worker may have to go less deep.
                Err(Interrupt::TooDeep) if !worker.is_main() => {}
                Err(interrupt @ (Interrupt::TooDeep | Interrupt::Broken(_))) => self.end(interrupt),
                Err(_) => {}
            }
            result
        };
        let results = run(self.watch, self.threads, self.stack_bytes, search);
        let result = results.into_iter().reduce(Result::or).unwrap_or(Err(Interrupt::Over));
        if self.threads == 1 {
            self.watch.add_makespan(self.positions());
            return result;
        }
        result.map_err(|interrupt| self.interrupt.get().copied().unwrap_or(interrupt))
    }

    /// The number of positions that were searched and reported.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions.load(Relaxed)
    }

    /// The number of entries of the table that are in use.
    pub(crate) fn filled(&self) -> u64 {
        self.filled.load(Relaxed)
    }

    /// The largest number of workers.
    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// The positions that workers are searching; `None` if there is one worker only.
    #[inline]
    #[must_use]
    pub const fn claims(&self) -> Option<&Claims> {
        self.claims
    }

    /// Claims what has this name, if there are several workers.
    pub(crate) fn claim(&self, name: Option<u64>) -> Claim {
        match (self.claims, name) {
            (Some(claims), Some(name)) if claims.claim(name) => Claim::Own(name),
            (Some(_), Some(name)) => Claim::Another(name),
            _ => Claim::None,
        }
    }

    /// Gives up a claim, if it is this worker's.
    pub(crate) fn release(&self, claim: Claim) {
        if let (Claim::Own(name), Some(claims)) = (claim, self.claims) {
            claims.release(name);
        }
    }

    /// Adds positions and filled entries of the table to those of all workers, and ends the search at a limit.
    fn report(&self, positions: u64, filled: u64) {
        let searched = self.positions.fetch_add(positions, Relaxed) + positions;
        let filled = self.filled.fetch_add(filled, Relaxed) + filled;
        if self.watch.count(positions).is_err() {
            self.end(Interrupt::Stopped);
        } else if filled >= self.max_filled {
            self.end(Interrupt::Full);
        } else if searched >= self.max_positions {
            self.end(Interrupt::Long);
        }
    }

    /// Ends all workers for this reason, unless they end for another one already.
    pub(crate) fn end(&self, interrupt: Interrupt) {
        let _ = self.interrupt.set(interrupt);
    }

    /// Returns the reason why all workers are to end, if there is one.
    pub(crate) fn check_interrupt(&self) -> Result<(), Interrupt> {
        self.interrupt.get().map_or(Ok(()), |&interrupt| Err(interrupt))
    }
}

/// One worker's part in a search: it counts positions, polls for interrupts, and starts helpers.
#[derive(Debug)]
pub struct Searcher<'a> {
    shared: &'a SharedSearch<'a>,
    worker: Worker<'a>,
    /// The positions that it has searched.
    positions: u64,
    /// Of these, those that it has reported.
    reported: u64,
    /// The number of positions at which it polls next.
    next_poll: u64,
    /// The number of positions after which it reports.
    batch: u64,
    /// The number of positions at which to start helpers, or at which it last did.
    alone: u64,
    /// The helpers that it has started, and an estimate of the positions that all workers have searched.
    helpers: u64,
    by_all: u64,
    /// The entries of the table that it has filled since it reported.
    filled: u64,
    /// Of the positions, those searched in vain because a deferred move was enough.
    wasted: u64,
}

/// A worker polls for interrupts each time that it has searched this many positions.
const POLL_POSITIONS: u64 = 1 << 4;

/// One helper is started for each such number of positions that all workers have searched: there is nothing to share
/// among more.
const POSITIONS_PER_HELPER: u64 = 1 << 6;

/// The main worker searches at most one position in this many in vain.
const MAX_WASTE_SHARE: u64 = 32;

impl<'a> Searcher<'a> {
    /// A worker that reports each time it has searched `batch` positions.
    #[must_use]
    pub fn new(shared: &'a SharedSearch<'a>, worker: Worker<'a>, batch: u64) -> Self {
        let batch = batch.min(shared.max_positions);
        let alone = if worker.is_main() { shared.alone } else { u64::MAX };
        let next_poll = if worker.is_simulated() { 1 } else { batch.min(POLL_POSITIONS) };
        Self {
            shared,
            worker,
            positions: 0,
            reported: 0,
            next_poll,
            batch,
            alone,
            helpers: 0,
            by_all: alone,
            filled: 0,
            wasted: 0,
        }
    }

    /// The worker.
    #[must_use]
    pub const fn worker(&self) -> Worker<'a> {
        self.worker
    }

    /// The number of positions that it has searched.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns whether it may defer a move that another worker is searching: the main worker may while little of its
    /// work has been in vain for that.
    pub(crate) const fn may_defer(&self) -> bool {
        !self.worker.is_main() || self.wasted.saturating_mul(MAX_WASTE_SHARE) <= self.positions
    }

    /// Notes that so many positions were searched in vain, after a move that was deferred.
    pub(crate) const fn note_waste(&mut self, positions: u64) {
        self.wasted += positions;
    }

    /// Notes whether it has filled an entry of the table.
    pub(crate) fn note_filled(&mut self, is_new: bool) {
        self.filled += u64::from(is_new);
    }

    /// Counts one position, and polls now and then. Returns whether it has reported.
    ///
    /// # Errors
    /// The reason why all workers are to end.
    #[inline]
    pub fn count(&mut self) -> Result<bool, Interrupt> {
        self.positions += 1;
        if self.positions < self.next_poll { Ok(false) } else { self.poll() }
    }

    #[cold]
    fn poll(&mut self) -> Result<bool, Interrupt> {
        self.worker.spend(1);
        self.next_poll = self.positions + if self.worker.is_simulated() { 1 } else { POLL_POSITIONS };
        if self.worker.is_simulated() && !self.positions.is_multiple_of(POLL_POSITIONS) {
            return Ok(false);
        }
        if self.positions >= self.alone {
            self.start_helpers();
        }
        let reports = self.positions - self.reported >= self.batch;
        if reports {
            self.report();
        }
        self.shared.check_interrupt()?;
        Ok(reports)
    }

    /// Starts as many helpers as there is work for, by the positions that all workers are likely to have searched.
    fn start_helpers(&mut self) {
        self.by_all += (self.positions - self.alone) * (1 + self.helpers);
        self.alone = self.positions;
        let helpers = (self.by_all / POSITIONS_PER_HELPER).min(self.shared.threads as u64 - 1);
        if helpers > self.helpers {
            self.helpers = helpers;
            self.worker.start_helpers(helpers as usize);
        }
        if helpers + 1 == self.shared.threads as u64 {
            self.alone = u64::MAX;
        }
    }

    /// Reports positions and filled entries of the table to the other workers and the watch.
    pub fn report(&mut self) {
        self.shared.report(self.positions - self.reported, self.filled);
        (self.reported, self.filled) = (self.positions, 0);
    }
}
