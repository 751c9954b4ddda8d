//! The solvers that are chosen for a question.

use super::parts::{Parts, Wanted};
use super::{EngineError, Method};
use crate::answer::Goal;
use crate::expert::{Expert, TableError};
use crate::length::MAX_PLIES;
use crate::questions;
use crate::solver::Solver;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Stopped, Watch};

/// One solver for outcomes and one for values, which may be the same.
pub(super) struct Chosen<'e, G: Expert> {
    engine: &'e mut Parts<G>,
    outcomes: By,
    values: By,
}

/// One of an engine's solvers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Table,
    Search,
    Proofs,
    Minimax,
    /// The game's own solver of outcomes.
    Own,
    Nimbers,
    Misere,
}

impl<'e, G: Expert> Chosen<'e, G> {
    /// The quickest solvers for a question, or those of the engine's method. Makes the
    /// first one.
    pub(super) fn new(engine: &'e mut Parts<G>, position: &G::Position, goal: Goal) -> Result<Self, EngineError> {
        let (outcomes, values) = match engine.method {
            // The oracle knows, and what else is asked is searched with its help.
            Method::Auto if engine.told(position).is_some() => (By::Search, By::Search),
            Method::Auto => Self::quickest(engine, position, goal, Wanted::IfQuick)?,
            Method::Minimax => (By::Minimax, By::Minimax),
            Method::AlphaBeta => (By::Search, By::Search),
            Method::DfPn => (By::Proofs, By::Proofs),
            Method::Table => (By::Table, By::Table),
            Method::Nimber => (By::Nimbers, By::Nimbers),
        };
        match outcomes {
            By::Table => {
                engine.table(position, Wanted::AtAnyPrice)?;
            }
            By::Nimbers => {
                engine.nimbers(position)?;
            }
            By::Misere => {
                engine.misere()?;
            }
            By::Search | By::Proofs | By::Minimax | By::Own => {}
        }
        Ok(Self { engine, outcomes, values })
    }

    /// The solvers for whoever asks about many positions; a method that does not answer for
    /// this one is left for the quickest.
    pub(super) fn for_solver(engine: &'e mut Parts<G>, position: &G::Position) -> Result<Self, Stopped> {
        let (outcomes, values) = match engine.method {
            Method::Minimax => (By::Minimax, By::Minimax),
            Method::AlphaBeta => (By::Search, By::Search),
            Method::DfPn => (By::Proofs, By::Proofs),
            Method::Auto if engine.told(position).is_some() => (By::Search, By::Search),
            Method::Auto | Method::Table | Method::Nimber => {
                match Self::quickest(engine, position, Goal::MoveOutcomes, Wanted::OfTheWhole) {
                    Ok((By::Nimbers, values)) => match engine.nimbers(position) {
                        Ok(_) => (By::Nimbers, values),
                        Err(EngineError::NotImpartial) => (values, values),
                        Err(none) => return Err(none.into_stopped()),
                    },
                    Ok((By::Misere, values)) if engine.misere().is_err() => (values, values),
                    Ok(both) => both,
                    Err(none) => return Err(none.into_stopped()),
                }
            }
        };
        Ok(Self { engine, outcomes, values })
    }

    fn quickest(
        engine: &mut Parts<G>,
        position: &G::Position,
        goal: Goal,
        wanted: Wanted,
    ) -> Result<(By, By), EngineError> {
        match engine.table(position, wanted) {
            Ok(Some(_)) => return Ok((By::Table, By::Table)),
            Err(TableError::Stopped(stopped)) => return Err(stopped.into()),
            // What is too large for a table is searched.
            Ok(None) | Err(_) => {}
        }
        let outcomes = if engine.game.is_impartial() {
            By::Nimbers
        } else if engine.game.is_impartial_misere() {
            By::Misere
        } else if goal != Goal::MoveOutcomes && engine.game.suits_proof_numbers() {
            By::Proofs
        } else if engine.outcomes().is_some() {
            By::Own
        } else {
            By::Search
        };
        Ok((outcomes, By::Search))
    }

    /// The solver, if it is one that tells more than outcomes.
    fn solver(&mut self, by: By) -> &mut dyn Solver<G::Position> {
        let engine = &mut *self.engine;
        match by {
            By::Table if engine.table.is_some() => match &mut engine.table {
                Some(table) => &mut **table,
                None => unreachable!("there is a table"),
            },
            By::Proofs => engine.proofs(),
            By::Minimax => engine.minimax(),
            _ => engine.search(),
        }
    }

    /// Whether the position is worth more than `asked`, which is to ask who wins.
    fn decide(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        let known = self.engine.search().known_bounds(position).intersect(self.engine.known_by_settler(position));
        if let Some(answer) = known.decide(asked) {
            return Ok(answer);
        }
        if self.engine.settles()
            && let Some(answer) = self.engine.search().ask_briefly(position, asked)?
        {
            return Ok(answer);
        }
        let before = self.engine.positions_searched();
        let Some(answer) = self.engine.settle(position, asked)? else {
            return self.engine.search().test(position, asked);
        };
        let work = self.engine.positions_searched() - before;
        self.engine.search().learn(position, Bounds::from_test(answer, asked), work);
        Ok(answer)
    }

    /// What the solver of outcomes knows.
    fn known_outcome(&mut self, position: &G::Position) -> Option<Outcome> {
        let engine = &mut *self.engine;
        match self.outcomes {
            By::Nimbers => {
                let nimber = engine.nimbers.as_ref()?.known(position)?;
                Some(if nimber == 0 { Outcome::Loss } else { Outcome::Win })
            }
            By::Misere => engine.misere.as_mut()?.known(position),
            By::Own => engine.outcomes.as_mut()?.as_mut()?.known_bounds(position).outcome(),
            By::Table => engine.table.as_mut()?.known_bounds(position).outcome(),
            By::Proofs => engine.proofs.as_mut()?.known_bounds(position).outcome(),
            By::Search | By::Minimax => None,
        }
    }

    fn bounds_of(&self, position: &G::Position, outcome: Outcome) -> Bounds {
        let plies = self.engine.game.layer(position).unwrap_or(MAX_PLIES);
        Bounds::from_outcome(outcome, plies.min(MAX_PLIES))
    }
}

impl<G: Expert> Solver<G::Position> for Chosen<'_, G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        if let Some(value) = self.engine.told(position) {
            return Ok(value);
        }
        let values = self.values;
        self.solver(values).value(position)
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        let game = &self.engine.game;
        if game.is_over(position) {
            return Ok(game.end(position));
        }
        if let Some(value) = self.engine.told(position) {
            return Ok(value.outcome());
        }
        let of_lost = |lost| if lost { Outcome::Loss } else { Outcome::Win };
        let engine = &mut *self.engine;
        if let (By::Nimbers, Some(nimbers)) = (self.outcomes, &mut engine.nimbers) {
            return nimbers.is_lost(position).map(of_lost);
        }
        if let (By::Misere, Some(misere)) = (self.outcomes, &mut engine.misere) {
            return misere.is_lost(position, 0).map(of_lost);
        }
        if let (By::Own, Some(own)) = (self.outcomes, engine.outcomes()) {
            return own.outcome(position);
        }
        if self.outcomes == By::Search {
            return questions::outcome(|asked| self.decide(position, asked));
        }
        let outcomes = self.outcomes;
        self.solver(outcomes).outcome(position)
    }

    fn test(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        if let Some(value) = self.engine.told(position) {
            return Ok(value);
        }
        if self.outcomes != self.values && [Value::DRAW, Value::BELOW_DRAW].contains(&asked) {
            let outcome = self.outcome(position)?;
            let Bounds { lower, upper } = self.bounds_of(position, outcome);
            return Ok(if lower > asked { lower } else { upper });
        }
        if self.values == By::Search && [Value::DRAW, Value::BELOW_DRAW].contains(&asked) {
            return self.decide(position, asked);
        }
        let values = self.values;
        self.solver(values).test(position, asked)
    }

    fn outcome_bounds(&mut self, position: &G::Position) -> Result<Bounds, Stopped> {
        if let Some(value) = self.engine.told(position) {
            return Ok(Bounds::exact(value));
        }
        if self.outcomes == By::Search && self.engine.settles() {
            let known = self.known_bounds(position);
            let known = questions::verdict_within(known, |asked| self.decide(position, asked))?;
            return self.engine.search().narrow_quickly(position, known);
        }
        if self.outcomes == self.values {
            let values = self.values;
            return self.solver(values).outcome_bounds(position);
        }
        let outcome = self.outcome(position)?;
        Ok(self.bounds_of(position, outcome).intersect(self.known_bounds(position)))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        if let Some(value) = self.engine.told(position) {
            return Ok(value);
        }
        let values = self.values;
        self.solver(values).value_within(position, bounds)
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        let engine = &mut *self.engine;
        if engine.game.is_over(position) {
            return Bounds::exact(Value::terminal(engine.game.end(position)));
        }
        if let Some(value) = engine.told(position) {
            return Bounds::exact(value);
        }
        let value = match self.values {
            By::Table => engine.table.as_mut().map(|table| table.known_bounds(position)),
            By::Proofs => engine.proofs.as_mut().map(|proofs| proofs.known_bounds(position)),
            _ => engine.search.as_mut().map(|search| search.known_bounds(position)),
        };
        let mut value = value.unwrap_or(Bounds::ANY);
        if self.outcomes == By::Search && value.outcome().is_none() {
            value = value.intersect(engine.known_by_settler(position));
        }
        match self.known_outcome(position) {
            Some(outcome) if value.outcome().is_none() => self.bounds_of(position, outcome).intersect(value),
            _ => value,
        }
    }

    fn positions_searched(&self) -> u64 {
        self.engine.positions_searched()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.engine.set_watch(watch);
    }
}
