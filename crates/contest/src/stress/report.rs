//! What came of trying a program.

use std::time::Duration;

use super::diagnose::Suspect;
use super::fault::Fault;
use super::smallest::{Smaller, Smallest};
use crate::judge::{Judge, Size};

/// What came of trying a program.
pub struct Report<J: Judge> {
    /// The case on which it is wrong, if one was found.
    pub difference: Option<Difference<J>>,
    /// So many cases were tried, in the order in which they come, before the runs in which
    /// one was found.
    pub tried: u64,
    /// So many in all, smaller ones and those for the diagnosis included.
    pub cases: u64,
    /// In so many runs of the program.
    pub runs: u64,
    /// Every case of fewer cells than this was tried, if no difference was found.
    pub exhausted: usize,
    /// Cells of the largest case that was drawn.
    pub largest: usize,
    /// If the program took too long for so many cases of one run, and there was no time to
    /// find out why; else 0.
    pub given_up: usize,
    /// Whether it was stopped before the time.
    pub stopped: bool,
    /// How long it took.
    pub time: Duration,
    /// How long of that it took to draw the cases, to answer them, and to compare.
    pub own_time: Duration,
}

/// A case on which a program is wrong.
pub struct Difference<J: Judge> {
    /// Cases before it in the same run: alone, it is answered rightly. Most that do not matter
    /// are left out.
    pub before: Vec<J::Case>,
    /// The case.
    pub case: J::Case,
    /// Its size.
    pub size: Size,
    /// The right answer.
    pub right: J::Answer,
    /// What the program does.
    pub fault: Fault<J::Answer>,
    /// The last that it wrote to its standard error.
    pub errors: String,
    /// What is known of smaller cases.
    pub smaller: Smaller,
    /// Misunderstandings that would give this answer.
    pub suspects: Vec<Suspect<J>>,
}

impl<J: Judge> Difference<J> {
    pub(super) fn new(judge: &J, smallest: Smallest<J>, suspects: Vec<Suspect<J>>) -> Self {
        let Smallest { found, smaller } = smallest;
        Self {
            size: judge.size(&found.case),
            before: found.before,
            case: found.case,
            right: found.right,
            fault: found.fault,
            errors: found.errors,
            smaller,
            suspects,
        }
    }
}
