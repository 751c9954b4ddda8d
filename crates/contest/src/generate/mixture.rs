//! Random cases of every size.

use std::collections::HashSet;

use balpan::SplitMix;

use crate::judge::Judge;

/// A small case, a middling one, a large one, and so on for ever; each once as long as
/// others are found.
pub(super) struct Mixture<'a, J: Judge> {
    judge: &'a J,
    random: SplitMix,
    seen: HashSet<J::Case>,
    next_band: usize,
}

/// Small, middling, large: a third of the cells each.
const BANDS: usize = 3;

/// So often another case is taken at random for one that is too small or has been before.
const TRIES: usize = 1000;

impl<'a, J: Judge> Mixture<'a, J> {
    pub(super) fn new(judge: &'a J, seed: u64) -> Self {
        Self { judge, random: SplitMix(seed), seen: HashSet::new(), next_band: 0 }
    }

    /// Another seed, for something else.
    pub(super) const fn seed(&mut self) -> u64 {
        self.random.next_u64()
    }

    /// Whether the case has not been yet; now it has.
    pub(super) fn is_first(&mut self, case: &J::Case) -> bool {
        self.seen.insert(case.clone())
    }
}

impl<J: Judge> Iterator for Mixture<'_, J> {
    type Item = J::Case;

    fn next(&mut self) -> Option<J::Case> {
        let band = self.next_band;
        self.next_band = (band + 1) % BANDS;
        // Cases above the one bound and up to the other.
        let [above, most] = [band, band + 1].map(|bands| self.judge.about().most_cells * bands / BANDS);
        let mut other = None;
        for _ in 0..TRIES {
            let case = self.judge.random(&mut self.random, most);
            let is_new = !self.seen.contains(&case);
            if is_new && (band == 0 || self.judge.size(&case).cells > above) {
                self.seen.insert(case.clone());
                return Some(case);
            }
            if is_new || other.is_none() {
                other = Some(case);
            }
        }
        self.seen.extend(other.clone());
        other
    }
}
