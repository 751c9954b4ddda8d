//! The one door: answers about any position of a game, by whichever solver is quickest.

mod chosen;
mod keeping;

use std::sync::Arc;

use crate::alpha_beta::AlphaBeta;
use crate::answer::{Answer, Ask};
use crate::df_pn::DfPn;
use crate::expert::{BoxedSolver, Budget, Expert, NoTable};
use crate::keep::Kept;
use crate::length::{self, TooLong};
use crate::minimax::Minimax;
use crate::misere::Misere;
use crate::nimbers::{Nimbers, NotImpartial};
use crate::oracle::{Asked, Oracle};
use crate::solver::Solver;
use crate::steps::Steps;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Stopped, Watch};
use chosen::Chosen;
use keeping::Keeping;

/// How to solve; all agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Whichever is fastest.
    #[default]
    Auto,
    /// Plain exhaustive minimax, for small positions.
    Minimax,
    /// Alpha-beta with a transposition table.
    AlphaBeta,
    /// Depth-first proof-number search.
    DfPn,
    /// A table of all positions, where the game has one.
    Table,
    /// Nimbers of independent parts, for who wins an impartial game.
    Nimber,
}

/// Why there is no answer at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The watch said stop before anything was known.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// No table of the positions.
    #[error(transparent)]
    NoTable(#[from] NoTable),
    /// A nimber was asked of a game that has none.
    #[error("there is no nimber: impartial games have one: both players have the same moves, and no piece a supply")]
    NoNimber,
    /// Play may last too long for a search.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

impl From<NotImpartial> for NoAnswer {
    fn from(_: NotImpartial) -> Self {
        Self::NoNimber
    }
}

/// Answers questions about any position of a game, and chooses the solvers that do.
///
/// It owns the game, its tables and its budget. What one position has taught it serves the
/// next. An answer grows: see [`ask`](Self::ask). A question that is stopped leaves all
/// that was found.
///
/// As a [`Solver`] it tells values and outcomes of many positions, one after the other.
///
/// Memory: tables within the budget's, whichever solvers they belong to (a game without
/// [keys](crate::Keyed::key) may take as much again). The first solver that is needed may
/// take three quarters, or all, where no other one will be needed.
pub struct Engine<G: Expert> {
    game: Arc<G>,
    budget: Budget,
    method: Method,
    watch: Watch,
    /// Tables of parts of the game.
    table: Option<BoxedSolver<G::Position>>,
    /// For values, and for outcomes where nothing else is quicker.
    search: Option<AlphaBeta<Arc<G>>>,
    proofs: Option<DfPn<Arc<G>>>,
    minimax: Option<Minimax<Arc<G>>>,
    /// The game's own solver of outcomes, once it has been asked for.
    outcomes: Option<Option<BoxedSolver<G::Position>>>,
    nimbers: Option<Nimbers<Arc<G>>>,
    misere: Option<Misere<Arc<G>>>,
    keeping: Option<Keeping>,
    oracle: Option<Asked>,
    /// Positions of tables that others have taken the place of.
    retired: u64,
}

/// Which table is wanted, where there is none yet that covers a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Any that is made.
    AtAnyPrice,
    /// Of the position, or the whole game, if that is quick.
    IfQuick,
    /// Of the whole game, if that is quick: for whoever asks about many positions.
    OfTheWhole,
}

impl<G: Expert> Engine<G> {
    /// An engine for the game, or for a game that is shared.
    pub fn new(game: impl Into<Arc<G>>, budget: Budget) -> Self {
        Self {
            game: game.into(),
            budget,
            method: Method::Auto,
            watch: Watch::default(),
            table: None,
            search: None,
            proofs: None,
            minimax: None,
            outcomes: None,
            nimbers: None,
            misere: None,
            keeping: None,
            oracle: None,
            retired: 0,
        }
    }

    /// The same engine, which solves by this method.
    #[must_use]
    pub fn by(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// What may be spent.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        self.budget
    }

    /// Answers what is asked of a position, and calls `report` whenever more is known; the
    /// answer that is returned is the last. If `watch` says to stop it is not complete, and
    /// all that it says is true.
    ///
    /// # Errors
    /// If the method does not answer for such a game or position, or play may last longer
    /// than [`MOST_PLIES`](crate::MOST_PLIES) plies.
    pub fn ask(
        &mut self,
        position: &G::Position,
        ask: Ask,
        watch: &Watch,
        mut report: impl FnMut(&Answer<G::Move>) + Send,
    ) -> Result<Answer<G::Move>, NoAnswer> {
        let game = Arc::clone(&self.game);
        self.set_watch(watch);
        // Nimbers tell who wins, and no more.
        let ask = if self.method == Method::Nimber { Ask::Winner } else { ask };
        let empty = || Steps::new(&*game, position, ask, &mut Nobody, watch, &mut |_| {}).answer;
        if game.is_over(position) {
            return Ok(Answer { complete: true, ..empty() });
        }
        self.check(position, ask)?;
        let mut chosen = match Chosen::new(self, position, ask) {
            Ok(chosen) => chosen,
            Err(NoAnswer::Stopped(_) | NoAnswer::NoTable(NoTable::Stopped(_))) => return Ok(empty()),
            Err(e) => return Err(e),
        };
        Ok(length::with_room(game.layer(position), move || {
            let mut steps = Steps::new(&*game, position, ask, &mut chosen, watch, &mut report);
            // The answer says whether it is complete.
            let _ = steps.run();
            steps.answer
        }))
    }

    /// The same engine, which has results kept that take long, and begins with those that were
    /// kept before, by an engine of the same game.
    #[must_use]
    pub fn keeping(mut self, kept: Kept) -> Self {
        self.keeping = Some(Keeping(kept));
        self
    }

    /// The same engine, which asks the oracle before it searches, and of what its searches
    /// meet. The oracle has to be of the same rules and the same board.
    #[must_use]
    pub fn informed_by(mut self, oracle: Arc<dyn Oracle>) -> Self {
        self.oracle = Some(Asked(oracle));
        self
    }

    /// What the oracle says of the position, unless another method is asked for.
    fn told(&self, position: &G::Position) -> Option<Value> {
        let oracle = self.oracle.as_ref().filter(|_| self.method == Method::Auto)?;
        oracle.value(&*self.game, position)
    }

    /// Makes what is made before questions about the position and those that follow it are
    /// searched, if there is such a thing: a table of all positions or of small parts. Who
    /// does not call it has it made by the first question.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` says to stop.
    pub fn prepare(&mut self, position: &G::Position, watch: &Watch) -> Result<(), Stopped> {
        self.set_watch(watch);
        Chosen::for_solver(self, position).map(|_| ())
    }

    /// The position's nimber.
    ///
    /// # Errors
    /// If the game is not impartial, or `watch` says to stop.
    pub fn nimber(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, NoAnswer> {
        self.set_watch(watch);
        if let Some(oracle) = self.oracle.as_ref().filter(|_| self.game.is_impartial())
            && let Some(nimber) = oracle.nimber(&*self.game, position)
        {
            return Ok(nimber);
        }
        self.check_nimbers(position)?;
        let room = self.game.layer(position);
        let nimbers = self.nimbers(position)?;
        Ok(length::with_room(room, || nimbers.nimber(position))?)
    }

    /// The solver of nimbers, for this position and others that are no larger: for whoever asks
    /// for more than one [`nimber`](Self::nimber).
    ///
    /// # Errors
    /// If the game is not impartial, or `watch` says to stop.
    pub fn solver_of_nimbers(
        &mut self,
        position: &G::Position,
        watch: &Watch,
    ) -> Result<&mut Nimbers<Arc<G>>, NoAnswer> {
        self.set_watch(watch);
        self.check_nimbers(position)?;
        self.nimbers(position)
    }

    /// The position's value by the misère convention: the nim heap beside which it is lost.
    ///
    /// # Errors
    /// If the game is not impartial by that convention, or `watch` says to stop.
    pub fn misere_value(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, NoAnswer> {
        self.set_watch(watch);
        TooLong::check(&*self.game, position)?;
        let room = self.game.layer(position);
        let misere = self.misere()?;
        Ok(length::with_room(room, || misere.value(position))?)
    }

    /// Refuses what recursion is not deep enough for.
    fn check(&self, position: &G::Position, ask: Ask) -> Result<(), NoAnswer> {
        let by_nimbers = matches!(self.method, Method::Auto | Method::Nimber) && !ask.plies();
        if by_nimbers && self.game.is_impartial() {
            return self.check_nimbers(position);
        }
        Ok(TooLong::check(&*self.game, position)?)
    }

    /// As [`check`](Self::check), for nimbers: what the game knows itself takes no search.
    fn check_nimbers(&self, position: &G::Position) -> Result<(), NoAnswer> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        if parts.iter().all(|part| self.game.nimber(part).is_some()) {
            return Ok(());
        }
        Ok(TooLong::check(&*self.game, position)?)
    }

    /// Bytes that are left for a solver's table: all but what others take, a quarter of all
    /// at the least. The `first` of two leaves a quarter to the second.
    fn memory(&self, first: bool) -> usize {
        let taken = Solver::bytes(self);
        let all = self.budget.memory;
        let most = if first { all / 4 * 3 } else { all };
        all.saturating_sub(taken as usize).clamp(all / 4, most)
    }

    fn search(&mut self) -> &mut AlphaBeta<Arc<G>> {
        let memory = self.memory(false);
        let Self { game, budget, watch, keeping, oracle, .. } = self;
        self.search.get_or_insert_with(|| {
            let search = AlphaBeta::new(Arc::clone(game), memory, watch).threads(budget.threads);
            let mut search = search.informed_by(oracle.clone());
            if let Some(keeping) = keeping {
                search.keep(keeping.journal(), keeping.entries());
            }
            search
        })
    }

    fn proofs(&mut self) -> &mut DfPn<Arc<G>> {
        let memory = self.memory(self.method == Method::Auto);
        let Self { game, watch, keeping, .. } = self;
        self.proofs.get_or_insert_with(|| {
            let mut proofs = DfPn::new(Arc::clone(game), memory, watch);
            if let Some(keeping) = keeping {
                proofs.keep(keeping.journal(), keeping.entries());
            }
            proofs
        })
    }

    /// The solver of nimbers, for this position and others that are no larger.
    fn nimbers(&mut self, position: &G::Position) -> Result<&mut Nimbers<Arc<G>>, NoAnswer> {
        if self.nimbers.is_none() {
            if !self.game.is_impartial() {
                return Err(NoAnswer::NoNimber);
            }
            let informed = self.game.informed(position, self.budget, &self.watch)?;
            let game = informed.map_or_else(|| Arc::clone(&self.game), Arc::new);
            let memory = self.memory(true);
            let mut nimbers = Nimbers::new(game, memory, &self.watch)?.threads(self.budget.threads);
            if let Some(keeping) = &self.keeping {
                nimbers.keep(keeping.journal(), keeping.entries());
            }
            self.nimbers = Some(nimbers);
        }
        self.nimbers.as_mut().ok_or(NoAnswer::NoNimber)
    }

    fn misere(&mut self) -> Result<&mut Misere<Arc<G>>, NoAnswer> {
        if self.misere.is_none() {
            let memory = self.memory(true);
            self.misere = Some(Misere::new(Arc::clone(&self.game), memory, &self.watch)?);
        }
        self.misere.as_mut().ok_or(NoAnswer::NoNimber)
    }

    /// A table that covers the position, if there is one that is wanted: of the whole game, if
    /// that is quick.
    fn table(
        &mut self,
        position: &G::Position,
        wanted: Wanted,
    ) -> Result<Option<&mut BoxedSolver<G::Position>>, NoTable> {
        if self.table.as_ref().is_none_or(|table| !table.covers(position)) {
            let is_quick = |position| self.game.has_quick_table(position, self.budget.memory);
            let start = self.game.start();
            let whole_is_quick = is_quick(&start);
            let made = match wanted {
                Wanted::AtAnyPrice => true,
                Wanted::IfQuick => whole_is_quick || is_quick(position),
                Wanted::OfTheWhole => whole_is_quick,
            };
            if !made {
                return Ok(None);
            }
            let whole = if whole_is_quick { Some(self.game.table(&start, self.budget, &self.watch)?) } else { None };
            self.retired += self.table.as_ref().map_or(0, |table| table.positions_searched());
            let table = match whole.filter(|whole| whole.covers(position)) {
                Some(whole) => whole,
                None => self.game.table(position, self.budget, &self.watch)?,
            };
            self.table = Some(table);
        }
        Ok(self.table.as_mut())
    }

    /// The game's own solver of outcomes, if it has one.
    fn outcomes(&mut self) -> Option<&mut BoxedSolver<G::Position>> {
        if self.outcomes.is_none() {
            let budget = Budget { memory: self.memory(true), ..self.budget };
            self.outcomes = Some(self.game.outcomes(budget, &self.watch));
        }
        self.outcomes.as_mut()?.as_mut()
    }
}

impl<G: Expert> Solver<G::Position> for Engine<G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        self.by_chosen(position, |chosen| chosen.value(position))
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        self.by_chosen(position, |chosen| chosen.outcome(position))
    }

    fn ask(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        self.by_chosen(position, |chosen| chosen.ask(position, asked))
    }

    fn verdict(&mut self, position: &G::Position) -> Result<Bounds, Stopped> {
        self.by_chosen(position, |chosen| chosen.verdict(position))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        self.by_chosen(position, |chosen| chosen.value_within(position, bounds))
    }

    fn known(&mut self, position: &G::Position) -> Bounds {
        self.by_chosen(position, |chosen| Ok(chosen.known(position))).unwrap_or(Bounds::ANY)
    }

    fn bytes(&self) -> u64 {
        let tables = [
            self.search.as_ref().map(Solver::bytes),
            self.proofs.as_ref().map(Solver::bytes),
            self.nimbers.as_ref().map(Nimbers::bytes),
            self.misere.as_ref().map(Misere::bytes),
            self.table.as_ref().map(|table| table.bytes()),
            self.outcomes.iter().flatten().next().map(|outcomes| outcomes.bytes()),
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
    }
}

impl<G: Expert> Engine<G> {
    /// What the solvers that are chosen for a position say of it.
    fn by_chosen<T: Send>(
        &mut self,
        position: &G::Position,
        say: impl FnOnce(&mut Chosen<'_, G>) -> Result<T, Stopped> + Send,
    ) -> Result<T, Stopped> {
        let plies = self.game.layer(position);
        let mut chosen = Chosen::for_solver(self, position)?;
        length::with_room(plies, || say(&mut chosen))
    }

    fn minimax(&mut self) -> &mut Minimax<Arc<G>> {
        let Self { game, watch, .. } = self;
        self.minimax.get_or_insert_with(|| Minimax::new(Arc::clone(game), watch))
    }
}

/// Knows nothing, and is asked nothing.
struct Nobody;

impl<P> Solver<P> for Nobody {
    fn value(&mut self, _position: &P) -> Result<Value, Stopped> {
        Err(Stopped)
    }

    fn positions_searched(&self) -> u64 {
        0
    }

    fn set_watch(&mut self, _watch: &Watch) {}
}
