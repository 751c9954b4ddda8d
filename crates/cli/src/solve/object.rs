//! An answer as programs read it.

use balpan_games::Answer;
use serde::Serialize;

use super::score::Scale;

/// The answer, and what the command adds to it; the field names are part of the command's
/// contract.
#[derive(Serialize)]
pub(crate) struct Object {
    #[serde(flatten)]
    answer: Answer,
    /// The score, if it was asked for; null if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Option<i64>>,
}

impl Object {
    /// The answer by these rules, with its score if that is asked for.
    pub(crate) fn new(answer: Answer, rules: &[String], scale: Option<Scale>) -> Self {
        let score = scale.map(|scale| scale.score(&answer));
        Self { answer: Answer { rules: rules.to_vec(), ..answer }, score }
    }
}
