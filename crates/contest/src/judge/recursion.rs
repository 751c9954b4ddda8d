//! Plain recursive solutions without a memo, by the number of positions that they visit.

use std::fmt;

use super::Judge;

/// A plain recursion, as a learner would first write it.
pub struct Recursion<J: Judge> {
    /// Which moves it tries: "every move", "moves until one wins".
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

    /// Counts the positions visited, with repetitions and with the case's own. Saturates at
    /// `u64::MAX`.
    pub fn visits(&mut self, case: &J::Case) -> u64 {
        (self.visits)(case)
    }
}
