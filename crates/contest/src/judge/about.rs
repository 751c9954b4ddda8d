//! Facts about a judge's problem as a whole.

use std::borrow::Cow;
use std::time::Duration;

use crate::package::Problem;
use crate::said::Said;

/// What is known of a problem as a whole.
#[derive(Clone, Debug)]
pub struct About {
    /// What the command calls it.
    pub name: Cow<'static, str>,
    /// The game that it is about: a preset, or a rules file.
    pub game: Cow<'static, str>,
    /// Where the problem stands.
    pub source: Cow<'static, str>,
    /// Cases of one input at most, by the problem's statement, if it says.
    pub most_cases: Option<usize>,
    /// How long a program may take for one case, if nobody says otherwise.
    pub limit: Duration,
    /// Whether an answer is a whole line; else it is a word, wherever the lines break.
    pub answers_are_lines: bool,
    /// What [`Size::cells`](super::Size::cells) counts: "tiles", "free cells".
    pub cells: Said,
    /// The cells of the largest case that is asked about.
    pub most_cells: usize,
    /// Whether the statement allows no larger ones: those may be too hard for exact answers.
    pub is_all: bool,
    /// All cases of at most this number of cells are tried before random ones: those
    /// that even a slow program answers in some seconds.
    pub small: usize,
    /// What a case may have that makes it a smaller one in disguise; see
    /// [`of_size`](super::Judge::of_size).
    pub disguises: Option<Said>,
    /// What a test of the problem should meet with: who wins, how games end, what boards
    /// there are. [`survey`](super::Judge::survey) says which case has which.
    pub features: &'static [&'static str],
    /// How it is set: what a [`package`](crate::package) has besides tests, if it is one that
    /// packages are made of.
    pub problem: Option<&'static Problem>,
}
