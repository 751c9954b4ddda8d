//! Outcomes of placement positions by those of their [`Contest`](super::Contest)s.

use balpan::{AlphaBeta, Bounds, Outcome, Solver, Stopped, Value, Watch};

use super::Dominoes;
use crate::board::CellSet;
use crate::placement::{Placement, Position};

/// Alpha-beta over [`Dominoes`] for outcomes of the [`Placement`] that they were made
/// from, and over that game itself for values.
#[derive(Debug)]
pub struct DominoesSolver<'a, W: CellSet = u64> {
    game: &'a Placement<W>,
    dominoes: &'a Dominoes<W>,
    outcomes: AlphaBeta<'a, Dominoes<W>>,
    values: AlphaBeta<'a, Placement<W>>,
}

impl<W: CellSet> Dominoes<W> {
    /// A solver of `game`, which this one was made from, with tables of `table_bytes`
    /// at most and on so many threads.
    pub fn solver<'a>(
        &'a self,
        game: &'a Placement<W>,
        table_bytes: usize,
        threads: usize,
        watch: &'a Watch,
    ) -> DominoesSolver<'a, W> {
        DominoesSolver {
            game,
            dominoes: self,
            outcomes: AlphaBeta::new(self, table_bytes, watch).threads(threads),
            values: AlphaBeta::new(game, table_bytes, watch).threads(threads),
        }
    }
}

impl<W: CellSet> Solver<Placement<W>> for DominoesSolver<'_, W> {
    fn value(&mut self, position: &Position<W>) -> Result<Value, Stopped> {
        self.values.value(position)
    }

    fn outcome(&mut self, position: &Position<W>) -> Result<Outcome, Stopped> {
        self.outcomes.outcome(&self.dominoes.contest(self.game, position))
    }

    fn known(&self, position: &Position<W>) -> Bounds {
        // Plies are not those of the game itself, which are at most as many as cells.
        let most = W::CELLS as u32;
        let Bounds { lower, upper } = self.outcomes.known(&self.dominoes.contest(self.game, position));
        Bounds {
            lower: if lower.outcome() == Outcome::Win { Value::win(most) } else { Bounds::ANY.lower },
            upper: if upper.outcome() == Outcome::Loss { Value::loss(most) } else { Bounds::ANY.upper },
        }
    }

    fn positions_searched(&self) -> u64 {
        self.outcomes.positions_searched() + self.values.positions_searched()
    }
}
