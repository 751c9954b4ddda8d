//! Answers to the questions of many clients, within bounds on time, memory, concurrency and waiting questions.
//!
//! Every question first goes through the fast queue, where many workers give each a short time and little memory, which
//! suffices for most positions. A question that is not solved there moves to the slow queue, whose workers leave a core
//! to the fast queue. So hard questions wait for each other, and easy ones for none of them.
//!
//! Each game has one large engine, which takes hard questions one after the other, and small ones for easy questions
//! that come while it is busy. Engines are kept between questions, as far as memory allows. Partial answers are
//! published while a question is being solved.

mod cache;
mod engines;
#[cfg(not(feature = "server"))]
mod inline;
#[cfg(feature = "server")]
mod job;
#[cfg(feature = "server")]
mod queued;
#[cfg(feature = "server")]
mod scheduler;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use balpan::{EngineError, Goal};
use balpan_games::{Answer, AnyGame, RulesFile};
use balpan_strong::Tablebase;
use serde::Serialize;
use utoipa::ToSchema;

use crate::certificates::Certificates;
#[cfg(feature = "server")]
use crate::server::public::PublicLimits;
#[cfg(not(feature = "server"))]
pub use inline::Answers;
#[cfg(not(feature = "server"))]
pub(crate) use inline::{Updates, within};
#[cfg(feature = "server")]
pub use queued::Answers;
#[cfg(feature = "server")]
pub(crate) use queued::Updates;

/// The resources that answering may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest wait of a request for a complete answer. After it, the request gets what is known.
    pub patience: Duration,
    /// The longest time that one question is searched.
    pub time: Duration,
    /// How long a question is kept that nobody waits for. Pages and programs ask again within two seconds.
    pub abandoned_after: Duration,
    /// Bytes for the tables of all engines together.
    pub memory: usize,
    /// Hard questions that are solved at the same time, each by one thread.
    pub running: usize,
    /// Hard questions that may wait besides.
    pub waiting: usize,
    /// Bytes of cached answers.
    pub cached: usize,
    /// Pages and programs that may follow a question at the same time.
    pub followers: usize,
    /// Strong solutions and books, which are consulted before a search.
    pub tablebase: Tablebase,
    /// The certificates to show.
    pub certificates: Arc<Certificates>,
    /// The limits of each client, if the server is public.
    #[cfg(feature = "server")]
    pub public: Option<PublicLimits>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(5),
            time: Duration::from_secs(600),
            abandoned_after: Duration::from_secs(10),
            memory: 1 << 30,
            running: cores().saturating_sub(1).max(1),
            waiting: 64,
            cached: 64 << 20,
            followers: 128,
            tablebase: Tablebase::with_books(),
            certificates: Arc::default(),
            #[cfg(feature = "server")]
            public: None,
        }
    }
}

/// Returns the number of threads that the machine runs at once.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A question about a position.
pub(crate) struct Query {
    /// The game's name.
    pub(crate) name: String,
    pub(crate) rules: RulesFile,
    /// The game, starting from the position.
    pub(crate) game: AnyGame,
    /// The position's text.
    pub(crate) position: String,
    /// How far to solve; `None` means as far as is within reach.
    pub(crate) goal: Option<Goal>,
    /// Whether the question may enter the slow queue.
    pub(crate) may_take_long: bool,
}

impl Query {
    /// Creates a question about a game's start, which may take long.
    pub(crate) fn new(rules: RulesFile, game: AnyGame, goal: Option<Goal>) -> Self {
        Self { name: rules.name.clone(), rules, position: game.start_text(), game, goal, may_take_long: true }
    }
}

/// The state of a question when a request ends. Partial answers are true as far as they go.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// The complete answer.
    Answered(Arc<Answer>),
    /// The question is queued or being solved: ask again.
    Pending(Progress, Option<Arc<Answer>>),
    /// The search reached its time limit.
    TimedOut(Timeout, Option<Arc<Answer>>),
    /// The question needs the slow queue, and [may not](Query::may_take_long) enter it.
    NotStarted(Option<Arc<Answer>>),
    /// Too many questions wait.
    Busy,
    /// The engine cannot answer the question.
    Refused(EngineError),
}

impl Reply {
    /// Returns what is known of the position, complete or not.
    pub(crate) fn answer(&self) -> Option<&Arc<Answer>> {
        match self {
            Self::Answered(answer) => Some(answer),
            Self::Pending(_, known) | Self::TimedOut(_, known) | Self::NotStarted(known) => known.as_ref(),
            Self::Busy | Self::Refused(_) => None,
        }
    }

    /// Returns what is known of the position, complete or not.
    ///
    /// # Errors
    /// The engine's, if it cannot answer the question.
    pub(crate) fn known(self) -> Result<Option<Arc<Answer>>, EngineError> {
        match self {
            Self::Refused(error) => Err(error),
            reply => Ok(reply.answer().cloned()),
        }
    }
}

/// How long a request waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Until the answer is complete, at most [`Limits::patience`].
    UntilComplete,
    /// Until the outcome is known, at most a second: the page fills in later.
    UntilOutcome,
    /// The request does not wait.
    Never,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = HowFar)]
pub(crate) struct Progress {
    /// Seconds since the question was first asked.
    pub(crate) seconds: f64,
    /// Positions searched.
    pub(crate) positions: u64,
    /// Moves of the position that are solved.
    pub(crate) moves_known: u64,
    /// All moves of the position; 0 while they are not counted.
    pub(crate) moves: u64,
    /// The part of the current step that is done, from 0 to 1; 0 if unknown.
    pub(crate) share: f64,
    /// Questions that come before this one; 0 when it is being solved.
    pub(crate) ahead: usize,
}

/// The cost of a search that reached its time limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timeout {
    /// The time that the search took.
    pub(crate) after: Duration,
    /// Positions searched.
    pub(crate) positions: u64,
}

/// A step of a followed question.
pub(crate) enum Update {
    /// More is known, or the question is done.
    Reply(Reply),
    /// The search goes on and nothing more is known.
    #[cfg_attr(not(feature = "server"), allow(dead_code, reason = "a search in this thread tells its observer"))]
    Progress(Progress),
}

/// Locks data that stays valid if a thread panics: each change of it is a single step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, feature = "server"))]
mod tests;
