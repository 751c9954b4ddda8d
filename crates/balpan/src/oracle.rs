//! Somebody who knows the values of many positions.

use std::fmt::Debug;
use std::sync::Arc;

use crate::game::Game;
use crate::impartial::Impartial;
use crate::keyed::Keyed;
use crate::value::Value;

/// The values of many positions of a game, by their keys: a strong solution, or a book of
/// openings. An [`Engine`](crate::Engine) asks it before it searches.
///
/// Whoever gives one to an engine answers for it: it has to be of the same rules, and of the
/// same board.
pub trait Oracle: Debug + Send + Sync {
    /// The value of the position of this [layer](Keyed::layer) and [key](Keyed::key): the
    /// canonical form's, if [`uses_canonical_keys`](Self::uses_canonical_keys). `None` if it is not known.
    fn value(&self, layer: u32, key: u128) -> Option<Value>;

    /// The nimber of the part, made by [`split`](Impartial::split), of this layer and key.
    fn nimber(&self, _layer: u32, _key: u128) -> Option<u32> {
        None
    }

    /// Whether positions are known by their canonical form.
    fn uses_canonical_keys(&self) -> bool {
        true
    }

    /// Whether a search that comes to this layer should ask: it costs a few microseconds, which
    /// are well spent where positions are first met that are known, and lost where none is.
    fn should_probe_at(&self, layer: u32) -> bool;
}

/// An oracle, and how a game's positions are told to it.
#[derive(Clone, Debug)]
pub(crate) struct OracleProbe(pub(crate) Arc<dyn Oracle>);

impl OracleProbe {
    /// The position's value, if it is known.
    pub(crate) fn value<G: Keyed + ?Sized>(&self, game: &G, position: &G::Position) -> Option<Value> {
        let layer = game.layer(position)?;
        let key = if self.0.uses_canonical_keys() { game.key(&game.canonical(position)) } else { game.key(position) };
        self.0.value(layer, key)
    }

    /// As [`value`](Self::value), for a search: where it is worth asking.
    pub(crate) fn value_in_search<G: Keyed + ?Sized>(&self, game: &G, position: &G::Position) -> Option<Value> {
        if self.0.should_probe_at(game.layer(position)?) { self.value(game, position) } else { None }
    }

    /// The position's nimber, if all parts are known.
    pub(crate) fn nimber<G: Impartial>(&self, game: &G, position: &<G as Game>::Position) -> Option<u32> {
        let mut parts = Vec::new();
        game.split(position, &mut parts);
        let of = |part| self.0.nimber(game.layer(part)?, game.key(part));
        parts.iter().try_fold(0, |sum, part| Some(sum ^ of(part)?))
    }
}
