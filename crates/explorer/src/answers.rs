//! Answers to the questions of many clients, within bounds on time, memory, concurrency and waiting questions.
//!
//! Every question first goes through the fast queue, where many workers give each a short time and little memory, which
//! suffices for most positions. A question that is not solved there moves to the slow queue, whose workers leave a core
//! to the fast queue. So hard questions wait for each other, and easy ones for none of them.
//!
//! Each game has one large engine, which takes hard questions one after the other, and small ones for easy questions
//! that come while it is busy. Engines are kept between questions, as far as memory allows. Partial answers are
//! published while a question is being solved.

mod engines;
mod job;
mod scheduler;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use balpan::{EngineError, Goal};
use balpan_games::{Answer, AnyGame, RulesFile};
use balpan_strong::Tablebase;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use utoipa::ToSchema;

use crate::certificates::Certificates;
use crate::server::public::PublicLimits;
use job::{Job, Snapshot};
use scheduler::Scheduler;

/// The resources that answering may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest wait of a request for a complete answer. After it, the request gets what is known.
    pub patience: Duration,
    /// The longest time that one question is searched.
    pub time: Duration,
    /// How long a question is kept that nobody waits for. Pages and programs ask again within two seconds.
    pub abandoned_after: Duration,
    /// Bytes for the tables of all engines together.
    pub memory: usize,
    /// Hard questions that are solved at the same time, each by one thread.
    pub running: usize,
    /// Hard questions that may wait besides.
    pub waiting: usize,
    /// Bytes of cached answers.
    pub cached: usize,
    /// Pages and programs that may follow a question at the same time.
    pub followers: usize,
    /// Strong solutions and books, which are consulted before a search.
    pub tablebase: Tablebase,
    /// The certificates to show.
    pub certificates: Arc<Certificates>,
    /// The limits of each client, if the server is public.
    pub public: Option<PublicLimits>,
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

/// Returns the number of threads that the machine runs at once.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A question about a position.
pub(crate) struct Query {
    /// The game's name.
    pub(crate) name: String,
    pub(crate) rules: RulesFile,
    /// The game, starting from the position.
    pub(crate) game: AnyGame,
    /// The position's text.
    pub(crate) position: String,
    /// How far to solve; `None` means as far as is within reach.
    pub(crate) goal: Option<Goal>,
    /// Whether the question may enter the slow queue.
    pub(crate) may_take_long: bool,
}

impl Query {
    /// Creates a question about a game's start, which may take long.
    pub(crate) fn new(rules: RulesFile, game: AnyGame, goal: Option<Goal>) -> Self {
        Self { name: rules.name.clone(), rules, position: game.start_text(), game, goal, may_take_long: true }
    }
}

/// The state of a question when a request ends. Partial answers are true as far as they go.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// The complete answer.
    Answered(Arc<Answer>),
    /// The question is queued or being solved: ask again.
    Pending(Progress, Option<Arc<Answer>>),
    /// The search reached its time limit.
    TimedOut(Timeout, Option<Arc<Answer>>),
    /// The question needs the slow queue, and [may not](Query::may_take_long) enter it.
    NotStarted(Option<Arc<Answer>>),
    /// Too many questions wait.
    Busy,
    /// The engine cannot answer the question.
    Refused(EngineError),
}

impl Reply {
    /// Returns what is known of the position, complete or not.
    pub(crate) fn answer(&self) -> Option<&Arc<Answer>> {
        match self {
            Self::Answered(answer) => Some(answer),
            Self::Pending(_, known) | Self::TimedOut(_, known) | Self::NotStarted(known) => known.as_ref(),
            Self::Busy | Self::Refused(_) => None,
        }
    }

    /// Returns what is known of the position, complete or not.
    ///
    /// # Errors
    /// The engine's, if it cannot answer the question.
    pub(crate) fn known(self) -> Result<Option<Arc<Answer>>, EngineError> {
        match self {
            Self::Refused(error) => Err(error),
            reply => Ok(reply.answer().cloned()),
        }
    }
}

/// How long a request waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Until the answer is complete, at most [`Limits::patience`].
    UntilComplete,
    /// Until the outcome is known, at most [`OUTCOME_WAIT`]: the page fills in later.
    UntilOutcome,
    /// The request does not wait.
    Never,
}

/// The longest wait of a page that fills in later: for the outcome, and for all values.
const OUTCOME_WAIT: Duration = Duration::from_millis(900);
const VALUES_WAIT: Duration = Duration::from_millis(250);
/// The longest wait for the line when all values are known.
const LINE_WAIT: Duration = Duration::from_millis(60);

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = HowFar)]
pub(crate) struct Progress {
    /// Seconds since the question was first asked.
    pub(crate) seconds: f64,
    /// Positions searched.
    pub(crate) positions: u64,
    /// Moves of the position that are solved.
    pub(crate) moves_known: u64,
    /// All moves of the position; 0 while they are not counted.
    pub(crate) moves: u64,
    /// The part of the current step that is done, from 0 to 1; 0 if unknown.
    pub(crate) share: f64,
    /// Questions that come before this one; 0 when it is being solved.
    pub(crate) ahead: usize,
}

/// The cost of a search that reached its time limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timeout {
    /// The time that the search took.
    pub(crate) after: Duration,
    /// Positions searched.
    pub(crate) positions: u64,
}

/// Answers questions and caches the answers. Its threads end when it is dropped.
#[derive(Debug)]
pub struct Answers {
    scheduler: Arc<Scheduler>,
    /// A permit for each client that follows a question.
    followers: Arc<Semaphore>,
}

impl Answers {
    /// Starts the worker threads, within `limits`.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let followers = Arc::new(Semaphore::new(limits.followers));
        let scheduler = Arc::new(Scheduler::new(limits));
        scheduler::start(&scheduler);
        Self { scheduler, followers }
    }

    /// Returns the answer, or what is known after the wait. Equal questions share one search.
    pub(crate) async fn ask(&self, query: Query, wait: Wait) -> Reply {
        let job = self.scheduler.submit(query);
        let (now, patience) = (Instant::now(), self.scheduler.limits.patience);
        let (values_wait, outcome_wait) = match wait {
            Wait::UntilComplete => (patience, patience),
            Wait::UntilOutcome => (patience.min(VALUES_WAIT), patience.min(OUTCOME_WAIT)),
            Wait::Never => (Duration::ZERO, Duration::ZERO),
        };
        let mut snapshot = job.subscribe();
        // Whether a wait timed out shows in the snapshot.
        let has_values = |seen: &Snapshot| seen.reply.is_some() || wait == Wait::UntilOutcome && seen.has_all_values();
        let _ = timeout_at(now + values_wait, snapshot.wait_for(has_values)).await;
        let line_wait = values_wait.min(now.elapsed() + LINE_WAIT);
        let _ = timeout_at(now + line_wait, snapshot.wait_for(|seen| seen.reply.is_some())).await;
        let has_outcome = |seen: &Snapshot| seen.reply.is_some() || seen.has_outcome();
        let _ = timeout_at(now + outcome_wait, snapshot.wait_for(has_outcome)).await;
        let seen = snapshot.borrow().clone();
        seen.reply.unwrap_or_else(|| Reply::Pending(self.scheduler.progress(&job), seen.known))
    }

    /// Follows the answer as it grows; `None` if too many questions are followed.
    pub(crate) fn follow(&self, query: Query) -> Option<Updates> {
        let permit = Arc::clone(&self.followers).try_acquire_owned().ok()?;
        let (scheduler, job) = (Arc::clone(&self.scheduler), self.scheduler.submit(query));
        let receiver = job.subscribe();
        Some(Updates { scheduler, job, receiver, is_first: true, is_over: false, _permit: permit })
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.scheduler.limits
    }

    /// Stops all searches; every later question is refused as one too many.
    pub(crate) fn stop(&self) {
        self.scheduler.stop();
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The interval of progress reports while nothing more is known.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// How long an update is held back, so that what becomes known shortly after it is in the same one.
const COALESCE_DELAY: Duration = Duration::from_millis(120);

/// The updates of one question.
pub(crate) struct Updates {
    scheduler: Arc<Scheduler>,
    job: Arc<Job>,
    receiver: watch::Receiver<Snapshot>,
    is_first: bool,
    /// Whether the final reply was sent.
    is_over: bool,
    /// The permit of this follower.
    _permit: OwnedSemaphorePermit,
}

/// A step of a followed question.
pub(crate) enum Update {
    /// More is known, or the question is done.
    Reply(Reply),
    /// The search goes on and nothing more is known.
    Progress(Progress),
}

impl Updates {
    /// Waits for the next update. The first one comes at once with what is known; `None` follows the final reply.
    pub(crate) async fn next(&mut self) -> Option<Update> {
        if self.is_over {
            return None;
        }
        let mut is_new = std::mem::take(&mut self.is_first);
        if !is_new {
            // A closed channel counts as new: the snapshot has the final reply.
            is_new = timeout(PROGRESS_INTERVAL, self.receiver.changed()).await.is_ok();
            if is_new {
                sleep(COALESCE_DELAY).await;
            }
        }
        let seen = self.receiver.borrow_and_update().clone();
        if let Some(reply) = seen.reply {
            self.is_over = true;
            return Some(Update::Reply(reply));
        }
        let progress = self.scheduler.progress(&self.job);
        Some(if is_new { Update::Reply(Reply::Pending(progress, seen.known)) } else { Update::Progress(progress) })
    }
}

/// Locks data that stays valid if a thread panics: each change of it is a single step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
