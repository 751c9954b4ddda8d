//! What positions at the lower edge of a tree are worth.

use balpan::{Budget, Engine, Solver, TooLong, Watch};
use balpan_games::{KnownOf, Notation};

use super::sheet::{NoTree, TreeOptions};

/// Whom a tree asks for the values of positions whose moves it does not follow.
pub(super) fn values<G: Notation>(game: &G, asked: &TreeOptions, watch: &Watch) -> Result<Engine<G>, NoTree> {
    TooLong::check(game, &game.start())?;
    let engine = Engine::new(game.clone(), Budget { memory: asked.memory, threads: asked.threads });
    let mut engine = KnownOf::inform(asked.known.as_ref(), engine);
    engine.set_watch(watch);
    Ok(engine)
}
