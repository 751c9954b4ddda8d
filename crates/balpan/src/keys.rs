//! What solvers remember positions by.

use std::fmt::{self, Debug};
use std::hash::{BuildHasher, Hash};
use std::mem::size_of;
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::keyed::{Keyed, usable_key_bits};

/// The keys of a game's positions: its own, or where it has none, a number for each
/// position in the order in which they were met.
///
/// Numbers take memory for each position, which is kept whole: at most the bytes that were
/// allowed. What is met when they are used up has no number, and is not remembered.
pub(crate) struct Keys<P> {
    bits: u32,
    numbers: Option<Numbers<P>>,
}

/// Positions met, in shards that threads lock one at a time.
struct Numbers<P> {
    shards: Vec<Mutex<FxHashMap<P, u32>>>,
    /// Positions of the fullest shard.
    most: usize,
}

const SHARDS: usize = 64;
const NUMBER_BITS: u32 = 32;

impl<P: Clone + Eq + Hash> Keys<P> {
    /// The keys of `game`'s positions; numbers take at most `bytes`.
    pub(crate) fn new<G: Keyed<Position = P> + ?Sized>(game: &G, bytes: usize) -> Self {
        match usable_key_bits(game) {
            0 => Self { bits: NUMBER_BITS, numbers: Some(Numbers::new(bytes)) },
            bits => Self { bits, numbers: None },
        }
    }

    /// The number of bits of a key.
    pub(crate) const fn bits(&self) -> u32 {
        self.bits
    }

    /// Whether keys are the game's own, and so the same in every run.
    pub(crate) const fn are_own(&self) -> bool {
        self.numbers.is_none()
    }

    /// The key of a canonical position or a part; `None` if there is no room for it.
    #[inline]
    pub(crate) fn key<G: Keyed<Position = P> + ?Sized>(&self, game: &G, position: &P) -> Option<u128> {
        match &self.numbers {
            None => Some(game.key(position)),
            Some(numbers) => numbers.number(position).map(u128::from),
        }
    }
}

impl<P> Debug for Keys<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").field("bits", &self.bits).finish_non_exhaustive()
    }
}

impl<P: Clone + Eq + Hash> Numbers<P> {
    fn new(bytes: usize) -> Self {
        // A map at its worst is filled to less than a half.
        let entry = 2 * (size_of::<(P, u32)>() + 1);
        let most = (bytes / entry / SHARDS).min(u32::MAX as usize / SHARDS);
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), most }
    }

    /// The position's number, a new one if it is met for the first time.
    fn number(&self, position: &P) -> Option<u32> {
        // The map takes the high bits for itself, and the lowest ones.
        let shard = (FxBuildHasher.hash_one(position) >> 32) as usize % SHARDS;
        let mut met = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = met.get(position) {
            return Some(*number);
        }
        if met.len() >= self.most {
            return None;
        }
        let number = (met.len() * SHARDS + shard) as u32;
        met.insert(position.clone(), number);
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_position_has_one_number_until_there_is_no_room() {
        let numbers = Numbers::new(1 << 14);
        let first: Vec<_> = (0..2000_u64).map(|position| numbers.number(&position)).collect();
        let again: Vec<_> = (0..2000_u64).map(|position| numbers.number(&position)).collect();
        assert_eq!(first, again);
        let mut given: Vec<_> = first.iter().flatten().collect();
        let count = given.len();
        given.sort_unstable();
        given.dedup();
        assert_eq!(given.len(), count);
        assert!((64..=512).contains(&count), "{count}");
    }
}
