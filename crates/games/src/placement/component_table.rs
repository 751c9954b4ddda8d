//! The nimbers of all small components, from the table of a small board.

use std::sync::Arc;

use balpan::{Stopped, TableError, Watch};

use super::lattice::TableBudget;
use super::{BoardNumbers, Placement};
use crate::board::{Board, CellSet};

/// The nimbers of all components that fit on a small board.
#[derive(Clone, Debug)]
pub(super) struct ComponentTable {
    table: BoardNumbers,
    board: Board,
}

/// Maximum number of cells of the table: more take seconds and half a gigabyte.
const MAX_CELLS: usize = 30;

/// Maximum number of cells of a table that is filled word by word, as where single cells are placed.
const MAX_CELLS_BY_WORDS: usize = 18;

impl<W: CellSet> Placement<W> {
    /// Returns the same game with a table of the [nimbers](balpan::Game::nimber) of all
    /// components that fit on a smaller board, for [`Nimbers`](balpan::Nimbers) to look up.
    ///
    /// The board has half to two thirds of the start's free cells, at most 30, and is filled in
    /// seconds. The game is returned unchanged if there is no such table. Space and time are
    /// those of [`BoardNumbers`], with at most a quarter of the bytes `allowed`.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` stops it.
    pub fn with_component_table(self, allowed: impl Into<TableBudget>, watch: &Watch) -> Result<Self, Stopped> {
        let allowed = allowed.into();
        let allowed = TableBudget { bytes: allowed.bytes / 4, ..allowed };
        if !balpan::Game::is_impartial(&self) {
            return Ok(self);
        }
        let free = self.free_cells();
        let most = (free * 2 / 3).min(MAX_CELLS);
        let boards = (1..=self.board.rows()).filter_map(|rows| {
            let cols = (most / rows).min(self.board.cols());
            Board::new(rows, cols).ok()
        });
        // The most cells, then the squarest board.
        let mut boards: Vec<_> = boards.filter(|board| 2 * board.cells() >= most).collect();
        boards.sort_by_key(|board| (board.cells() + board.rows().min(board.cols()), board.cols()));
        while let Some(board) = boards.pop() {
            let game = Placement::<u64>::new_unchecked(self.rules.clone(), board);
            if board.cells() > MAX_CELLS_BY_WORDS && !BoardNumbers::is_by_runs(&game, 0, allowed.bytes, board.cells()) {
                continue;
            }
            match BoardNumbers::nimbers(&game, allowed, watch) {
                Ok(table) => {
                    watch.restart_counts();
                    let components = self.components.with_small_board(board);
                    return Ok(Self {
                        components,
                        component_table: Some(Arc::new(ComponentTable { table, board })),
                        ..self
                    });
                }
                Err(TableError::Stopped(stopped)) => return Err(stopped),
                // Too large: try a smaller one.
                Err(_) => {}
            }
        }
        Ok(self)
    }
}

impl ComponentTable {
    /// Returns the nimber of the free cells if they fit on the small board. They lie in the top
    /// left corner of a board of `cols` columns.
    #[inline]
    pub(super) fn nimber<W: CellSet>(&self, free: W, cols: usize) -> Option<u32> {
        let row = W::max_value() >> (W::CELLS - cols);
        let mut packed = 0_u64;
        let mut rest = free;
        let mut at = 0;
        while !rest.is_zero() {
            let cells: u128 = (rest & row).into();
            if at >= self.board.cells() || cells >> self.board.cols() != 0 {
                return None;
            }
            packed |= (cells as u64) << at;
            at += self.board.cols();
            rest = rest.shifted_down(cols);
        }
        Some(self.table.get(self.board.all() & !packed))
    }
}

#[cfg(test)]
mod tests {
    use balpan::{Game, Nimbers};

    use super::*;
    use crate::presets::preset;

    /// A table of single cells would take minutes; the sum of the components takes no time.
    #[test]
    fn no_table_is_made_that_takes_long() {
        let watch = Watch::with_limit(1 << 20);
        let rules = "family = \"placement\"\nboard = \"8x8\"\n[pieces]\none = \"#\"\n";
        let rules = crate::RulesFile::parse("cells", rules).unwrap();
        let game = rules.game().unwrap().downcast::<Placement>().unwrap();
        let informed = game.with_component_table(1 << 30, &watch).unwrap();
        assert_eq!(Nimbers::new(&informed, 1 << 20, &watch).unwrap().nimber(&informed.start()), Ok(0));
    }

    #[test]
    fn small_parts_have_the_nimbers_that_a_search_finds() {
        let watch = Watch::default();
        for (name, board) in [("cram", "3x8"), ("cram", "4x7"), ("blockgame", "4x6"), ("blockgame", "2x13")] {
            let rules = preset(name).unwrap().unwrap().with_board(board).unwrap();
            let game = rules.game().unwrap().downcast::<Placement>().unwrap();
            let informed = game.clone().with_component_table(1 << 26, &watch).unwrap();
            assert!(informed.component_table.is_some(), "{name} {board}");
            let mut known = 0;
            let mut plain = Nimbers::new(&game, 1 << 20, &watch).unwrap();
            for seed in 1..2000_u64 {
                let filled = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(seed as u32) & game.board.all();
                let mut parts = Vec::new();
                game.split(&super::super::Position { filled, ..game.start() }, &mut parts);
                for part in parts {
                    if let Some(nimber) = informed.nimber(&part) {
                        assert_eq!(plain.nimber(&part).unwrap(), nimber, "{name} {part:?}");
                        known += 1;
                    }
                }
            }
            assert!(known > 100, "{name} {board}: {known}");
        }
    }
}
