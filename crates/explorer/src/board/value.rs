//! Values of moves, as signs and colours.

use std::collections::HashMap;

use balpan::{Outcome, Verdict};
use balpan_app::words::outcome_word;
use balpan_games::Answer;
use maud::{Markup, html};

use crate::words::{Lang, position as say};

/// The value of a move for the player who makes it, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MoveValue {
    pub(crate) verdict: Option<Verdict>,
    pub(crate) is_best: bool,
}

impl MoveValue {
    pub(crate) fn new(verdict: Option<Verdict>, is_best: bool) -> Self {
        Self { verdict, is_best: is_best && verdict.is_some() }
    }

    /// `+5` wins in 5 or by 5, `=` draws, `−4` loses in 4 or by 4.
    pub(crate) fn sign(self) -> String {
        let Some(verdict) = self.verdict else { return String::new() };
        let sign = match verdict.outcome {
            Outcome::Win => '+',
            Outcome::Draw => '=',
            Outcome::Loss => '−',
        };
        let number = verdict.remoteness.or(verdict.score.map(i32::unsigned_abs));
        number.map_or_else(|| sign.to_string(), |number| format!("{sign}{number}"))
    }

    /// The CSS classes of the colour.
    pub(crate) fn class(self) -> String {
        let outcome = self.verdict.map_or("unknown".to_owned(), |verdict| verdict.outcome.to_string());
        outcome + if self.is_best { " best" } else { "" }
    }

    /// The sign in words.
    pub(crate) fn words(self, lang: Lang) -> String {
        self.verdict.map_or_else(String::new, |verdict| say::value(lang, verdict))
    }

    /// A move in words: `1,1: win in 5, best`.
    pub(crate) fn label(self, lang: Lang, mv: &str) -> String {
        let Some(verdict) = self.verdict else {
            return mv.to_owned();
        };
        let best = if self.is_best { format!(", {}", say::best(lang)) } else { String::new() };
        let words = match verdict {
            Verdict { outcome, remoteness: Some(n), .. } => say::label_in(lang, outcome_word(lang, outcome), n),
            Verdict { outcome, score: Some(score), .. } => {
                say::label_by(lang, outcome_word(lang, outcome), score.unsigned_abs())
            }
            verdict => say::value(lang, verdict),
        };
        format!("{mv}: {words}{best}")
    }

    /// Orders values as the player prefers them.
    pub(crate) fn preference(self) -> (Option<Outcome>, i64) {
        /// More than any plies or score.
        const BEYOND: i64 = 1 << 32;
        let Some(Verdict { outcome, remoteness, score }) = self.verdict else {
            return (None, 0);
        };
        let is_won = outcome == Outcome::Win;
        let rank = match (remoteness, score) {
            (Some(plies), _) => i64::from(plies) * if is_won { -1 } else { 1 },
            // A score is worse than a win in any number of plies, and better than a loss.
            (None, Some(score)) => i64::from(score) + if is_won { -BEYOND } else { BEYOND },
            (None, None) => 0,
        };
        (Some(outcome), rank)
    }

    /// Returns the better of two values.
    pub(crate) fn better_of(self, other: Self) -> Self {
        if other.preference() > self.preference() { other } else { self }
    }
}

/// The values of all moves, as far as they are known and shown.
pub(crate) struct MoveValues<'a> {
    by_move: HashMap<&'a str, MoveValue>,
}

impl<'a> MoveValues<'a> {
    pub(crate) fn new(answer: Option<&'a Answer>) -> Self {
        let values = |answer: &'a Answer| {
            // Which of several winning moves is best depends on the plies; where all are equal, none stands out.
            let is_any_worse = answer.moves.iter().any(|mv| !answer.is_best(mv));
            let has_value = (answer.complete || answer.is_value_known()) && is_any_worse;
            answer.moves.iter().map(move |mv| {
                let is_best = has_value && answer.is_best(mv);
                (mv.text.as_str(), MoveValue::new(mv.verdict(), is_best))
            })
        };
        Self { by_move: answer.into_iter().flat_map(values).collect() }
    }

    pub(crate) fn get(&self, mv: &str) -> MoveValue {
        self.by_move.get(mv).copied().unwrap_or_default()
    }
}

/// Draws the sign of a value around a point. A best move's is filled and has a star.
pub(crate) fn badge(value: MoveValue, x: usize, y: usize) -> Markup {
    let sign = value.sign();
    if sign.is_empty() {
        return html! { circle.dot cx=(x) cy=(y) r="5" {} };
    }
    let half = 9 + 5 * sign.chars().count();
    html! {
        g class={ "badge " (value.class()) } aria-hidden="true" {
            rect x=(x - half) y=(y - 13) width=(2 * half) height="26" rx="13" {}
            text x=(x) y=(y + 5) { (sign) }
            @if value.is_best {
                text.star x=(x + half - 2) y=(y - 9) { "★" }
            }
        }
    }
}
