//! Following a question: each partial answer as soon as it is known.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{sleep, timeout};

use super::job::{Job, Snapshot};
use super::scheduler::Scheduler;
use super::{Progress, Reply};

/// The interval of progress reports while nothing more is known.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// How long an update is held back, so that what becomes known shortly after it is in the same one.
const COALESCE_DELAY: Duration = Duration::from_millis(120);

/// The updates of one question.
pub(crate) struct Updates {
    pub(super) scheduler: Arc<Scheduler>,
    pub(super) source: Source,
    /// The permit of this follower.
    pub(super) _permit: OwnedSemaphorePermit,
}

/// The source of the next update.
pub(super) enum Source {
    /// The question is being solved.
    Job { job: Arc<Job>, receiver: watch::Receiver<Snapshot>, is_first: bool },
    /// The final reply is known and not yet sent.
    Reply(Reply),
    /// The final reply was sent.
    End,
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
        let (job, mut receiver, is_first) = match std::mem::replace(&mut self.source, Source::End) {
            Source::End => return None,
            Source::Reply(reply) => return Some(Update::Reply(reply)),
            Source::Job { job, receiver, is_first } => (job, receiver, is_first),
        };
        let mut is_new = is_first;
        if !is_first {
            // A closed channel counts as new: the snapshot has the final reply.
            is_new = timeout(PROGRESS_INTERVAL, receiver.changed()).await.is_ok();
            if is_new {
                sleep(COALESCE_DELAY).await;
            }
        }
        let seen = receiver.borrow_and_update().clone();
        if let Some(reply) = seen.reply {
            return Some(Update::Reply(reply));
        }
        let progress = self.scheduler.progress(&job);
        self.source = Source::Job { job, receiver, is_first: false };
        Some(if is_new { Update::Reply(Reply::Pending(progress, seen.known)) } else { Update::Progress(progress) })
    }
}
