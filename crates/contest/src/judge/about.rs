//! Facts about a judge's problem as a whole.

use std::borrow::Cow;
use std::time::Duration;

use crate::package::Problem;
use crate::phrase::Phrase;

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
    /// What [`Size::cells`](super::Size::cells) counts: "tiles", "free cells".
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
    /// [`cases_of_size`](super::Judge::cases_of_size) leaves out.
    pub disguises: Option<Phrase>,
    /// Features that test data should cover: who wins, how games end, kinds of boards.
    /// [`survey`](super::Judge::survey) finds those of a case.
    pub features: &'static [&'static str],
    /// The statement, validators and programs of a [`package`](crate::package); `None` if no
    /// packages are made of this problem.
    pub problem: Option<&'static Problem>,
}
