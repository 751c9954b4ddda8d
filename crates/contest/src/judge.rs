//! Judges. A judge is one problem: its input and output formats, its exact answers, and an order of
//! its cases by size. Each problem is one file below.

pub mod blockgame;
pub(crate) mod common;
pub mod custom;
pub(crate) mod input;
mod mistake;
pub mod platforms;
pub mod tictactoe;

use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use balpan::{BoxedSolver, Budget, SplitMix, Stopped, TableError, Watch};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, FamilyGame, GameError, Lang};

use crate::package::Problem;

pub use common::{PlainValue, PlainWork, plain_work};
pub use mistake::Mistake;

/// A contest problem.
pub trait Judge: Debug + Sized + Sync + 'static {
    /// One case of the input.
    type Case: Clone + Debug + Eq + Hash + Send + Sync;
    /// The answer to a case. [`Display`] writes it as the output has it.
    type Answer: Clone + Debug + Display + Eq + Hash + Send + Sync;

    /// Returns facts about the problem as a whole.
    fn info(&self) -> &JudgeInfo;

    /// Reads the cases of an input one by one, in bounded memory. An error is the last item.
    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<Self::Case, JudgeError>>;

    /// Writes an input with these cases in the statement's format, which [`read`](Self::read) reads.
    fn write(&self, cases: &[Self::Case]) -> String;

    /// Describes how the case exceeds the statement's limits, if it does: "a board of 6x6,
    /// and at most 5x5 is allowed". [`read`](Self::read) may accept such a case.
    fn excess(&self, _case: &Self::Case) -> Option<String> {
        None
    }

    /// Splits a program's output into answers: words, or lines where [answers are lines](JudgeInfo::answers_are_lines).
    fn split_answers<'o>(&self, output: &'o [u8]) -> Vec<&'o [u8]> {
        if self.info().answers_are_lines { split_lines(output) } else { split_words(output) }
    }

    /// Parses an answer as a program writes it.
    fn read_answer(&self, word: &str) -> Option<Self::Answer>;

    /// Returns an exact solver of cases. Its tables are kept from case to case.
    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self>;

    /// Returns the size of a case.
    fn size(&self, case: &Self::Case) -> Size;

    /// Enumerates the cases of this number of [`cells`](Size::cells) in the order of size, except
    /// for smaller cases in disguise: with a blank border, or with cells that play cannot reach.
    fn cases_of_size(&self, cells: usize) -> CaseIter<Self>;

    /// Returns similar cases of a smaller [`Size`], most of them one step away.
    fn smaller_cases(&self, case: &Self::Case) -> Vec<Self::Case>;

    /// Returns cases of growing size up to the largest, by which a program's time is measured; none to make them from a
    /// largest case by [smaller](Self::smaller_cases) ones.
    fn growing_cases(&self, _random: &mut SplitMix) -> Vec<Self::Case> {
        Vec::new()
    }

    /// Draws a random case of at most `max_cells` cells, if there are any. Every case that the
    /// statement allows can be drawn.
    fn random_case(&self, random: &mut SplitMix, max_cells: usize) -> Self::Case;

    /// Returns the case mirrored left to right, which has the same answer; the case itself where a
    /// mirror may change the game.
    fn mirror(&self, case: &Self::Case) -> Self::Case {
        case.clone()
    }

    /// Returns a function that plays cases out optimally. Its tables are kept from case to case.
    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self>;

    /// Returns the known misunderstandings of the problem, the most common first. Each gives a wrong
    /// answer to some case that is alone in its run.
    fn mistakes(&self) -> Vec<Mistake<Self>> {
        Vec::new()
    }

    /// Returns the least number of cases that test data with full coverage is chosen from.
    fn candidates(&self) -> usize {
        1500
    }

    /// Returns the mistakes that test data should show: those of the problem itself.
    fn mistakes_to_cover(&self) -> Vec<Mistake<Self>> {
        self.mistakes()
    }

    /// Returns further mistakes for the diagnosis: the same ones with other move orders, those that show only in runs of
    /// several cases, and those that can be made in any game.
    fn more_mistakes(&self) -> Vec<Mistake<Self>> {
        common::all().collect()
    }

    /// Returns the answer that states a plain program's value of a case; `None` if answers state more than that.
    fn answer_of(&self, case: &Self::Case, value: &PlainValue) -> Option<Self::Answer>;

    /// Returns plain solutions of the problem without a memo, the plainest first.
    fn recursions(&self) -> Vec<Recursion<Self>> {
        Vec::new()
    }

    /// Returns the name of the function that a solution defines and those of its arguments, if it is not a whole program.
    fn function(&self) -> Option<(&str, Vec<&str>)> {
        None
    }

    /// Returns the statement, validators and programs of a [`package`](crate::package); `None` if no packages are made of
    /// this problem.
    fn package_parts(&self) -> Option<Cow<'static, Problem>> {
        None
    }

    /// Returns the cases of the problem's samples, in their order.
    fn samples(&self) -> Vec<Self::Case> {
        Vec::new()
    }

    /// Draws a case that differs little from this one, or not at all. Such steps, from several
    /// [random](Self::random_case) cases, reach every case that the statement allows.
    fn neighbor(&self, case: &Self::Case, _random: &mut SplitMix) -> Self::Case {
        case.clone()
    }

    /// Returns the game that starts with the case; `None` if it is too large for a search.
    fn game(&self, case: &Self::Case) -> Option<AnyGame>;
}

/// A phrase in English and in Korean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    en: Cow<'static, str>,
    ko: Cow<'static, str>,
}

impl Phrase {
    /// A constant phrase.
    #[must_use]
    pub const fn new(en: &'static str, ko: &'static str) -> Self {
        Self { en: Cow::Borrowed(en), ko: Cow::Borrowed(ko) }
    }

    /// A phrase built at run time.
    #[must_use]
    pub fn from_strings(en: String, ko: String) -> Self {
        Self { en: en.into(), ko: ko.into() }
    }

    /// Returns the text in `lang`.
    #[must_use]
    pub fn text(&self, lang: Lang) -> &str {
        lang.pick(&self.en, &self.ko)
    }
}

/// Facts about a problem as a whole.
#[derive(Clone, Debug)]
pub struct JudgeInfo {
    /// The judge's name on the command line.
    pub name: Cow<'static, str>,
    /// The game: a preset's name, or a rules file's path.
    pub game: Cow<'static, str>,
    /// Where the problem was published.
    pub source: Cow<'static, str>,
    /// The most cases of one input by the statement; `None` if it sets no limit.
    pub max_cases: Option<usize>,
    /// The default time limit of one case.
    pub time_limit: Duration,
    /// Whether an answer is a whole line. Otherwise it is a word, and line breaks do not matter.
    pub answers_are_lines: bool,
    /// The noun for [`Size::cells`](Size::cells): "tiles", "free cells".
    pub cell_noun: Phrase,
    /// The cells of the largest case that is tried.
    pub max_cells: usize,
    /// Whether the statement allows no larger cases than those of [`max_cells`](Self::max_cells).
    /// Larger ones may be too hard for exact answers.
    pub is_complete: bool,
    /// All cases of at most this number of cells are tried before random ones. Even a slow program
    /// answers them within seconds.
    pub exhaustive_cells: usize,
    /// The cases that are smaller ones in disguise, which
    /// [`cases_of_size`](Judge::cases_of_size) leaves out.
    pub disguises: Option<Phrase>,
    /// Features that test data should cover: who wins, how games end, kinds of boards.
    /// [`survey`](Judge::survey) finds those of a case.
    pub features: &'static [&'static str],
}

/// An iterator over a judge's cases.
pub type CaseIter<J> = Box<dyn Iterator<Item = <J as Judge>::Case>>;

/// An exact solver of a judge's cases.
pub type Reference<'w, J> = Box<dyn FnMut(&<J as Judge>::Case) -> Result<<J as Judge>::Answer, Stopped> + 'w>;

/// A function that plays a judge's cases out optimally.
pub type Survey<'w, J> = Box<dyn FnMut(&<J as Judge>::Case) -> Result<OptimalPlay, Stopped> + 'w>;

/// The course of a case under optimal play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptimalPlay {
    /// Plies to the end.
    pub plies: usize,
    /// The judge's [`features`](JudgeInfo::features) that the case and its play have.
    pub features: Vec<&'static str>,
}

/// The name of a feature, and whether a case that was played out has it.
type Feature<C> = (&'static str, fn(&C) -> bool);

const fn feature_names<C, const N: usize>(features: &[Feature<C>; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut n = 0;
    while n < N {
        names[n] = features[n].0;
        n += 1;
    }
    names
}

impl OptimalPlay {
    /// Collects the features of a case that was played out.
    fn new<C>(plies: usize, course: &C, features: &[Feature<C>]) -> Self {
        Self { plies, features: features.iter().filter(|(_, has)| has(course)).map(|(name, _)| *name).collect() }
    }
}

/// The size of a case, ordered by cells, then by board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// Tiles, or free cells.
    pub cells: usize,
    /// Cells of the rectangle around them.
    pub board: usize,
}

/// A plain recursion, as a learner would first write it.
pub struct Recursion<J: Judge> {
    /// Which moves it tries: "every move", "moves until one wins".
    pub name: &'static str,
    visits: Visits<J>,
}

impl<J: Judge> Debug for Recursion<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recursion").field("name", &self.name).finish_non_exhaustive()
    }
}

type Visits<J> = Box<dyn FnMut(&<J as Judge>::Case) -> u64>;

impl<J: Judge> Recursion<J> {
    fn new(name: &'static str, visits: impl FnMut(&J::Case) -> u64 + 'static) -> Self {
        Self { name, visits: Box::new(visits) }
    }

    /// Counts the positions visited, with repetitions and with the case's own. Saturates at
    /// `u64::MAX`.
    pub fn visits(&mut self, case: &J::Case) -> u64 {
        (self.visits)(case)
    }
}

/// Why a judge stopped. Its answers up to there are right.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The input breaks the statement's format.
    #[error("line {line}, column {column}: {found}")]
    Input {
        /// The line, from 1.
        line: u64,
        /// The column in bytes, from 1.
        column: u64,
        /// The text that was found.
        found: String,
        /// The form that was expected.
        expected: String,
    },
    /// The input could not be read.
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
    /// The watch stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The answers could not be written.
    #[error("the answers cannot be written")]
    Write(#[source] io::Error),
}

/// Answers the cases of an input, one answer a line. Each is written before the next case is read.
///
/// # Errors
/// If the input breaks the statement's format, `watch` stops the judge, or reading or writing fails.
pub fn answer_all<J: Judge>(
    judge: &J,
    input: impl BufRead,
    mut output: impl Write,
    watch: &Watch,
) -> Result<(), JudgeError> {
    let mut reference = judge.reference(watch);
    for case in judge.read(input) {
        writeln!(output, "{}", reference(&case?)?).map_err(JudgeError::Write)?;
    }
    output.flush().map_err(JudgeError::Write)
}

/// Splits an output into words.
pub(crate) fn split_words(output: &[u8]) -> Vec<&[u8]> {
    output.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

/// Splits an output into lines that are not blank.
fn split_lines(output: &[u8]) -> Vec<&[u8]> {
    output.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).collect()
}

/// Unwraps the game of a case: every case is a legal position.
fn case_game<G>(game: Result<G, GameError>) -> G {
    game.unwrap_or_else(|e| unreachable!("a case is a position of its game: {e}"))
}

/// Returns a solver of a judge's game with a table of this size.
fn case_solver<G: FamilyGame>(game: G, bytes: usize, watch: &Watch) -> Result<BoxedSolver<G::Position>, Stopped> {
    AnyGame::from(game).solver(Budget { memory: bytes, threads: 1 }, None, watch).map_err(|error| match error {
        TableError::Stopped(stopped) => stopped,
        other => unreachable!("the game of a judge always ends, and needs no table of all positions: {other}"),
    })
}

/// Returns the game of a judge's preset.
fn preset_game<G: FamilyGame>(name: &str) -> G {
    let game = preset(name).map(|rules| rules.and_then(|rules| rules.game()));
    game.and_then(Result::ok).and_then(|game| game.downcast()).expect("the tests read every preset")
}

/// Returns the sets of `size` of the first `cells` bits, in numerical order (Gosper's hack).
pub(crate) fn subsets(size: usize, cells: usize) -> impl Iterator<Item = u64> {
    let end = 1_u64 << cells;
    let first = (size <= cells).then(|| (1_u64 << size) - 1);
    std::iter::successors(first, move |&set| {
        if set == 0 {
            return None;
        }
        let low = set & set.wrapping_neg();
        let carried = set + low;
        Some(carried | (((set ^ carried) >> 2) / low))
    })
    .take_while(move |&set| set < end)
}

/// A computation that works for every judge.
pub trait JudgeTask {
    /// The result.
    type Output;

    /// Whether the computation draws or enumerates cases, and not only answers them.
    const NEEDS_CASES: bool = true;

    /// Runs the computation.
    fn run<J: Judge>(self, judge: &J) -> Self::Output;
}

/// The problems of the library with a judge in Rust beside the file. It answers what the statement allows as the file does, faster,
/// lists cases without smaller ones in disguise, and knows more mistakes.
pub const JUDGES_IN_RUST: [&str; 3] = ["platforms", "blockgame", "tictactoe"];

/// Runs a task with the judge of one of the library's problems, by a name that [`find_problem`](crate::find_problem) knows: one of
/// [`JUDGES_IN_RUST`], or that of the problem file. `None` if there is no such problem.
pub fn with_judge<T: JudgeTask>(problem: &str, task: T) -> Option<T::Output> {
    let problem = crate::find_problem(problem)?;
    match problem {
        "platforms" => Some(task.run(&platforms::Platforms)),
        "blockgame" => Some(task.run(&blockgame::BlockGame)),
        "tictactoe" => Some(task.run(&tictactoe::TicTacToe)),
        _ => {
            let watch = Watch::default();
            let problem = crate::Problem::from_library(problem, &watch);
            problem.and_then(|problem| problem.with_cases(&watch)).ok().map(|problem| task.run(&problem))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_lists_every_set_once() {
        for cells in 0..=10 {
            for size in 0..=12 {
                let sets: Vec<_> = subsets(size, cells).collect();
                let all: Vec<_> = (0..1_u64 << cells).filter(|set| set.count_ones() as usize == size).collect();
                assert_eq!(sets, all, "{size} of {cells}");
            }
        }
    }
}
