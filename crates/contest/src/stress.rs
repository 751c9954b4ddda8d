//! Compares a program with exact answers and finds the smallest case on which it is wrong.
//!
//! All small cases are tried first, in the order of size, then random cases, small ones first. A run
//! has many cases, because starting the program takes most of the time. After a wrong answer, smaller
//! and smaller cases are tried until no smaller one is answered wrongly.
//!
//! To test the time limit, cases of growing sizes up to the largest are tried one by one soon after
//! the start.

mod cases;
mod diagnose;
mod fault;
mod report;
mod shrink;
mod trial;

use std::time::{Duration, Instant};

use balpan::{Stopped, Watch};

use crate::judge::{Judge, Size};
use crate::program::{Program, ProgramError};
use cases::Cases;
use trial::{FailingCase, Trial};

pub use diagnose::{Suspect, explain};
pub use fault::Fault;
pub use report::{Difference, Report, SizeTiming, UndecidedReason, Verdict};
pub use shrink::Minimality;

/// Options of a stress test.
#[derive(Clone, Debug)]
pub struct StressOptions {
    /// The seed of the random cases.
    pub seed: u64,
    /// The number of cases to try; `None` for as many as the time allows, at least [`MIN_CASES`].
    /// If the time ends first, the verdict is [`Undecided`](Verdict::Undecided) at best.
    pub cases: Option<u64>,
    /// The time of the whole test. Three fifths are for finding a failing case; the rest is for
    /// shrinking it and for the diagnosis.
    pub time: Duration,
    /// The time limit of one case.
    pub time_limit: Duration,
    /// The memory limit in bytes.
    pub memory_limit: Option<u64>,
    /// The most cases of one run; `None` for as many as the statement allows.
    pub batch: Option<usize>,
    /// The number of runs at the same time.
    pub threads: usize,
}

/// Why a program could not be tested.
#[derive(Debug, thiserror::Error)]
pub enum StressError {
    /// The program cannot be run.
    #[error(transparent)]
    ProgramError(#[from] ProgramError),
    /// The watch stopped the test before there was anything to report.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Returns `None` for a test that the watch or the end of its time interrupted.
fn uninterrupted<T>(result: Result<T, StressError>) -> Result<Option<T>, StressError> {
    match result {
        Err(StressError::Stopped(Stopped::Interrupted)) => Ok(None),
        result => result.map(Some),
    }
}

/// Tests a program. `watch` counts cases as positions; a stop ends the test with a report of the
/// results up to there.
///
/// # Errors
/// If the program cannot be run.
pub fn stress<J: Judge>(
    judge: &J,
    program: &Program,
    options: &StressOptions,
    watch: &Watch,
) -> Result<Report<J>, StressError> {
    let begin = Instant::now();
    // The rest is for killing the last run and for the report.
    let end = begin + options.time - (options.time / 20).min(FINISH_RESERVE);
    let mut trial = Trial::new(judge, program, options, watch, end);
    let mut cases = Cases::new(judge, options.seed);
    let mut tried = 0;
    let first = find_failure(&mut trial, &mut cases, options, begin, &mut tried);
    let (first, largest_single) = uninterrupted(first)?.unwrap_or((None, 0));
    // Without a number, cases are tried until the time or the cases end.
    let required = options.cases.unwrap_or(if cases.has_more() { MIN_CASES } else { 0 });
    let mut difference = None;
    if let Some((failing, right_below)) = first {
        let left = end.saturating_duration_since(Instant::now());
        trial.set_deadline(Instant::now() + left.mul_f64(SHRINKING_SHARE));
        let (failing, minimality) = shrink::shrink(&mut trial, failing, right_below)?;
        trial.set_deadline(end);
        let suspects = uninterrupted(diagnose::suspects(&mut trial, &failing))?.unwrap_or_default();
        difference = Some(Difference::new(judge, failing, minimality, suspects));
    }
    Ok(Report {
        tried,
        missing: required.saturating_sub(tried),
        cases: trial.cases,
        runs: trial.runs,
        exhausted: cases.exhausted(),
        largest: cases.largest().max(largest_single),
        given_up: if difference.is_some() { 0 } else { trial.given_up },
        difference,
        stopped: watch.is_stopping(),
        time: begin.elapsed(),
        own_time: trial.own_time,
        timings: trial.timings.into_vec(),
        memory: trial.memory,
    })
}

/// The fewest cases for the verdict [`Right`](Verdict::Right) if the number of cases is not given and
/// there are more.
pub const MIN_CASES: u64 = 100;

/// The share of the time for finding a failing case.
const FINDING_SHARE: f64 = 0.6;
/// The share of the time before cases of growing sizes are tried one by one.
const SMALL_CASES_SHARE: f64 = 0.1;
/// The share of the time after which a failing large case is shrunk, even if no small one was found.
const SMALL_FAILURE_SHARE: f64 = 0.4;
/// The share for shrinking of the time that is left after a failing case is found. The rest is for the
/// diagnosis.
const SHRINKING_SHARE: f64 = 0.6;
/// The time before the end in which no run starts or goes on.
const FINISH_RESERVE: Duration = Duration::from_millis(300);

/// A failing case, and a size below which all cases were tried before it.
type FirstFailure<J> = (FailingCase<J>, Size);

/// Looks for a failing case: among small ones for a short time, then among cases of growing sizes, then
/// among the others. Also returns the cells of the largest case that was tried alone.
fn find_failure<J: Judge>(
    trial: &mut Trial<J>,
    cases: &mut Cases<J>,
    options: &StressOptions,
    begin: Instant,
    tried: &mut u64,
) -> Result<(Option<FirstFailure<J>>, usize), StressError> {
    let exhausted = Size { cells: trial.judge.info().exhaustive_cells + 1, board: 0 };
    trial.set_deadline(begin + options.time.mul_f64(SMALL_CASES_SHARE));
    if let Some(failing) = search(trial, cases, options, tried)? {
        return Ok((Some((failing, exhausted)), 0));
    }
    let until = begin + options.time.mul_f64(FINDING_SHARE);
    trial.set_deadline(until);
    let (large, largest_single) = cases::climb(trial, options.seed, until)?;
    let slow = large.as_ref().is_some_and(|failing| !matches!(failing.fault, Fault::Wrong(_)));
    // A program with a wrong answer to a large case probably has one to a small case, which is found soon.
    if large.is_some() {
        trial.set_deadline(begin + options.time.mul_f64(SMALL_FAILURE_SHARE));
    }
    if !slow
        && trial.given_up == 0
        && let Some(failing) = search(trial, cases, options, tried)?
    {
        return Ok((Some((failing, exhausted)), largest_single));
    }
    let right_below = Size { cells: cases.exhausted(), board: 0 };
    Ok((large.map(|failing| (failing, right_below)), largest_single))
}

/// Returns the first failing case in the order of `cases`. Adds to `tried` the cases of the runs before it.
fn search<J: Judge>(
    trial: &mut Trial<J>,
    cases: &mut Cases<J>,
    options: &StressOptions,
    tried: &mut u64,
) -> Result<Option<FailingCase<J>>, StressError> {
    let max = options.cases.unwrap_or(u64::MAX);
    while *tried < max && trial.has_time() && (options.cases.is_some() || cases.has_more()) {
        let batches = trial.draw(cases, max - *tried);
        let drawn: usize = batches.iter().map(Vec::len).sum();
        let failing = trial.first_failure(batches)?;
        if failing.is_some() {
            return Ok(failing);
        }
        *tried += drawn as u64;
    }
    Ok(None)
}
