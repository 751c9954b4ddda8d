//! Wrapping text into lines.

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
