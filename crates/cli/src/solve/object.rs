//! An answer as JSON.

use balpan_games::Answer;
use serde::Serialize;

use super::score::ScoreScale;

/// An answer as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
pub(crate) struct Object {
    #[serde(flatten)]
    answer: Answer,
    /// The score, with `--score`; null if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Option<i64>>,
}

impl Object {
    /// Adds the non-default rules, and the score if there is a scale.
    pub(crate) fn new(answer: Answer, rules: &[String], scale: Option<ScoreScale>) -> Self {
        let score = scale.map(|scale| scale.score(&answer));
        Self { answer: Answer { rules: rules.to_vec(), ..answer }, score }
    }
}
