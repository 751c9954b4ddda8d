//! Upper bounds on the width of text in an unknown font.
//!
//! A sheet is laid out on one machine and printed on another, whose fonts are unknown. Each character is
//! therefore as wide as in the widest of four common families: DejaVu Sans, DejaVu Serif, Noto Sans CJK and
//! Noto Serif CJK. In narrower fonts, lines end earlier.

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
pub(super) fn width(text: &str, font: f64, is_bold: bool) -> f64 {
    let widths = if is_bold { &BOLD } else { &REGULAR };
    let char_width = |c: char| {
        let index = (c as usize).checked_sub(usize::from(b' '));
        // All other characters, Korean letters among them, fit a square.
        index.and_then(|index| widths.get(index)).map_or(1_000, |width| *width)
    };
    text.chars().map(|c| f64::from(char_width(c))).sum::<f64>() / 1_000.0 * font
}

/// Wraps a text into lines of this width. A wider word is broken after a `+` if possible.
pub(super) fn wrap(text: &str, room: f64, font: f64, is_bold: bool) -> Vec<String> {
    let fits = |line: &str| width(line, font, is_bold) <= room;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}")) => {
                line.push(' ');
                *line += word;
            }
            _ if fits(word) => lines.push(word.to_owned()),
            _ => lines.extend(break_word(word, fits)),
        }
    }
    lines
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
pub(super) fn truncate_lines(mut lines: Vec<String>, most: usize, room: f64, font: f64, is_bold: bool) -> Vec<String> {
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
