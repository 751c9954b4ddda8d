//! What a page's URL says, and the URLs of other pages: all that a page shows is in it.
//!
//! `/play/tictactoe?board=3x4&at=X../...&moves=1,1;0,1`: the rules that are changed, the
//! position where the history begins, the moves since.

use std::fmt::Write;

use balpan_games::is_rules_key;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::refusal::Refusal;
use crate::words::Lang;

/// Cells of the largest board.
const MOST_PICKED: usize = 128;

/// Who plays against the perfect player: whoever was to move where the history begins, or
/// the other.
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

/// What a URL says of the game, the position and how they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    /// The preset's name.
    pub(crate) game: String,
    /// Changes of its rules, key and value.
    pub(crate) changes: Vec<(String, String)>,
    /// Where the history begins; the game's start if left out.
    pub(crate) at: Option<String>,
    /// The moves from there.
    pub(crate) moves: Vec<String>,
    /// The moves that came after these, before some were taken back.
    pub(crate) then: Vec<String>,
    /// Which side the reader plays, if the other is the perfect player's.
    pub(crate) side: Option<Side>,
    /// Whether moves are marked with what they are worth, if that was said.
    pub(crate) marks: Option<bool>,
    /// Cells of a placement that were picked one by one.
    pub(crate) pick: Vec<String>,
    /// The piece that is held to be placed, turned as it is.
    pub(crate) piece: Option<String>,
    /// The language, if it was said.
    pub(crate) lang: Option<Lang>,
    /// The page that its moves lead to, instead of the position's own: one that knows the game and
    /// where it begins.
    pub(crate) host: Option<String>,
    /// What only this kind of page knows, key and value.
    pub(crate) others: Vec<(String, String)>,
}

impl Link {
    /// What the query of a page about `game` says; `others` are the keys that this kind of page
    /// has beside those that all have. Keys without a value say nothing, as in forms left empty.
    pub(crate) fn read(game: &str, query: &str, others: &[&str]) -> Result<Self, Refusal> {
        let mut link = Self { game: game.to_owned(), ..Self::default() };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let (key, value) = (key.as_ref(), value.trim());
            if value.is_empty() {
                continue;
            }
            let list = |between: char| value.split(between).map(|item| item.trim().to_owned()).collect();
            match key {
                "at" => link.at = Some(value.to_owned()),
                "moves" => link.moves = list(';'),
                "then" => link.then = list(';'),
                "pick" => {
                    link.pick = list('+');
                    if link.pick.len() > MOST_PICKED {
                        return Err(Refusal::value(key, "..", |lang| {
                            lang.pick("the cells of one piece", "조각 하나의 칸들")
                        }));
                    }
                }
                "piece" if value.len() > MOST_PICKED => {
                    return Err(Refusal::value(key, "..", |lang| {
                        lang.pick("a piece, as `##/.#`", "`##/.#`처럼 그린 조각")
                    }));
                }
                "piece" => link.piece = Some(value.to_owned()),
                "as" => {
                    let sides = [Side::First, Side::Second];
                    let side = sides.into_iter().find(|side| side.code() == value);
                    link.side = Some(side.ok_or_else(|| Refusal::value(key, value, |_| "`first`, `second`"))?);
                }
                // A rules file has this key, too, and other words for it.
                "marks" if matches!(value, "own" | "shared") => link.changes.push((key.to_owned(), value.to_owned())),
                "marks" => link.marks = Some(yes_or_no(key, value)?),
                "lang" => {
                    let lang = Lang::of_code(value).ok_or_else(|| Refusal::value(key, value, |_| "`en`, `ko`"))?;
                    link.lang = Some(lang);
                }
                key if others.contains(&key) => link.others.push((key.to_owned(), value.to_owned())),
                key if is_rules_key(key) => link.changes.push((key.to_owned(), value.to_owned())),
                key => return Err(Refusal::key(key)),
            }
        }
        Ok(link)
    }

    /// A value that only this kind of page knows.
    pub(crate) fn other(&self, key: &str) -> Option<&str> {
        self.others.iter().rev().find(|(of, _)| of == key).map(|(_, value)| value.as_str())
    }

    /// The changes, as `--set` takes them.
    pub(crate) fn sets(&self) -> Vec<String> {
        self.changes.iter().map(|(key, value)| format!("{key}={value}")).collect()
    }

    /// The same rules and language, with nothing said of a position.
    pub(crate) fn of_game(&self) -> Self {
        let Self { game, changes, lang, .. } = self.clone();
        Self { game, changes, lang, ..Self::default() }
    }

    /// The same game and history, in so far as pages of any kind understand it.
    pub(crate) fn of_position(&self) -> Self {
        Self { pick: Vec::new(), piece: None, others: Vec::new(), ..self.clone() }
    }

    /// After one more move; the piece that is held stays so.
    pub(crate) fn after(&self, mv: &str) -> Self {
        let mut link = Self { piece: self.piece.clone(), ..self.of_position() };
        // Who plays on as before loses nothing of what comes later.
        if link.then.first().is_some_and(|next| next == mv) {
            link.then.remove(0);
        } else {
            link.then.clear();
        }
        link.moves.push(mv.to_owned());
        link
    }

    /// After the first `n` of its moves; the others come later.
    pub(crate) fn after_first(&self, n: usize) -> Self {
        let mut link = Self { piece: self.piece.clone(), ..self.of_position() };
        let later = link.moves.split_off(n.min(link.moves.len()));
        link.then.splice(..0, later);
        link
    }

    /// Without the moves that were taken back.
    pub(crate) fn without_later(self) -> Self {
        Self { then: Vec::new(), ..self }
    }

    /// With these cells picked.
    pub(crate) fn picking(&self, cells: Vec<String>) -> Self {
        Self { pick: cells, ..self.of_position() }
    }

    /// With this piece held, or none.
    pub(crate) fn holding(&self, piece: Option<String>) -> Self {
        Self { piece, ..self.of_position() }
    }

    pub(crate) fn with_side(&self, side: Option<Side>) -> Self {
        Self { side, marks: None, ..self.of_position() }
    }

    pub(crate) fn with_marks(&self, marks: bool) -> Self {
        Self { marks: Some(marks), ..self.clone() }
    }

    pub(crate) fn with_lang(&self, lang: Lang) -> Self {
        Self { lang: Some(lang), ..self.clone() }
    }

    pub(crate) fn at_position(&self, position: &str) -> Self {
        Self { at: Some(position.to_owned()), ..self.of_game() }
    }

    /// With one of the keys that only this kind of page knows said anew; an empty value says
    /// nothing.
    pub(crate) fn with(&self, key: &str, value: impl Into<String>) -> Self {
        let mut link = self.clone();
        link.others.retain(|(of, _)| of != key);
        link.others.push((key.to_owned(), value.into()));
        link
    }

    /// The URL of the page of this kind (`play`, `tree`, ..).
    pub(crate) fn url(&self, kind: &str) -> String {
        self.written(format!("/{kind}/{}", escaped(&self.game)), false)
    }

    /// The path with the query behind it.
    fn written(&self, mut url: String, is_hosted: bool) -> String {
        let mut between = '?';
        let mut say = |key: &str, value: &str| {
            if !value.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(url, "{between}{}={}", escaped(key), escaped(value));
                between = '&';
            }
        };
        if !is_hosted {
            for (key, value) in &self.changes {
                say(key, value);
            }
            say("at", self.at.as_deref().unwrap_or_default());
        }
        say("moves", &self.moves.join(";"));
        say("then", &self.then.join(";"));
        if !is_hosted {
            say("as", self.side.map_or("", Side::code));
            say("marks", self.marks.map_or("", |marks| if marks { "yes" } else { "no" }));
        }
        say("pick", &self.pick.join("+"));
        say("piece", self.piece.as_deref().unwrap_or_default());
        for (key, value) in &self.others {
            say(key, value);
        }
        say("lang", self.lang.map_or("", Lang::code));
        url
    }

    /// The URL of the position's page, or of the one that hosts it.
    pub(crate) fn play(&self) -> String {
        match &self.host {
            Some(host) => self.written(host.clone(), true),
            None => self.url("play"),
        }
    }
}

pub(crate) fn yes_or_no(key: &str, value: &str) -> Result<bool, Refusal> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(Refusal::value(key, value, |_| "`yes`, `no`")),
    }
}

/// Everything that would end a query's value, or that HTML or a sentence around a URL
/// would; not the `/`, `,` and `;` of positions and moves.
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

pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn a_url_is_read_back() {
        let query = "board=3x4&k=3&at=X../..%23/..! x&moves=0,0%2B0,1;5>2%2B1&as=second&marks=no&pick=0,0%2B1,1&piece=%23%23/.%23&depth=2&lang=ko";
        let link = Link::read("a/b?c", query, &["depth"]).unwrap();
        assert_eq!(link.at.as_deref(), Some("X../..#/..! x"));
        assert_eq!(link.moves, ["0,0+0,1", "5>2+1"]);
        assert_eq!((link.pick.len(), link.side, link.lang), (2, Some(Side::Second), Some(Lang::Ko)));
        let url = link.play();
        let query = url.split_once('?').unwrap().1;
        assert_eq!(Link::read("a/b?c", query, &["depth"]).unwrap(), link);
    }

    #[test]
    fn moves_that_are_taken_back_come_later() {
        let link = Link::read("nim", "moves=3>0;5>0;7>0&then=x", &[]).unwrap();
        let back = link.after_first(1);
        assert_eq!((back.moves.len(), back.then.join(";")), (1, "5>0;7>0;x".to_owned()));
        assert_eq!(back.after("5>0").then, ["7>0", "x"]);
        assert_eq!(back.after("5>1").then.len(), 0);
        assert_eq!(back.after_first(9), back);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for query in ["depth=2", "as=third", "lang=xx", "marks=maybe", "familie=lines", "family=lines"] {
            assert!(Link::read("tictactoe", query, &[]).is_err(), "{query}");
        }
    }

    #[test]
    fn marks_are_a_rule_too() {
        let link = Link::read("notakto", "marks=own&marks=yes", &[]).unwrap();
        assert_eq!(link.sets(), ["marks=own"]);
        assert_eq!(link.marks, Some(true));
    }
}
