//! Answers by threads that take questions from queues.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::job::{Job, Snapshot};
use super::scheduler::{self, Scheduler};
use super::{Limits, Query, Reply, Update, Wait};

/// The longest wait of a page that fills in later: for the outcome, and for all values.
const OUTCOME_WAIT: Duration = Duration::from_millis(900);
const VALUES_WAIT: Duration = Duration::from_millis(250);
/// The longest wait for the line when all values are known.
const LINE_WAIT: Duration = Duration::from_millis(60);

/// Answers questions and caches the answers. Its threads end when it is dropped.
#[derive(Debug)]
pub struct Answers {
    pub(super) scheduler: Arc<Scheduler>,
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

    /// Returns the server's counts in the text format of Prometheus.
    pub(crate) fn metrics(&self) -> String {
        self.scheduler.metrics()
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
