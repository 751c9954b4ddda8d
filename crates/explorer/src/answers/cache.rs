//! The cache of final replies, and what identifies a question.

use balpan::Goal;
use balpan_games::{Answer, MoveAnswer};
use lru::LruCache;

use super::{Query, Reply};

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

/// Orders answers by how much is known. A time slice may start with less than the one before ended with.
pub(super) fn completeness(answer: &Answer) -> (bool, bool, bool, bool, usize, usize, usize) {
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

#[cfg(all(test, feature = "server"))]
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
