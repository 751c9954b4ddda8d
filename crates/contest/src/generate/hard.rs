//! Cases on which plain recursion visits many positions, found by climbing.

use std::collections::{BTreeMap, HashSet};

use balpan::{SplitMix, Stopped, Watch};
use balpan_pictures::grouped;

use super::Covered;
use crate::judge::{Judge, Recursion};

/// A case on which plain recursion visits many positions.
#[derive(Clone, Debug)]
pub struct Hard<J: Judge> {
    /// The case.
    pub case: J::Case,
    /// How many positions each of the judge's [`recursions`](Judge::recursions) visits, by its
    /// name.
    pub visits: Vec<(&'static str, u64)>,
}

impl<J: Judge> Hard<J> {
    /// What is said of it, as the case of this index.
    #[must_use]
    pub fn covered(&self, case: usize) -> Vec<Covered> {
        let what =
            |&(name, visits): &(&str, u64)| format!("plain recursion, {name}, visits {} positions", grouped(visits));
        self.visits.iter().map(|visits| Covered { what: what(visits), cases: vec![case] }).collect()
    }
}

/// Climbs at least, and at most where too few cases are found.
const CLIMBS: usize = 6;
const MOST_CLIMBS: usize = 60;
/// Steps that are tried in vain from one place before a climb ends.
const TRIES: usize = 60;

/// The hardest cases of those that are met with on climbs, `many` of them, the hardest last;
/// none that is among `without`, and of mirror images one. Where there are no more, fewer.
///
/// A case is harder than another if the product of what the recursions visit is larger. No
/// clock is read: the same seed gives the same cases.
///
/// # Errors
/// If `watch` says stop.
pub fn hardest<J: Judge>(
    judge: &J,
    many: usize,
    seed: u64,
    without: &[J::Case],
    watch: &Watch,
) -> Result<Vec<Hard<J>>, Stopped> {
    let mut random = SplitMix(seed);
    let mut climber = Climber {
        judge,
        watch,
        recursions: judge.recursions(),
        seen: without.iter().flat_map(|case| [case.clone(), judge.mirrored(case)]).collect(),
        met: BTreeMap::new(),
    };
    let mut climbs = 0;
    while climbs < CLIMBS || climber.met.len() < many && climbs < MOST_CLIMBS {
        climber.climb(&mut random)?;
        climbs += 1;
    }
    let skipped = climber.met.len().saturating_sub(many);
    Ok(climber.met.into_values().skip(skipped).collect())
}

struct Climber<'a, J: Judge> {
    judge: &'a J,
    watch: &'a Watch,
    recursions: Vec<Recursion<J>>,
    seen: HashSet<J::Case>,
    /// By hardness; of equally hard ones the first is last.
    met: BTreeMap<(u128, usize), Hard<J>>,
}

impl<J: Judge> Climber<'_, J> {
    fn climb(&mut self, random: &mut SplitMix) -> Result<(), Stopped> {
        let mut here = self.judge.random(random, self.judge.about().most_cells);
        // A large one, to begin not too far below.
        for _ in 0..TRIES {
            let other = self.judge.random(random, self.judge.about().most_cells);
            if self.judge.size(&other) > self.judge.size(&here) {
                here = other;
            }
        }
        let mut height = self.look_at(&here)?;
        let mut in_vain = 0;
        while in_vain < TRIES {
            let next = self.judge.step(&here, random);
            let next_height = self.look_at(&next)?;
            in_vain = if next_height > height { 0 } else { in_vain + 1 };
            // Level steps lead on, too.
            if next_height >= height {
                (here, height) = (next, next_height);
            }
        }
        Ok(())
    }

    /// How hard the case is.
    fn look_at(&mut self, case: &J::Case) -> Result<u128, Stopped> {
        self.watch.count(1)?;
        let visits: Vec<_> = self.recursions.iter_mut().map(|of| (of.name, of.visits(case))).collect();
        let height = visits.iter().fold(1_u128, |product, of| product.saturating_mul(of.1.into()));
        if self.seen.insert(case.clone()) {
            self.seen.insert(self.judge.mirrored(case));
            let rank = usize::MAX - self.met.len();
            self.met.insert((height, rank), Hard { case: case.clone(), visits });
        }
        Ok(height)
    }
}
