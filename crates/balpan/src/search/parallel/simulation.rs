//! Workers that take turns on one thread, by their clocks.

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

/// As [`run`](super::run). The watch's makespan grows by that of the workers.
///
/// # Panics
/// If there is no address space for the stacks of so many workers.
pub(super) fn run<T>(watch: &Watch, workers: usize, stack_bytes: usize, work: &dyn Fn(Worker<'_>) -> T) -> Vec<T> {
    let wanted = Cell::new(1);
    let start = |helpers: usize| wanted.set(wanted.get().max(helpers.saturating_add(1).min(workers)));
    let job = Job { stack_bytes, work, start: &start };
    let mut turns = Turns { clocks: BinaryHeap::from([Reverse((0, 0))]), makespan: 0, results: Vec::new() };
    length::on_other_stacks(|| job.begin(Vec::new(), 1, &mut |coroutines| turns.take(&job, coroutines, &wanted)));
    watch.add_makespan(turns.makespan);
    turns.results.sort_by_key(|(number, _)| *number);
    turns.results.into_iter().map(|(_, result)| result).collect()
}

/// The work of a simulation, and how to make its workers.
struct Job<'a, T> {
    stack_bytes: usize,
    work: &'a dyn Fn(Worker<'_>) -> T,
    start: &'a dyn Fn(usize),
}

impl<T> Job<'_, T> {
    /// Makes the coroutines of workers after those of `coroutines`, until there are `workers`, and hands all over. Each lives
    /// in the scope of the one before.
    fn begin(&self, coroutines: Vec<Coroutine<'_, T>>, workers: usize, then: &mut dyn FnMut(Vec<Coroutine<'_, T>>)) {
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
            self.begin(all, workers, then);
        });
    }
}

/// The clocks of the workers, and the results of those that have returned.
struct Turns<T> {
    /// The clocks of those that have not returned, with their numbers.
    clocks: BinaryHeap<Reverse<(u64, usize)>>,
    /// The last clock of those that have.
    makespan: u64,
    results: Vec<(usize, T)>,
}

impl<T> Turns<T> {
    /// Resumes whoever's clock is behind all others, until all have returned. Begins more when more are wanted.
    fn take(&mut self, job: &Job<'_, T>, mut coroutines: Vec<Coroutine<'_, T>>, wanted: &Cell<usize>) {
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
                let begun = coroutines.len();
                if wanted.get() > begun {
                    self.clocks.push(Reverse((clock, number)));
                    self.clocks.extend((begun..wanted.get()).map(|helper| Reverse((clock, helper))));
                    return job.begin(coroutines, wanted.get(), &mut |coroutines| self.take(job, coroutines, wanted));
                }
                if self.clocks.peek().is_some_and(|Reverse(next)| *next < (clock, number)) {
                    self.clocks.push(Reverse((clock, number)));
                    break;
                }
            }
        }
    }
}
