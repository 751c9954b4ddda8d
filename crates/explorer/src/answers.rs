//! Answers to questions of many at once, within bounds: of time, of memory, of how much
//! is solved at a time and how much waits.
//!
//! Every question first goes through the quick lane, side by side with many others, where it
//! has a moment and little memory: what most positions need. What is not solved by then goes
//! through the slow lane, which leaves a core to the quick one. So hard questions wait for
//! each other, and easy ones for none of them.

mod cache;
mod job;
mod keeper;
mod lanes;
mod tables;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use balpan::Ask;
use balpan_games::{Answer, AnyGame, NoAnswer};

use job::Key;
use lanes::Shared;

/// What may be spent on questions.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Who asks gets an answer or "not yet" within this time.
    pub patience: Duration,
    /// What takes longer to solve is given up.
    pub time: Duration,
    /// Bytes for the tables of everything that is solved at a time.
    pub memory: usize,
    /// How many hard questions are solved at a time, each by one thread.
    pub running: usize,
    /// How many more hard questions wait for their turn.
    pub waiting: usize,
    /// Bytes of answers that are kept.
    pub cached: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(5),
            time: Duration::from_secs(600),
            memory: 1 << 30,
            running: cores().saturating_sub(1).max(1),
            waiting: 64,
            cached: 64 << 20,
        }
    }
}

/// How many threads the machine runs at once.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A question.
pub(crate) struct Asked {
    /// What the game is called.
    pub(crate) name: String,
    /// The text of its rules file.
    pub(crate) rules: String,
    /// The game, from the position that is asked of.
    pub(crate) game: AnyGame,
    /// What is asked; `None` asks for what is within reach.
    pub(crate) ask: Option<Ask>,
}

/// What comes of a question.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// It is answered.
    Answered(Arc<Answer>),
    /// It will be, perhaps: ask again.
    NotYet(Progress),
    /// It was too hard.
    GivenUp(GivenUp),
    /// Too much is waiting.
    Busy,
    /// There is no such answer.
    Refused(NoAnswer),
}

/// How far a question is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progress {
    /// Since it was asked first.
    pub(crate) elapsed: Duration,
    /// Positions searched.
    pub(crate) positions: u64,
    /// Moves that are known, of all.
    pub(crate) moves: (u64, u64),
    /// Which part of what is in hand is done: see [`balpan::Watch::share`].
    pub(crate) share: f64,
    /// How many questions come before it; 0 when it is being solved.
    pub(crate) ahead: usize,
}

/// What was spent in vain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GivenUp {
    /// So long was it solved.
    pub(crate) after: Duration,
    /// Positions searched.
    pub(crate) positions: u64,
}

/// Answers questions, and remembers what it answered. Once it is dropped, its threads end.
#[derive(Debug)]
pub struct Answers {
    shared: Arc<Shared>,
}

impl Answers {
    /// Within these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let shared = Arc::new(Shared::new(limits));
        lanes::start(&shared);
        Self { shared }
    }

    /// The answer, if it is known within the limits' patience. A question that is asked
    /// already is not solved twice.
    pub(crate) async fn ask(&self, asked: Asked) -> Reply {
        let key = Key::of(&asked);
        let job = match self.shared.take(key, asked) {
            Ok(job) => job,
            Err(reply) => return reply,
        };
        let reply = tokio::time::timeout(self.shared.limits.patience, job.reply()).await;
        reply.unwrap_or_else(|_| Reply::NotYet(self.shared.progress(&job)))
    }

    /// Ends all work; from now on every question is refused as one too many.
    pub(crate) fn stop(&self) {
        self.shared.stop();
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The guarded data. Whoever panicked while holding it left it in order: each change is
/// made at once.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
