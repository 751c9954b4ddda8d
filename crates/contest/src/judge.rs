//! Judges. A judge is one problem: its input and output formats, its exact answers, and an order of
//! its cases by size. Each problem is one file below.

mod about;
pub mod blockgame;
pub mod custom;
mod input;
pub mod platforms;
mod recursion;
pub mod tictactoe;
mod words;

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::io::{self, BufRead, Write};
use std::sync::Arc;

use balpan::{SplitMix, Stopped, Watch};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, GameError};

pub use about::JudgeInfo;
pub use recursion::Recursion;

/// A contest problem.
pub trait Judge: Debug + Sized + Sync + 'static {
    /// One case of the input.
    type Case: Clone + Debug + Eq + Hash + Send + Sync;
    /// The answer to a case. [`Display`] writes it as the output has it.
    type Answer: Copy + Debug + Display + Eq + Hash + Send + Sync;

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

    /// Returns further mistakes for the diagnosis: the same ones with other move orders, and those
    /// that show only in runs of several cases.
    fn more_mistakes(&self) -> Vec<Mistake<Self>> {
        Vec::new()
    }

    /// Returns plain solutions of the problem without a memo, the plainest first.
    fn recursions(&self) -> Vec<Recursion<Self>> {
        Vec::new()
    }

    /// Draws a case that differs little from this one, or not at all. Such steps, from several
    /// [random](Self::random_case) cases, reach every case that the statement allows.
    fn neighbor(&self, case: &Self::Case, _random: &mut SplitMix) -> Self::Case {
        case.clone()
    }

    /// Returns the game that starts with the case.
    fn game(&self, case: &Self::Case) -> AnyGame;
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
    /// Those of the judge's [`features`](JudgeInfo::features) that the case and its play have.
    pub features: Vec<&'static str>,
}

impl OptimalPlay {
    /// Keeps those of `features` that are true.
    fn new(plies: usize, features: &[(&'static str, bool)]) -> Self {
        Self { plies, features: features.iter().filter(|feature| feature.1).map(|feature| feature.0).collect() }
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

/// A known misunderstanding of a problem, with a small solver that has it.
pub struct Mistake<J: Judge> {
    /// A short description: "the loser hurrying, too". Variants of a mistake share their first words.
    pub name: String,
    /// One sentence that states the problem's rule.
    pub remedy: &'static str,
    kind: Kind<J>,
}

/// How a program with a mistake answers.
enum Kind<J: Judge> {
    /// Each case by itself.
    Stateless(Arc<StatelessSolver<J>>),
    /// The cases of a run in order, with state that is kept from case to case.
    Stateful(Arc<StatefulSolver<J>>),
    /// The number of cases that are read minus the number that there are.
    CountOffset(isize),
}

type StatelessSolver<J> = dyn Fn(&<J as Judge>::Case) -> Option<<J as Judge>::Answer> + Send + Sync;
type StatefulSolver<J> = dyn Fn(&[<J as Judge>::Case]) -> Vec<Option<<J as Judge>::Answer>> + Send + Sync;

impl<J: Judge> Mistake<J> {
    /// A mistake that shows in single cases, which `solver` answers.
    pub fn new(
        name: impl Into<String>,
        remedy: &'static str,
        solver: impl Fn(&J::Case) -> Option<J::Answer> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), remedy, kind: Kind::Stateless(Arc::new(solver)) }
    }

    /// A mistake that carries state from one case of a run to the next. `solver` answers all cases
    /// of a run.
    pub fn stateful(
        name: impl Into<String>,
        remedy: &'static str,
        solver: impl Fn(&[J::Case]) -> Vec<Option<J::Answer>> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), remedy, kind: Kind::Stateful(Arc::new(solver)) }
    }

    /// A mistake in reading the number of cases: `offset` more than there are, or fewer if negative.
    pub fn with_count_offset(name: impl Into<String>, remedy: &'static str, offset: isize) -> Self {
        Self { name: name.into(), remedy, kind: Kind::CountOffset(offset) }
    }

    /// Returns the answer of a program with this mistake to a case that is alone in its run; `None`
    /// if there is no such answer, or if the plain solver would take too long.
    #[must_use]
    pub fn answer(&self, case: &J::Case) -> Option<J::Answer> {
        match &self.kind {
            Kind::Stateless(solver) => solver(case),
            Kind::Stateful(solver) => solver(std::slice::from_ref(case)).first().copied().flatten(),
            Kind::CountOffset(_) => None,
        }
    }

    /// Returns the answers of a program with this mistake to the cases of one run.
    #[must_use]
    pub fn answers(&self, cases: &[J::Case]) -> Vec<Option<J::Answer>> {
        match &self.kind {
            Kind::Stateless(solver) => cases.iter().map(|case| solver(case)).collect(),
            Kind::Stateful(solver) => solver(cases),
            Kind::CountOffset(_) => vec![None; cases.len()],
        }
    }

    /// Whether an answer may depend on earlier cases of the run.
    #[must_use]
    pub const fn is_stateful(&self) -> bool {
        matches!(self.kind, Kind::Stateful(_))
    }

    /// How many more cases are read than there are, or fewer if negative, if that is the mistake.
    #[must_use]
    pub const fn count_offset(&self) -> Option<isize> {
        if let Kind::CountOffset(offset) = self.kind { Some(offset) } else { None }
    }
}

impl<J: Judge> Clone for Mistake<J> {
    fn clone(&self) -> Self {
        let kind = match &self.kind {
            Kind::Stateless(solver) => Kind::Stateless(Arc::clone(solver)),
            Kind::Stateful(solver) => Kind::Stateful(Arc::clone(solver)),
            Kind::CountOffset(offset) => Kind::CountOffset(*offset),
        };
        Self { name: self.name.clone(), remedy: self.remedy, kind }
    }
}

impl<J: Judge> Debug for Mistake<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mistake").field(&self.name).finish()
    }
}

/// The remedy for a wrongly read number of cases.
const COUNT_REMEDY: &str = "the first line is the number of cases, and each of them has its answer";

/// The mistakes in reading the number of cases.
fn count_mistakes<J: Judge>() -> [Mistake<J>; 2] {
    [
        Mistake::with_count_offset("reading one case fewer than the count says", COUNT_REMEDY, -1),
        Mistake::with_count_offset("reading one case more than the count says", COUNT_REMEDY, 1),
    ]
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
        /// What was found.
        found: String,
        /// What was expected.
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

/// Unwraps the game of a case: every case is a legal position.
fn case_game<G>(game: Result<G, GameError>) -> G {
    game.unwrap_or_else(|e| unreachable!("a case is a position of its game: {e}"))
}

/// Returns the game of a judge's preset.
fn preset_game(name: &str) -> AnyGame {
    let game = preset(name).map(|rules| rules.and_then(|rules| rules.game()));
    game.and_then(Result::ok).expect("the tests read every preset")
}

/// Returns the sets of `size` of the first `cells` bits, in numerical order (Gosper's hack).
fn subsets(size: usize, cells: usize) -> impl Iterator<Item = u64> {
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

    /// Runs the computation.
    fn run<J: Judge>(self, judge: &J) -> Self::Output;
}

/// Runs a task with the judge of a contest problem: `platforms`, `blockgame` or `tictactoe`. `None` if
/// there is no such problem.
pub fn with_judge<T: JudgeTask>(problem: &str, task: T) -> Option<T::Output> {
    match problem {
        "platforms" => Some(task.run(&platforms::Platforms)),
        "blockgame" => Some(task.run(&blockgame::BlockGame)),
        "tictactoe" => Some(task.run(&tictactoe::TicTacToe)),
        _ => None,
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
