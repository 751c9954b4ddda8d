//! The outcome of every board of an impartial placement game, one bit a board.

#![allow(clippy::needless_range_loop, reason = "plain loops are what becomes vector instructions in every caller")]

use std::sync::Arc;

use balpan::{Stopped, TableError, Watch};

use super::Placement;
use super::lattice::{Lattice, TableBudget, WORD_CELLS, boards_with_filled};
use super::runs::{Block, BlockMove, Group, Kernel, MIN_INDEPENDENT_CELLS, Runs};
use super::words::{WordMove, count_words, fill_by_words};
use crate::memory::ZeroedWords;

/// Independent cells of a run: 2^18 boards take 32 KiB and fit in the level 1 cache.
const RUN_CELLS: usize = 18;

/// The set of boards that are lost for the player to move: those from which no placement
/// leads to a lost one.
///
/// Space: 2^(cells - 3) bytes, 4 MiB for 5×5. Time to build: a few operations for each word
/// and placement, on eight words at a time where the machine has vector instructions, on as
/// many threads as allowed. Look-up: one bit, after renumbering the cells by one table for
/// each eight of them.
///
/// Where pieces fit between fewer than 9 cells (single cells, boards of few cells) one
/// thread fills the table word by word, some ten times slower.
#[derive(Clone, Debug)]
pub struct LosingBoards {
    lattice: Lattice,
    /// One bit for each board.
    words: Arc<ZeroedWords>,
    /// Number of threads that fill the table and count its boards.
    threads: usize,
}

impl LosingBoards {
    /// Solves every board of `game` within what is allowed: bytes, or bytes and threads.
    ///
    /// # Errors
    /// If the game has state beyond the board, or the table would be too large.
    pub fn new(game: &Placement, allowed: impl Into<TableBudget>, watch: &Watch) -> Result<Self, TableError> {
        let allowed = allowed.into();
        let lattice = Lattice::new(game, 0, RUN_CELLS, |_| 1, allowed)?;
        let misere = game.rules.misere;
        let mut words = lattice.allocate(1)?;
        if lattice.independent >= MIN_INDEPENDENT_CELLS {
            let runs = Runs::new(&lattice, 1);
            let kernel = LosingKernel { misere, blocks: runs.blocks() };
            runs.fill(&kernel, words.blocks_mut(), allowed.threads, watch)?;
        } else {
            fill_words(&lattice, misere, words.as_mut_slice(), watch)?;
        }
        Ok(Self { lattice, words: Arc::new(words), threads: allowed.threads })
    }

    /// Whether the player to move loses on the board with these cells filled.
    #[must_use]
    #[inline]
    pub fn is_losing(&self, filled: u64) -> bool {
        let (word, board) = self.lattice.locate(filled);
        self.words.as_slice()[word] >> board & 1 != 0
    }

    /// Returns the number of boards that are lost for the player to move.
    #[must_use]
    pub fn count(&self) -> u64 {
        let boards = self.lattice.word_mask();
        let count = |words: &[u64]| words.iter().map(|word| u64::from((word & boards).count_ones())).sum::<u64>();
        count_words(self.words.as_slice(), 1, self.threads, count).into_iter().sum()
    }
}

/// The rule of losing boards. A run holds the wins found so far until it is filled.
struct LosingKernel {
    misere: bool,
    blocks: usize,
}

impl Kernel for LosingKernel {
    /// In misère games, the boards on which a piece can be placed.
    type Scratch = Vec<Block>;

    #[inline(always)]
    fn scratch(&self) -> Vec<Block> {
        if self.misere { vec![[0; 8]; self.blocks] } else { Vec::new() }
    }

    /// Clears the run: memory that is written before it is read is fetched only once.
    #[inline(always)]
    fn begin(&self, wins: &mut [Block]) {
        for wins in wins {
            *wins = [0; 8];
        }
    }

    #[inline(always)]
    fn add_group(&self, movable: &mut Vec<Block>, wins: &mut [Block], group: &Group, _: usize, after: &[Block]) {
        for mv in &group.moves {
            match mv.in_block {
                0 => wins_by::<0>(mv, wins, after),
                1 => wins_by::<1>(mv, wins, after),
                2 => wins_by::<2>(mv, wins, after),
                3 => wins_by::<3>(mv, wins, after),
                4 => wins_by::<4>(mv, wins, after),
                5 => wins_by::<5>(mv, wins, after),
                6 => wins_by::<6>(mv, wins, after),
                _ => wins_by::<7>(mv, wins, after),
            }
            if self.misere {
                let free = mv.free();
                let mut from = 0;
                while from < movable.len() {
                    add(&mut movable[from], &free);
                    from = mv.next(from);
                }
            }
        }
    }

    #[inline(always)]
    fn finish(&self, movable: &mut Vec<Block>, run: &mut [Block], _: usize) {
        for block in 0..movable.len() {
            for word in 0..8 {
                run[block][word] |= !movable[block][word];
                movable[block][word] = 0;
            }
        }
        for wins in run {
            for word in 0..8 {
                wins[word] = !wins[word];
            }
        }
    }
}

/// Adds the wins by a placement that leads to the run `after`.
#[inline(always)]
fn wins_by<const IN_BLOCK: usize>(mv: &BlockMove, wins: &mut [Block], after: &[Block]) {
    let mut from = 0;
    while from < wins.len() {
        add(&mut wins[from], &mv.before::<IN_BLOCK>(&after[mv.leads_to(from)]));
        from = mv.next(from);
    }
}

#[inline(always)]
fn add(boards: &mut Block, more: &Block) {
    for word in 0..8 {
        boards[word] |= more[word];
    }
}

/// Fills the table word by word.
fn fill_words(lattice: &Lattice, misere: bool, words: &mut [u64], watch: &Watch) -> Result<(), Stopped> {
    fill_by_words(lattice, watch, |word, across, within| {
        let mut wins = if misere { !across.iter().chain(within).fold(0, |movable, mv| movable | mv.free()) } else { 0 };
        for mv in across {
            wins |= mv.before(words[mv.leads_to(word)]);
        }
        words[word] = !if within.is_empty() { wins } else { add_wins_within(within, wins) };
    })
}

/// Adds the wins by placements that stay within the word, fuller boards first.
fn add_wins_within(within: &[WordMove], mut wins: u64) -> u64 {
    for filled_cells in (0..WORD_CELLS as u32).rev() {
        let boards_with_filled = boards_with_filled(filled_cells);
        for mv in within {
            wins |= mv.before(!wins) & boards_with_filled;
        }
    }
    wins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::runs::VectorLevel;
    use crate::placement::runs::samples::samples;

    #[test]
    fn all_ways_to_fill_a_table_agree() {
        let watch = Watch::default();
        for (name, game) in samples() {
            let lattice = Lattice::new(&game, 0, RUN_CELLS, |_| 1, (1 << 30).into()).unwrap();
            assert!(lattice.independent >= MIN_INDEPENDENT_CELLS, "{name}");
            let misere = game.rules.misere;
            let mut expected = vec![0; lattice.words()];
            fill_words(&lattice, misere, &mut expected, &watch).unwrap();
            let mut runs = Runs::new(&lattice, 1);
            for instructions in VectorLevel::all() {
                runs.instructions = instructions;
                for threads in [1, 2, 5] {
                    let mut words = lattice.allocate(1).unwrap();
                    let kernel = LosingKernel { misere, blocks: runs.blocks() };
                    runs.fill(&kernel, words.blocks_mut(), threads, &watch).unwrap();
                    assert!(words.as_slice() == expected, "{name} {instructions:?} {threads}");
                }
            }
        }
    }
}
