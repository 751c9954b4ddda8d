//! Simulated workers: coroutines on one thread that take turns by their clocks.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use corosensei::stack::DefaultStack;
use corosensei::{CoroutineResult, ScopedCoroutine, ScopedCoroutineRef};

use super::Worker;
use crate::search::length;
use crate::search::watch::Watch;

/// The handle by which a worker spends units and waits for its turn.
pub(super) type Yielder = corosensei::Yielder<(), u64>;

type Coroutine<'a, T> = ScopedCoroutineRef<'a, (), u64, T, DefaultStack>;

/// Like [`run`](super::run), with simulated workers. Adds their makespan to that of the watch.
///
/// # Panics
/// If there is no address space for the stacks of so many workers.
pub(super) fn run<T>(watch: &Watch, workers: usize, stack_bytes: usize, work: &dyn Fn(Worker<'_>) -> T) -> Vec<T> {
    let started = Cell::new(1);
    let start = |helpers: usize| started.set(started.get().max(helpers.saturating_add(1).min(workers)));
    let job = Job { stack_bytes, work, start: &start };
    let mut schedule = Schedule { clocks: BinaryHeap::from([Reverse((0, 0))]), makespan: 0, results: Vec::new() };
    length::on_other_stacks(|| {
        job.start_workers(Vec::new(), 1, &mut |coroutines| schedule.run(&job, coroutines, &started))
    });
    watch.add_makespan(schedule.makespan);
    schedule.results.sort_by_key(|(number, _)| *number);
    schedule.results.into_iter().map(|(_, result)| result).collect()
}

/// The work of a simulation, and how to create its workers.
struct Job<'a, T> {
    stack_bytes: usize,
    work: &'a dyn Fn(Worker<'_>) -> T,
    start: &'a dyn Fn(usize),
}

impl<T> Job<'_, T> {
    /// Adds coroutines to `coroutines` until there are `workers`, and passes all to `then`. Each lives in the scope of
    /// the one before.
    fn start_workers(
        &self,
        coroutines: Vec<Coroutine<'_, T>>,
        workers: usize,
        then: &mut dyn FnMut(Vec<Coroutine<'_, T>>),
    ) {
        let number = coroutines.len();
        if number == workers {
            return then(coroutines);
        }
        let bytes = self.stack_bytes.max(length::MIN_STACK_BYTES);
        let stack = DefaultStack::new(bytes).expect("address space for the stack of a worker");
        let body = |yielder: &Yielder, ()| {
            let start = Some(self.start).filter(|_| number == 0);
            length::begin_stack(bytes, || (self.work)(Worker { number, start, yielder: Some(yielder) }))
        };
        ScopedCoroutine::with_stack(stack, body).scope(|coroutine| {
            let mut all: Vec<Coroutine<'_, T>> = coroutines;
            all.push(coroutine);
            self.start_workers(all, workers, then);
        });
    }
}

/// The clocks of the workers, and the results of those that have returned.
struct Schedule<T> {
    /// The clocks and numbers of the workers that have not returned.
    clocks: BinaryHeap<Reverse<(u64, usize)>>,
    /// The largest clock of the workers that have returned.
    makespan: u64,
    results: Vec<(usize, T)>,
}

impl<T> Schedule<T> {
    /// Resumes the worker with the smallest clock until all have returned. Creates helpers once the main worker has
    /// started them.
    fn run(&mut self, job: &Job<'_, T>, mut coroutines: Vec<Coroutine<'_, T>>, started: &Cell<usize>) {
        while let Some(Reverse((mut clock, number))) = self.clocks.pop() {
            loop {
                match coroutines[number].resume(()) {
                    CoroutineResult::Yield(units) => clock += units,
                    CoroutineResult::Return(result) => {
                        self.results.push((number, result));
                        self.makespan = self.makespan.max(clock);
                        break;
                    }
                }
                let workers = coroutines.len();
                if started.get() > workers {
                    self.clocks.push(Reverse((clock, number)));
                    self.clocks.extend((workers..started.get()).map(|helper| Reverse((clock, helper))));
                    return job.start_workers(coroutines, started.get(), &mut |coroutines| {
                        self.run(job, coroutines, started)
                    });
                }
                if self.clocks.peek().is_some_and(|Reverse(next)| *next < (clock, number)) {
                    self.clocks.push(Reverse((clock, number)));
                    break;
                }
            }
        }
    }
}
