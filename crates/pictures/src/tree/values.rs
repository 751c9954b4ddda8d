//! The engine that finds the values of a tree's leaves.

use balpan::{Budget, Engine, Solver, TooLong, Watch};
use balpan_games::{KnownOf, Notation};

use super::sheet::{NoTree, TreeOptions};

/// Returns the engine that finds the values of the tree's leaves.
pub(super) fn leaf_engine<G: Notation>(game: &G, asked: &TreeOptions, watch: &Watch) -> Result<Engine<G>, NoTree> {
    TooLong::check(game, &game.start())?;
    let engine = Engine::new(game.clone(), Budget { memory: asked.memory, threads: asked.threads });
    let mut engine = KnownOf::inform(asked.known.as_ref(), engine);
    engine.set_watch(watch);
    Ok(engine)
}
