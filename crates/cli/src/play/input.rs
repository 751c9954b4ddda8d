//! Reading and parsing what the reader types.

use std::io::BufRead;

use crate::draw::WIDTH;
use crate::error::{CliError, harmless};
use crate::files;

/// Size limit of a line, far above what a move needs.
const MAX_LINE_BYTES: u64 = 4096;

pub(super) struct InputLines<R> {
    input: R,
    /// Whether the input is not a terminal, so that the lines must be printed to be seen.
    echoes: bool,
}

impl<R: BufRead> InputLines<R> {
    pub(super) const fn new(input: R, echoes: bool) -> Self {
        Self { input, echoes }
    }

    /// Reads the next line; `None` at the end. A line that is too long is cut and becomes unreadable. Bytes that are not
    /// UTF-8 become replacement characters.
    pub(super) fn next(&mut self) -> Result<Option<String>, CliError> {
        let line = files::read_line(&mut self.input, MAX_LINE_BYTES)
            .map_err(|e| CliError::about("the moves cannot be read", e, "they are lines of text on standard input"))?;
        // The ellipsis keeps a cut line from being a move.
        let text = |(bytes, is_cut): (Vec<u8>, bool)| {
            String::from_utf8_lossy(&bytes).into_owned() + if is_cut { "…" } else { "" }
        };
        Ok(line.map(text))
    }

    /// Returns the text that echoes a line, if the input is not a terminal.
    pub(super) fn echo(&self, line: &str) -> Option<String> {
        // 32 columns are left for the longest prompt.
        self.echoes.then(|| cut(line, WIDTH - 32) + "\n")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Hint,
    Help,
    Moves,
    Undo,
    Quit,
}

/// The commands by name. The first one that begins with the input counts.
const COMMANDS: [(&str, Command); 6] = [
    ("hint", Command::Hint),
    ("help", Command::Help),
    ("moves", Command::Moves),
    ("undo", Command::Undo),
    ("quit", Command::Quit),
    ("?", Command::Help),
];

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    Blank,
    /// The legal move with this index.
    Move(usize),
    Command(Command),
    /// Numbers that are not a legal move.
    IllegalMove,
    /// Neither numbers nor a command: an excerpt of the line, in quotes.
    Unreadable(String),
}

/// Parses a line; `moves` are the legal moves.
pub(super) fn parse_input(line: &str, moves: &[String]) -> Input {
    let line = line.trim();
    if line.is_empty() {
        return Input::Blank;
    }
    let lower = line.to_ascii_lowercase();
    if let Some((_, command)) = COMMANDS.iter().find(|(name, _)| name.starts_with(&lower)) {
        return Input::Command(*command);
    }
    let Some(numbers) = numbers(line) else {
        return Input::Unreadable(excerpt(line));
    };
    let is_same = |mv: &String| sorted_like(mv, &numbers) == sorted_like(mv, &self::numbers(mv).unwrap_or_default());
    moves.iter().position(is_same).map_or(Input::IllegalMove, Input::Move)
}

/// Returns the numbers of a move's text; `None` if the text has other characters than digits and separators. Numbers that
/// do not fit become `u32::MAX`.
fn numbers(text: &str) -> Option<Vec<u32>> {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | '+' | '>' | '(' | ')');
    if !text.chars().all(|c| c.is_ascii_digit() || is_separator(c)) {
        return None;
    }
    let parts = text.split(is_separator).filter(|part| !part.is_empty());
    let numbers: Vec<_> = parts.map(|part| part.parse().unwrap_or(u32::MAX)).collect();
    if numbers.is_empty() { None } else { Some(numbers) }
}

/// Returns the numbers of a move in a canonical order, for a notation that looks like `like`: cells may come in any
/// order, and so may the heaps into which a heap is split.
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

/// Returns the input in quotes, shortened, and without characters that steer a terminal.
pub(super) fn excerpt(line: &str) -> String {
    format!("`{}`", cut(line.trim(), 24))
}

/// Cuts a line to `max_chars` characters and an ellipsis.
fn cut(line: &str, max_chars: usize) -> String {
    let line = harmless(line.trim_end_matches(['\r', '\n'])).replace('\t', " ");
    match line.char_indices().nth(max_chars) {
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
    fn moves_are_parsed_with_any_spacing() {
        let cells = moves(&["0,1", "1,2", "11,2", "1,12"]);
        for (text, n) in
            [("1,2", 1), (" 1 2 ", 1), ("1 , 2", 1), ("(1,2)", 1), ("11 2", 2), ("01,12", 3), ("0,1\r\n", 0)]
        {
            assert_eq!(parse_input(text, &cells), Input::Move(n), "{text:?}");
        }
        let placements = moves(&["0,0+0,1", "0,1+1,1", "0,1+0,2+1,2"]);
        for (text, n) in [("0,0+0,1", 0), (" 0,0 + 0,1", 0), ("0,1+0,0", 0), ("0 0 0 1", 0), ("1,2+0,1+0,2", 2)] {
            assert_eq!(parse_input(text, &placements), Input::Move(n), "{text:?}");
        }
        let heaps = moves(&["5>0", "5>4", "5>2+1", "3>2+1"]);
        for (text, n) in [("5>0", 0), ("5 > 1 + 2", 2), ("3>2+1", 3), ("5 4", 1)] {
            assert_eq!(parse_input(text, &heaps), Input::Move(n), "{text:?}");
        }
        assert_eq!(parse_input("4", &moves(&["3", "4"])), Input::Move(1));
        for text in ["1,1", "2,1", "1,2,", "1", "12", "1,2,3", "99999999999999999999,1", "0,1+1,2"] {
            let found = parse_input(text, &cells);
            assert!(
                if text == "1,2," { found == Input::Move(1) } else { found == Input::IllegalMove },
                "{text}: {found:?}"
            );
        }
        assert_eq!(parse_input("5>1+2+0", &heaps), Input::IllegalMove);
        for text in ["1.2", "-1,2", "１,2", "a,1", ",", "hintt", "\u{fffd}"] {
            assert!(matches!(parse_input(text, &cells), Input::Unreadable(_)), "{text}");
        }
        assert_eq!(parse_input(" \r\n", &cells), Input::Blank);
    }

    #[test]
    fn commands_may_be_shortened() {
        let words = [
            ("h", Command::Hint),
            ("HE", Command::Help),
            ("?", Command::Help),
            ("m", Command::Moves),
            ("un", Command::Undo),
        ];
        for (text, word) in words {
            assert_eq!(parse_input(text, &[]), Input::Command(word), "{text}");
        }
        assert_eq!(parse_input("Quit\n", &[]), Input::Command(Command::Quit));
    }

    #[test]
    fn lines_are_bounded_and_harmless() {
        let mut input = b"1,2\n".to_vec();
        input.extend(b"0,1 ".iter().chain(&[b' '; 9_999]).chain(b"\n\xff\xfe\n3"));
        let mut lines = InputLines::new(&input[..], true);
        let mut next = || lines.next().ok().flatten();
        assert_eq!(next().as_deref(), Some("1,2\n"));
        let long = next().unwrap_or_default();
        assert!(matches!(parse_input(&long, &moves(&["0,1"])), Input::Unreadable(_)));
        assert_eq!(next().as_deref(), Some("\u{fffd}\u{fffd}\n"));
        assert_eq!(next().as_deref(), Some("3"));
        assert_eq!(next(), None);
        assert_eq!(lines.echo("\u{1b}[2J\n").as_deref(), Some("?[2J\n"));
    }
}
