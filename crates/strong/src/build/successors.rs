//! The successors of a position, as keys.

use balpan::{Game, Impartial, Outcome};

use crate::error::BuildError;
use crate::format::codes::Metric;

/// How a solution identifies its positions, and what it stores for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The stored quantity.
    pub metric: Metric,
    /// Whether symmetric positions count as one.
    pub folded: bool,
}

/// Generates the keys of successors.
#[derive(Debug)]
pub struct Successors<'g, G: Game> {
    game: &'g G,
    scheme: Scheme,
    parts: Vec<G::Position>,
}

impl<'g, G: Impartial> Successors<'g, G> {
    /// Creates a generator for a game.
    pub const fn new(game: &'g G, scheme: Scheme) -> Self {
        Self { game, scheme, parts: Vec::new() }
    }

    /// Calls `found` with the layer and the key of a position, or with those of each of its parts.
    pub fn position_keys(
        &mut self,
        position: &G::Position,
        mut found: impl FnMut(u32, u128),
    ) -> Result<(), BuildError> {
        let Self { game, scheme, parts } = self;
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

    /// Calls `found` for every key that the moves from the position of `key` lead to, with the
    /// number of the move, the layer and the key. Returns the number of moves, or how play ended.
    pub fn expand(
        &mut self,
        layer: u32,
        key: u128,
        mut found: impl FnMut(usize, u32, u128),
    ) -> Result<Result<usize, Outcome>, BuildError> {
        let game = self.game;
        if self.scheme == (Scheme { metric: Metric::Value, folded: true }) {
            let (mut count, mut goes_down) = (0, true);
            let moves = game.successors(key, |lower, key| {
                goes_down &= lower < layer;
                found(count, lower, key);
                count += 1;
            });
            return if goes_down {
                moves.ok_or(BuildError::NoKeys)
            } else {
                Err(BuildError::Law("a move does not lower the layer"))
            };
        }
        let position = game.position_from_key(key).ok_or(BuildError::NoKeys)?;
        let (mut count, mut goes_down) = (0, true);
        for mv in game.moves(&position) {
            self.position_keys(&game.play(&position, mv), |lower, key| {
                goes_down &= lower < layer;
                found(count, lower, key);
            })?;
            count += 1;
        }
        if !goes_down {
            return Err(BuildError::Law("a move does not lower the layer"));
        }
        Ok(if count == 0 { Err(game.end(&position)) } else { Ok(count) })
    }
}
