//! Wrapping, escaping and measuring text.

/// Columns of a terminal, and of text drawn for one.
pub const COLUMNS: usize = 80;

/// Wraps a text at blanks into lines that satisfy `fits`, except for longer words.
pub(crate) fn wrapped(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}")) => {
                line.push(' ');
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Wraps a text into lines of at most `columns` columns. Korean letters take two.
pub(crate) fn in_columns(text: &str, columns: usize) -> Vec<String> {
    wrapped(text, |line| line.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum::<usize>() <= columns)
}

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
