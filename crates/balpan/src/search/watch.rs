//! Progress of a search, and the means to stop it from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::length::TooLong;

/// Why a search stopped before it found an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// Its [`Watch`] was stopped, or has reached its limit.
    #[error("stopped before there was an answer")]
    Interrupted,
    /// Play repeats, or lasts longer than solvers search.
    #[error(transparent)]
    TooLong(TooLong),
    /// The game breaks a promise.
    #[error(transparent)]
    Broken(BrokenPromise),
}

/// A promise of a game that a search found broken. [`laws::check`](crate::laws::check) finds where.
///
/// Solvers check only what costs nothing. Other broken promises cause wrong answers: the laws in the traits list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenPromise {
    /// A game that [is impartial](crate::Game::is_impartial) ended in a win or a draw.
    #[error(
        "`is_impartial` says that whoever cannot move loses, but an `end` of play is no loss for the player to move; by the misère convention it is `is_impartial_misere`"
    )]
    ImpartialEnd,
    /// A game that [is impartial by the misère convention](crate::Game::is_impartial_misere) ended in a loss or a draw.
    #[error(
        "`is_impartial_misere` says that whoever cannot move wins, but an `end` of play is no win for the player to move"
    )]
    MisereEnd,
    /// A [nimber](crate::Game::nimber) or misère value is larger than the [number of moves](crate::Game::mobility).
    #[error("a nimber is larger than the number of moves, so `mobility`, `split`, `nimber`, `tame` or a key is wrong")]
    Mobility,
    /// Two answers about a position contradict each other.
    #[error(
        "two answers about a position contradict each other, so bounds, a canonical form, a key, or who is to win at an end is wrong"
    )]
    Contradiction,
    /// Play lasts longer than a [layer](crate::Game::layer) says.
    #[error("play can go on for more plies than `layer` says")]
    Layer,
    /// A search went deeper than any play can.
    #[error("a search goes deeper than any play: a canonical form or a part is not what it stands for")]
    Form,
}

/// The progress of a search, shared between the solver and its caller, and the means to stop it. Solvers update it every
/// few thousand positions, at no measurable cost. A clone is a handle to the same watch.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<State>);

#[derive(Debug, Default)]
struct State {
    positions: AtomicU64,
    /// Positions before the last [`Watch::restart_counts`].
    earlier: AtomicU64,
    moves_done: AtomicU64,
    root_moves: AtomicU64,
    /// The progress in millionths.
    progress: AtomicU64,
    /// Entries of a solver's table, and its bytes.
    entries: AtomicU64,
    bytes: AtomicU64,
    stop: Arc<Stop>,
    /// The limit in positions; 0 if there is none.
    limit: u64,
    /// Whether workers are simulated, and the makespan of their work so far.
    #[cfg(feature = "simulation")]
    is_simulating: bool,
    #[cfg(feature = "simulation")]
    makespan: AtomicU64,
}

/// A request to stop, which also holds for the children of a watch.
#[derive(Debug, Default)]
struct Stop {
    requested: AtomicBool,
    parent: Option<Arc<Stop>>,
}

impl Stop {
    fn is_set(&self) -> bool {
        self.requested.load(Relaxed) || self.parent.as_deref().is_some_and(Self::is_set)
    }
}

/// See [`Watch::set_poll`].
static POLL: OnceLock<fn(&Watch) -> bool> = OnceLock::new();

impl Watch {
    /// Makes every search of this process call `poll` every few thousand positions, and stop if it returns true: the means to
    /// stop a search where no other thread can. Only the first call has an effect.
    pub fn set_poll(poll: fn(&Self) -> bool) {
        let _ = POLL.set(poll);
    }

    /// Creates a watch that stops the solver after this number of positions, to within a few thousand.
    #[must_use]
    pub fn with_limit(positions: u64) -> Self {
        Self(Arc::new(State { limit: positions.max(1), ..State::default() }))
    }

    /// Creates a watch whose solvers simulate their workers: see [`parallel`](crate::parallel).
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn simulating() -> Self {
        Self(Arc::new(State { is_simulating: true, ..State::default() }))
    }

    #[cfg(feature = "simulation")]
    pub(crate) fn is_simulating(&self) -> bool {
        self.0.is_simulating
    }

    /// Returns the time that the workers of a [simulation](Self::simulating) have taken, in positions.
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn makespan(&self) -> u64 {
        self.0.makespan.load(Relaxed)
    }

    /// Adds positions that one worker of a solver has searched.
    #[doc(hidden)]
    pub fn add_makespan(&self, units: u64) {
        #[cfg(feature = "simulation")]
        self.0.makespan.fetch_add(units, Relaxed);
        #[cfg(not(feature = "simulation"))]
        let _ = units;
    }

    /// Creates a watch for a part of the work. The child stops when this watch is stopped, and after `positions` as
    /// [`with_limit`](Self::with_limit). Its counts are not added to those of this watch.
    #[must_use]
    pub fn child(&self, positions: u64) -> Self {
        let stop = Arc::new(Stop { parent: Some(Arc::clone(&self.0.stop)), ..Stop::default() });
        Self(Arc::new(State { stop, limit: positions.max(1), ..State::default() }))
    }

    /// Returns the number of positions searched so far, to within a few thousand.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.0.positions.load(Relaxed)
    }

    /// Returns the number of root moves that are done, and the number of all.
    #[must_use]
    pub fn root_moves(&self) -> (u64, u64) {
        (self.0.moves_done.load(Relaxed), self.0.root_moves.load(Relaxed))
    }

    /// Returns the part of the current test's tree, or of a table, that is done, from 0 to 1. Each move near the root
    /// counts as much as its siblings, whatever it costs. Each new test begins at 0.
    #[must_use]
    pub fn progress(&self) -> f64 {
        self.0.progress.load(Relaxed) as f64 / 1e6
    }

    /// Returns the number of entries in a solver's table, and its bytes; 0 if the solver does not report them.
    #[must_use]
    pub fn table_usage(&self) -> (u64, u64) {
        (self.0.entries.load(Relaxed), self.0.bytes.load(Relaxed))
    }

    /// Stops the solver within a few thousand positions.
    pub fn stop(&self) {
        self.0.stop.requested.store(true, Relaxed);
    }

    /// Returns whether the solver is to stop.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.0.stop.is_set()
    }

    /// Adds searched positions. Solvers call it now and then.
    ///
    /// # Errors
    /// [`Stopped::Interrupted`] if the solver is to stop.
    pub fn count(&self, positions: u64) -> Result<(), Stopped> {
        let searched = self.0.positions.fetch_add(positions, Relaxed) + positions;
        if self.0.limit > 0 && self.0.earlier.load(Relaxed) + searched >= self.0.limit {
            self.stop();
        }
        if POLL.get().is_some_and(|poll| poll(self)) {
            self.stop();
        }
        if self.is_stopping() { Err(Stopped::Interrupted) } else { Ok(()) }
    }

    /// Sets the [`progress`](Self::progress). Solvers call it now and then.
    pub fn set_progress(&self, progress: f64) {
        self.0.progress.store((progress * 1e6) as u64, Relaxed);
    }

    /// Sets the counts to 0 between two pieces of work. The limit, if there is one, is for both together.
    pub fn restart_counts(&self) {
        self.0.earlier.fetch_add(self.0.positions.swap(0, Relaxed), Relaxed);
        self.0.progress.store(0, Relaxed);
    }

    pub(crate) fn set_table_usage(&self, entries: u64, bytes: u64) {
        self.0.entries.store(entries, Relaxed);
        self.0.bytes.store(bytes, Relaxed);
    }

    pub(crate) fn begin_root_moves(&self, count: usize) {
        self.0.moves_done.store(0, Relaxed);
        self.0.root_moves.store(count as u64, Relaxed);
    }

    pub(crate) fn finish_root_move(&self) {
        self.0.moves_done.fetch_add(1, Relaxed);
    }
}

/// A solver's count of positions, which is added to its [`Watch`] in batches.
#[derive(Debug)]
pub(crate) struct Counter {
    pub(crate) watch: Watch,
    total: u64,
}

impl Counter {
    const BATCH: u64 = 4096;

    pub(crate) fn new(watch: &Watch) -> Self {
        Self { watch: watch.clone(), total: 0 }
    }

    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    /// Counts one position.
    #[inline]
    pub(crate) fn count(&mut self) -> Result<(), Stopped> {
        self.total += 1;
        if self.total.is_multiple_of(Self::BATCH) {
            self.watch.count(Self::BATCH)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_stops_with_its_parent_and_not_the_other_way_round() {
        let parent = Watch::default();
        let child = parent.child(10);
        let grandchild = child.child(1_000);
        assert_eq!(child.count(9), Ok(()));
        assert_eq!((child.count(1), parent.is_stopping()), (Err(Stopped::Interrupted), false));
        assert!(grandchild.is_stopping() && !parent.child(10).is_stopping());
        let child = parent.child(10);
        parent.stop();
        assert!(child.is_stopping() && parent.child(10).is_stopping());
    }
}
