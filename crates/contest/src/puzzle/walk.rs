//! The values of all positions that play can reach, if they are few.

use balpan::{Keyed, Stopped, Value, Watch, with_stack_for};
use rustc_hash::FxHashMap;

/// The most positions, up to symmetry.
const MAX_POSITIONS: usize = (1 << 18) / 8 * 7;

/// The most moves that are followed. A limit by the clock would not be the same on every machine.
const MAX_MOVES: u64 = 1 << 22;

/// Why a walk is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkError {
    /// The watch stopped it.
    Stopped,
    /// There are more than [`MAX_POSITIONS`], or more than [`MAX_MOVES`] between them.
    TooMany,
}

impl From<Stopped> for WalkError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Returns the values of all positions that play can reach from the start, up to symmetry.
pub(super) fn reachable_values<G: Keyed>(game: &G, watch: &Watch) -> Result<FxHashMap<G::Position, Value>, WalkError> {
    let mut walk = Walk { game, watch, moves: 0, values: FxHashMap::default() };
    with_stack_for(game.layer(&game.start()), || walk.visit(game.start()).map(|_| walk.values))
}

struct Walk<'a, G: Keyed> {
    game: &'a G,
    watch: &'a Watch,
    moves: u64,
    values: FxHashMap<G::Position, Value>,
}

impl<G: Keyed> Walk<'_, G> {
    fn visit(&mut self, position: G::Position) -> Result<Value, WalkError> {
        let position = self.game.canonical(&position);
        if let Some(&value) = self.values.get(&position) {
            return Ok(value);
        }
        let game = self.game;
        let mut best: Option<Value> = None;
        for mv in game.moves(&position) {
            self.moves += 1;
            if self.moves > MAX_MOVES {
                return Err(WalkError::TooMany);
            }
            let value = self.visit(game.play(&position, mv))?.to_parent();
            best = best.max(Some(value));
        }
        self.watch.count(1)?;
        if self.values.len() == MAX_POSITIONS {
            return Err(WalkError::TooMany);
        }
        let value = best.unwrap_or_else(|| Value::terminal(game.end(&position)));
        self.values.insert(position, value);
        Ok(value)
    }
}
