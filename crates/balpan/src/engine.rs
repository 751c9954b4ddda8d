//! The engine: answers about any position of a game by the fastest solver.

mod answer;
mod selection;
mod solvers;
mod steps;

use std::fmt;
use std::sync::Arc;

use crate::game::{Game, Oracle};
use crate::search::checkpoint::Checkpoint;
use crate::search::length::TooLong;
use crate::search::nimbers::{Nimbers, NotImpartial};
use crate::search::solver::Solver;
use crate::search::watch::{BrokenPromise, Stopped, Watch};
use crate::search::{Budget, TableError};
use crate::value::{Bounds, Outcome, Value};
pub use answer::{Answer, Goal, Solution, Verdict, solve_with};

use solvers::Solvers;

/// A method of solving. All give the same answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The fastest method.
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
    /// Nimbers of independent parts, which decide who wins an impartial game.
    Nimber,
}

/// Why an engine has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The watch stopped the engine before anything was known.
    #[error(transparent)]
    Stopped(Stopped),
    /// There is no table of the positions.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game has no nimbers.
    #[error(
        "there is no nimber: only impartial games have one, in which both players have the same moves and no piece has a supply"
    )]
    NotImpartial,
    /// Play repeats, or may last too long for a search.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The game breaks a promise.
    #[error(transparent)]
    Broken(#[from] BrokenPromise),
    /// The rules of the game have failed.
    #[error(transparent)]
    Rules(#[from] RulesFailure),
}

/// The payload of the panic with which the rules of a game may fail, such as one written in a language with exceptions: the
/// message. Pages show it, where another panic is a bug.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rules of the game fail: {0}")]
pub struct RulesFailure(pub String);

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
    /// Converts the error of a method that any other method can replace.
    fn into_stopped(self) -> Stopped {
        match self {
            Self::TooLong(too_long) => Stopped::TooLong(too_long),
            Self::Broken(promise) => Stopped::Broken(promise),
            Self::Stopped(stopped) | Self::Table(TableError::Stopped(stopped)) => stopped,
            Self::Table(_) | Self::NotImpartial | Self::Rules(_) => Stopped::Interrupted,
        }
    }
}

impl From<NotImpartial> for EngineError {
    fn from(_: NotImpartial) -> Self {
        Self::NotImpartial
    }
}

/// The operations of an engine's solvers, as an object-safe trait: see [`EngineCore`].
trait Backend<G: Game>: Solver<G::Position> + Send {
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

/// The solvers of an [`Engine`] behind a trait object, so that only the crate that calls [`new`](Self::new) compiles them:
/// see [`Game::core`].
pub struct EngineCore<G: Game>(Box<dyn Backend<G>>);

impl<G: Game> EngineCore<G> {
    /// Creates the solvers of the game.
    #[must_use]
    pub fn new(game: Arc<G>, budget: Budget) -> Self {
        Self(Box::new(Solvers::new(game, budget)))
    }
}

impl<G: Game> fmt::Debug for EngineCore<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineCore").finish_non_exhaustive()
    }
}

/// Solves a game from its start: the value of the start and of each move, and a line of best play. It takes one thread and
/// 256 MiB; an [`Engine`] can be given more, stopped, and asked about other positions.
///
/// # Errors
/// As [`Engine::solve`].
pub fn solve<G: Game>(game: G) -> Result<Answer<G::Move>, EngineError> {
    let start = game.start();
    Engine::new(game, Budget::default()).solve(&start, Goal::MoveValues, &Watch::default(), |_| {})
}

/// Solves positions of a game, and selects the solvers for that.
///
/// An engine owns the game, the tables and the budget. Results stay in the tables for later calls, even those of a search
/// that was stopped. An answer grows: see [`solve`](Self::solve).
///
/// As a [`Solver`] it finds values and outcomes of many positions, one after the other.
///
/// Memory: the first solver takes at most three quarters of [`Budget::memory`] for its tables if a second one may be
/// needed, and all of it otherwise. The second one takes at most what the first does not take at that time, but at least
/// a quarter. If both grow later, they may take nearly twice the budget together. A game without
/// [keys](crate::Game::key) may take as much again.
///
/// Where play [may repeat](Game::may_repeat), the engine searches briefly for a win or a loss in few plies, and then solves
/// all positions by [`Retrograde`](crate::Retrograde) analysis. If they do not fit in [`Budget::memory`], it searches for
/// a win within ever more plies until the watch stops it; the bounds of the answer then say within how many plies there is
/// none.
///
/// Other play has to end within [`MAX_PLIES`](crate::MAX_PLIES) plies. Longer play, and play that repeats, is refused as
/// [`TooLong`](crate::TooLong): before the search where the game has [layers](crate::Game::layer), and otherwise as soon
/// as a search meets it.
pub struct Engine<G: Game> {
    game: Arc<G>,
    budget: Budget,
    method: Method,
    core: Box<dyn Backend<G>>,
}

impl<G: Game> fmt::Debug for Engine<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("budget", &self.budget).field("method", &self.method).finish_non_exhaustive()
    }
}

impl<G: Game> Engine<G> {
    /// Creates an engine for a game, or for a shared game.
    pub fn new(game: impl Into<Arc<G>>, budget: Budget) -> Self {
        let game = game.into();
        let core = G::core(Arc::clone(&game), budget).0;
        Self { game, budget, method: Method::Auto, core }
    }

    /// Sets the method.
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self.core.set_method(method);
        self
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Returns the budget.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        self.budget
    }

    /// Solves a position up to `goal`. Calls `report` with the answer whenever more is known, and returns the last answer.
    /// If `watch` stops the search, the answer is not complete, and everything that it contains is true.
    ///
    /// # Errors
    /// If the method cannot solve such a game or position, play may last longer than [`MAX_PLIES`](crate::MAX_PLIES) plies,
    /// or the search finds that the game breaks a promise.
    pub fn solve(
        &mut self,
        position: &G::Position,
        goal: Goal,
        watch: &Watch,
        mut report: impl FnMut(&Answer<G::Move>) + Send,
    ) -> Result<Answer<G::Move>, EngineError> {
        self.core.solve(position, goal, watch, &mut report)
    }

    /// Sets the checkpoint, which must be of the same game. The engine begins with its results and appends expensive new ones.
    #[must_use]
    pub fn with_checkpoint(mut self, checkpoint: Checkpoint) -> Self {
        self.core.set_checkpoint(checkpoint);
        self
    }

    /// Sets the oracle, which must be of the same rules and the same board. The engine probes it before it searches, and
    /// during the search.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Arc<dyn Oracle>) -> Self {
        self.core.set_oracle(oracle);
        self
    }

    /// Builds the tables that later calls for the position and those that follow it need: a table of all positions or of
    /// small parts, if the game has one. The first such call does so if this was not called.
    ///
    /// # Errors
    /// [`Stopped`] if `watch` stops the construction.
    pub fn prepare(&mut self, position: &G::Position, watch: &Watch) -> Result<(), Stopped> {
        self.core.prepare(position, watch)
    }

    /// Returns the position's nimber.
    ///
    /// # Errors
    /// If the game is not impartial, or `watch` stops the search.
    pub fn nimber(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, EngineError> {
        self.core.nimber(position, watch)
    }

    /// Returns the solver of nimbers, for this position and others that are no larger. It saves the setup of each
    /// [`nimber`](Self::nimber) call.
    ///
    /// # Errors
    /// If the game is not impartial, or `watch` stops the search.
    pub fn nimber_solver(
        &mut self,
        position: &G::Position,
        watch: &Watch,
    ) -> Result<&mut Nimbers<Arc<G>>, EngineError> {
        self.core.nimber_solver(position, watch)
    }

    /// Returns the position's value under misère play: the nim heap beside which it is lost.
    ///
    /// # Errors
    /// If the game is not impartial under misère play, or `watch` stops the search.
    pub fn misere_value(&mut self, position: &G::Position, watch: &Watch) -> Result<u32, EngineError> {
        self.core.misere_value(position, watch)
    }
}

impl<G: Game> Solver<G::Position> for Engine<G> {
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
