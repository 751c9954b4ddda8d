//! What there is to tell of a position: who wins, in how many plies, how far the search is,
//! or why it does not go on.

use std::sync::Arc;

use axum::http::StatusCode;
use balpan::Outcome;
use balpan_games::{Answer, Worth as Bound};
use maud::{Markup, html};

use super::player;
use crate::answers::{GivenUp, Progress, Reply};
use crate::board::Worth;
use crate::refusal::Refusal;
use crate::scene::Scene;
use crate::words::{Lang, grouped, position as say};

/// What there is to tell of a position.
pub(crate) struct Told {
    answer: Option<Arc<Answer>>,
    waiting: Waiting,
    /// Whether the page was shown before all was known: what comes later has its room there.
    is_growing: bool,
}

/// Why the answer is not complete.
enum Waiting {
    /// It is.
    No,
    Going(Progress),
    GivenUp(GivenUp),
    /// It is not begun for a link from another site.
    Left,
    Busy,
}

impl Told {
    pub(crate) fn of(reply: Reply) -> Result<Self, Refusal> {
        let (answer, waiting) = match reply {
            Reply::Answered(answer) => (Some(answer), Waiting::No),
            Reply::NotYet(progress, known) => (known, Waiting::Going(progress)),
            Reply::GivenUp(spent, known) => (known, Waiting::GivenUp(spent)),
            Reply::Left(known) => (known, Waiting::Left),
            Reply::Busy => (None, Waiting::Busy),
            Reply::Refused(no_answer) => return Err(no_answer.into()),
        };
        let is_growing = matches!(waiting, Waiting::Going(_));
        Ok(Self { answer, waiting, is_growing })
    }

    /// On a page that was shown before.
    pub(crate) fn growing(self) -> Self {
        Self { is_growing: true, ..self }
    }

    pub(crate) fn answer(&self) -> Option<&Answer> {
        self.answer.as_deref()
    }

    pub(crate) fn is_going(&self) -> bool {
        matches!(self.waiting, Waiting::Going(_))
    }

    pub(crate) fn is_growing(&self) -> bool {
        self.is_growing
    }

    /// A move that is best; of one who wins and was given up on, at least a winning one.
    pub(super) fn move_to_make(&self) -> Option<&str> {
        let answer = self.answer()?;
        let is_value_known = answer.remoteness.is_some() || answer.outcome == Some(Outcome::Draw);
        let is_enough = answer.complete || is_value_known || !self.is_going();
        answer.best.first().filter(|_| is_enough).map(String::as_str)
    }

    pub(super) fn status(&self, is_waiting: bool) -> StatusCode {
        match self.waiting {
            Waiting::Going(_) if is_waiting => StatusCode::ACCEPTED,
            Waiting::GivenUp(_) if self.answer().is_none_or(|answer| answer.outcome.is_none()) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Waiting::Busy => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::OK,
        }
    }
}

/// Who wins, as far as that is known.
pub(super) fn sentence(lang: Lang, scene: &Scene, told: &Told) -> String {
    let (over, is_going) = (scene.view.over, told.is_going());
    let Some(answer) = told.answer() else {
        return say::who_wins_is_not_known(lang, is_going).to_owned();
    };
    let is_other = match answer.outcome {
        Some(Outcome::Win) => Some(false),
        Some(Outcome::Loss) => Some(true),
        Some(Outcome::Draw) => None,
        None => {
            let is_draw = |bound: &Bound| bound.outcome == Outcome::Draw;
            let within = answer.within;
            return if within.at_least.as_ref().is_some_and(is_draw) {
                say::wins_or_draws(lang, player(lang, scene, false), is_going)
            } else if within.at_most.as_ref().is_some_and(is_draw) {
                say::wins_or_draws(lang, player(lang, scene, true), is_going)
            } else {
                say::who_wins_is_not_known(lang, is_going).to_owned()
            };
        }
    };
    let winner = is_other.map(|is_other| player(lang, scene, is_other));
    match winner {
        Some(winner) if !answer.complete && answer.remoteness.is_none() => say::wins_some_time(lang, winner, is_going),
        _ => say::verdict(lang, winner, answer.remoteness, over),
    }
}

pub(super) fn verdict(lang: Lang, scene: &Scene, told: &Told, is_marked: bool, is_locked: bool) -> Markup {
    let is_told = is_marked || scene.view.over;
    let answer = told.answer().filter(|_| is_told);
    let outcome = answer.and_then(|answer| answer.outcome);
    let remoteness = answer.and_then(|answer| answer.remoteness);
    let worth = outcome.map(|outcome| Worth::new(outcome, remoteness, true)).unwrap_or_default();
    html! {
        section #verdict.verdict.growing[told.is_growing] data-position=(scene.view.position)
            data-over=[scene.view.over.then_some("true")] data-outcome=[outcome] data-remoteness=[remoteness]
            data-complete=[answer.map(|answer| answer.complete)] {
            @if !scene.view.over { p.turn { (say::to_move(lang, player(lang, scene, false))) } }
            @if is_locked { p #thinking.sentence.unknown role="status" { (say::thinking(lang)) } }
            @if is_told {
                p class={ "sentence " (worth.class()) } role="status" { (sentence(lang, scene, told)) }
            } @else if !is_locked {
                p.hidden { (say::hidden(lang)) }
            }
            @if is_told || is_locked || super::is_perfect_players_turn(scene) { (how_far(lang, scene, told, is_locked)) }
        }
    }
}

/// How far the search is, or why it does not go on.
fn how_far(lang: Lang, scene: &Scene, told: &Told, is_locked: bool) -> Markup {
    html! {
        @match &told.waiting {
            Waiting::Going(progress) => div #waiting.how-far {
                p #told { (progress_told(lang, progress)) }
                progress aria-label=(if is_locked { say::thinking(lang) } else { say::waiting(lang) })
                    value=[done(progress)] max="1" {}
            },
            // The room that it took.
            Waiting::No => @if told.is_growing { div.how-far {} },
            Waiting::GivenUp(spent) => p.why {
                @if super::is_perfect_players_turn(scene) { (say::no_move_found(lang)) " " }
                (say::given_up(lang)) " ("
                (say::progress(lang, &grouped(spent.positions), spent.after.as_secs())) ")"
            },
            Waiting::Left => p.why { (say::left(lang)) " " a #solve href=(scene.link.play()) { (say::solve(lang)) } },
            Waiting::Busy => p.why role="status" { (say::busy(lang)) },
        }
    }
}

/// How far a search is.
pub(crate) fn progress_told(lang: Lang, progress: &Progress) -> String {
    if progress.ahead > 0 {
        return say::ahead(lang, progress.ahead);
    }
    let told = say::progress(lang, &grouped(progress.positions), progress.elapsed.as_secs());
    match progress.moves {
        (_, 0 | 1) => told,
        (done, all) => format!("{told}, {}", say::moves_done(lang, done, all)),
    }
}

/// Which part of all moves is done.
pub(crate) fn done(progress: &Progress) -> Option<f64> {
    let (done, all) = progress.moves;
    let of_this = progress.share.clamp(0.0, 1.0);
    (all > 1).then(|| (done as f64 + of_this) / all as f64)
}
