//! Tables of whole boards, kept: one answers all positions of its game at once.

use std::sync::Mutex;

use balpan::{Game, Watch};
use balpan_games::Board;
use balpan_games::placement::{Placement, Rules, TableSolver};

use super::locked;

/// The tables that are kept, those used last at the end.
pub(super) struct Tables {
    tables: Mutex<Vec<Kept>>,
    most_bytes: u64,
}

struct Kept {
    rules: Rules,
    board: Board,
    table: TableSolver,
    bytes: u64,
}

/// So many tables are looked through, however small they are.
const MOST: usize = 32;

impl Tables {
    pub(super) fn new(most_bytes: u64) -> Self {
        Self { tables: Mutex::default(), most_bytes }
    }

    /// The table of all positions on the game's board, if there is one that is quick. While
    /// it is made, others wait: it takes less than a tenth of a second.
    pub(super) fn of(&self, game: &Placement) -> Option<TableSolver> {
        let (rules, board) = (game.rules(), game.board());
        // Remoteness takes no more than four bits a board where a table is quick.
        let bytes = 1_u64.checked_shl(board.cells() as u32)?.max(1 << 16);
        if bytes > self.most_bytes {
            return None;
        }
        let mut tables = locked(&self.tables);
        if let Some(at) = tables.iter().position(|kept| kept.board == board && kept.rules == *rules) {
            let kept = tables.remove(at);
            let table = kept.table.clone();
            tables.push(kept);
            return Some(table);
        }
        let whole = Placement::new(rules.clone(), board);
        if !TableSolver::is_quick(&whole, &whole.start(), bytes) {
            return None;
        }
        while tables.len() >= MOST || tables.iter().map(|kept| kept.bytes).sum::<u64>() + bytes > self.most_bytes {
            tables.remove(0);
        }
        let table = TableSolver::new(&whole, &whole.start(), bytes, &Watch::default()).ok()?;
        tables.push(Kept { rules: rules.clone(), board, table: table.clone(), bytes });
        Some(table)
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        locked(&self.tables).len()
    }
}
