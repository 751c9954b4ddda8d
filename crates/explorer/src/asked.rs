//! Parses a request into a game, or into the error to show.

use axum::http::StatusCode;
use balpan_games::presets::preset;
use balpan_games::{AnyGame, RulesFile, is_rules_key};

use crate::refusal::Refusal;
use crate::words::refusal as say;

/// Bytes of the longest position: several times as many as the largest board has cells.
const LONGEST_POSITION: usize = 1_000;

/// Tokens of the largest heaps, in all: to find what larger ones are worth can take
/// seconds.
const MOST_TOKENS: u64 = 200;

/// A preset's rules.
pub(crate) fn preset_named(name: &str) -> Result<RulesFile, Refusal> {
    Ok(preset(name).ok_or_else(|| Refusal::no_game(name))??)
}

/// The rules of a file's text.
pub(crate) fn rules_written(name: &str, text: &str) -> Result<RulesFile, Refusal> {
    let table = toml::from_str::<toml::Table>(text).unwrap_or_default();
    if table.get("family").and_then(toml::Value::as_str) == Some("heaps") {
        table.get("start").map_or(Ok(()), check_start)?;
    }
    Ok(RulesFile::parse(name, text)?)
}

/// These rules with some keys changed, each `key=value`.
pub(crate) fn rules_changed(rules: RulesFile, changes: &[String]) -> Result<RulesFile, Refusal> {
    for change in changes {
        let (key, value) = change.split_once('=').unwrap_or((change, ""));
        let (key, value) = (key.trim(), value.trim());
        if !is_rules_key(key) {
            return Err(Refusal::key(key));
        }
        if key == "start" && rules.is_of_heaps() {
            let table = toml::from_str::<toml::Table>(&format!("start = {value}")).unwrap_or_default();
            let written = || toml::Value::String(value.to_owned());
            check_start(&table.get("start").cloned().unwrap_or_else(written))?;
        }
    }
    if changes.is_empty() { Ok(rules) } else { Ok(rules.changed(changes)?) }
}

/// The game from the position that `text` shows, or from its start.
pub(crate) fn game_from(rules: &RulesFile, text: Option<&str>) -> Result<AnyGame, Refusal> {
    let Some(text) = text else {
        return Ok(rules.game()?);
    };
    if text.len() > LONGEST_POSITION {
        let words = |lang| say::long_position(lang, text.len(), LONGEST_POSITION);
        return Err(Refusal::told(StatusCode::BAD_REQUEST, words));
    }
    if rules.is_of_heaps() {
        check_tokens(text)?;
    }
    Ok(rules.game_at(text)?)
}

/// Refuses heaps that are too large, however they are written.
fn check_start(start: &toml::Value) -> Result<(), Refusal> {
    match start {
        toml::Value::String(text) => check_tokens(text),
        other => check_tokens(&other.to_string()),
    }
}

/// Refuses heaps that are too large.
fn check_tokens(heaps: &str) -> Result<(), Refusal> {
    let sizes = heaps.split(|c: char| !c.is_ascii_digit()).filter(|size| !size.is_empty());
    let tokens = sizes.map(|size| size.parse().unwrap_or(u64::MAX)).fold(0, u64::saturating_add);
    if tokens > MOST_TOKENS {
        return Err(Refusal::told(StatusCode::BAD_REQUEST, |lang| say::many_tokens(lang, MOST_TOKENS)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn rules_are_changed_by_their_keys_alone() {
        let rules = || preset_named("tictactoe").unwrap();
        let change =
            |change: &str| rules_changed(rules(), &[change.to_owned()]).map(|rules| rules.game().unwrap().size());
        assert_eq!(change("board=4x4").unwrap(), "4x4");
        assert_eq!(change("colour=red").unwrap_err().message, "`colour` means nothing here");
        assert_eq!(change("family=heaps").unwrap_err().message, "`family` means nothing here");
        assert_eq!(change("k=9").unwrap_err().status, StatusCode::BAD_REQUEST);
        assert_eq!(preset_named("chess").unwrap_err().status, StatusCode::NOT_FOUND);
    }

    #[test]
    fn heaps_are_bounded_however_they_are_written() {
        let nim = || preset_named("nim").unwrap();
        let refused = "heaps of more than 200 tokens in all";
        let at = |text: &str| game_from(&nim(), Some(text)).map(|game| game.size());
        assert_eq!(at("100 100").unwrap(), "100 100");
        for text in ["100 101", "60000", "99999999999999999999999", "100+100+1"] {
            assert_eq!(at(text).unwrap_err().message, refused, "{text}");
        }
        for start in ["60000", "\"60000\"", "\"\\u0036\\u0030000\"", "'60000'", "60_000", "60000.0"] {
            let set = rules_changed(nim(), &[format!("start={start}")]);
            let written = rules_written("mine", &format!("family = \"heaps\"\ncode = 0.77\nstart = {start}"));
            for rules in [set, written] {
                assert_eq!(rules.unwrap_err().message, refused, "{start}");
            }
        }
    }
}
