//! State shared by the workers of a process.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use balpan::Watch;
use balpan_strong::Subject;
use balpan_strong::working::{Scale, Word, width};

use crate::moves::{Moves, Words};
use crate::progress::Progress;

/// A build, as every worker knows it.
pub(crate) struct Job<W> {
    pub(crate) of: Subject,
    pub(crate) moves: Arc<dyn Moves<W>>,
    pub(crate) words: Words,
    /// The words of the starts, by layer.
    pub(crate) starts: Vec<(u32, W)>,
    /// The most plies.
    pub(crate) most: u16,
    /// Where parts are written.
    pub(crate) folder: PathBuf,
    /// Bytes of memory for each worker.
    pub(crate) memory: usize,
    pub(crate) watch: Watch,
    pub(crate) progress: Arc<Progress>,
}

impl<W: Word> Job<W> {
    /// The bytes of a code.
    pub(crate) const fn width(&self) -> usize {
        width(self.of.tells, self.most)
    }

    pub(crate) const fn scale(&self) -> Scale {
        Scale::new(self.most)
    }

    /// The shares of a worker.
    pub(crate) fn shares(&self, worker: usize, workers: usize) -> Range<u32> {
        self.words.split.shares_of(worker, workers)
    }

    /// The part of some words in ascending order that each worker has. The words may have bits
    /// below them.
    pub(crate) fn by_worker<'w>(
        &self,
        words: &'w [W],
        bits_below: u32,
        workers: usize,
    ) -> impl Iterator<Item = (usize, &'w [W])> {
        let mut rest = words;
        (0..workers).map(move |worker| {
            let end = self.shares(worker, workers).end;
            let of = rest.partition_point(|&word| self.words.share(word >> bits_below as usize) < end);
            let (own, others) = rest.split_at(of);
            rest = others;
            (worker, own)
        })
    }

    /// The bytes that may be on the way from a worker to another.
    pub(crate) fn on_the_way(&self, workers: usize) -> u64 {
        ((self.memory / 16 / workers) as u64).clamp(1 << 18, 1 << 24)
    }
}
