//! Chooses cases that together cover everything that test data should.

use std::collections::HashSet;

use balpan::{SplitMix, Stopped, Watch};

use super::{Coverage, FixedCases, GenerateError, Mixture};
use crate::judge::{Judge, Mistake, Reference, Survey};

/// The most candidates, as a multiple of the least number. They are added while a feature occurs in too few of them.
const MAX_CANDIDATES: usize = 40;

/// The number of largest cases among the candidates.
const LARGEST_CASES: usize = 3;

/// The number of cases that each misunderstanding should answer wrongly: more than one, to catch
/// programs with nearly the same misunderstanding.
const CASES_PER_MISTAKE: usize = 3;

/// Chooses the cases greedily: each next one has the most features that are missing. Also returns what
/// the cases cover.
pub(super) fn choose<J: Judge>(
    judge: &J,
    fixed: &FixedCases<J>,
    mixture: Mixture<'_, J>,
    cases: usize,
    watch: &Watch,
) -> Result<(Vec<J::Case>, Vec<Coverage>), GenerateError> {
    let mut examiner = Examiner::new(judge, watch);
    let mut aims = examiner.aims();
    let mut left = draw_candidates(&mut examiner, &mut aims, fixed, mixture, cases)?;
    let mut chosen: Vec<_> = left.drain(..fixed.len()).collect();
    for &aim in chosen.iter().flat_map(|candidate| &candidate.aims) {
        aims[aim].missing = aims[aim].missing.saturating_sub(1);
    }
    while let Some(best) = best_candidate(&left, &aims) {
        let candidate = left.remove(best);
        candidate.aims.iter().for_each(|&aim| aims[aim].missing = aims[aim].missing.saturating_sub(1));
        chosen.push(candidate);
    }
    if let Some(twin) = missing_twin(judge, &chosen) {
        left.retain(|candidate| candidate.case != twin);
        chosen.push(examiner.examine(twin)?);
    }
    let needed = chosen.len() - fixed.len();
    if needed > cases {
        return Err(GenerateError::TooFew { cases, needed });
    }
    chosen.extend(left.into_iter().take(cases - needed));
    chosen[fixed.len()..].sort_by_key(|candidate| judge.size(&candidate.case));
    // Moves the fixed cases that come last to the end.
    chosen[fixed.first.len()..].rotate_left(fixed.last.len());
    let coverage = coverage(judge, &chosen, aims);
    Ok((chosen.into_iter().map(|candidate| candidate.case).collect(), coverage))
}

/// A feature to be covered.
struct Aim {
    what: String,
    /// The number of cases with it that are still missing.
    missing: usize,
}

/// A case and the features that it covers.
struct Candidate<J: Judge> {
    case: J::Case,
    plies: usize,
    /// The indices of the features.
    aims: Vec<usize>,
}

/// Finds the features of cases.
struct Examiner<'a, J: Judge> {
    judge: &'a J,
    watch: &'a Watch,
    survey: Survey<'a, J>,
    reference: Reference<'a, J>,
    mistakes: Vec<Mistake<J>>,
    smallest: Option<J::Case>,
    /// Some of the largest cases.
    largest: Vec<J::Case>,
    /// The plies of the candidates' shortest and longest games, once all candidates are drawn.
    lengths: Option<[usize; 2]>,
}

impl<'a, J: Judge> Examiner<'a, J> {
    fn new(judge: &'a J, watch: &'a Watch) -> Self {
        Self {
            judge,
            watch,
            survey: judge.survey(watch),
            reference: judge.reference(watch),
            mistakes: judge.mistakes_to_cover(),
            smallest: (0..=judge.info().max_cells).find_map(|cells| judge.cases_of_size(cells).next()),
            largest: judge.cases_of_size(judge.info().max_cells).take(1000).collect(),
            lengths: None,
        }
    }

    /// Returns everything to cover except for the twins: the judge's features, the smallest and the
    /// largest case, the shortest and the longest game, the misunderstandings.
    fn aims(&self) -> Vec<Aim> {
        let features = self.judge.info().features.iter().map(|&feature| feature.to_owned());
        let extremes = ["the smallest case there is", "the largest case", "the shortest game", "the longest game"];
        let once = features.chain(extremes.map(str::to_owned)).map(|what| Aim { what, missing: 1 });
        let mistakes = self.mistakes.iter().map(|mistake| {
            let what = format!("misunderstanding: {}", mistake.name);
            Aim { what, missing: CASES_PER_MISTAKE }
        });
        once.chain(mistakes).collect()
    }

    /// Finds what a case covers.
    fn examine(&mut self, case: J::Case) -> Result<Candidate<J>, Stopped> {
        self.watch.count(1)?;
        let play = (self.survey)(&case)?;
        let answer = (self.reference)(&case)?;
        let features = self.judge.info().features.iter().map(|feature| play.features.contains(feature));
        let size = self.judge.size(&case);
        let is_as_large = |other: Option<&J::Case>| other.is_some_and(|other| self.judge.size(other) == size);
        let [shortest, longest] = self.lengths.map_or([false; 2], |lengths| lengths.map(|plies| plies == play.plies));
        let extremes = [is_as_large(self.smallest.as_ref()), is_as_large(self.largest.first()), shortest, longest];
        let wrong = self
            .mistakes
            .iter()
            .map(|mistake| mistake.answer(self.judge, &case).is_some_and(|theirs| theirs != answer));
        let has = features.chain(extremes).chain(wrong);
        let aims = has.enumerate().filter(|aim| aim.1).map(|aim| aim.0).collect();
        Ok(Candidate { case, plies: play.plies, aims })
    }
}

/// Draws enough cases to choose from, after the fixed ones. Adds the plies of the shortest and the longest
/// game to the names of these aims.
fn draw_candidates<J: Judge>(
    examiner: &mut Examiner<'_, J>,
    aims: &mut [Aim],
    fixed: &FixedCases<J>,
    mut mixture: Mixture<'_, J>,
    min_candidates: usize,
) -> Result<Vec<Candidate<J>>, GenerateError> {
    let [shortest, longest] = [2, 3].map(|extreme| examiner.judge.info().features.len() + extreme);
    let mut cases: Vec<_> = examiner.smallest.clone().into_iter().collect();
    if !examiner.largest.is_empty() {
        let mut random = SplitMix(mixture.next_seed());
        cases.extend((0..LARGEST_CASES).map(|_| examiner.largest[random.below(examiner.largest.len())].clone()));
    }
    cases.retain(|case| mixture.insert(case));
    let mut found = vec![0; aims.len()];
    let mut candidates = Vec::new();
    let mut cases = fixed.all().cloned().chain(cases).chain(mixture);
    // There are always a shortest and a longest game.
    [found[shortest], found[longest]] = [1, 1];
    let enough = |found: &[usize], aims: &[Aim]| found.iter().zip(aims).all(|(found, aim)| *found >= aim.missing);
    let least = examiner.judge.candidates();
    while candidates.len() < fixed.len() + least.max(min_candidates)
        || !enough(&found, aims) && candidates.len() < MAX_CANDIDATES * least
    {
        let Some(case) = cases.next() else { break };
        let candidate = examiner.examine(case)?;
        candidate.aims.iter().for_each(|&aim| found[aim] += 1);
        candidates.push(candidate);
    }
    if let Some(missing) = found.iter().position(|&found| found == 0) {
        return Err(GenerateError::NotFound { what: aims[missing].what.clone(), candidates: candidates.len() });
    }
    let plies = || candidates.iter().map(|candidate| candidate.plies);
    let lengths = [plies().min().unwrap_or(0), plies().max().unwrap_or(0)];
    // All games may be as long, or nothing be known of that.
    examiner.lengths = (lengths[0] < lengths[1]).then_some(lengths);
    if examiner.lengths.is_none() {
        [found[shortest], found[longest]] = [0, 0];
    }
    for (aim, plies) in [shortest, longest].into_iter().zip(examiner.lengths.into_iter().flatten()) {
        aims[aim].what += &format!(" of {} candidates: {plies} plies", candidates.len());
        candidates
            .iter_mut()
            .filter(|candidate| candidate.plies == plies)
            .for_each(|candidate| candidate.aims.push(aim));
    }
    for (aim, found) in aims.iter_mut().zip(found) {
        aim.missing = aim.missing.min(found);
    }
    Ok(candidates)
}

/// Returns the first of the candidates with the most missing features; `None` if no candidate has any.
fn best_candidate<J: Judge>(candidates: &[Candidate<J>], aims: &[Aim]) -> Option<usize> {
    let gain = |candidate: &Candidate<J>| candidate.aims.iter().filter(|&&aim| aims[aim].missing > 0).count();
    let gains = candidates.iter().map(gain).enumerate();
    let best = gains.max_by_key(|&(n, gain)| (gain, std::cmp::Reverse(n)));
    best.filter(|best| best.1 > 0).map(|best| best.0)
}

/// Returns the mirror image of one of the cases, unless two of them are mirror images already.
fn missing_twin<J: Judge>(judge: &J, chosen: &[Candidate<J>]) -> Option<J::Case> {
    if !twins(judge, chosen).is_empty() {
        return None;
    }
    let mirrored = chosen.iter().map(|candidate| (&candidate.case, judge.mirror(&candidate.case)));
    mirrored.into_iter().find(|(case, mirrored)| *case != mirrored).map(|twins| twins.1)
}

/// Returns the indices of the cases whose mirror images are among the cases, too.
fn twins<J: Judge>(judge: &J, chosen: &[Candidate<J>]) -> Vec<usize> {
    let all: HashSet<_> = chosen.iter().map(|candidate| &candidate.case).collect();
    let has_twin = |case: &J::Case| {
        let mirrored = judge.mirror(case);
        mirrored != *case && all.contains(&mirrored)
    };
    (0..chosen.len()).filter(|&n| has_twin(&chosen[n].case)).collect()
}

/// Returns for each aim the cases that have it.
fn coverage<J: Judge>(judge: &J, chosen: &[Candidate<J>], aims: Vec<Aim>) -> Vec<Coverage> {
    let cases_with = |aim| (0..chosen.len()).filter(|&n| chosen[n].aims.contains(&aim)).collect();
    let mut coverage: Vec<_> =
        aims.into_iter().enumerate().map(|(n, aim)| Coverage { what: aim.what, cases: cases_with(n) }).collect();
    // The twins are listed before the misunderstandings.
    let twins = Coverage { what: "twins, each the other's mirror image".to_owned(), cases: twins(judge, chosen) };
    coverage.insert(judge.info().features.len() + 4, twins);
    coverage.retain(|covered| !covered.cases.is_empty());
    coverage
}
