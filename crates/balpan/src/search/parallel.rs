//! Parallel search: workers that run the same code side by side, as threads or simulated.
//!
//! All workers search the same tree with one transposition table, from the root. A worker [claims](Claims) each position
//! that it searches, and defers a candidate that another one has claimed until nothing else is left; then it searches it as
//! well, and finds below it what the other has not reached. What is deferred is tried in an order that each worker has to
//! itself ([`deferred_rank`]): in the same order workers follow each other and find the same.
//!
//! # Bounds on speculation
//!
//! The *main worker* searches as one worker alone would, but for what it finds in the table and for what it defers. A table
//! entry is a bound that is true, so it answers a question or leaves it as it was: of the questions that one worker asks, the
//! main worker asks no more for it. What it defers can cost it the candidates that come before in its stead, if one that was
//! deferred turns out to be enough. It counts these positions, and defers nothing while they are more than one in 32 of all
//! that it has searched. So it searches at most a thirty-second more than one worker alone, as far as best moves that
//! others have left in the table do not lead it astray: these order candidates, and no bound holds for an order. It never
//! waits for a helper. Proof-number searches have a weaker bound: to the main worker a claimed move counts twice, so it is left for
//! one that takes at most twice as much.
//!
//! *Helpers* cost nothing but their own time. In alpha-beta and in races, one whose question another worker has answered
//! leaves it within 256 positions; in proof-number searches, when its share of the effort is spent. All end within 16 positions
//! of the answer to the root's question. Claims block nobody. A question that is answered in 1,024 positions starts no helper;
//! then the main worker starts one for each 64 positions that all have searched.
//!
//! # Simulation
//!
//! A simulation answers what a machine at hand cannot: how long many workers take. Exactly one worker runs at a time, the
//! one with the smallest clock; a worker [spends](Worker::spend) a unit for each position, and what it finds is seen by
//! those that run after it. The same input gives the same run on every machine. The largest clock is the makespan: the time
//! that as many processors would take if each position took a unit, and starting a thread none. It needs the feature
//! `simulation`; `Watch::simulating` makes a watch whose solvers simulate their workers, and `Watch::makespan` tells the time.

mod claims;
mod search;
#[cfg(feature = "simulation")]
mod simulation;

use std::cell::RefCell;
use std::sync::OnceLock;
use std::thread;

use crate::search::length;
use crate::search::watch::Watch;
pub(crate) use claims::Claim;
pub use claims::{Claims, deferred_rank};
pub use search::{Interrupt, Searcher, SharedSearch};

/// One of the workers that [`run`] starts, in the code that it runs.
#[derive(Clone, Copy)]
pub struct Worker<'a> {
    /// From 0 on; 0 is the main worker.
    number: usize,
    /// What starts helpers until there are so many, for the main worker of some.
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
    /// The calling thread, alone.
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

    /// The worker's number; that of the main worker is 0.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Returns whether this is the main worker, which runs on the calling thread.
    #[must_use]
    pub const fn is_main(&self) -> bool {
        self.number == 0
    }

    /// Starts helpers until there are `count`, or as many as there may be. Only the main worker does.
    pub fn start_helpers(&self, count: usize) {
        if let Some(start) = self.start {
            start(count);
        }
    }

    /// Returns whether the workers are simulated: each then [spends](Self::spend) at every position.
    #[must_use]
    pub const fn is_simulated(&self) -> bool {
        #[cfg(feature = "simulation")]
        return self.yielder.is_some();
        #[cfg(not(feature = "simulation"))]
        false
    }

    /// Advances the worker's clock, where workers are simulated, and lets those run whose clocks are behind.
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
/// [starts](Worker::start_helpers), each with at least `stack_bytes` of stack. Returns what they return, the main worker first. Where the
/// watch is simulating, they are simulated.
///
/// There are no more helpers than processors to run them, and threads that the system has no room for are done without.
///
/// # Panics
/// If one of them panics.
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
    let work = &work;
    thread::scope(|scope| {
        let helpers = RefCell::new(Vec::new());
        let start = |count: usize| {
            let mut helpers = helpers.borrow_mut();
            let spawn = |number| length::spawn_with_stack(scope, stack_bytes, move || work(Worker::new(number, None)));
            let numbers = helpers.len() + 1..=count.min(workers.min(processors()) - 1);
            helpers.extend(numbers.map_while(spawn));
        };
        let mut results = vec![work(Worker::new(0, Some(&start)))];
        for helper in helpers.take() {
            results.push(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    })
}

/// Runs `work` on up to `threads` threads at once, the calling one among them, for work that is divided by a shared
/// counter or queue. Returns the results, that of the calling thread first. Threads that the system has no room for are
/// done without.
///
/// # Panics
/// If one of them panics.
pub fn broadcast<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, &work).ok();
        let helpers: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut results = vec![work()];
        for helper in helpers {
            results.push(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    })
}

/// Returns the number of threads that can run at once; 2 at least, so that they can be tested.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, Into::into).max(2))
}
