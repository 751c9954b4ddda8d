//! The JSON in which solutions are served to other machines.

use balpan::{MAX_PLIES, Outcome, Value};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::codes::Metric;
use crate::format::{Subject, VERSION};

/// All solutions that a machine serves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedList {
    /// One item for all files of one subject.
    pub solutions: Vec<ServedSolution>,
}

/// A solution that a machine serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedSolution {
    /// Its identifier: 32 hexadecimal digits, the same for the same subject and version.
    pub id: String,
    /// The version of the format: keys of other versions may mean other positions.
    pub version: u32,
    /// What is solved.
    #[serde(rename = "of")]
    pub subject: Subject,
}

/// The reply about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedPosition {
    /// Its outcome for the player to move: `win`, `draw` or `loss`; `null` if it is unknown.
    pub outcome: Option<ServedOutcome>,
    /// The plies to the end of a win or a loss.
    pub remoteness: Option<u32>,
    /// Its nimber, in a solution with nimbers.
    pub nimber: Option<u32>,
}

/// An outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "as in `Outcome`")]
pub enum ServedOutcome {
    Win,
    Draw,
    Loss,
}

impl ServedSolution {
    pub(crate) fn new(subject: Subject) -> Self {
        let Subject { game, rules, size, starts, metric, folded, plies } = &subject;
        let words = (VERSION, game, rules, size, starts, metric, folded, plies);
        let text = serde_json::to_vec(&words).unwrap_or_default();
        Self { id: format!("{:032x}", xxh3_128(&text)), version: VERSION, subject }
    }
}

impl ServedPosition {
    pub(crate) fn new(metric: Metric, value: Option<Value>, nimber: Option<u32>) -> Self {
        match metric {
            Metric::Value => Self {
                outcome: value.map(|value| match value.outcome() {
                    Outcome::Win => ServedOutcome::Win,
                    Outcome::Draw => ServedOutcome::Draw,
                    Outcome::Loss => ServedOutcome::Loss,
                }),
                remoteness: value.and_then(Value::remoteness),
                nimber: None,
            },
            Metric::Nimber => Self { nimber, ..Self::default() },
        }
    }

    /// Converts the reply to a value, if there is one; `Err` if it is inconsistent.
    pub(crate) fn value(&self) -> Result<Option<Value>, ()> {
        let plies = self.remoteness.filter(|&plies| plies <= MAX_PLIES);
        match (self.outcome, plies) {
            (None, _) => Ok(None),
            (Some(ServedOutcome::Draw), _) => Ok(Some(Value::DRAW)),
            (Some(ServedOutcome::Win), Some(plies)) => Ok(Some(Value::win(plies))),
            (Some(ServedOutcome::Loss), Some(plies)) => Ok(Some(Value::loss(plies))),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        for value in [Value::DRAW, Value::win(1), Value::loss(0), Value::win(MAX_PLIES)] {
            let told = ServedPosition::new(Metric::Value, Some(value), None);
            let text = serde_json::to_string(&told).unwrap();
            assert_eq!(serde_json::from_str::<ServedPosition>(&text).unwrap().value(), Ok(Some(value)), "{text}");
        }
        assert_eq!(ServedPosition::new(Metric::Value, None, None).value(), Ok(None));
        for lie in [r#"{"outcome":"win"}"#, r#"{"outcome":"loss","remoteness":4000000000}"#] {
            assert_eq!(serde_json::from_str::<ServedPosition>(lie).unwrap().value(), Err(()), "{lie}");
        }
    }
}
