//! The moves of a game, as words of a build.

use balpan::Impartial;
use balpan_strong::working::{Room, Successors, Wanted, Ways, Word};
use balpan_strong::{BuildError, Split};

/// How keys and shares make words: the share above the key, so that the positions of a share, and
/// the shares of a worker, follow each other in ascending order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    pub(crate) key_bits: u32,
    pub(crate) split: Split,
}

impl Words {
    /// The bits of a word.
    pub(crate) const fn bits(self) -> u32 {
        self.key_bits + self.split.bits()
    }

    #[inline]
    pub(crate) fn word<W: Word>(self, key: u128) -> W {
        W::of(self.split.of(key).into()) << self.key_bits as usize | W::of(key)
    }

    #[inline]
    pub(crate) fn key<W: Word>(self, word: W) -> u128 {
        let word: u128 = word.as_();
        word & ((1 << self.key_bits) - 1)
    }

    /// The share of a word.
    #[inline]
    pub(crate) fn share<W: Word>(self, word: W) -> u32 {
        let share: u128 = word.as_();
        (share >> self.key_bits) as u32
    }
}

/// The moves of a game. The game is behind it, so that all else is compiled once.
pub(crate) trait Moves<W>: Send + Sync {
    /// Adds the words that positions of a layer lead to. Returns the places that their codes will
    /// need: see [`Wanted`].
    fn forwards(&self, number: u32, keys: &[W], room: &mut Room<W>) -> Result<usize, BuildError>;

    /// Adds positions of a layer, and the words that they lead to.
    fn backwards(&self, number: u32, keys: &[W], wanted: &mut Wanted<W>) -> Result<(), BuildError>;
}

/// The moves of a game of one type.
pub(crate) struct Of<G> {
    pub(crate) game: G,
    pub(crate) ways: Ways,
    pub(crate) words: Words,
}

impl<G: Impartial + Send + Sync, W: Word> Moves<W> for Of<G> {
    fn forwards(&self, number: u32, keys: &[W], room: &mut Room<W>) -> Result<usize, BuildError> {
        let Self { game, ways, words } = self;
        let mut successors = Successors::new(game, *ways);
        let mut places = 0;
        for &key in keys {
            let moves = successors.of(number, words.key(key), |_, layer, key| room.push(layer, words.word(key)))?;
            places += match ways.tells {
                balpan_strong::Tells::Value => 1,
                balpan_strong::Tells::Nimber => moves.unwrap_or(0),
            };
        }
        Ok(places)
    }

    fn backwards(&self, number: u32, keys: &[W], wanted: &mut Wanted<W>) -> Result<(), BuildError> {
        let Self { game, ways, words } = self;
        let mut successors = Successors::new(game, *ways);
        wanted.add(&mut successors, number, keys, |key| words.word(key), |word| words.key(word))
    }
}
