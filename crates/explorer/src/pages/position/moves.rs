//! The moves in a list, by what they are worth, and best play from here.

use balpan_games::{Answer, FamilyRules};
use maud::{Markup, html};

use crate::board::{self, Palette, Picked, Worth, Worths, can_split};
use crate::scene::{MoveView, Scene};
use crate::words::{Lang, position as say};

/// Moves that are listed at most; all can be made on the board.
const MOST_LISTED: usize = 120;

/// More moves of one value are folded away.
const MOST_OPEN: usize = 24;

/// The moves, and what is picked of one: by what they are worth; or as long as that grows, each
/// in its place.
pub(super) fn moves(lang: Lang, scene: &Scene, worths: &Worths, is_growing: bool) -> Markup {
    let picked = match (scene.game.rules(), &scene.view.board) {
        (FamilyRules::Placement(_), Some(view)) => Some(Picked::new(scene, view.board)),
        _ => None,
    };
    let all: Vec<&MoveView> = match &picked {
        Some(picked) => picked.moves.clone(),
        None => scene.view.moves.iter().collect(),
    };
    let mut sorted: Vec<(Worth, &MoveView)> = all.into_iter().map(|mv| (worths.of(&mv.text), mv)).collect();
    if !is_growing {
        sorted.sort_by_key(|(worth, _)| std::cmp::Reverse(worth.preference()));
    }
    let more = sorted.len().saturating_sub(MOST_LISTED);
    sorted.truncate(MOST_LISTED);
    html! {
        section.moves {
            h2 { (say::moves(lang)) }
            @if let Some(picked) = &picked { (picking(lang, scene, picked)) }
            @if let (Some(_), Some(view)) = (&picked, &scene.view.board) { (board::ground(view)) }
            @if can_split(&scene.view) && scene.view.board.is_none() { p.hint { (say::split_help(lang)) } }
            ul #moves.growing[is_growing] {
                @if is_growing { li.unknown {
                    // Many pictures take more room than the page has.
                    @if picked.is_some() && sorted.len() > MOST_OPEN {
                        details { summary { (say::so_many_moves(lang, sorted.len())) } (growing_group(lang, scene, &sorted)) }
                    } @else { (growing_group(lang, scene, &sorted)) }
                } }
                @else { @for (n, group) in sorted.chunk_by(|(a, _), (b, _)| a.preference() == b.preference()).enumerate() {
                    li class=(group[0].0.class()) {
                        @let sign = group[0].0.sign();
                        @if !sign.is_empty() {
                            b.sign title=(group[0].0.words(lang)) { (sign) @if group[0].0.is_best() { " ★" } }
                        }
                        // Pictures take room: those of other moves than the best are folded away.
                        @if group.len() > MOST_OPEN || picked.is_some() && n > 0 {
                            details { summary { (say::so_many_moves(lang, group.len())) } (listed(lang, scene, group)) }
                        } @else { (listed(lang, scene, group)) }
                    }
                } }
            }
            @if more > 0 { p { (say::more_moves(lang, more)) } }
        }
    }
}

/// Moves of which it is not known yet what they are worth, each in its place.
fn growing_group(lang: Lang, scene: &Scene, moves: &[(Worth, &MoveView)]) -> Markup {
    html! { span.group { @for (worth, mv) in moves { (growing(lang, scene, *worth, mv)) " " } } }
}

/// Moves of one value.
fn listed(lang: Lang, scene: &Scene, group: &[(Worth, &MoveView)]) -> Markup {
    html! { span.group { @for (worth, mv) in group { (move_link(lang, scene, *worth, mv)) " " } } }
}

/// A move with its sign, or the room for it.
fn growing(lang: Lang, scene: &Scene, worth: Worth, mv: &MoveView) -> Markup {
    let sign = worth.sign();
    html! {
        span class={ "one " (worth.class()) } {
            (move_link(lang, scene, worth, mv)) " "
            b.sign title=(worth.words(lang)) {
                @if sign.is_empty() { "·" } @else { (sign) @if worth.is_best() { " ★" } }
            }
        }
    }
}

fn move_link(lang: Lang, scene: &Scene, worth: Worth, mv: &MoveView) -> Markup {
    let best = if worth.is_best() { "best" } else { "" };
    html! {
        a class=(best) href=(scene.link.after(&mv.text).play()) data-move=(mv.text) data-outcome=[worth.outcome()]
            data-remoteness=[worth.remoteness()] aria-label=(worth.label(lang, &mv.text)) title=[is_drawn(scene).then_some(&mv.text)] {
            @match &scene.view.board {
                Some(view) if is_drawn(scene) => (board::mini(scene, view, mv.cells)),
                _ => (mv.text),
            }
        }
    }
}

/// Whether moves are listed as pictures.
const fn is_drawn(scene: &Scene) -> bool {
    matches!(scene.game.rules(), FamilyRules::Placement(_))
}

/// The same where no moves are listed.
pub(crate) fn how_to_pick(lang: Lang, scene: &Scene) -> Markup {
    match (scene.game.rules(), &scene.view.board) {
        (FamilyRules::Placement(_), Some(view)) => picking(lang, scene, &Picked::new(scene, view.board)),
        _ => html! {},
    }
}

fn picking(lang: Lang, scene: &Scene, picked: &Picked) -> Markup {
    html! {
        @if Palette::of(scene).is_some_and(|palette| palette.is_held()) {
            p.hint { (say::holding_help(lang)) }
        } @else if picked.cells == 0 {
            p.hint { (say::pick_help(lang)) }
        } @else {
            p.hint {
                @if picked.moves.is_empty() { (say::picked_none(lang)) " " }
                @if picked.complete().is_some() { (say::place_help(lang)) " " }
                a #clear href=(scene.link.of_position().play()) data-key="Escape" { (say::clear_pick(lang)) }
            }
        }
    }
}

/// Best play to the end, each step a link; or as long as it is not known, the room for it.
pub(super) fn line(lang: Lang, scene: &Scene, answer: Option<&Answer>, is_growing: bool) -> Markup {
    let mut link = scene.link.of_position();
    let steps = answer.into_iter().flat_map(|answer| &answer.line).map(|mv| {
        link = link.after(mv);
        (mv, link.play())
    });
    let steps: Vec<_> = steps.collect();
    html! {
        @if is_growing || !steps.is_empty() {
            section.line {
                h2 { (say::line(lang)) }
                ol #line {
                    @for (n, (mv, url)) in steps.iter().enumerate() {
                        li { small { (scene.history.len() + n + 1) ". " } a href=(url) data-key=[(n == 0).then_some("n")] { (mv) } }
                    }
                }
            }
        }
    }
}
