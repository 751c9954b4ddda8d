//! Heaps that are too many or too large for a row of tokens each: their sizes, as text.

use std::fmt::Write;

use super::widths::{at_most, lines};

/// Sizes of letters that are tried, from the largest, and from line to line for each.
const FONTS: [f64; 5] = [12.0, 10.0, 8.5, 7.0, 6.0];
const LINE: f64 = 1.3;
/// Between the frame and the words.
const INSIDE: f64 = 4.0;

/// Whether heaps are listed, as rows of this height would have no room for them.
pub(super) fn are_listed(largest: u16, row: f64) -> bool {
    // Numbers need more than tokens do.
    row < if largest <= crate::board::svg::MOST_TOKENS { 5.0 } else { 15.0 }
}

/// Draws the sizes in this room at most. How high it is.
pub(super) fn draw(out: &mut String, heaps: &[u16], (width, height): (f64, f64)) -> f64 {
    let text = heaps.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
    let room = width - 2.0 * INSIDE;
    let most = |font: f64| ((height - 2.0 * INSIDE) / (font * LINE)) as usize;
    let told = |font: f64| lines(&text, room, font, false);
    let smallest = FONTS[FONTS.len() - 1];
    let font = FONTS.into_iter().find(|font| told(*font).len() <= most(*font)).unwrap_or(smallest);
    let told = at_most(told(font), most(font), room, font, false);
    let height = 2.0 * INSIDE + told.len() as f64 * font * LINE;
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        r#"<rect class="t-card" x="-3" y="-3" width="{}" height="{:.1}" rx="5"/>"#,
        width + 6.0,
        height + 6.0
    );
    for (n, line) in told.iter().enumerate() {
        let y = INSIDE + (n as f64 + 1.0) * font * LINE - font * 0.3;
        let _ = write!(out, r#"<text class="heap" style="font-size: {font}px" x="{INSIDE}" y="{y:.1}">{line}</text>"#);
    }
    height
}
