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

/// So many cases are asked about on which a suspect is wrong,
const WRONG: usize = 30;
/// and so many on which not all suspects answer alike.
const TELLING: usize = 48;
/// Among so many they are looked for.
const CANDIDATES: usize = 2000;

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

/// Cases by chance, the same every time, on which some of these misunderstandings are
/// wrong, or differ.
fn telling<J: Judge>(trial: &mut Trial<J>, mistakes: &[Mistake<J>], cells: usize) -> Result<Vec<J::Case>, NoTrial> {
    // From cases as small as the one at hand, on which a slow program is no slower.
    let least = cells.max(J::SMALL.saturating_sub(1));

    let mut random = SplitMix(0);
    let mut wrong = vec![0; mistakes.len()];
    let mut differing = 0;
    let mut telling = Vec::new();
    for n in 0..CANDIDATES {
        if differing == TELLING && wrong.iter().all(|&wrong| wrong >= WRONG) || mistakes.is_empty() || !trial.has_time()
        {
            break;
        }
        let most = (least + n % 6).min(J::MOST_CELLS);
        let case = trial.judge.random(&mut random, most);
        let right = trial.right(&case)?;
        let answers: Vec<_> = mistakes.iter().map(|mistake| mistake.answer(&case)).collect();
        let is_new = answers.iter().zip(&wrong).any(|(answer, &wrong)| *answer != Some(right) && wrong < WRONG);
        let differ = answers.iter().any(|answer| *answer != answers[0]);
        if is_new || differ && differing < TELLING {
            answers.iter().zip(&mut wrong).for_each(|(answer, wrong)| *wrong += usize::from(*answer != Some(right)));
            differing += usize::from(differ);
            telling.push(case);
        }
    }
    Ok(telling)
}
