//! The orders in which cases are tried: small cases and then random ones, or cases of growing sizes one by one.

use std::time::Instant;

use balpan::SplitMix;

use super::trial::{FailingCase, Trial};
use super::{StressError, uninterrupted};
use crate::judge::{CaseIter, Judge};

/// Every small case in the order of size, then random cases without end.
pub(super) struct Cases<'j, J: Judge> {
    judge: &'j J,
    /// The number of cells and the remaining cases of it; `None` when all small cases are drawn.
    exhaustive: Option<(usize, CaseIter<J>)>,
    seed: u64,
    drawn_in_order: u64,
    drawn_at_random: u64,
    /// Cells of the largest case drawn.
    largest: usize,
}

/// Random cases that are drawn before cases may have one more cell.
const CASES_PER_CELL: u64 = 250;

impl<'j, J: Judge> Cases<'j, J> {
    pub(super) fn new(judge: &'j J, seed: u64) -> Self {
        Self {
            judge,
            exhaustive: Some((0, judge.cases_of_size(0))),
            seed,
            drawn_in_order: 0,
            drawn_at_random: 0,
            largest: 0,
        }
    }

    /// Returns the number of cells below which all cases are drawn.
    pub(super) fn exhausted(&self) -> usize {
        self.exhaustive.as_ref().map_or(self.judge.info().exhaustive_cells + 1, |(cells, _)| *cells)
    }

    /// Whether there are more cases to try. If all cases are small, they are drawn once in order and
    /// then as many times at random, because a program may keep state between cases.
    pub(super) fn has_more(&self) -> bool {
        let info = self.judge.info();
        info.exhaustive_cells < info.max_cells
            || self.exhaustive.is_some()
            || self.drawn_at_random < self.drawn_in_order
    }

    /// Returns the cells of the largest case drawn.
    pub(super) const fn largest(&self) -> usize {
        self.largest
    }

    /// Draws a random case. Each has its own seed, so the cases do not depend on the number of runs.
    fn draw_random(&mut self) -> J::Case {
        let info = self.judge.info();
        let max_cells = info.exhaustive_cells as u64 + 2 + self.drawn_at_random / CASES_PER_CELL;
        let max_cells = usize::try_from(max_cells).map_or(info.max_cells, |cells| cells.min(info.max_cells));
        self.drawn_at_random += 1;
        let mut seeds = SplitMix(self.seed);
        let mut random = SplitMix(seeds.next_u64() ^ self.drawn_at_random);
        self.judge.random_case(&mut SplitMix(random.next_u64()), max_cells)
    }
}

impl<J: Judge> Iterator for Cases<'_, J> {
    type Item = J::Case;

    fn next(&mut self) -> Option<J::Case> {
        while let Some((cells, rest)) = &mut self.exhaustive {
            if let Some(case) = rest.next() {
                self.drawn_in_order += 1;
                self.largest = *cells;
                return Some(case);
            }
            let next = *cells + 1;
            self.exhaustive =
                (next <= self.judge.info().exhaustive_cells).then(|| (next, self.judge.cases_of_size(next)));
        }
        let case = self.draw_random();
        self.largest = self.largest.max(self.judge.size(&case).cells);
        Some(case)
    }
}

/// The least difference in cells between two rungs.
const MIN_STEP: usize = 2;
/// The most rungs, approximately.
const MAX_RUNGS: usize = 16;
/// The number of largest cases that are tried.
const LARGEST_CASES: usize = 3;
/// The number of cases that the largest ones are drawn from.
const LARGEST_POOL: usize = 600;

/// Tries cases of more and more cells one by one until `until`, or to the first on which the program is wrong or too slow.
/// Also returns the cells of the largest case with a right answer. Slowness shows on large cases, which come late among
/// random ones.
pub(super) fn climb<J: Judge>(
    trial: &mut Trial<J>,
    seed: u64,
    until: Instant,
) -> Result<(Option<FailingCase<J>>, usize), StressError> {
    let mut cells = 0;
    for case in rungs(trial.judge, seed) {
        if Instant::now() >= until || !trial.has_time() {
            break;
        }
        cells = trial.judge.size(&case).cells;
        match uninterrupted(trial.try_alone(case))? {
            Some(Some(failing)) => return Ok((Some(failing), 0)),
            Some(None) => {}
            None => break,
        }
    }
    Ok((None, cells))
}

/// Returns a case for each rung, the smallest first, then some of the largest cases.
fn rungs<J: Judge>(judge: &J, seed: u64) -> Vec<J::Case> {
    let mut random = SplitMix(seed);
    let growing = judge.growing_cases(&mut random);
    if !growing.is_empty() {
        return growing;
    }
    let max_cells = judge.info().max_cells;
    let pool: Vec<_> = judge.cases_of_size(max_cells).take(LARGEST_POOL).collect();
    if pool.is_empty() {
        return Vec::new();
    }
    let largest: Vec<_> = (0..LARGEST_CASES.min(pool.len())).map(|_| pool[random.below(pool.len())].clone()).collect();
    let mut rungs = Vec::new();
    let mut case = largest[0].clone();
    // Each step takes the first case with the fewest cells less. That removes cells from one end of the
    // board, and the rest stays connected.
    let (step, mut rung) = (MIN_STEP.max(max_cells / MAX_RUNGS), max_cells);
    loop {
        let cells = judge.size(&case).cells;
        let fewer: Vec<_> =
            judge.smaller_cases(&case).into_iter().filter(|case| judge.size(case).cells < cells).collect();
        let Some(cells_left) = fewer.iter().map(|case| judge.size(case).cells).max() else { break };
        let Some(next) = fewer.into_iter().find(|case| judge.size(case).cells == cells_left) else { break };
        if cells_left + step <= rung {
            rung = cells_left;
            rungs.push(next.clone());
        }
        case = next;
    }
    rungs.reverse();
    rungs.extend(largest);
    rungs
}
