//! Following a question: all that becomes known of it, when it does.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{sleep, timeout};

use super::job::{Job, Seen};
use super::lanes::Shared;
use super::{Progress, Reply};

/// How far a question is, is told so often while nothing more is known.
const TICK: Duration = Duration::from_secs(1);

/// What becomes known shortly after each other is told at once.
const BEAT: Duration = Duration::from_millis(120);

/// A question that somebody follows.
pub(crate) struct Steps {
    pub(super) shared: Arc<Shared>,
    pub(super) followed: Followed,
    /// One of those that there are for followers.
    pub(super) _place: OwnedSemaphorePermit,
}

pub(super) enum Followed {
    /// It is being solved; whether anything of it has been told.
    Job(Arc<Job>, watch::Receiver<Seen>, bool),
    /// What came of it is known, and not told yet.
    Known(Reply),
    Told,
}

/// What is new.
pub(crate) enum Step {
    /// More is known.
    More(Reply),
    /// Nothing more is known, and the search has gone on.
    Further(Progress),
}

impl Steps {
    /// What is new: at once what is known by now, and whenever more is. `None` after the end.
    pub(crate) async fn next(&mut self) -> Option<Step> {
        match std::mem::replace(&mut self.followed, Followed::Told) {
            Followed::Told => None,
            Followed::Known(reply) => Some(Step::More(reply)),
            Followed::Job(job, mut receiver, is_told) => {
                let mut is_new = true;
                if is_told {
                    // An error says that it is over.
                    is_new = timeout(TICK, receiver.changed()).await.is_ok();
                    if is_new {
                        sleep(BEAT).await;
                    }
                }
                let seen = receiver.borrow_and_update().clone();
                if let Some(reply) = seen.reply {
                    return Some(Step::More(reply));
                }
                let progress = self.shared.progress(&job);
                self.followed = Followed::Job(job, receiver, true);
                Some(if is_new { Step::More(Reply::NotYet(progress, seen.known)) } else { Step::Further(progress) })
            }
        }
    }
}
