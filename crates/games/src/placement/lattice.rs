//! The lattice of all boards of an impartial placement game, 64 boards to a word.
//!
//! The value of a board depends only on fuller boards, so a table is filled from the full
//! board down. One placement leads from 64 neighbouring boards to 64 neighbouring boards.

use balpan::{Budget, TableError};

use super::Placement;
use crate::board::{Cells, bit};
use crate::memory::ZeroedWords;

/// The number of cells that number the boards within a word.
pub(super) const WORD_CELLS: usize = 6;

/// The memory and the threads that a table may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableBudget {
    /// Maximum memory in bytes.
    pub bytes: u64,
    /// Number of threads that fill the table, which is the same for any number.
    pub threads: usize,
}

impl From<u64> for TableBudget {
    /// Allows this many bytes and one thread.
    fn from(bytes: u64) -> Self {
        Self { bytes, threads: 1 }
    }
}

impl From<Budget> for TableBudget {
    fn from(Budget { memory, threads }: Budget) -> Self {
        Self { bytes: memory as u64, threads }
    }
}

/// The numbering of a game's boards.
///
/// A board's number is the set of its filled cells, renumbered: cells that no placement lies
/// within come first (an independent set). Boards that differ only in those cells do not depend
/// on each other.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    /// The number of cells that can be free or filled.
    pub(super) cells: usize,
    /// The renumbering of each byte of a set of cells.
    numbers: Vec<[u64; 256]>,
    /// The number of independent cells, which come first.
    pub(super) independent: usize,
    /// The placements, renumbered.
    pub(super) placements: Vec<u64>,
    /// The maximum number of placements in one game.
    pub(super) max_placements: usize,
}

impl Lattice {
    /// Creates the lattice of the boards on which `filled` is filled, with at most
    /// `max_independent` independent cells, if a table of `planes` bits a board is allowed.
    pub(super) fn new(
        game: &Placement,
        filled: u64,
        max_independent: usize,
        planes: impl Fn(&Self) -> usize,
        allowed: TableBudget,
    ) -> Result<Self, TableError> {
        let pieces = &game.rules.pieces;
        if pieces.is_partizan() || pieces.all().any(|piece| piece.supply.is_some()) {
            return Err(TableError::NotTheBoardAlone);
        }
        let free = game.board.all() & !filled;
        let cells = free.count_ones() as usize;
        let placements: Vec<u64> = game.placements().filter(|placed| placed & filled == 0).collect();
        let first = independent(free, &placements, max_independent);
        let mut new_bit = [0; 64];
        for (number, cell) in Cells(first).chain(Cells(free & !first)).enumerate() {
            new_bit[cell] = bit(number);
        }
        let smallest = placements.iter().map(|placed| placed.count_ones() as usize).min();
        let mut lattice = Self {
            cells,
            numbers: new_bit.chunks(8).take(game.board.cells().div_ceil(8)).map(unions).collect(),
            independent: first.count_ones() as usize,
            placements,
            max_placements: smallest.map_or(0, |smallest| cells / smallest),
        };
        let renumbered = lattice.placements.iter().map(|&cells| lattice.number(cells)).collect();
        lattice.placements = renumbered;
        let plane = 1_u64.checked_shl(cells.max(WORD_CELLS) as u32 - 3).unwrap_or(u64::MAX);
        let needed = plane.saturating_mul(planes(&lattice) as u64);
        if needed > allowed.bytes {
            return Err(TableError::TooLarge { cells, needed, allowed: allowed.bytes });
        }
        Ok(lattice)
    }

    /// The number of boards.
    pub(super) const fn boards(&self) -> u64 {
        1_u64 << self.cells
    }

    /// The number of words of one bit for each board.
    pub(super) const fn words(&self) -> usize {
        1 << self.cells.saturating_sub(WORD_CELLS)
    }

    /// The number of the board with these cells filled.
    #[inline]
    fn number(&self, filled: u64) -> u64 {
        let bytes = filled.to_le_bytes();
        self.numbers.iter().zip(bytes).fold(0, |number, (of, byte)| number | of[usize::from(byte)])
    }

    /// Allocates `planes` bits a board.
    pub(super) fn allocate(&self, planes: usize) -> Result<ZeroedWords, TableError> {
        let words = self.words().checked_mul(planes);
        words.and_then(ZeroedWords::zeros).ok_or(TableError::NoMemory { cells: self.cells })
    }

    /// The word of a board, and its bit.
    #[inline]
    pub(super) fn locate(&self, filled: u64) -> (usize, u32) {
        let board = self.number(filled);
        ((board >> WORD_CELLS) as usize, (board & 63) as u32)
    }

    /// The bits of a word that stand for boards: all, unless there are fewer than 64 boards.
    pub(super) fn word_mask(&self) -> u64 {
        u64::MAX >> (64 - (1 << self.cells.min(WORD_CELLS)))
    }
}

/// A set of at most `most` cells that no placement lies within.
fn independent(cells: u64, placements: &[u64], most: usize) -> u64 {
    let mut first = 0_u64;
    for cell in Cells(cells) {
        let with = first | bit(cell);
        if (first.count_ones() as usize) < most && placements.iter().all(|&placed| placed & !with != 0) {
            first = with;
        }
    }
    first
}

/// The unions of all subsets of up to eight sets.
fn unions(sets: &[u64]) -> [u64; 256] {
    let mut unions = [0; 256];
    for some in 1..256_usize {
        unions[some] = unions[some & (some - 1)] | sets[some.trailing_zeros() as usize];
    }
    unions
}

/// The boards of a word that satisfy a predicate on their numbers.
pub(super) fn boards_where(holds: impl Fn(u32) -> bool) -> u64 {
    (0..64).filter(|&board| holds(board)).fold(0, |boards, board| boards | 1 << board)
}

/// The boards of a word that have this many filled cells in it.
pub(super) fn boards_with_filled(filled_cells: u32) -> u64 {
    boards_where(|board| board.count_ones() == filled_cells)
}
