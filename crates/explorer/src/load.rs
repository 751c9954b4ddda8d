//! Loading rules and positions that a request names, with limits on their size.

use axum::http::StatusCode;
use balpan_games::presets::preset;
use balpan_games::{AnyGame, RulesFile, is_rules_key};

use crate::error::RequestError;
use crate::words::error as say;

/// Bytes of the longest position: several times the cells of the largest board.
const MAX_POSITION_BYTES: usize = 1_000;

/// Tokens of all heaps together: larger ones can take seconds to solve.
const MAX_TOKENS: u64 = 200;

/// Loads a preset's rules.
pub(crate) fn load_preset(name: &str) -> Result<RulesFile, RequestError> {
    Ok(preset(name).ok_or_else(|| RequestError::no_game(name))??)
}

/// Parses a rules file's text.
pub(crate) fn parse_rules(name: &str, text: &str) -> Result<RulesFile, RequestError> {
    let table = toml::from_str::<toml::Table>(text).unwrap_or_default();
    if table.get("family").and_then(toml::Value::as_str) == Some("heaps") {
        table.get("start").map_or(Ok(()), check_start)?;
    }
    Ok(RulesFile::parse(name, text)?)
}

/// Changes some keys of the rules, each given as `key=value`.
pub(crate) fn change_rules(rules: RulesFile, changes: &[String]) -> Result<RulesFile, RequestError> {
    for change in changes {
        let (key, value) = change.split_once('=').unwrap_or((change, ""));
        let (key, value) = (key.trim(), value.trim());
        if !is_rules_key(key) {
            return Err(RequestError::unknown_key(key));
        }
        if key == "start" && !rules.has_board() {
            let table = toml::from_str::<toml::Table>(&format!("start = {value}")).unwrap_or_default();
            let written = || toml::Value::String(value.to_owned());
            check_start(&table.get("start").cloned().unwrap_or_else(written))?;
        }
    }
    if changes.is_empty() { Ok(rules) } else { Ok(rules.with_changes(changes)?) }
}

/// Loads the game, starting from the position `text` or from the start of the rules.
pub(crate) fn load_game(rules: &RulesFile, text: Option<&str>) -> Result<AnyGame, RequestError> {
    let Some(text) = text else {
        return Ok(rules.game()?);
    };
    if text.len() > MAX_POSITION_BYTES {
        let words = |lang| say::long_position(lang, text.len(), MAX_POSITION_BYTES);
        return Err(RequestError::localized(StatusCode::BAD_REQUEST, words));
    }
    if !rules.has_board() {
        check_tokens(text)?;
    }
    Ok(rules.game_at(text)?)
}

/// Refuses a start whose heaps are too large, however TOML writes it.
fn check_start(start: &toml::Value) -> Result<(), RequestError> {
    match start {
        toml::Value::String(text) => check_tokens(text),
        other => check_tokens(&other.to_string()),
    }
}

/// Refuses heaps that are too large in all.
fn check_tokens(heaps: &str) -> Result<(), RequestError> {
    let sizes = heaps.split(|c: char| !c.is_ascii_digit()).filter(|size| !size.is_empty());
    let tokens = sizes.map(|size| size.parse().unwrap_or(u64::MAX)).fold(0, u64::saturating_add);
    if tokens > MAX_TOKENS {
        return Err(RequestError::localized(StatusCode::BAD_REQUEST, |lang| say::many_tokens(lang, MAX_TOKENS)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn only_known_keys_change_rules() {
        let rules = || load_preset("tictactoe").unwrap();
        let change =
            |change: &str| change_rules(rules(), &[change.to_owned()]).map(|rules| rules.game().unwrap().size());
        assert_eq!(change("board=4x4").unwrap(), "4x4");
        assert_eq!(change("colour=red").unwrap_err().message, "`colour` means nothing here");
        assert_eq!(change("family=heaps").unwrap_err().message, "`family` means nothing here");
        assert_eq!(change("k=9").unwrap_err().status, StatusCode::BAD_REQUEST);
        assert_eq!(load_preset("chess").unwrap_err().status, StatusCode::NOT_FOUND);
    }

    #[test]
    fn heaps_are_bounded_however_they_are_written() {
        let nim = || load_preset("nim").unwrap();
        let error_page = "heaps of more than 200 tokens in all";
        let at = |text: &str| load_game(&nim(), Some(text)).map(|game| game.size());
        assert_eq!(at("100 100").unwrap(), "100 100");
        for text in ["100 101", "60000", "99999999999999999999999", "100+100+1"] {
            assert_eq!(at(text).unwrap_err().message, error_page, "{text}");
        }
        for start in ["60000", "\"60000\"", "\"\\u0036\\u0030000\"", "'60000'", "60_000", "60000.0"] {
            let set = change_rules(nim(), &[format!("start={start}")]);
            let written = parse_rules("mine", &format!("family = \"heaps\"\ncode = 0.77\nstart = {start}"));
            for rules in [set, written] {
                assert_eq!(rules.unwrap_err().message, error_page, "{start}");
            }
        }
    }
}
