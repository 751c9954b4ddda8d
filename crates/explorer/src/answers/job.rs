//! One question on its way to an answer.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use balpan::{Ask, Watch};
use tokio::sync::watch;

use super::{Asked, Reply, locked};
use crate::scene::start_text;

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
            Some(Ask::Value) => 1,
            Some(Ask::Outcome) => 2,
            Some(Ask::Winner) => 3,
        };
        let position = start_text(&asked.game);
        Self { name: asked.name.clone(), rules: asked.rules.clone(), position, ask }
    }

    /// How much of it there is to keep.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + self.rules.len() + self.position.len()
    }
}

/// A question, who waits for it, and how far it is.
pub(super) struct Job {
    pub(super) key: Key,
    pub(super) asked: Asked,
    /// Since when it is asked.
    since: Instant,
    /// When somebody asked it last.
    asked_last: Mutex<Instant>,
    /// Of the quick lane.
    pub(super) quick: Arc<Watch>,
    slow: Mutex<Turns>,
    reply: watch::Sender<Option<Reply>>,
}

/// What a question has had of the slow lane.
#[derive(Default)]
pub(super) struct Turns {
    /// Of the turn in hand, or the next one.
    pub(super) watch: Arc<Watch>,
    /// Turns that ended without an answer, and the time that they took.
    pub(super) ended: u32,
    pub(super) time: Duration,
}

/// A question that nobody has asked for so long comes after all others.
const LEFT: Duration = Duration::from_secs(10);

/// A question that nobody has asked for so long, and that waits, is dropped.
const FORGOTTEN: Duration = Duration::from_secs(120);

impl Job {
    pub(super) fn new(key: Key, asked: Asked) -> Self {
        let now = Instant::now();
        Self {
            key,
            asked,
            since: now,
            asked_last: Mutex::new(now),
            quick: Arc::default(),
            slow: Mutex::default(),
            reply: watch::Sender::new(None),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// Somebody asks it again.
    pub(super) fn remind(&self) {
        *locked(&self.asked_last) = Instant::now();
    }

    pub(super) fn is_left(&self) -> bool {
        self.is_unasked_for(LEFT)
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.is_unasked_for(FORGOTTEN)
    }

    fn is_unasked_for(&self, long: Duration) -> bool {
        self.reply.receiver_count() == 0 && locked(&self.asked_last).elapsed() > long
    }

    /// What it has had of the slow lane.
    pub(super) fn turns(&self) -> MutexGuard<'_, Turns> {
        locked(&self.slow)
    }

    /// Tells all who wait.
    pub(super) fn finish(&self, reply: Reply) {
        self.reply.send_replace(Some(reply));
    }

    /// What comes of it, once it is known.
    pub(super) async fn reply(&self) -> Reply {
        let mut receiver = self.reply.subscribe();
        let reply = receiver.wait_for(Option::is_some).await;
        reply.ok().and_then(|reply| reply.clone()).unwrap_or(Reply::Busy)
    }
}
