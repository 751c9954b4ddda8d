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

/// For each misunderstanding, so many cases are asked about.
const CASES: usize = 12;
/// Among so many they are looked for.
const CANDIDATES: usize = 400;

/// The misunderstandings that give the program's wrong answer, those that explain most
/// first. It is asked about more cases, small enough for the plain solvers and chosen so
/// that each misunderstanding is wrong on some.
pub(super) fn suspects<J: Judge>(trial: &mut Trial<J>, found: &Found<J>) -> Result<Vec<Suspect<J>>, NoTrial> {
    let Fault::Wrong(wrong) = found.fault else {
        return Ok(Vec::new());
    };
    let judge = trial.judge;
    let suspected = |mistake: &Mistake<J>| found.before.is_empty() && (mistake.answer)(&found.case) == Some(wrong);
    let mistakes: Vec<_> = judge.mistakes().into_iter().filter(suspected).collect();
    if mistakes.is_empty() {
        return Ok(Vec::new());
    }
    let cases = telling(trial)?;
    let mut answers = Vec::with_capacity(cases.len());
    for part in cases.chunks(trial.most_batch()) {
        match trial.answers(part.to_vec())? {
            Some(part) => answers.extend(part.into_iter().map(Some)),
            None => answers.extend(part.iter().map(|_| None)),
        }
    }
    let suspect = |mistake: Mistake<J>| {
        let asked = cases.iter().zip(&answers).filter_map(|(case, answer)| Some((mistake.answer)(case)? == (*answer)?));
        let (explains, of) = asked.fold((0, 0), |(explains, of), same| (explains + usize::from(same), of + 1));
        Suspect { mistake, explains, of }
    };
    let mut suspects: Vec<_> = mistakes.into_iter().map(suspect).collect();
    // As many in all for each, but for those that it has no answer to.
    suspects.sort_by_key(|suspect| suspect.of - suspect.explains);
    Ok(suspects)
}

/// Cases by chance, the same every time, on which some misunderstanding is wrong.
fn telling<J: Judge>(trial: &mut Trial<J>) -> Result<Vec<J::Case>, NoTrial> {
    let judge = trial.judge;
    let mut random = SplitMix(0);
    let mut candidates = Vec::with_capacity(CANDIDATES);
    for n in 0..CANDIDATES {
        let most = (J::SMALL + 4).min(J::MOST_CELLS) - n % 4;
        let case = judge.random(&mut random, most);
        candidates.push((trial.right(&case)?, case));
    }
    let mut taken = vec![false; CANDIDATES];
    for mistake in judge.mistakes() {
        let tells =
            |(right, case): &(J::Answer, J::Case)| (mistake.answer)(case).is_some_and(|answer| answer != *right);
        let telling = (0..CANDIDATES).filter(|&n| tells(&candidates[n])).take(CASES);
        telling.for_each(|n| taken[n] = true);
    }
    let telling = candidates.into_iter().zip(taken).filter(|(_, taken)| *taken);
    Ok(telling.map(|((_, case), _)| case).collect())
}
