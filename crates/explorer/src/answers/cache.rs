//! Answers that are kept, as many as there is room for: those asked for last.

use lru::LruCache;

use balpan_games::Answer;

use super::Reply;
use super::job::Key;

pub(super) struct Cache {
    replies: LruCache<Key, (Reply, usize)>,
    bytes: usize,
    most_bytes: usize,
}

impl Cache {
    pub(super) fn new(most_bytes: usize) -> Self {
        Self { replies: LruCache::unbounded(), bytes: 0, most_bytes }
    }

    pub(super) fn get(&mut self, key: &Key) -> Option<Reply> {
        self.replies.get(key).map(|(reply, _)| reply.clone())
    }

    /// Keeps what will be the same when it is asked again.
    pub(super) fn put(&mut self, key: Key, reply: &Reply) {
        let content = match reply {
            Reply::Answered(answer) => bytes_of(answer),
            Reply::GivenUp(_, known) => known.as_deref().map_or(0, bytes_of),
            Reply::NotYet(..) | Reply::Left(_) | Reply::Busy | Reply::Refused(_) => return,
        };
        let bytes = key.bytes() + content;
        if bytes > self.most_bytes {
            return;
        }
        self.bytes += bytes;
        if let Some((_, (_, replaced))) = self.replies.push(key, (reply.clone(), bytes)) {
            self.bytes -= replaced;
        }
        while self.bytes > self.most_bytes
            && let Some((_, (_, dropped))) = self.replies.pop_lru()
        {
            self.bytes -= dropped;
        }
    }
}

/// How much memory an answer takes, roughly.
fn bytes_of(answer: &Answer) -> usize {
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
    use super::super::tests::asked;
    use super::super::{GivenUp, Reply};
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_was_asked_for_last_is_kept() {
        let key = |text| Key::of(&asked("tictactoe", text));
        let [first, second, third] = ["X../.../...", "XO./.../...", "XOX/.../..."].map(key);
        let reply = Reply::GivenUp(GivenUp { after: Duration::from_secs(1), positions: 1 }, None);
        let mut cache = Cache::new(2 * first.bytes());
        cache.put(first.clone(), &reply);
        cache.put(second.clone(), &reply);
        cache.put(second.clone(), &reply);
        assert!(cache.get(&first).is_some());
        cache.put(third.clone(), &reply);
        let kept = [&first, &second, &third].map(|key| cache.get(key).is_some());
        assert_eq!(kept, [true, false, true]);
        assert_eq!(cache.bytes, 2 * first.bytes());
        cache.put(second.clone(), &Reply::Busy);
        assert!(cache.get(&second).is_none());
    }
}
