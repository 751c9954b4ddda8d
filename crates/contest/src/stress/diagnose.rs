//! Finds the known misunderstanding that explains a wrong program.

use balpan::SplitMix;

use super::NoTrial;
use super::fault::Fault;
use super::trial::{Found, Trial};
use crate::judge::{Judge, Mistake};

/// A misunderstanding that would explain the wrong answer.
#[derive(Debug)]
pub struct Suspect<J: Judge> {
    /// Which.
    pub mistake: Mistake<J>,
    /// How many of the cases asked about it explains.
    pub explains: usize,
    /// How many were asked about: those on which it, or another, differs from the truth.
    pub of: usize,
}

impl<J: Judge> Suspect<J> {
    /// Whether it explains at least nine in ten answers: of problems with two answers, half are
    /// explained by chance.
    const fn explains_most(&self) -> bool {
        self.of > 0 && 10 * self.explains >= 9 * self.of
    }
}

/// The number of cases to ask about on which a suspect is wrong; at least one of them distinguishes
/// it from each of the others.
const WRONG: usize = 30;
/// The number of random cases among which they are looked for. If those do not distinguish all
/// suspects, the number of cases of the present size and the next.
const BY_CHANCE: usize = 2000;
const IN_ORDER: usize = 10_000;

/// The misunderstandings that give the program's wrong answer, those that explain most
/// first. It is asked about more cases, small enough for the plain solvers and chosen so
/// that the suspects are told from the truth and from each other.
pub(super) fn suspects<J: Judge>(trial: &mut Trial<J>, found: &Found<J>) -> Result<Vec<Suspect<J>>, NoTrial> {
    let wrong = match found.fault {
        Fault::Wrong(wrong) => wrong,
        Fault::TooFew { answers, cases } | Fault::TooMany { answers, cases } => {
            return miscounted(trial, answers as isize - cases as isize);
        }
        _ => return Ok(Vec::new()),
    };
    let run: Vec<_> = found.before.iter().chain([&found.case]).cloned().collect();
    let suspected = |mistake: &Mistake<J>| {
        (found.before.is_empty() || mistake.is_in_turn()) && mistake.answers(&run).last() == Some(&Some(wrong))
    };
    let judge = trial.judge;
    let mistakes: Vec<_> = judge.mistakes().into_iter().chain(judge.more_mistakes()).filter(suspected).collect();
    if mistakes.is_empty() {
        return Ok(Vec::new());
    }
    let mut cases = telling(trial, &mistakes, judge.size(&found.case).cells)?;
    if mistakes.iter().any(Mistake::is_in_turn) {
        cases.extend(in_turn(trial, &run));
    }
    let mut asked = Vec::new();
    // What is kept of a case comes in at those of the same run, so that these are asked as they
    // were.
    for run in cases.chunks(trial.most_batch()) {
        let theirs = trial.answers(run)?;
        let by_mistake: Vec<_> = mistakes.iter().map(|mistake| mistake.answers(run)).collect();
        for (n, theirs) in theirs.into_iter().enumerate() {
            let right = trial.right(&run[n])?;
            let answers: Vec<_> = by_mistake.iter().map(|answers| answers[n]).collect();
            // A case that all have right tells nothing.
            if theirs != Some(right) || answers.iter().any(|answer| answer.is_some_and(|answer| answer != right)) {
                asked.extend(theirs.map(|theirs| (theirs, answers)));
            }
        }
    }
    Ok(explaining(mistakes, &asked))
}

/// What a program has answered, and beside it what each mistake does.
type Asked<J> = (<J as Judge>::Answer, Vec<Option<<J as Judge>::Answer>>);

/// Those of the mistakes that explain most of these answers, each beside what every mistake
/// answers; the best first.
fn explaining<J: Judge>(mistakes: Vec<Mistake<J>>, asked: &[Asked<J>]) -> Vec<Suspect<J>> {
    let suspect = |(n, mistake): (usize, Mistake<J>)| {
        let same = asked.iter().filter_map(|(theirs, answers)| Some(answers[n]? == *theirs));
        let (explains, of) = same.fold((0, 0), |(explains, of), same| (explains + usize::from(same), of + 1));
        Suspect { mistake, explains, of }
    };
    let mut suspects: Vec<_> = mistakes.into_iter().enumerate().map(suspect).filter(Suspect::explains_most).collect();
    // As many in all for each, but for those that it has no answer to.
    suspects.sort_by_key(|suspect| suspect.of - suspect.explains);
    suspects
}

/// The misunderstandings that would explain the answers that a program has given to these cases, in one
/// run, beside the right ones; those that explain most first. Of none that is wrong, there is none; of more
/// answers than cases, or fewer, a count that is read wrongly.
#[must_use]
pub fn explain<J: Judge>(judge: &J, cases: &[J::Case], right: &[J::Answer], theirs: &[J::Answer]) -> Vec<Suspect<J>> {
    let mut mistakes: Vec<_> = judge.mistakes().into_iter().chain(judge.more_mistakes()).collect();
    let Some(first) = right.iter().zip(theirs).position(|(right, theirs)| right != theirs) else {
        let by = theirs.len() as isize - cases.len() as isize;
        mistakes.retain(|mistake| mistake.miscounts() == Some(by));
        return mistakes.into_iter().take(1).map(|mistake| Suspect { mistake, explains: 1, of: 1 }).collect();
    };
    let answers = |mistake: &Mistake<J>| mistake.answers(cases);
    let (mistakes, by_mistake): (Vec<_>, Vec<_>) = mistakes
        .into_iter()
        .map(|mistake| (answers(&mistake), mistake))
        .filter(|(answers, _)| answers.get(first) == Some(&Some(theirs[first])))
        .map(|(answers, mistake)| (mistake, answers))
        .unzip();
    let asked = right.iter().zip(theirs).enumerate().filter_map(|(n, (right, theirs))| {
        let answers: Vec<_> = by_mistake.iter().map(|answers| answers.get(n).copied().flatten()).collect();
        let tells = theirs != right || answers.iter().any(|answer| answer.is_some_and(|answer| answer != *right));
        tells.then_some((*theirs, answers))
    });
    explaining(mistakes, &asked.collect::<Vec<_>>())
}

/// The number of random cases to ask about, run after run, where what comes before a case matters.
const IN_TURN: usize = 200;

/// The run that showed it, and random cases, none much larger.
fn in_turn<J: Judge>(trial: &Trial<J>, run: &[J::Case]) -> Vec<J::Case> {
    let mut random = SplitMix(1);
    let most = run
        .iter()
        .map(|case| trial.judge.size(case).cells)
        .max()
        .unwrap_or(0)
        .max(trial.judge.about().small.saturating_sub(1));
    let by_chance =
        (0..IN_TURN).map(|n| trial.judge.random(&mut random, (most + n % 3).min(trial.judge.about().most_cells)));
    by_chance.collect()
}

/// In how many runs the number of answers is looked at.
const COUNTS: usize = 8;

/// Whether it answers always as many cases more than there are, or fewer.
fn miscounted<J: Judge>(trial: &mut Trial<J>, by: isize) -> Result<Vec<Suspect<J>>, NoTrial> {
    let Some(mistake) = trial.judge.more_mistakes().into_iter().find(|mistake| mistake.miscounts() == Some(by)) else {
        return Ok(Vec::new());
    };
    let mut random = SplitMix(0);
    let mut suspect = Suspect { mistake, explains: 0, of: 0 };
    for many in 1..=COUNTS.min(trial.most_batch()) {
        if !trial.has_time() {
            break;
        }
        let cases: Vec<_> =
            (0..many).map(|_| trial.judge.random(&mut random, trial.judge.about().small.min(5))).collect();
        let answers = trial.many_answers(&cases)?;
        suspect.of += 1;
        suspect.explains += usize::from(answers.is_some_and(|answers| answers as isize == many as isize + by));
    }
    Ok(Some(suspect).filter(Suspect::explains_most).into_iter().collect())
}

/// Cases, the same every time, on which some of these misunderstandings are wrong, or differ.
fn telling<J: Judge>(trial: &mut Trial<J>, mistakes: &[Mistake<J>], cells: usize) -> Result<Vec<J::Case>, NoTrial> {
    // From cases as small as the one at hand, on which a slow program is no slower.
    let least = cells.max(trial.judge.about().small.saturating_sub(1));
    let mut random = SplitMix(0);
    let mut wrong = vec![0; mistakes.len()];
    // Which mistakes no case has told apart yet: those in one group.
    let mut groups = vec![0; mistakes.len()];
    let mut many_groups = 1;
    let mut telling = Vec::new();
    let judge = trial.judge;
    let by_chance = (0..BY_CHANCE).map(|n| judge.random(&mut random, (least + n % 6).min(judge.about().most_cells)));
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
