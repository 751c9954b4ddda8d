//! Answers of a [`CustomGame`](super::CustomGame), and their kinds.

use std::fmt::{self, Display};
use std::str::FromStr;

use balpan::{Goal, MAX_PLIES, Outcome, Value, Verdict};
use balpan_games::{NimValue, Query};

/// The kind of answer that a program has to give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AnswerKind {
    /// The outcome for the player to move: `win`, `draw` or `loss`.
    #[default]
    Outcome,
    /// The outcome and the plies to the end: `win 5`, `draw`, `loss 4`; or the score: `win by 3`.
    Value,
    /// The nimber of an impartial game; of a misère game, the misère value.
    Nimber,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The outcome for the player to move.
    Outcome(Outcome),
    /// The outcome and, unless it is a draw or a score, the plies to the end.
    Value(Outcome, Option<u32>),
    /// The score, which is not 0.
    Score(i32),
    /// The nimber, or the misère value.
    Nimber(u64),
}

impl AnswerKind {
    /// Returns the question whose answer contains this kind, and a line of best play.
    pub(super) const fn question(self) -> Query {
        Query { goal: Some(Goal::Value), nim_value: matches!(self, Self::Nimber) }
    }
}

impl Answer {
    /// Extracts the answer of this kind from a complete answer of an engine.
    pub(super) fn from_engine(kind: AnswerKind, answer: &balpan_games::Answer) -> Option<Self> {
        match kind {
            AnswerKind::Outcome => answer.outcome.map(Self::Outcome),
            AnswerKind::Value => {
                let value = |verdict: Verdict| match verdict.score {
                    Some(score) => Self::Score(score),
                    None => Self::Value(verdict.outcome, verdict.remoteness),
                };
                answer.verdict().map(value)
            }
            AnswerKind::Nimber => {
                answer.nim_value.map(|(NimValue::Nimber(number) | NimValue::MisereValue(number))| Self::Nimber(number))
            }
        }
    }

    /// Parses a line of a program's output.
    pub(super) fn parse(kind: AnswerKind, line: &str) -> Option<Self> {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        let outcome = |word: &str| {
            [Outcome::Win, Outcome::Draw, Outcome::Loss].into_iter().find(|outcome| outcome.to_string() == word)
        };
        match (kind, &words[..]) {
            (AnswerKind::Outcome, [word]) => outcome(word).map(Self::Outcome),
            (AnswerKind::Value, ["draw"]) => Some(Self::Value(Outcome::Draw, None)),
            (AnswerKind::Value, [word, plies]) => {
                let outcome = outcome(word).filter(|outcome| *outcome != Outcome::Draw)?;
                let plies = number(plies).filter(|plies| *plies <= MAX_PLIES)?;
                Some(Self::Value(outcome, Some(plies)))
            }
            (AnswerKind::Value, [word, "by", points]) => {
                let points = number(points).filter(|points: &i32| *points > 0)?;
                match outcome(word)? {
                    Outcome::Win => Some(Self::Score(points)),
                    Outcome::Draw => None,
                    Outcome::Loss => Some(Self::Score(-points)),
                }
            }
            (AnswerKind::Nimber, [word]) => number(word).map(Self::Nimber),
            _ => None,
        }
    }
}

/// Parses a number without a sign or leading zeros.
fn number<N: FromStr + ToString>(word: &str) -> Option<N> {
    word.parse().ok().filter(|number: &N| number.to_string() == word)
}

impl Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) | Self::Value(outcome, None) => write!(f, "{outcome}"),
            Self::Value(outcome, Some(plies)) => write!(f, "{outcome} {plies}"),
            Self::Score(score) => write!(f, "{}", Value::from_score(*score)),
            Self::Nimber(number) => write!(f, "{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_answers_parse_back() {
        let answers = [
            (AnswerKind::Outcome, Answer::Outcome(Outcome::Loss)),
            (AnswerKind::Value, Answer::Value(Outcome::Win, Some(5))),
            (AnswerKind::Value, Answer::Value(Outcome::Loss, Some(0))),
            (AnswerKind::Value, Answer::Value(Outcome::Draw, None)),
            (AnswerKind::Value, Answer::Score(3)),
            (AnswerKind::Value, Answer::Score(-4)),
            (AnswerKind::Nimber, Answer::Nimber(7)),
        ];
        for (kind, answer) in answers {
            assert_eq!(Answer::parse(kind, &answer.to_string()), Some(answer));
        }
        for (kind, line) in [
            (AnswerKind::Outcome, "win 5"),
            (AnswerKind::Value, "win"),
            (AnswerKind::Value, "draw 0"),
            (AnswerKind::Value, "win by 0"),
        ] {
            assert_eq!(Answer::parse(kind, line), None, "{line}");
        }
        assert_eq!(Answer::parse(AnswerKind::Nimber, "-1"), None);
    }
}
