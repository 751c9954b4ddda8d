//! Diagnosis: finds the known misunderstandings that explain a wrong program.

use std::time::Instant;

use balpan::SplitMix;

use super::StressError;
use super::fault::Fault;
use super::trial::{FailingCase, Trial};
use crate::judge::{Judge, Mistake};

/// A misunderstanding that would explain the wrong answer.
#[derive(Debug)]
pub struct Suspect<J: Judge> {
    /// The misunderstanding.
    pub mistake: Mistake<J>,
    /// The number of compared cases whose answer it explains.
    pub explains: usize,
    /// The number of compared cases: those on which the program or some suspect is wrong.
    pub compared: usize,
}

impl<J: Judge> Suspect<J> {
    /// Whether it explains at least nine in ten answers. In problems with two answers, chance explains
    /// half of them.
    const fn explains_most(&self) -> bool {
        self.compared > 0 && 10 * self.explains >= 9 * self.compared
    }
}

/// The number of test cases on which each suspect is wrong.
const WRONG_CASES: usize = 30;
/// The number of small cases of which a mistake has to answer one, unless it answers the failing case.
const SMALL_CASES: usize = 20;
/// The number of random cases among which test cases are looked for.
const RANDOM_CASES: usize = 2000;
/// The number of cases of the failing case's size, and of the next size, among which test cases are
/// looked for if the random ones do not distinguish all suspects.
const CASES_IN_ORDER: usize = 10_000;

/// Returns the misunderstandings that give the program's wrong answer, those that explain most first.
/// They are found by running the program on more cases, which are small enough for the plain solvers and
/// distinguish the suspects from the right answers and from each other.
pub(super) fn suspects<J: Judge>(
    trial: &mut Trial<J>,
    failing: &FailingCase<J>,
) -> Result<Vec<Suspect<J>>, StressError> {
    let wrong = match &failing.fault {
        Fault::Wrong(wrong) => wrong.clone(),
        Fault::TooFew { answers, cases } | Fault::TooMany { answers, cases } => {
            return count_suspects(trial, *answers as isize - *cases as isize);
        }
        _ => return Ok(Vec::new()),
    };
    let run: Vec<_> = failing.before.iter().chain([&failing.case]).cloned().collect();
    let judge = trial.judge;
    // A case too large for a mistake's plain solver does not clear it.
    let suspected = |mistake: &Mistake<J>| {
        (failing.before.is_empty() || mistake.is_stateful())
            && mistake.count_offset().is_none()
            && mistake.answers(judge, &run).pop().flatten().is_none_or(|theirs| theirs == wrong)
    };
    let mistakes = judge.mistakes().into_iter().chain(judge.more_mistakes());
    let mut mistakes: Vec<_> = mistakes.filter(|mistake| trial.has_time() && suspected(mistake)).collect();
    // A mistake without any answer, such as one of plain recursion where play may repeat, explains nothing.
    let small = (0..=judge.info().exhaustive_cells).flat_map(|cells| judge.cases_of_size(cells)).take(SMALL_CASES);
    let small: Vec<_> = small.collect();
    if !small.is_empty() {
        let tried = [&failing.case].into_iter().chain(&small);
        mistakes.retain(|mistake| tried.clone().any(|case| trial.has_time() && mistake.answer(judge, case).is_some()));
    }
    if mistakes.is_empty() || !trial.has_time() {
        return Ok(Vec::new());
    }
    let end = Instant::now() + trial.time_left();
    trial.set_deadline(end - trial.time_left() / 2);
    let mut cases = distinguishing_cases(trial, &mistakes, judge.size(&failing.case).cells)?;
    trial.set_deadline(end);
    // Without cases that are not chosen for the suspects, a program that is wrong everywhere would seem to have a mistake
    // that it shares only where the suspect is wrong.
    cases.extend(random_run(trial, &run));
    let mut answered = Vec::new();
    // The program and the suspects get the same runs, because state may be kept within a run.
    for run in cases.chunks(trial.max_batch()) {
        if !trial.has_time() {
            return Ok(Vec::new());
        }
        let theirs = trial.answers(run)?;
        let by_mistake: Vec<_> = mistakes.iter().map(|mistake| mistake.answers(judge, run)).collect();
        for (n, theirs) in theirs.into_iter().enumerate() {
            let right = trial.right(&run[n])?;
            let answers: Vec<_> = by_mistake.iter().map(|answers| answers[n].clone()).collect();
            answered.extend(theirs.and_then(|theirs| Answered::new(&theirs, &right, answers)));
        }
    }
    Ok(rank_suspects(mistakes, &answered))
}

/// A program's answer to a case.
struct Answered {
    is_wrong: bool,
    /// Whether each mistake gives the same answer; `None` if it has none.
    agrees: Vec<Option<bool>>,
}

impl Answered {
    /// Compares answers; `None` for a case that everybody answers rightly, which distinguishes nothing.
    fn new<A: PartialEq>(theirs: &A, right: &A, by_mistake: Vec<Option<A>>) -> Option<Self> {
        let is_wrong = theirs != right;
        let distinguishes = is_wrong || by_mistake.iter().flatten().any(|answer| answer != right);
        let agrees = || by_mistake.iter().map(|answer| Some(answer.as_ref()? == theirs)).collect();
        distinguishes.then(|| Self { is_wrong, agrees: agrees() })
    }
}

/// Returns the mistakes that explain most of the answers, the best first.
fn rank_suspects<J: Judge>(mistakes: Vec<Mistake<J>>, answered: &[Answered]) -> Vec<Suspect<J>> {
    let suspect = |(n, mistake): (usize, Mistake<J>)| {
        let count = |errors_only: bool| {
            let compared = answered.iter().filter(|answered| answered.is_wrong || !errors_only);
            let agrees = compared.filter_map(|answered| answered.agrees[n]);
            agrees.fold((0, 0), |(same, all), is_same| (same + usize::from(is_same), all + 1))
        };
        let (explains, compared) = count(false);
        let (explained_errors, errors) = count(true);
        let suspect = Suspect { mistake, explains, compared };
        (suspect.explains_most() && errors > 0 && 10 * explained_errors >= 9 * errors).then_some(suspect)
    };
    let mut suspects: Vec<_> = mistakes.into_iter().enumerate().filter_map(suspect).collect();
    // The numbers compared differ only by cases to which a mistake has no answer.
    let unexplained = |suspect: &Suspect<J>| suspect.compared - suspect.explains;
    suspects.sort_by_key(unexplained);
    // A mistake of this very problem says more than one of any game that explains no more.
    if let Some(own) = suspects.iter().find(|suspect| !suspect.mistake.is_common).map(unexplained) {
        suspects.retain(|suspect| !suspect.mistake.is_common || unexplained(suspect) < own);
    }
    suspects
}

/// Returns the misunderstandings that explain a program's answers to the cases of one run, those that
/// explain most first. Empty if no answer is wrong; if only the number of answers is, the mistake in
/// reading the number of cases.
#[must_use]
pub fn explain<J: Judge>(judge: &J, cases: &[J::Case], right: &[J::Answer], theirs: &[J::Answer]) -> Vec<Suspect<J>> {
    let mut mistakes: Vec<_> = judge.mistakes().into_iter().chain(judge.more_mistakes()).collect();
    let Some(first) = right.iter().zip(theirs).position(|(right, theirs)| right != theirs) else {
        let offset = theirs.len() as isize - cases.len() as isize;
        mistakes.retain(|mistake| mistake.count_offset() == Some(offset));
        return mistakes.into_iter().take(1).map(|mistake| Suspect { mistake, explains: 1, compared: 1 }).collect();
    };
    mistakes.retain(|mistake| {
        let run = if mistake.is_stateful() { &cases[..=first] } else { &cases[first..=first] };
        mistake.answers(judge, run).pop().flatten().as_ref() == Some(&theirs[first])
    });
    let by_mistake: Vec<_> = mistakes.iter().map(|mistake| mistake.answers(judge, cases)).collect();
    let answered = right.iter().zip(theirs).enumerate().filter_map(|(n, (right, theirs))| {
        let answers: Vec<_> = by_mistake.iter().map(|answers| answers.get(n).cloned().flatten()).collect();
        Answered::new(theirs, right, answers)
    });
    rank_suspects(mistakes, &answered.collect::<Vec<_>>())
}

/// The number of random cases, which no suspect has chosen.
const COMPARED_CASES: usize = 200;

/// The same where each has a run of its own.
const COMPARED_RUNS: usize = 20;

/// Draws random cases that are not much larger than those of `run`.
fn random_run<J: Judge>(trial: &Trial<J>, run: &[J::Case]) -> Vec<J::Case> {
    let mut random = SplitMix(1);
    let (judge, info) = (trial.judge, trial.judge.info());
    let max_cells = run.iter().map(|case| judge.size(case).cells).max().unwrap_or(0);
    let max_cells = max_cells.max(info.exhaustive_cells.saturating_sub(1));
    let count = if trial.max_batch() == 1 { COMPARED_RUNS } else { COMPARED_CASES };
    (0..count).map(|n| judge.random_case(&mut random, max_cells.saturating_add(n % 3).min(info.max_cells))).collect()
}

/// The number of runs for the diagnosis of a wrongly read number of cases.
const COUNT_RUNS: usize = 8;

/// Returns the mistake in reading the number of cases by `offset`, if the program always makes it.
fn count_suspects<J: Judge>(trial: &mut Trial<J>, offset: isize) -> Result<Vec<Suspect<J>>, StressError> {
    let Some(mistake) = trial.judge.more_mistakes().into_iter().find(|mistake| mistake.count_offset() == Some(offset))
    else {
        return Ok(Vec::new());
    };
    let mut random = SplitMix(0);
    let mut suspect = Suspect { mistake, explains: 0, compared: 0 };
    for count in 1..=COUNT_RUNS.min(trial.max_batch()) {
        if !trial.has_time() {
            break;
        }
        let cases: Vec<_> = (0..count)
            .map(|_| trial.judge.random_case(&mut random, trial.judge.info().exhaustive_cells.min(5)))
            .collect();
        let answers = trial.count_answers(&cases)?;
        suspect.compared += 1;
        suspect.explains += usize::from(answers.is_some_and(|answers| answers as isize == count as isize + offset));
    }
    Ok(Some(suspect).filter(Suspect::explains_most).into_iter().collect())
}

/// Returns cases on which some of the mistakes are wrong, or differ; the same ones every time.
fn distinguishing_cases<J: Judge>(
    trial: &mut Trial<J>,
    mistakes: &[Mistake<J>],
    cells: usize,
) -> Result<Vec<J::Case>, StressError> {
    // From cases of the failing case's size, on which a slow program is no slower.
    let min_cells = cells.max(trial.judge.info().exhaustive_cells.saturating_sub(1));
    let mut random = SplitMix(0);
    let mut wrong = vec![0; mistakes.len()];
    // Mistakes of one group are not distinguished yet.
    let mut groups = vec![0; mistakes.len()];
    let mut group_count = 1;
    let mut chosen = Vec::new();
    let judge = trial.judge;
    let at_random = (0..RANDOM_CASES)
        .map(|n| judge.random_case(&mut random, min_cells.saturating_add(n % 6).min(judge.info().max_cells)));
    let in_order = [cells, cells + 1].into_iter().flat_map(|cells| judge.cases_of_size(cells).take(CASES_IN_ORDER));
    for case in at_random.chain(in_order) {
        let done = wrong.iter().all(|&wrong| wrong >= WRONG_CASES) && group_count >= mistakes.len();
        if done || !trial.has_time() {
            break;
        }
        let right = trial.right(&case)?;
        let answers: Vec<_> = mistakes.iter().map(|mistake| mistake.answer(judge, &case)).collect();
        let split = split_groups(&groups, &answers);
        let split_count = split.iter().max().map_or(0, |last| last + 1);
        let is_new =
            answers.iter().zip(&wrong).any(|(answer, &wrong)| answer.as_ref() != Some(&right) && wrong < WRONG_CASES);
        if is_new || split_count > group_count {
            answers
                .iter()
                .zip(&mut wrong)
                .for_each(|(answer, wrong)| *wrong += usize::from(answer.as_ref() != Some(&right)));
            (groups, group_count) = (split, split_count);
            chosen.push(case);
        }
    }
    Ok(chosen)
}

/// Splits the groups by answers, and numbers the new ones from 0.
fn split_groups<A: PartialEq>(groups: &[usize], answers: &[A]) -> Vec<usize> {
    let mut parts: Vec<(usize, &A)> = Vec::new();
    let mut part_of = |part| {
        parts.iter().position(|other| *other == part).unwrap_or_else(|| {
            parts.push(part);
            parts.len() - 1
        })
    };
    groups.iter().copied().zip(answers).map(&mut part_of).collect()
}
