//! Test data: cases with exact answers, the same for the same seed on every machine.

mod cover;
mod hard;
mod mixture;
mod told;

use balpan::{Stopped, Watch};

use crate::judge::Judge;
use mixture::Mixture;

pub use hard::{Hard, hardest};
pub use told::{DataJson, data_json};

/// Which test data is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The number of cases.
    pub cases: usize,
    /// Other seeds, other cases.
    pub seed: u64,
    /// Whether the cases should cover, between them, all that a test of the problem should
    /// meet with: what [`TestData::covered`] lists.
    pub cover: bool,
}

/// Cases with certified answers.
#[derive(Clone, Debug)]
pub struct TestData<J: Judge> {
    /// The smaller ones first, each once as long as there are others. Given ones stand before
    /// them, or behind.
    pub cases: Vec<J::Case>,
    /// The answer to each.
    pub answers: Vec<J::Answer>,
    /// What the cases cover between them; empty if that was not asked for.
    pub covered: Vec<Covered>,
}

/// Cases that are to be among the test data, whatever else is.
#[derive(Clone, Debug)]
pub struct Given<J: Judge> {
    /// Before all others, in this order.
    pub first: Vec<J::Case>,
    /// Behind all others, in this order.
    pub last: Vec<J::Case>,
}

impl<J: Judge> Given<J> {
    fn all(&self) -> impl Iterator<Item = &J::Case> {
        self.first.iter().chain(&self.last)
    }

    const fn len(&self) -> usize {
        self.first.len() + self.last.len()
    }
}

impl<J: Judge> Default for Given<J> {
    fn default() -> Self {
        Self { first: Vec::new(), last: Vec::new() }
    }
}

/// Something that a test of the problem should meet with, and where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    /// "A wins", "the longest game of 1500 candidates: 21 plies", "misunderstanding: the
    /// loser hurrying, too".
    pub what: String,
    /// The indices of the cases in which it occurs: of a misunderstanding, in which it leads
    /// to a wrong answer.
    pub cases: Vec<usize>,
}

/// Why there is no such test data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoData {
    /// So few cases cannot cover everything.
    #[error("{cases} cases are too few to cover everything: {needed} are needed")]
    TooFew {
        /// Asked for.
        cases: usize,
        /// The number of cases of the choice that was found. A smaller one may exist.
        needed: usize,
    },
    /// Among all candidates, none has this.
    #[error("no case was found in {candidates} candidates that covers this: {what}")]
    NotFound {
        /// What was looked for.
        what: String,
        /// The number of candidates.
        candidates: usize,
    },
    /// The watch said stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Makes test data. Without `cover`, small, middling and large random cases, as many of
/// each; with it, first such as cover everything, then the like.
///
/// Every answer is the judge's own reference's.
///
/// # Errors
/// If the cases are too few to cover everything, or `watch` says stop.
///
/// ```
/// use balpan::Watch;
/// use balpan_contest::{BlockGame, Judge, Wanted, generate};
///
/// let data = generate(&BlockGame, &Wanted { cases: 3, seed: 1, cover: false }, &Watch::default())?;
/// assert!(BlockGame.write(&data.cases).starts_with("3\n"));
/// assert_eq!(data.answers.len(), 3);
/// # Ok::<(), balpan_contest::NoData>(())
/// ```
pub fn generate<J: Judge>(judge: &J, wanted: &Wanted, watch: &Watch) -> Result<TestData<J>, NoData> {
    generate_with(judge, &Given::default(), wanted, watch)
}

/// The same with cases of one's own, which `wanted` does not count. What they cover, no
/// other has to; and no other is the same as one of them, as long as there are others.
///
/// # Errors
/// As of [`generate`].
///
/// ```
/// use balpan::Watch;
/// use balpan_contest::{Given, Judge, TicTacToe, Wanted, generate_with};
///
/// let own = TicTacToe.read("1\nxo.\n.x.\n..o\n".as_bytes()).collect::<Result<_, _>>()?;
/// let given = Given { first: own, last: Vec::new() };
/// let data = generate_with(&TicTacToe, &given, &Wanted { cases: 20, seed: 1, cover: true }, &Watch::default())?;
/// assert_eq!(data.cases.len(), 21);
/// assert_eq!(data.answers[0].to_string(), "x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate_with<J: Judge>(
    judge: &J,
    given: &Given<J>,
    wanted: &Wanted,
    watch: &Watch,
) -> Result<TestData<J>, NoData> {
    let mut mixture = Mixture::new(judge, wanted.seed);
    for case in given.all() {
        mixture.is_first(case);
    }
    let (cases, covered) = if wanted.cover {
        cover::choose(judge, given, mixture, wanted.cases, watch)?
    } else {
        let mut cases = Vec::new();
        while cases.len() < wanted.cases {
            watch.count(1)?;
            cases.extend(mixture.next());
        }
        cases.sort_by_key(|case| judge.size(case));
        let all = given.first.iter().cloned().chain(cases).chain(given.last.iter().cloned());
        (all.collect(), Vec::new())
    };
    let mut reference = judge.reference(watch);
    let mut answers = Vec::with_capacity(cases.len());
    for case in &cases {
        watch.count(1)?;
        answers.push(reference(case)?);
    }
    Ok(TestData { cases, answers, covered })
}
