//! Watching a long solve from another thread, and stopping it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::length::TooLong;

/// Why a search stopped before it had an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// Its [`Watch`] said so.
    #[error("stopped before there was an answer")]
    Interrupted,
    /// Play repeats, or lasts longer than solvers search.
    #[error(transparent)]
    TooLong(TooLong),
    /// The game does not keep a promise.
    #[error(transparent)]
    Broken(BrokenPromise),
}

/// A promise of a game that a search found broken. [`laws::check`](crate::laws::check) finds out where.
///
/// Solvers check what costs them nothing. Other broken promises give wrong answers: the traits say which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenPromise {
    /// A game that [is impartial](crate::Impartial::is_impartial) ended in a win or a draw.
    #[error(
        "`is_impartial` says that whoever cannot move loses, but an `end` of play is no loss for the player to move; by the misère convention it is `is_impartial_misere`"
    )]
    ImpartialEnd,
    /// A game that [is impartial by the misère convention](crate::Impartial::is_impartial_misere) ended in a loss or a draw.
    #[error(
        "`is_impartial_misere` says that whoever cannot move wins, but an `end` of play is no win for the player to move"
    )]
    MisereEnd,
    /// A [nimber](crate::Impartial::nimber) or misère value is larger than the [number of moves](crate::Impartial::mobility).
    #[error("a nimber is larger than the number of moves, so `mobility`, `split`, `nimber`, `tame` or a key is wrong")]
    Mobility,
    /// Two answers about a position contradict each other.
    #[error(
        "two answers about a position contradict each other, so bounds, a canonical form, a key, or who is to win at an end is wrong"
    )]
    Contradiction,
    /// Play lasts longer than a [layer](crate::Keyed::layer) says.
    #[error("play can go on for more plies than `layer` says")]
    Layer,
    /// A search went deeper than any play.
    #[error("a search goes deeper than any play: a canonical form or a part is not what it stands for")]
    Form,
}

/// Progress of a solve, shared between the solver and its caller, and the means to stop it. Solvers
/// update it every few thousand positions, at no measurable cost. A clone is a handle to the same
/// watch.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Seen>);

#[derive(Debug, Default)]
struct Seen {
    positions: AtomicU64,
    /// Of pieces of work before.
    earlier: AtomicU64,
    moves_done: AtomicU64,
    moves_in_all: AtomicU64,
    /// In millionths.
    share: AtomicU64,
    /// Entries of a solver's table, and its bytes.
    entries: AtomicU64,
    bytes: AtomicU64,
    stop: Arc<Stop>,
    /// Positions after which it stops by itself; 0 if it does not.
    most: u64,
    /// Whether workers are simulated, and the makespan of what they have done.
    #[cfg(feature = "simulation")]
    is_simulating: bool,
    #[cfg(feature = "simulation")]
    makespan: AtomicU64,
}

/// Whether work, or the work that it is a part of, is to stop.
#[derive(Debug, Default)]
struct Stop {
    told: AtomicBool,
    whole: Option<Arc<Stop>>,
}

impl Stop {
    fn is_told(&self) -> bool {
        self.told.load(Relaxed) || self.whole.as_deref().is_some_and(Self::is_told)
    }
}

impl Watch {
    /// Stops the solver when this number of positions have been searched, to within
    /// a few thousand.
    #[must_use]
    pub fn with_limit(positions: u64) -> Self {
        Self(Arc::new(Seen { most: positions.max(1), ..Seen::default() }))
    }

    /// A watch whose solvers simulate their workers: see [`parallel`](crate::parallel).
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn simulating() -> Self {
        Self(Arc::new(Seen { is_simulating: true, ..Seen::default() }))
    }

    #[cfg(feature = "simulation")]
    pub(crate) fn is_simulating(&self) -> bool {
        self.0.is_simulating
    }

    /// The time that the workers of a [simulation](Self::simulating) have taken, in positions.
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn makespan(&self) -> u64 {
        self.0.makespan.load(Relaxed)
    }

    /// Adds the positions that a solver has searched by one worker.
    #[doc(hidden)]
    pub fn add_makespan(&self, units: u64) {
        #[cfg(feature = "simulation")]
        self.0.makespan.fetch_add(units, Relaxed);
        #[cfg(not(feature = "simulation"))]
        let _ = units;
    }

    /// A watch for a part of the work that this one watches. It stops when this one is stopped, and after
    /// `positions` as a [`with_limit`](Self::with_limit) one. Its counts are not added to those of this one.
    #[must_use]
    pub fn child(&self, positions: u64) -> Self {
        let stop = Arc::new(Stop { whole: Some(Arc::clone(&self.0.stop)), ..Stop::default() });
        Self(Arc::new(Seen { stop, most: positions.max(1), ..Seen::default() }))
    }

    /// How many positions have been searched so far, to within a few thousand.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.0.positions.load(Relaxed)
    }

    /// How many of the moves at the root are done, out of how many.
    #[must_use]
    pub fn root_moves(&self) -> (u64, u64) {
        (self.0.moves_done.load(Relaxed), self.0.moves_in_all.load(Relaxed))
    }

    /// Which part of the tree below the question in hand is done, from 0 to 1: each
    /// move near the root counts as much as its neighbours, whatever it costs. At
    /// every new question it begins again. Or which part of a table is.
    #[must_use]
    pub fn progress(&self) -> f64 {
        self.0.share.load(Relaxed) as f64 / 1e6
    }

    /// How much a solver remembers, if it reports that, and in how many bytes.
    #[must_use]
    pub fn table_usage(&self) -> (u64, u64) {
        (self.0.entries.load(Relaxed), self.0.bytes.load(Relaxed))
    }

    /// Asks the solver to stop; it does within a few thousand positions.
    pub fn stop(&self) {
        self.0.stop.told.store(true, Relaxed);
    }

    /// Whether the solver was asked to stop.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.0.stop.is_told()
    }

    /// Counts positions as searched, for solvers to call now and then.
    ///
    /// # Errors
    /// [`Stopped::Interrupted`] if the solver was asked to stop.
    pub fn count(&self, positions: u64) -> Result<(), Stopped> {
        let searched = self.0.positions.fetch_add(positions, Relaxed) + positions;
        if self.0.most > 0 && self.0.earlier.load(Relaxed) + searched >= self.0.most {
            self.stop();
        }
        if self.is_stopping() { Err(Stopped::Interrupted) } else { Ok(()) }
    }

    /// Tells [`progress`](Self::progress), for solvers to call now and then.
    pub fn set_progress(&self, share: f64) {
        self.0.share.store((share * 1e6) as u64, Relaxed);
    }

    /// Counts from nothing again, where one piece of work has ended and another begins. The limit, if there
    /// is one, is for both.
    pub fn restart_counts(&self) {
        self.0.earlier.fetch_add(self.0.positions.swap(0, Relaxed), Relaxed);
        self.0.share.store(0, Relaxed);
    }

    pub(crate) fn set_table_usage(&self, entries: u64, bytes: u64) {
        self.0.entries.store(entries, Relaxed);
        self.0.bytes.store(bytes, Relaxed);
    }

    pub(crate) fn begin_root_moves(&self, in_all: usize) {
        self.0.moves_done.store(0, Relaxed);
        self.0.moves_in_all.store(in_all as u64, Relaxed);
    }

    pub(crate) fn finish_root_move(&self) {
        self.0.moves_done.fetch_add(1, Relaxed);
    }
}

/// One solver's own count of positions, passed on to its [`Watch`] in batches.
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
    fn a_part_stops_with_the_whole_and_not_the_other_way_round() {
        let whole = Watch::default();
        let part = whole.child(10);
        let part_of_part = part.child(1_000);
        assert_eq!(part.count(9), Ok(()));
        assert_eq!((part.count(1), whole.is_stopping()), (Err(Stopped::Interrupted), false));
        assert!(part_of_part.is_stopping() && !whole.child(10).is_stopping());
        let part = whole.child(10);
        whole.stop();
        assert!(part.is_stopping() && whole.child(10).is_stopping());
    }
}
