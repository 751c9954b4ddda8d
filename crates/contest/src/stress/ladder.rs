//! Cases of growing sizes, tried one by one. Slowness shows on large cases, which come late among
//! random ones.

use std::time::Instant;

use balpan::{SplitMix, Stopped};

use super::StressError;
use super::trial::{FailingCase, Trial};
use crate::judge::Judge;

/// The least difference in cells between two rungs.
const MIN_STEP: usize = 2;
/// The most rungs, approximately.
const MAX_RUNGS: usize = 16;
/// The number of largest cases that are tried.
const LARGEST_CASES: usize = 3;
/// The number of cases that the largest ones are drawn from.
const LARGEST_POOL: usize = 600;

/// The result of a climb.
pub(super) enum Climb<J: Judge> {
    /// The first case on which the program is wrong or too slow.
    Failed(Box<FailingCase<J>>),
    /// All answers were right, up to the rung of this number of cells.
    Right(usize),
}

/// Tries cases of more and more cells until `until`.
pub(super) fn climb<J: Judge>(trial: &mut Trial<J>, seed: u64, until: Instant) -> Result<Climb<J>, StressError> {
    let mut cells = 0;
    for case in rungs(trial.judge, seed) {
        if Instant::now() >= until || !trial.has_time() {
            break;
        }
        cells = trial.judge.size(&case).cells;
        match trial.try_alone(case) {
            Ok(Some(failing)) => return Ok(Climb::Failed(Box::new(failing))),
            Ok(None) => {}
            Err(StressError::Stopped(Stopped::Interrupted)) => break,
            Err(other) => return Err(other),
        }
    }
    Ok(Climb::Right(cells))
}

/// Returns a case for each rung, the smallest first, then some of the largest cases.
fn rungs<J: Judge>(judge: &J, seed: u64) -> Vec<J::Case> {
    let mut random = SplitMix(seed);
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
