//! Selection of solvers for placement games.

use std::any::Any;
use std::sync::Arc;

use balpan::{BoxedSolver, Budget, EngineCore, Expert, Goal, Stopped, TableError, Watch};

use super::dominoes::{Dominoes, DominoesSolver};
use super::{Placement, Position, TableBudget, TableSolver};
use crate::board::CellSet;

/// Maximum number of free cells for which the values of all moves are worth searching: on larger
/// boards they take minutes at least, where they can be found at all.
const MAX_CELLS_FOR_VALUES: u32 = 30;

impl<W: CellSet> Placement<W> {
    /// The game, if its board fits in 64 bits: larger boards have no table.
    fn narrow(&self) -> Option<&Placement> {
        (self as &dyn Any).downcast_ref()
    }
}

impl<W: CellSet> Expert for Placement<W> {
    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        W::placement_core(self, budget)
    }

    fn has_quick_table(&self, position: &Position<W>, bytes: usize) -> bool {
        self.narrow().is_some_and(|game| TableSolver::is_quick(game, &position.narrow(), bytes as u64))
    }

    fn build_table(
        &self,
        position: &Position<W>,
        budget: Budget,
        watch: &Watch,
    ) -> Result<BoxedSolver<Position<W>>, TableError> {
        let cells = self.free(position).count_ones() as usize;
        let game = self.narrow().ok_or(TableError::NoMemory { cells })?;
        Ok(Box::new(TableSolver::new(game, &position.narrow(), TableBudget::from(budget), watch)?))
    }

    fn outcome_solver(self: &Arc<Self>, budget: Budget, watch: &Watch) -> Option<BoxedSolver<Position<W>>> {
        let dominoes = Dominoes::for_game(self)?;
        Some(Box::new(DominoesSolver::new(Arc::clone(self), dominoes, budget, watch)))
    }

    fn with_part_nimbers(
        &self,
        position: &Position<W>,
        budget: Budget,
        watch: &Watch,
    ) -> Result<Option<Self>, Stopped> {
        let game = self.clone().with_legal_start(*position);
        game.with_component_table(TableBudget::from(budget), watch).map(Some)
    }

    fn suits_proof_numbers(&self) -> bool {
        self.has_supplies()
    }

    /// The winner only, on large boards.
    fn default_goal(&self, position: &Position<W>) -> Goal {
        if self.free(position).count_ones() > MAX_CELLS_FOR_VALUES { Goal::Winner } else { Goal::MoveValues }
    }
}
