//! A game of one's own, defined outside of this crate, under a name that is known wherever a preset's is.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use balpan::{Bounds, Game, Goal, Outcome, Tame, Value};
use serde::Deserialize;
use toml::Spanned;

use crate::any::AnyGame;
use crate::board::Board;
use crate::erased::delegate;
use crate::error::CustomError;
use crate::family::FamilyGame;
use crate::notation::{Notation, PlayerName};
use crate::registry::{Family, FamilyRules, families, register};
use crate::rules::RulesSource;
use crate::text::{TextError, TextKind, error};
use crate::words::Lang;

/// Creates an error in the words of this module.
fn mistake(text: &str, span: Range<usize>, found: impl Into<String>, expected: &str) -> TextError {
    error(text, span, CustomError { found: found.into(), expected: expected.to_owned() })
}

/// Positions that [`Notation::parse`] looks at by default.
const MAX_POSITIONS: usize = 1 << 20;

/// Adds a game to the presets for the rest of the process.
///
/// # Errors
/// If the name is a preset's, or no lower-case word, or the text of the start is not read back as the start.
pub fn register_game<G: Notation>(name: &str, game: G) -> Result<(), TextError> {
    let start = game.text(&game.start());
    let rules = OwnRules { name: check_name(name)?, make: Arc::new(move |_| Some(game.clone())), has_boards: false };
    add(rules, "start", &start)
}

/// Adds a game on boards to the presets for the rest of the process. `board` is its size unless another is asked for, such
/// as `3x4`; `make` returns the game on a board, or `None` if there is no such game. A position whose text
/// begins with rows of equal length, `/` between them, is one on a board of these rows.
///
/// # Errors
/// As [`register_game`], and if `board` is not the size of a board for which `make` returns a game.
pub fn register_game_on_boards<G: Notation>(
    name: &str,
    board: &str,
    make: impl Fn(Board) -> Option<G> + Send + Sync + 'static,
) -> Result<(), TextError> {
    let make = move |board: Option<Board>| board.and_then(&make);
    add(OwnRules { name: check_name(name)?, make: Arc::new(make), has_boards: true }, "board", board)
}

/// Returns the name as one that lasts.
fn check_name(name: &str) -> Result<&'static str, TextError> {
    let is_word =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c));
    let is_known = crate::presets::PRESETS.iter().any(|(preset, _)| *preset == name);
    if !is_word || is_known || families().iter().any(|family| family.name == name && family.presets.is_empty()) {
        let expected = "a word of lower-case letters, digits, `-` and `_` that is no preset's and no family's name";
        return Err(mistake(name, 0..name.len(), format!("a game called `{name}`"), expected));
    }
    Ok(Box::leak(name.to_owned().into_boxed_str()))
}

fn add<G: Notation>(rules: OwnRules<G>, key: &str, value: &str) -> Result<(), TextError> {
    let name = rules.name;
    let has_boards = rules.has_boards;
    let text = format!("family = {name:?}\n{key} = {}\n", toml::Value::String(value.to_owned()));
    let read = move |source: RulesSource<'_>| {
        #[derive(Deserialize)]
        struct File {
            about: Option<String>,
            about_ko: Option<String>,
            board: Option<Spanned<String>>,
            start: Option<Spanned<String>>,
        }

        let File { about, about_ko, board, start } = source.read()?;
        let mut file = source.rules_file(None, rules.clone(), board.as_ref(), start.as_ref())?;
        let game = file.game()?;
        let first_sentence = |lang| game.describe(lang).into_iter().next().unwrap_or_default();
        file.about = about.unwrap_or_else(|| first_sentence(Lang::En));
        file.about_ko = about_ko.unwrap_or_else(|| first_sentence(Lang::Ko));
        Ok(file)
    };
    let family = Family {
        name,
        keys: if has_boards {
            &["family", "about", "about_ko", "board", "start"]
        } else {
            &["family", "about", "about_ko", "start"]
        },
        required: &[],
        read: Box::leak(Box::new(read)),
        presets: Box::leak(Box::new([(name, &*text.clone().leak())])),
    };
    let family = &*Box::leak(Box::new(family));
    let game = (family.read)(RulesSource::new(name, &text, family))?.game()?;
    let start = game.start_text();
    if (key == "start" && start != value) || game.rules().parse(&start).ok() != Some(game.rules().start()) {
        let found = "the text of the start, which `parse` does not read back as the start";
        return Err(mistake(
            &start,
            0..start.len(),
            found,
            "texts of positions that are read back as the same positions",
        ));
    }
    register(family);
    Ok(())
}

/// The rules of a game of one's own.
struct OwnRules<G> {
    name: &'static str,
    make: Arc<dyn Fn(Option<Board>) -> Option<G> + Send + Sync>,
    has_boards: bool,
}

impl<G> Clone for OwnRules<G> {
    fn clone(&self) -> Self {
        Self { make: Arc::clone(&self.make), ..*self }
    }
}

impl<G> fmt::Debug for OwnRules<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnRules({})", self.name)
    }
}

impl<G: Notation> OwnRules<G> {
    fn game(&self, board: Board) -> Result<OwnGame<G>, TextError> {
        let game = (self.make)(self.has_boards.then_some(board)).ok_or_else(|| TextError {
            kind: TextKind::Rules(self.name.to_owned()),
            ..mistake(
                "",
                0..0,
                format!("a board of {board}, on which there is no such game"),
                "a board that the game has",
            )
        })?;
        let size = Some(game.size()).filter(|size| !size.is_empty()).unwrap_or_else(|| game.text(&game.start()));
        Ok(OwnGame { name: self.name, size, game, start: None })
    }
}

impl<G: Notation> FamilyRules for OwnRules<G> {
    fn has_board(&self) -> bool {
        self.has_boards
    }

    fn game_on(&self, board: Board) -> Result<AnyGame, TextError> {
        Ok(self.game(board)?.into())
    }

    fn game_at(&self, board: Board, text: &str) -> Result<AnyGame, TextError> {
        let at = |board| -> Result<AnyGame, TextError> {
            let game = self.game(board)?;
            let start = Some(game.game.parse(text)?);
            Ok(OwnGame { start, ..game }.into())
        };
        match Board::of_rows(text).filter(|_| self.has_boards) {
            Some(rows) if text.contains('/') => at(rows),
            // A single row may be text of another kind.
            Some(rows) => at(board).or_else(|error| at(rows).map_err(|_| error)),
            None => at(board),
        }
    }
}

/// A game of one's own, from a position.
#[derive(Clone)]
struct OwnGame<G: Notation> {
    name: &'static str,
    size: String,
    game: G,
    /// `None` for the game's own start.
    start: Option<G::Position>,
}

impl<G: Notation> Game for OwnGame<G> {
    type Position = G::Position;
    type Move = G::Move;

    const TURNS_ALTERNATE: bool = G::TURNS_ALTERNATE;
    const MAY_REPEAT: bool = G::MAY_REPEAT;

    fn start(&self) -> G::Position {
        self.start.clone().unwrap_or_else(|| self.game.start())
    }

    fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.game.moves(position)
    }

    fn candidates(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.game.candidates(position)
    }

    fn split(&self, position: &G::Position, parts: &mut Vec<G::Position>) {
        self.game.split(position, parts);
    }

    delegate! { this => this.game;
        play(position: &G::Position, mv: G::Move) -> G::Position;
        is_over(position: &G::Position) -> bool;
        end(position: &G::Position) -> Outcome;
        score(position: &G::Position) -> Option<i32>;
        max_score() -> u32;
        turns_alternate() -> bool;
        keeps_turn(position: &G::Position, mv: G::Move, after: &G::Position) -> bool;
        may_repeat() -> bool;
        is_legal(position: &G::Position) -> bool;
        canonical(position: &G::Position) -> G::Position;
        heap_bytes(position: &G::Position) -> usize;
        key_bits() -> u32;
        key(position: &G::Position) -> u128;
        is_cacheable(position: &G::Position) -> bool;
        position_from_key(key: u128) -> Option<G::Position>;
        layer(position: &G::Position) -> Option<u32>;
        bounds(position: &G::Position, threshold: Value) -> Bounds;
        settle(position: &G::Position, threshold: Value) -> Option<Value>;
        looks_ahead() -> bool;
        rank(position: &G::Position, mv: G::Move, after: &G::Position) -> i32;
        is_impartial() -> bool;
        is_impartial_misere() -> bool;
        nimber(part: &G::Position) -> Option<u32>;
        tame(part: &G::Position) -> Option<Tame>;
        default_goal(position: &G::Position) -> Goal;
    }
}

impl<G: Notation> Notation for OwnGame<G> {
    fn size(&self) -> String {
        self.size.clone()
    }

    delegate! { this => this.game;
        board() -> Option<Board>;
        parse(text: &str) -> Result<G::Position, TextError>;
        text(position: &G::Position) -> String;
        describe(lang: Lang) -> Vec<String>;
        move_text(position: &G::Position, mv: G::Move) -> String;
        glyph(position: &G::Position, cell: usize) -> char;
        owner(glyph: char) -> Option<usize>;
        draw_lines(position: &G::Position) -> Vec<String>;
        heaps(position: &G::Position) -> Option<Vec<u16>>;
        picture(position: &G::Position) -> Option<String>;
        winning_cells(position: &G::Position) -> u128;
        first_column() -> usize;
        move_cells(position: &G::Position, mv: G::Move) -> u128;
        players(position: &G::Position) -> [PlayerName; 2];
    }
}

impl<G: Notation> FamilyGame for OwnGame<G> {
    fn family(&self) -> &'static str {
        self.name
    }
}

/// Finds the position with this text among the first million that play can reach, the nearest first: what
/// [`Notation::parse`] does by default.
///
/// # Errors
/// If none of them has this text.
pub fn find_position<G: Notation>(game: &G, text: &str) -> Result<G::Position, TextError> {
    let (mut seen, mut found) = (HashSet::from([game.start()]), vec![game.start()]);
    let mut next = 0;
    while let Some(position) = found.get(next).cloned() {
        if game.text(&position) == text.trim() {
            return Ok(position);
        }
        next += 1;
        for mv in game.moves(&position).collect::<Vec<_>>() {
            let after = game.play(&position, mv);
            if seen.len() < MAX_POSITIONS && seen.insert(after.clone()) {
                found.push(after);
            }
        }
    }
    let among =
        if seen.len() < MAX_POSITIONS { "" } else { "; the game has more of them than were compared, and no `parse`" };
    let expected = format!("a position that play can reach, such as {}{among}", game.text(&game.start()));
    Err(mistake(text, 0..text.len(), "a text of no position", &expected))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::presets::preset;

    /// A heap, of which one to three tokens are taken. Both `text` and the rest are as short as they can be.
    #[derive(Clone)]
    struct Take(u32, &'static str);

    impl Game for Take {
        type Position = u32;
        type Move = u32;

        fn start(&self) -> u32 {
            self.0
        }

        fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> {
            1..=heap.min(3)
        }

        fn play(&self, heap: &u32, taken: u32) -> u32 {
            heap - taken
        }
    }

    impl Notation for Take {
        fn text(&self, heap: &u32) -> String {
            format!("{}{heap} left", self.1)
        }
    }

    #[test]
    fn a_game_with_text_alone_is_a_preset() {
        register_game("take", Take(10, "")).unwrap();
        let rules = preset("take").unwrap().unwrap();
        let game = rules.game_at("7 left").unwrap();
        assert_eq!((&*game.start_text(), &*game.size(), game.family()), ("7 left", "10 left", "take"));
        assert_eq!(game.moves().into_iter().map(|(text, _)| text).collect::<Vec<_>>(), ["6_left", "5_left", "4_left"]);
        let error = rules.game_at("11 left").unwrap_err().explain(Lang::En);
        assert!(error.message.contains("a text of no position") && error.help.contains("such as 10 left"), "{error:?}");
        assert!(rules.with_board("3x3").is_err());
    }

    #[test]
    fn names_and_texts_that_cannot_be_are_refused() {
        for name in ["nim", "walkers", "", "Take", "a/b", "한"] {
            let error = register_game(name, Take(3, "")).unwrap_err().explain(Lang::En);
            assert!(error.message.contains(&format!("`{name}`")), "{name}: {error:?}");
        }
        // Blanks at the ends are lost on the way.
        let error = register_game("blank", Take(3, " ")).unwrap_err().explain(Lang::En);
        assert!(error.message.contains("no position") || error.message.contains("read back"), "{error:?}");
        assert!(preset("blank").is_none());
        assert!(register_game_on_boards("board", "3x3", |_| None::<Take>).is_err());
        assert!(register_game_on_boards("board", "3by3", |_| Some(Take(3, ""))).is_err());
    }
}
