//! The engine: answers about any position of a game, by the fastest solver.

mod keeping;
mod selection;
mod solvers;

use std::fmt;
use std::sync::Arc;

use crate::answer::{Answer, Goal};
use crate::checkpoint::Checkpoint;
use crate::expert::{Budget, Expert, TableError};
use crate::length::TooLong;
use crate::nimbers::{Nimbers, NotImpartial};
use crate::oracle::Oracle;
use crate::solver::Solver;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{BrokenPromise, Stopped, Watch};
use solvers::Solvers;

/// A method of solving. All give the same answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The fastest one.
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
pub enum EngineError {
    /// The watch said stop before anything was known.
    #[error(transparent)]
    Stopped(Stopped),
    /// No table of the positions.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A nimber was asked of a game that has none.
    #[error(
        "there is no nimber: only impartial games have one, in which both players have the same moves and no piece has a supply"
    )]
    NotImpartial,
    /// Play repeats, or may last too long for a search.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The game does not keep a promise.
    #[error(transparent)]
    Broken(#[from] BrokenPromise),
}

impl From<Stopped> for EngineError {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Interrupted => Self::Stopped(Stopped::Interrupted),
            Stopped::TooLong(too_long) => Self::TooLong(too_long),
            Stopped::Broken(promise) => Self::Broken(promise),
        }
    }
}

impl EngineError {
    /// Why the search stopped, for a question that each solver answers.
    fn into_stopped(self) -> Stopped {
        match self {
            Self::TooLong(too_long) => Stopped::TooLong(too_long),
            Self::Broken(promise) => Stopped::Broken(promise),
            Self::Stopped(stopped) | Self::Table(TableError::Stopped(stopped)) => stopped,
            Self::Table(_) | Self::NotImpartial => Stopped::Interrupted,
        }
    }
}

impl From<NotImpartial> for EngineError {
    fn from(_: NotImpartial) -> Self {
        Self::NotImpartial
    }
}

/// What an engine does by its solvers, behind a table of functions: see [`EngineCore`].
trait Backend<G: Expert>: Solver<G::Position> + Send {
    fn set_method(&mut self, method: Method);

    fn set_checkpoint(&mut self, checkpoint: Checkpoint);

    fn set_oracle(&mut self, oracle: Arc<dyn Oracle>);

    fn solve(
        &mut self,
        position: &G::Position,
        goal: Goal,
        watch: &Watch,
        report: &mut (dyn FnMut(&Answer<G::Move>) + Send),
    ) -> Result<Answer<G::Move>, EngineError>;

    fn prepare(&mut self, position: &G::Position, watch: &Watch) -> Result<(), Stopped>;

    fn nimber(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, EngineError>;

    fn nimber_solver(&mut self, position: &G::Position, watch: &Watch) -> Result<&mut Nimbers<Arc<G>>, EngineError>;

    fn misere_value(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, EngineError>;
}

/// The solvers of an [`Engine`] behind a table of functions, so that only the crate that calls
/// [`new`](Self::new) compiles them: see [`Expert::core`].
pub struct EngineCore<G: Expert>(Box<dyn Backend<G>>);

impl<G: Expert> EngineCore<G> {
    /// All solvers, for the game.
    #[must_use]
    pub fn new(game: Arc<G>, budget: Budget) -> Self {
        Self(Box::new(Solvers::new(game, budget)))
    }
}

impl<G: Expert> fmt::Debug for EngineCore<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineCore").finish_non_exhaustive()
    }
}

/// Answers questions about any position of a game, and chooses the solvers that do.
///
/// It owns the game, its tables and its budget. Results are kept for later questions, those of a
/// question that was stopped as well. An answer grows: see [`solve`](Self::solve).
///
/// As a [`Solver`] it finds values and outcomes of many positions, one after the other.
///
/// Memory: tables within the budget's, whichever solvers they belong to (a game without
/// [keys](crate::Keyed::key) may take as much again). The first solver that is needed may
/// take three quarters, or all, where no other one will be needed; the next one what the first does not
/// take by then, and so both together as much again if both grow later.
///
/// Play has to end within [`MAX_PLIES`](crate::MAX_PLIES) plies. Longer play, and play that repeats, is refused as
/// [`TooLong`](crate::TooLong): before the search where the game has [layers](crate::Keyed::layer), and otherwise as soon
/// as a search comes to it.
pub struct Engine<G: Expert> {
    game: Arc<G>,
    budget: Budget,
    method: Method,
    core: Box<dyn Backend<G>>,
}

impl<G: Expert> fmt::Debug for Engine<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("budget", &self.budget).field("method", &self.method).finish_non_exhaustive()
    }
}

impl<G: Expert> Engine<G> {
    /// An engine for the game, or for a game that is shared.
    pub fn new(game: impl Into<Arc<G>>, budget: Budget) -> Self {
        let game = game.into();
        let core = G::core(Arc::clone(&game), budget).0;
        Self { game, budget, method: Method::Auto, core }
    }

    /// The same engine, which solves by this method.
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self.core.set_method(method);
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
    /// If the method does not answer for such a game or position, play may last longer than
    /// [`MAX_PLIES`](crate::MAX_PLIES) plies, or the search finds that the game does not keep a promise.
    pub fn solve(
        &mut self,
        position: &G::Position,
        goal: Goal,
        watch: &Watch,
        mut report: impl FnMut(&Answer<G::Move>) + Send,
    ) -> Result<Answer<G::Move>, EngineError> {
        self.core.solve(position, goal, watch, &mut report)
    }

    /// The same engine, which has results kept that take long, and begins with those that were
    /// kept before, by an engine of the same game.
    #[must_use]
    pub fn with_checkpoint(mut self, checkpoint: Checkpoint) -> Self {
        self.core.set_checkpoint(checkpoint);
        self
    }

    /// The same engine, which asks the oracle before it searches, and of what its searches
    /// meet. The oracle has to be of the same rules and the same board.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Arc<dyn Oracle>) -> Self {
        self.core.set_oracle(oracle);
        self
    }

    /// Makes what is made before questions about the position and those that follow it are
    /// searched, if there is such a thing: a table of all positions or of small parts. Who
    /// does not call it has it made by the first question.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` says to stop.
    pub fn prepare(&mut self, position: &G::Position, watch: &Watch) -> Result<(), Stopped> {
        self.core.prepare(position, watch)
    }

    /// The position's nimber.
    ///
    /// # Errors
    /// If the game is not impartial, or `watch` says to stop.
    pub fn nimber(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, EngineError> {
        self.core.nimber(position, watch)
    }

    /// The solver of nimbers, for this position and others that are no larger: for whoever asks
    /// for more than one [`nimber`](Self::nimber).
    ///
    /// # Errors
    /// If the game is not impartial, or `watch` says to stop.
    pub fn nimber_solver(
        &mut self,
        position: &G::Position,
        watch: &Watch,
    ) -> Result<&mut Nimbers<Arc<G>>, EngineError> {
        self.core.nimber_solver(position, watch)
    }

    /// The position's value by the misère convention: the nim heap beside which it is lost.
    ///
    /// # Errors
    /// If the game is not impartial by that convention, or `watch` says to stop.
    pub fn misere_value(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, EngineError> {
        self.core.misere_value(position, watch)
    }
}

impl<G: Expert> Solver<G::Position> for Engine<G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        self.core.value(position)
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        self.core.outcome(position)
    }

    fn test(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        self.core.test(position, threshold)
    }

    fn outcome_bounds(&mut self, position: &G::Position) -> Result<Bounds, Stopped> {
        self.core.outcome_bounds(position)
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        self.core.value_within(position, bounds)
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        self.core.known_bounds(position)
    }

    fn bytes(&self) -> u64 {
        self.core.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.core.positions_searched()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.core.set_watch(watch);
    }
}
