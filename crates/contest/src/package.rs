//! Problem packages: a problem with its statement, its tests and their validators, in the formats
//! of contest systems.
//!
//! | format | what is followed |
//! |---|---|
//! | [`Kattis`](Format::Kattis) | the Problem Package Format, version `legacy`, of which only what its ICPC subset has is used |
//! | [`Domjudge`](Format::Domjudge) | the same, with the extensions of the DOMjudge manual's appendix on problem formats |
//! | [`Polygon`](Format::Polygon) | the layout of the packages that Codeforces' Polygon builds, `problem.xml` |

pub(crate) mod blockgame;
mod icpc;
pub(crate) mod platforms;
mod polygon;
mod problem;
pub(crate) mod tictactoe;

use std::fmt::Write;

use crate::generate::TestData;
use crate::judge::{About, Judge};

pub use problem::Problem;

/// For which systems a package is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Kattis, and what else knows the Problem Package Format.
    Kattis,
    /// DOMjudge.
    Domjudge,
    /// Polygon, and what takes its packages.
    Polygon,
}

/// How the tests lie in a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Of which format it is.
    pub format: Format,
    /// The most cases of a secret test.
    pub per_file: usize,
    /// How many of the last cases are each a test alone, marked as hard.
    pub hard: usize,
}

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// From the package's folder, with `/` between.
    pub path: String,
    /// What is in it, always text.
    pub text: String,
}

impl File {
    fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// The most cases of the sample, which are the first: small ones, or those that whoever sets
/// the problem has chosen.
const SAMPLES: usize = 3;

/// How long a program may take for a test of several cases.
const fn seconds(about: &About) -> u64 {
    2 * about.limit.as_secs()
}

/// MiB that a program may take.
const MEMORY: u64 = 512;

/// The files of a package that is called `name`; `None` for a judge whose
/// [problem](About::problem) packages are not made of.
///
/// The same data gives the same files. Every input keeps to the statement's limits if
/// `per_file` does, and if the cases do.
///
/// ```
/// use balpan::Watch;
/// use balpan_contest::package::{Format, Layout, package};
/// use balpan_contest::{TicTacToe, Wanted, generate};
///
/// let data = generate(&TicTacToe, &Wanted { cases: 20, seed: 1, cover: true }, &Watch::default())?;
/// let files = package(&TicTacToe, &data, "tictactoe", Layout { format: Format::Kattis, per_file: 10, hard: 0 });
/// let files = files.unwrap_or_default();
/// assert!(files.iter().any(|file| file.path == "problem.yaml"));
/// assert!(files.iter().any(|file| file.path == "data/secret/02.ans"));
/// # Ok::<(), balpan_contest::NoData>(())
/// ```
#[must_use]
pub fn package<J: Judge>(judge: &J, data: &TestData<J>, name: &str, layout: Layout) -> Option<Vec<File>> {
    let about = judge.about();
    let problem = about.problem?;
    let tests = tests(judge, data, layout);
    Some(match layout.format {
        Format::Kattis => icpc::files(about, problem, &tests),
        Format::Domjudge => icpc::domjudge_files(about, problem, &tests),
        Format::Polygon => polygon::files(about, problem, &tests, name),
    })
}

/// An input with its answers.
struct Test {
    kind: Kind,
    input: String,
    answers: String,
    /// What its cases are there for, a line each.
    purpose: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sample,
    Secret,
    Hard,
}

/// The sample, the secret tests, the hard ones.
fn tests<J: Judge>(judge: &J, data: &TestData<J>, layout: Layout) -> Vec<Test> {
    let all = data.cases.len();
    let usual = all.saturating_sub(layout.hard);
    // One case at least is kept secret.
    let sample = SAMPLES.min(usual).min(all.saturating_sub(1));
    let per_file = layout.per_file.max(1);
    let mut bounds = vec![(Kind::Sample, 0, sample)];
    bounds.extend((sample..usual).step_by(per_file).map(|from| (Kind::Secret, from, usual.min(from + per_file))));
    bounds.extend((usual..all).map(|from| (Kind::Hard, from, from + 1)));
    bounds.retain(|&(_, from, to)| from < to);
    bounds.into_iter().map(|(kind, from, to)| test(judge, data, kind, from, to)).collect()
}

fn test<J: Judge>(judge: &J, data: &TestData<J>, kind: Kind, from: usize, to: usize) -> Test {
    let mut answers = String::new();
    let mut purpose = String::new();
    for case in from..to {
        // Writing to a string cannot fail.
        let _ = writeln!(answers, "{}", data.answers[case]);
        let covers = data.covered.iter().filter(|covered| covered.cases.contains(&case));
        let covers: Vec<_> = covers.map(|covered| &*covered.what).collect();
        if !covers.is_empty() {
            let _ = writeln!(purpose, "case {}: {}", case - from + 1, covers.join("; "));
        }
    }
    Test { kind, input: judge.write(&data.cases[from..to]), answers, purpose }
}
