//! The judge's form of a position: rows in lower case on three lines, or as three words,
//! `xx. oo. ...`.

use super::{Marks, Rules};

/// Converts a text in the judge's form to the usual one, keeping every character in place; `None` if
/// the text is in another form. In the judge's form no mark is a capital letter, and at least two
/// words are rows of two cells or more.
pub(super) fn to_usual(rules: Rules, text: &str) -> Option<String> {
    let cells = match rules.marks {
        Marks::Own => ".xo",
        Marks::Shared => ".x",
    };
    // A single letter is the side to move.
    let is_cells = |word: &str| word.len() > 1 && word.chars().all(|glyph| cells.contains(glyph));
    let is_between = |c: char| c == '/' || c.is_whitespace();
    let words = text.split(is_between).filter(|word| !word.is_empty());
    let width = words.clone().next()?.len();
    if rules.gravity || text.contains(['X', 'O']) || words.clone().filter(|word| is_cells(word)).nth(1).is_none() {
        return None;
    }
    let mut usual = String::with_capacity(text.len());
    let mut rest = text;
    for word in words {
        let at = word.as_ptr() as usize - rest.as_ptr() as usize;
        let gap = &rest[..at];
        rest = &rest[at + word.len()..];
        // A row with an error in it is as long as the first one.
        let is_row = is_cells(word) || word.len() > 1 && word.len() == width;
        if is_row && !gap.contains('/') {
            usual.push_str(&"\n".repeat(gap.len()));
        } else {
            usual.push_str(gap);
        }
        if is_row {
            let mark = |c: char| if cells.contains(c) { c.to_ascii_uppercase() } else { c };
            usual.extend(word.chars().map(mark));
        } else {
            usual.push_str(word);
        }
    }
    usual.push_str(rest);
    Some(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules { k: 3, gravity: false, marks: Marks::Own, overlines: true, misere: false };

    #[test]
    fn the_judge_s_form_becomes_the_usual_one() {
        for (text, expected) in [
            ("xx./oo./...", Some("XX./OO./...")),
            ("xx. oo. ...", Some("XX.\nOO.\n...")),
            (" xx.\r\noo.\r\n...\r\n", Some("\nXX.\n\nOO.\n\n...\r\n")),
            ("xx. / oo. / ... o", Some("XX. / OO. / ... o")),
            ("xx. oo. x", Some("XX.\nOO. x")),
            ("xx. oq. ..", Some("XX.\nOq.\n..")),
            ("xx.\u{3000}oo.", Some("XX.\n\n\nOO.")),
            ("xx./oo. hello", Some("XX./OO. hello")),
            ("XX. oo. ...", None),
            ("... x", None),
            ("...x", None),
            ("x/o", None),
            ("", None),
        ] {
            assert_eq!(to_usual(RULES, text).as_deref(), expected, "{text:?}");
        }
        assert_eq!(to_usual(Rules { gravity: true, ..RULES }, "xx. oo."), None);
        let shared = Rules { marks: Marks::Shared, ..RULES };
        assert_eq!(to_usual(shared, "xx. x.. .o.").as_deref(), Some("XX.\nX..\n.o."));
    }
}
