//! Compares a program with exact answers and finds the smallest case on which it is wrong.
//!
//! Every small case comes first, in the order of size, then random cases, small ones first. A
//! program answers many cases in one run, since starting it is what takes time. Once it is
//! wrong, it is asked about smaller and smaller cases, until no smaller one is answered wrongly.
//!
//! Time limits count: soon after the start, cases up to the largest are tried one by one, each
//! within the time limit of a case.

mod cases;
mod diagnose;
mod fault;
mod ladder;
mod pace;
mod report;
mod smallest;
mod trial;

use std::time::{Duration, Instant};

use balpan::{Stopped, Watch};

use crate::judge::{Judge, Size};
use crate::program::{NoProgram, Program};
use cases::Cases;
use ladder::Climb;
use trial::{Found, Trial};

pub use diagnose::{Suspect, explain};
pub use fault::Fault;
pub use pace::Pace;
pub use report::{Difference, Doubt, Report, Verdict};
pub use smallest::Smaller;

/// How a program is tried.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which cases come at random: the same for the same seed.
    pub seed: u64,
    /// The number of cases to try; fewer if the time ends first, and then the verdict is
    /// [`Undecided`](Verdict::Undecided) at best. `None` for as many as the time allows, [`MIN_CASES`] at least.
    pub cases: Option<u64>,
    /// How long it may take in all. Cases are looked for in the first three fifths of it; the
    /// rest is for the smallest one on which the program is wrong, and for the diagnosis.
    pub time: Duration,
    /// How long the program may take for one case.
    pub limit: Duration,
    /// How many bytes of memory it may hold.
    pub memory: Option<u64>,
    /// The most cases in one run; `None` for as many as the problem's statement allows.
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
    // What is left over is for killing the last run, and for telling what came of it.
    let end = begin + plan.time - (plan.time / 20).min(SPARE);
    let mut trial = Trial::new(judge, program, plan, watch, end);
    let mut cases = Cases::new(judge, plan.seed);
    let mut tried = 0;
    let first = first(&mut trial, &mut cases, plan, begin, &mut tried);
    let (first, climbed) = match first {
        Ok(first) => first,
        Err(NoTrial::Stopped(Stopped::Interrupted)) => (None, 0),
        Err(other) => return Err(other),
    };
    // Without a number, a program is tried until the time or the cases end.
    let asked = plan.cases.unwrap_or(if cases.has_more() { MIN_CASES } else { 0 });
    let mut difference = None;
    if let Some(First { found, tried }) = first {
        let left = end.saturating_duration_since(Instant::now());
        trial.until(Instant::now() + left.mul_f64(FOR_SMALLER));
        let smallest = smallest::smallest(&mut trial, found, tried)?;
        trial.until(end);
        let suspects = match diagnose::suspects(&mut trial, &smallest.found) {
            Err(NoTrial::Stopped(Stopped::Interrupted)) => Vec::new(),
            suspects => suspects?,
        };
        difference = Some(Difference::new(judge, smallest, suspects));
    }
    Ok(Report {
        tried,
        missing: asked.saturating_sub(tried),
        cases: trial.cases,
        runs: trial.runs,
        exhausted: cases.exhausted(),
        largest: cases.largest().max(climbed),
        given_up: if difference.is_some() { 0 } else { trial.given_up },
        difference,
        stopped: watch.is_stopping(),
        time: begin.elapsed(),
        own_time: trial.own_time,
        paces: trial.paces.into_vec(),
        memory: trial.memory,
    })
}

/// The fewest cases by which a program is called right if their number is not given, and more could be tried.
pub const MIN_CASES: u64 = 100;

/// The share of the time for finding a case on which the program is wrong, and the share of it
/// before the large cases are tried one by one.
const FOR_FINDING: f64 = 0.6;
const FOR_SMALL: f64 = 0.1;
/// When it is known to be wrong on a large case, it is no longer than this until that is made smaller.
const FOR_FIRST: f64 = 0.4;
/// Of the time left when one is found, the share for smaller ones; the rest is for the diagnosis.
const FOR_SMALLER: f64 = 0.6;
/// Nothing is started or continued within this time before the end.
const SPARE: Duration = Duration::from_millis(300);

/// The first case on which the program is wrong.
struct First<J: Judge> {
    found: Found<J>,
    /// All that are smaller than this were tried before it.
    tried: Size,
}

/// Looks for a case on which the program is wrong: small ones first, for a short time; then
/// from small to large; then the others. Of how many cells were the largest of those tried
/// alone.
fn first<J: Judge>(
    trial: &mut Trial<J>,
    cases: &mut Cases<J>,
    plan: &Plan,
    begin: Instant,
    tried: &mut u64,
) -> Result<(Option<First<J>>, usize), NoTrial> {
    let tried_first = Size { cells: trial.judge.about().small + 1, board: 0 };
    let in_order = |found| First { found, tried: tried_first };
    trial.until(begin + plan.time.mul_f64(FOR_SMALL));
    if let Some(found) = search(trial, cases, plan, tried)? {
        return Ok((Some(in_order(found)), 0));
    }
    let until = begin + plan.time.mul_f64(FOR_FINDING);
    trial.until(until);
    let (large, climbed) = match ladder::climb(trial, plan.seed, until)? {
        Climb::Right(cells) => (None, cells),
        Climb::Found(found) => (Some(*found), 0),
    };
    let slow = large.as_ref().is_some_and(|found| !matches!(found.fault, Fault::Wrong(_)));
    // One that is wrong may be so on a smaller case, which comes soon.
    if large.is_some() {
        trial.until(begin + plan.time.mul_f64(FOR_FIRST));
    }
    if !slow
        && trial.given_up == 0
        && let Some(found) = search(trial, cases, plan, tried)?
    {
        return Ok((Some(in_order(found)), climbed));
    }
    let tried = Size { cells: cases.exhausted(), board: 0 };
    Ok((large.map(|found| First { found, tried }), climbed))
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
        let batches = trial.drawn(cases, most - *tried);
        let drawn: usize = batches.iter().map(Vec::len).sum();
        let found = trial.first_fault(batches)?;
        if found.is_some() {
            return Ok(found);
        }
        *tried += drawn as u64;
    }
    Ok(None)
}
