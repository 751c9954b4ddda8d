//! The game, the history and the position that a URL describes, loaded with limits on their size.

use balpan::Game;
#[cfg(feature = "server")]
use balpan::{EngineError, RulesFailure};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Board, DynPosition, ErasedGame, Notation, PlayerName, RulesFile, is_rules_key};

use crate::error::RequestError;
use crate::link::Link;
use crate::words::players::{Name, name, name_by_way};
use crate::words::{Lang, error as say};

/// Moves of the longest history: replaying it must be cheap, since every request does.
const MAX_MOVES: usize = 256;

/// Bytes of the longest position: several times the cells of the largest board.
const MAX_POSITION_BYTES: usize = 1_000;

/// Tokens of all heaps together: larger ones can take seconds to solve.
const MAX_TOKENS: u64 = 200;

/// The content of a URL: a game, its history, and the position that this leads to.
pub(crate) struct Scene {
    pub(crate) link: Link,
    /// The rules with the changes of the URL.
    pub(crate) rules: RulesFile,
    /// The game, starting from the position.
    pub(crate) game: AnyGame,
    /// The position's text.
    pub(crate) position: String,
    pub(crate) board: Option<BoardView>,
    pub(crate) moves: Vec<MoveView>,
    /// The moves so far.
    pub(crate) history: Vec<PlayedMove>,
    /// The number of the player to move: 0 for the one who was to move at the start of the history, else 1.
    turn: usize,
    /// The texts of the positions before, where play may repeat.
    pub(crate) before: Vec<String>,
    /// The cells of a better move than the last one, with the position that it leads to: drawn as a ghost.
    pub(crate) ghost: Option<(u128, Box<Self>)>,
}

/// A move of the history.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    pub(crate) text: String,
    /// The number of the player who made the move, as in [`Scene::turn`].
    pub(crate) player: usize,
    /// The cells that the move marked.
    pub(crate) cells: u128,
    /// The cells that the last move closed; none for earlier moves.
    pub(crate) closed: u128,
}

/// A board as pages show it.
pub(crate) struct BoardView {
    pub(crate) board: Board,
    /// The glyph of each cell.
    pub(crate) glyphs: Vec<char>,
    /// The number that moves give the leftmost column.
    pub(crate) first_column: usize,
}

/// A legal move.
pub(crate) struct MoveView {
    pub(crate) text: String,
    /// The cells that the move goes to, covers or marks.
    pub(crate) cells: u128,
}

impl Scene {
    /// Loads what `link` describes.
    pub(crate) fn new(link: Link) -> Result<Self, RequestError> {
        let rules = load_rules(&link)?;
        let begin = load_game(&rules, link.at.as_deref())?;
        if link.moves.len() > MAX_MOVES {
            return Err(RequestError::invalid(|lang| say::long_history(lang, link.moves.len(), MAX_MOVES)));
        }
        let Replayed { history, position, turn, before } = replay(&begin.erased(), &link.moves)?;
        let game = if history.is_empty() { begin } else { rules.game_at(&position)? };
        let board = |board| BoardView { board, glyphs: game.glyphs(), first_column: game.first_column() };
        let moves = game.moves().into_iter().map(|(text, cells)| MoveView { text, cells }).collect();
        let (position, board) = (game.start_text(), game.board().map(board));
        Ok(Self { link, rules, position, board, moves, game, history, turn, before, ghost: None })
    }

    /// Adds the ghost of a move that could be made after `n` moves of the history.
    pub(crate) fn with_ghost(self, n: usize, mv: &str) -> Result<Self, RequestError> {
        let after = Self::new(self.link.after_first(n).after(mv))?;
        let cells = after.history.last().map_or(0, |played| played.cells);
        Ok(Self { ghost: Some((cells, Box::new(after))), ..self })
    }

    /// Returns the line about the game that its rules file has, in Korean if it has one.
    pub(crate) fn about(&self, lang: Lang) -> &str {
        self.rules.about_in(lang)
    }

    /// Returns the number of the player to move: 0 for the one who was to move at the start of the history, else 1.
    pub(crate) const fn turn(&self) -> usize {
        self.turn
    }

    /// Returns the number of the player who made the move `n` of the history, from 0, or who is to make the next one.
    pub(crate) fn player_of(&self, n: usize) -> usize {
        self.history.get(n).map_or(self.turn, |played| played.player)
    }

    /// Whether the player to move has made the last move, too.
    pub(crate) fn is_turn_kept(&self) -> bool {
        self.history.last().is_some_and(|played| played.player == self.turn)
    }

    /// Returns the number of moves since the position was last there; `None` if it is new.
    pub(crate) fn moves_since_same(&self) -> Option<usize> {
        let is_same = |n: &usize| self.before[*n] == self.position && self.player_of(*n) == self.turn;
        (0..self.before.len()).rev().find(is_same).map(|n| self.before.len() - n)
    }
}

/// Loads the rules of a URL.
pub(crate) fn load_rules(link: &Link) -> Result<RulesFile, RequestError> {
    change_rules(load_preset(&link.game)?, &link.rule_changes())
}

/// Runs work on a blocking thread, so that other requests are served meanwhile; in this one where there are no others.
#[cfg_attr(not(feature = "server"), allow(clippy::unused_async, reason = "the server's waits for another thread"))]
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    #[cfg(not(feature = "server"))]
    return work();
    #[cfg(feature = "server")]
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|failed| {
        let failure = failed.try_into_panic().ok().and_then(|panic| panic.downcast::<RulesFailure>().ok());
        Err(failure.map_or_else(RequestError::busy, |failure| EngineError::from(*failure).into()))
    })
}

/// The moves that were played, with the text of the final position and the number of the player to move there; where play may
/// repeat, with the texts of the positions before.
struct Replayed {
    history: Vec<PlayedMove>,
    position: String,
    turn: usize,
    before: Vec<String>,
}

/// Plays moves by their texts.
fn replay(game: &ErasedGame, moves: &[String]) -> Result<Replayed, RequestError> {
    let (mut position, mut turn, mut before) = (game.start(), 0, Vec::new());
    let mut history = Vec::with_capacity(moves.len());
    for (n, text) in moves.iter().enumerate() {
        let mv = game.find_move(&position, text).ok_or_else(|| {
            let legal: Vec<_> = game.moves(&position).take(8).map(|mv| game.move_text(&position, mv)).collect();
            RequestError::invalid(|lang| match &legal[..] {
                [] => say::move_after_end(lang, text, n + 1),
                legal => say::illegal_move(lang, text, n + 1, &legal.join("; ")),
            })
        })?;
        let next = game.play(&position, mv);
        let closed = if n + 1 == moves.len() { closed_cells(game, &position, &next) } else { 0 };
        if game.may_repeat() {
            before.push(game.text(&position));
        }
        history.push(PlayedMove { text: text.clone(), player: turn, cells: game.move_cells(&position, mv), closed });
        turn = game.turn(&position, mv, &next).next_player(turn);
        position = next;
    }
    Ok(Replayed { history, position: game.text(&position), turn, before })
}

/// Returns the cells that a move closed.
fn closed_cells(game: &ErasedGame, before: &DynPosition, after: &DynPosition) -> u128 {
    let is_closed = |position: &DynPosition, cell| game.glyph(position, cell) == '#';
    let cells = 0..game.board().map_or(0, |board| board.cells());
    cells.filter(|cell| !is_closed(before, *cell) && is_closed(after, *cell)).fold(0, |cells, cell| cells | 1 << cell)
}

/// Returns a player's name. `turn` is 0 for the player who was to move at the start of the history, else 1.
pub(crate) fn player_name(lang: Lang, game: &AnyGame, player: PlayerName, turn: usize) -> Name {
    if game.is_by_direction() { name_by_way(lang, player, turn) } else { name(lang, player, turn) }
}

/// Loads a preset's rules.
pub(crate) fn load_preset(name: &str) -> Result<RulesFile, RequestError> {
    Ok(preset(name).ok_or_else(|| RequestError::no_game(name))??)
}

/// Parses a rules file's text.
pub(crate) fn parse_rules(name: &str, text: &str) -> Result<RulesFile, RequestError> {
    let table = toml::from_str::<toml::Table>(text).unwrap_or_default();
    if matches!(table.get("family").and_then(toml::Value::as_str), Some("heaps" | "pile")) {
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
    let Some(text) = text else { return Ok(rules.game()?) };
    if text.len() > MAX_POSITION_BYTES {
        return Err(RequestError::invalid(|lang| say::long_position(lang, text.len(), MAX_POSITION_BYTES)));
    }
    if !rules.has_board() {
        check_tokens(text)?;
    }
    Ok(rules.game_at(text)?)
}

/// Refuses a start whose heaps are too large, however TOML writes it.
fn check_start(start: &toml::Value) -> Result<(), RequestError> {
    check_tokens(start.as_str().unwrap_or(&start.to_string()))
}

/// Refuses heaps that are too large in all. Words such as `limit=6` are not heaps.
fn check_tokens(heaps: &str) -> Result<(), RequestError> {
    let heaps = heaps.split_whitespace().filter(|word| !word.contains('='));
    let sizes = heaps.flat_map(|word| word.split(|c: char| !c.is_ascii_digit())).filter(|size| !size.is_empty());
    let tokens = sizes.map(|size| size.parse().unwrap_or(u64::MAX)).fold(0, u64::saturating_add);
    if tokens > MAX_TOKENS {
        return Err(RequestError::invalid(|lang| say::many_tokens(lang, MAX_TOKENS)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use axum::http::StatusCode;

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
