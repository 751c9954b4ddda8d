//! Games of any family. The code that depends on their types is compiled in this crate only.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use balpan::{Budget, Stopped, Value, Watch};
use balpan_games::{AnyGame, DynPosition, ErasedGame, FamilyGame, Task};
use memmap2::Mmap;

use crate::build::book::book_from_keys;
use crate::build::estimate::{BuildEstimate, estimate_from_keys};
use crate::build::successors::{KeyGame, Scheme};
use crate::build::{Plan, Progress, build_from_keys, start_keys};
use crate::error::BuildError;
use crate::format::header::{Header, Subject};
use crate::probe::table::Table;
use crate::verify::{VerifyError, check_starts, verify_keys, verify_sampled_keys};

/// A game of any family whose positions are layers and keys. Its methods do what the functions of the same names do with a
/// game of a known type.
pub struct AnyKeyGame {
    game: ErasedGame,
    keys: Arc<dyn KeyGame + Send>,
}

impl fmt::Debug for AnyKeyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyKeyGame").field(&self.game).finish()
    }
}

struct MakeKeyGame;

impl Task for MakeKeyGame {
    type Output = Arc<dyn KeyGame + Send>;

    fn run<G: FamilyGame>(self, game: &G) -> Self::Output {
        Arc::new(game.clone())
    }
}

impl AnyKeyGame {
    /// Takes a game of any family.
    #[must_use]
    pub fn new(game: &AnyGame) -> Self {
        Self { game: game.erased(), keys: game.run(MakeKeyGame) }
    }

    /// Returns the game without the texts of its positions.
    #[must_use]
    pub fn keys(&self) -> Arc<dyn KeyGame + Send> {
        Arc::clone(&self.keys)
    }

    /// Returns the layers and keys of starts: see [`start_keys`](crate::parts::start_keys).
    ///
    /// # Errors
    /// If the game cannot be built.
    pub fn start_keys(&self, starts: &[DynPosition], scheme: Scheme) -> Result<Vec<(u32, u128)>, BuildError> {
        start_keys(&self.game, starts, scheme)
    }

    /// See [`build()`](crate::build()).
    ///
    /// # Errors
    /// See [`BuildError`].
    pub fn build(
        &self,
        starts: &[DynPosition],
        plan: &Plan,
        watch: &Watch,
        progress: &Progress,
    ) -> Result<Header, BuildError> {
        let starts = self.start_keys(starts, plan.subject.scheme())?;
        build_from_keys(&*self.keys, starts, plan, watch, progress)
    }

    /// See [`book`](crate::book()).
    ///
    /// # Errors
    /// See [`BuildError`].
    pub fn book(
        &self,
        starts: &[DynPosition],
        plan: &Plan,
        watch: &Watch,
        progress: &Progress,
        solve: impl FnMut(&DynPosition) -> Result<Value, Stopped>,
    ) -> Result<Header, BuildError> {
        book_from_keys(&self.game, &*self.keys, starts, plan, watch, progress, solve)
    }

    /// See [`estimate`](crate::estimate()).
    ///
    /// # Errors
    /// See [`BuildError`].
    pub fn estimate(
        &self,
        starts: &[DynPosition],
        subject: &Subject,
        time: Duration,
        watch: &Watch,
    ) -> Result<BuildEstimate, BuildError> {
        estimate_from_keys(&*self.keys, self.start_keys(starts, subject.scheme())?, subject, time, watch)
    }

    /// See [`verify`](crate::verify()).
    ///
    /// # Errors
    /// The first mismatch.
    pub fn verify(
        &self,
        starts: &[DynPosition],
        table: &Table<Mmap>,
        budget: Budget,
        watch: &Watch,
    ) -> Result<u64, VerifyError> {
        check_starts(&self.game, starts, table)?;
        verify_keys(&*self.keys, table, budget, watch)
    }

    /// See [`verify_sample`](crate::verify_sample()).
    ///
    /// # Errors
    /// The first mismatch.
    pub fn verify_sample(
        &self,
        starts: &[DynPosition],
        table: &Table<Mmap>,
        sample: Option<(u64, u64)>,
        watch: &Watch,
    ) -> Result<u64, VerifyError> {
        check_starts(&self.game, starts, table)?;
        verify_sampled_keys(&*self.keys, table, sample, watch)
    }
}
