//! A game as layers and keys: the successors of a position.

use balpan::{Game, MAX_PLIES, Turn, Value};

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

/// The features of a game beyond wins, losses and draws at the end of play in which turns alternate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The largest [score](Game::max_score).
    pub max_score: u16,
    /// Whether a move [may keep the turn](Game::TURNS_ALTERNATE).
    pub keeps_turns: bool,
    /// Whether play [may repeat](Game::may_repeat): a move may then lead to a position of the same layer.
    pub may_repeat: bool,
}

/// A game whose positions are layers and keys. The trait object hides the game's type, so that the code of a build and of
/// a verification is compiled once and not for each game.
pub trait KeyGame: Sync {
    /// Returns the number of bits of a key.
    fn bits(&self) -> u32;

    /// Returns what the game has beyond the simplest ones.
    fn features(&self) -> Features;

    /// Calls `found` for every key that the moves from the position of `key` lead to, with the
    /// number of the move, whose turn it is then, the layer and the key. Returns the number of moves, or the value of the end.
    fn expand(
        &self,
        scheme: Scheme,
        layer: u32,
        key: u128,
        found: &mut FoundFn<'_>,
    ) -> Result<Result<usize, Value>, BuildError>;

    /// Returns the layer of the position of a key, and the key under which the scheme stores it; `None` if there is no such
    /// position. Parts of impartial positions have no canonical form: they are stored as play splits them off.
    fn stored_key(&self, scheme: Scheme, key: u128) -> Option<(Option<u32>, u128)>;
}

/// The receiver of a position's successors: see [`KeyGame::expand`].
pub type FoundFn<'f> = dyn FnMut(usize, Turn, u32, u128) + 'f;

impl<G: Game> KeyGame for G {
    fn bits(&self) -> u32 {
        self.key_bits()
    }

    fn features(&self) -> Features {
        let max_score = self.max_score().min(u16::MAX.into()) as u16;
        Features { max_score, keeps_turns: !G::TURNS_ALTERNATE, may_repeat: self.may_repeat() }
    }

    fn expand(
        &self,
        scheme: Scheme,
        layer: u32,
        key: u128,
        found: &mut FoundFn<'_>,
    ) -> Result<Result<usize, Value>, BuildError> {
        let (mut count, mut goes_down) = (0, true);
        let end = layer.saturating_add(self.may_repeat().into());
        let moves = if scheme.is_canonical() {
            let moves = self.successors(key, |turn, lower, key| {
                goes_down &= lower < end;
                found(count, turn, lower, key);
                count += 1;
            });
            moves.ok_or(BuildError::NoKeys)
        } else {
            let position = self.position_from_key(key).ok_or(BuildError::NoKeys)?;
            let mut parts = Vec::new();
            for mv in self.moves(&position) {
                let after = self.play(&position, mv);
                let turn = self.turn(&position, mv, &after);
                position_keys(self, scheme, &after, &mut parts, |lower, key| {
                    goes_down &= lower < end;
                    found(count, turn, lower, key);
                })?;
                count += 1;
            }
            Ok(if count == 0 { Err(self.end_value(&position)) } else { Ok(count) })
        };
        if goes_down { moves } else { Err(BuildError::Law("a move does not lower the layer")) }
    }

    fn stored_key(&self, scheme: Scheme, key: u128) -> Option<(Option<u32>, u128)> {
        let position = self.position_from_key(key)?;
        let stored = if scheme.is_canonical() { self.key(&self.canonical(&position)) } else { key };
        Some((self.stored_layer(&position), stored))
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
    let layer = |position| game.stored_layer(position).ok_or(BuildError::NoLayers);
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

/// Returns the scale of all values from starts of at most this layer. Where play may repeat, it is that of all values that can
/// be stored, and one ply more, by which longer ones are recognised.
pub fn scale_for(game: &dyn KeyGame, highest: u32) -> Scale {
    let Features { max_score, may_repeat, .. } = game.features();
    Scale::new(if may_repeat { MAX_PLIES + 1 } else { highest } as u16, max_score)
}

/// Returns the code of the value of an end.
pub(crate) fn end_code(scale: Scale, end: Value) -> Result<u16, BuildError> {
    scale.code(end).ok_or(BuildError::Law("a score is larger than the largest"))
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
    let moves =
        match game.expand(scheme, layer, key, &mut |mv, turn, layer, key| reached.push((mv, turn, layer, key)))? {
            Ok(moves) => moves,
            Err(_) if scheme.metric == Metric::Nimber => return Ok(Some(0)),
            Err(end) => {
                return end_code(scale, end).map(Some).map_err(E::from);
            }
        };
    let mut codes = vec![0; moves];
    for (mv, turn, layer, key) in reached {
        let Some(code) = probe(layer, key)? else { return Ok(None) };
        match scheme.metric {
            Metric::Value => codes[mv] = scale.back(turn, code),
            Metric::Nimber => codes[mv] ^= code,
        }
    }
    Ok(match scheme.metric {
        Metric::Value => codes.into_iter().max(),
        Metric::Nimber => (0..).find(|nimber| !codes.contains(nimber)),
    })
}
