//! Looks after the time that questions take.

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
    let forgotten: Vec<_> = state.slow.iter().filter(|job| job.is_forgotten()).cloned().collect();
    forgotten.iter().for_each(|job| Shared::forget(state, job));
    let allowed = state.allowed(limits);
    let others_wait = state.slow.iter().any(|job| !job.is_left());
    for solving in &state.solving {
        if solving.is_late(&allowed) || others_wait && solving.gives_way() {
            solving.watch.stop();
        }
    }
}
