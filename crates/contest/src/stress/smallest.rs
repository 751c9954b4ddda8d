//! Shrinks a case on which a program is wrong to the smallest.

use balpan::Watch;

use super::NoTrial;
use super::fault::Fault;
use super::trial::{Found, Trial};
use crate::judge::{Judge, Size};

/// What is known of the cases that are smaller than one on which a program is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Smaller {
    /// How many there are that are none in [disguise](crate::About::disguises), if all of these
    /// were tried.
    pub cases: u64,
    /// Whether all of these were tried, and answered rightly.
    pub all: bool,
    /// Whether the case is itself one in disguise: of those, not all smaller ones were tried.
    pub disguised: bool,
}

/// A case on which the program is wrong, and what is known of smaller ones.
pub(super) struct Smallest<J: Judge> {
    pub(super) found: Found<J>,
    pub(super) smaller: Smaller,
}

/// Looks for the smallest case. All that are smaller than `tried` are answered rightly.
///
/// By steps first, as long as there is a smaller case that is wrong among those like this
/// one; then through all that are smaller than the last; then, of those of its size, by
/// the length of the game.
pub(super) fn smallest<J: Judge>(trial: &mut Trial<J>, found: Found<J>, tried: Size) -> Result<Smallest<J>, NoTrial> {
    let mut best = found;
    // Cases that matter only together, or now and then, have no order of size.
    if !is_plain(&best) {
        return Ok(Smallest { found: best, smaller: Smaller { cases: 0, all: false, disguised: false } });
    }
    let judge = trial.judge;
    let right_below = judge.size(&best.case).min(tried);
    if is_slow(&best) {
        trial.one_by_one();
    }
    loop {
        let mut steps = judge.smaller(&best.case);
        steps.sort_by_key(|case| judge.size(case));
        match trial.first_of(steps)?.found {
            Some(found) if is_plain(&found) => best = found,
            _ => break,
        }
    }
    let size = judge.size(&best.case);
    let below = (right_below.cells..=size.cells).flat_map(|cells| judge.of_size(cells));
    let below = below.skip_while(|case| judge.size(case) < right_below).take_while(|case| judge.size(case) < size);
    let first = trial.first_of(below)?;
    let mut all = first.all;
    if let Some(found) = first.found.filter(is_plain) {
        // The first in the order of size: all before it are right.
        best = found;
        all = true;
    }
    // A slow one was asked about twice already, and asking takes its time.
    if all && !is_slow(&best) {
        best = shortest(trial, best)?;
    }
    // Once more: a program that answers at random would be taken for one that is wrong.
    if !is_slow(&best) && !trial.is_wrong_again(&best)? {
        best.fault = Fault::Unsteady(Box::new(best.fault));
        return Ok(Smallest { found: best, smaller: Smaller { cases: 0, all: false, disguised: false } });
    }
    let size = judge.size(&best.case);
    let cases = if all { smaller_than(judge, size) } else { 0 };
    let disguised = all && !judge.of_size(size.cells).any(|case| case == best.case);
    Ok(Smallest { found: best, smaller: Smaller { cases, all, disguised } })
}

/// Of all cases of its size on which the program is wrong, one of the shortest game.
fn shortest<J: Judge>(trial: &mut Trial<J>, found: Found<J>) -> Result<Found<J>, NoTrial> {
    let judge = trial.judge;
    let size = judge.size(&found.case);
    // It has its own watch: there is something to report now.
    let watch = Watch::default();
    let mut survey = judge.survey(&watch);
    let most = survey(&found.case)?.plies;
    let same = judge.of_size(size.cells).filter(|case| judge.size(case) == size);
    let mut shorter = Vec::new();
    for case in same {
        let plies = survey(&case)?.plies;
        if plies < most {
            shorter.push((plies, case));
        }
    }
    shorter.sort_by_key(|(plies, _)| *plies);
    let first = trial.first_of(shorter.into_iter().map(|(_, case)| case))?;
    Ok(first.found.filter(is_plain).unwrap_or(found))
}

fn is_plain<J: Judge>(found: &Found<J>) -> bool {
    found.before.is_empty() && !matches!(found.fault, Fault::Unsteady(_))
}

const fn is_slow<J: Judge>(found: &Found<J>) -> bool {
    matches!(found.fault, Fault::TimeLimit(_))
}

/// How many cases there are of a smaller size.
fn smaller_than<J: Judge>(judge: &J, size: Size) -> u64 {
    let cases = (0..=size.cells).flat_map(|cells| judge.of_size(cells));
    cases.filter(|case| judge.size(case) < size).count() as u64
}
