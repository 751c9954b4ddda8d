//! Somebody's program against the exact answers, and the smallest case on which it is
//! wrong.
//!
//! First every small case, in the order of size; then cases by chance, small ones first.
//! A program answers many cases in a run, which is where its time goes; one that is wrong
//! is then asked about ever smaller cases until none is left that it gets wrong.

mod cases;
mod diagnose;
mod fault;
mod report;
mod smallest;
mod trial;

use std::time::{Duration, Instant};

use balpan::{Stopped, Watch};

use crate::judge::Judge;
use crate::program::{NoProgram, Program};
use cases::Cases;
use trial::{Found, Trial};

pub use diagnose::Suspect;
pub use fault::Fault;
pub use report::{Difference, Report};
pub use smallest::Smaller;

/// How a program is tried.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which cases come by chance: the same for the same seed.
    pub seed: u64,
    /// So many cases, if they end before the time.
    pub cases: Option<u64>,
    /// How long cases are tried. When one is found on which the program is wrong, half as
    /// long again is spent on smaller ones.
    pub time: Duration,
    /// How long the program may take for one case.
    pub limit: Duration,
    /// So many cases a run at most; by itself, as many as the problem's statement allows.
    pub batch: Option<usize>,
    /// How many runs go on at a time.
    pub threads: usize,
}

/// Why a program could not be tried.
#[derive(Debug, thiserror::Error)]
pub enum NoTrial {
    /// It cannot be started.
    #[error(transparent)]
    NoProgram(#[from] NoProgram),
    /// The watch said stop, before there was anything to report.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Tries a program. `watch` counts cases as positions; when it says stop, what was found
/// so far is reported.
///
/// # Errors
/// If the program cannot be started.
pub fn stress<J: Judge>(judge: &J, program: &Program, plan: &Plan, watch: &Watch) -> Result<Report<J>, NoTrial> {
    let begin = Instant::now();
    let mut trial = Trial::new(judge, program, plan, watch);
    let mut cases = Cases::new(judge, plan.seed);
    let mut tried = 0;
    let found = match search(&mut trial, &mut cases, plan, &mut tried) {
        Ok(found) => found,
        Err(NoTrial::Stopped(Stopped)) => None,
        Err(other) => return Err(other),
    };
    let mut difference = None;
    if let Some(found) = found {
        trial.extend(plan.time / 2);
        let smallest = smallest::smallest(&mut trial, found)?;
        let suspects = match diagnose::suspects(&mut trial, &smallest.found) {
            Err(NoTrial::Stopped(Stopped)) => Vec::new(),
            suspects => suspects?,
        };
        difference = Some(Difference::new(judge, smallest, suspects));
    }
    Ok(Report {
        difference,
        tried,
        cases: trial.cases,
        runs: trial.runs,
        exhausted: cases.exhausted(),
        largest: cases.largest(),
        given_up: trial.given_up,
        stopped: watch.is_stopping(),
        time: begin.elapsed(),
        own_time: trial.own_time,
    })
}

/// The first case in the order of `cases` on which the program is wrong; counts those that
/// are tried before the runs in which it is.
fn search<J: Judge>(
    trial: &mut Trial<J>,
    cases: &mut Cases<J>,
    plan: &Plan,
    tried: &mut u64,
) -> Result<Option<Found<J>>, NoTrial> {
    let most = plan.cases.unwrap_or(u64::MAX);
    while *tried < most && trial.has_time() && (plan.cases.is_some() || cases.has_more()) {
        let mut left = most - *tried;
        let batches = trial.drawn(|batch| {
            let batch = usize::try_from(left).unwrap_or(batch).min(batch);
            left -= batch as u64;
            cases.take(batch).collect()
        });
        let found = trial.first_fault(batches)?;
        if found.is_some() {
            return Ok(found);
        }
        *tried = most - left;
    }
    Ok(None)
}
