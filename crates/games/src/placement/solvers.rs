//! Solvers of placement games and their selection.

use std::sync::Arc;

use balpan::{AlphaBeta, Bounds, Solver, Stopped, TableError, Value, Watch};

use super::{BoardNumbers, Placement, Position, TableBudget};
use crate::board::CellSet;

/// A solver with a table of the remoteness of all boards that play can reach from one
/// position: those on which at least the same cells are filled.
///
/// Space and time are those of [`BoardNumbers`] by free cells: 16 MiB for 25. A value is a
/// look-up. Positions that the table does not [cover](Solver::covers) are searched.
#[derive(Debug)]
pub struct TableSolver {
    game: Arc<Placement>,
    /// The cells that are filled on all boards of the table.
    filled: u64,
    remoteness: BoardNumbers,
    bytes: u64,
    /// The search for positions beyond the table.
    search: Option<AlphaBeta<Arc<Placement>>>,
    watch: Watch,
    /// The parity of the remoteness of a lost position.
    lost_parity: u32,
}

/// Maximum number of free cells for which filling the table takes less time than searching all
/// moves of the empty board: some hundredths of a second for 25, where alpha-beta takes
/// 0.65 s for the block game and 0.08 s for Cram.
const MAX_QUICK_CELLS: usize = 25;

impl TableSolver {
    /// Whether there is a table within `bytes` that is filled in less time than a search takes.
    #[must_use]
    pub fn is_quick(game: &Placement, position: &Position, bytes: u64) -> bool {
        (game.board.all() & !position.filled).count_ones() as usize <= MAX_QUICK_CELLS
            && BoardNumbers::is_by_runs(game, position.filled, bytes, MAX_QUICK_CELLS)
    }

    /// Creates a solver for `position` and all positions that follow.
    ///
    /// # Errors
    /// If the game has state beyond the board, or if the table exceeds what is `allowed`: bytes,
    /// or bytes and threads.
    pub fn new(
        game: &Placement,
        position: &Position,
        allowed: impl Into<TableBudget>,
        watch: &Watch,
    ) -> Result<Self, TableError> {
        let allowed = allowed.into();
        let remoteness = BoardNumbers::remoteness_above(game, position.filled, allowed, watch)?;
        Ok(Self {
            game: Arc::new(game.clone()),
            filled: position.filled,
            bytes: remoteness.bytes(),
            remoteness,
            search: None,
            watch: watch.clone(),
            lost_parity: game.rules.misere.into(),
        })
    }

    fn table_value(&self, position: &Position) -> Value {
        let plies = self.remoteness.get(position.filled);
        if plies % 2 == self.lost_parity { Value::loss(plies) } else { Value::win(plies) }
    }
}

/// Memory of the search of positions beyond the table.
const FALLBACK_SEARCH_BYTES: usize = 64 << 20;

impl<W: CellSet> Solver<Position<W>> for TableSolver {
    fn value(&mut self, position: &Position<W>) -> Result<Value, Stopped> {
        let position = &position.narrow();
        if self.covers(position) {
            return Ok(self.table_value(position));
        }
        let Self { game, search, watch, .. } = self;
        search.get_or_insert_with(|| AlphaBeta::new(Arc::clone(game), FALLBACK_SEARCH_BYTES, watch)).value(position)
    }

    fn known_bounds(&mut self, position: &Position<W>) -> Bounds {
        let position = &position.narrow();
        if self.covers(position) { Bounds::exact(self.table_value(position)) } else { Bounds::ANY }
    }

    fn covers(&self, position: &Position<W>) -> bool {
        self.filled & !position.narrow().filled == 0
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of boards in the table, and of positions searched beyond it.
    fn positions_searched(&self) -> u64 {
        self.remoteness.boards() + self.search.as_ref().map_or(0, Solver::positions_searched)
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.watch = watch.clone();
        if let Some(search) = &mut self.search {
            search.set_watch(watch);
        }
    }
}
