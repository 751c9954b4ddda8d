//! Cases of a contest's problem, and what comes of answers that a visitor's program has given to them.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::http::StatusCode;
use balpan::Watch;
use balpan_contest::stress::{Suspect, explain};
use balpan_contest::{BlockGame, Judge, NoData, Platforms, TestData, TicTacToe, Wanted, generate};
use lru::LruCache;

use crate::refusal::Refusal;
use crate::scene::start_text;
use crate::words::stress as say;
use crate::words::{Lang, refusal};

/// The problems, by their names.
pub(crate) const PROBLEMS: [&str; 3] = ["platforms", "blockgame", "tictactoe"];

/// Cases that a page shows, unless it is asked for others.
pub(crate) const CASES: usize = 50;

/// Cases of a page at most, and bytes of the answers to them.
pub(crate) const MOST_CASES: usize = 100;
pub(crate) const MOST_BYTES: usize = 4_000;

/// With fewer cases, it is not tried to show every misunderstanding.
const LEAST_COVERING: usize = 20;

/// The least number of answers that have to distinguish a misunderstanding from the truth.
const LEAST_TELLING: usize = 3;

/// Inputs that are kept.
const KEPT: NonZeroUsize = match NonZeroUsize::new(64) {
    Some(kept) => kept,
    None => NonZeroUsize::MIN,
};

/// Which cases.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wish {
    /// The problem.
    pub(crate) problem: &'static str,
    pub(crate) seed: u64,
    pub(crate) cases: usize,
}

/// A problem's cases, as its statement writes them.
pub(crate) struct Trial {
    pub(crate) input: String,
    /// The right answers, a line each.
    pub(crate) output: String,
}

/// What comes of a visitor's answers.
pub(crate) struct Compared {
    pub(crate) cases: usize,
    pub(crate) answers: usize,
    /// The number of cases that are answered correctly.
    pub(crate) right: usize,
    pub(crate) wrong: Option<Wrong>,
    /// The misunderstanding that explains the answers best, and what the problem says instead.
    pub(crate) suspect: Option<(String, &'static str)>,
}

/// The first case that is answered wrongly, which is the smallest.
pub(crate) struct Wrong {
    /// From 0.
    pub(crate) case: usize,
    /// Its position, as the game of the problem writes it.
    pub(crate) position: String,
    pub(crate) expected: String,
    pub(crate) found: String,
}

/// Does something with a problem's judge.
trait OnJudge {
    type Output;

    fn run<J: Judge>(self, judge: &J) -> Self::Output;
}

fn with_judge<T: OnJudge>(problem: &str, task: T) -> T::Output {
    match problem {
        "platforms" => task.run(&Platforms),
        "blockgame" => task.run(&BlockGame),
        _ => task.run(&TicTacToe),
    }
}

/// The cases, the same for the same wish; unless `watch` ends it.
pub(crate) fn trial(wish: &Wish, watch: &Watch) -> Result<Arc<Trial>, Refusal> {
    static MADE: LazyLock<Mutex<LruCache<Wish, Arc<Trial>>>> = LazyLock::new(|| Mutex::new(LruCache::new(KEPT)));
    let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(trial) = made().get(wish) {
        return Ok(Arc::clone(trial));
    }
    let trial = Arc::new(with_judge(wish.problem, Make(wish, watch))?);
    made().put(wish.clone(), Arc::clone(&trial));
    Ok(trial)
}

struct Make<'a>(&'a Wish, &'a Watch);

impl OnJudge for Make<'_> {
    type Output = Result<Trial, Refusal>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        let Self(Wish { seed, cases, .. }, watch) = self;
        let of = |cover| generate(judge, &Wanted { cases: *cases, seed: *seed, cover }, watch);
        // So few cases cannot show every misunderstanding.
        let data = of(*cases >= LEAST_COVERING).or_else(|error| match error {
            NoData::Stopped(_) => Err(error),
            NoData::TooFew { .. } | NoData::NotFound { .. } => of(false),
        });
        let busy = |_| Refusal::told(StatusCode::SERVICE_UNAVAILABLE, refusal::busy);
        let TestData { cases, answers, .. } = data.map_err(busy)?;
        Ok(Trial { input: judge.write(&cases), output: answers.iter().map(|answer| format!("{answer}\n")).collect() })
    }
}

/// What comes of the answers, as a program has written them.
pub(crate) fn compared(lang: Lang, problem: &str, trial: &Trial, written: &str) -> Result<Compared, Refusal> {
    if written.len() > MOST_BYTES {
        return Err(Refusal::told(StatusCode::BAD_REQUEST, |lang| say::too_long(lang, written.len(), MOST_BYTES)));
    }
    with_judge(problem, Compare { lang, trial, written })
}

struct Compare<'a> {
    lang: Lang,
    trial: &'a Trial,
    written: &'a str,
}

impl OnJudge for Compare<'_> {
    type Output = Result<Compared, Refusal>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        let Self { lang, trial, written } = self;
        let cases: Vec<J::Case> = judge.read(trial.input.as_bytes()).filter_map(Result::ok).collect();
        let right: Vec<J::Answer> = trial.output.lines().filter_map(|line| judge.read_answer(line)).collect();
        let theirs = answers(judge, written)?;
        let pairs = || right.iter().zip(&theirs);
        let first = pairs().position(|(right, theirs)| right != theirs);
        // Two answers are soon explained by chance.
        let is_told = |suspect: &Suspect<J>| suspect.of >= LEAST_TELLING || suspect.mistake.miscounts().is_some();
        let suspect = explain(judge, &cases, &right, &theirs).into_iter().find(is_told);
        Ok(Compared {
            cases: cases.len(),
            answers: theirs.len(),
            right: pairs().filter(|(right, theirs)| right == theirs).count(),
            wrong: first.map(|case| Wrong {
                case,
                position: start_text(&judge.game(&cases[case])),
                expected: right[case].to_string(),
                found: theirs[case].to_string(),
            }),
            suspect: suspect.map(|suspect| (suspect.mistake.name_in(lang), suspect.mistake.remedy_in(lang))),
        })
    }
}

/// The answers, one a word.
fn answers<J: Judge>(judge: &J, written: &str) -> Result<Vec<J::Answer>, Refusal> {
    let mut answers = Vec::new();
    for word in written.split_whitespace() {
        let answer = judge.read_answer(word).ok_or_else(|| {
            let n = answers.len() + 1;
            let start = word.as_ptr() as usize - written.as_ptr() as usize;
            let told = Refusal::told(StatusCode::BAD_REQUEST, |lang| say::no_answer(lang, n, &judge.about().name));
            Refusal { text: Some((written.to_owned(), start..start + word.len())), ..told }
        })?;
        answers.push(answer);
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    fn made(problem: &'static str, cases: usize) -> Arc<Trial> {
        trial(&Wish { problem, seed: 7, cases }, &Watch::default()).unwrap()
    }

    #[test]
    fn right_answers_are_right_and_wrong_ones_are_shown() {
        for problem in PROBLEMS {
            let trial = made(problem, CASES);
            let of = |written: &str| compared(Lang::En, problem, &trial, written).unwrap();
            let all = of(&trial.output);
            assert_eq!((all.right, all.cases, all.answers), (CASES, CASES, CASES), "{problem}");
            assert!(all.wrong.is_none() && all.suspect.is_none());
            let mut lines: Vec<&str> = trial.output.lines().collect();
            let other = *lines.iter().find(|line| **line != lines[9]).unwrap();
            lines[9] = other;
            let one = of(&lines.join("\r\n"));
            let wrong = one.wrong.unwrap();
            assert_eq!((one.right, wrong.case, wrong.found.as_str()), (CASES - 1, 9, other), "{problem}");
            // What is missing at the end is not wrong.
            let few = of(&lines[..9].join(" "));
            assert_eq!((few.right, few.answers, few.wrong.is_none()), (9, 9, true));
        }
    }

    #[test]
    fn the_same_wish_gives_the_same_cases() {
        let again =
            || with_judge("tictactoe", Make(&Wish { problem: "tictactoe", seed: 3, cases: 5 }, &Watch::default()));
        assert_eq!(again().unwrap().input, again().unwrap().input);
        assert!(again().unwrap().input.starts_with("5\n"));
    }

    #[test]
    fn a_misunderstanding_is_named() {
        let trial = made("blockgame", CASES);
        let cases: Vec<_> = BlockGame.read(trial.input.as_bytes()).map(Result::unwrap).collect();
        let mistake = BlockGame.mistakes().into_iter().find(|mistake| mistake.name == "a misère ending").unwrap();
        let theirs = mistake.answers(&cases).into_iter().zip(trial.output.lines());
        let theirs: Vec<_> = theirs
            .map(|(answer, right)| answer.map_or_else(|| right.to_owned(), |answer| answer.to_string()))
            .collect();
        let found = compared(Lang::Ko, "blockgame", &trial, &theirs.join("\n")).unwrap();
        assert_eq!(found.suspect.unwrap().0, "마지막에 두는 쪽이 진다고 봄");
        assert!(found.right < CASES && found.wrong.is_some());
    }

    #[test]
    fn what_is_no_answer_is_shown_where_it_stands() {
        let refusal = compared(Lang::En, "blockgame", &made("blockgame", CASES), "WINNING\nlosing").err().unwrap();
        assert_eq!(refusal.text.unwrap().1, 8..14);
        assert!(refusal.message.contains("answer 2"), "{}", refusal.message);
        let long = "1 ".repeat(MOST_BYTES);
        assert!(compared(Lang::En, "platforms", &made("platforms", CASES), &long).is_err());
    }
}
