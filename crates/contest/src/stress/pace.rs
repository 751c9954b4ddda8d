//! The time that a program takes, by size of the case.

use std::collections::BTreeMap;
use std::time::Duration;

/// The slowest of the cases of one size that were asked about alone, each in a run of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Their [`cells`](crate::Size::cells).
    pub cells: usize,
    /// How many there were.
    pub cases: u64,
    /// What the slowest took, the program's start included, without what it waited for a
    /// processor. At least so long, if it was stopped.
    pub slowest: Duration,
    /// Whether one was stopped at the limit.
    pub stopped: bool,
}

/// What was measured so far, by size.
#[derive(Default)]
pub(super) struct Paces(BTreeMap<usize, Pace>);

impl Paces {
    pub(super) fn add(&mut self, cells: usize, time: Duration, stopped: bool) {
        let pace = self.0.entry(cells).or_insert(Pace { cells, cases: 0, slowest: Duration::ZERO, stopped: false });
        pace.cases += 1;
        pace.slowest = pace.slowest.max(time);
        pace.stopped |= stopped;
    }

    /// The time that a case of this number of cells may take, if it is like those of its size, or of the next
    /// that was measured; nothing, if none was.
    pub(super) fn expected(&self, cells: usize) -> Duration {
        self.0.range(cells..).next().map_or(Duration::ZERO, |(_, pace)| pace.slowest)
    }

    /// Smallest first.
    pub(super) fn into_vec(self) -> Vec<Pace> {
        self.0.into_values().collect()
    }
}
