//! Heaps too many or too large to draw as tokens: their sizes as text.

use std::fmt::Write;

use super::widths::{truncate_lines, wrap};

/// Font sizes to try, and the height of a line in font sizes.
const FONTS: [f64; 5] = [12.0, 10.0, 8.5, 7.0, 6.0];
const LINE: f64 = 1.3;
/// Room between the frame and the words.
const PADDING: f64 = 4.0;

/// Whether rows of this height are too low to draw heaps, so that their sizes are listed instead.
pub(super) fn are_listed(largest: u16, row: f64) -> bool {
    // Numbers need higher rows than tokens do.
    row < if largest <= crate::board::svg::MAX_TOKENS { 5.0 } else { 15.0 }
}

/// Draws the sizes within this width and height. Returns the height used.
pub(super) fn draw(out: &mut String, heaps: &[u16], (width, height): (f64, f64)) -> f64 {
    let text = heaps.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
    let room = width - 2.0 * PADDING;
    let max_lines = |font: f64| ((height - 2.0 * PADDING) / (font * LINE)) as usize;
    let lines = |font: f64| wrap(&text, room, font, false);
    let smallest = FONTS[FONTS.len() - 1];
    let font = FONTS.into_iter().find(|font| lines(*font).len() <= max_lines(*font)).unwrap_or(smallest);
    let lines = truncate_lines(lines(font), max_lines(font), room, font, false);
    let height = 2.0 * PADDING + lines.len() as f64 * font * LINE;
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        r#"<rect class="t-card" x="-3" y="-3" width="{}" height="{:.1}" rx="5"/>"#,
        width + 6.0,
        height + 6.0
    );
    for (n, line) in lines.iter().enumerate() {
        let y = PADDING + (n as f64 + 1.0) * font * LINE - font * 0.3;
        let _ = write!(out, r#"<text class="heap" style="font-size: {font}px" x="{PADDING}" y="{y:.1}">{line}</text>"#);
    }
    height
}
