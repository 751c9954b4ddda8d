//! The state that the workers of one search share, and the counters of each worker.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Claim, Claims, Worker, run};
use crate::search::length::TooDeep;
use crate::search::watch::{BrokenPromise, Watch};

/// The reason why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// Another worker has finished the search.
    Over,
    /// The watch stopped the search.
    Stopped,
    /// The transposition table is full, and may grow.
    Full,
    /// The search has reached its maximum number of positions.
    Long,
    /// Another worker has answered a test on this worker's path.
    Answered,
    /// The recursion is too deep.
    TooDeep,
    /// The game broke a promise.
    Broken(BrokenPromise),
    /// The solver's memory beside the table is full.
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

/// The number of positions of a search from which helpers are worth starting.
pub const DEFAULT_PARALLEL_THRESHOLD: u64 = 1 << 10;

/// The state that all workers of one search share.
#[derive(Debug)]
pub struct SharedSearch<'a> {
    pub(crate) watch: &'a Watch,
    threads: usize,
    /// The stack size of each helper.
    stack_bytes: usize,
    /// The number of positions that the main worker searches before it starts helpers.
    parallel_threshold: u64,
    /// The positions that workers are searching; `None` if there is only one worker.
    claims: Option<&'a Claims>,
    /// The number of table entries in use.
    filled: AtomicU64,
    /// The number of table entries from which the table is [`Interrupt::Full`].
    max_filled: u64,
    positions: AtomicU64,
    /// The number of positions after which the search is [`Interrupt::Long`]; workers may exceed it slightly.
    max_positions: u64,
    /// The first interrupt, which ends all workers.
    interrupt: OnceLock<Interrupt>,
}

impl<'a> SharedSearch<'a> {
    /// Creates the state of a search by up to `threads` workers that ends after about `max_positions` positions.
    /// Helpers get at least `stack_bytes` of stack, and start after `parallel_threshold` positions. One table of
    /// `claims` serves all searches of a solver.
    #[must_use]
    pub fn new(
        watch: &'a Watch,
        claims: &'a OnceLock<Claims>,
        threads: usize,
        stack_bytes: usize,
        parallel_threshold: u64,
        max_positions: u64,
    ) -> Self {
        Self {
            watch,
            threads,
            stack_bytes,
            parallel_threshold: if threads > 1 { parallel_threshold } else { u64::MAX },
            claims: (threads > 1).then(|| claims.get_or_init(|| Claims::new(threads))),
            filled: 0.into(),
            max_filled: u64::MAX,
            positions: 0.into(),
            max_positions,
            interrupt: OnceLock::new(),
        }
    }

    /// Sets the number of entries in the table, and the number from which it is full.
    pub(crate) fn with_entries(self, filled: u64, max_filled: u64) -> Self {
        Self { filled: filled.into(), max_filled, ..self }
    }

    /// Runs `search` in the main worker, and also in helpers if it takes long. Returns the first answer in the order
    /// of the workers.
    ///
    /// # Errors
    /// The first interrupt, if no worker has an answer.
    pub fn run<T: Send>(&self, search: impl Fn(Worker<'_>) -> Result<T, Interrupt> + Sync) -> Result<T, Interrupt> {
        let search = |worker: Worker<'_>| {
            let result = search(worker);
            match result {
                Ok(_) => self.end(Interrupt::Over),
                // The main worker may still find an answer at less depth.
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

    /// Returns the number of positions that the workers have reported.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions.load(Relaxed)
    }

    /// Returns the number of table entries in use.
    pub(crate) fn filled(&self) -> u64 {
        self.filled.load(Relaxed)
    }

    /// Returns the maximum number of workers.
    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the positions that workers are searching; `None` if there is only one worker.
    #[inline]
    #[must_use]
    pub const fn claims(&self) -> Option<&Claims> {
        self.claims
    }

    /// Claims the position of this name, if there are several workers.
    pub(crate) fn claim(&self, name: Option<u64>) -> Claim {
        match (self.claims, name) {
            (Some(claims), Some(name)) if claims.claim(name) => Claim::Own(name),
            (Some(_), Some(name)) => Claim::Another(name),
            _ => Claim::None,
        }
    }

    /// Releases a claim, if it is this worker's.
    pub(crate) fn release(&self, claim: Claim) {
        if let (Claim::Own(name), Some(claims)) = (claim, self.claims) {
            claims.release(name);
        }
    }

    /// Adds a worker's positions and filled table entries to the totals, and ends the search at a limit.
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

    /// Ends all workers for this reason, unless they are already ending for another.
    pub(crate) fn end(&self, interrupt: Interrupt) {
        let _ = self.interrupt.set(interrupt);
    }

    /// Polls for an interrupt.
    ///
    /// # Errors
    /// The reason why all workers are to end.
    pub(crate) fn check_interrupt(&self) -> Result<(), Interrupt> {
        self.interrupt.get().map_or(Ok(()), |&interrupt| Err(interrupt))
    }
}

/// The counters of one worker: it counts positions, polls for interrupts, and starts helpers.
#[derive(Debug)]
pub struct Searcher<'a> {
    shared: &'a SharedSearch<'a>,
    worker: Worker<'a>,
    /// The number of positions that this worker has searched.
    positions: u64,
    /// The number of these positions that are reported.
    reported: u64,
    /// The number of positions at the next poll.
    next_poll: u64,
    /// The number of positions between reports.
    batch: u64,
    /// The number of positions from which helpers start, then that at the last start; `u64::MAX` once all helpers run.
    next_start: u64,
    /// The number of helpers started.
    helpers: u64,
    /// An estimate of the positions that all workers have searched.
    estimated_total: u64,
    /// The number of table entries that this worker has filled since its last report.
    filled: u64,
    /// The number of positions searched in vain because a deferred move was sufficient.
    wasted: u64,
}

/// The number of positions between polls.
const POLL_POSITIONS: u64 = 1 << 4;

/// The number of positions, of all workers, for which one helper starts: more helpers would have nothing to share.
const POSITIONS_PER_HELPER: u64 = 1 << 6;

/// The main worker may waste one position in this number, at most.
const MAX_WASTE_SHARE: u64 = 32;

impl<'a> Searcher<'a> {
    /// Creates the counters of a worker that reports every `batch` positions.
    #[must_use]
    pub fn new(shared: &'a SharedSearch<'a>, worker: Worker<'a>, batch: u64) -> Self {
        let batch = batch.min(shared.max_positions);
        let next_start = if worker.is_main() { shared.parallel_threshold } else { u64::MAX };
        let next_poll = if worker.is_simulated() { 1 } else { batch.min(POLL_POSITIONS) };
        Self {
            shared,
            worker,
            positions: 0,
            reported: 0,
            next_poll,
            batch,
            next_start,
            helpers: 0,
            estimated_total: next_start,
            filled: 0,
            wasted: 0,
        }
    }

    /// Returns the worker.
    #[must_use]
    pub const fn worker(&self) -> Worker<'a> {
        self.worker
    }

    /// Returns the number of positions that this worker has searched.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns whether the worker may defer a move that another worker is searching. The main worker may do so while
    /// it has wasted few positions.
    pub(crate) const fn may_defer(&self) -> bool {
        !self.worker.is_main() || self.wasted.saturating_mul(MAX_WASTE_SHARE) <= self.positions
    }

    /// Counts positions that were searched in vain because a deferred move was sufficient.
    pub(crate) const fn note_waste(&mut self, positions: u64) {
        self.wasted += positions;
    }

    /// Counts a table entry that this worker has filled, if it is new.
    pub(crate) fn note_filled(&mut self, is_new: bool) {
        self.filled += u64::from(is_new);
    }

    /// Counts one position, and polls regularly. Returns whether the worker has reported.
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
        if self.positions >= self.next_start {
            self.start_helpers();
        }
        let reports = self.positions - self.reported >= self.batch;
        if reports {
            self.report();
        }
        self.shared.check_interrupt()?;
        Ok(reports)
    }

    /// Starts as many helpers as there is work for, by the estimated positions of all workers.
    fn start_helpers(&mut self) {
        self.estimated_total += (self.positions - self.next_start) * (1 + self.helpers);
        self.next_start = self.positions;
        let helpers = (self.estimated_total / POSITIONS_PER_HELPER).min(self.shared.threads as u64 - 1);
        if helpers > self.helpers {
            self.helpers = helpers;
            self.worker.start_helpers(helpers as usize);
        }
        if helpers + 1 == self.shared.threads as u64 {
            self.next_start = u64::MAX;
        }
    }

    /// Reports positions and filled table entries to the shared state and the watch.
    pub fn report(&mut self) {
        self.shared.report(self.positions - self.reported, self.filled);
        (self.reported, self.filled) = (self.positions, 0);
    }
}
