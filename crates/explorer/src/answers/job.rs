//! A question on its way to an answer, and the cache of final replies.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use balpan::{Goal, Watch};
use balpan_games::{Answer, MoveAnswer};
use lru::LruCache;
use tokio::sync::watch;

use super::engines::{GameKey, Queue};
use super::{Query, Reply, lock};

/// The identity of a question: questions with equal keys share a job and a cached reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct JobKey {
    name: String,
    rules: String,
    position: String,
    goal: Option<Goal>,
}

impl JobKey {
    pub(super) fn new(query: &Query) -> Self {
        let Query { name, rules, position, goal, .. } = query;
        Self { name: name.clone(), rules: rules.text.clone(), position: position.clone(), goal: *goal }
    }

    /// The memory that the key takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.rules.len() + self.position.len()
    }
}

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

/// Orders answers by how much is known. A time slice may start with less than the one before ended with.
fn completeness(answer: &Answer) -> (bool, bool, bool, bool, usize, usize, usize) {
    let count = |is: fn(&MoveAnswer) -> bool| answer.moves.iter().filter(|mv| is(mv)).count();
    let bounds = answer.within.at_least.is_some() || answer.within.at_most.is_some();
    (
        answer.complete,
        answer.outcome.is_some(),
        answer.is_value_known(),
        !answer.line.is_empty(),
        count(|mv| mv.outcome.is_some()) + usize::from(bounds),
        count(|mv| mv.remoteness.is_some() || mv.score.is_some()),
        answer.best.len(),
    )
}

/// A cache of final replies, bounded in bytes; the least recently used one is evicted first.
pub(super) struct Cache {
    replies: LruCache<JobKey, (Reply, usize)>,
    bytes: usize,
    max_bytes: usize,
}

impl Cache {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { replies: LruCache::unbounded(), bytes: 0, max_bytes }
    }

    pub(super) fn get(&mut self, key: &JobKey) -> Option<Reply> {
        self.replies.get(key).map(|(reply, _)| reply.clone())
    }

    /// Caches a reply that would be the same if the question were asked again.
    pub(super) fn put(&mut self, key: JobKey, reply: &Reply) {
        let content = match reply {
            Reply::Answered(answer) => answer_bytes(answer),
            Reply::TimedOut(_, known) => known.as_deref().map_or(0, answer_bytes),
            Reply::Pending(..) | Reply::NotStarted(_) | Reply::Busy | Reply::Refused(_) => return,
        };
        let bytes = key.bytes() + content;
        if bytes > self.max_bytes {
            return;
        }
        self.bytes += bytes;
        if let Some((_, (_, replaced))) = self.replies.push(key, (reply.clone(), bytes)) {
            self.bytes -= replaced;
        }
        while self.bytes > self.max_bytes
            && let Some((_, (_, dropped))) = self.replies.pop_lru()
        {
            self.bytes -= dropped;
        }
    }
}

/// Estimates the memory of an answer.
fn answer_bytes(answer: &Answer) -> usize {
    let text = |text: &String| size_of::<String>() + text.len();
    let texts = |all: &[String]| all.iter().map(text).sum::<usize>();
    let moves = answer.moves.iter().map(|mv| size_of_val(mv) + mv.text.len() + mv.position.len());
    size_of::<Answer>()
        + answer.game.len()
        + answer.position.len()
        + texts(&answer.rules)
        + texts(&answer.best)
        + texts(&answer.line)
        + moves.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Timeout;
    use super::super::tests::query;
    use super::*;

    #[test]
    fn the_least_recently_used_reply_is_evicted() {
        let key = |text| JobKey::new(&query("tictactoe", text));
        let [first, second, third] = ["X../.../...", "XO./.../...", "XOX/.../..."].map(key);
        let reply = Reply::TimedOut(Timeout { after: Duration::from_secs(1), positions: 1 }, None);
        let mut cache = Cache::new(2 * first.bytes());
        cache.put(first.clone(), &reply);
        cache.put(second.clone(), &reply);
        cache.put(second.clone(), &reply);
        assert!(cache.get(&first).is_some());
        cache.put(third.clone(), &reply);
        let cached = [&first, &second, &third].map(|key| cache.get(key).is_some());
        assert_eq!(cached, [true, false, true]);
        assert_eq!(cache.bytes, 2 * first.bytes());
        cache.put(second.clone(), &Reply::Busy);
        assert!(cache.get(&second).is_none());
    }
}
