//! A question on its way to an answer.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use balpan::Watch;
use balpan_games::{Answer, MoveAnswer};
use tokio::sync::watch;

use super::cache::{JobKey, completeness};
use super::engines::{GameKey, Queue};
use super::{Query, Reply, lock};

/// A question, its clients and its progress.
pub(super) struct Job {
    pub(super) key: JobKey,
    pub(super) game_key: GameKey,
    pub(super) query: Query,
    /// When the question was first asked.
    pub(super) start: Instant,
    /// The watch of the search in the fast queue.
    fast: Arc<Watch>,
    abandoned_after: Duration,
    state: Mutex<JobState>,
    snapshot: watch::Sender<Snapshot>,
}

/// What the clients of a question see.
#[derive(Clone, Default)]
pub(super) struct Snapshot {
    /// The partial answer.
    pub(super) known: Option<Arc<Answer>>,
    /// The final reply.
    pub(super) reply: Option<Reply>,
}

impl Snapshot {
    pub(super) fn has_outcome(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.outcome.is_some())
    }

    /// Whether every move's value is known, so that at most the line is missing.
    pub(super) fn has_all_values(&self) -> bool {
        let has_all =
            |known: &Arc<Answer>| !known.moves.is_empty() && known.moves.iter().all(MoveAnswer::is_value_known);
        self.known.as_ref().is_some_and(has_all)
    }
}

/// What changes on the way.
pub(super) struct JobState {
    /// When the question was last asked.
    asked: Instant,
    /// Whether a client has asked that may use the slow queue.
    pub(super) may_take_long: bool,
    /// The watch of the current or the next time slice in the slow queue.
    pub(super) watch: Arc<Watch>,
    /// The slices that ended without an answer, their time, and the positions that they searched.
    pub(super) slices: u32,
    pub(super) time: Duration,
    pub(super) positions: u64,
}

impl Job {
    /// Creates a job that is abandoned when no client has waited for it for `abandoned_after`.
    pub(super) fn new(key: JobKey, query: Query, abandoned_after: Duration) -> Self {
        let now = Instant::now();
        let state = JobState {
            asked: now,
            may_take_long: query.may_take_long,
            watch: Arc::default(),
            slices: 0,
            time: Duration::ZERO,
            positions: 0,
        };
        Self {
            key,
            game_key: GameKey::new(&query),
            query,
            start: now,
            fast: Arc::default(),
            abandoned_after,
            state: Mutex::new(state),
            snapshot: watch::Sender::new(Snapshot::default()),
        }
    }

    /// Notes that the question is asked again.
    pub(super) fn renew(&self, may_take_long: bool) {
        let mut state = self.state();
        state.asked = Instant::now();
        state.may_take_long |= may_take_long;
    }

    /// Whether all clients have left.
    pub(super) fn is_abandoned(&self) -> bool {
        self.snapshot.receiver_count() == 0 && self.state().asked.elapsed() > self.abandoned_after
    }

    /// Whether nobody follows the question, or has asked for it since `later` was first asked about the same game.
    pub(super) fn is_left_for(&self, later: &Self) -> bool {
        self.game_key == later.game_key && self.snapshot.receiver_count() == 0 && self.state().asked < later.start
    }

    pub(super) fn state(&self) -> MutexGuard<'_, JobState> {
        lock(&self.state)
    }

    /// The watch of the current search.
    pub(super) fn watch(&self, queue: Queue) -> Arc<Watch> {
        match queue {
            Queue::Fast => Arc::clone(&self.fast),
            Queue::Slow => Arc::clone(&self.state().watch),
        }
    }

    /// Shows a partial answer to the clients, if it is more complete than the one before.
    pub(super) fn publish(&self, answer: &Answer) {
        self.snapshot.send_if_modified(|snapshot| {
            let is_more = completeness(answer) > snapshot.known.as_deref().map(completeness).unwrap_or_default();
            if is_more {
                snapshot.known = Some(Arc::new(answer.clone()));
            }
            is_more
        });
    }

    /// The partial answer.
    pub(super) fn known(&self) -> Option<Arc<Answer>> {
        self.snapshot.borrow().known.clone()
    }

    /// Shows the final reply to the clients.
    pub(super) fn finish(&self, reply: Reply) {
        self.snapshot.send_modify(|snapshot| snapshot.reply = Some(reply));
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Snapshot> {
        self.snapshot.subscribe()
    }
}
