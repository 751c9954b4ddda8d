//! Plain recursive solutions without a memo, and the number of positions that they visit.

use std::fmt;

use super::Judge;

/// A plain recursion: how a learner would solve the problem at first.
pub struct Recursion<J: Judge> {
    /// What it does with the moves: "every move", "moves until one wins".
    pub name: &'static str,
    visits: Visits<J>,
}

impl<J: Judge> fmt::Debug for Recursion<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recursion").field("name", &self.name).finish_non_exhaustive()
    }
}

type Visits<J> = Box<dyn FnMut(&<J as Judge>::Case) -> u64>;

impl<J: Judge> Recursion<J> {
    pub(super) fn new(name: &'static str, visits: impl FnMut(&J::Case) -> u64 + 'static) -> Self {
        Self { name, visits: Box::new(visits) }
    }

    /// How many positions it visits, each as often as it comes there, the case's own among
    /// them; `u64::MAX` if they are more than that.
    pub fn visits(&mut self, case: &J::Case) -> u64 {
        (self.visits)(case)
    }
}
