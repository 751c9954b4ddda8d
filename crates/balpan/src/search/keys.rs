//! Keys of positions in transposition tables.

use std::fmt::{self, Debug};
use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::game::{Game, usable_key_bits};
use crate::search::memory::{block_bytes, map_bytes};

/// The keys of a game's positions: the game's own, or, if it has none, a number for each position in the order in which
/// the search meets them.
///
/// Numbers take memory, as each position is stored whole: at most the bytes that are allowed. When these are used up,
/// further positions have no number, and are not stored in tables.
pub(crate) struct Keys<P> {
    bits: u32,
    numbers: Option<PositionNumbers<P>>,
}

/// The numbers of positions, in shards that threads lock one at a time.
struct PositionNumbers<P> {
    shards: Vec<Mutex<Shard<P>>>,
    /// The limit of a shard in bytes.
    max_bytes: usize,
}

struct Shard<P> {
    numbers: FxHashMap<P, u32>,
    /// The heap bytes of the positions.
    heap_bytes: usize,
}

const SHARDS: usize = 64;
const POSITION_NUMBER_BITS: u32 = 32;

impl<P: Clone + Eq + Hash> Keys<P> {
    /// Creates the keys of `game`'s positions. Returns them with the bytes that are left for a table: all, or half of them
    /// if positions are stored whole.
    pub(crate) fn new<G: Game<Position = P>>(game: &G, bytes: usize) -> (Self, usize) {
        let keys = Self::with_number_bytes(game, bytes / 2);
        let left = if keys.are_from_game() { bytes } else { bytes / 2 };
        (keys, left)
    }

    /// Creates the keys of `game`'s positions. Numbers take at most `bytes`.
    fn with_number_bytes<G: Game<Position = P>>(game: &G, bytes: usize) -> Self {
        match usable_key_bits(game) {
            0 => Self { bits: POSITION_NUMBER_BITS, numbers: Some(PositionNumbers::new(bytes)) },
            bits => Self { bits, numbers: None },
        }
    }

    /// Returns the number of bits of a key.
    pub(crate) const fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns whether keys are the game's own, and so the same in every run.
    pub(crate) const fn are_from_game(&self) -> bool {
        self.numbers.is_none()
    }

    /// Returns the key of a canonical position or a part; `None` if there is no room for its number.
    #[inline]
    pub(crate) fn key<G: Game<Position = P>>(&self, game: &G, position: &P) -> Option<u128> {
        match &self.numbers {
            None => Some(game.key(position)),
            Some(numbers) => numbers.number(position, || game.heap_bytes(position)).map(u128::from),
        }
    }
}

impl<P> Debug for Keys<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").field("bits", &self.bits).finish_non_exhaustive()
    }
}

impl<P: Clone + Eq + Hash> PositionNumbers<P> {
    fn new(bytes: usize) -> Self {
        let shard = || Mutex::new(Shard { numbers: FxHashMap::default(), heap_bytes: 0 });
        Self { shards: (0..SHARDS).map(|_| shard()).collect(), max_bytes: bytes / SHARDS }
    }

    /// Returns the position's number, which is new if the position is. `heap_bytes` returns the heap bytes that the
    /// position owns.
    fn number(&self, position: &P, heap_bytes: impl FnOnce() -> usize) -> Option<u32> {
        // The map itself uses the highest and the lowest bits.
        let shard = (FxBuildHasher.hash_one(position) >> 32) as usize % SHARDS;
        let mut locked = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        let Shard { numbers, heap_bytes: taken } = &mut *locked;
        if let Some(number) = numbers.get(position) {
            return Some(*number);
        }
        // A full map moves to one of twice the size, and both take memory meanwhile.
        let tables = if numbers.len() == numbers.capacity() { 3 } else { 1 };
        if tables * map_bytes(numbers) + *taken >= self.max_bytes || numbers.len() >= u32::MAX as usize / SHARDS {
            return None;
        }
        let number = (numbers.len() * SHARDS + shard) as u32;
        *taken += block_bytes(heap_bytes());
        numbers.insert(position.clone(), number);
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_position_has_one_number_until_there_is_no_room() {
        let numbers = PositionNumbers::new(1 << 16);
        let number = |position| numbers.number(&position, || 0);
        let first: Vec<_> = (0..2000_u64).map(number).collect();
        let again: Vec<_> = (0..2000_u64).map(number).collect();
        assert_eq!(first, again);
        let mut given: Vec<_> = first.iter().flatten().collect();
        let count = given.len();
        given.sort_unstable();
        given.dedup();
        assert_eq!(given.len(), count);
        assert!((512..2000).contains(&count), "{count}");
        // The same with heap bytes.
        let numbers = PositionNumbers::new(1 << 16);
        let given = (0..2000_u64).filter_map(|position| numbers.number(&position, || 100)).count();
        assert!(given < count && given > 100, "{given}");
    }
}
