//! Metering of a check's work and memory.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::trusted::claim::Guarantee;
use crate::trusted::game::{Game, Move, Outcome, Position, canonical};
use crate::trusted::nimber::odd_parts;
use crate::{CheckError, Result};

/// The steps of work, of a nanosecond or so each, in a position.
pub const STEPS_A_POSITION: u64 = 50;

/// The steps that a thread draws from the shared ones at a time.
const CHUNK: u64 = 1 << 14;

/// The work and the memory that a check may still take. Each thread has a meter of its own, which draws on shared
/// ones.
#[derive(Debug)]
pub struct Meter {
    shared: Arc<Shared>,
    /// The steps drawn so far, and those of them that are not yet spent.
    drawn: Cell<u64>,
    credit: Cell<u64>,
}

#[derive(Debug)]
struct Shared {
    steps: AtomicU64,
    bytes: AtomicU64,
    interrupt: Interrupt,
}

/// A function that returns whether to interrupt the check; it is called now and then.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Interrupt {
    /// Creates an interrupt from a function.
    pub fn new(is_interrupted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_interrupted))
    }
}

/// Never interrupts.
impl Default for Interrupt {
    fn default() -> Self {
        Self::new(|| false)
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}

impl Meter {
    /// Creates a meter with this much work, in positions, and memory, in bytes.
    #[must_use]
    pub fn new(positions: u64, bytes: u64, interrupt: Interrupt) -> Self {
        let steps = AtomicU64::new(positions.saturating_mul(STEPS_A_POSITION));
        Self::with_shared(Arc::new(Shared { steps, bytes: AtomicU64::new(bytes), interrupt }))
    }

    fn with_shared(shared: Arc<Shared>) -> Self {
        Self { shared, drawn: Cell::new(0), credit: Cell::new(0) }
    }

    /// Creates a meter that never runs out.
    #[must_use]
    pub fn unlimited() -> Self {
        let meter = Self::new(u64::MAX, u64::MAX, Interrupt::default());
        meter.credit.set(u64::MAX);
        meter
    }

    /// Creates a meter for another thread.
    #[must_use]
    pub fn for_thread(&self) -> Self {
        Self::with_shared(Arc::clone(&self.shared))
    }

    /// Spends some steps.
    ///
    /// # Errors
    /// [`CheckError::TooLarge`] if fewer are left, or [`CheckError::Interrupted`].
    #[inline]
    pub fn spend(&self, steps: u64) -> Result<()> {
        match self.credit.get().checked_sub(steps) {
            Some(left) => {
                self.credit.set(left);
                Ok(())
            }
            None => self.draw(steps),
        }
    }

    /// Returns the steps that this meter has spent, from an arbitrary origin: only differences count.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.drawn.get().wrapping_sub(self.credit.get())
    }

    #[cold]
    fn draw(&self, steps: u64) -> Result<()> {
        if (self.shared.interrupt.0)() {
            return Err(CheckError::Interrupted);
        }
        let missing = steps - self.credit.get();
        let take = |left: u64| left.checked_sub(missing.saturating_add(CHUNK).min(left).max(missing));
        let before = self.shared.steps.fetch_update(Relaxed, Relaxed, take);
        let before = before.map_err(|_| {
            CheckError::TooLarge(
                "the check takes more work than the file's length allows: `--positions` allows more".into(),
            )
        })?;
        let drawn = missing.saturating_add(CHUNK).min(before);
        self.drawn.set(self.drawn.get().wrapping_add(drawn));
        self.credit.set(drawn - missing);
        Ok(())
    }

    /// Takes some bytes until the result is dropped.
    ///
    /// # Errors
    /// [`CheckError::TooLarge`] if fewer are left.
    pub fn hold(&self, bytes: u64) -> Result<Held> {
        let mut held = self.held();
        held.grow(bytes)?;
        Ok(held)
    }

    /// Returns an empty holding, which can grow.
    #[must_use]
    pub fn held(&self) -> Held {
        Held { shared: Arc::clone(&self.shared), bytes: 0 }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.shared.steps.fetch_add(self.credit.get(), Relaxed);
    }
}

/// Memory that is taken until this is dropped.
#[derive(Debug)]
pub struct Held {
    shared: Arc<Shared>,
    bytes: u64,
}

impl Held {
    /// Takes more bytes.
    ///
    /// # Errors
    /// [`CheckError::TooLarge`] if fewer are left.
    #[inline]
    pub fn grow(&mut self, bytes: u64) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let taken = self.shared.bytes.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes));
        taken.map_err(|_| CheckError::TooLarge("the check takes more memory than `--memory` allows".into()))?;
        self.bytes += bytes;
        Ok(())
    }

    /// Grows to at least this number of bytes in all.
    ///
    /// # Errors
    /// As [`grow`](Self::grow).
    #[inline]
    pub fn at_least(&mut self, bytes: u64) -> Result<()> {
        self.grow(bytes.saturating_sub(self.bytes))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.shared.bytes.fetch_add(self.bytes, Relaxed);
    }
}

/// The rules of a game without limits on work, for writing and showing certificates. Errors, such as too many heaps,
/// count as no result.
#[derive(Debug)]
pub struct Unmetered<'g> {
    game: &'g dyn Game,
    meter: Meter,
}

impl<'g> Unmetered<'g> {
    /// Wraps a game.
    #[must_use]
    pub fn new(game: &'g dyn Game) -> Self {
        Self { game, meter: Meter::unlimited() }
    }

    /// As [`Game::end`].
    #[must_use]
    pub fn end(&self, at: &Position) -> Option<Outcome> {
        self.game.end(at, &self.meter).ok().flatten()
    }

    /// As [`Game::moves`].
    #[must_use]
    pub fn moves(&self, at: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        match self.game.moves(at, &self.meter, &mut moves) {
            Ok(()) => moves,
            Err(_) => Vec::new(),
        }
    }

    /// As [`canonical`].
    #[must_use]
    pub fn canonical(&self, at: &Position, guarantee: Guarantee) -> Position {
        canonical(self.game, at, guarantee, &self.meter).unwrap_or(*at)
    }

    /// As [`Game::mover_cannot_win`].
    #[must_use]
    pub fn mover_cannot_win(&self, at: &Position) -> bool {
        self.game.mover_cannot_win(at, &self.meter) == Ok(true)
    }

    /// As [`Game::outlasts_by`].
    #[must_use]
    pub fn outlasts_by(&self, at: &Position) -> Option<i32> {
        self.game.outlasts_by(at, &self.meter).ok().flatten()
    }

    /// As [`Game::parts`].
    #[must_use]
    pub fn parts(&self, at: &Position) -> Option<Vec<Position>> {
        self.game.parts(at, &self.meter).ok().flatten()
    }

    /// As [`odd_parts`].
    #[must_use]
    pub fn odd_parts(&self, at: &Position) -> Vec<Position> {
        odd_parts(self.game, at, &self.meter).unwrap_or_default()
    }
}
