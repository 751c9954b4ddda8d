//! The monitor thread: ends time slices, enforces time limits and drops abandoned questions.

use std::sync::PoisonError;
use std::time::Duration;

use super::lanes::{Scheduler, State};
use super::{Limits, lock};

/// The interval between checks while anything is being solved.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// Stops overdue searches until the scheduler stops.
pub(super) fn monitor(scheduler: &Scheduler) {
    let mut state = lock(&scheduler.state);
    while !state.is_stopping {
        // Without a search there is nothing to check: sleep until one starts.
        state = if state.running.is_empty() {
            scheduler.job_started.wait(state).unwrap_or_else(PoisonError::into_inner)
        } else {
            stop_overdue(&mut state, &scheduler.limits);
            scheduler.job_started.wait_timeout(state, CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner).0
        };
    }
}

fn stop_overdue(state: &mut State, limits: &Limits) {
    let abandoned: Vec<_> = state.slow_queue.iter().filter(|job| job.is_abandoned()).cloned().collect();
    abandoned.iter().for_each(|job| Scheduler::drop_job(state, job));
    let time_limits = state.time_limits(limits);
    // No more searches yield than questions wait, counting those that are already stopping.
    let stopping = state.running.iter().filter(|job| job.is_slow() && job.watch.is_stopping()).count();
    let mut needed = state.slow_queue.len().saturating_sub(stopping);
    for running in state.running.iter().filter(|running| !running.watch.is_stopping()) {
        let yields = needed > 0 && running.has_used_slice();
        needed -= usize::from(yields);
        if yields || running.is_overdue(&time_limits) || running.job.is_abandoned() {
            running.watch.stop();
        }
    }
}
