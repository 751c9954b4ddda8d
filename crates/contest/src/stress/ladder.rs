//! Cases from the smallest to the largest, tried one by one. The time that a program takes shows at
//! large cases, which come late among random ones.

use std::time::Instant;

use balpan::{SplitMix, Stopped};

use super::NoTrial;
use super::trial::{Found, Trial};
use crate::judge::Judge;

/// Cells that a rung has more than the one below it, if that makes no more rungs than this.
const STEP: usize = 2;
const MOST_RUNGS: usize = 16;
/// How many of the largest cases are asked about.
const LARGEST: usize = 3;
/// The number of cases that they are drawn from.
const AMONG: usize = 600;

/// What came of a climb.
pub(super) enum Climb<J: Judge> {
    /// The first case on which the program is wrong, or too slow.
    Found(Box<Found<J>>),
    /// All were answered correctly, up to the rung of this number of cells.
    Right(usize),
}

/// Asks about cases of more and more cells, until there is no time for the next.
pub(super) fn climb<J: Judge>(trial: &mut Trial<J>, seed: u64, until: Instant) -> Result<Climb<J>, NoTrial> {
    let mut cells = 0;
    for case in rungs(trial.judge, seed) {
        if Instant::now() >= until || !trial.has_time() {
            break;
        }
        cells = trial.judge.size(&case).cells;
        match trial.alone(case) {
            Ok(Some(found)) => return Ok(Climb::Found(Box::new(found))),
            Ok(None) => {}
            Err(NoTrial::Stopped(Stopped::Interrupted)) => break,
            Err(other) => return Err(other),
        }
    }
    Ok(Climb::Right(cells))
}

/// A case of each rung, and some of the largest.
fn rungs<J: Judge>(judge: &J, seed: u64) -> Vec<J::Case> {
    let mut random = SplitMix(seed);
    let most = judge.about().most_cells;
    let all: Vec<_> = judge.of_size(most).take(AMONG).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let largest: Vec<_> = (0..LARGEST.min(all.len())).map(|_| all[random.below(all.len())].clone()).collect();
    let mut rungs = Vec::new();
    let mut case = largest[0].clone();
    // The first of those with a cell less, or with as few less as a move of the game takes: what
    // goes is one end of the board, and the rest hangs together.
    let (step, mut rung) = (STEP.max(most / MOST_RUNGS), most);
    loop {
        let cells = judge.size(&case).cells;
        let fewer: Vec<_> = judge.smaller(&case).into_iter().filter(|case| judge.size(case).cells < cells).collect();
        let Some(most_left) = fewer.iter().map(|case| judge.size(case).cells).max() else { break };
        let Some(next) = fewer.into_iter().find(|case| judge.size(case).cells == most_left) else { break };
        if most_left + step <= rung {
            rung = most_left;
            rungs.push(next.clone());
        }
        case = next;
    }
    rungs.reverse();
    rungs.extend(largest);
    rungs
}
