//! Wrapping, escaping and measuring text.
//!
//! A sheet of puzzles is laid out on one machine and printed on another, whose fonts are unknown. For it, each character is
//! as wide as in the widest of four common families: DejaVu Sans, DejaVu Serif, Noto Sans CJK and Noto Serif CJK. In
//! narrower fonts, lines end earlier.

/// Columns of a terminal, and of text drawn for one.
pub const COLUMNS: usize = 80;

/// Wraps a text at blanks into lines that satisfy `fits`, except for longer words.
pub(crate) fn wrapped(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    wrapped_with(text, fits, |word| vec![word.to_owned()])
}

/// Wraps a text at blanks into lines that satisfy `fits`. Words that are longer become the lines that `split` returns.
fn wrapped_with(text: &str, fits: impl Fn(&str) -> bool, split: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}")) => {
                line.push(' ');
                *line += word;
            }
            _ if fits(word) => lines.push(word.to_owned()),
            _ => lines.extend(split(word)),
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

/// The widths of the characters from space to `~`, in thousandths of the font size.
type Widths = [u16; 95];

const REGULAR: Widths = [
    318, 402, 474, 838, 636, 950, 890, 278, 390, 390, 500, 838, 327, 361, 327, 392, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 536, 1000, 722, 735, 765, 802, 730, 694, 799, 872, 405, 535, 747, 664,
    1024, 875, 820, 673, 820, 753, 685, 667, 843, 722, 1053, 712, 687, 695, 390, 392, 390, 838, 563, 606, 613, 640,
    560, 640, 615, 388, 640, 663, 332, 311, 607, 334, 974, 661, 612, 640, 640, 478, 521, 402, 653, 592, 856, 592, 592,
    527, 636, 337, 636, 838,
];

const BOLD: Widths = [
    348, 456, 574, 838, 696, 1002, 903, 325, 473, 473, 523, 838, 380, 415, 380, 400, 696, 696, 696, 696, 696, 696, 696,
    696, 696, 696, 400, 400, 838, 838, 838, 586, 1007, 776, 845, 796, 867, 762, 710, 854, 945, 468, 568, 869, 703,
    1107, 914, 871, 752, 871, 831, 722, 744, 872, 776, 1123, 776, 724, 730, 473, 400, 473, 838, 593, 626, 675, 716,
    609, 716, 678, 435, 716, 727, 380, 362, 693, 380, 1058, 727, 687, 716, 716, 527, 595, 478, 727, 652, 924, 645, 652,
    582, 712, 365, 712, 838,
];

/// Returns an upper bound on the width of a text.
pub(crate) fn width(text: &str, font: f64, is_bold: bool) -> f64 {
    let widths = if is_bold { &BOLD } else { &REGULAR };
    let char_width = |c: char| {
        let index = (c as usize).checked_sub(usize::from(b' '));
        // All other characters, Korean letters among them, fit a square.
        index.and_then(|index| widths.get(index)).map_or(1_000, |width| *width)
    };
    text.chars().map(|c| f64::from(char_width(c))).sum::<f64>() / 1_000.0 * font
}

/// Wraps a text into lines of this width. A wider word is broken after a `+` if possible.
pub(crate) fn wrap(text: &str, room: f64, font: f64, is_bold: bool) -> Vec<String> {
    let fits = |line: &str| width(line, font, is_bold) <= room;
    wrapped_with(text, fits, |word| break_word(word, fits))
}

/// Breaks a word into parts that fit.
fn break_word(word: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    for c in word.chars() {
        part.push(c);
        if !fits(&part) {
            let end = part.trim_end_matches(c).rfind('+').map_or(part.len() - c.len_utf8(), |plus| plus + 1);
            // A character wider than the line is a part of its own.
            let rest = if end == 0 { String::new() } else { part.split_off(end) };
            parts.push(std::mem::replace(&mut part, rest));
        }
    }
    parts.extend(Some(part).filter(|part| !part.is_empty()));
    parts
}

/// Truncates a text to `most` lines. If lines are lost, the last one ends with an ellipsis.
pub(crate) fn truncate_lines(mut lines: Vec<String>, most: usize, room: f64, font: f64, is_bold: bool) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            let whole = last.len();
            while width(last, font, is_bold) + font > room && last.pop().is_some() {}
            // Part of a word could be read as another move.
            if let Some(space) = last.rfind(' ').filter(|_| last.len() < whole) {
                last.truncate(space + 1);
            }
            last.push('…');
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_lose_nothing() {
        let text = "0,0+0,1+1,0+1,1+2,2 one two mmmmmmmmmmmmmmmmmmmmm 한국어로";
        for room in [30.0, 60.0, 100.0, 300.0] {
            let lines = wrap(text, room, 10.0, true);
            assert!(lines.iter().all(|line| width(line, 10.0, true) <= room), "{lines:?}");
            assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
            let fewer = truncate_lines(lines.clone(), 2, room, 10.0, true);
            assert!(fewer.len() <= 2 && fewer.iter().all(|line| width(line, 10.0, true) <= room), "{fewer:?}");
            assert_eq!(fewer.last().is_some_and(|line| line.ends_with('…')), lines.len() > 2);
        }
    }
}
