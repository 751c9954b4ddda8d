//! What the reader types: lines, and what they mean.

use std::io::{self, BufRead, Read};

use crate::draw::WIDTH;
use crate::failure::{Failure, harmless};

/// Bytes of the longest line that is read: far more than a move needs.
const LONGEST: u64 = 4096;

/// The lines of standard input.
pub(super) struct Lines<R> {
    from: R,
    /// Whether nobody sees what is typed unless it is printed.
    echoes: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) const fn new(from: R, echoes: bool) -> Self {
        Self { from, echoes }
    }

    /// The next line, or as much of it as anybody could mean; `None` at the end. What is no
    /// UTF-8 becomes a sign that stands for nothing else.
    pub(super) fn next(&mut self) -> Result<Option<String>, Failure> {
        let line = self.read().map_err(|e| {
            Failure::input(format!("the moves cannot be read: {e}"), "they are lines of text on standard input")
        })?;
        Ok(line.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        if self.from.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            // So that it is read as no move, whatever it begins with.
            line.extend("…".bytes());
            self.from.skip_until(b'\n')?;
        }
        Ok(Some(line))
    }

    /// What to print so that a line is seen, if it is not otherwise.
    pub(super) fn echo(&self, line: &str) -> Option<String> {
        // The longest prompt leaves room for this many.
        self.echoes.then(|| cut(line, WIDTH - 32) + "\n")
    }
}

/// A word that is not a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Hint,
    Help,
    Moves,
    Undo,
    Quit,
}

/// In the order in which their beginnings are told apart.
const WORDS: [(&str, Word); 6] = [
    ("hint", Word::Hint),
    ("help", Word::Help),
    ("moves", Word::Moves),
    ("undo", Word::Undo),
    ("quit", Word::Quit),
    ("?", Word::Help),
];

/// What a line means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// The line is blank.
    Nothing,
    /// The move of this place in the list.
    Move(usize),
    Word(Word),
    /// Numbers that are none of the moves.
    NoMove,
    /// Neither numbers nor a word; what was found instead, in quotes.
    Unreadable(String),
}

/// Reads a line where these moves are possible.
pub(super) fn said(line: &str, moves: &[String]) -> Said {
    let line = line.trim();
    if line.is_empty() {
        return Said::Nothing;
    }
    let lower = line.to_ascii_lowercase();
    if let Some((_, word)) = WORDS.iter().find(|(word, _)| word.starts_with(&lower)) {
        return Said::Word(*word);
    }
    let Some(numbers) = numbers(line) else {
        return Said::Unreadable(excerpt(line));
    };
    let is_meant = |mv: &String| sorted_like(mv, &numbers) == sorted_like(mv, &self::numbers(mv).unwrap_or_default());
    moves.iter().position(is_meant).map_or(Said::NoMove, Said::Move)
}

/// The numbers of a move's text, whatever stands between them; `None` if that is not a move.
/// Such as are far too large for any game become the largest.
fn numbers(text: &str) -> Option<Vec<u32>> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | '+' | '>' | '(' | ')');
    if !text.chars().all(|c| c.is_ascii_digit() || is_between(c)) {
        return None;
    }
    let parts = text.split(is_between).filter(|part| !part.is_empty());
    let numbers: Vec<_> = parts.map(|part| part.parse().unwrap_or(u32::MAX)).collect();
    if numbers.is_empty() { None } else { Some(numbers) }
}

/// The same numbers in one order for all that mean the same, where a move's text looks like
/// `like`: cells in any order, and the heaps that are left of one.
fn sorted_like(like: &str, numbers: &[u32]) -> Vec<Vec<u32>> {
    let (first, rest, size) = match like {
        like if like.contains('>') => (1, 1, 1),
        like if like.contains(',') => (0, 0, 2),
        _ => return vec![numbers.to_vec()],
    };
    let mut parts: Vec<Vec<u32>> = numbers.get(rest..).unwrap_or_default().chunks(size).map(<[u32]>::to_vec).collect();
    parts.sort_unstable();
    parts.extend(numbers.get(..first).map(<[u32]>::to_vec));
    parts
}

/// What was typed, in quotes, no longer than a sentence bears and with nothing in it that
/// steers a terminal.
pub(super) fn excerpt(line: &str) -> String {
    format!("`{}`", cut(line.trim(), 24))
}

/// As many characters, and a sign if there are more.
fn cut(line: &str, most: usize) -> String {
    let line = harmless(line.trim_end_matches(['\r', '\n'])).replace('\t', " ");
    match line.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn moves_are_read_however_they_are_spaced() {
        let cells = moves(&["0,1", "1,2", "11,2", "1,12"]);
        for (text, n) in
            [("1,2", 1), (" 1 2 ", 1), ("1 , 2", 1), ("(1,2)", 1), ("11 2", 2), ("01,12", 3), ("0,1\r\n", 0)]
        {
            assert_eq!(said(text, &cells), Said::Move(n), "{text:?}");
        }
        let placements = moves(&["0,0+0,1", "0,1+1,1", "0,1+0,2+1,2"]);
        for (text, n) in [("0,0+0,1", 0), (" 0,0 + 0,1", 0), ("0,1+0,0", 0), ("0 0 0 1", 0), ("1,2+0,1+0,2", 2)] {
            assert_eq!(said(text, &placements), Said::Move(n), "{text:?}");
        }
        let heaps = moves(&["5>0", "5>4", "5>2+1", "3>2+1"]);
        for (text, n) in [("5>0", 0), ("5 > 1 + 2", 2), ("3>2+1", 3), ("5 4", 1)] {
            assert_eq!(said(text, &heaps), Said::Move(n), "{text:?}");
        }
        assert_eq!(said("4", &moves(&["3", "4"])), Said::Move(1));
        for text in ["1,1", "2,1", "1,2,", "1", "12", "1,2,3", "99999999999999999999,1", "0,1+1,2"] {
            let found = said(text, &cells);
            assert!(if text == "1,2," { found == Said::Move(1) } else { found == Said::NoMove }, "{text}: {found:?}");
        }
        assert_eq!(said("5>1+2+0", &heaps), Said::NoMove);
        for text in ["1.2", "-1,2", "１,2", "a,1", ",", "hintt", "\u{fffd}"] {
            assert!(matches!(said(text, &cells), Said::Unreadable(_)), "{text}");
        }
        assert_eq!(said(" \r\n", &cells), Said::Nothing);
    }

    #[test]
    fn words_may_be_shortened() {
        let words = [("h", Word::Hint), ("HE", Word::Help), ("?", Word::Help), ("m", Word::Moves), ("un", Word::Undo)];
        for (text, word) in words {
            assert_eq!(said(text, &[]), Said::Word(word), "{text}");
        }
        assert_eq!(said("Quit\n", &[]), Said::Word(Word::Quit));
    }

    #[test]
    fn lines_are_bounded_and_no_bytes_do_harm() {
        let mut input = b"1,2\n".to_vec();
        input.extend(b"0,1 ".iter().chain(&[b' '; 9_999]).chain(b"\n\xff\xfe\n3"));
        let mut lines = Lines::new(&input[..], true);
        let mut next = || lines.next().ok().flatten();
        assert_eq!(next().as_deref(), Some("1,2\n"));
        let long = next().unwrap_or_default();
        assert!(matches!(said(&long, &moves(&["0,1"])), Said::Unreadable(_)));
        assert_eq!(next().as_deref(), Some("\u{fffd}\u{fffd}\n"));
        assert_eq!(next().as_deref(), Some("3"));
        assert_eq!(next(), None);
        assert_eq!(lines.echo("\u{1b}[2J\n").as_deref(), Some("?[2J\n"));
    }
}
