//! The graph of a reviewed game: for each position a bar towards its winner, longer the sooner the win is.

use std::fmt::Write;

use balpan_games::{Lang, Review};

use crate::text::{BARS, escaped};
use crate::tree::STYLE;
use crate::words::review::{names, result, standing};

/// The height of the bar of a game that is won, and of the lowest bar.
const MAX_BAR_HEIGHT: f64 = 60.0;
const MIN_BAR_HEIGHT: f64 = 16.0;
/// Room above and below for annotations, at the left for names, and at the top for the heading.
const MARGIN: f64 = 22.0;
const SIDE: f64 = 100.0;
const HEAD: f64 = 36.0;
const MIDDLE: f64 = HEAD + MARGIN + MAX_BAR_HEIGHT;
const HEIGHT: f64 = HEAD + 2.0 * (MARGIN + MAX_BAR_HEIGHT);

/// Draws the review of a game as a self-contained SVG file.
///
/// ```
/// use balpan_games::{Record, Review, presets::preset};
/// use balpan_pictures::{Lang, review_graph};
///
/// let game = preset("tictactoe").expect("a preset")?.game()?;
/// let record = Record::read(&game, "1,1 0,1")?;
/// // Without answers, no value is known.
/// let review = Review::new("tictactoe", Vec::new(), &record, &[]);
/// assert!(review_graph(Lang::En, &review).contains("<title>2. 0,1: not known yet</title>"));
/// # Ok::<(), balpan_games::TextError>(())
/// ```
#[must_use]
pub fn review_graph(lang: Lang, review: &Review) -> String {
    let plies = review.moves.len();
    let wide = (560.0 / (plies + 1) as f64).clamp(9.0, 36.0);
    let width = (SIDE + wide * (plies + 1) as f64 + 14.0).max(420.0);
    let [first, second] = names(lang, review);
    let longest = (0..=plies).filter_map(|ply| review.winner_after(ply)?.1).max().unwrap_or(0).max(1);
    let head = format!("{}: {}", review.game, result(lang, review));
    // Writing to a string cannot fail.
    let mut out = String::new();
    let _ = write!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0} {HEIGHT}" width="{width:.0}" height="{HEIGHT}" role="img" aria-label="{head}"><style>{STYLE}{BARS}</style><rect class="paper" width="{width:.0}" height="{HEIGHT}" rx="8"/><text class="who" x="14" y="24">{head}</text><text class="who p0" x="14" y="{:.0}">{}</text><text class="who p1" x="14" y="{:.0}">{}</text><path class="grid" d="M{:.0} {MIDDLE}H{:.0}"/>"#,
        HEAD + MARGIN + 14.0,
        escaped(first.plain),
        HEIGHT - MARGIN - 4.0,
        escaped(second.plain),
        SIDE - 6.0,
        width - 10.0,
        head = escaped(&head),
    );
    for ply in 0..=plies {
        let x = SIDE + wide * ply as f64;
        let _ = write!(out, "<g>");
        bar(&mut out, review, ply, longest, x, wide);
        let mark = ply.checked_sub(1).and_then(|last| review.moves[last].mark);
        if let Some(mark) = mark {
            // An annotation is on the side of the player who made the move.
            let y = if ply % 2 == 1 { HEAD + MARGIN - 7.0 } else { HEIGHT - 8.0 };
            let _ = write!(out, r#"<text class="note" x="{:.1}" y="{y:.1}">{}</text>"#, x + wide / 2.0, mark.symbol());
        }
        let _ = write!(out, "<title>{}</title></g>", escaped(&label(lang, review, ply)));
    }
    out.push_str("</svg>\n");
    out
}

fn bar(out: &mut String, review: &Review, ply: usize, longest: u32, x: f64, wide: f64) {
    let (left, broad, middle) = (x + wide * 0.14, wide * 0.72, x + wide / 2.0);
    // Writing to a string cannot fail.
    let Some((winner, plies)) = review.winner_after(ply) else {
        let _ = write!(out, r#"<circle class="t-token" cx="{middle:.1}" cy="{MIDDLE}" r="2.5"/>"#);
        return;
    };
    // Unknown plies count as the most distant end.
    let near = plies.map_or(0.0, |plies| 1.0 - f64::from(plies) / f64::from(longest));
    let high = MIN_BAR_HEIGHT + (MAX_BAR_HEIGHT - MIN_BAR_HEIGHT) * near;
    let (class, y, high) = match winner {
        Some(0) => ("count p0", MIDDLE - high, high),
        Some(_) => ("count p1", MIDDLE, high),
        None => ("t-filled", MIDDLE - 3.0, 6.0),
    };
    let _ = write!(out, r#"<rect class="{class}" x="{left:.1}" y="{y:.1}" width="{broad:.1}" height="{high:.1}"/>"#);
}

/// The label of a bar: `5. 1,2 ?: X wins in 4`.
fn label(lang: Lang, review: &Review, ply: usize) -> String {
    let standing = standing(lang, review, ply);
    match ply.checked_sub(1).and_then(|last| review.moves.get(last)) {
        None => standing,
        Some(mv) => {
            let mark = mv.mark.map_or_else(String::new, |mark| format!(" {}", mark.symbol()));
            format!("{ply}. {}{mark}: {standing}", mv.text)
        }
    }
}
