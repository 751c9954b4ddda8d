//! Words in lines.

/// Columns of a terminal, and of text that is drawn for one.
pub const COLUMNS: usize = 80;

/// Words in lines that fit.
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

/// Words in lines of at most `columns` columns.
pub(crate) fn in_columns(text: &str, columns: usize) -> Vec<String> {
    wrapped(text, |line| line.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum::<usize>() <= columns)
}
