//! Chooses cases that together cover everything that a test should contain.

use std::collections::HashSet;

use balpan::{SplitMix, Stopped, Watch};

use super::mixture::Mixture;
use super::{Covered, Given, NoData};
use crate::judge::{Judge, Mistake, Reference, Survey};

/// The least number of candidates that cases are chosen from, and the greatest: candidates are added
/// while something occurs in too few of them.
const CANDIDATES: usize = 1500;
const MOST_CANDIDATES: usize = 60_000;

/// How many of the largest cases are among them.
const LARGEST: usize = 3;

/// The number of cases in which each misunderstanding should lead to a wrong answer: more than one, so
/// that a program with nearly the same misunderstanding is caught as well.
const CASES_OF_A_MISTAKE: usize = 3;

/// The cases and what they cover. What the given ones cover no other has to.
pub(super) fn choose<J: Judge>(
    judge: &J,
    given: &Given<J>,
    mixture: Mixture<'_, J>,
    cases: usize,
    watch: &Watch,
) -> Result<(Vec<J::Case>, Vec<Covered>), NoData> {
    let mut scout = Scout::new(judge, watch);
    let mut aims = scout.aims();
    let mut left = candidates(&mut scout, &mut aims, given, mixture, cases)?;
    let mut chosen: Vec<_> = left.drain(..given.len()).collect();
    for &aim in chosen.iter().flat_map(|candidate| &candidate.aims) {
        aims[aim].wanted = aims[aim].wanted.saturating_sub(1);
    }
    while let Some(best) = most_wanted(&left, &aims) {
        let candidate = left.remove(best);
        candidate.aims.iter().for_each(|&aim| aims[aim].wanted = aims[aim].wanted.saturating_sub(1));
        chosen.push(candidate);
    }
    if let Some(twin) = missing_twin(judge, &chosen) {
        left.retain(|candidate| candidate.case != twin);
        chosen.push(scout.look_at(twin)?);
    }
    let needed = chosen.len() - given.len();
    if needed > cases {
        return Err(NoData::TooFew { cases, needed });
    }
    chosen.extend(left.into_iter().take(cases - needed));
    chosen[given.len()..].sort_by_key(|candidate| judge.size(&candidate.case));
    // Those that come last.
    chosen[given.first.len()..].rotate_left(given.last.len());
    let covered = covered(judge, &chosen, aims);
    Ok((chosen.into_iter().map(|candidate| candidate.case).collect(), covered))
}

/// Something to be covered.
struct Aim {
    what: String,
    /// The number of cases still to be found.
    wanted: usize,
}

/// A case, and what it covers.
struct Candidate<J: Judge> {
    case: J::Case,
    plies: usize,
    /// Indices of aims.
    aims: Vec<usize>,
}

/// Looks at cases for what they cover.
struct Scout<'a, J: Judge> {
    judge: &'a J,
    watch: &'a Watch,
    survey: Survey<'a, J>,
    reference: Reference<'a, J>,
    mistakes: Vec<Mistake<J>>,
    smallest: Option<J::Case>,
    /// Of the largest cases, some.
    largest: Vec<J::Case>,
    /// Plies of the shortest and of the longest game, when they are known.
    lengths: Option<[usize; 2]>,
}

impl<'a, J: Judge> Scout<'a, J> {
    fn new(judge: &'a J, watch: &'a Watch) -> Self {
        Self {
            judge,
            watch,
            survey: judge.survey(watch),
            reference: judge.reference(watch),
            mistakes: judge.mistakes(),
            smallest: (0..=judge.about().most_cells).find_map(|cells| judge.of_size(cells).next()),
            largest: judge.of_size(judge.about().most_cells).take(1000).collect(),
            lengths: None,
        }
    }

    /// All that there is to cover, but for the twins: the judge's features, the smallest and
    /// the largest case, the shortest and the longest game, the misunderstandings.
    fn aims(&self) -> Vec<Aim> {
        let features = self.judge.about().features.iter().map(|&feature| feature.to_owned());
        let extremes = ["the smallest case there is", "the largest case", "the shortest game", "the longest game"];
        let once = features.chain(extremes.map(str::to_owned)).map(|what| Aim { what, wanted: 1 });
        let mistakes = self.mistakes.iter().map(|mistake| {
            let what = format!("misunderstanding: {}", mistake.name);
            Aim { what, wanted: CASES_OF_A_MISTAKE }
        });
        once.chain(mistakes).collect()
    }

    /// What a case covers.
    fn look_at(&mut self, case: J::Case) -> Result<Candidate<J>, Stopped> {
        self.watch.count(1)?;
        let played = (self.survey)(&case)?;
        let answer = (self.reference)(&case)?;
        let features = self.judge.about().features.iter().map(|feature| played.features.contains(feature));
        let size = self.judge.size(&case);
        let is_as_large = |other: Option<&J::Case>| other.is_some_and(|other| self.judge.size(other) == size);
        let [shortest, longest] = self.lengths.map_or([false; 2], |lengths| lengths.map(|plies| plies == played.plies));
        let extremes = [is_as_large(self.smallest.as_ref()), is_as_large(self.largest.first()), shortest, longest];
        let mistaken = self.mistakes.iter().map(|mistake| mistake.answer(&case).is_some_and(|theirs| theirs != answer));
        let has = features.chain(extremes).chain(mistaken);
        let aims = has.enumerate().filter(|aim| aim.1).map(|aim| aim.0).collect();
        Ok(Candidate { case, plies: played.plies, aims })
    }
}

/// Enough cases to choose among, the given ones before the others; in the words of the `aims`
/// stands how long the games are.
fn candidates<J: Judge>(
    scout: &mut Scout<'_, J>,
    aims: &mut [Aim],
    given: &Given<J>,
    mut mixture: Mixture<'_, J>,
    at_least: usize,
) -> Result<Vec<Candidate<J>>, NoData> {
    let [shortest, longest] = [2, 3].map(|extreme| scout.judge.about().features.len() + extreme);
    let mut cases: Vec<_> = scout.smallest.clone().into_iter().collect();
    if !scout.largest.is_empty() {
        let mut random = SplitMix(mixture.seed());
        cases.extend((0..LARGEST).map(|_| scout.largest[random.below(scout.largest.len())].clone()));
    }
    cases.retain(|case| mixture.is_first(case));
    let mut found = vec![0; aims.len()];
    let mut candidates = Vec::new();
    let mut cases = given.all().cloned().chain(cases).chain(mixture);
    // Games of some length there are always.
    [found[shortest], found[longest]] = [1, 1];
    let enough = |found: &[usize], aims: &[Aim]| found.iter().zip(aims).all(|(found, aim)| *found >= aim.wanted);
    while candidates.len() < given.len() + CANDIDATES.max(at_least)
        || !enough(&found, aims) && candidates.len() < MOST_CANDIDATES
    {
        let Some(case) = cases.next() else { break };
        let candidate = scout.look_at(case)?;
        candidate.aims.iter().for_each(|&aim| found[aim] += 1);
        candidates.push(candidate);
    }
    if let Some(missing) = found.iter().position(|&found| found == 0) {
        return Err(NoData::NotFound { what: aims[missing].what.clone(), candidates: candidates.len() });
    }
    let plies = || candidates.iter().map(|candidate| candidate.plies);
    let lengths = [plies().min().unwrap_or(0), plies().max().unwrap_or(0)];
    scout.lengths = Some(lengths);
    for (aim, plies) in [shortest, longest].into_iter().zip(lengths) {
        aims[aim].what += &format!(" of {} candidates: {plies} plies", candidates.len());
        candidates
            .iter_mut()
            .filter(|candidate| candidate.plies == plies)
            .for_each(|candidate| candidate.aims.push(aim));
    }
    for (aim, found) in aims.iter_mut().zip(found) {
        aim.wanted = aim.wanted.min(found);
    }
    Ok(candidates)
}

/// The first of those that cover the most that is still wanted, if any of them does.
fn most_wanted<J: Judge>(candidates: &[Candidate<J>], aims: &[Aim]) -> Option<usize> {
    let gain = |candidate: &Candidate<J>| candidate.aims.iter().filter(|&&aim| aims[aim].wanted > 0).count();
    let gains = candidates.iter().map(gain).enumerate();
    let best = gains.max_by_key(|&(n, gain)| (gain, std::cmp::Reverse(n)));
    best.filter(|best| best.1 > 0).map(|best| best.0)
}

/// What a mirror makes of one of the cases, if no two of them are each other's image.
fn missing_twin<J: Judge>(judge: &J, chosen: &[Candidate<J>]) -> Option<J::Case> {
    if !twins(judge, chosen).is_empty() {
        return None;
    }
    let mirrored = chosen.iter().map(|candidate| (&candidate.case, judge.mirrored(&candidate.case)));
    mirrored.into_iter().find(|(case, mirrored)| *case != mirrored).map(|twins| twins.1)
}

/// The indices of the cases whose mirror image is another one of them.
fn twins<J: Judge>(judge: &J, chosen: &[Candidate<J>]) -> Vec<usize> {
    let all: HashSet<_> = chosen.iter().map(|candidate| &candidate.case).collect();
    let has_twin = |case: &J::Case| {
        let mirrored = judge.mirrored(case);
        mirrored != *case && all.contains(&mirrored)
    };
    (0..chosen.len()).filter(|&n| has_twin(&chosen[n].case)).collect()
}

/// In which of the cases each aim is.
fn covered<J: Judge>(judge: &J, chosen: &[Candidate<J>], aims: Vec<Aim>) -> Vec<Covered> {
    let having = |aim| (0..chosen.len()).filter(|&n| chosen[n].aims.contains(&aim)).collect();
    let mut covered: Vec<_> =
        aims.into_iter().enumerate().map(|(n, aim)| Covered { what: aim.what, cases: having(n) }).collect();
    // Before the misunderstandings.
    let twins = Covered { what: "twins, each the other's mirror image".to_owned(), cases: twins(judge, chosen) };
    covered.insert(judge.about().features.len() + 4, twins);
    covered
}
