//! How positions are remembered.

use crate::game::Game;
use crate::value::Outcome;

/// The longest [keys](Keyed::key) that solvers can remember positions by, in bits.
pub const MAX_KEY_BITS: u32 = 103;

/// A game with keys and symmetries, by which solvers remember positions. By default each position
/// is its own canonical form and has no key: solvers then remember it by its `Hash` and `Eq`.
pub trait Keyed: Game {
    /// One position chosen from all those that a symmetry turns into this one, the same for all of
    /// them. Law: it has the same value, and is its own canonical form.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The bytes that a position points to, beside its own: of a vector, those of its elements. Solvers that keep whole
    /// positions count them as memory.
    fn heap_bytes(&self, _position: &Self::Position) -> usize {
        0
    }

    /// The number of bits of the [`key`](Self::key)s of positions; 0 if they have none.
    /// Without keys, or with longer ones than [`MAX_KEY_BITS`], solvers keep the positions
    /// themselves, which takes more memory and more time.
    fn key_bits(&self) -> u32 {
        0
    }

    /// The position as a number of [`key_bits`](Self::key_bits) bits. Law: canonical
    /// positions that differ, and parts, have keys that differ if they are
    /// [memorable](Self::is_cacheable).
    fn key(&self, _position: &Self::Position) -> u128 {
        0
    }

    /// Whether solvers should remember the position and look it up. Return `false` where positions
    /// seldom recur, where another search costs less than the look-up, or where the key does not
    /// identify the position. Law: if `true`, the key of the canonical form identifies it.
    fn is_cacheable(&self, _position: &Self::Position) -> bool {
        true
    }

    /// The position that has this [`key`](Self::key), up to what
    /// [`canonical`](Self::canonical) leaves out: `None` if keys cannot be read back, or
    /// if none has it. Law: where it is some position, that position's key is the given one,
    /// and it has the value of every position with that key.
    fn position_from_key(&self, _key: u128) -> Option<Self::Position> {
        None
    }

    /// A number that every move lowers: tiles left, free cells, tokens. `None` if there is none.
    /// Law: each move lowers it by at least 1, and a canonical position has the layer of every
    /// position that it stands for. So play from a position takes at most `layer` plies.
    fn layer(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// Calls `found` for every move of the position that has this [`key`](Self::key): with the
    /// layer and the key of the canonical form of the position that the move leads to. Returns
    /// the number of moves, or how play has ended where there is none; `None` if the key cannot
    /// be [read back](Self::position_from_key), or a position has no [layer](Self::layer).
    ///
    /// By default it reads the position and makes the moves. Working on the key alone saves a walk
    /// over all positions most of its time. Law: it finds what the default would.
    fn successors(&self, key: u128, found: impl FnMut(u32, u128)) -> Option<Result<usize, Outcome>> {
        successors_by_moves(self, key, found)
    }
}

/// What [`Keyed::successors`] finds by default.
pub(crate) fn successors_by_moves<G: Keyed + ?Sized>(
    game: &G,
    key: u128,
    mut found: impl FnMut(u32, u128),
) -> Option<Result<usize, Outcome>> {
    let position = game.position_from_key(key)?;
    let mut count = 0;
    for mv in game.moves(&position) {
        let after = game.canonical(&game.play(&position, mv));
        found(game.layer(&after)?, game.key(&after));
        count += 1;
    }
    Some(if count == 0 { Err(game.end(&position)) } else { Ok(count) })
}

/// The number of bits of the keys that solvers use; 0 if there are none that they can.
#[inline]
pub(crate) fn usable_key_bits<G: Keyed + ?Sized>(game: &G) -> u32 {
    let bits = game.key_bits();
    if bits <= MAX_KEY_BITS { bits } else { 0 }
}
