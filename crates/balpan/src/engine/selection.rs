//! Selection of the fastest solvers for a position.

use super::solvers::{BuildTable, Solvers};
use super::{EngineError, Method};
use crate::engine::Goal;
use crate::engine::steps::outcome_bounds;
use crate::game::Game;
use crate::search::solver::{self, Solver, TableError};
use crate::search::watch::{Stopped, Watch};
use crate::value::{Bounds, Outcome, Value};

/// The selected solvers: one for outcomes and one for values, which may be the same.
pub(super) struct Selection<'e, G: Game> {
    solvers: &'e mut Solvers<G>,
    outcomes: SolverKind,
    values: SolverKind,
}

/// The positions of a search for a quick win before a table of all positions is built.
const QUICK_WIN_POSITIONS: u64 = 1 << 12;

/// One of an engine's solvers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SolverKind {
    Table,
    Search,
    Proofs,
    Minimax,
    /// The game's own solver of outcomes.
    Own,
    Nimbers,
    Misere,
}

impl<'e, G: Game> Selection<'e, G> {
    /// Selects the solvers of the engine's method, or the fastest for a goal. Creates the solver for outcomes.
    pub(super) fn new(solvers: &'e mut Solvers<G>, position: &G::Position, goal: Goal) -> Result<Self, EngineError> {
        let (outcomes, values) = match solvers.method {
            // The oracle holds the value, and helps to search for the rest.
            Method::Auto if solvers.oracle_value(position).is_some() => (SolverKind::Search, SolverKind::Search),
            Method::Auto => Self::select_fastest(solvers, position, goal, BuildTable::IfQuick)?,
            Method::Minimax => (SolverKind::Minimax, SolverKind::Minimax),
            Method::AlphaBeta => (SolverKind::Search, SolverKind::Search),
            Method::DfPn => (SolverKind::Proofs, SolverKind::Proofs),
            Method::Table => (SolverKind::Table, SolverKind::Table),
            Method::Nimber => (SolverKind::Nimbers, SolverKind::Nimbers),
        };
        match outcomes {
            SolverKind::Table => {
                solvers.table(position, BuildTable::Always)?;
            }
            SolverKind::Nimbers => {
                solvers.nimbers(position)?;
            }
            SolverKind::Misere => {
                solvers.misere()?;
            }
            SolverKind::Search | SolverKind::Proofs | SolverKind::Minimax | SolverKind::Own => {}
        }
        Ok(Self { solvers, outcomes, values })
    }

    /// Selects the solvers for calls about many positions. A method that cannot solve this position is replaced by the
    /// fastest one.
    pub(super) fn for_solver(solvers: &'e mut Solvers<G>, position: &G::Position) -> Result<Self, Stopped> {
        let (outcomes, values) = match solvers.method {
            Method::Minimax => (SolverKind::Minimax, SolverKind::Minimax),
            Method::AlphaBeta => (SolverKind::Search, SolverKind::Search),
            Method::DfPn => (SolverKind::Proofs, SolverKind::Proofs),
            Method::Auto if solvers.oracle_value(position).is_some() => (SolverKind::Search, SolverKind::Search),
            Method::Auto | Method::Table | Method::Nimber => {
                match Self::select_fastest(solvers, position, Goal::MoveOutcomes, BuildTable::IfQuickForWholeGame) {
                    Ok((SolverKind::Nimbers, values)) => match solvers.nimbers(position) {
                        Ok(_) => (SolverKind::Nimbers, values),
                        Err(EngineError::NotImpartial) => (values, values),
                        Err(error) => return Err(error.into_stopped()),
                    },
                    Ok((SolverKind::Misere, values)) if solvers.misere().is_err() => (values, values),
                    Ok(both) => both,
                    Err(error) => return Err(error.into_stopped()),
                }
            }
        };
        Ok(Self { solvers, outcomes, values })
    }

    fn select_fastest(
        solvers: &mut Solvers<G>,
        position: &G::Position,
        goal: Goal,
        build: BuildTable,
    ) -> Result<(SolverKind, SolverKind), EngineError> {
        if G::MAY_REPEAT && solvers.game.may_repeat() {
            return Self::select_for_loops(solvers, position, goal);
        }
        match solvers.table(position, build) {
            Ok(Some(_)) => return Ok((SolverKind::Table, SolverKind::Table)),
            Err(TableError::Stopped(stopped)) => return Err(stopped.into()),
            // A position too large for a table is searched.
            Ok(None) | Err(_) => {}
        }
        let outcomes = if solvers.game.is_impartial() {
            SolverKind::Nimbers
        } else if solvers.game.is_impartial_misere() {
            SolverKind::Misere
        } else if goal != Goal::MoveOutcomes && solvers.game.suits_proof_numbers() {
            SolverKind::Proofs
        } else if solvers.outcomes().is_some() {
            SolverKind::Own
        } else {
            SolverKind::Search
        };
        Ok((outcomes, SolverKind::Search))
    }

    /// Selects the solver where play may repeat: a search for a quick win, a table of all positions, or, if they do not fit,
    /// a search for wins within ever more plies.
    fn select_for_loops(
        solvers: &mut Solvers<G>,
        position: &G::Position,
        goal: Goal,
    ) -> Result<(SolverKind, SolverKind), EngineError> {
        let search = (SolverKind::Search, SolverKind::Search);
        let is_auto = solvers.method == Method::Auto;
        let has_table = solvers.table.as_ref().is_some_and(|table| table.covers(position));
        if !has_table && is_auto && !goal.includes_all_moves() {
            // A line of a draw may be a search without end.
            let is_enough = |known: Bounds| known.value().is_some_and(|value| value.remoteness().is_some());
            let known = solvers.search().deepen(position, Bounds::ANY, QUICK_WIN_POSITIONS, is_enough)?;
            if is_enough(known) {
                return Ok(search);
            }
        }
        match solvers.table(position, BuildTable::Always) {
            Ok(_) => Ok((SolverKind::Table, SolverKind::Table)),
            Err(TableError::TooManyPositions(_)) if is_auto => Ok(search),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns a solver that finds more than outcomes.
    fn solver(&mut self, by: SolverKind) -> &mut dyn Solver<G::Position> {
        let solvers = &mut *self.solvers;
        match by {
            SolverKind::Table if solvers.table.is_some() => match &mut solvers.table {
                Some(table) => &mut **table,
                None => unreachable!("there is a table"),
            },
            SolverKind::Proofs => solvers.proofs(),
            SolverKind::Minimax => solvers.minimax(),
            _ => solvers.search(),
        }
    }

    /// Runs a null-window test of who wins: by the tables, a brief search, the settler, and then a full search.
    fn decide(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        let known = self.solvers.search().known_bounds(position).intersect(self.solvers.settler_bounds(position));
        if let Some(answer) = known.decide(threshold) {
            return Ok(answer);
        }
        if self.solvers.has_settler()
            && let Some(answer) = self.solvers.search().test_briefly(position, threshold)?
        {
            return Ok(answer);
        }
        let before = self.solvers.positions_searched();
        let Some(answer) = self.solvers.settle(position, threshold)? else {
            return self.solvers.search().test(position, threshold);
        };
        let work = self.solvers.positions_searched() - before;
        self.solvers.search().store_bounds(position, Bounds::from_test(answer, threshold), work);
        Ok(answer)
    }

    /// Returns the outcome in the tables of the solver for outcomes.
    fn known_outcome(&mut self, position: &G::Position) -> Option<Outcome> {
        let solvers = &mut *self.solvers;
        match self.outcomes {
            SolverKind::Nimbers => {
                let nimber = solvers.nimbers.as_ref()?.known_nimber(position)?;
                Some(if nimber == 0 { Outcome::Loss } else { Outcome::Win })
            }
            SolverKind::Misere => solvers.misere.as_mut()?.known_outcome(position),
            SolverKind::Own => solvers.outcomes.as_mut()?.as_mut()?.known_bounds(position).outcome(),
            SolverKind::Table => solvers.table.as_mut()?.known_bounds(position).outcome(),
            SolverKind::Proofs => solvers.proofs.as_mut()?.known_bounds(position).outcome(),
            SolverKind::Search | SolverKind::Minimax => None,
        }
    }

    fn bounds_from_outcome(&self, position: &G::Position, outcome: Outcome) -> Bounds {
        outcome_bounds(&*self.solvers.game, position, outcome)
    }
}

impl<G: Game> Solver<G::Position> for Selection<'_, G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        if let Some(value) = self.solvers.oracle_value(position) {
            return Ok(value);
        }
        let values = self.values;
        self.solver(values).value(position)
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        let game = &self.solvers.game;
        if game.is_over(position) {
            return Ok(game.end_value(position).outcome());
        }
        if let Some(value) = self.solvers.oracle_value(position) {
            return Ok(value.outcome());
        }
        let outcome_from_loss = |lost| if lost { Outcome::Loss } else { Outcome::Win };
        let solvers = &mut *self.solvers;
        if let (SolverKind::Nimbers, Some(nimbers)) = (self.outcomes, &mut solvers.nimbers) {
            return nimbers.is_lost(position).map(outcome_from_loss);
        }
        if let (SolverKind::Misere, Some(misere)) = (self.outcomes, &mut solvers.misere) {
            return misere.is_lost(position, 0).map(outcome_from_loss);
        }
        if let (SolverKind::Own, Some(own)) = (self.outcomes, solvers.outcomes()) {
            return own.outcome(position);
        }
        if self.outcomes == SolverKind::Search {
            return solver::find_outcome(&mut |threshold| self.decide(position, threshold));
        }
        let outcomes = self.outcomes;
        self.solver(outcomes).outcome(position)
    }

    fn test(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        if let Some(value) = self.solvers.oracle_value(position) {
            return Ok(value);
        }
        if self.outcomes != self.values && [Value::DRAW, Value::BELOW_DRAW].contains(&threshold) {
            let outcome = self.outcome(position)?;
            let Bounds { lower, upper } = self.bounds_from_outcome(position, outcome);
            return Ok(if lower > threshold { lower } else { upper });
        }
        if self.values == SolverKind::Search && [Value::DRAW, Value::BELOW_DRAW].contains(&threshold) {
            return self.decide(position, threshold);
        }
        let values = self.values;
        self.solver(values).test(position, threshold)
    }

    fn outcome_bounds(&mut self, position: &G::Position) -> Result<Bounds, Stopped> {
        if let Some(value) = self.solvers.oracle_value(position) {
            return Ok(Bounds::exact(value));
        }
        if self.outcomes == SolverKind::Search && self.solvers.has_settler() {
            let known = self.known_bounds(position);
            let known = solver::find_outcome_bounds(known, &mut |threshold| self.decide(position, threshold))?;
            return self.solvers.search().narrow_by_quick_tests(position, known);
        }
        if self.outcomes == self.values {
            let values = self.values;
            return self.solver(values).outcome_bounds(position);
        }
        let outcome = self.outcome(position)?;
        Ok(self.bounds_from_outcome(position, outcome).intersect(self.known_bounds(position)))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        if let Some(value) = self.solvers.oracle_value(position) {
            return Ok(value);
        }
        let values = self.values;
        self.solver(values).value_within(position, bounds)
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        let solvers = &mut *self.solvers;
        if solvers.game.is_over(position) {
            return Bounds::exact(solvers.game.end_value(position));
        }
        if let Some(value) = solvers.oracle_value(position) {
            return Bounds::exact(value);
        }
        let value = match self.values {
            SolverKind::Table => solvers.table.as_mut().map(|table| table.known_bounds(position)),
            SolverKind::Proofs => solvers.proofs.as_mut().map(|proofs| proofs.known_bounds(position)),
            _ => solvers.search.as_mut().map(|search| search.known_bounds(position)),
        };
        let mut value = value.unwrap_or(Bounds::ANY);
        if self.outcomes == SolverKind::Search && value.outcome().is_none() {
            value = value.intersect(solvers.settler_bounds(position));
        }
        match self.known_outcome(position) {
            Some(outcome) if value.outcome().is_none() => self.bounds_from_outcome(position, outcome).intersect(value),
            _ => value,
        }
    }

    fn positions_searched(&self) -> u64 {
        self.solvers.positions_searched()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.solvers.set_watch(watch);
    }
}
