//! The outcome of every board of an impartial placement game, one bit a board.
//!
//! A board loses for the player to move iff no placement leads to a losing board
//! (normal play). Filling cells only ever adds bits, so all boards are settled by
//! going through them from the full one down; 64 at a time, since the same
//! placement leads from 64 neighbouring boards to 64 neighbouring boards.

use super::{Placement, Rules};
use crate::board::{Cells, bit};

/// Cells whose filling is told apart within a word.
const LOW: usize = 6;

/// Which boards of a game are lost for the player to move.
///
/// Space: 2^(cells - 3) bytes, 4 MiB for 5×5. Cost to build: a few operations a
/// word and placement, most words being settled by their first few placements.
/// Look-up: one bit, after numbering the cells anew.
#[derive(Clone, Debug)]
pub struct LosingBoards {
    /// Bit `b % 64` of word `b / 64`: whether board `b`, its cells numbered as
    /// `order` says, is lost.
    words: Vec<u64>,
    /// The table's cells in turn, as cells of the board.
    order: Vec<usize>,
}

/// A game has no such table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTable {
    /// More is to be known of a position than its filled cells.
    #[error("only for games whose positions are a board alone: both players with the same pieces, no supply")]
    NotTheBoardAlone,
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
}

/// A placement, as the table sees it.
#[derive(Clone, Copy)]
struct Move {
    /// Its cells among those that number the words.
    high: usize,
    /// Its cells within a word, as a number to add to a board's.
    low: u32,
    /// The boards of a word that have those filled.
    filled: u64,
    /// The boards of a word that have none of those filled.
    free: u64,
}

impl LosingBoards {
    /// Settles every board of `game` within `allowed` bytes.
    ///
    /// # Errors
    /// If the game has a state beyond the board, or the table would be too large.
    pub fn new(game: &Placement, allowed: u64) -> Result<Self, NoTable> {
        let Rules { pieces, misere, .. } = &game.rules;
        if pieces.partizan() || pieces.all().any(|piece| piece.supply.is_some()) {
            return Err(NoTable::NotTheBoardAlone);
        }
        let cells = game.board.cells();
        let needed = 1_u64.checked_shl(cells.saturating_sub(3) as u32).unwrap_or(u64::MAX).max(8);
        if needed > allowed {
            return Err(NoTable::TooLarge { cells, needed, allowed });
        }
        let placements: Vec<u64> = game.placements().collect();
        let order = order(cells, &placements);
        let moves: Vec<Move> = placements.iter().map(|&cells| Move::new(renumbered(&order, cells))).collect();
        Ok(Self { words: settle(&moves, cells.saturating_sub(LOW), *misere), order })
    }

    /// Whether the player to move loses with these cells filled.
    #[must_use]
    pub fn is_losing(&self, filled: u64) -> bool {
        let board = renumbered(&self.order, filled);
        self.words[(board >> LOW) as usize] & bit((board & 63) as usize) != 0
    }

    /// How many boards are lost for the player to move.
    #[must_use]
    pub fn count(&self) -> u64 {
        let boards_of_a_word = u64::MAX >> (64 - (1 << self.order.len().min(LOW)));
        self.words.iter().map(|word| u64::from((word & boards_of_a_word).count_ones())).sum()
    }
}

/// An order of the cells in which the first few hold no placement among them, if
/// there is one: then no board of a word depends on another of the same word.
fn order(cells: usize, placements: &[u64]) -> Vec<usize> {
    let mut low = 0_u64;
    for cell in 0..cells {
        let with = low | bit(cell);
        if low.count_ones() < LOW as u32 && placements.iter().all(|&placed| placed & !with != 0) {
            low = with;
        }
    }
    Cells(low).chain((0..cells).filter(|&cell| low & bit(cell) == 0)).collect()
}

/// A set of cells by their new numbers.
fn renumbered(order: &[usize], cells: u64) -> u64 {
    let bits = order.iter().map(|&cell| cells >> cell & 1);
    bits.enumerate().fold(0, |set, (cell, filled)| set | filled << cell)
}

/// The boards of a word, by number, of which `holds` is true.
fn boards(holds: impl Fn(u32) -> bool) -> u64 {
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
}

/// The losing boards of all words. `high_cells` number the words.
fn settle(moves: &[Move], high_cells: usize, misere: bool) -> Vec<u64> {
    let (within, across): (Vec<Move>, Vec<Move>) = moves.iter().partition(|mv| mv.high == 0);
    let mut words = vec![0; 1 << high_cells];
    // The upper half of the word's number rules out placements for all words that
    // share it, so that the inner loop meets few that do not fit.
    let inner_cells = high_cells / 2;
    let mut fitting = Vec::with_capacity(across.len());
    for outer in (0..1_usize << (high_cells - inner_cells)).rev() {
        let outer = outer << inner_cells;
        fitting.clear();
        fitting.extend(across.iter().filter(|mv| mv.high & outer == 0));
        for inner in (0..1_usize << inner_cells).rev() {
            let word = outer | inner;
            let mut wins = if misere { stuck(&fitting, &within, word) } else { 0 };
            for mv in &fitting {
                if mv.high & word == 0 {
                    wins |= (words[word | mv.high] & mv.filled) >> mv.low;
                    if wins == u64::MAX {
                        break;
                    }
                }
            }
            words[word] = !if within.is_empty() { wins } else { settle_within(&within, wins) };
        }
    }
    words
}

/// The boards of a word on which nothing can be placed.
fn stuck(fitting: &[Move], within: &[Move], word: usize) -> u64 {
    let moves = fitting.iter().chain(within).filter(|mv| mv.high & word == 0);
    !moves.fold(0, |movable, mv| movable | mv.free)
}

/// Adds the wins by placements that stay within the word: fuller boards first.
fn settle_within(within: &[Move], mut wins: u64) -> u64 {
    for filled_cells in (0..LOW as u32).rev() {
        let as_full = boards(|board| board.count_ones() == filled_cells);
        for mv in within {
            wins |= ((!wins & mv.filled) >> mv.low) & as_full;
        }
    }
    wins
}
