//! Workers that run the same code side by side: as threads, or simulated one at a time.
//!
//! A simulation answers what a machine at hand cannot: how long many workers take. Exactly one worker runs at a time, the
//! one with the smallest clock; a worker [spends](Worker::spend) a unit for each position, and what it finds is seen by
//! those that run after it. The same input gives the same run on every machine. The largest clock is the
//! [makespan](Watch::makespan): the time that as many processors would take if a position took each of them one unit.

mod claims;
#[cfg(feature = "simulation")]
mod simulation;

use std::cell::RefCell;
use std::sync::OnceLock;
use std::thread;

use crate::length;
use crate::watch::Watch;
pub(crate) use claims::Claim;
pub use claims::{Claims, deferred_rank};

/// One of the workers that [`run`] starts, in the code that it runs.
#[derive(Clone, Copy)]
pub struct Worker<'a> {
    /// From 0 on; 0 is the leader.
    number: usize,
    /// What starts helpers until there are so many, for the leader of some.
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

    /// Returns the worker's number; that of the leader is 0.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Starts helpers until there are `count`, or as many as there may be. The leader alone does.
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

/// Runs `work` in the leader, on the calling thread, and in up to `workers - 1` helpers that the leader
/// [starts](Worker::start_helpers), each with at least `stack_bytes` of stack. Returns what they return, the leader first. Where `watch`
/// [is simulating](Watch::simulating), they are simulated.
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

/// Returns the number of threads that can run at once; 2 at least, so that they can be tested.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, Into::into).max(2))
}
