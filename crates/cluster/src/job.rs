//! State shared by the workers of a process.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use balpan::Watch;
use balpan_strong::Subject;
use balpan_strong::parts::{Scale, Word, width};

use crate::moves::{Moves, WordLayout};
use crate::progress::Progress;

/// A build, as every worker sees it.
pub(crate) struct Job<W> {
    pub(crate) of: Subject,
    pub(crate) moves: Arc<dyn Moves<W>>,
    pub(crate) words: WordLayout,
    /// The layers and words of the starts.
    pub(crate) starts: Vec<(u32, W)>,
    /// The plies that play can last.
    pub(crate) max_plies: u16,
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
        width(self.of.metric, self.max_plies)
    }

    pub(crate) const fn scale(&self) -> Scale {
        Scale::new(self.max_plies)
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

    /// The bytes that may be in flight from one worker to another.
    pub(crate) fn in_flight(&self, workers: usize) -> u64 {
        ((self.memory / 16 / workers) as u64).clamp(1 << 18, 1 << 24)
    }
}
