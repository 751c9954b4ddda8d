//! Sources of exact values outside the search: strong solutions and opening books.

use std::fmt::Debug;
use std::sync::Arc;

use super::Game;
use crate::value::Value;

/// The values of many positions of a game, by their keys: a strong solution, or an opening book. An
/// [`Engine`](crate::Engine) probes it before it searches.
///
/// The oracle has to be of the same rules and the same board as the engine's game. Nothing checks that.
pub trait Oracle: Debug + Send + Sync {
    /// Returns the value of the position of this [layer](Game::layer) and [key](Game::key), which are
    /// those of the canonical form if the oracle
    /// [uses canonical keys](Self::uses_canonical_keys). `None` if the oracle does not hold it.
    fn value(&self, layer: u32, key: u128) -> Option<Value>;

    /// Returns the nimber of the part, made by [`split`](Game::split), of this layer and key.
    fn nimber(&self, _layer: u32, _key: u128) -> Option<u32> {
        None
    }

    /// Returns whether positions are stored by their canonical form.
    fn uses_canonical_keys(&self) -> bool {
        true
    }

    /// Returns whether a search should probe positions of this layer. A probe takes a few microseconds,
    /// which pay off in the first layers that the oracle holds, and are lost in those that it does not.
    fn should_probe_at(&self, layer: u32) -> bool;
}

/// An oracle that is probed by positions instead of keys.
#[derive(Clone, Debug)]
pub(crate) struct OracleProbe(pub(crate) Arc<dyn Oracle>);

impl OracleProbe {
    /// Returns the position's value, if the oracle holds it.
    pub(crate) fn value<G: Game>(&self, game: &G, position: &G::Position) -> Option<Value> {
        let layer = game.stored_layer(position)?;
        let key = if self.0.uses_canonical_keys() { game.key(&game.canonical(position)) } else { game.key(position) };
        self.0.value(layer, key)
    }

    /// As [`value`](Self::value), but only in the layers that a search should probe.
    pub(crate) fn value_in_search<G: Game>(&self, game: &G, position: &G::Position) -> Option<Value> {
        if self.0.should_probe_at(game.stored_layer(position)?) { self.value(game, position) } else { None }
    }

    /// Returns the position's nimber, if the oracle holds all parts.
    pub(crate) fn nimber<G: Game>(&self, game: &G, position: &<G as Game>::Position) -> Option<u32> {
        let mut parts = Vec::new();
        game.split(position, &mut parts);
        let part_nimber = |part| self.0.nimber(game.layer(part)?, game.key(part));
        parts.iter().try_fold(0, |sum, part| Some(sum ^ part_nimber(part)?))
    }
}
