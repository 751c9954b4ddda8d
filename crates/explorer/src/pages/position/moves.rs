//! The list of moves by value, and the line of best play.

use balpan_games::Answer;
use maud::{Markup, html};

use crate::board::{self, MoveValue, MoveValues, Palette, Selection, can_split};
use crate::scene::{MoveView, Scene};
use crate::words::{Lang, position as say};

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
            @if can_split(scene) { p.hint { (say::split_help(lang)) } }
            ul #moves.growing[is_growing] {
                @if is_growing { li.unknown {
                    // Many pictures would take too much room.
                    @if picked.is_some() && sorted.len() > MAX_UNFOLDED {
                        details { summary { (say::move_count(lang, sorted.len())) } (growing_group(lang, scene, &sorted)) }
                    } @else { (growing_group(lang, scene, &sorted)) }
                } }
                @else { @for (n, group) in sorted.chunk_by(|(a, _), (b, _)| a.preference() == b.preference()).enumerate() {
                    li class=(group[0].0.class()) {
                        @let sign = group[0].0.sign();
                        @if !sign.is_empty() {
                            b.sign title=(group[0].0.words(lang)) { (sign) @if group[0].0.is_best() { " ★" } }
                        }
                        // Pictures of other moves than the best are folded, to save room.
                        @if group.len() > MAX_UNFOLDED || picked.is_some() && n > 0 {
                            details { summary { (say::move_count(lang, group.len())) } (move_group(lang, scene, group)) }
                        } @else { (move_group(lang, scene, group)) }
                    }
                } }
            }
            @if more > 0 { p { (say::more_moves(lang, more)) } }
        }
    }
}

/// Lists moves whose values are still being found.
fn growing_group(lang: Lang, scene: &Scene, moves: &[(MoveValue, &MoveView)]) -> Markup {
    html! { span.group { @for (value, mv) in moves { (growing_move(lang, scene, *value, mv)) " " } } }
}

/// Lists moves of one value.
fn move_group(lang: Lang, scene: &Scene, group: &[(MoveValue, &MoveView)]) -> Markup {
    html! { span.group { @for (value, mv) in group { (move_link(lang, scene, *value, mv)) " " } } }
}

/// Shows a move with its sign, or with room for it.
fn growing_move(lang: Lang, scene: &Scene, value: MoveValue, mv: &MoveView) -> Markup {
    let sign = value.sign();
    html! {
        span class={ "one " (value.class()) } {
            (move_link(lang, scene, value, mv)) " "
            b.sign title=(value.words(lang)) {
                @if sign.is_empty() { "·" } @else { (sign) @if value.is_best() { " ★" } }
            }
        }
    }
}

fn move_link(lang: Lang, scene: &Scene, value: MoveValue, mv: &MoveView) -> Markup {
    let best = if value.is_best() { "best" } else { "" };
    html! {
        a class=(best) href=(scene.link.after(&mv.text).play()) data-move=(mv.text) data-outcome=[value.outcome()]
            data-remoteness=[value.remoteness()] aria-label=(value.label(lang, &mv.text)) title=[is_drawn(scene).then_some(&mv.text)] {
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
