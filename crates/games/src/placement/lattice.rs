//! All boards of an impartial placement game at once, 64 to a word.
//!
//! What a board is worth depends on fuller boards only, so all of them are settled
//! by going through them from the full one down; and the same placement leads from
//! 64 neighbouring boards to 64 neighbouring boards.

use std::ops::Range;

use balpan::{Stopped, Watch};

use super::Placement;
use crate::board::{Cells, bit};

/// Cells whose filling is told apart within a word.
pub(super) const LOW: usize = 6;

/// Cells that tell the words of a block apart, where words are settled by blocks.
const IN_BLOCK: usize = 3;

/// Neighbouring words that are settled together.
pub(super) type Block = [u64; 1 << IN_BLOCK];

/// A table of all boards cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTable {
    /// More is to be known of a position than its filled cells.
    #[error("only for games whose positions are a board alone: both players with the same pieces, no supply")]
    NotTheBoardAlone,
    /// Nimbers are for normal play.
    #[error("only games of normal play have nimbers, not misère ones")]
    Misere,
    /// It would take more memory than allowed.
    #[error("a table of all boards of {cells} cells takes {needed} bytes; {allowed} are allowed")]
    TooLarge {
        /// Cells of the board.
        cells: usize,
        /// Bytes of the table.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The watch said stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// How placements lead from word to word.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    /// The cells in the order in which a board's number has them.
    order: Vec<usize>,
    /// Placements that leave the word, and those that stay within.
    across: Vec<Move>,
    pub(super) within: Vec<Move>,
    /// Whether no placement stays within a block.
    pub(super) blocks_are_independent: bool,
    /// The most placements in one game.
    pub(super) longest: usize,
}

/// A placement, as the table sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// Its cells among those that number the words.
    high: usize,
    /// Its cells within a word, as a number to add to a board's.
    low: u32,
    /// The boards of a word that have those filled.
    filled: u64,
    /// The boards of a word that have none of those filled.
    pub(super) free: u64,
}

impl Lattice {
    /// The lattice of a game's boards, if `planes` bits a board are allowed for.
    pub(super) fn new(game: &Placement, planes: impl Fn(&Self) -> usize, allowed: u64) -> Result<Self, NoTable> {
        let pieces = &game.rules.pieces;
        if pieces.partizan() || pieces.all().any(|piece| piece.supply.is_some()) {
            return Err(NoTable::NotTheBoardAlone);
        }
        let cells = game.board.cells();
        let placements: Vec<u64> = game.placements().collect();
        let (order, independent) = order(cells, &placements);
        let moves = placements.iter().map(|&cells| Move::new(renumbered(&order, cells)));
        let (within, across) = moves.partition(|mv| mv.high == 0);
        let smallest = placements.iter().map(|placed| placed.count_ones() as usize).min();
        let longest = smallest.map_or(0, |smallest| cells / smallest);
        let blocks_are_independent = independent == LOW + IN_BLOCK;
        let lattice = Self { order, across, within, blocks_are_independent, longest };
        let plane = 1_u64.checked_shl(cells.max(LOW) as u32 - 3).unwrap_or(u64::MAX);
        let needed = plane.saturating_mul(planes(&lattice) as u64);
        if needed > allowed {
            return Err(NoTable::TooLarge { cells, needed, allowed });
        }
        Ok(lattice)
    }

    /// How many words hold one bit for each board.
    pub(super) fn words(&self) -> usize {
        1 << self.order.len().saturating_sub(LOW)
    }

    /// The word and the bit within it of a board.
    #[inline]
    pub(super) fn place(&self, filled: u64) -> (usize, u32) {
        let board = renumbered(&self.order, filled);
        ((board >> LOW) as usize, (board & 63) as u32)
    }

    /// The bits of a word that stand for boards: all, unless the board is tiny.
    pub(super) fn boards_of_a_word(&self) -> u64 {
        u64::MAX >> (64 - (1 << self.order.len().min(LOW)))
    }

    /// Calls `settle` for runs of words, those with fuller boards first, with the
    /// placements that lead from the run to other words and overlap nothing that is
    /// filled in all of the run.
    #[inline(always)]
    pub(super) fn settle_runs(
        &self,
        watch: &Watch,
        mut settle: impl FnMut(Range<usize>, &[Move]),
    ) -> Result<(), Stopped> {
        let high_cells = self.words().ilog2() as usize;
        let run = 1 << (high_cells / 2).max(IN_BLOCK.min(high_cells));
        let mut fitting = Vec::with_capacity(self.across.len());
        for begin in (0..self.words()).step_by(run).rev() {
            fitting.clear();
            for mv in &self.across {
                if mv.high & begin == 0 {
                    fitting.push(*mv);
                }
            }
            settle(begin..begin + run, &fitting);
            watch.count(64 * run as u64)?;
        }
        Ok(())
    }
}

/// An order of the cells in which the first few hold no placement among them, and
/// how many those are: as far as they number the boards of a word, or the words of a
/// block, no board depends on another of the same word or block.
fn order(cells: usize, placements: &[u64]) -> (Vec<usize>, usize) {
    let mut first = 0_u64;
    for cell in 0..cells {
        let with = first | bit(cell);
        let few = (first.count_ones() as usize) < LOW + IN_BLOCK;
        if few && placements.iter().all(|&placed| placed & !with != 0) {
            first = with;
        }
    }
    let order = Cells(first).chain((0..cells).filter(|&cell| first & bit(cell) == 0)).collect();
    (order, first.count_ones() as usize)
}

/// A set of cells by their new numbers.
fn renumbered(order: &[usize], cells: u64) -> u64 {
    let bits = order.iter().map(|&cell| cells >> cell & 1);
    bits.enumerate().fold(0, |set, (cell, filled)| set | filled << cell)
}

/// The boards of a word, by number, of which `holds` is true.
pub(super) fn boards(holds: impl Fn(u32) -> bool) -> u64 {
    (0..64).filter(|&board| holds(board)).fold(0, |boards, board| boards | 1 << board)
}

impl Move {
    fn new(cells: u64) -> Self {
        let low = (cells & 63) as u32;
        Self {
            high: (cells >> LOW) as usize,
            low,
            filled: boards(|board| board & low == low),
            free: boards(|board| board & low == 0),
        }
    }

    /// Which of the cells that tell the words of a block apart it covers.
    #[inline]
    pub(super) const fn in_block(&self) -> usize {
        self.high & ((1 << IN_BLOCK) - 1)
    }

    /// Whether it fits on no board of a block.
    #[inline]
    pub(super) const fn overlaps_block(&self, block: usize) -> bool {
        self.high >> IN_BLOCK & block != 0
    }

    /// The block that it leads to.
    #[inline]
    pub(super) const fn leads_to_block(&self, block: usize) -> usize {
        block | self.high >> IN_BLOCK
    }

    /// Whether it fits on none of the boards of a word.
    #[inline]
    pub(super) const fn overlaps(&self, word: usize) -> bool {
        self.high & word != 0
    }

    /// The word that it leads to.
    #[inline]
    pub(super) const fn leads_to(&self, word: usize) -> usize {
        word | self.high
    }

    /// The boards from which it leads to one of `boards`, of the word it leads to.
    #[inline]
    pub(super) const fn before(&self, boards: u64) -> u64 {
        (boards & self.filled) >> self.low
    }
}
