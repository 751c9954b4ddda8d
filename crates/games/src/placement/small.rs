//! The nimbers of all small parts, from a table of a small board.

use balpan::Watch;

use super::lattice::NoTable;
use super::{BoardNumbers, Placement};
use crate::board::{Board, CellSet};

/// Nimbers of all parts that fit on a small board.
#[derive(Clone, Debug)]
pub(super) struct SmallParts {
    table: BoardNumbers,
    board: Board,
}

impl SmallParts {
    pub(super) fn new(game: &Placement, allowed: u64, watch: &Watch) -> Result<Self, NoTable> {
        Ok(Self { table: BoardNumbers::nimbers(game, allowed, watch)?, board: game.board })
    }

    /// The nimber of what is free, if that fits, at the top left of a board of so many
    /// columns.
    #[inline]
    pub(super) fn nimber<W: CellSet>(&self, free: W, cols: usize) -> Option<u32> {
        let row = W::max_value() >> (W::CELLS - cols);
        let mut packed = 0_u64;
        let mut rest = free;
        let mut at = 0;
        while !rest.is_zero() {
            let cells: u128 = (rest & row).into();
            let cells = cells as u64;
            if at >= self.board.cells() || cells >> self.board.cols() != 0 {
                return None;
            }
            packed |= cells << at;
            at += self.board.cols();
            rest = rest.moved_up(cols);
        }
        Some(self.table.get(self.board.all() & !packed))
    }
}
