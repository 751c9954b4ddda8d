//! The report of a stress test.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::diagnose::Suspect;
use super::fault::Fault;
use super::shrink::Minimality;
use super::trial::FailingCase;
use crate::judge::{Judge, Size};

/// The verdict on a program. The names in JSON are part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All required cases were tried, and all answers are right and within the limits.
    Right,
    /// An answer is wrong or missing.
    Wrong,
    /// A case takes longer than the limit, alone and twice.
    Slow,
    /// A case takes more memory than the limit.
    Memory,
    /// No fault was found, but not everything could be tried.
    Undecided,
}

/// Why a program without a failing case is not called right. The names in JSON are part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UndecidedReason {
    /// The watch stopped the test.
    Stopped,
    /// A case or a run took too long, and there was no time to investigate.
    TooSlow,
    /// The time ended before all required cases were tried.
    TooFewCases,
}

/// The report of a stress test.
#[derive(Debug)]
pub struct Report<J: Judge> {
    /// The case on which the program is wrong, if one was failing.
    pub difference: Option<Difference<J>>,
    /// Cases tried in order before the run with the difference.
    pub tried: u64,
    /// Required cases that were not tried because the time ended.
    pub missing: u64,
    /// Cases tried in all, with those for shrinking and for the diagnosis.
    pub cases: u64,
    /// Runs of the program.
    pub runs: u64,
    /// All cases of fewer cells than this were tried, if no difference was failing.
    pub exhausted: usize,
    /// Cells of the largest case drawn.
    pub largest: usize,
    /// Cases of a run that took too long and could not be investigated for lack of time; otherwise 0.
    pub given_up: usize,
    /// Times of single cases by size, the smallest first.
    pub timings: Vec<SizeTiming>,
    /// The largest memory of a run in bytes, if it was measured.
    pub memory: Option<u64>,
    /// Whether the watch stopped the test.
    pub stopped: bool,
    /// The time of the test.
    pub time: Duration,
    /// The part of the time for drawing cases, answering them exactly, and comparing.
    pub own_time: Duration,
}

impl<J: Judge> Report<J> {
    /// Returns the verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.difference.as_ref().map(|difference| &difference.fault) {
            Some(Fault::TimeLimit(_)) => Verdict::Slow,
            Some(Fault::MemoryLimit(_)) => Verdict::Memory,
            Some(_) => Verdict::Wrong,
            None if self.undecided_reason().is_some() => Verdict::Undecided,
            None => Verdict::Right,
        }
    }

    /// Returns why the verdict is [`Undecided`](Verdict::Undecided), if it is.
    #[must_use]
    pub fn undecided_reason(&self) -> Option<UndecidedReason> {
        if self.difference.is_some() {
            None
        } else if self.stopped {
            Some(UndecidedReason::Stopped)
        } else if self.given_up > 0 {
            Some(UndecidedReason::TooSlow)
        } else if self.missing > 0 || self.tried == 0 {
            Some(UndecidedReason::TooFewCases)
        } else {
            None
        }
    }

    /// Returns the timing of the slowest single case, if there were single cases.
    #[must_use]
    pub fn slowest(&self) -> Option<SizeTiming> {
        self.timings
            .iter()
            .copied()
            .reduce(|slowest, timing| if timing.slowest > slowest.slowest { timing } else { slowest })
    }
}

/// A case on which a program is wrong.
#[derive(Debug)]
pub struct Difference<J: Judge> {
    /// Earlier cases of the same run, if the case alone is answered rightly. Most of those that do not
    /// matter are left out.
    pub before: Vec<J::Case>,
    /// The case.
    pub case: J::Case,
    /// The size of the case.
    pub size: Size,
    /// The right answer.
    pub right: J::Answer,
    /// The fault of the program.
    pub fault: Fault<J::Answer>,
    /// The end of the program's standard error.
    pub errors: String,
    /// How far the case is known to be the smallest.
    pub minimality: Minimality,
    /// Misunderstandings that explain the answer, the best first.
    pub suspects: Vec<Suspect<J>>,
}

impl<J: Judge> Difference<J> {
    pub(super) fn new(judge: &J, failing: FailingCase<J>, minimality: Minimality, suspects: Vec<Suspect<J>>) -> Self {
        let FailingCase { before, case, right, fault, errors } = failing;
        Self { size: judge.size(&case), before, case, right, fault, errors, minimality, suspects }
    }
}

/// The slowest case of one size among those that had a run of their own. The field names in JSON are part of the
/// command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SizeTiming {
    /// The [`cells`](crate::Size::cells) of the cases.
    pub cells: usize,
    /// The number of cases.
    pub cases: u64,
    /// The time of the slowest, with the program's start and without waiting for a processor; a lower
    /// bound if it was stopped.
    #[serde(rename = "seconds", serialize_with = "serialize_seconds")]
    pub slowest: Duration,
    /// Whether a case was stopped at the limit.
    pub stopped: bool,
}

fn serialize_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// The times measured so far, by size.
#[derive(Default)]
pub(super) struct Timings(BTreeMap<usize, SizeTiming>);

impl Timings {
    pub(super) fn add(&mut self, cells: usize, time: Duration, stopped: bool) {
        let timing =
            self.0.entry(cells).or_insert(SizeTiming { cells, cases: 0, slowest: Duration::ZERO, stopped: false });
        timing.cases += 1;
        timing.slowest = timing.slowest.max(time);
        timing.stopped |= stopped;
    }

    /// Estimates the time of a case by the measurement of its size or of the next larger one; zero if
    /// there is none.
    pub(super) fn expected(&self, cells: usize) -> Duration {
        self.0.range(cells..).next().map_or(Duration::ZERO, |(_, timing)| timing.slowest)
    }

    /// Returns the timings, the smallest size first.
    pub(super) fn into_vec(self) -> Vec<SizeTiming> {
        self.0.into_values().collect()
    }
}
