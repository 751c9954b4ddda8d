//! The result of testing a program.

use std::time::Duration;

use super::diagnose::Suspect;
use super::fault::Fault;
use super::pace::Pace;
use super::smallest::{Smaller, Smallest};
use crate::judge::{Judge, Size};

/// What came of trying a program, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All cases that were to be tried were, and are answered rightly, in time, and within the memory.
    Right,
    /// An answer is wrong, or there is none.
    Wrong,
    /// A case takes longer than the limit, alone and twice.
    Slow,
    /// A case takes more memory than the limit.
    Memory,
    /// Nothing was found, but not all that was asked could be decided.
    Undecided,
}

impl Verdict {
    /// The word for it, as JSON has it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Slow => "slow",
            Self::Memory => "memory",
            Self::Undecided => "undecided",
        }
    }
}

/// Why nothing is decided about a program on which no difference was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The watch said stop.
    Stopped,
    /// A case or a run took too long, and there was no time to find out more.
    TooSlow,
    /// The time ended before the cases that were to be tried.
    TooFewCases,
}

impl Doubt {
    /// The word for it, as JSON has it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::TooSlow => "too_slow",
            Self::TooFewCases => "too_few_cases",
        }
    }
}

/// What came of trying a program.
#[derive(Debug)]
pub struct Report<J: Judge> {
    /// The case on which it is wrong, if one was found.
    pub difference: Option<Difference<J>>,
    /// The number of cases tried, in their order, before the run in which a difference was found.
    pub tried: u64,
    /// The number of cases that were to be tried besides: some are left if the time ended first.
    pub missing: u64,
    /// The number of cases in all, with smaller ones and those for the diagnosis.
    pub cases: u64,
    /// The number of runs of the program.
    pub runs: u64,
    /// Every case of fewer cells than this was tried, if no difference was found.
    pub exhausted: usize,
    /// Cells of the largest case that was drawn.
    pub largest: usize,
    /// The number of cases of the run that took too long, if there was no time to find out why or to
    /// ask again; otherwise 0.
    pub given_up: usize,
    /// What single cases took, by size, smallest first.
    pub paces: Vec<Pace>,
    /// The most bytes of memory that a run was seen to hold, if any was seen.
    pub memory: Option<u64>,
    /// Whether it was stopped before the time.
    pub stopped: bool,
    /// How long it took.
    pub time: Duration,
    /// How long of that it took to draw the cases, to answer them, and to compare.
    pub own_time: Duration,
}

impl<J: Judge> Report<J> {
    /// In a word.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self.difference.as_ref().map(|difference| &difference.fault) {
            Some(Fault::TimeLimit(_)) => Verdict::Slow,
            Some(Fault::MemoryLimit(_)) => Verdict::Memory,
            Some(_) => Verdict::Wrong,
            None if self.doubt().is_some() => Verdict::Undecided,
            None => Verdict::Right,
        }
    }

    /// Why the verdict is [`Undecided`](Verdict::Undecided), if it is.
    #[must_use]
    pub fn doubt(&self) -> Option<Doubt> {
        if self.difference.is_some() {
            None
        } else if self.stopped {
            Some(Doubt::Stopped)
        } else if self.given_up > 0 {
            Some(Doubt::TooSlow)
        } else if self.missing > 0 || self.tried == 0 {
            Some(Doubt::TooFewCases)
        } else {
            None
        }
    }

    /// The size of which a case took longest, if single ones were asked about.
    #[must_use]
    pub fn slowest(&self) -> Option<Pace> {
        self.paces.iter().copied().reduce(|slowest, pace| if pace.slowest > slowest.slowest { pace } else { slowest })
    }
}

/// A case on which a program is wrong.
#[derive(Debug)]
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
