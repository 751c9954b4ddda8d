//! Answers to questions of many at once, within bounds: of time, of memory, of how much
//! is solved at a time and how much waits.
//!
//! Every question first goes through the quick lane, side by side with many others, where it
//! has a moment and little memory: what most positions need. What is not solved by then goes
//! through the slow lane, which leaves a core to the quick one. So hard questions wait for
//! each other, and easy ones for none of them.
//!
//! Each game has an engine that hard questions are asked one after the other, and small ones
//! for quick questions that come while it is busy. Engines are kept, as far as memory goes.
//! All that becomes known of a question on the way is there to be shown.

mod cache;
mod engines;
mod job;
mod keeper;
mod lanes;
mod steps;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use balpan::{EngineError, Goal};
use balpan_games::presets::{PRESETS, preset};
use balpan_games::{Answer, AnyGame, KnownOf, RulesFile};
use balpan_strong::Tablebase;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use crate::certificates::Certificates;
use crate::public::Public;
use job::Key;
use lanes::Shared;
use steps::Followed;
pub(crate) use steps::{Step, Steps};

/// What may be spent on questions.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Who asks gets an answer or "not yet" within this time.
    pub patience: Duration,
    /// What takes longer to solve is given up.
    pub time: Duration,
    /// How long a question is kept that nobody waits for; pages and programs ask again within two seconds.
    pub abandoned_after: Duration,
    /// Bytes for the tables of everything that is solved at a time.
    pub memory: usize,
    /// How many hard questions are solved at a time, each by one thread.
    pub running: usize,
    /// How many more hard questions wait for their turn.
    pub waiting: usize,
    /// Bytes of answers that are kept.
    pub cached: usize,
    /// How many pages and programs at a time are told of each step.
    pub followers: usize,
    /// Strong solutions and books, which are asked before anything is solved.
    pub tablebase: Tablebase,
    /// Certificates to show.
    pub certificates: Arc<Certificates>,
    /// What is allowed to whoever asks, if anybody may.
    pub public: Option<Public>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(5),
            time: Duration::from_secs(600),
            abandoned_after: Duration::from_secs(10),
            memory: 1 << 30,
            running: cores().saturating_sub(1).max(1),
            waiting: 64,
            cached: 64 << 20,
            followers: 128,
            tablebase: Tablebase::with_books(),
            certificates: Arc::default(),
            public: None,
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
    pub(crate) rules: RulesFile,
    /// The game, from the position that is asked of.
    pub(crate) game: AnyGame,
    /// That position's text.
    pub(crate) position: String,
    /// What is asked; `None` asks for what is within reach.
    pub(crate) ask: Option<Goal>,
    /// Whether more than a moment may be spent on it.
    pub(crate) may_take_long: bool,
}

impl Asked {
    /// The rules that the game's name does not tell.
    fn rules_not_told(&self) -> Vec<String> {
        if PRESETS.iter().any(|(name, text)| *name == self.name && *text == self.rules.text) {
            return Vec::new();
        }
        let mut rules = self.rules.changes().unwrap_or_default();
        if let Some(Ok(preset)) = preset(&self.name) {
            let told = preset.changes().unwrap_or_default();
            rules.retain(|rule| !told.contains(rule));
        }
        rules
    }
}

/// What comes of a question. What is known of it by now is true, and not all.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// It is answered.
    Answered(Arc<Answer>),
    /// It will be, perhaps: ask again.
    NotYet(Progress, Option<Arc<Answer>>),
    /// It was too hard.
    GivenUp(GivenUp, Option<Arc<Answer>>),
    /// It takes more than a moment, and was not to take more.
    Left(Option<Arc<Answer>>),
    /// Too much is waiting.
    Busy,
    /// There is no such answer.
    Refused(EngineError),
}

/// How long to wait for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Until it is complete, with the limits' patience.
    Patiently,
    /// Shortly, and not longer than until somebody is known to win: there will be more to see.
    ForVerdict,
    /// Not at all.
    Not,
}

/// A page that fills in by itself waits so long for who wins, and so long for all.
const FOR_VERDICT: Duration = Duration::from_millis(900);
const FOR_ALL: Duration = Duration::from_millis(250);
/// Where all is known but a line, it waits so long for that.
const FOR_LINE: Duration = Duration::from_millis(60);

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
    /// Places for those who follow a question.
    followers: Arc<Semaphore>,
}

impl Answers {
    /// Within these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let followers = Arc::new(Semaphore::new(limits.followers));
        let shared = Arc::new(Shared::new(limits));
        lanes::start(&shared);
        Self { shared, followers }
    }

    /// The answer, or what is known after this wait. A question that is asked already is not
    /// solved twice.
    pub(crate) async fn ask(&self, asked: Asked, wait: Wait) -> Reply {
        let job = match self.shared.take(Key::of(&asked), asked) {
            Ok(job) => job,
            Err(reply) => return reply,
        };
        let (now, patience) = (Instant::now(), self.shared.limits.patience);
        let (for_all, for_verdict) = match wait {
            Wait::Patiently => (patience, patience),
            Wait::ForVerdict => (patience.min(FOR_ALL), patience.min(FOR_VERDICT)),
            Wait::Not => (Duration::ZERO, Duration::ZERO),
        };
        let mut seen = job.see();
        // Whether it was in time is seen from what there is.
        let is_all = |seen: &job::Seen| seen.reply.is_some() || wait == Wait::ForVerdict && seen.has_all_values();
        let _ = timeout_at(now + for_all, seen.wait_for(is_all)).await;
        let for_line = for_all.min(now.elapsed() + FOR_LINE);
        let _ = timeout_at(now + for_line, seen.wait_for(|seen| seen.reply.is_some())).await;
        let is_enough = |seen: &job::Seen| seen.reply.is_some() || seen.has_verdict();
        let _ = timeout_at(now + for_verdict, seen.wait_for(is_enough)).await;
        let seen = seen.borrow().clone();
        seen.reply.unwrap_or_else(|| Reply::NotYet(self.shared.progress(&job), seen.known))
    }

    /// The answer as it grows; `None` if too many are followed.
    pub(crate) fn follow(&self, asked: Asked) -> Option<Steps> {
        let place = Arc::clone(&self.followers).try_acquire_owned().ok()?;
        let followed = match self.shared.take(Key::of(&asked), asked) {
            Ok(job) => {
                let receiver = job.see();
                Followed::Job(job, receiver, false)
            }
            Err(reply) => Followed::Known(reply),
        };
        Some(Steps { shared: Arc::clone(&self.shared), followed, _place: place })
    }

    /// Who knows values of this game.
    pub(crate) fn known(&self, rules: &RulesFile, game: &AnyGame) -> Option<KnownOf> {
        self.shared.limits.tablebase.find(rules, game)
    }

    /// Strong solutions and books.
    pub(crate) fn tablebase(&self) -> &Tablebase {
        &self.shared.limits.tablebase
    }

    /// How long who asks waits.
    pub(crate) fn patience(&self) -> Duration {
        self.shared.limits.patience
    }

    /// What is allowed to whoever asks, if anybody may.
    pub(crate) fn public(&self) -> Option<Public> {
        self.shared.limits.public
    }

    /// Certificates to show.
    pub(crate) fn certificates(&self) -> &Arc<Certificates> {
        &self.shared.limits.certificates
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
