//! Judges. A judge is one problem with its formats, its exact answers and an order of its cases by
//! size. Each problem is one file below.

mod about;
pub mod blockgame;
mod input;
pub mod own;
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

pub use about::About;
pub use recursion::Recursion;

/// A problem of a contest.
pub trait Judge: Debug + Sized + Sync + 'static {
    /// One case of the input.
    type Case: Clone + Debug + Eq + Hash + Send + Sync;
    /// What is answered. Written as in the output.
    type Answer: Copy + Debug + Display + Eq + Hash + Send + Sync;

    /// What is known of the problem as a whole.
    fn about(&self) -> &About;

    /// The cases of an input, one after the other, in bounded memory. After an error
    /// there are no more.
    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<Self::Case, JudgeError>>;

    /// The input with these cases, as the statement has it: [`read`](Self::read) reads
    /// it back.
    fn write(&self, cases: &[Self::Case]) -> String;

    /// What of the case is more than the statement allows, if anything is: "a board of 6x6,
    /// and at most 5x5 is allowed". [`read`](Self::read) may take such a case all the same.
    fn excess(&self, _case: &Self::Case) -> Option<String> {
        None
    }

    /// Reads an answer, as a program writes it.
    fn read_answer(&self, word: &str) -> Option<Self::Answer>;

    /// What answers cases exactly; what it learns of one helps it with the next.
    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self>;

    /// The case's size.
    fn size(&self, case: &Self::Case) -> Size;

    /// Every case of this number of [`cells`](Size::cells), in the order of size, but for those
    /// that are a smaller case in disguise: with a blank border, or with cells that play
    /// cannot reach.
    fn of_size(&self, cells: usize) -> EveryCase<Self>;

    /// Cases of a smaller [`Size`] that are like this one, the most of them a step away.
    fn smaller(&self, case: &Self::Case) -> Vec<Self::Case>;

    /// A case at random, of `most` cells at most, if there are such: any that the statement allows.
    fn random(&self, random: &mut SplitMix, most: usize) -> Self::Case;

    /// The case mirrored left to right, which is answered alike; the case itself where mirrors
    /// may change the game.
    fn mirrored(&self, case: &Self::Case) -> Self::Case {
        case.clone()
    }

    /// What plays cases out; what it learns of one helps it with the next.
    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self>;

    /// Known misunderstandings of the problem, the most common first: each is wrong on some
    /// case alone.
    fn mistakes(&self) -> Vec<Mistake<Self>> {
        Vec::new()
    }

    /// Other mistakes by which a program may be known: the same ones in another order of moves,
    /// and those that show only where there are several cases in a run.
    fn more_mistakes(&self) -> Vec<Mistake<Self>> {
        Vec::new()
    }

    /// Plain ways to solve the problem, without a memo, the plainest first.
    fn recursions(&self) -> Vec<Recursion<Self>> {
        Vec::new()
    }

    /// A case at random that differs from this one by little, or is the same: any that the
    /// statement allows can be reached by such steps, or from another [`random`](Self::random) one.
    fn step(&self, case: &Self::Case, _random: &mut SplitMix) -> Self::Case {
        case.clone()
    }

    /// The game that starts with the case, to draw it and to show best play.
    fn game(&self, case: &Self::Case) -> AnyGame;
}

/// Cases, one after the other.
pub type EveryCase<J> = Box<dyn Iterator<Item = <J as Judge>::Case>>;

/// Answers a judge's cases exactly.
pub type Reference<'w, J> = Box<dyn FnMut(&<J as Judge>::Case) -> Result<<J as Judge>::Answer, Stopped> + 'w>;

/// Plays a judge's cases out.
pub type Survey<'w, J> = Box<dyn FnMut(&<J as Judge>::Case) -> Result<Played, Stopped> + 'w>;

/// A case, played out as well as can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Plies to the end.
    pub plies: usize,
    /// Which of the [`features`](About::features) the case has, and this play of it.
    pub features: Vec<&'static str>,
}

impl Played {
    /// With those of the features that are true.
    fn new(plies: usize, features: &[(&'static str, bool)]) -> Self {
        Self { plies, features: features.iter().filter(|feature| feature.1).map(|feature| feature.0).collect() }
    }
}

/// How large a case is: fewer cells first, then the smaller board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// Tiles, or free cells.
    pub cells: usize,
    /// Cells of the rectangle that they lie in.
    pub board: usize,
}

/// A known misunderstanding of a problem, as a small solver of its own.
pub struct Mistake<J: Judge> {
    /// In a few words: "the loser hurrying, too". Variants of a mistake begin with the same.
    pub name: String,
    /// What the problem says instead, in a sentence.
    pub remedy: &'static str,
    kind: Kind<J>,
}

/// How a program that has a mistake answers.
enum Kind<J: Judge> {
    /// Each case by itself.
    Alone(Arc<Alone<J>>),
    /// The cases of a run in turn: what it keeps of one comes in at the next.
    InTurn(Arc<InTurn<J>>),
    /// The number of cases read beyond those that there are; negative if fewer.
    Miscounted(isize),
}

type Alone<J> = dyn Fn(&<J as Judge>::Case) -> Option<<J as Judge>::Answer> + Send + Sync;
type InTurn<J> = dyn Fn(&[<J as Judge>::Case]) -> Vec<Option<<J as Judge>::Answer>> + Send + Sync;

impl<J: Judge> Mistake<J> {
    /// A mistake of this name, with which this is answered.
    pub fn new(
        name: impl Into<String>,
        remedy: &'static str,
        solver: impl Fn(&J::Case) -> Option<J::Answer> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), remedy, kind: Kind::Alone(Arc::new(solver)) }
    }

    /// A mistake by which what is kept of one case is wrong for the next of the same run.
    pub fn in_turn(
        name: impl Into<String>,
        remedy: &'static str,
        solver: impl Fn(&[J::Case]) -> Vec<Option<J::Answer>> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), remedy, kind: Kind::InTurn(Arc::new(solver)) }
    }

    /// A mistake by which this many cases more than there are are answered, or fewer.
    pub fn miscounted(name: impl Into<String>, remedy: &'static str, by: isize) -> Self {
        Self { name: name.into(), remedy, kind: Kind::Miscounted(by) }
    }

    /// What a program answers that has it; `None` where there is no such answer, or
    /// where the plain solver would take too long.
    #[must_use]
    pub fn answer(&self, case: &J::Case) -> Option<J::Answer> {
        match &self.kind {
            Kind::Alone(solver) => solver(case),
            Kind::InTurn(solver) => solver(std::slice::from_ref(case)).first().copied().flatten(),
            Kind::Miscounted(_) => None,
        }
    }

    /// What it answers to these cases, in one run.
    #[must_use]
    pub fn answers(&self, cases: &[J::Case]) -> Vec<Option<J::Answer>> {
        match &self.kind {
            Kind::Alone(solver) => cases.iter().map(|case| solver(case)).collect(),
            Kind::InTurn(solver) => solver(cases),
            Kind::Miscounted(_) => vec![None; cases.len()],
        }
    }

    /// Whether the cases before one may matter to its answer.
    #[must_use]
    pub const fn is_in_turn(&self) -> bool {
        matches!(self.kind, Kind::InTurn(_))
    }

    /// How many cases more than there are it answers, or fewer, if that is the mistake.
    #[must_use]
    pub const fn miscounts(&self) -> Option<isize> {
        if let Kind::Miscounted(by) = self.kind { Some(by) } else { None }
    }
}

impl<J: Judge> Clone for Mistake<J> {
    fn clone(&self) -> Self {
        let kind = match &self.kind {
            Kind::Alone(solver) => Kind::Alone(Arc::clone(solver)),
            Kind::InTurn(solver) => Kind::InTurn(Arc::clone(solver)),
            Kind::Miscounted(by) => Kind::Miscounted(*by),
        };
        Self { name: self.name.clone(), remedy: self.remedy, kind }
    }
}

impl<J: Judge> Debug for Mistake<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mistake").field(&self.name).finish()
    }
}

/// What is said of a count of cases that is read wrongly.
const COUNT: &str = "the first line is the number of cases, and each of them has its answer";

/// The count of cases read wrongly.
fn miscounted<J: Judge>() -> [Mistake<J>; 2] {
    [
        Mistake::miscounted("reading one case fewer than the count says", COUNT, -1),
        Mistake::miscounted("reading one case more than the count says", COUNT, 1),
    ]
}

/// Why a judge stopped. What it has answered before is right.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The input is not what the problem's statement promises.
    #[error("line {line}, column {column}: {found}")]
    Input {
        /// From 1.
        line: u64,
        /// Bytes from 1.
        column: u64,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The input could not be read.
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
    /// The watch said stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The answers could not be written.
    #[error("the answers cannot be written")]
    Write(#[source] io::Error),
}

/// Answers a stream of cases, an answer a line, each as soon as it is known.
///
/// # Errors
/// If the input is not as the statement says, or reading or writing fails.
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

/// A game from a case's position: cases are positions of their game on a board of its size.
fn started<G>(game: Result<G, GameError>) -> G {
    game.unwrap_or_else(|e| unreachable!("a case is a position of its game: {e}"))
}

/// A preset that a judge is about.
fn preset_game(name: &str) -> AnyGame {
    let game = preset(name).map(|rules| rules.and_then(|rules| rules.game()));
    game.and_then(Result::ok).expect("the tests read every preset")
}

/// The sets of `many` of the first `cells` bits, in the order of numbers (Gosper's hack).
fn sets_of(many: usize, cells: usize) -> impl Iterator<Item = u64> {
    let end = 1_u64 << cells;
    let first = (many <= cells).then(|| (1_u64 << many) - 1);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_once() {
        for cells in 0..=10 {
            for many in 0..=12 {
                let sets: Vec<_> = sets_of(many, cells).collect();
                let all: Vec<_> = (0..1_u64 << cells).filter(|set| set.count_ones() as usize == many).collect();
                assert_eq!(sets, all, "{many} of {cells}");
            }
        }
    }
}
