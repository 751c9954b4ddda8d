//! A game as layers and keys: the successors of a position.

use balpan::{Game, Outcome, Value};

use crate::error::BuildError;
use crate::format::codes::{Metric, Scale};

/// How a solution identifies its positions, and what it stores for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The stored quantity.
    pub metric: Metric,
    /// Whether symmetric positions count as one.
    pub folded: bool,
}

impl Scheme {
    /// Whether the stored positions are the canonical ones of their symmetric images.
    const fn is_canonical(self) -> bool {
        matches!(self, Self { metric: Metric::Value, folded: true })
    }
}

/// A game whose positions are layers and keys. The trait object hides the game's type, so that the code of a build and of
/// a verification is compiled once and not for each game.
pub trait KeyGame: Sync {
    /// Returns the number of bits of a key.
    fn bits(&self) -> u32;

    /// Calls `found` for every key that the moves from the position of `key` lead to, with the
    /// number of the move, the layer and the key. Returns the number of moves, or how play ended.
    fn expand(
        &self,
        scheme: Scheme,
        layer: u32,
        key: u128,
        found: &mut dyn FnMut(usize, u32, u128),
    ) -> Result<Result<usize, Outcome>, BuildError>;

    /// Returns the layer of the position of a key, and the key under which the scheme stores it; `None` if there is no such
    /// position. Parts of impartial positions have no canonical form: they are stored as play splits them off.
    fn stored_key(&self, scheme: Scheme, key: u128) -> Option<(Option<u32>, u128)>;
}

impl<G: Game> KeyGame for G {
    fn bits(&self) -> u32 {
        self.key_bits()
    }

    fn expand(
        &self,
        scheme: Scheme,
        layer: u32,
        key: u128,
        found: &mut dyn FnMut(usize, u32, u128),
    ) -> Result<Result<usize, Outcome>, BuildError> {
        let (mut count, mut goes_down) = (0, true);
        let moves = if scheme.is_canonical() {
            let moves = self.successors(key, |lower, key| {
                goes_down &= lower < layer;
                found(count, lower, key);
                count += 1;
            });
            moves.ok_or(BuildError::NoKeys)
        } else {
            let position = self.position_from_key(key).ok_or(BuildError::NoKeys)?;
            let mut parts = Vec::new();
            for mv in self.moves(&position) {
                position_keys(self, scheme, &self.play(&position, mv), &mut parts, |lower, key| {
                    goes_down &= lower < layer;
                    found(count, lower, key);
                })?;
                count += 1;
            }
            Ok(if count == 0 { Err(self.end(&position)) } else { Ok(count) })
        };
        if goes_down { moves } else { Err(BuildError::Law("a move does not lower the layer")) }
    }

    fn stored_key(&self, scheme: Scheme, key: u128) -> Option<(Option<u32>, u128)> {
        let position = self.position_from_key(key)?;
        let stored = if scheme.is_canonical() { self.key(&self.canonical(&position)) } else { key };
        Some((self.layer(&position), stored))
    }
}

/// Calls `found` with the layer and the key of a position, or with those of each of its parts, for which `parts` is a buffer.
pub(crate) fn position_keys<G: Game>(
    game: &G,
    scheme: Scheme,
    position: &G::Position,
    parts: &mut Vec<G::Position>,
    mut found: impl FnMut(u32, u128),
) -> Result<(), BuildError> {
    let layer = |position| game.layer(position).ok_or(BuildError::NoLayers);
    match scheme.metric {
        Metric::Value if scheme.folded => {
            let canonical = game.canonical(position);
            found(layer(&canonical)?, game.key(&canonical));
        }
        Metric::Value => found(layer(position)?, game.key(position)),
        Metric::Nimber => {
            parts.clear();
            game.split(position, parts);
            for part in parts.iter() {
                found(layer(part)?, game.key(part));
            }
        }
    }
    Ok(())
}

/// Computes the code of a position from those of its successors, which `probe` finds; `None` if one is missing.
pub(crate) fn code_from_successors<E: From<BuildError>>(
    game: &dyn KeyGame,
    scheme: Scheme,
    scale: Scale,
    (layer, key): (u32, u128),
    mut probe: impl FnMut(u32, u128) -> Result<Option<u16>, E>,
) -> Result<Option<u16>, E> {
    let mut reached = Vec::new();
    let moves = match game.expand(scheme, layer, key, &mut |mv, layer, key| reached.push((mv, layer, key)))? {
        Ok(moves) => moves,
        Err(_) if scheme.metric == Metric::Nimber => return Ok(Some(0)),
        Err(end) => {
            let code = scale.code(Value::terminal(end));
            return code.map(Some).ok_or(BuildError::Law("an end has no value").into());
        }
    };
    let mut codes = vec![0; moves];
    for (mv, layer, key) in reached {
        let Some(code) = probe(layer, key)? else { return Ok(None) };
        match scheme.metric {
            Metric::Value => codes[mv] = scale.back(code),
            Metric::Nimber => codes[mv] ^= code,
        }
    }
    Ok(match scheme.metric {
        Metric::Value => codes.into_iter().max(),
        Metric::Nimber => (0..).find(|nimber| !codes.contains(nimber)),
    })
}
