//! Heaps of tokens: a row each. A click on a token leaves those to the left of it, where
//! that is a move.

use maud::{Markup, html};

use super::shown;
use super::worth::{Worths, badge};
use crate::scene::Scene;
use crate::words::{Lang, position as say};

/// A token's width and a row's height.
const TOKEN: usize = 34;
const ROW: usize = 48;
const MARGIN: usize = 44;

/// Tokens in a row of the picture; a larger heap goes on in the next.
const PER_ROW: usize = 16;

/// The heaps of the scene, with its moves as links and what `worths` knows of them; without
/// it, no move can be made.
pub(crate) fn heaps(lang: Lang, scene: &Scene, worths: Option<&Worths>) -> Markup {
    let heaps = &scene.view.heaps;
    let rows = |heap: u16| usize::from(heap).div_ceil(PER_ROW).max(1);
    let height = heaps.iter().map(|heap| rows(*heap)).sum::<usize>().max(1) * ROW + 8;
    let widest = heaps.iter().map(|heap| usize::from(*heap).min(PER_ROW)).max().unwrap_or(0).max(4);
    let width = MARGIN + widest * TOKEN + 8;
    let tops = heaps.iter().scan(4, |top, heap| {
        let here = *top;
        *top += rows(*heap) * ROW;
        Some(here)
    });
    let listed: Vec<_> = heaps.iter().map(u16::to_string).collect();
    html! {
        svg #board.board.heaps viewBox={ "0 0 " (width) " " (height) } width=(shown(width)) height=(shown(height))
            role="group" aria-label=(say::heaps_label(lang)) aria-describedby="board-text" {
            @for (heap, top) in heaps.iter().zip(tops) {
                g.numbers aria-hidden="true" { text x="18" y=(top + ROW / 2 + 5) { (heap) } }
                @for token in 0..usize::from(*heap) {
                    (one(lang, scene, worths, *heap, token, top))
                }
            }
        }
        p #board-text.unseen { (listed.join(", ")) }
    }
}

fn one(lang: Lang, scene: &Scene, worths: Option<&Worths>, heap: u16, token: usize, top: usize) -> Markup {
    let (row, col) = (token / PER_ROW, token % PER_ROW);
    let (x, y) = (MARGIN + col * TOKEN + TOKEN / 2, top + row * ROW + ROW / 2);
    let text = format!("{heap}>{token}");
    let is_move = scene.view.moves.iter().any(|mv| mv.text == text);
    html! {
        @if let Some(worths) = worths.filter(|_| is_move) {
            @let worth = worths.of(&text);
            a.move href=(scene.link.after(&text).play()) data-move=(text) aria-label=(worth.label(lang, &text)) {
                circle.stone cx=(x) cy=(y) r="15" {}
                g.small transform={ "translate(" (x) " " (y) ") scale(.62) translate(-" (x) " -" (y) ")" } { (badge(worth, x, y)) }
            }
        } @else {
            circle.stone cx=(x) cy=(y) r="15" aria-hidden="true" {}
        }
    }
}

/// The heaps, only to be seen: no more of them than fit.
pub(super) fn still(scene: &Scene) -> Markup {
    let heaps = &scene.view.heaps;
    html! {
        svg.board.still viewBox={ "0 0 " (8 * TOKEN) " " (4 * ROW) } {
            @for (row, heap) in heaps.iter().take(4).enumerate() {
                @for token in 0..usize::from(*heap).min(8) {
                    circle.stone cx=(token * TOKEN + TOKEN / 2) cy=(row * ROW + ROW / 2) r="15" {}
                }
            }
        }
    }
}
