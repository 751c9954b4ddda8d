//! Heaps of tokens, each drawn as a row. A click on a token leaves the tokens to its left, if that is a move. If heaps
//! can be split, a click takes the token itself, and a click on a mark below the row takes the neighbours above it.

use maud::{Markup, html};

use super::value::{MoveValues, badge};
use super::{display_size, move_link};
use crate::scene::Scene;
use crate::words::{Lang, position as say};

/// A token's width and a row's height. A link is as large: 40 pixels and more on a phone.
const TOKEN: usize = 44;
const ROW: usize = 48;
const MARGIN: usize = 28;

/// The height of each row of marks, one row for each number of neighbours.
const LEVEL: usize = 44;

/// Neighbours that one click can take; moves that take more are only in the list.
const MAX_TAKEN: usize = 4;

/// Tokens in a row of the picture; a larger heap continues in the next row.
const PER_ROW: usize = 7;

/// Whether a move can split a heap in two.
pub(crate) fn can_split(scene: &Scene) -> bool {
    scene.board.is_none() && scene.moves.iter().any(|mv| mv.text.contains('+'))
}

/// Whether a move takes one token alone.
pub(crate) fn takes_one(scene: &Scene) -> bool {
    let heaps = scene.game.heaps().unwrap_or_default();
    heaps.iter().any(|heap| runs(*heap, 1).any(|(_, text)| is_move(scene, &text)))
}

/// Returns how many neighbours a click can take; 0 if heaps cannot be split.
fn max_taken(scene: &Scene) -> usize {
    if !can_split(scene) {
        return 0;
    }
    let heaps = scene.game.heaps().unwrap_or_default();
    let widest = heaps.iter().copied().max().unwrap_or(0).into();
    let is_taken = |&taken: &usize| heaps.iter().any(|&heap| runs(heap, taken).any(|(_, text)| is_move(scene, &text)));
    (1..=MAX_TAKEN.min(widest)).rev().find(is_taken).unwrap_or(0)
}

fn is_move(scene: &Scene, text: &str) -> bool {
    scene.moves.iter().any(|mv| mv.text == text)
}

/// Lists the moves that take `taken` neighbours out of a heap, by the first of them, whether legal or not.
fn runs(heap: u16, taken: usize) -> impl Iterator<Item = (usize, String)> {
    let left = usize::from(heap).checked_sub(taken);
    left.into_iter().flat_map(move |left| {
        (0..=left).map(move |first| {
            let (small, large) = (first.min(left - first), first.max(left - first));
            let text = if small > 0 { format!("{heap}>{large}+{small}") } else { format!("{heap}>{large}") };
            (first, text)
        })
    })
}

/// Draws the heaps of the scene, with its moves as links and their values; without `values`, no move can be made.
pub(crate) fn heaps(lang: Lang, scene: &Scene, heaps: &[u16], values: Option<&MoveValues>) -> Markup {
    let max_taken = max_taken(scene);
    let row = ROW + max_taken.saturating_sub(1) * LEVEL;
    let rows = |heap: u16| usize::from(heap).div_ceil(PER_ROW).max(1);
    let height = heaps.iter().map(|heap| rows(*heap)).sum::<usize>().max(1) * row + 8;
    let widest = heaps.iter().map(|heap| usize::from(*heap).min(PER_ROW)).max().unwrap_or(0).max(4);
    // The mark of tokens in two rows stands beyond the end of the first.
    let width = MARGIN + widest * TOKEN + if max_taken > 1 { 24 } else { 8 };
    let tops = heaps.iter().scan(4, |top, heap| {
        let here = *top;
        *top += rows(*heap) * row;
        Some(here)
    });
    let listed: Vec<_> = heaps.iter().map(u16::to_string).collect();
    html! {
        svg #board.board.heaps viewBox={ "0 0 " (width) " " (height) } width=(display_size(width)) height=(display_size(height))
            role="group" aria-label=(say::heaps_label(lang)) aria-describedby="board-text" {
            @for (heap, top) in heaps.iter().zip(tops) {
                g.numbers aria-hidden="true" { text x="12" y=(top + ROW / 2 + 5) { (heap) } }
                @if max_taken == 0 {
                    @for n in 0..usize::from(*heap) { (token(lang, scene, values, *heap, n, top)) }
                } @else {
                    @for token in 0..usize::from(*heap) { (stone(place(token, top, row))) }
                    @if let Some(values) = values {
                        @for taken in 1..=max_taken {
                            @for (first, text) in runs(*heap, taken).filter(|(_, text)| is_move(scene, text)) {
                                (run(lang, scene, values, &text, taken, place(first, top, row)))
                            }
                        }
                    }
                }
            }
        }
        p #board-text.unseen { (listed.join(", ")) }
    }
}

/// Draws a token, which is a link if a move leaves the tokens to its left.
fn token(lang: Lang, scene: &Scene, values: Option<&MoveValues>, heap: u16, n: usize, top: usize) -> Markup {
    let (x, y) = place(n, top, ROW);
    let text = format!("{heap}>{n}");
    match values.filter(|_| is_move(scene, &text)) {
        Some(values) => {
            let inside = html! { (stone((x, y))) (target((x, y), 1)) (small(badge(values.get(&text), x, y), x, y)) };
            move_link(lang, scene, values, (&text, &text), inside)
        }
        None => stone((x, y)),
    }
}

/// The link that takes a run of tokens: a single token itself, or a mark below the middle of several.
fn run(lang: Lang, scene: &Scene, values: &MoveValues, text: &str, taken: usize, first: (usize, usize)) -> Markup {
    let (x, y) = (first.0 + (taken - 1) * TOKEN / 2, first.1 + (taken - 1) * LEVEL);
    let inside = html! {
        @if taken > 1 {
            rect.hit x=(first.0 - TOKEN / 2 + 3) y=(y - 20) width=(taken * TOKEN - 6) height="6" rx="3" pointer-events="none" {}
            rect.mark x=(x - 15) y=(y - 11) width="30" height="22" rx="11" {}
        }
        (target((x, y), taken))
        (small(badge(values.get(text), x, y), x, y))
    };
    move_link(lang, scene, values, (text, text), inside)
}

/// Draws the area that reacts to clicks around the centre of a token or a mark.
fn target((x, y): (usize, usize), taken: usize) -> Markup {
    let class = if taken > 1 { "target" } else { "hit" };
    html! { rect.(class) x=(x - TOKEN / 2) y=(y - LEVEL / 2) width=(TOKEN - 1) height=(LEVEL - 1) rx="15" {} }
}

/// Returns the centre of a token.
fn place(token: usize, top: usize, row: usize) -> (usize, usize) {
    let (down, col) = (token / PER_ROW, token % PER_ROW);
    (MARGIN + col * TOKEN + TOKEN / 2, top + down * row + ROW / 2)
}

fn stone((x, y): (usize, usize)) -> Markup {
    html! { circle.stone cx=(x) cy=(y) r="15" aria-hidden="true" {} }
}

/// Scales a picture down around a point.
pub(super) fn small(inside: Markup, x: usize, y: usize) -> Markup {
    html! {
        g.small transform={ "translate(" (x) " " (y) ") scale(.62) translate(-" (x) " -" (y) ")" } { (inside) }
    }
}

/// Draws as many of the heaps as fit, without links.
pub(super) fn thumbnail(heaps: &[u16]) -> Markup {
    let rows = heaps.iter().flat_map(|heap| (0..(*heap).max(1)).step_by(8).map(move |from| (*heap - from).min(8)));
    html! {
        svg.board.still viewBox={ "0 0 " (8 * TOKEN) " " (4 * ROW) } {
            @for (row, tokens) in rows.take(4).enumerate() {
                @for token in 0..usize::from(tokens) {
                    circle.stone cx=(token * TOKEN + TOKEN / 2) cy=(row * ROW + ROW / 2) r="15" {}
                }
            }
        }
    }
}
