//! Problem packages: a problem with its statement, tests and validators in the formats of contest
//! systems.
//!
//! | format | specification |
//! |---|---|
//! | [`Kattis`](Format::Kattis) | the ICPC subset of the Problem Package Format, version `legacy` |
//! | [`Domjudge`](Format::Domjudge) | the same, with the extensions of the DOMjudge manual's appendix on problem formats |
//! | [`Polygon`](Format::Polygon) | the layout of the packages that Codeforces' Polygon builds, `problem.xml` |

mod icpc;
mod interactive;
mod polygon;
pub(crate) mod problem;

use std::fmt::Write;

use crate::generate::TestData;
use crate::judge::{Judge, JudgeInfo};

pub use interactive::{InteractiveError, InteractiveOptions, interactive};
pub use problem::Problem;

/// The format of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Kattis and other systems with the Problem Package Format.
    Kattis,
    /// DOMjudge.
    Domjudge,
    /// Polygon and systems that read its packages.
    Polygon,
}

/// The layout of a package's tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The format of the package.
    pub format: Format,
    /// The most cases of a secret test.
    pub per_file: usize,
    /// The number of the last cases that are a test each, marked as hard.
    pub hard: usize,
}

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path in the package's folder, with `/` as the separator.
    pub path: String,
    /// The contents.
    pub text: String,
}

impl File {
    fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// The most cases of the sample. They are the first of the data: small ones, or those that the problem
/// setter chose.
const MAX_SAMPLES: usize = 3;

/// Returns the time limit of a test in seconds: twice that of one case.
const fn time_limit_seconds(about: &JudgeInfo) -> u64 {
    2 * about.time_limit.as_secs()
}

/// The memory limit in MiB.
const MEMORY_LIMIT_MIB: u64 = 512;

/// Returns the files of a package with this name; `None` if the judge has no [parts](Judge::package_parts) for one.
///
/// The same data gives the same files. Every input keeps the statement's limits if `per_file` and the
/// cases do.
///
/// ```
/// use balpan::Watch;
/// use balpan_contest::package::{Format, Layout, package};
/// use balpan_contest::{TicTacToe, DataOptions, generate};
///
/// let data = generate(&TicTacToe, &DataOptions { cases: 20, seed: 1, cover: true }, &Watch::default())?;
/// let files = package(&TicTacToe, &data, "tictactoe", Layout { format: Format::Kattis, per_file: 10, hard: 0 });
/// let files = files.unwrap_or_default();
/// assert!(files.iter().any(|file| file.path == "problem.yaml"));
/// assert!(files.iter().any(|file| file.path == "data/secret/02.ans"));
/// # Ok::<(), balpan_contest::GenerateError>(())
/// ```
#[must_use]
pub fn package<J: Judge>(judge: &J, data: &TestData<J>, name: &str, layout: Layout) -> Option<Vec<File>> {
    let about = judge.info();
    let problem = &*judge.package_parts()?;
    let tests = tests(judge, data, layout);
    Some(match layout.format {
        Format::Kattis => icpc::files(about, problem, &tests),
        Format::Domjudge => icpc::domjudge_files(about, problem, &tests),
        Format::Polygon => polygon::files(about, problem, &tests, name),
    })
}

/// A test: an input with its answers.
struct Test {
    kind: TestKind,
    input: String,
    answers: String,
    /// The purposes of the cases, a line each.
    purpose: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TestKind {
    Sample,
    Secret,
    Hard,
}

/// Returns the sample, the secret tests and the hard ones.
fn tests<J: Judge>(judge: &J, data: &TestData<J>, layout: Layout) -> Vec<Test> {
    let all = data.cases.len();
    let usual = all.saturating_sub(layout.hard);
    // At least one case is kept secret.
    let sample = MAX_SAMPLES.min(usual).min(all.saturating_sub(1));
    let per_file = layout.per_file.max(1);
    let per_sample = judge.info().max_cases.unwrap_or(MAX_SAMPLES).max(1);
    let mut bounds = Vec::new();
    bounds.extend((0..sample).step_by(per_sample).map(|from| (TestKind::Sample, from, sample.min(from + per_sample))));
    bounds.extend((sample..usual).step_by(per_file).map(|from| (TestKind::Secret, from, usual.min(from + per_file))));
    bounds.extend((usual..all).map(|from| (TestKind::Hard, from, from + 1)));
    bounds.retain(|&(_, from, to)| from < to);
    bounds.into_iter().map(|(kind, from, to)| test(judge, data, kind, from, to)).collect()
}

fn test<J: Judge>(judge: &J, data: &TestData<J>, kind: TestKind, from: usize, to: usize) -> Test {
    let mut answers = String::new();
    let mut purpose = String::new();
    for case in from..to {
        // Writing to a string cannot fail.
        let _ = writeln!(answers, "{}", data.answers[case]);
        let covers = data.coverage.iter().filter(|coverage| coverage.cases.contains(&case));
        let covers: Vec<_> = covers.map(|coverage| &*coverage.what).collect();
        if !covers.is_empty() {
            let _ = writeln!(purpose, "case {}: {}", case - from + 1, covers.join("; "));
        }
    }
    Test { kind, input: judge.write(&data.cases[from..to]), answers, purpose }
}
