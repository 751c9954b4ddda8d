//! What a move is worth, as a sign and a colour.

use std::collections::HashMap;

use balpan::Outcome;
use balpan_games::Answer;
use maud::{Markup, html};

use crate::words::{Lang, position as say};

/// What a move is worth, if that is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Worth {
    verdict: Option<(Outcome, Option<u32>)>,
    is_best: bool,
}

impl Worth {
    pub(crate) fn new(outcome: Outcome, remoteness: Option<u32>, is_best: bool) -> Self {
        Self { verdict: Some((outcome, remoteness)), is_best }
    }

    /// `+5` wins in 5, `=` draws, `−4` loses in 4.
    pub(crate) fn sign(self) -> String {
        let sign = match self.verdict {
            None => return String::new(),
            Some((Outcome::Win, _)) => '+',
            Some((Outcome::Draw, _)) => '=',
            Some((Outcome::Loss, _)) => '−',
        };
        match self.verdict {
            Some((_, Some(plies))) => format!("{sign}{plies}"),
            _ => sign.to_string(),
        }
    }

    /// The class of its colour.
    pub(crate) fn class(self) -> &'static str {
        match (self.verdict, self.is_best) {
            (None, _) => "unknown",
            (Some((Outcome::Win, _)), true) => "win best",
            (Some((Outcome::Draw, _)), true) => "draw best",
            (Some((Outcome::Loss, _)), true) => "loss best",
            (Some((Outcome::Win, _)), false) => "win",
            (Some((Outcome::Draw, _)), false) => "draw",
            (Some((Outcome::Loss, _)), false) => "loss",
        }
    }

    /// A move in words: `1,1: win in 5, best`.
    pub(crate) fn label(self, lang: Lang, mv: &str) -> String {
        let Some((outcome, remoteness)) = self.verdict else {
            return mv.to_owned();
        };
        let best = if self.is_best { format!(", {}", say::best(lang)) } else { String::new() };
        format!("{mv}: {}{best}", say::worth(lang, outcome, remoteness))
    }

    pub(crate) fn is_best(self) -> bool {
        self.is_best
    }

    /// Its sign in words.
    pub(crate) fn words(self, lang: Lang) -> String {
        self.verdict.map_or_else(String::new, |(outcome, remoteness)| say::worth(lang, outcome, remoteness))
    }

    pub(crate) fn outcome(self) -> Option<String> {
        self.verdict.map(|(outcome, _)| outcome.to_string())
    }

    pub(crate) fn remoteness(self) -> Option<u32> {
        self.verdict?.1
    }

    /// What the player to move prefers is more.
    pub(crate) fn preference(self) -> (Option<Outcome>, i64) {
        let Some((outcome, remoteness)) = self.verdict else {
            return (None, 0);
        };
        let plies = i64::from(remoteness.unwrap_or(0));
        (Some(outcome), if outcome == Outcome::Win { -plies } else { plies })
    }

    /// The better of two, for the player who makes the move.
    pub(crate) fn or_better(self, other: Self) -> Self {
        if other.preference() > self.preference() { other } else { self }
    }
}

/// What all moves are worth, as far as that is known and shown.
pub(crate) struct Worths<'a> {
    by_move: HashMap<&'a str, Worth>,
}

impl<'a> Worths<'a> {
    pub(crate) fn new(answer: Option<&'a Answer>) -> Self {
        let worth = |answer: &'a Answer| {
            // Of moves that win, which one is best is known with the plies.
            let is_value = answer.complete || answer.remoteness.is_some() || answer.outcome == Some(Outcome::Draw);
            let of = move |mv: &'a balpan_games::WorthOfMove| {
                let worth =
                    mv.outcome.map(|outcome| Worth::new(outcome, mv.remoteness, is_value && answer.is_best(mv)));
                (mv.text.as_str(), worth.unwrap_or_default())
            };
            answer.moves.iter().map(of)
        };
        Self { by_move: answer.into_iter().flat_map(worth).collect() }
    }

    pub(crate) fn of(&self, mv: &str) -> Worth {
        self.by_move.get(mv).copied().unwrap_or_default()
    }
}

/// The sign of a worth around a point; a best one is filled, and has a star.
pub(crate) fn badge(worth: Worth, x: usize, y: usize) -> Markup {
    let sign = worth.sign();
    if sign.is_empty() {
        return html! { circle.dot cx=(x) cy=(y) r="5" {} };
    }
    let half = 9 + 5 * sign.chars().count();
    html! {
        g class={ "badge " (worth.class()) } aria-hidden="true" {
            rect x=(x - half) y=(y - 13) width=(2 * half) height="26" rx="13" {}
            text x=(x) y=(y + 5) { (sign) }
            @if worth.is_best() {
                text.star x=(x + half - 2) y=(y - 9) { "★" }
            }
        }
    }
}
