//! The solvers of an engine.

use std::sync::Arc;

use super::selection::Selection;
use super::{Backend, EngineError, Method};
use crate::engine::steps::AnswerBuilder;
use crate::engine::{Answer, Goal};
use crate::game::{Game, Oracle, OracleProbe, repeats};
use crate::search::alpha_beta::AlphaBeta;
use crate::search::checkpoint::Checkpoint;
use crate::search::df_pn::DfPn;
use crate::search::length::{self, TooLong};
use crate::search::minimax::Minimax;
use crate::search::misere::Misere;
use crate::search::nimbers::Nimbers;
use crate::search::retrograde::Retrograde;
use crate::search::solver::{BoxedSettler, BoxedSolver, Budget, Solver, TableError};
use crate::search::watch::{Stopped, Watch};
use crate::value::{Bounds, Outcome, Value};

/// The solvers that an engine has created so far, and what they are created from.
pub(super) struct Solvers<G: Game> {
    pub(super) game: Arc<G>,
    pub(super) budget: Budget,
    pub(super) method: Method,
    pub(super) watch: Watch,
    /// The latest table that the game has built.
    pub(super) table: Option<BoxedSolver<G::Position>>,
    /// The solver for values, and for outcomes where nothing else is faster.
    pub(super) search: Option<AlphaBeta<Arc<G>>>,
    pub(super) proofs: Option<DfPn<Arc<G>>>,
    pub(super) minimax: Option<Minimax<Arc<G>>>,
    /// The game's own solver for outcomes, if any; `None` until it is first needed.
    pub(super) outcomes: Option<Option<BoxedSolver<G::Position>>>,
    /// The game's own settler, if any; `None` until it is first needed.
    settler: Option<Option<BoxedSettler<G::Position>>>,
    pub(super) nimbers: Option<Nimbers<Arc<G>>>,
    pub(super) misere: Option<Misere<Arc<G>>>,
    checkpoint: Option<Checkpoint>,
    pub(super) oracle: Option<OracleProbe>,
    /// The positions counted by tables that were replaced.
    retired: u64,
}

/// When to build a table for a position that none covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuildTable {
    /// Always.
    Always,
    /// If that is quick, for the position or the whole game.
    IfQuick,
    /// If that is quick for the whole game: for calls about many positions.
    IfQuickForWholeGame,
}

impl<G: Game> Solvers<G> {
    pub(super) fn new(game: Arc<G>, budget: Budget) -> Self {
        Self {
            game,
            budget,
            method: Method::Auto,
            watch: Watch::default(),
            table: None,
            search: None,
            proofs: None,
            minimax: None,
            outcomes: None,
            settler: None,
            nimbers: None,
            misere: None,
            checkpoint: None,
            oracle: None,
            retired: 0,
        }
    }

    /// Returns the oracle's value of the position, if the method is `Auto`.
    pub(super) fn oracle_value(&self, position: &G::Position) -> Option<Value> {
        let oracle = self.oracle.as_ref().filter(|_| self.method == Method::Auto)?;
        oracle.value(&*self.game, position)
    }

    /// Checks that play from the position is short enough to be searched.
    fn check(&self, position: &G::Position, goal: Goal) -> Result<(), EngineError> {
        let has_parts = self.game.is_impartial() || self.game.is_impartial_misere();
        let by_parts = matches!(self.method, Method::Auto | Method::Nimber) && !goal.includes_remoteness();
        if by_parts && has_parts {
            return self.check_parts(position);
        }
        Ok(TooLong::check(&*self.game, position)?)
    }

    /// As [`check`](Self::check), for solvers by parts: parts that the game knows take no search.
    fn check_parts(&self, position: &G::Position) -> Result<(), EngineError> {
        let game = &*self.game;
        let mut parts = Vec::new();
        game.split(position, &mut parts);
        let is_known = |part| if game.is_impartial() { game.nimber(part).is_some() } else { game.tame(part).is_some() };
        if parts.iter().all(is_known) {
            return Ok(());
        }
        Ok(TooLong::check(game, position)?)
    }

    /// Returns the bytes for a new solver's table: what the others leave, but at least a quarter of the budget. The
    /// `first` of two leaves a quarter to the second.
    fn memory(&self, first: bool) -> usize {
        let taken = Solver::bytes(self);
        let all = self.budget.memory;
        let most = if first { all / 4 * 3 } else { all };
        all.saturating_sub(taken as usize).clamp(all / 4, most)
    }

    pub(super) fn search(&mut self) -> &mut AlphaBeta<Arc<G>> {
        // A settler takes the other half.
        let half = self.budget.memory / 2;
        let memory = if self.settler().is_some() { half } else { self.memory(false) };
        let Self { game, budget, watch, checkpoint, oracle, .. } = self;
        self.search.get_or_insert_with(|| {
            let search = AlphaBeta::new(Arc::clone(game), memory, watch).with_threads(budget.threads);
            let mut search = search.with_oracle(oracle.clone());
            if let Some(checkpoint) = checkpoint {
                search.set_journal(checkpoint.journal(), &checkpoint.entries);
            }
            search
        })
    }

    pub(super) fn proofs(&mut self) -> &mut DfPn<Arc<G>> {
        let memory = self.memory(self.method == Method::Auto);
        let Self { game, budget, watch, checkpoint, .. } = self;
        self.proofs.get_or_insert_with(|| {
            let mut proofs = DfPn::new(Arc::clone(game), memory, watch).with_threads(budget.threads);
            if let Some(checkpoint) = checkpoint {
                proofs.set_journal(checkpoint.journal(), &checkpoint.entries);
            }
            proofs
        })
    }

    /// Returns the solver of nimbers, for this position and others that are no larger.
    pub(super) fn nimbers(&mut self, position: &G::Position) -> Result<&mut Nimbers<Arc<G>>, EngineError> {
        if self.nimbers.is_none() {
            if !self.game.is_impartial() {
                return Err(EngineError::NotImpartial);
            }
            let informed = self.game.with_part_nimbers(position, self.budget, &self.watch)?;
            let game = informed.map_or_else(|| Arc::clone(&self.game), Arc::new);
            let memory = self.memory(true);
            let mut nimbers = Nimbers::new(game, memory, &self.watch)?.with_threads(self.budget.threads);
            if let Some(checkpoint) = &self.checkpoint {
                nimbers.set_journal(checkpoint.journal(), &checkpoint.entries);
            }
            self.nimbers = Some(nimbers);
        }
        self.nimbers.as_mut().ok_or(EngineError::NotImpartial)
    }

    pub(super) fn misere(&mut self) -> Result<&mut Misere<Arc<G>>, EngineError> {
        if self.misere.is_none() {
            let memory = self.memory(true);
            let misere = Misere::new(Arc::clone(&self.game), memory, &self.watch)?;
            self.misere = Some(misere.with_threads(self.budget.threads));
        }
        self.misere.as_mut().ok_or(EngineError::NotImpartial)
    }

    /// Returns a table that covers the position, and builds it if `build` says so: that of the whole game, if it is quick.
    pub(super) fn table(
        &mut self,
        position: &G::Position,
        build: BuildTable,
    ) -> Result<Option<&mut BoxedSolver<G::Position>>, TableError> {
        if G::MAY_REPEAT && self.game.may_repeat() {
            if self.table.as_ref().is_none_or(|table| !table.covers(position)) {
                self.retired += self.table.take().map_or(0, |table| table.positions_searched());
                let game = Arc::clone(&self.game);
                self.table = Some(Box::new(Retrograde::new(game, position, self.budget, &self.watch)?));
            }
            return Ok(self.table.as_mut());
        }
        if self.table.as_ref().is_none_or(|table| !table.covers(position)) {
            let is_quick = |position| self.game.has_quick_table(position, self.budget.memory);
            let start = self.game.start();
            let whole_is_quick = is_quick(&start);
            let is_built = match build {
                BuildTable::Always => true,
                BuildTable::IfQuick => whole_is_quick || is_quick(position),
                BuildTable::IfQuickForWholeGame => whole_is_quick,
            };
            if !is_built {
                return Ok(None);
            }
            let whole =
                if whole_is_quick { Some(self.game.build_table(&start, self.budget, &self.watch)?) } else { None };
            self.retired += self.table.as_ref().map_or(0, |table| table.positions_searched());
            let table = match whole.filter(|whole| whole.covers(position)) {
                Some(whole) => whole,
                None => self.game.build_table(position, self.budget, &self.watch)?,
            };
            self.table = Some(table);
        }
        Ok(self.table.as_mut())
    }

    /// Returns the game's own solver for outcomes, if it has one.
    pub(super) fn outcomes(&mut self) -> Option<&mut BoxedSolver<G::Position>> {
        if self.outcomes.is_none() {
            let budget = Budget { memory: self.memory(true), ..self.budget };
            self.outcomes = Some(self.game.outcome_solver(budget, &self.watch));
        }
        self.outcomes.as_mut()?.as_mut()
    }

    /// Calls [`Settler::settle`](crate::Settler::settle), if the game has a settler.
    pub(super) fn settle(&mut self, position: &G::Position, threshold: Value) -> Result<Option<Value>, Stopped> {
        if self.game.is_over(position) {
            return Ok(None);
        }
        self.settler().map_or(Ok(None), |settler| settler.settle(position, threshold))
    }

    /// Returns whether the game has its own settler.
    pub(super) fn has_settler(&mut self) -> bool {
        self.settler().is_some()
    }

    /// Returns the settler's bounds, if it has been created.
    pub(super) fn settler_bounds(&mut self, position: &G::Position) -> Bounds {
        if self.game.is_over(position) {
            return Bounds::ANY;
        }
        self.settler.iter_mut().flatten().next().map_or(Bounds::ANY, |settler| settler.known_bounds(position))
    }

    /// Returns the game's own settler, if it has one and the method is `Auto`.
    fn settler(&mut self) -> Option<&mut BoxedSettler<G::Position>> {
        if self.method != Method::Auto || repeats(&*self.game) {
            return None;
        }
        let Self { game, budget, watch, settler, .. } = self;
        let half = Budget { memory: budget.memory / 2, ..*budget };
        settler.get_or_insert_with(|| game.settler(half, watch)).as_mut()
    }
}

impl<G: Game> Backend<G> for Solvers<G> {
    fn set_method(&mut self, method: Method) {
        self.method = method;
    }

    fn set_checkpoint(&mut self, checkpoint: Checkpoint) {
        self.checkpoint = Some(checkpoint);
    }

    fn set_oracle(&mut self, oracle: Arc<dyn Oracle>) {
        self.oracle = Some(OracleProbe(oracle));
    }

    fn solve(
        &mut self,
        position: &G::Position,
        goal: Goal,
        watch: &Watch,
        report: &mut (dyn FnMut(&Answer<G::Move>) + Send),
    ) -> Result<Answer<G::Move>, EngineError> {
        let game = Arc::clone(&self.game);
        self.set_watch(watch);
        // Nimbers decide only who wins.
        let goal = if self.method == Method::Nimber { Goal::Winner } else { goal };
        let empty = || AnswerBuilder::new(&*game, position, goal, &mut NoSolver, watch, &mut |_| {}).answer;
        if game.is_over(position) {
            return Ok(Answer { complete: true, ..empty() });
        }
        self.check(position, goal)?;
        let mut selection = match Selection::new(self, position, goal) {
            Ok(selection) => selection,
            Err(EngineError::Stopped(_) | EngineError::Table(TableError::Stopped(_))) => {
                let mut answer = empty();
                if let Some(search) = self.search.as_mut().filter(|_| repeats(&*game)) {
                    answer.bounds = answer.bounds.intersect(search.known_bounds(position));
                }
                return Ok(answer);
            }
            Err(e) => return Err(e),
        };
        let answer = length::search(&*game, position, || {
            let mut steps = AnswerBuilder::new(&*game, position, goal, &mut selection, watch, report);
            match steps.run() {
                // The answer contains whether it is complete.
                Ok(()) | Err(Stopped::Interrupted) => Ok(steps.answer),
                Err(stopped) => Err(stopped),
            }
        });
        Ok(answer?)
    }

    fn prepare(&mut self, position: &G::Position, watch: &Watch) -> Result<(), Stopped> {
        self.set_watch(watch);
        Selection::for_solver(self, position).map(|_| ())
    }

    fn nimber(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, EngineError> {
        self.set_watch(watch);
        if let Some(oracle) = self.oracle.as_ref().filter(|_| self.game.is_impartial())
            && let Some(nimber) = oracle.nimber(&*self.game, position)
        {
            return Ok(nimber);
        }
        self.check_parts(position)?;
        Ok(self.nimbers(position)?.nimber(position)?)
    }

    fn nimber_solver(&mut self, position: &G::Position, watch: &Watch) -> Result<&mut Nimbers<Arc<G>>, EngineError> {
        self.set_watch(watch);
        self.check_parts(position)?;
        self.nimbers(position)
    }

    fn misere_value(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, EngineError> {
        self.set_watch(watch);
        self.check_parts(position)?;
        Ok(self.misere()?.value(position)?)
    }
}

impl<G: Game> Solver<G::Position> for Solvers<G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        self.with_selection(position, |selection| selection.value(position))
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        self.with_selection(position, |selection| selection.outcome(position))
    }

    fn test(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        self.with_selection(position, |selection| selection.test(position, threshold))
    }

    fn outcome_bounds(&mut self, position: &G::Position) -> Result<Bounds, Stopped> {
        self.with_selection(position, |selection| selection.outcome_bounds(position))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        self.with_selection(position, |selection| selection.value_within(position, bounds))
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        self.with_selection(position, |selection| Ok(selection.known_bounds(position))).unwrap_or(Bounds::ANY)
    }

    fn bytes(&self) -> u64 {
        let tables = [
            self.search.as_ref().map(Solver::bytes),
            self.proofs.as_ref().map(Solver::bytes),
            self.nimbers.as_ref().map(Nimbers::bytes),
            self.misere.as_ref().map(Misere::bytes),
            self.table.as_ref().map(|table| table.bytes()),
            self.outcomes.iter().flatten().next().map(|outcomes| outcomes.bytes()),
            self.settler.iter().flatten().next().map(|settler| settler.bytes()),
        ];
        tables.into_iter().flatten().sum()
    }

    fn positions_searched(&self) -> u64 {
        let counts = [
            self.search.as_ref().map(Solver::positions_searched),
            self.proofs.as_ref().map(Solver::positions_searched),
            self.minimax.as_ref().map(Solver::positions_searched),
            self.nimbers.as_ref().map(Nimbers::positions_searched),
            self.misere.as_ref().map(Misere::positions_searched),
            self.table.as_ref().map(|table| table.positions_searched()),
            self.outcomes.iter().flatten().next().map(|outcomes| outcomes.positions_searched()),
            self.settler.iter().flatten().next().map(|settler| settler.positions_searched()),
        ];
        self.retired + counts.into_iter().flatten().sum::<u64>()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.watch = watch.clone();
        if let Some(search) = &mut self.search {
            search.set_watch(watch);
        }
        if let Some(proofs) = &mut self.proofs {
            proofs.set_watch(watch);
        }
        if let Some(minimax) = &mut self.minimax {
            minimax.set_watch(watch);
        }
        if let Some(nimbers) = &mut self.nimbers {
            nimbers.set_watch(watch);
        }
        if let Some(misere) = &mut self.misere {
            misere.set_watch(watch);
        }
        if let Some(table) = &mut self.table {
            table.set_watch(watch);
        }
        if let Some(outcomes) = self.outcomes.iter_mut().flatten().next() {
            outcomes.set_watch(watch);
        }
        if let Some(settler) = self.settler.iter_mut().flatten().next() {
            settler.set_watch(watch);
        }
    }
}

impl<G: Game> Solvers<G> {
    /// Calls `solve` with the solvers selected for a position.
    fn with_selection<T: Send>(
        &mut self,
        position: &G::Position,
        mut solve: impl FnMut(&mut Selection<'_, G>) -> Result<T, Stopped> + Send,
    ) -> Result<T, Stopped> {
        let game = Arc::clone(&self.game);
        let mut selection = Selection::for_solver(self, position)?;
        length::search(&*game, position, || solve(&mut selection))
    }

    pub(super) fn minimax(&mut self) -> &mut Minimax<Arc<G>> {
        let Self { game, watch, .. } = self;
        self.minimax.get_or_insert_with(|| Minimax::new(Arc::clone(game), watch))
    }
}

/// A placeholder for the solver of an answer without search.
struct NoSolver;

impl<P> Solver<P> for NoSolver {
    fn value(&mut self, _position: &P) -> Result<Value, Stopped> {
        Err(Stopped::Interrupted)
    }

    fn positions_searched(&self) -> u64 {
        0
    }

    fn set_watch(&mut self, _watch: &Watch) {}
}
