//! Test data: cases with exact answers, determined by a seed on every machine.

mod cover;
mod hard;
mod json;

use std::collections::HashSet;

use balpan::{SplitMix, Stopped, Watch};

use crate::judge::Judge;

pub use hard::{HardCase, find_hard_cases};
pub use json::{DataJson, data_json};

/// Options of test data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataOptions {
    /// The number of cases.
    pub cases: usize,
    /// The seed of the random cases.
    pub seed: u64,
    /// Whether the cases cover everything that test data should, as [`TestData::coverage`] lists it.
    pub cover: bool,
}

/// Cases with certified answers.
#[derive(Clone, Debug)]
pub struct TestData<J: Judge> {
    /// The cases, the smallest first between the two parts of [`FixedCases`]. No case comes twice unless
    /// there are too few.
    pub cases: Vec<J::Case>,
    /// The answer to each case.
    pub answers: Vec<J::Answer>,
    /// The coverage of the cases; empty without [`DataOptions::cover`].
    pub coverage: Vec<Coverage>,
}

/// Cases that the test data has to contain.
#[derive(Clone, Debug)]
pub struct FixedCases<J: Judge> {
    /// Cases before all others, in this order.
    pub first: Vec<J::Case>,
    /// Cases after all others, in this order.
    pub last: Vec<J::Case>,
}

impl<J: Judge> FixedCases<J> {
    fn all(&self) -> impl Iterator<Item = &J::Case> {
        self.first.iter().chain(&self.last)
    }

    const fn len(&self) -> usize {
        self.first.len() + self.last.len()
    }
}

impl<J: Judge> Default for FixedCases<J> {
    fn default() -> Self {
        Self { first: Vec::new(), last: Vec::new() }
    }
}

/// A feature that test data should have, and the cases that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The feature: "A wins", "the longest game of 1500 candidates: 21 plies", "misunderstanding: the
    /// loser hurrying, too".
    pub what: String,
    /// The indices of the cases that have it; for a misunderstanding, of those that it answers wrongly.
    pub cases: Vec<usize>,
}

/// Why test data could not be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// The cases are too few to cover everything.
    #[error("{cases} cases are too few to cover everything: {needed} are needed")]
    TooFew {
        /// The number of cases of the options.
        cases: usize,
        /// The number of cases of the greedy choice. A smaller choice may exist.
        needed: usize,
    },
    /// No candidate has this feature.
    #[error("no case was found in {candidates} candidates that covers this: {what}")]
    NotFound {
        /// The feature.
        what: String,
        /// The number of candidates.
        candidates: usize,
    },
    /// The watch stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Generates test data: small, medium and large random cases in equal numbers. With
/// [`DataOptions::cover`], cases that together cover everything come first.
///
/// The judge's [reference](Judge::reference) answers all cases.
///
/// # Errors
/// If the cases are too few to cover everything, or `watch` stops it.
///
/// ```
/// use balpan::Watch;
/// use balpan_contest::{BlockGame, Judge, DataOptions, generate};
///
/// let data = generate(&BlockGame, &DataOptions { cases: 3, seed: 1, cover: false }, &Watch::default())?;
/// assert!(BlockGame.write(&data.cases).starts_with("3\n"));
/// assert_eq!(data.answers.len(), 3);
/// # Ok::<(), balpan_contest::GenerateError>(())
/// ```
pub fn generate<J: Judge>(judge: &J, options: &DataOptions, watch: &Watch) -> Result<TestData<J>, GenerateError> {
    generate_with(judge, &FixedCases::default(), options, watch)
}

/// Generates test data with fixed cases, which [`DataOptions::cases`] does not count. The other cases
/// need not cover what the fixed ones do, and do not repeat them unless there are too few.
///
/// # Errors
/// As [`generate`].
///
/// ```
/// use balpan::Watch;
/// use balpan_contest::{FixedCases, Judge, TicTacToe, DataOptions, generate_with};
///
/// let own = TicTacToe.read("1\nxo.\n.x.\n..o\n".as_bytes()).collect::<Result<_, _>>()?;
/// let fixed = FixedCases { first: own, last: Vec::new() };
/// let data = generate_with(&TicTacToe, &fixed, &DataOptions { cases: 20, seed: 1, cover: true }, &Watch::default())?;
/// assert_eq!(data.cases.len(), 21);
/// assert_eq!(data.answers[0].to_string(), "x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate_with<J: Judge>(
    judge: &J,
    fixed: &FixedCases<J>,
    options: &DataOptions,
    watch: &Watch,
) -> Result<TestData<J>, GenerateError> {
    let mut mixture = Mixture::new(judge, options.seed);
    for case in fixed.all() {
        mixture.insert(case);
    }
    let (cases, coverage) = if options.cover {
        cover::choose(judge, fixed, mixture, options.cases, watch)?
    } else {
        let mut cases = Vec::new();
        while cases.len() < options.cases {
            watch.count(1)?;
            cases.extend(mixture.next());
        }
        cases.sort_by_key(|case| judge.size(case));
        let all = fixed.first.iter().cloned().chain(cases).chain(fixed.last.iter().cloned());
        (all.collect(), Vec::new())
    };
    let mut reference = judge.reference(watch);
    let mut answers = Vec::with_capacity(cases.len());
    for case in &cases {
        watch.count(1)?;
        answers.push(reference(case)?);
    }
    Ok(TestData { cases, answers, coverage })
}

/// An endless iterator over small, medium and large random cases in turn. A case comes twice only if no
/// other is found.
struct Mixture<'a, J: Judge> {
    judge: &'a J,
    random: SplitMix,
    seen: HashSet<J::Case>,
    next_band: usize,
}

/// The number of size bands, of equal ranges of cells: small, medium and large.
const BANDS: usize = 3;

/// The most draws for a case that is new and large enough.
const MAX_DRAWS: usize = 1000;

impl<'a, J: Judge> Mixture<'a, J> {
    fn new(judge: &'a J, seed: u64) -> Self {
        Self { judge, random: SplitMix(seed), seen: HashSet::new(), next_band: 0 }
    }

    /// Draws a seed for another generator.
    const fn next_seed(&mut self) -> u64 {
        self.random.next_u64()
    }

    /// Marks a case as drawn. Returns whether it is new.
    fn insert(&mut self, case: &J::Case) -> bool {
        self.seen.insert(case.clone())
    }
}

impl<J: Judge> Iterator for Mixture<'_, J> {
    type Item = J::Case;

    fn next(&mut self) -> Option<J::Case> {
        let band = self.next_band;
        self.next_band = (band + 1) % BANDS;
        // The band has more than `above` and at most `max` cells.
        let max_cells = self.judge.info().max_cells as u128;
        let [above, max] = [band, band + 1].map(|bands| (max_cells * bands as u128 / BANDS as u128) as usize);
        let mut fallback = None;
        for _ in 0..MAX_DRAWS {
            let case = self.judge.random_case(&mut self.random, max);
            let is_new = !self.seen.contains(&case);
            if is_new && (band == 0 || self.judge.size(&case).cells > above) {
                self.seen.insert(case.clone());
                return Some(case);
            }
            if is_new || fallback.is_none() {
                fallback = Some(case);
            }
        }
        self.seen.extend(fallback.clone());
        fallback
    }
}
