//! The one place that calls balpan's solvers.

use balpan::{AlphaBeta, Game, Outcome, Solver, Value, Watch};
use balpan_games::placement::{LosingBoards, Placement};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Notation, RulesFile, Task};

/// What the table of a solver may take.
pub const TABLE_BYTES: usize = 1 << 30;

/// A preset's rules with some keys changed, such as `board=8x8`.
///
/// # Panics
/// If there is no such preset, or no such rules.
#[must_use]
pub fn rules(name: &str, changes: &[&str]) -> RulesFile {
    let rules = preset(name).expect("a preset").expect("sound rules");
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    rules.with_changes(&changes).expect("sound changes")
}

/// The game by those rules, from its start.
///
/// # Panics
/// As [`rules`].
#[must_use]
pub fn game(name: &str, changes: &[&str]) -> AnyGame {
    rules(name, changes).game().expect("a game")
}

/// An answer, and how many positions it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// The value or the outcome.
    pub answer: T,
    /// Positions searched.
    pub positions: u64,
}

/// Whether a solver keeps what it learnt of one position for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Each position is solved as if it were the first.
    Cleared,
    /// One table for all.
    Kept,
}

/// The value of the start.
#[must_use]
pub fn value(name: &str, changes: &[&str]) -> Found<Value> {
    value_by(name, changes, 1)
}

/// The value of the start, by `threads` threads.
#[must_use]
pub fn value_by(name: &str, changes: &[&str], threads: usize) -> Found<Value> {
    struct ValueOf(usize);

    impl Task for ValueOf {
        type Output = Found<Value>;

        fn run<G: Notation>(self, game: &G) -> Self::Output {
            let watch = Watch::default();
            let mut solver = AlphaBeta::new(game, TABLE_BYTES, &watch).with_threads(self.0);
            let answer = solver.value(&game.start()).expect("nobody stops it");
            Found { answer, positions: solver.positions_searched() }
        }
    }

    game(name, changes).run(ValueOf(threads))
}

/// The values of the positions that the texts show, or of the start if there are none,
/// with a table of `table_bytes`.
///
/// # Panics
/// On a text that is not a position.
#[must_use]
pub fn values(game: &AnyGame, texts: &[&str], table_bytes: usize, memory: Memory) -> Found<Vec<Value>> {
    struct Values<'t>(&'t [&'t str], usize, Memory);

    impl Task for Values<'_> {
        type Output = Found<Vec<Value>>;

        fn run<G: Notation>(self, game: &G) -> Self::Output {
            let Self(texts, table_bytes, memory) = self;
            let mut positions: Vec<_> = texts.iter().map(|text| game.parse(text).expect("a position")).collect();
            if positions.is_empty() {
                positions.push(game.start());
            }
            let watch = Watch::default();
            let mut found = Found { answer: Vec::new(), positions: 0 };
            let mut solver = AlphaBeta::new(game, table_bytes, &watch);
            for position in &positions {
                if memory == Memory::Cleared {
                    found.positions += solver.positions_searched();
                    solver = AlphaBeta::new(game, table_bytes, &watch);
                }
                found.answer.push(solver.value(position).expect("nobody stops it"));
            }
            found.positions += solver.positions_searched();
            found
        }
    }

    game.run(Values(texts, table_bytes, memory))
}

/// The outcome of the start.
#[must_use]
pub fn outcome(name: &str, changes: &[&str]) -> Found<Outcome> {
    struct OutcomeOf;

    impl Task for OutcomeOf {
        type Output = Found<Outcome>;

        fn run<G: Notation>(self, game: &G) -> Self::Output {
            let watch = Watch::default();
            let mut solver = AlphaBeta::new(game, TABLE_BYTES, &watch);
            let answer = solver.outcome(&game.start()).expect("nobody stops it");
            Found { answer, positions: solver.positions_searched() }
        }
    }

    game(name, changes).run(OutcomeOf)
}

/// The value of any game's position, by a solver that has met nothing before.
///
/// # Panics
/// Never: nobody stops it.
pub fn fresh_value<G: Game>(game: &G, position: &G::Position) -> Value {
    AlphaBeta::new(game, 1 << 20, &Watch::default()).value(position).expect("nobody stops it")
}

/// How many boards of a placement game are lost for the player to move, of all there
/// are; by one thread.
///
/// # Panics
/// If the game has no table.
#[must_use]
pub fn losing_boards(name: &str, changes: &[&str]) -> u64 {
    let game = game(name, changes).downcast::<Placement>().expect("a placement game");
    LosingBoards::new(&game, TABLE_BYTES as u64, &Watch::default()).expect("a table").count()
}

/// The judge's output.
///
/// # Panics
/// On unsound input.
#[must_use]
pub fn judge_platforms(input: &str) -> Vec<u8> {
    let mut output = Vec::new();
    balpan_contest::answer_all(&balpan_contest::Platforms, input.as_bytes(), &mut output, &Watch::default())
        .expect("sound input");
    output
}
