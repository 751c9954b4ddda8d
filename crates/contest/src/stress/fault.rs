//! The faults that a run of a program can have.

use std::time::Duration;

use crate::judge::Judge;
use crate::program::{End, Limits, Run};

/// What a program does wrong on a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault<A> {
    /// It answers this.
    Wrong(A),
    /// It writes what is not an answer.
    Garbage(String),
    /// It ends with fewer answers than cases.
    TooFew {
        /// The number of answers.
        answers: usize,
        /// The number of cases.
        cases: usize,
    },
    /// It ends with more answers than cases.
    TooMany {
        /// The number of answers.
        answers: usize,
        /// The number of cases.
        cases: usize,
    },
    /// It writes without end, or far more than its answers take.
    OutputLimit,
    /// It ends with an exit code that is not 0.
    Exited(i32),
    /// A signal killed it.
    Killed(i32),
    /// It takes longer than the limit.
    TimeLimit(Duration),
    /// It takes more bytes of memory than the limit.
    MemoryLimit(u64),
    /// It does this now, and is right another time.
    Unsteady(Box<Fault<A>>),
}

impl<A> Fault<A> {
    /// What the program did in the run that failed: of one that is unsteady, what it does now and then.
    pub const fn seen(&self) -> &Self {
        if let Self::Unsteady(once) = self { once } else { self }
    }
}

/// What came of a run on some cases.
pub(super) enum Outcome<A> {
    /// All of them are answered rightly.
    Right,
    /// Some are answered wrongly: the first of them, and what is answered there.
    Wrong(usize, A),
    /// There is not an answer a case, or the program ended badly.
    Broken(Fault<A>),
}

/// Bytes that an answer may take, blanks around it included: far more than it needs.
const ANSWER_BYTES: usize = 64;

/// The most bytes that a run on `cases` cases may write.
pub(super) const fn most_output(cases: usize) -> usize {
    4096 + cases * ANSWER_BYTES
}

/// The words that a run wrote, or its lines, each with the answer that it is, if it is one.
pub(super) fn answers_of<'r, J: Judge>(
    judge: &'r J,
    run: &'r Run,
) -> impl Iterator<Item = (&'r [u8], Option<J::Answer>)> {
    let is_end: fn(&u8) -> bool =
        if judge.about().answers_are_lines { |byte| *byte == b'\n' } else { u8::is_ascii_whitespace };
    let words = run.output.split(is_end).map(<[u8]>::trim_ascii).filter(|word| !word.is_empty());
    words.map(|word| (word, std::str::from_utf8(word).ok().and_then(|word| judge.read_answer(word))))
}

/// Compares a run's answers with the right ones.
pub(super) fn outcome<J: Judge>(judge: &J, run: &Run, right: &[J::Answer], limits: Limits) -> Outcome<J::Answer> {
    let cases = right.len();
    match run.end {
        End::Exited(0) => {}
        End::Exited(code) => return Outcome::Broken(Fault::Exited(code)),
        End::Killed(signal) => return Outcome::Broken(Fault::Killed(signal)),
        End::OutputLimit => return Outcome::Broken(Fault::OutputLimit),
        // A run that was stopped is nobody's fault: who runs it asks the watch.
        End::TimeLimit | End::Stopped => return Outcome::Broken(Fault::TimeLimit(limits.time)),
        End::MemoryLimit => return Outcome::Broken(Fault::MemoryLimit(limits.memory.unwrap_or(0))),
    }
    let mut answers = 0;
    let mut wrong = None;
    for (word, answer) in answers_of(judge, run) {
        let Some(answer) = answer else {
            return Outcome::Broken(Fault::Garbage(shown(word)));
        };
        if right.get(answers).is_some_and(|right| *right != answer) {
            wrong = wrong.or(Some((answers, answer)));
        }
        answers += 1;
    }
    match (answers.cmp(&cases), wrong) {
        (std::cmp::Ordering::Less, _) => Outcome::Broken(Fault::TooFew { answers, cases }),
        (std::cmp::Ordering::Greater, _) => Outcome::Broken(Fault::TooMany { answers, cases }),
        (std::cmp::Ordering::Equal, Some((case, answer))) => Outcome::Wrong(case, answer),
        (std::cmp::Ordering::Equal, None) => Outcome::Right,
    }
}

/// The beginning of a word, whatever its bytes are.
fn shown(word: &[u8]) -> String {
    const MOST: usize = 40;
    let beginning = String::from_utf8_lossy(&word[..word.len().min(MOST)]);
    format!("{}{}", beginning.escape_debug(), if word.len() > MOST { "…" } else { "" })
}
