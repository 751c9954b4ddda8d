//! A position as a small board in SVG.

use std::fmt::Write;

use super::{Cells, Drawing};

/// Tokens up to which a heap is drawn as tokens; a larger heap is a number.
pub(crate) const MAX_TOKENS: u16 = 8;

/// The side of a cell in pixels.
fn cell_size(drawing: &Drawing) -> f64 {
    match drawing {
        Drawing::Board(Cells { rows, cols, .. }) => match (*rows).max(*cols) {
            0..=3 => 20.0,
            4 => 16.0,
            5 => 13.0,
            6..=8 => 10.0,
            _ => 7.0,
        },
        Drawing::Heaps { largest: 0..=MAX_TOKENS, .. } => 11.0,
        Drawing::Heaps { .. } => 14.0,
    }
}

/// Returns the width and height of a drawing in pixels.
pub(crate) fn size(drawing: &Drawing) -> (f64, f64) {
    size_with_cell(drawing, cell_size(drawing))
}

/// Returns the width and height of a drawing with cells of this size.
pub(crate) fn size_with_cell(drawing: &Drawing, cell: f64) -> (f64, f64) {
    match drawing {
        Drawing::Board(Cells { rows, cols, .. }) => (*cols as f64 * cell, *rows as f64 * cell),
        Drawing::Heaps { rows, largest, .. } => {
            (f64::from((*largest).clamp(3, MAX_TOKENS)) * cell + 8.0, (*rows).max(1) as f64 * cell + 8.0)
        }
    }
}

/// Draws a position with its top left corner at (0, 0). `mover` is the colour of the player to move.
pub(crate) fn draw(out: &mut String, drawing: &Drawing, mover: usize) {
    draw_with_cell(out, drawing, cell_size(drawing), mover);
}

/// Draws a position with cells of this size.
pub(crate) fn draw_with_cell(out: &mut String, drawing: &Drawing, cell: f64, mover: usize) {
    let (width, height) = size_with_cell(drawing, cell);
    // Writing to a string cannot fail.
    let _ =
        write!(out, r#"<rect class="t-card" x="-3" y="-3" width="{}" height="{}" rx="5"/>"#, width + 6.0, height + 6.0);
    match drawing {
        Drawing::Board(board) => cells(out, board, cell, mover),
        Drawing::Heaps { heaps: sizes, largest, .. } => heaps(out, sizes, *largest <= MAX_TOKENS, cell),
    }
}

fn cells(out: &mut String, board: &Cells, size: f64, mover: usize) {
    let Cells { rows, cols, ref glyphs, marked, line } = *board;
    let place = |cell: usize| ((cell % cols) as f64 * size, (cell / cols) as f64 * size);
    for (cell, glyph) in glyphs.iter().enumerate() {
        let (x, y) = place(cell);
        let is_marked = cell < 128 && marked >> cell & 1 == 1;
        let class = match (glyph, is_marked) {
            ('#' | '!', true) => "t-filled t-last",
            ('#' | '!', false) => "t-filled",
            (_, true) => "t-last",
            (_, false) => continue,
        };
        let _ = write!(out, r#"<rect class="{class}" x="{x}" y="{y}" width="{size}" height="{size}"/>"#);
    }
    let mut lines = String::new();
    for row in 1..rows {
        let _ = write!(lines, "M0 {}h{}", row as f64 * size, cols as f64 * size);
    }
    for col in 1..cols {
        let _ = write!(lines, "M{} 0v{}", col as f64 * size, rows as f64 * size);
    }
    let _ = write!(out, r#"<path class="grid" d="{lines}"/>"#);
    for (cell, glyph) in glyphs.iter().enumerate() {
        let (x, y) = place(cell);
        token(out, *glyph, x + size / 2.0, y + size / 2.0, size / 2.0, mover);
    }
    if let Some([from, to]) = line {
        let half = size / 2.0;
        let ((x, y), (to_x, to_y)) = (place(from), place(to));
        let strike = format!("M{:.1} {:.1}L{:.1} {:.1}", x + half, y + half, to_x + half, to_y + half);
        let _ = write!(out, r#"<path class="strike" d="{strike}"/>"#);
    }
}

/// Draws the content of a cell around its middle.
fn token(out: &mut String, glyph: char, x: f64, y: f64, half: f64, mover: usize) {
    let disc = |out: &mut String, x: f64, y: f64, radius: f64, player: usize, name: char| {
        let _ = write!(out, r#"<circle class="disc p{player}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#);
        if radius > 4.5 {
            let (font, below) = (radius * 1.35, radius * 0.48);
            let y = y + below;
            let _ = write!(out, r#"<g font-size="{font:.1}"><text class="on" x="{x:.1}" y="{y:.1}">{name}</text></g>"#);
        }
    };
    match glyph {
        'X' => {
            let arm = half * 0.56;
            let (left, top, both) = (x - arm, y - arm, 2.0 * arm);
            let strokes = format!("M{left:.1} {top:.1}l{both:.1} {both:.1}m0 -{both:.1}l-{both:.1} {both:.1}");
            let _ = write!(out, r#"<path class="mark p0" d="{strokes}"/>"#);
        }
        'O' => {
            let _ = write!(out, r#"<circle class="mark p1" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/>"#, half * 0.6);
        }
        'A' => disc(out, x, y, half * 0.72, 0, 'A'),
        'B' => disc(out, x, y, half * 0.72, 1, 'B'),
        '*' => {
            disc(out, x - half * 0.36, y - half * 0.3, half * 0.5, 0, 'A');
            disc(out, x + half * 0.36, y + half * 0.3, half * 0.5, 1, 'B');
        }
        '!' => disc(out, x, y, half * 0.72, mover, if mover == 0 { 'A' } else { 'B' }),
        _ => {}
    }
}

/// Draws each heap: as a row of tokens, or as a number.
fn heaps(out: &mut String, heaps: &[u16], as_tokens: bool, size: f64) {
    for (row, &heap) in heaps.iter().enumerate() {
        let y = 4.0 + (row as f64 + 0.5) * size;
        if as_tokens {
            for token in 0..heap {
                let x = 4.0 + (f64::from(token) + 0.5) * size;
                let _ = write!(out, r#"<circle class="t-token" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/>"#, size * 0.36);
            }
        } else {
            let _ = write!(out, r#"<text class="heap" x="5" y="{:.1}">{heap}</text>"#, y + 4.0);
        }
    }
}
