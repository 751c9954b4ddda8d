//! Cases on which plain recursion visits many positions, found by hill climbing.

use std::collections::{BTreeMap, HashSet};

use balpan::{SplitMix, Stopped, Watch};
use balpan_pictures::grouped;

use super::Coverage;
use crate::judge::{Judge, Recursion};

/// A case on which plain recursion visits many positions.
#[derive(Clone, Debug)]
pub struct HardCase<J: Judge> {
    /// The case.
    pub case: J::Case,
    /// The positions visited by each of the judge's [`recursions`](Judge::recursions), with its name.
    pub visits: Vec<(&'static str, u64)>,
}

impl<J: Judge> HardCase<J> {
    /// Describes the visits as features of the case with this index.
    #[must_use]
    pub fn coverage(&self, index: usize) -> Vec<Coverage> {
        let what =
            |&(name, visits): &(&str, u64)| format!("plain recursion, {name}, visits {} positions", grouped(visits));
        self.visits.iter().map(|visits| Coverage { what: what(visits), cases: vec![index] }).collect()
    }
}

/// The least number of climbs.
const MIN_CLIMBS: usize = 6;
/// The most climbs, while too few cases are found.
const MAX_CLIMBS: usize = 60;
/// Steps in a row without a harder case that end a climb.
const MAX_FAILED_STEPS: usize = 60;
/// Further random cases that are drawn for the start of a climb, which is the largest.
const START_DRAWS: usize = 60;

/// Returns the `count` hardest cases that hill climbing finds, the hardest last; fewer if there are no
/// more. Leaves out the cases of `excluded`, and mirror images of others.
///
/// A case is harder than another if the product of the recursions' visits is larger. The seed alone
/// determines the cases; no clock is read.
///
/// # Errors
/// If `watch` stops it.
pub fn find_hard_cases<J: Judge>(
    judge: &J,
    count: usize,
    seed: u64,
    excluded: &[J::Case],
    watch: &Watch,
) -> Result<Vec<HardCase<J>>, Stopped> {
    let mut random = SplitMix(seed);
    let mut climber = Climber {
        judge,
        watch,
        recursions: judge.recursions(),
        seen: excluded.iter().flat_map(|case| [case.clone(), judge.mirror(case)]).collect(),
        found: BTreeMap::new(),
    };
    let mut climbs = 0;
    while climbs < MIN_CLIMBS || climber.found.len() < count && climbs < MAX_CLIMBS {
        climber.climb(&mut random)?;
        climbs += 1;
    }
    let skipped = climber.found.len().saturating_sub(count);
    Ok(climber.found.into_values().skip(skipped).collect())
}

struct Climber<'a, J: Judge> {
    judge: &'a J,
    watch: &'a Watch,
    recursions: Vec<Recursion<J>>,
    seen: HashSet<J::Case>,
    /// The cases by hardness; of equally hard ones the first is last.
    found: BTreeMap<(u128, usize), HardCase<J>>,
}

impl<J: Judge> Climber<'_, J> {
    fn climb(&mut self, random: &mut SplitMix) -> Result<(), Stopped> {
        let mut current = self.judge.random_case(random, self.judge.info().max_cells);
        for _ in 0..START_DRAWS {
            let other = self.judge.random_case(random, self.judge.info().max_cells);
            if self.judge.size(&other) > self.judge.size(&current) {
                current = other;
            }
        }
        let mut hardness = self.measure(&current)?;
        let mut failed_steps = 0;
        while failed_steps < MAX_FAILED_STEPS {
            let next = self.judge.neighbor(&current, random);
            let next_hardness = self.measure(&next)?;
            failed_steps = if next_hardness > hardness { 0 } else { failed_steps + 1 };
            // Level steps lead across plateaus.
            if next_hardness >= hardness {
                (current, hardness) = (next, next_hardness);
            }
        }
        Ok(())
    }

    /// Returns the hardness of the case, and records the case if it is new.
    fn measure(&mut self, case: &J::Case) -> Result<u128, Stopped> {
        self.watch.count(1)?;
        let visits: Vec<_> =
            self.recursions.iter_mut().map(|recursion| (recursion.name, recursion.visits(case))).collect();
        let hardness = visits.iter().fold(1_u128, |product, visits| product.saturating_mul(visits.1.into()));
        if self.seen.insert(case.clone()) {
            self.seen.insert(self.judge.mirror(case));
            let rank = usize::MAX - self.found.len();
            self.found.insert((hardness, rank), HardCase { case: case.clone(), visits });
        }
        Ok(hardness)
    }
}
