//! Random cases of all sizes.

use std::collections::HashSet;

use balpan::SplitMix;

use crate::judge::Judge;

/// An endless iterator over small, medium and large random cases in turn. A case comes twice only if no
/// other is found.
pub(super) struct Mixture<'a, J: Judge> {
    judge: &'a J,
    random: SplitMix,
    seen: HashSet<J::Case>,
    next_band: usize,
}

/// The number of size bands, of equal ranges of cells: small, medium and large.
const BANDS: usize = 3;

/// The most draws for a case that is new and large enough.
const MAX_DRAWS: usize = 1000;

impl<'a, J: Judge> Mixture<'a, J> {
    pub(super) fn new(judge: &'a J, seed: u64) -> Self {
        Self { judge, random: SplitMix(seed), seen: HashSet::new(), next_band: 0 }
    }

    /// Draws a seed for another generator.
    pub(super) const fn next_seed(&mut self) -> u64 {
        self.random.next_u64()
    }

    /// Marks a case as drawn. Returns whether it is new.
    pub(super) fn insert(&mut self, case: &J::Case) -> bool {
        self.seen.insert(case.clone())
    }
}

impl<J: Judge> Iterator for Mixture<'_, J> {
    type Item = J::Case;

    fn next(&mut self) -> Option<J::Case> {
        let band = self.next_band;
        self.next_band = (band + 1) % BANDS;
        // The band has more than `above` and at most `max` cells.
        let [above, max] = [band, band + 1].map(|bands| self.judge.info().max_cells * bands / BANDS);
        let mut fallback = None;
        for _ in 0..MAX_DRAWS {
            let case = self.judge.random_case(&mut self.random, max);
            let is_new = !self.seen.contains(&case);
            if is_new && (band == 0 || self.judge.size(&case).cells > above) {
                self.seen.insert(case.clone());
                return Some(case);
            }
            if is_new || fallback.is_none() {
                fallback = Some(case);
            }
        }
        self.seen.extend(fallback.clone());
        fallback
    }
}
