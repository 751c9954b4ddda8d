//! Answers in the calling thread, where there are no others.
//!
//! A question is searched for as long as its request waits. The engine keeps its tables, so that the next request for the same
//! question goes on where the last one was stopped.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use balpan::clock::Instant;
use balpan::{EngineError, Watch};
use balpan_games::{Answer, QueryError};

use super::cache::{Cache, JobKey, completeness};
use super::engines::{EnginePool, GameKey, Queue};
use super::{Limits, Progress, Query, Reply, Timeout, Update, Wait, lock};

thread_local! {
    /// When the current work has to stop.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Sees the progress of each search; returns whether it is to stop.
static OBSERVER: OnceLock<fn(&Watch) -> bool> = OnceLock::new();

/// Runs `work` until `time` has passed, or the time of the work around it: its watches stop then.
pub(crate) fn within<T>(time: Duration, work: impl FnOnce() -> T) -> T {
    let outer = DEADLINE.get();
    let end = Instant::now() + time;
    DEADLINE.set(Some(outer.map_or(end, |outer| outer.min(end))));
    let result = work();
    DEADLINE.set(outer);
    result
}

/// Answers questions and caches the answers.
#[derive(Debug)]
pub struct Answers {
    limits: Limits,
    state: Mutex<State>,
}

struct State {
    cache: Cache,
    engines: EnginePool,
    /// The questions that are not solved yet.
    partial: HashMap<JobKey, Partial>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

/// What is known of a question that is not solved yet, and what it has cost.
#[derive(Default)]
struct Partial {
    known: Option<Arc<Answer>>,
    time: Duration,
    positions: u64,
}

impl Answers {
    /// `observer` sees the progress of each search every few thousand positions, and stops it if it returns true.
    #[must_use]
    pub fn new(limits: Limits, observer: fn(&Watch) -> bool) -> Self {
        OBSERVER.get_or_init(|| observer);
        Watch::set_poll(|watch| {
            let is_late = DEADLINE.get().is_some_and(|end| end <= Instant::now());
            OBSERVER.get().is_some_and(|observer| observer(watch)) || is_late
        });
        let (cache, engines) = (Cache::new(limits.cached), EnginePool::new(&limits));
        Self { limits, state: Mutex::new(State { cache, engines, partial: HashMap::new() }) }
    }

    /// Returns the answer, or what is known when the wait is over.
    #[allow(clippy::unused_async, reason = "the server's waits for other threads")]
    pub(crate) async fn ask(&self, query: Query, wait: Wait) -> Reply {
        let time = match wait {
            Wait::UntilComplete if query.may_take_long => self.limits.patience,
            Wait::UntilComplete => self.limits.patience.min(FAST_TIME),
            Wait::UntilOutcome => self.limits.patience.min(QUICK_TIME),
            Wait::Never => Duration::ZERO,
        };
        self.solve(&query, time)
    }

    /// Follows the answer as it grows.
    #[allow(clippy::unnecessary_wraps, reason = "a server may have too many followers")]
    pub(crate) fn follow(self: &Arc<Self>, query: Query) -> Option<Updates> {
        Some(Updates { answers: Arc::clone(self), query, slice: Duration::ZERO, is_over: false })
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Searches a question for at most this time.
    fn solve(&self, query: &Query, time: Duration) -> Reply {
        let key = JobKey::new(query);
        let mut state = lock(&self.state);
        let state = &mut *state;
        if let Some(reply) = state.cache.get(&key) {
            return reply;
        }
        let partial = state.partial.entry(key.clone()).or_default();
        let watch = Watch::default();
        let reply = if time > Duration::ZERO {
            let begin = Instant::now();
            let (mut lease, _) = state.engines.acquire(&GameKey::new(query), query, Queue::Slow);
            let rules = query.rules.non_default_rules(&query.name).unwrap_or_default();
            let mut keep = |answer: &Answer| {
                if completeness(answer) > partial.known.as_deref().map(completeness).unwrap_or_default() {
                    partial.known = Some(Answer { rules: rules.clone(), ..answer.clone() }.into());
                }
            };
            let question = balpan_games::Query { goal: query.goal, nim_value: false };
            let engine = lease.engine(query, &self.limits.tablebase);
            let result =
                within(time, || engine.ask(&query.name, &query.position, question, &watch, &mut |answer| keep(answer)));
            let reply = match result {
                Ok(answer) if answer.complete => {
                    Some(Reply::Answered(Answer { rules: rules.clone(), ..answer }.into()))
                }
                Ok(answer) => {
                    keep(&answer);
                    None
                }
                Err(QueryError::NoAnswer(EngineError::Stopped(_))) => None,
                Err(QueryError::NoAnswer(error)) => Some(Reply::Refused(error)),
                // Unreachable: the position was parsed before.
                Err(QueryError::Text(_)) => Some(Reply::Busy),
            };
            state.engines.release(lease);
            partial.time += begin.elapsed();
            partial.positions += watch.positions();
            reply
        } else {
            None
        };
        let Partial { known, time: after, positions } = partial;
        let (after, positions) = (*after, *positions);
        let reply = match reply {
            Some(reply) => reply,
            None if after >= self.limits.time => Reply::TimedOut(Timeout { after, positions }, known.take()),
            None if !query.may_take_long && time > Duration::ZERO => return Reply::NotStarted(known.clone()),
            None => {
                let (moves_known, moves) = watch.root_moves();
                let (seconds, share) = (after.as_secs_f64(), watch.progress());
                return Reply::Pending(
                    Progress { seconds, positions, moves_known, moves, share, ahead: 0 },
                    known.clone(),
                );
            }
        };
        state.cache.put(key.clone(), &reply);
        state.partial.remove(&key);
        reply
    }
}

/// The longest search of a page that fills in later.
const QUICK_TIME: Duration = Duration::from_millis(300);

/// The longest search of a page that shows nothing without the whole answer, as those of exercises.
const FAST_TIME: Duration = Duration::from_secs(2);

/// The first time slice of a followed question. Each further one is twice as long, so that what a search has to repeat takes no
/// longer than what is new.
const FIRST_TIME_SLICE: Duration = Duration::from_millis(250);

/// The updates of one question, each after a slice of its search.
pub(crate) struct Updates {
    answers: Arc<Answers>,
    query: Query,
    slice: Duration,
    is_over: bool,
}

impl Updates {
    /// Searches for the next update. The first one comes at once with what is known; `None` follows the final reply.
    #[allow(clippy::unused_async, reason = "the server's waits for other threads")]
    pub(crate) async fn next(&mut self) -> Option<Update> {
        if self.is_over {
            return None;
        }
        let reply = self.answers.solve(&self.query, self.slice);
        self.slice = FIRST_TIME_SLICE.max(2 * self.slice);
        self.is_over = !matches!(reply, Reply::Pending(..));
        Some(Update::Reply(reply))
    }
}
