//! Filling a table word by word, for pieces that fit between few cells, and counting in it.

use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use balpan::parallel::broadcast;
use balpan::{Stopped, Watch};

use super::lattice::{Lattice, WORD_CELLS, boards_where};

/// The number of words between two polls of the watch.
const WORDS_PER_POLL: usize = 64;

/// A placement in terms of words of 64 boards.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordMove {
    /// Its cells among those that number the words.
    high: usize,
    /// Its cells within a word, as an offset of board numbers.
    low: u32,
    /// The boards of a word on which these cells are filled.
    filled: u64,
}

impl WordMove {
    fn new(cells: u64) -> Self {
        let low = (cells & 63) as u32;
        Self { high: (cells >> WORD_CELLS) as usize, low, filled: boards_where(|board| board & low == low) }
    }

    /// The word that the placement leads to.
    #[inline]
    pub(super) const fn leads_to(&self, word: usize) -> usize {
        word | self.high
    }

    /// The boards from which the placement leads to one of `boards` in the word it leads to.
    #[inline]
    pub(super) const fn before(&self, boards: u64) -> u64 {
        (boards & self.filled) >> self.low
    }

    /// The boards of a word on which none of its cells is filled.
    #[inline]
    pub(super) const fn free(&self) -> u64 {
        self.before(u64::MAX)
    }
}

/// Applies `count` to all words, in slices of whole groups of `group` words, by several threads.
pub(super) fn count_words<T: Send>(
    words: &[u64],
    group: usize,
    threads: usize,
    count: impl Fn(&[u64]) -> T + Sync,
) -> Vec<T> {
    let slices: Vec<_> = words.chunks(SLICE_GROUPS * group).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let slices = iter::from_fn(|| slices.get(next.fetch_add(1, Relaxed)));
        slices.map(|words| count(words)).collect::<Vec<_>>()
    };
    broadcast(threads.min(slices.len()), work).into_iter().flatten().collect()
}

/// The number of groups of words that a thread counts at a time.
const SLICE_GROUPS: usize = 1 << 16;

/// Calls `fill` for each word, words of fuller boards first, with the placements that lead
/// to other words and with those that stay within the word.
pub(super) fn fill_by_words(
    lattice: &Lattice,
    watch: &Watch,
    mut fill: impl FnMut(usize, &[WordMove], &[WordMove]),
) -> Result<(), Stopped> {
    let (within, across): (Vec<_>, Vec<_>) =
        lattice.placements.iter().map(|&cells| WordMove::new(cells)).partition(|mv| mv.high == 0);
    let mut fitting = Vec::with_capacity(across.len());
    for word in (0..lattice.words()).rev() {
        fitting.clear();
        fitting.extend(across.iter().filter(|mv| mv.high & word == 0));
        fill(word, &fitting, &within);
        if word % WORDS_PER_POLL == 0 {
            watch.count(64 * lattice.words().min(WORDS_PER_POLL) as u64)?;
        }
    }
    Ok(())
}
