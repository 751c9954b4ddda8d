//! Which known misunderstanding a program has.

use balpan::SplitMix;

use super::NoTrial;
use super::fault::Fault;
use super::trial::{Found, Trial};
use crate::judge::{Judge, Mistake};

/// A misunderstanding that would explain the wrong answer.
pub struct Suspect<J: Judge> {
    /// Which.
    pub mistake: Mistake<J>,
    /// How many of the cases asked about it explains.
    pub explains: usize,
    /// How many were asked about: those on which it, or another, differs from the truth.
    pub of: usize,
}

impl<J: Judge> Suspect<J> {
    /// Whether it explains so much that it is worth a thought: of problems with two answers,
    /// half is explained by chance.
    const fn explains_most(&self) -> bool {
        self.of > 0 && 10 * self.explains >= 9 * self.of
    }
}

/// So many cases are asked about on which a suspect is wrong, and one at least that tells
/// it from each of the others.
const WRONG: usize = 30;
/// Among so many by chance they are looked for, and if these do not tell all suspects apart,
/// among so many of the size at hand and of the next.
const BY_CHANCE: usize = 2000;
const IN_ORDER: usize = 10_000;

/// The misunderstandings that give the program's wrong answer, those that explain most
/// first. It is asked about more cases, small enough for the plain solvers and chosen so
/// that the suspects are told from the truth and from each other.
pub(super) fn suspects<J: Judge>(trial: &mut Trial<J>, found: &Found<J>) -> Result<Vec<Suspect<J>>, NoTrial> {
    let Fault::Wrong(wrong) = found.fault else {
        return Ok(Vec::new());
    };
    let suspected = |mistake: &Mistake<J>| found.before.is_empty() && mistake.answer(&found.case) == Some(wrong);
    let mistakes: Vec<_> = trial.judge.mistakes().into_iter().filter(suspected).collect();
    let cases = telling(trial, &mistakes, trial.judge.size(&found.case).cells)?;
    let answers = trial.answers(&cases)?;
    let suspect = |mistake: Mistake<J>| {
        let asked = cases.iter().zip(&answers).filter_map(|(case, answer)| Some(mistake.answer(case)? == (*answer)?));
        let (explains, of) = asked.fold((0, 0), |(explains, of), same| (explains + usize::from(same), of + 1));
        Suspect { mistake, explains, of }
    };
    let mut suspects: Vec<_> = mistakes.into_iter().map(suspect).filter(Suspect::explains_most).collect();
    // As many in all for each, but for those that it has no answer to.
    suspects.sort_by_key(|suspect| suspect.of - suspect.explains);
    Ok(suspects)
}

/// Cases, the same every time, on which some of these misunderstandings are wrong, or differ.
fn telling<J: Judge>(trial: &mut Trial<J>, mistakes: &[Mistake<J>], cells: usize) -> Result<Vec<J::Case>, NoTrial> {
    // From cases as small as the one at hand, on which a slow program is no slower.
    let least = cells.max(J::SMALL.saturating_sub(1));
    let mut random = SplitMix(0);
    let mut wrong = vec![0; mistakes.len()];
    // Which mistakes no case has told apart yet: those in one group.
    let mut groups = vec![0; mistakes.len()];
    let mut many_groups = 1;
    let mut telling = Vec::new();
    let judge = trial.judge;
    let by_chance = (0..BY_CHANCE).map(|n| judge.random(&mut random, (least + n % 6).min(J::MOST_CELLS)));
    let in_order = [cells, cells + 1].into_iter().flat_map(|cells| judge.of_size(cells).take(IN_ORDER));
    for case in by_chance.chain(in_order) {
        let done = wrong.iter().all(|&wrong| wrong >= WRONG) && many_groups >= mistakes.len();
        if done || !trial.has_time() {
            break;
        }
        let right = trial.right(&case)?;
        let answers: Vec<_> = mistakes.iter().map(|mistake| mistake.answer(&case)).collect();
        let parted = parted(&groups, &answers);
        let parts = parted.iter().max().map_or(0, |last| last + 1);
        let is_new = answers.iter().zip(&wrong).any(|(answer, &wrong)| *answer != Some(right) && wrong < WRONG);
        if is_new || parts > many_groups {
            answers.iter().zip(&mut wrong).for_each(|(answer, wrong)| *wrong += usize::from(*answer != Some(right)));
            (groups, many_groups) = (parted, parts);
            telling.push(case);
        }
    }
    Ok(telling)
}

/// The groups, numbered from 0, without those of other answers.
fn parted<A: PartialEq>(groups: &[usize], answers: &[A]) -> Vec<usize> {
    let mut parts: Vec<(usize, &A)> = Vec::new();
    let mut part_of = |part| {
        parts.iter().position(|known| *known == part).unwrap_or_else(|| {
            parts.push(part);
            parts.len() - 1
        })
    };
    groups.iter().copied().zip(answers).map(&mut part_of).collect()
}
