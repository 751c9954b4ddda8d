//! URLs of pages, parsed and written. The whole state of a page is in its URL.
//!
//! `/play/tictactoe?board=3x4&at=X../...&moves=1,1;0,1`: the changed rules, the position at the start of the history,
//! and the moves since.

use std::fmt::Write;

use balpan_games::is_rules_key;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::error::RequestError;
use crate::words::{Lang, expected};

/// Cells that can be picked, and bytes of a piece: the cells of the largest board.
const MAX_PICKED: usize = 128;

/// The side of the reader against the perfect player: the one to move at the start of the history, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Second,
}

impl Side {
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// The content of a URL: a game, a position, and how they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    /// The preset's name.
    pub(crate) game: String,
    /// Changes of its rules: keys and values.
    pub(crate) changes: Vec<(String, String)>,
    /// The position at the start of the history; `None` means the game's start.
    pub(crate) at: Option<String>,
    /// The moves from there.
    pub(crate) moves: Vec<String>,
    /// The moves after these that were taken back.
    pub(crate) then: Vec<String>,
    /// The reader's side, if the perfect player has the other one.
    pub(crate) side: Option<Side>,
    /// Whether moves are marked with their values; `None` means the page's default.
    pub(crate) marks: Option<bool>,
    /// The cells picked so far for a placement.
    pub(crate) pick: Vec<String>,
    /// The piece that is held, in its orientation.
    pub(crate) piece: Option<String>,
    /// The language; `None` means the browser's.
    pub(crate) lang: Option<Lang>,
    /// The path of the page that moves lead to, instead of the position's own page. It implies the game and the start.
    pub(crate) host: Option<String>,
    /// Keys of one kind of page, and their values.
    pub(crate) extras: Vec<(String, String)>,
}

impl Link {
    /// Parses the query of a page about `game`. `extras` are the keys that only this kind of page has. Keys without a value
    /// are ignored, as empty fields of forms are.
    pub(crate) fn parse(game: &str, query: &str, extras: &[&str]) -> Result<Self, RequestError> {
        let mut link = Self { game: game.to_owned(), ..Self::default() };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let (key, value) = (key.as_ref(), value.trim());
            if value.is_empty() {
                continue;
            }
            let list = |between: char| value.split(between).map(|item| item.trim().to_owned()).collect();
            let wrong =
                |value: &str, expected: fn(Lang) -> &'static str| RequestError::invalid_value(key, value, expected);
            match key {
                "at" => link.at = Some(value.to_owned()),
                "moves" => link.moves = list(';'),
                "then" => link.then = list(';'),
                "pick" if value.split('+').count() > MAX_PICKED => {
                    return Err(wrong("..", expected::cells_of_a_piece));
                }
                "pick" => link.pick = list('+'),
                "piece" if value.len() > MAX_PICKED => return Err(wrong("..", expected::drawn_piece)),
                "piece" => link.piece = Some(value.to_owned()),
                "as" => {
                    let side = [Side::First, Side::Second].into_iter().find(|side| side.code() == value);
                    link.side = Some(side.ok_or_else(|| wrong(value, |_| "`first`, `second`"))?);
                }
                // The key is also one of rules files, with other values.
                "marks" if matches!(value, "own" | "shared") => link.changes.push((key.to_owned(), value.to_owned())),
                "marks" => link.marks = Some(parse_yes_no(key, value)?),
                "lang" => link.lang = Some(Lang::from_code(value).ok_or_else(|| wrong(value, |_| "`en`, `ko`"))?),
                key if extras.contains(&key) => link.extras.push((key.to_owned(), value.to_owned())),
                key if is_rules_key(key) => link.changes.push((key.to_owned(), value.to_owned())),
                key => return Err(RequestError::unknown_key(key)),
            }
        }
        Ok(link)
    }

    /// Returns the value of a key that only this kind of page has.
    pub(crate) fn extra(&self, key: &str) -> Option<&str> {
        self.extras.iter().rev().find(|(of, _)| of == key).map(|(_, value)| value.as_str())
    }

    /// The changes of the rules, as `--set` takes them.
    pub(crate) fn rule_changes(&self) -> Vec<String> {
        self.changes.iter().map(|(key, value)| format!("{key}={value}")).collect()
    }

    /// Keeps the rules and the language only.
    pub(crate) fn game_only(&self) -> Self {
        let Self { game, changes, lang, .. } = self.clone();
        Self { game, changes, lang, ..Self::default() }
    }

    /// Keeps the keys that every kind of page has.
    pub(crate) fn position_only(&self) -> Self {
        Self { pick: Vec::new(), piece: None, extras: Vec::new(), ..self.clone() }
    }

    /// Adds a move, and keeps the held piece.
    pub(crate) fn after(&self, mv: &str) -> Self {
        let mut link = Self { piece: self.piece.clone(), ..self.position_only() };
        // The same move as before keeps the moves after it.
        if link.then.first().is_some_and(|next| next == mv) {
            link.then.remove(0);
        } else {
            link.then.clear();
        }
        link.moves.push(mv.to_owned());
        link
    }

    /// Takes back all but the first `n` moves.
    pub(crate) fn after_first(&self, n: usize) -> Self {
        let mut link = Self { piece: self.piece.clone(), ..self.position_only() };
        let later = link.moves.split_off(n.min(link.moves.len()));
        link.then.splice(..0, later);
        link
    }

    /// Sets the held piece.
    pub(crate) fn with_piece(&self, piece: Option<String>) -> Self {
        Self { piece, ..self.position_only() }
    }

    pub(crate) fn with_side(&self, side: Option<Side>) -> Self {
        Self { side, marks: None, ..self.position_only() }
    }

    pub(crate) fn without_lang(&self) -> Self {
        Self { lang: None, ..self.clone() }
    }

    pub(crate) fn with_position(&self, position: &str) -> Self {
        Self { at: Some(position.to_owned()), ..self.game_only() }
    }

    /// Sets a key that only this kind of page has; an empty value removes it.
    pub(crate) fn with(&self, key: &str, value: impl Into<String>) -> Self {
        let mut link = self.clone();
        link.extras.retain(|(of, _)| of != key);
        link.extras.push((key.to_owned(), value.into()));
        link
    }

    /// Returns the URL of the page of this kind (`play`, `tree`, ..).
    pub(crate) fn url(&self, kind: &str) -> String {
        self.write_url(format!("/{kind}/{}", percent_encode(&self.game)), false)
    }

    /// Appends the query to a path.
    fn write_url(&self, mut url: String, is_hosted: bool) -> String {
        let mut between = '?';
        let mut add = |key: &str, value: &str| {
            if !value.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(url, "{between}{}={}", percent_encode(key), percent_encode(value));
                between = '&';
            }
        };
        if !is_hosted {
            for (key, value) in &self.changes {
                add(key, value);
            }
            add("at", self.at.as_deref().unwrap_or_default());
        }
        add("moves", &self.moves.join(";"));
        add("then", &self.then.join(";"));
        if !is_hosted {
            add("as", self.side.map_or("", Side::code));
            add("marks", self.marks.map_or("", |marks| if marks { "yes" } else { "no" }));
        }
        add("pick", &self.pick.join("+"));
        add("piece", self.piece.as_deref().unwrap_or_default());
        for (key, value) in &self.extras {
            add(key, value);
        }
        add("lang", self.lang.map_or("", Lang::code));
        url
    }

    /// Returns the URL of the position's page, or of the page that hosts it.
    pub(crate) fn play(&self) -> String {
        match &self.host {
            Some(host) => self.write_url(host.clone(), true),
            None => self.url("play"),
        }
    }
}

pub(crate) fn parse_yes_no(key: &str, value: &str) -> Result<bool, RequestError> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(RequestError::invalid_value(key, value, |_| "`yes`, `no`")),
    }
}

/// All bytes with a meaning in queries, HTML or the text around a URL; not the `/`, `,` and `;` of positions and moves.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'+')
    .add(b'<')
    .add(b'>')
    .add(b'=')
    .add(b'?')
    .add(b'`');

pub(crate) fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn a_url_round_trips() {
        let query = "board=3x4&k=3&at=X../..%23/..! x&moves=0,0%2B0,1;5>2%2B1&as=second&marks=no&pick=0,0%2B1,1&piece=%23%23/.%23&depth=2&lang=ko";
        let link = Link::parse("a/b?c", query, &["depth"]).unwrap();
        assert_eq!(link.at.as_deref(), Some("X../..#/..! x"));
        assert_eq!(link.moves, ["0,0+0,1", "5>2+1"]);
        assert_eq!((link.pick.len(), link.side, link.lang), (2, Some(Side::Second), Some(Lang::Ko)));
        let url = link.play();
        let query = url.split_once('?').unwrap().1;
        assert_eq!(Link::parse("a/b?c", query, &["depth"]).unwrap(), link);
    }

    #[test]
    fn moves_are_taken_back_and_replayed() {
        let link = Link::parse("nim", "moves=3>0;5>0;7>0&then=x", &[]).unwrap();
        let back = link.after_first(1);
        assert_eq!((back.moves.len(), back.then.join(";")), (1, "5>0;7>0;x".to_owned()));
        assert_eq!(back.after("5>0").then, ["7>0", "x"]);
        assert_eq!(back.after("5>1").then.len(), 0);
        assert_eq!(back.after_first(9), back);
    }

    #[test]
    fn unknown_keys_and_values_are_refused() {
        for query in ["depth=2", "as=third", "lang=xx", "marks=maybe", "familie=lines", "family=lines"] {
            assert!(Link::parse("tictactoe", query, &[]).is_err(), "{query}");
        }
    }

    #[test]
    fn marks_are_a_rule_too() {
        let link = Link::parse("notakto", "marks=own&marks=yes", &[]).unwrap();
        assert_eq!(link.rule_changes(), ["marks=own"]);
        assert_eq!(link.marks, Some(true));
    }
}
