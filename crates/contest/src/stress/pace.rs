//! A program's times by size of the case.

use std::collections::BTreeMap;
use std::time::Duration;

/// The slowest case of one size among those that had a run of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeTiming {
    /// The [`cells`](crate::Size::cells) of the cases.
    pub cells: usize,
    /// The number of cases.
    pub cases: u64,
    /// The time of the slowest, with the program's start and without waiting for a processor; a lower
    /// bound if it was stopped.
    pub slowest: Duration,
    /// Whether a case was stopped at the limit.
    pub stopped: bool,
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
