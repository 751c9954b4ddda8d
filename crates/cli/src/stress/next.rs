//! What to do with a case on which a program is wrong: the commands that show its position,
//! and the page that does.

use std::fmt::Write;

/// The commands, ready for a POSIX shell, and the page's path.
pub(super) struct Next {
    pub(super) commands: Vec<String>,
    pub(super) page: String,
}

impl Next {
    /// For a position of a preset, as the game writes it, which tells the size of the board.
    pub(super) fn of(game: &str, position: &str) -> Self {
        let command = |verb| format!("balpan {verb} {game} {}", quoted(position));
        Self {
            commands: ["solve", "tree", "play"].map(command).to_vec(),
            page: format!("/play/{game}?at={}", escaped(position)),
        }
    }

    /// As people read it.
    pub(super) fn text(&self) -> String {
        let mut text = "To look at it:\n\n".to_owned();
        for command in &self.commands {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {command}");
        }
        let _ = writeln!(text, "  balpan serve, and then the page {}", self.page);
        text
    }
}

/// A word of a shell's command line.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A value of a URL's query: all but what no reader of URLs takes for something else.
fn escaped(value: &str) -> String {
    let mut escaped = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"./,;-_*".contains(&byte) {
            escaped.push(byte.into());
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_quoted() {
        let next = Next::of("platforms", "B../A.# b");
        assert_eq!(next.commands[0], "balpan solve platforms 'B../A.# b'");
        assert_eq!(next.page, "/play/platforms?at=B../A.%23%20b");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
