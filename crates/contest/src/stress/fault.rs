//! Faults of a program's run.

use std::time::Duration;

use crate::judge::Judge;
use crate::program::{End, Limits, Run};

/// The fault of a program on a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault<A> {
    /// A wrong answer.
    Wrong(A),
    /// Output that is not an answer: the beginning of the word.
    Garbage(String),
    /// The output has fewer answers than cases.
    TooFew {
        /// The number of answers.
        answers: usize,
        /// The number of cases.
        cases: usize,
    },
    /// The output has more answers than cases.
    TooMany {
        /// The number of answers.
        answers: usize,
        /// The number of cases.
        cases: usize,
    },
    /// The output is endless, or far larger than its answers need.
    OutputLimit,
    /// The exit code is not 0.
    Exited(i32),
    /// A signal killed the program.
    Killed(i32),
    /// The run takes longer than this limit.
    TimeLimit(Duration),
    /// The program takes more memory than this limit in bytes.
    MemoryLimit(u64),
    /// The program has this fault in one run and is right in another on the same input.
    Flaky(Box<Fault<A>>),
}

impl<A> Fault<A> {
    /// Returns the name of the fault in reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Wrong(_) => "wrong",
            Self::Garbage(_) => "garbage",
            Self::TooFew { .. } => "too_few",
            Self::TooMany { .. } => "too_many",
            Self::OutputLimit => "output_limit",
            Self::Exited(_) => "exit_code",
            Self::Killed(_) => "signal",
            Self::TimeLimit(_) => "time_limit",
            Self::MemoryLimit(_) => "memory_limit",
            Self::Flaky(_) => "unsteady",
        }
    }

    /// Returns the fault of the run that failed: the inner one of [`Flaky`](Self::Flaky).
    pub const fn symptom(&self) -> &Self {
        if let Self::Flaky(once) = self { once } else { self }
    }
}

/// The result of a run on some cases.
pub(super) enum RunResult<A> {
    /// All answers are right.
    Right,
    /// Some answers are wrong: the index of the first such case, and the answer.
    Wrong(usize, A),
    /// The number of answers is wrong, or the program failed.
    Failed(Fault<A>),
}

/// The bytes allowed for one answer with the blanks around it: far more than it needs.
const ANSWER_BYTES: usize = 64;

/// Returns the bytes that a run on this number of cases may write.
pub(super) const fn max_output_bytes(cases: usize) -> usize {
    4096 + cases * ANSWER_BYTES
}

/// Splits a run's output into answers and parses each.
pub(super) fn parse_answers<'r, J: Judge>(
    judge: &'r J,
    run: &'r Run,
) -> impl Iterator<Item = (&'r [u8], Option<J::Answer>)> {
    judge
        .split_answers(&run.output)
        .into_iter()
        .map(|word| (word, std::str::from_utf8(word).ok().and_then(|word| judge.read_answer(word))))
}

/// Compares a run's answers with the right ones.
pub(super) fn check_run<J: Judge>(judge: &J, run: &Run, right: &[J::Answer], limits: Limits) -> RunResult<J::Answer> {
    let cases = right.len();
    match run.end {
        End::Exited(0) => {}
        End::Exited(code) => return RunResult::Failed(Fault::Exited(code)),
        End::Killed(signal) => return RunResult::Failed(Fault::Killed(signal)),
        End::OutputLimit => return RunResult::Failed(Fault::OutputLimit),
        // The caller finds out by the watch that a run was stopped.
        End::TimeLimit | End::Stopped => return RunResult::Failed(Fault::TimeLimit(limits.time)),
        End::MemoryLimit => return RunResult::Failed(Fault::MemoryLimit(limits.memory.unwrap_or(0))),
    }
    let mut answers = 0;
    let mut wrong = None;
    for (word, answer) in parse_answers(judge, run) {
        let Some(answer) = answer else {
            return RunResult::Failed(Fault::Garbage(excerpt(word)));
        };
        if right.get(answers).is_some_and(|right| *right != answer) {
            wrong = wrong.or(Some((answers, answer)));
        }
        answers += 1;
    }
    match (answers.cmp(&cases), wrong) {
        (std::cmp::Ordering::Less, _) => RunResult::Failed(Fault::TooFew { answers, cases }),
        (std::cmp::Ordering::Greater, _) => RunResult::Failed(Fault::TooMany { answers, cases }),
        (std::cmp::Ordering::Equal, Some((case, answer))) => RunResult::Wrong(case, answer),
        (std::cmp::Ordering::Equal, None) => RunResult::Right,
    }
}

/// Returns the beginning of a word in printable characters.
fn excerpt(word: &[u8]) -> String {
    const MAX_BYTES: usize = 40;
    let beginning = String::from_utf8_lossy(&word[..word.len().min(MAX_BYTES)]);
    format!("{}{}", beginning.escape_debug(), if word.len() > MAX_BYTES { "…" } else { "" })
}
