//! What is asked of a position, and what is answered.

use std::fmt::{self, Display};

use balpan::{Goal, MAX_PLIES, Outcome};
use balpan_games::{Number, Question};

/// What a program has to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// Who wins: `win`, `draw` or `loss`, for the player to move.
    #[default]
    Outcome,
    /// The same, and in how many plies: `win 5`, `draw`, `loss 4`.
    Value,
    /// The nimber of an impartial game; of a misère game, the misère value.
    Nimber,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// For the player to move.
    Outcome(Outcome),
    /// With the plies to the end, if it is no draw.
    Value(Outcome, Option<u32>),
    /// A nimber.
    Nimber(u32),
}

impl Wanted {
    /// The question that is answered by this, and by a line of best play.
    pub(super) const fn question(self) -> Question {
        Question { ask: Some(Goal::Value), number: matches!(self, Self::Nimber) }
    }
}

impl Answer {
    /// What is wanted of a complete answer.
    pub(super) fn of(wanted: Wanted, known: &balpan_games::Answer) -> Option<Self> {
        match wanted {
            Wanted::Outcome => known.outcome.map(Self::Outcome),
            Wanted::Value => known.outcome.map(|outcome| Self::Value(outcome, known.remoteness)),
            Wanted::Nimber => {
                known.number.map(|(Number::Nimber(number) | Number::MisereValue(number))| Self::Nimber(number))
            }
        }
    }

    /// Reads what a program wrote on a line.
    pub(super) fn read(wanted: Wanted, line: &str) -> Option<Self> {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        let outcome = |word: &str| {
            [Outcome::Win, Outcome::Draw, Outcome::Loss].into_iter().find(|outcome| outcome.to_string() == word)
        };
        match (wanted, &words[..]) {
            (Wanted::Outcome, [word]) => outcome(word).map(Self::Outcome),
            (Wanted::Value, ["draw"]) => Some(Self::Value(Outcome::Draw, None)),
            (Wanted::Value, [word, plies]) => {
                let outcome = outcome(word).filter(|outcome| *outcome != Outcome::Draw)?;
                let plies = number(plies).filter(|plies| *plies <= MAX_PLIES)?;
                Some(Self::Value(outcome, Some(plies)))
            }
            (Wanted::Nimber, [word]) => number(word).map(Self::Nimber),
            _ => None,
        }
    }
}

/// A number as it is written, without a sign or zeros before it.
fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|number: &u32| number.to_string() == word)
}

impl Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) | Self::Value(outcome, None) => write!(f, "{outcome}"),
            Self::Value(outcome, Some(plies)) => write!(f, "{outcome} {plies}"),
            Self::Nimber(number) => write!(f, "{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_back() {
        let answers = [
            (Wanted::Outcome, Answer::Outcome(Outcome::Loss)),
            (Wanted::Value, Answer::Value(Outcome::Win, Some(5))),
            (Wanted::Value, Answer::Value(Outcome::Loss, Some(0))),
            (Wanted::Value, Answer::Value(Outcome::Draw, None)),
            (Wanted::Nimber, Answer::Nimber(7)),
        ];
        for (wanted, answer) in answers {
            assert_eq!(Answer::read(wanted, &answer.to_string()), Some(answer));
        }
        for (wanted, line) in [(Wanted::Outcome, "win 5"), (Wanted::Value, "win"), (Wanted::Value, "draw 0")] {
            assert_eq!(Answer::read(wanted, line), None, "{line}");
        }
        assert_eq!(Answer::read(Wanted::Nimber, "-1"), None);
    }
}
