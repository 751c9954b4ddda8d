//! What to do with a case on which a program is wrong: the commands that show its position,
//! and the page that does.

use std::fmt::Write;

use balpan_games::Lang;

use crate::contest::Shown;

/// The commands, ready for a POSIX shell, and the page's path, where there is one.
pub(super) struct Next {
    pub(super) commands: Vec<String>,
    pub(super) page: Option<String>,
}

impl Next {
    /// For a position, as the game writes it, which tells the size of the board.
    pub(super) fn of(shown: &Shown, position: &str) -> Self {
        let Shown { game, set, has_page } = shown;
        let changes: String = set.iter().map(|change| format!(" --set {}", quoted(change))).collect();
        let word = if is_plain(game) { game.clone() } else { quoted(game) };
        let command = |verb| format!("balpan {verb} {word} {}{changes}", quoted(position));
        let page = || {
            let at = format!("/play/{game}?at={}", escaped(position));
            set.iter()
                .filter_map(|change| change.split_once('='))
                .fold(at, |page, (key, value)| format!("{page}&{}={}", escaped(key.trim()), escaped(value.trim())))
        };
        Self { commands: ["solve", "tree", "play"].map(command).to_vec(), page: has_page.then(page) }
    }

    /// As people read it.
    pub(super) fn text(&self, lang: Lang) -> String {
        let mut text = lang.pick("To look at it:\n\n", "살펴보려면:\n\n").to_owned();
        for command in &self.commands {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {command}");
        }
        if let Some(page) = &self.page {
            let _ = match lang {
                Lang::En => writeln!(text, "  balpan serve, and then the page {page}"),
                Lang::Ko => writeln!(text, "  balpan serve를 실행하고 {page} 페이지 열기"),
            };
        }
        text
    }
}

/// Whether a shell takes the word as it is.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"./_-".contains(&byte))
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
        let preset = Shown { game: "platforms".to_owned(), set: Vec::new(), has_page: true };
        let next = Next::of(&preset, "B../A.# b");
        assert_eq!(next.commands[0], "balpan solve platforms 'B../A.# b'");
        assert_eq!(next.page.as_deref(), Some("/play/platforms?at=B../A.%23%20b"));
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn rules_of_ones_own_are_told() {
        let preset = Shown { game: "gomoku".to_owned(), set: vec!["k=3".to_owned()], has_page: true };
        let next = Next::of(&preset, "...");
        assert_eq!(next.commands[1], "balpan tree gomoku '...' --set 'k=3'");
        assert_eq!(next.page.as_deref(), Some("/play/gomoku?at=...&k=3"));
        let file = Shown { game: "my game.toml".to_owned(), set: Vec::new(), has_page: false };
        let next = Next::of(&file, "...");
        assert_eq!(next.commands[0], "balpan solve 'my game.toml' '...'");
        assert_eq!(next.page, None);
    }
}
