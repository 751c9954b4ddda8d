//! What must hold of positions and of the errors that stand in for them.

use std::sync::LazyLock;

use balpan_games::{Lang, Notation, RulesFile, Task, TextError};

/// Several games of one family, one of which each input chooses.
pub struct Variants(LazyLock<Vec<RulesFile>>);

impl Variants {
    /// The games that `read` returns, read when the first is needed.
    #[must_use]
    pub const fn new(read: fn() -> Vec<RulesFile>) -> Self {
        Self(LazyLock::new(read))
    }

    /// Reads a position of the game that the first byte of `data` chooses, and
    /// checks what comes of it.
    ///
    /// # Panics
    /// If a law does not hold.
    pub fn check(&self, data: &[u8]) {
        let Some((&choice, text)) = data.split_first() else { return };
        let Ok(text) = std::str::from_utf8(text) else { return };
        let rules = &self.0[usize::from(choice) % self.0.len()];
        match rules.game_at(text) {
            Ok(game) => game.run(CheckedStart),
            Err(error) => check_span(&error),
        }
        // On a board that is given, whatever board the text shows.
        if let Ok(game) = rules.game() {
            game.run(Parsed(text));
        }
    }
}

/// Checks a game's start and every position one move on: that it is legal, that
/// its text reads back as the same position, and its canonical form as well.
pub struct CheckedStart;

impl Task for CheckedStart {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let start = game.start();
        check(game, &start);
        for mv in game.moves(&start) {
            assert!(!game.move_text(&start, mv).is_empty(), "a move without a text");
            check(game, &game.play(&start, mv));
        }
    }
}

/// Reads a text as a position of a game on its own board.
struct Parsed<'t>(&'t str);

impl Task for Parsed<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        match game.parse(self.0) {
            Ok(position) => check(game, &position),
            Err(error) => check_span(&error),
        }
    }
}

fn check<G: Notation>(game: &G, position: &G::Position) {
    let text = game.text(position);
    assert!(game.is_legal(position), "{text} is not legal");
    let again =
        game.parse(&text).unwrap_or_else(|e| panic!("{text} does not read back: {e}; {}", e.explain(Lang::En).help));
    assert!(again == *position, "{text} reads back as {}", game.text(&again));
    let canonical = game.canonical(position);
    assert!(game.is_legal(&canonical), "the canonical form of {text} is not legal");
    assert!(game.canonical(&canonical) == canonical, "{text} has no canonical form");
}

/// Checks that an error points into the text that it is about.
///
/// # Panics
/// If it does not.
pub fn check_span(error: &TextError) {
    let TextError { text, span, .. } = error;
    assert!(text.get(span.clone()).is_some(), "{error} points at {span:?}");
}
