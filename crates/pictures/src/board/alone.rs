//! A position as an SVG file.

use std::fmt::Write;

use balpan_games::Notation;

use super::svg::{draw_with_cell, size_with_cell};
use super::{Drawing, drawing};
use crate::text::{escaped, text_width};
use crate::tree::STYLE;

const MARGIN: f64 = 14.0;
/// Room below the board for the caption.
const WORDS: f64 = 24.0;
const FONT: f64 = 13.0;

/// Draws a position as a self-contained SVG file, with these cells marked and a caption below. Its colours
/// follow the reader's light or dark scheme.
///
/// ```
/// use balpan_games::{Notation, lines::Lines, presets::preset};
/// use balpan_pictures::board::position_svg;
///
/// let game: Lines = preset("tictactoe").expect("a preset")?.game()?.downcast().expect("a game of lines");
/// let svg = position_svg(&game, &game.parse("X../.O./...")?, 0, "X to move");
/// assert!(svg.starts_with("<svg ") && svg.contains(">X to move</text>"));
/// # Ok::<(), balpan_games::TextError>(())
/// ```
pub fn position_svg<G: Notation>(game: &G, position: &G::Position, marked: u128, words: &str) -> String {
    let drawing = drawing(game, position, marked);
    let cell = match &drawing {
        Drawing::Board(cells) if cells.rows.max(cells.cols) <= 8 => 34.0,
        Drawing::Board(_) => 22.0,
        Drawing::Heaps { .. } => 20.0,
    };
    let (width, height) = size_with_cell(&drawing, cell);
    let below = if words.is_empty() { 0.0 } else { WORDS };
    let wide = width.max(text_width(words, FONT)) + 2.0 * MARGIN;
    let high = height + 2.0 * MARGIN + below;
    let label = if words.is_empty() { game.text(position) } else { format!("{}: {words}", game.text(position)) };
    // Writing to a string cannot fail.
    let mut out = String::new();
    let _ = write!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {wide:.0} {high:.0}" width="{wide:.0}" height="{high:.0}" role="img" aria-label="{}"><style>{STYLE}</style><rect class="paper" width="{wide:.0}" height="{high:.0}" rx="8"/><g transform="translate({MARGIN} {MARGIN})">"#,
        escaped(&label)
    );
    draw_with_cell(&mut out, &drawing, cell, game.players(position)[0].index());
    out.push_str("</g>");
    if below > 0.0 {
        let y = height + 2.0 * MARGIN + 10.0;
        let _ = write!(out, r#"<text x="{MARGIN}" y="{y:.1}">{}</text>"#, escaped(words));
    }
    out.push_str("</svg>\n");
    out
}
