//! The panel beside the board: who wins and in how many plies, the state of the search, the moves by value, and the line of
//! best play.

use axum::http::StatusCode;
use balpan::Outcome;
use balpan_games::{Answer, ReportedValue as Bound, is_alternating};
use maud::{Markup, html};

use super::player;
use crate::answers::{Progress, Reply};
use crate::board::{self, MoveValue, MoveValues, Palette, Selection, can_split};
use crate::error::RequestError;
use crate::scene::{MoveView, Scene};
use crate::words::{Lang, grouped, position as say};

/// The result of a search so far.
pub(crate) struct SearchResult {
    reply: Reply,
    /// Whether the page was sent before the search was done. Such a page keeps room for what comes later.
    is_growing: bool,
}

impl SearchResult {
    /// # Errors
    /// The engine's, if it cannot answer the question.
    pub(crate) fn new(reply: Reply) -> Result<Self, RequestError> {
        if let Reply::Refused(error) = reply {
            return Err(error.into());
        }
        let is_growing = matches!(reply, Reply::Pending(..));
        Ok(Self { reply, is_growing })
    }

    /// Marks the page as sent before the search was done.
    pub(crate) fn growing(self) -> Self {
        Self { is_growing: true, ..self }
    }

    pub(crate) fn answer(&self) -> Option<&Answer> {
        self.reply.answer().map(|answer| &**answer)
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.reply, Reply::Pending(..))
    }

    pub(crate) fn is_growing(&self) -> bool {
        self.is_growing
    }

    /// Returns the move to play: a best one, or after a timeout at least a winning one; if possible, one that does not come
    /// back to a position of `before`.
    pub(super) fn best_move(&self, before: &[String]) -> Option<&str> {
        let answer = self.answer()?;
        let is_enough = answer.complete || answer.is_value_known() || !self.is_running();
        let is_new = |mv: &&String| {
            let after = answer.moves.iter().find(|of| of.text == **mv);
            after.is_none_or(|after| !before.contains(&after.position))
        };
        let best = answer.best.iter().find(is_new).or(answer.best.first());
        best.filter(|_| is_enough).map(String::as_str)
    }

    pub(super) fn status(&self, is_waiting: bool) -> StatusCode {
        let has_outcome = self.answer().is_some_and(|answer| answer.outcome.is_some());
        match self.reply {
            Reply::Pending(..) if is_waiting => StatusCode::ACCEPTED,
            Reply::TimedOut(..) if !has_outcome => StatusCode::UNPROCESSABLE_ENTITY,
            Reply::Busy => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::OK,
        }
    }
}

/// Says who wins, as far as that is known.
pub(super) fn sentence(lang: Lang, scene: &Scene, result: &SearchResult) -> String {
    let (over, is_running) = (scene.game.is_over(), result.is_running());
    let Some(answer) = result.answer() else {
        return say::unknown_winner(lang, is_running).to_owned();
    };
    let wins_or_draws = |is_other: bool| {
        let name = player(lang, scene, is_other).subject;
        if is_running { say::wins_or_draws_so_far(lang, name) } else { say::wins_or_draws(lang, name) }
    };
    let is_draw = |bound: &Option<Bound>| bound.as_ref().is_some_and(|bound| bound.outcome == Outcome::Draw);
    let winner = match answer.outcome {
        Some(Outcome::Win) => Some(player(lang, scene, false)),
        Some(Outcome::Loss) => Some(player(lang, scene, true)),
        Some(Outcome::Draw) => None,
        None if is_draw(&answer.within.at_least) => return wins_or_draws(false),
        None if is_draw(&answer.within.at_most) => return wins_or_draws(true),
        None => return say::unknown_winner(lang, is_running).to_owned(),
    };
    let is_known = answer.complete || answer.is_value_known();
    match (winner, answer.verdict()) {
        (Some(winner), _) if !is_known && scene.game.max_score() > 0 => say::wins_by_unknown(lang, winner.subject),
        (Some(winner), _) if !is_known && is_running => say::wins_eventually_so_far(lang, winner.subject),
        (Some(winner), _) if !is_known => say::wins_eventually(lang, winner.subject),
        (winner, verdict) => say::verdict(lang, winner, verdict.unwrap_or(Outcome::Draw.into()), over, answer.repeats),
    }
}

pub(super) fn verdict(lang: Lang, scene: &Scene, result: &SearchResult, is_marked: bool, is_locked: bool) -> Markup {
    let is_revealed = is_marked || scene.game.is_over();
    let answer = result.answer().filter(|_| is_revealed);
    let outcome = answer.and_then(|answer| answer.outcome);
    let remoteness = answer.and_then(|answer| answer.remoteness);
    let score = answer.and_then(|answer| answer.score);
    let value = MoveValue::new(answer.and_then(Answer::verdict), true);
    html! {
        section #verdict.verdict.growing[result.is_growing] data-position=(scene.position)
            data-over=[scene.game.is_over().then_some("true")] data-outcome=[outcome] data-remoteness=[remoteness]
            data-score=[score] data-complete=[answer.map(|answer| answer.complete)] {
            @if !scene.game.is_over() {
                p.turn {
                    (say::to_move(lang, player(lang, scene, false)))
                    @if scene.is_turn_kept() { " " (say::again(lang)) }
                }
            }
            @if let Some(ago) = scene.moves_since_same() { p.hint #again { (say::came_back(lang, ago)) } }
            @if is_locked { p #thinking.sentence.unknown role="status" { (say::thinking(lang)) } }
            @if is_revealed {
                p class={ "sentence " (value.class()) } role="status" { (sentence(lang, scene, result)) }
            } @else if !is_locked {
                p.hidden { (say::hidden(lang)) }
            }
            @if is_revealed || is_locked || super::is_engines_turn(scene) { (search_state(lang, scene, result, is_locked)) }
        }
    }
}

/// Shows the progress of the search, or why it has stopped.
fn search_state(lang: Lang, scene: &Scene, result: &SearchResult, is_locked: bool) -> Markup {
    html! {
        @match &result.reply {
            Reply::Pending(progress, _) => div #waiting.how-far {
                p #told { (progress_text(lang, progress)) }
                progress aria-label=(if is_locked { say::thinking(lang) } else { say::waiting(lang) })
                    value=[done_share(progress)] max="1" {}
            },
            Reply::TimedOut(timeout, _) => p.why {
                @if super::is_engines_turn(scene) { (say::no_move_found(lang)) " " }
                (say::timed_out(lang)) " ("
                (say::progress(lang, &grouped(timeout.positions), timeout.after.as_secs())) ")"
            },
            Reply::NotStarted(_) => p.why { (say::not_started(lang)) " " a #solve href=(scene.link.play()) { (say::solve(lang)) } },
            Reply::Busy => p.why role="status" { (say::busy(lang)) },
            // Keeps the room of the progress.
            Reply::Answered(answer) => @if result.is_growing {
                div.how-far { p { (say::progress(lang, &grouped(answer.positions_searched), answer.seconds as u64)) } }
            },
            Reply::Refused(_) => {}
        }
    }
}

/// The progress of a search in words.
pub(crate) fn progress_text(lang: Lang, progress: &Progress) -> String {
    match progress.ahead {
        0 => {}
        1 => return say::one_ahead(lang).to_owned(),
        n => return say::ahead(lang, n),
    }
    let text = say::progress(lang, &grouped(progress.positions), progress.seconds as u64);
    match progress.moves {
        0 | 1 => text,
        moves => format!("{text}, {}", say::moves_done(lang, progress.moves_known, moves)),
    }
}

/// Returns the part of all moves that is done.
pub(crate) fn done_share(Progress { moves_known, moves, share, .. }: &Progress) -> Option<f64> {
    (*moves > 1).then(|| (*moves_known as f64 + share.clamp(0.0, 1.0)) / *moves as f64)
}

/// Moves in the list at most; all can be made on the board.
const MAX_LISTED: usize = 120;

/// Moves of one value that are listed unfolded.
const MAX_UNFOLDED: usize = 24;

/// Lists the moves by value, or in the game's order while values are still being found.
pub(super) fn moves(lang: Lang, scene: &Scene, values: &MoveValues, is_growing: bool) -> Markup {
    let picked = selection(scene);
    let all: Vec<&MoveView> = match &picked {
        Some(picked) => picked.moves.clone(),
        None => scene.moves.iter().collect(),
    };
    let mut sorted: Vec<(MoveValue, &MoveView)> = all.into_iter().map(|mv| (values.get(&mv.text), mv)).collect();
    if !is_growing {
        sorted.sort_by_key(|(value, _)| std::cmp::Reverse(value.preference()));
    }
    let more = sorted.len().saturating_sub(MAX_LISTED);
    sorted.truncate(MAX_LISTED);
    html! {
        section.moves {
            h2 { (say::moves(lang)) }
            @if let Some(picked) = &picked { (pick_help(lang, scene, picked)) }
            @if let (Some(_), Some(view)) = (&picked, &scene.board) { (board::ground(view)) }
            @if can_split(scene) {
                // Where one token alone is never taken, only marks are picked.
                p.hint { @if board::takes_one(scene) { (say::split_help(lang)) } @else { (say::split_marks_help(lang)) } }
            }
            ul #moves.growing[is_growing] {
                @if is_growing { li.unknown {
                    // Many pictures would take too much room.
                    @if picked.is_some() && sorted.len() > MAX_UNFOLDED {
                        details { summary { (say::move_count(lang, sorted.len())) } (move_group(lang, scene, &sorted, true)) }
                    } @else { (move_group(lang, scene, &sorted, true)) }
                } }
                @else { @for (n, group) in sorted.chunk_by(|(a, _), (b, _)| a.preference() == b.preference()).enumerate() {
                    li class=(group[0].0.class()) {
                        @if group[0].0.verdict.is_some() { (sign(lang, group[0].0)) }
                        // Pictures of other moves than the best are folded, to save room.
                        @if group.len() > MAX_UNFOLDED || picked.is_some() && n > 0 {
                            details { summary { (say::move_count(lang, group.len())) } (move_group(lang, scene, group, false)) }
                        } @else { (move_group(lang, scene, group, false)) }
                    }
                } }
            }
            @if more > 0 { p { (say::more_moves(lang, more)) } }
        }
    }
}

/// Lists moves of one value; moves whose values are still being found with their signs, or with room for them.
fn move_group(lang: Lang, scene: &Scene, group: &[(MoveValue, &MoveView)], is_growing: bool) -> Markup {
    html! {
        span.group {
            @for (value, mv) in group {
                @if is_growing {
                    span class={ "one " (value.class()) } { (move_link(lang, scene, *value, mv)) " " (sign(lang, *value)) }
                } @else { (move_link(lang, scene, *value, mv)) }
                " "
            }
        }
    }
}

/// The sign of a value, with a star if it is best; a dot if it is not known yet.
fn sign(lang: Lang, value: MoveValue) -> Markup {
    let sign = value.sign();
    html! {
        b.sign title=(value.words(lang)) { @if sign.is_empty() { "·" } @else { (sign) @if value.is_best { " ★" } } }
    }
}

fn move_link(lang: Lang, scene: &Scene, value: MoveValue, mv: &MoveView) -> Markup {
    let best = if value.is_best { "best" } else { "" };
    html! {
        a class=(best) href=(scene.link.after(&mv.text).play()) data-move=(mv.text) data-outcome=[value.verdict.map(|verdict| verdict.outcome)]
            data-remoteness=[value.verdict.and_then(|verdict| verdict.remoteness)] data-score=[value.verdict.and_then(|verdict| verdict.score)] aria-label=(value.label(lang, &mv.text)) title=[is_drawn(scene).then_some(&mv.text)] {
            @match &scene.board {
                Some(view) if is_drawn(scene) => (board::mini(scene, view, mv.cells)),
                _ => (mv.text),
            }
        }
    }
}

/// Whether moves are listed as pictures.
fn is_drawn(scene: &Scene) -> bool {
    scene.game.pieces().is_some()
}

/// Returns the picked cells, in games that place pieces.
fn selection(scene: &Scene) -> Option<Selection<'_>> {
    scene.board.as_ref().filter(|_| is_drawn(scene)).map(|view| Selection::new(scene, view.board))
}

/// Explains how to place a piece, on pages without a list of moves.
pub(crate) fn pick_hint(lang: Lang, scene: &Scene) -> Markup {
    html! { @if let Some(picked) = selection(scene) { (pick_help(lang, scene, &picked)) } }
}

fn pick_help(lang: Lang, scene: &Scene, picked: &Selection) -> Markup {
    html! {
        @if Palette::new(scene).is_some_and(|palette| palette.is_held()) {
            p.hint { (say::holding_help(lang)) }
        } @else if picked.cells == 0 {
            p.hint { (say::pick_help(lang)) }
        } @else {
            p.hint {
                @if picked.moves.is_empty() { (say::nothing_fits(lang)) " " }
                @if picked.complete_move().is_some() { (say::place_help(lang)) " " }
                a #clear href=(scene.link.position_only().play()) data-key="Escape" { (say::clear_pick(lang)) }
            }
        }
    }
}

/// The line of best play as links, or room for it while it is not known.
pub(super) fn line(lang: Lang, scene: &Scene, answer: Option<&Answer>, is_growing: bool) -> Markup {
    let mut link = scene.link.position_only();
    let steps = answer.into_iter().flat_map(|answer| &answer.line).map(|mv| {
        link = link.after(mv);
        (mv, link.play())
    });
    let steps: Vec<_> = steps.collect();
    let turns = answer.map_or(&[][..], |answer| &answer.line_turns);
    // Who makes a move is said where turns do not alternate.
    let who = |n: usize| (!is_alternating(turns)).then(|| player(lang, scene, turns[n] == 1).plain);
    html! {
        @if is_growing || !steps.is_empty() {
            section.line {
                h2 { (say::line(lang)) }
                ol #line {
                    @for (n, (mv, url)) in steps.iter().enumerate() {
                        li { small { (scene.history.len() + n + 1) ". " @if let Some(who) = who(n) { (who) " " } } a href=(url) data-key=[(n == 0).then_some("n")] { (mv) } }
                    }
                }
                @if answer.is_some_and(|answer| answer.repeats) { p.hint { (say::repeats(lang)) } }
            }
        }
    }
}
