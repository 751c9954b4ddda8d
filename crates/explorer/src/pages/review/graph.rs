//! The graph of a review: after each move a bar towards the winner, the longer the sooner the win.

use balpan_games::Review;
use maud::{Markup, html};

use crate::link::Link;
use crate::words::players::Name;
use crate::words::review::{names, standing};
use crate::words::{Lang, review_page as say};

/// The heights of the longest and the shortest bar.
const MAX_BAR: f64 = 60.0;
const MIN_BAR: f64 = 16.0;
/// Margins: above and below for marks, at the left for names.
const MARGIN: f64 = 22.0;
const SIDE: f64 = 58.0;
const MIDDLE: f64 = MARGIN + MAX_BAR;
const HEIGHT: f64 = 2.0 * MIDDLE;

pub(super) fn graph(lang: Lang, link: &Link, review: &Review, ply: usize) -> Markup {
    let plies = review.moves.len();
    let wide = (560.0 / (plies + 1) as f64).clamp(9.0, 36.0);
    let width = SIDE + wide * (plies + 1) as f64 + 4.0;
    let [first, second]: [Name; 2] = names(lang, review);
    let longest = (0..=plies).filter_map(|ply| review.winner_after(ply)?.1).max().unwrap_or(0).max(1);
    html! {
        svg.graph viewBox={ "0 0 " (width) " " (HEIGHT) } width=(width) height=(HEIGHT) role="group" aria-label=(say::graph(lang)) {
            text.name x="0" y=(MARGIN + 14.0) { (first.plain) }
            text.name x="0" y=(MIDDLE + 5.0) { "=" }
            text.name x="0" y=(HEIGHT - MARGIN - 4.0) { (second.plain) }
            line.middle x1=(SIDE - 6.0) x2=(width) y1=(MIDDLE) y2=(MIDDLE) {}
            @for at in 0..=plies {
                @let x = SIDE + wide * at as f64;
                a.point href=(link.with("ply", at.to_string()).url("review")) aria-label=(label(lang, review, at))
                    aria-current=[(at == ply).then_some("step")] {
                    rect.column x=(x) y="0" width=(wide) height=(HEIGHT) {}
                    (bar(review, at, longest, x, wide))
                    @if let Some(mark) = at.checked_sub(1).and_then(|last| review.moves[last].mark) {
                        // The mark is on the side of the player who made the move.
                        @let y = if at % 2 == 1 { MARGIN - 7.0 } else { HEIGHT - 8.0 };
                        text.given x=(x + wide / 2.0) y=(y) { (mark.symbol()) }
                    }
                }
            }
        }
    }
}

fn bar(review: &Review, ply: usize, longest: u32, x: f64, wide: f64) -> Markup {
    let (left, broad) = (x + wide * 0.14, wide * 0.72);
    let Some((winner, plies)) = review.winner_after(ply) else {
        return html! { circle.unknown cx=(x + wide / 2.0) cy=(MIDDLE) r="2.5" {} };
    };
    // A win in an unknown number of plies has the shortest bar.
    let near = plies.map_or(0.0, |plies| 1.0 - f64::from(plies) / f64::from(longest));
    let high = MIN_BAR + (MAX_BAR - MIN_BAR) * near;
    match winner {
        Some(0) => html! { rect.bar.first x=(left) y=(MIDDLE - high) width=(broad) height=(high) {} },
        Some(_) => html! { rect.bar.second x=(left) y=(MIDDLE) width=(broad) height=(high) {} },
        None => html! { rect.bar.even x=(left) y=(MIDDLE - 3.0) width=(broad) height="6" {} },
    }
}

/// The label of a point: `5. 1,2 ?: X wins in 4`.
fn label(lang: Lang, review: &Review, ply: usize) -> String {
    let standing = standing(lang, review, ply);
    match ply.checked_sub(1).and_then(|last| review.moves.get(last)) {
        None => format!("{}: {standing}", say::beginning(lang)),
        Some(mv) => {
            let mark = mv.mark.map_or_else(String::new, |mark| format!(" {}", mark.symbol()));
            format!("{ply}. {}{mark}: {standing}", mv.text)
        }
    }
}
