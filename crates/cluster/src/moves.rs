//! The moves of a game, as words of a build.

use balpan::Impartial;
use balpan_strong::parts::{Scheme, SolveBatch, SpillBuffer, Successors, Word};
use balpan_strong::{BuildError, Sharding};

/// The layout of words: the shard's number above the key, so that the positions of a shard, and the
/// shards of a worker, are consecutive in ascending order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordLayout {
    pub(crate) key_bits: u32,
    pub(crate) sharding: Sharding,
}

impl WordLayout {
    /// The number of bits of a word.
    pub(crate) const fn bits(self) -> u32 {
        self.key_bits + self.sharding.bits()
    }

    #[inline]
    pub(crate) fn word<W: Word>(self, key: u128) -> W {
        W::from_key(self.sharding.shard_of(key).into()) << self.key_bits as usize | W::from_key(key)
    }

    #[inline]
    pub(crate) fn key<W: Word>(self, word: W) -> u128 {
        let word: u128 = word.as_();
        word & ((1 << self.key_bits) - 1)
    }

    /// The shard of a word.
    #[inline]
    pub(crate) fn shard<W: Word>(self, word: W) -> u32 {
        let shard: u128 = word.as_();
        (shard >> self.key_bits) as u32
    }
}

/// The moves of a game. The trait object hides the game's type, so that all other code is compiled
/// once.
pub(crate) trait Moves<W>: Send + Sync {
    /// Adds the successors of positions of a layer to the buffer. Returns the number of places that
    /// the backward pass needs for them: see [`Wanted`].
    fn forwards(&self, number: u32, keys: &[W], buffer: &mut SpillBuffer<W>) -> Result<usize, BuildError>;

    /// Adds positions of a layer, and the requests for their successors.
    fn backwards(&self, number: u32, keys: &[W], batch: &mut SolveBatch<W>) -> Result<(), BuildError>;
}

/// The moves of a game of type `G`.
pub(crate) struct GameMoves<G> {
    pub(crate) game: G,
    pub(crate) scheme: Scheme,
    pub(crate) words: WordLayout,
}

impl<G: Impartial + Send + Sync, W: Word> Moves<W> for GameMoves<G> {
    fn forwards(&self, number: u32, keys: &[W], buffer: &mut SpillBuffer<W>) -> Result<usize, BuildError> {
        let Self { game, scheme, words } = self;
        let mut successors = Successors::new(game, *scheme);
        let mut places = 0;
        for &key in keys {
            let moves =
                successors.expand(number, words.key(key), |_, layer, key| buffer.push(layer, words.word(key)))?;
            places += match scheme.metric {
                balpan_strong::Metric::Value => 1,
                balpan_strong::Metric::Nimber => moves.unwrap_or(0),
            };
        }
        Ok(places)
    }

    fn backwards(&self, number: u32, keys: &[W], batch: &mut SolveBatch<W>) -> Result<(), BuildError> {
        let Self { game, scheme, words } = self;
        let mut successors = Successors::new(game, *scheme);
        batch.add(&mut successors, number, keys, |key| words.word(key), |word| words.key(word))
    }
}
