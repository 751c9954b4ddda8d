//! Parallel search: workers that run the same code side by side, as threads or simulated.
//!
//! All workers search the same tree from the root, with one transposition table. A worker [claims](Claims) each
//! position that it searches, and defers a move to a position that another worker has claimed until no other move is
//! left. Then it searches that position as well, and finds below it what the other worker has not reached. Each worker
//! has its own order of deferred moves ([`deferred_rank`]): with the same order, workers would follow each other and
//! find the same.
//!
//! # Bounds on speculation
//!
//! The *main worker* searches as a single worker would, except for what it finds in the table and what it defers. A
//! table entry is a correct bound, so it either answers a test or leaves it open; table entries never add to the tests
//! of the main worker. A deferred move can cost it the moves searched in its stead, if the deferred one turns out to
//! be sufficient. The main worker counts these positions, and defers nothing while they exceed one in 32 of its
//! positions. So it searches at most a thirty-second more than a single worker, unless best moves that others have
//! stored in the table mislead it: they determine the move order, for which there is no bound. It never waits for a
//! helper. Proof-number searches have a weaker bound: to the main worker a claimed move counts twice, so it is left
//! for one that takes at most twice as much.
//!
//! *Helpers* cost only their own time. A helper leaves a test within 256 positions of its answer by another worker, in
//! proof-number searches also once another worker has searched the test to its limits. All helpers end within 16
//! positions of the answer at the root. Claims block nobody. A search of less than 1,024 positions starts no helper;
//! after that, the main worker starts one for each 64 positions that all workers have searched.
//!
//! # Simulation
//!
//! A simulation shows how long a search would take with more workers than the machine has processors. Exactly one
//! worker runs at a time, the one with the smallest clock. A worker [spends](Worker::spend) one unit per position, and
//! its results are visible to those that run after it. The same input gives the same run on every machine. The largest
//! clock is the makespan: the time with as many processors as workers, if each position took one unit and starting a
//! thread none. It needs the feature `simulation`; `Watch::simulating` makes a watch whose solvers simulate their
//! workers, and `Watch::makespan` returns the time.

mod claims;
mod path;
mod search;
#[cfg(feature = "simulation")]
mod simulation;

use std::cell::RefCell;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use crate::search::length;
use crate::search::watch::Watch;
pub(crate) use claims::Claim;
pub use claims::{Claims, deferred_rank};
pub(crate) use path::{Path, is_path_check_due};
pub use search::{DEFAULT_PARALLEL_THRESHOLD, Interrupt, Searcher, SharedSearch};

/// One of the workers that [`run`] starts, as seen by the code that it runs.
#[derive(Clone, Copy)]
pub struct Worker<'a> {
    /// 0 for the main worker, and counting up for helpers.
    number: usize,
    /// Starts helpers up to a number; only the main worker of several has it.
    start: Option<&'a dyn Fn(usize)>,
    #[cfg(feature = "simulation")]
    yielder: Option<&'a simulation::Yielder>,
}

impl std::fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("number", &self.number).finish_non_exhaustive()
    }
}

impl<'a> Worker<'a> {
    /// Returns the worker of a search on the calling thread, without helpers.
    pub(crate) const fn alone() -> Self {
        Self::new(0, None)
    }

    const fn new(number: usize, start: Option<&'a dyn Fn(usize)>) -> Self {
        Self {
            number,
            start,
            #[cfg(feature = "simulation")]
            yielder: None,
        }
    }

    /// Returns the worker's number, which is 0 for the main worker.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Returns whether this is the main worker, which runs on the calling thread.
    #[must_use]
    pub const fn is_main(&self) -> bool {
        self.number == 0
    }

    /// Starts helpers until there are `count`, or the maximum number. Does nothing in a helper.
    pub fn start_helpers(&self, count: usize) {
        if let Some(start) = self.start {
            start(count);
        }
    }

    /// Returns whether the workers are simulated. Each must then [spend](Self::spend) at every position.
    #[must_use]
    pub const fn is_simulated(&self) -> bool {
        #[cfg(feature = "simulation")]
        return self.yielder.is_some();
        #[cfg(not(feature = "simulation"))]
        false
    }

    /// Advances the clock of a simulated worker, and lets those run whose clocks are behind. Does nothing in a thread.
    #[inline]
    pub fn spend(&self, units: u64) {
        #[cfg(feature = "simulation")]
        if let Some(yielder) = self.yielder {
            yielder.suspend(units);
        }
        #[cfg(not(feature = "simulation"))]
        let _ = units;
    }
}

/// Runs `work` in the main worker, on the calling thread, and in up to `workers - 1` helpers that the main worker
/// [starts](Worker::start_helpers), each with at least `stack_bytes` of stack. Returns the results, that of the main
/// worker first. If the watch is simulating, the workers are simulated.
///
/// There are fewer helpers if the machine has fewer processors, or if the system cannot start more threads.
///
/// # Panics
/// If a worker panics.
pub fn run<T: Send>(
    watch: &Watch,
    workers: usize,
    stack_bytes: usize,
    work: impl Fn(Worker<'_>) -> T + Sync,
) -> Vec<T> {
    #[cfg(feature = "simulation")]
    if workers > 1 && watch.is_simulating() {
        return simulation::run(watch, workers, stack_bytes, &work);
    }
    let _ = watch;
    if workers <= 1 {
        return vec![work(Worker::alone())];
    }
    let results = Results::default();
    run_threads(workers, stack_bytes, &|worker| results.add(worker.number(), work(worker)));
    results.in_order()
}

/// As [`run`] with several workers. It is not generic, so that the code that starts threads is compiled once and not for
/// each kind of work.
fn run_threads(workers: usize, stack_bytes: usize, work: &(dyn Fn(Worker<'_>) + Sync)) {
    thread::scope(|scope| {
        let helpers = RefCell::new(Vec::new());
        let start = |count: usize| {
            let mut helpers = helpers.borrow_mut();
            let spawn = |number| length::spawn_with_stack(scope, stack_bytes, move || work(Worker::new(number, None)));
            let numbers = helpers.len() + 1..=count.min(workers.min(processors()) - 1);
            helpers.extend(numbers.map_while(spawn));
        };
        work(Worker::new(0, Some(&start)));
        helpers.take().into_iter().for_each(join);
    });
}

/// Waits for a thread, and panics if it has.
pub(crate) fn join(thread: ScopedJoinHandle<'_, ()>) {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// The results of threads, each with the thread's number.
struct Results<T>(Mutex<Vec<(usize, T)>>);

impl<T> Default for Results<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Results<T> {
    fn add(&self, number: usize, result: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
    }

    fn in_order(self) -> Vec<T> {
        let mut results = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut ordered = Vec::with_capacity(results.len());
        for number in 0..results.len() {
            ordered.extend(results.iter().position(|result| result.0 == number).map(|at| results.swap_remove(at).1));
        }
        ordered
    }
}

/// Runs `work` on up to `threads` threads at once, including the calling one, for work that is divided by a shared
/// counter or queue. Returns the results, that of the calling thread first. There are fewer threads if the system
/// cannot start more.
///
/// # Panics
/// If a thread panics.
pub fn broadcast<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let results = Results::default();
    broadcast_threads(threads, &|number| results.add(number, work()));
    results.in_order()
}

/// As [`broadcast`], of work that is given its thread's number. It is not generic: see [`run_threads`].
fn broadcast_threads(threads: usize, work: &(dyn Fn(usize) + Sync)) {
    thread::scope(|scope| {
        let spawn = |number| thread::Builder::new().spawn_scoped(scope, move || work(number)).ok();
        let helpers: Vec<_> = (1..threads).map_while(spawn).collect();
        work(0);
        helpers.into_iter().for_each(join);
    });
}

/// Returns the number of threads that can run at once, but at least 2, so that tests can run in parallel.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, Into::into).max(2))
}
