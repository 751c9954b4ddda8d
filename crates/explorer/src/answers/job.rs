//! One question on its way to an answer.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use balpan::{Goal, Outcome, Watch};
use balpan_games::{Answer, WorthOfMove};
use tokio::sync::watch;

use super::engines::House;
use super::{Asked, Reply, locked};

/// Two questions are the same if their keys are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    name: String,
    rules: String,
    position: String,
    ask: u8,
}

impl Key {
    pub(super) fn of(asked: &Asked) -> Self {
        let ask = match asked.ask {
            None => 0,
            Some(Goal::Winner) => 1,
            Some(Goal::MoveOutcomes) => 2,
            Some(Goal::Value) => 3,
            Some(Goal::MoveValues) => 4,
        };
        Self { name: asked.name.clone(), rules: asked.rules.text.clone(), position: asked.position.clone(), ask }
    }

    /// How much of it there is to keep.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.rules.len() + self.position.len()
    }
}

/// A question, who waits for it, and how far it is.
pub(super) struct Job {
    pub(super) key: Key,
    pub(super) house: House,
    pub(super) asked: Asked,
    /// Since when it is asked.
    since: Instant,
    /// When somebody asked it last.
    asked_last: Mutex<Instant>,
    abandoned_after: Duration,
    /// Whether it may take long: somebody has asked it who may ask for that.
    may_take_long: AtomicBool,
    /// Of the quick lane.
    pub(super) quick: Arc<Watch>,
    slow: Mutex<Turns>,
    seen: watch::Sender<Seen>,
}

/// What those who wait for a question see of it.
#[derive(Clone, Default)]
pub(super) struct Seen {
    /// What is known by now.
    pub(super) known: Option<Arc<Answer>>,
    /// What came of it.
    pub(super) reply: Option<Reply>,
}

impl Seen {
    /// Whether it is known who wins.
    pub(super) fn has_verdict(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.outcome.is_some())
    }

    /// Whether every move's value is known: only a line is missing.
    pub(super) fn has_all_values(&self) -> bool {
        let is_known = |worth: &WorthOfMove| worth.outcome == Some(Outcome::Draw) || worth.remoteness.is_some();
        self.known.as_ref().is_some_and(|known| !known.moves.is_empty() && known.moves.iter().all(is_known))
    }
}

/// What a question has had of the slow lane.
#[derive(Default)]
pub(super) struct Turns {
    /// Of the turn in hand, or the next one.
    pub(super) watch: Arc<Watch>,
    /// Turns that ended without an answer, the time that they took, and what they searched.
    pub(super) ended: u32,
    pub(super) time: Duration,
    pub(super) positions: u64,
}

impl Job {
    /// A question that is abandoned when nobody has waited for it for `abandoned_after`.
    pub(super) fn new(key: Key, asked: Asked, abandoned_after: Duration) -> Self {
        let now = Instant::now();
        Self {
            key,
            house: House::of(&asked),
            since: now,
            asked_last: Mutex::new(now),
            abandoned_after,
            may_take_long: AtomicBool::new(asked.may_take_long),
            asked,
            quick: Arc::default(),
            slow: Mutex::default(),
            seen: watch::Sender::new(Seen::default()),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// Somebody asks it again.
    pub(super) fn remind(&self, may_take_long: bool) {
        *locked(&self.asked_last) = Instant::now();
        self.may_take_long.fetch_or(may_take_long, Relaxed);
    }

    pub(super) fn may_take_long(&self) -> bool {
        self.may_take_long.load(Relaxed)
    }

    /// Whether all who asked it have left.
    pub(super) fn is_abandoned(&self) -> bool {
        self.seen.receiver_count() == 0 && locked(&self.asked_last).elapsed() > self.abandoned_after
    }

    /// What it has had of the slow lane.
    pub(super) fn turns(&self) -> MutexGuard<'_, Turns> {
        locked(&self.slow)
    }

    /// Tells all who wait what is known by now, if that is more than before.
    pub(super) fn learn(&self, answer: &Answer) {
        self.seen.send_if_modified(|seen| {
            let is_more = extent(answer) > seen.known.as_deref().map_or(NOTHING, extent);
            if is_more {
                seen.known = Some(Arc::new(answer.clone()));
            }
            is_more
        });
    }

    /// What is known by now.
    pub(super) fn known(&self) -> Option<Arc<Answer>> {
        self.seen.borrow().known.clone()
    }

    /// Tells all who wait what came of it.
    pub(super) fn finish(&self, reply: Reply) {
        self.seen.send_modify(|seen| seen.reply = Some(reply));
    }

    /// To see what becomes of it.
    pub(super) fn see(&self) -> watch::Receiver<Seen> {
        self.seen.subscribe()
    }
}

/// How much an answer tells: a turn begins again with less than the one before has ended with.
type Extent = (bool, bool, bool, bool, usize, usize, usize);

const NOTHING: Extent = (false, false, false, false, 0, 0, 0);

fn extent(answer: &Answer) -> Extent {
    let count = |is: fn(&balpan_games::WorthOfMove) -> bool| answer.moves.iter().filter(|mv| is(mv)).count();
    let bounds = answer.within.at_least.is_some() || answer.within.at_most.is_some();
    (
        answer.complete,
        answer.outcome.is_some(),
        answer.outcome.is_some_and(|outcome| outcome == Outcome::Draw || answer.remoteness.is_some()),
        !answer.line.is_empty(),
        count(|mv| mv.outcome.is_some()) + usize::from(bounds),
        count(|mv| mv.remoteness.is_some()),
        answer.best.len(),
    )
}
