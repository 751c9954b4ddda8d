//! Helpers for SVG pictures.

/// Escapes a text for SVG or HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The style of bars and points, in addition to that of trees.
pub(crate) const BARS: &str = ".tree .count.p0 { fill: #0072b2; }\n.tree .count.p1 { fill: #d55e00; }\n\
    @media (prefers-color-scheme: dark) {\n  .tree .count.p0 { fill: #56b4e9; }\n  .tree .count.p1 { fill: #ff8f4a; }\n}\n";

/// Estimates the width of a text. A Korean letter is as wide as the font is high.
pub(crate) fn text_width(text: &str, font: f64) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '(' | ')' | 'I' => 0.3,
        'm' | 'w' | 'M' | 'W' => 0.85,
        '\u{1100}'.. => 1.0,
        c if c.is_uppercase() => 0.68,
        _ => 0.56,
    };
    text.chars().map(of).sum::<f64>() * font
}
