//! The order in which cases are tried.

use balpan::SplitMix;

use crate::judge::{EveryCase, Judge};

/// Every small case in the order of size, then random cases without end.
pub(super) struct Cases<'j, J: Judge> {
    judge: &'j J,
    /// The rest of the cases of the present number of cells; `None` when all small ones are drawn.
    exhaustive: Option<(usize, EveryCase<J>)>,
    seed: u64,
    in_order: u64,
    by_chance: u64,
    /// Cells of the largest case that was drawn.
    largest: usize,
}

/// The number of random cases drawn before cases may have one more cell.
const CASES_A_CELL: u64 = 250;

impl<'j, J: Judge> Cases<'j, J> {
    pub(super) fn new(judge: &'j J, seed: u64) -> Self {
        Self { judge, exhaustive: Some((0, judge.of_size(0))), seed, in_order: 0, by_chance: 0, largest: 0 }
    }

    /// All cases of fewer cells than this are drawn.
    pub(super) fn exhausted(&self) -> usize {
        self.exhaustive.as_ref().map_or(self.judge.about().small + 1, |(cells, _)| *cells)
    }

    /// Whether there are cases that were not drawn yet: where all are small, they come in
    /// order, and then as many at random, for a program might keep something of them.
    pub(super) fn has_more(&self) -> bool {
        let about = self.judge.about();
        about.small < about.most_cells || self.exhaustive.is_some() || self.by_chance < self.in_order
    }

    /// Cells of the largest case that was drawn.
    pub(super) const fn largest(&self) -> usize {
        self.largest
    }

    /// The next case at random. Each has a seed of its own, so that it does not matter in
    /// how many runs they are tried.
    fn chance(&mut self) -> J::Case {
        let about = self.judge.about();
        let most = about.small as u64 + 2 + self.by_chance / CASES_A_CELL;
        let most = usize::try_from(most).map_or(about.most_cells, |most| most.min(about.most_cells));
        self.by_chance += 1;
        let mut seeds = SplitMix(self.seed);
        let mut random = SplitMix(seeds.next_u64() ^ self.by_chance);
        self.judge.random(&mut SplitMix(random.next_u64()), most)
    }
}

impl<J: Judge> Iterator for Cases<'_, J> {
    type Item = J::Case;

    fn next(&mut self) -> Option<J::Case> {
        while let Some((cells, rest)) = &mut self.exhaustive {
            if let Some(case) = rest.next() {
                self.in_order += 1;
                self.largest = *cells;
                return Some(case);
            }
            let next = *cells + 1;
            self.exhaustive = (next <= self.judge.about().small).then(|| (next, self.judge.of_size(next)));
        }
        let case = self.chance();
        self.largest = self.largest.max(self.judge.size(&case).cells);
        Some(case)
    }
}
