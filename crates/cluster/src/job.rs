//! State shared by the workers of a process.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use balpan::Watch;
use balpan_strong::parts::{KeyGame, Scale, SolveBatch, SpillBuffer, Word, width};
use balpan_strong::{BuildError, Metric, Sharding, Subject};

use crate::build::Progress;

/// A build, as every worker sees it.
pub(crate) struct Job<W> {
    pub(crate) subject: Subject,
    pub(crate) game: Arc<dyn KeyGame + Send>,
    pub(crate) words: WordLayout,
    /// The layers and words of the starts.
    pub(crate) starts: Vec<(u32, W)>,
    /// The scale of the codes.
    pub(crate) scale: Scale,
    /// The folder of the shards.
    pub(crate) folder: PathBuf,
    /// The memory of each worker in bytes.
    pub(crate) memory: usize,
    pub(crate) watch: Watch,
    pub(crate) progress: Arc<Progress>,
}

impl<W: Word> Job<W> {
    /// The number of bytes of a code.
    pub(crate) const fn width(&self) -> usize {
        width(self.subject.metric, self.scale)
    }

    /// The shards of a worker.
    pub(crate) fn shards(&self, worker: usize, workers: usize) -> Range<u32> {
        self.words.sharding.range_of(worker, workers)
    }

    /// Splits ascending words by the workers that own them. The words may have `bits_below` bits
    /// below them.
    pub(crate) fn by_worker<'w>(
        &self,
        words: &'w [W],
        bits_below: u32,
        workers: usize,
    ) -> impl Iterator<Item = (usize, &'w [W])> {
        let mut rest = words;
        (0..workers).map(move |worker| {
            let end = self.shards(worker, workers).end;
            let of = rest.partition_point(|&word| self.words.shard(word >> bits_below as usize) < end);
            let (own, others) = rest.split_at(of);
            rest = others;
            (worker, own)
        })
    }

    /// Adds the successors of positions of a layer to the buffer. Returns the number of places that
    /// the backward pass needs for them: see [`SolveBatch`].
    pub(crate) fn expand(&self, number: u32, keys: &[W], buffer: &mut SpillBuffer<W>) -> Result<usize, BuildError> {
        let (scheme, words) = (self.subject.scheme(), self.words);
        let mut places = 0;
        for &key in keys {
            let mut push = |_, _, layer, key| buffer.push(layer, words.word(key));
            let moves = self.game.expand(scheme, number, words.key(key), &mut push)?;
            places += match scheme.metric {
                Metric::Value => 1,
                Metric::Nimber => moves.unwrap_or(0),
            };
        }
        Ok(places)
    }

    /// Adds positions of a layer, and the requests for their successors.
    pub(crate) fn request_successors(
        &self,
        number: u32,
        keys: &[W],
        batch: &mut SolveBatch<W>,
    ) -> Result<(), BuildError> {
        let words = self.words;
        let scheme = self.subject.scheme();
        batch.add(&*self.game, scheme, number, keys, |key| words.word(key), |word| words.key(word))
    }

    /// The bytes that may be in flight from one worker to another.
    pub(crate) fn in_flight(&self, workers: usize) -> u64 {
        ((self.memory / 16 / workers) as u64).clamp(1 << 18, 1 << 24)
    }
}

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
