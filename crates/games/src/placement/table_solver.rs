//! A solver that settles all boards before it is asked.

use balpan::{Solver, Stopped, Value, Watch};

use super::lattice::{Allowed, NoTable};
use super::{BoardNumbers, Placement, Position};

/// Knows the value of every position that play can reach from one: the remoteness
/// of all boards on which at least the same cells are filled, in a table.
///
/// Space and cost as of [`BoardNumbers`], by the free cells: 16 MiB for 25. A value
/// is a look-up.
#[derive(Clone, Debug)]
pub struct TableSolver {
    remoteness: BoardNumbers,
    /// The parity of a lost position's remoteness.
    lost: u32,
}

/// Up to so many free cells, all boards are settled sooner than a search has told
/// all moves of the free one: some hundredths of a second for 25, where alpha-beta
/// takes 0.65 s for the block game, 0.08 s for Cram.
const QUICK_CELLS: usize = 25;

impl TableSolver {
    /// Whether there is a table within so many bytes that is settled in less time
    /// than a search would take.
    #[must_use]
    pub fn is_quick(game: &Placement, position: &Position, bytes: u64) -> bool {
        BoardNumbers::is_by_runs(game, position.filled, bytes, QUICK_CELLS)
    }

    /// A solver for `position` and all that follow it.
    ///
    /// # Errors
    /// If the game has a state beyond the board, or if the table does not fit in what
    /// is `allowed`: so many bytes, or bytes and threads.
    pub fn new(
        game: &Placement,
        position: &Position,
        allowed: impl Into<Allowed>,
        watch: &Watch,
    ) -> Result<Self, NoTable> {
        let remoteness = BoardNumbers::remoteness_above(game, position.filled, allowed.into(), watch)?;
        Ok(Self { remoteness, lost: game.rules.misere.into() })
    }
}

impl Solver<Placement> for TableSolver {
    /// The value of the position that the solver was made for, or of one that
    /// follows it.
    fn value(&mut self, position: &Position) -> Result<Value, Stopped> {
        let plies = self.remoteness.get(position.filled);
        Ok(if plies % 2 == self.lost { Value::loss(plies) } else { Value::win(plies) })
    }

    /// All boards of the table.
    fn positions_searched(&self) -> u64 {
        self.remoteness.boards()
    }
}
