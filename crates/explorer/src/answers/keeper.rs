//! Enforces the time limits of questions, and stops those that are abandoned.

use std::sync::PoisonError;
use std::time::Duration;

use super::lanes::{Shared, State};
use super::{Limits, locked};

/// How closely.
const TICK: Duration = Duration::from_millis(10);

/// Stops what takes too long, until all is over.
pub(super) fn keep(shared: &Shared) {
    let mut state = locked(&shared.state);
    while !state.is_stopping {
        let is_idle = state.solving.is_empty();
        if !is_idle {
            stop_late(&mut state, &shared.limits);
        }
        // Where nothing is solved, there is nothing to look after.
        state = if is_idle {
            shared.solving.wait(state).unwrap_or_else(PoisonError::into_inner)
        } else {
            shared.solving.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0
        };
    }
}

fn stop_late(state: &mut State, limits: &Limits) {
    let abandoned: Vec<_> = state.slow.iter().filter(|job| job.is_abandoned()).cloned().collect();
    abandoned.iter().for_each(|job| Shared::drop_job(state, job));
    let allowed = state.allowed(limits);
    // No more give way than wait, those among them that are about to.
    let waiting = state.slow.len();
    let ending = state.solving.iter().filter(|solving| solving.is_slow() && solving.watch.is_stopping()).count();
    let mut wanted = waiting.saturating_sub(ending);
    for solving in state.solving.iter().filter(|solving| !solving.watch.is_stopping()) {
        let gives_way = wanted > 0 && solving.gives_way();
        wanted -= usize::from(gives_way);
        if gives_way || solving.is_late(&allowed) || solving.job.is_abandoned() {
            solving.watch.stop();
        }
    }
}
