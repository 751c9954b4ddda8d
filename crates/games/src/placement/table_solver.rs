//! A solver that settles all boards before it is asked.

use std::sync::Arc;

use balpan::{AlphaBeta, Bounds, Solver, Stopped, TableError, Value, Watch};

use super::lattice::Allowed;
use super::{BoardNumbers, Placement, Position};
use crate::board::CellSet;

/// Knows the value of every position that play can reach from one: the remoteness
/// of all boards on which at least the same cells are filled, in a table.
///
/// Space and cost as of [`BoardNumbers`], by the free cells: 16 MiB for 25. A value
/// is a look-up. Positions that the table does not [cover](Solver::covers) are searched.
#[derive(Debug)]
pub struct TableSolver {
    game: Arc<Placement>,
    /// Filled on all boards of the table.
    filled: u64,
    remoteness: BoardNumbers,
    bytes: u64,
    /// For positions beyond the table.
    search: Option<AlphaBeta<Arc<Placement>>>,
    watch: Watch,
    /// The parity of a lost position's remoteness.
    lost: u32,
}

/// Up to this many free cells, all boards are settled sooner than a search has told
/// all moves of the free one: some hundredths of a second for 25, where alpha-beta
/// takes 0.65 s for the block game, 0.08 s for Cram.
const QUICK_CELLS: usize = 25;

impl TableSolver {
    /// Whether there is a table within `bytes` that is settled in less time
    /// than a search would take.
    #[must_use]
    pub fn is_quick(game: &Placement, position: &Position, bytes: u64) -> bool {
        (game.board.all() & !position.filled).count_ones() as usize <= QUICK_CELLS
            && BoardNumbers::is_by_runs(game, position.filled, bytes, QUICK_CELLS)
    }

    /// A solver for `position` and all that follow it.
    ///
    /// # Errors
    /// If the game has a state beyond the board, or if the table does not fit in what
    /// is `allowed`: bytes, or bytes and threads.
    pub fn new(
        game: &Placement,
        position: &Position,
        allowed: impl Into<Allowed>,
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
            lost: game.rules.misere.into(),
        })
    }

    fn value_of(&self, position: &Position) -> Value {
        let plies = self.remoteness.get(position.filled);
        if plies % 2 == self.lost { Value::loss(plies) } else { Value::win(plies) }
    }
}

/// Bytes for the search of positions beyond the table.
const BEYOND: usize = 64 << 20;

impl<W: CellSet> Solver<Position<W>> for TableSolver {
    fn value(&mut self, position: &Position<W>) -> Result<Value, Stopped> {
        let position = &position.narrow();
        if self.covers(position) {
            return Ok(self.value_of(position));
        }
        let Self { game, search, watch, .. } = self;
        search.get_or_insert_with(|| AlphaBeta::new(Arc::clone(game), BEYOND, watch)).value(position)
    }

    fn known_bounds(&mut self, position: &Position<W>) -> Bounds {
        let position = &position.narrow();
        if self.covers(position) { Bounds::exact(self.value_of(position)) } else { Bounds::ANY }
    }

    fn covers(&self, position: &Position<W>) -> bool {
        self.filled & !position.narrow().filled == 0
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// All boards of the table, and what was searched beyond it.
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
