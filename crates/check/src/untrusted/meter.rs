//! What a check takes: work and memory, counted where they are taken.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::trusted::claim::Guarantee;
use crate::trusted::game::{Game, Move, Outcome, Position, canonical};
use crate::trusted::nimber::odd_parts;
use crate::{CheckError, Result};

/// Steps of work, a nanosecond or so each, in a position looked at.
pub const STEPS_A_POSITION: u64 = 50;

/// Steps that a thread takes from those of all at once.
const CHUNK: u64 = 1 << 14;

/// The work and the memory that a check may still take. Each thread has a meter of its own, which draws on what all have.
#[derive(Debug)]
pub struct Meter {
    shared: Arc<Shared>,
    /// Steps drawn so far, and those of them that are not yet taken.
    drawn: Cell<u64>,
    credit: Cell<u64>,
}

#[derive(Debug)]
struct Shared {
    steps: AtomicU64,
    bytes: AtomicU64,
    interrupt: Interrupt,
}

/// Whether the check is to end, as it is asked now and then.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Interrupt {
    /// Asks a function.
    pub fn new(is_interrupted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_interrupted))
    }
}

/// Never.
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
    /// A meter with this much work, in positions, and memory, in bytes.
    #[must_use]
    pub fn new(positions: u64, bytes: u64, interrupt: Interrupt) -> Self {
        let steps = AtomicU64::new(positions.saturating_mul(STEPS_A_POSITION));
        Self::with_shared(Arc::new(Shared { steps, bytes: AtomicU64::new(bytes), interrupt }))
    }

    fn with_shared(shared: Arc<Shared>) -> Self {
        Self { shared, drawn: Cell::new(0), credit: Cell::new(0) }
    }

    /// A meter that never runs out.
    #[must_use]
    pub fn unlimited() -> Self {
        let meter = Self::new(u64::MAX, u64::MAX, Interrupt::default());
        meter.credit.set(u64::MAX);
        meter
    }

    /// A meter for another thread.
    #[must_use]
    pub fn for_thread(&self) -> Self {
        Self::with_shared(Arc::clone(&self.shared))
    }

    /// Takes some steps.
    ///
    /// # Errors
    /// [`CheckError::TooLarge`] if there are not as many left, or [`CheckError::Interrupted`].
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

    /// Returns the steps that this meter has taken, from any number: differences count.
    pub(crate) fn spent(&self) -> u64 {
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

    /// Takes some bytes until what is returned is dropped.
    ///
    /// # Errors
    /// [`CheckError::TooLarge`] if there are not as many left.
    pub fn hold(&self, bytes: u64) -> Result<Held> {
        let mut held = self.held();
        held.grow(bytes)?;
        Ok(held)
    }

    /// No bytes, to which others are added.
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
    /// [`CheckError::TooLarge`] if there are not as many left.
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

    /// Takes as many bytes as there have to be in all.
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

/// The rules of a game without limits on work, for whoever makes certificates or shows them. What the game has no room
/// for counts as nothing.
#[derive(Debug)]
pub struct Unmetered<'g> {
    game: &'g dyn Game,
    meter: Meter,
}

impl<'g> Unmetered<'g> {
    /// The rules of this game.
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
