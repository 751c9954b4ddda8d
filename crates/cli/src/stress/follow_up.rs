//! Commands and a page of the explorer that show the position of a case on which a program is wrong.

use std::fmt::Write;

use balpan_games::Lang;

use crate::judge::GameReference;

/// Commands for a POSIX shell, and the path of a page, if there is one.
pub(super) struct FollowUp {
    pub(super) commands: Vec<String>,
    pub(super) page: Option<String>,
}

impl FollowUp {
    /// Creates the commands and the page for a position in the game's notation, which implies the size of the board.
    pub(super) fn new(game: &GameReference, position: &str) -> Self {
        let GameReference { game, set, has_page } = game;
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

    /// Formats the commands and the page for people.
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

/// Whether a shell takes a word without quotes.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"./_-".contains(&byte))
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Percent-encodes a value of a URL's query.
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
        let preset = GameReference { game: "platforms".to_owned(), set: Vec::new(), has_page: true };
        let next = FollowUp::new(&preset, "B../A.# b");
        assert_eq!(next.commands[0], "balpan solve platforms 'B../A.# b'");
        assert_eq!(next.page.as_deref(), Some("/play/platforms?at=B../A.%23%20b"));
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn own_rules_are_in_the_commands() {
        let preset = GameReference { game: "gomoku".to_owned(), set: vec!["k=3".to_owned()], has_page: true };
        let next = FollowUp::new(&preset, "...");
        assert_eq!(next.commands[1], "balpan tree gomoku '...' --set 'k=3'");
        assert_eq!(next.page.as_deref(), Some("/play/gomoku?at=...&k=3"));
        let file = GameReference { game: "my game.toml".to_owned(), set: Vec::new(), has_page: false };
        let next = FollowUp::new(&file, "...");
        assert_eq!(next.commands[0], "balpan solve 'my game.toml' '...'");
        assert_eq!(next.page, None);
    }
}
