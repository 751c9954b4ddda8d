//! Shrinking: finds the smallest case on which a program is wrong.

use balpan::Watch;

use super::StressError;
use super::fault::Fault;
use super::trial::{FailingCase, Trial};
use crate::judge::{Judge, Size};

/// How far a failing case is known to be the smallest; by default, nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minimality {
    /// The number of smaller cases, except for those in [disguise](crate::JudgeInfo::disguises); 0
    /// unless all of them were tried.
    pub smaller_cases: u64,
    /// Whether all smaller cases, except for those in disguise, were tried and answered rightly.
    pub all_tried: bool,
    /// Whether the failing case is in disguise itself: a smaller one in disguise may be wrong, too.
    pub is_disguised: bool,
}

/// Looks for the smallest failing case, and returns how far it is known to be the smallest. All cases smaller than `right_below` are answered rightly.
///
/// First goes from the case to similar smaller ones as long as one of them fails. Then tries all cases
/// smaller than the last one. Finally looks among those of its size for one with a shorter game.
pub(super) fn shrink<J: Judge>(
    trial: &mut Trial<J>,
    mut best: FailingCase<J>,
    right_below: Size,
) -> Result<(FailingCase<J>, Minimality), StressError> {
    // Several cases of a run, and flaky ones, have no order of size.
    if !is_plain(&best) {
        return Ok((best, Minimality::default()));
    }
    let judge = trial.judge;
    let right_below = judge.size(&best.case).min(right_below);
    if is_slow(&best) {
        trial.run_single_cases();
    }
    loop {
        let mut steps = judge.smaller_cases(&best.case);
        steps.sort_by_key(|case| judge.size(case));
        match trial.try_all(steps)?.failing {
            Some(failing) if is_plain(&failing) => best = failing,
            _ => break,
        }
    }
    let size = judge.size(&best.case);
    let below = (right_below.cells..=size.cells).flat_map(|cells| judge.cases_of_size(cells));
    let below = below.skip_while(|case| judge.size(case) < right_below).take_while(|case| judge.size(case) < size);
    let first = trial.try_all(below)?;
    let mut all_tried = first.all_right;
    if let Some(failing) = first.failing.filter(is_plain) {
        // It is the first in the order of size: all before it are right.
        best = failing;
        all_tried = true;
    }
    // A slow case had two runs already, and each takes the whole time limit.
    if all_tried && !is_slow(&best) {
        best = shortest_game(trial, best)?;
    }
    // One more run finds programs that answer at random.
    if !is_slow(&best) && !trial.fails_again(&best)? {
        best.fault = Fault::Flaky(Box::new(best.fault));
        return Ok((best, Minimality::default()));
    }
    let size = judge.size(&best.case);
    let smaller_cases = if all_tried { count_smaller(judge, size) } else { 0 };
    let is_disguised = all_tried && !judge.cases_of_size(size.cells).any(|case| case == best.case);
    Ok((best, Minimality { smaller_cases, all_tried, is_disguised }))
}

/// Returns the failing case of the same size with the shortest game.
fn shortest_game<J: Judge>(trial: &mut Trial<J>, failing: FailingCase<J>) -> Result<FailingCase<J>, StressError> {
    let judge = trial.judge;
    let size = judge.size(&failing.case);
    // A stop of the main watch must not end this survey: there is something to report now.
    let watch = Watch::default();
    let mut survey = judge.survey(&watch);
    let max_plies = survey(&failing.case)?.plies;
    let same = judge.cases_of_size(size.cells).filter(|case| judge.size(case) == size);
    let mut shorter = Vec::new();
    for case in same {
        let plies = survey(&case)?.plies;
        if plies < max_plies {
            shorter.push((plies, case));
        }
    }
    shorter.sort_by_key(|(plies, _)| *plies);
    let first = trial.try_all(shorter.into_iter().map(|(_, case)| case))?;
    Ok(first.failing.filter(is_plain).unwrap_or(failing))
}

/// Whether the case fails by itself, and every time.
fn is_plain<J: Judge>(failing: &FailingCase<J>) -> bool {
    failing.before.is_empty() && !matches!(failing.fault, Fault::Flaky(_))
}

const fn is_slow<J: Judge>(failing: &FailingCase<J>) -> bool {
    matches!(failing.fault, Fault::TimeLimit(_))
}

/// Counts the cases of smaller sizes.
fn count_smaller<J: Judge>(judge: &J, size: Size) -> u64 {
    let cases = (0..=size.cells).flat_map(|cells| judge.cases_of_size(cells));
    cases.filter(|case| judge.size(case) < size).count() as u64
}
