//! All positions that play can reach, if they are few.

use balpan::{Keyed, Stopped, Value, Watch, with_stack_for};
use rustc_hash::FxHashMap;

/// The most positions that are all looked at, up to symmetry.
const MOST_POSITIONS: usize = (1 << 18) / 8 * 7;

/// The most moves that are followed to find them: whether they are too many is not for a
/// clock to say, or it would not be the same on every machine.
const MOST_MOVES: u64 = 1 << 22;

/// Why a walk gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotAll {
    /// The watch said stop.
    Stopped,
    /// There are more than [`MOST_POSITIONS`], or more than [`MOST_MOVES`] between them.
    TooMany,
}

impl From<Stopped> for NotAll {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The value of every position that play can reach from the start, one of each class.
pub(super) fn values<G: Keyed>(game: &G, watch: &Watch) -> Result<FxHashMap<G::Position, Value>, NotAll> {
    let mut walk = Walk { game, watch, moves: 0, done: FxHashMap::default() };
    with_stack_for(game.layer(&game.start()), || walk.visit(game.start()).map(|_| walk.done))
}

struct Walk<'a, G: Keyed> {
    game: &'a G,
    watch: &'a Watch,
    moves: u64,
    done: FxHashMap<G::Position, Value>,
}

impl<G: Keyed> Walk<'_, G> {
    fn visit(&mut self, position: G::Position) -> Result<Value, NotAll> {
        let position = self.game.canonical(&position);
        if let Some(&value) = self.done.get(&position) {
            return Ok(value);
        }
        let game = self.game;
        let mut best: Option<Value> = None;
        for mv in game.moves(&position) {
            self.moves += 1;
            if self.moves > MOST_MOVES {
                return Err(NotAll::TooMany);
            }
            let value = self.visit(game.play(&position, mv))?.to_parent();
            best = best.max(Some(value));
        }
        self.watch.count(1)?;
        if self.done.len() == MOST_POSITIONS {
            return Err(NotAll::TooMany);
        }
        let value = best.unwrap_or_else(|| Value::terminal(game.end(&position)));
        self.done.insert(position, value);
        Ok(value)
    }
}
