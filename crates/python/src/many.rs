//! Answers to many positions, searched in parallel and returned in order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::Watch;
use balpan_games::{Answer, EngineCache, Query, QueryError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use pythonize::pythonize;

use crate::errors::{argument_error, error, text_answer_error, thread_error};
use crate::game::Shared;
use crate::own::call::{Call, INTERRUPT_GRACE, attached, stopped_error};
use crate::waiting::{duration, poll_until};

/// The most positions of a chunk. The first chunks have one position each, later ones more and more.
const MAX_CHUNK: usize = 32;

/// Chunks that are sent ahead for each thread, so that none is idle.
const CHUNKS_AHEAD_PER_THREAD: usize = 4;

type AnswerResult = PyResult<Answer>;
type Chunk<T> = (usize, Vec<T>);

/// An iterator over the answers to many positions, in their order.
///
/// Some hundred positions are read ahead. The searches run on their own threads and stop when the iterator is dropped.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct Many {
    state: Mutex<State>,
    watch: Watch,
}

struct State {
    positions: Option<Py<PyIterator>>,
    /// An exception of the positions' iterator, which is raised after the answers before it.
    failure: Option<PyErr>,
    sender: Option<SyncSender<Chunk<String>>>,
    receiver: Receiver<Chunk<AnswerResult>>,
    /// The number of chunks sent to the workers.
    sent: usize,
    /// The number of chunks returned to the caller.
    returned: usize,
    /// Answered chunks by number.
    answered: BTreeMap<usize, Vec<AnswerResult>>,
    /// The rest of the chunk that is being returned.
    current: std::vec::IntoIter<AnswerResult>,
    /// The most chunks that may be sent and not returned.
    max_ahead: usize,
}

impl Many {
    /// Starts the workers.
    pub(crate) fn start(
        shared: Arc<Shared>,
        positions: &Bound<'_, PyAny>,
        question: Query,
        deadline: Option<f64>,
        threads: usize,
    ) -> PyResult<Self> {
        let py = positions.py();
        let deadline = deadline.map(|seconds| duration(py, "deadline", seconds)).transpose()?;
        let positions = positions.try_iter().map_err(|_| {
            let message = format!("positions is {}, which has no items", repr(positions));
            argument_error(py, &message, "expected an iterable of positions")
        })?;
        let (sender, jobs) = sync_channel::<Chunk<String>>(threads * CHUNKS_AHEAD_PER_THREAD);
        let (done, receiver) = channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let watch = Watch::default();
        for _ in 0..threads {
            let worker = Worker {
                shared: Arc::clone(&shared),
                jobs: Arc::clone(&jobs),
                done: done.clone(),
                watch: watch.clone(),
                question,
                deadline,
            };
            let is_own = shared.is_own();
            let started = thread::Builder::new()
                .spawn(move || if is_own { attached(|| worker.run(threads)) } else { worker.run(threads) });
            started.map_err(|error| thread_error(py, &error))?;
        }
        let state = State {
            positions: Some(positions.unbind()),
            failure: None,
            sender: Some(sender),
            receiver,
            sent: 0,
            returned: 0,
            answered: BTreeMap::new(),
            current: Vec::new().into_iter(),
            max_ahead: threads * CHUNKS_AHEAD_PER_THREAD,
        };
        Ok(Self { state: Mutex::new(state), watch })
    }
}

/// A thread that answers positions.
struct Worker {
    shared: Arc<Shared>,
    jobs: Arc<Mutex<Receiver<Chunk<String>>>>,
    done: Sender<Chunk<AnswerResult>>,
    watch: Watch,
    question: Query,
    deadline: Option<Duration>,
}

impl Worker {
    fn run(self, threads: usize) {
        let mut engines = self.shared.take_idle(threads);
        loop {
            let job = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, positions)) = job else { break };
            let mut answers = Vec::with_capacity(positions.len());
            for position in positions {
                if self.watch.is_stopping() {
                    break;
                }
                let answer = if self.shared.is_own() {
                    self.answer_own(&mut engines, &position, threads)
                } else {
                    let watch = self.watch.child(u64::MAX);
                    let answer = self.ask_within(&watch, None, || self.ask(&mut engines, &position, &watch));
                    answer.map_err(|error| Python::attach(|py| text_answer_error(py, &error)))
                };
                answers.push(answer.map(|answer| self.shared.with_rules(answer)));
            }
            if self.watch.is_stopping() || self.done.send((number, answers)).is_err() {
                break;
            }
        }
        self.shared.give_back(engines);
    }

    fn ask(&self, engines: &mut EngineCache, position: &str, watch: &Watch) -> Result<Answer, QueryError> {
        engines.ask(position.trim(), self.question, watch, &mut |_| {})
    }

    /// Answers a position of a game written in Python. The engines of an aborted search are not used again.
    fn answer_own(&self, engines: &mut EngineCache, position: &str, threads: usize) -> AnswerResult {
        let watch = self.watch.child(u64::MAX);
        let call = Call::new(&watch);
        let answer = self.ask_within(&watch, Some(&call), || call.answer(|| self.ask(engines, position, &watch)));
        if !matches!(answer, Ok(Some(_))) {
            *engines = self.shared.new_engines(threads);
        }
        answer?.ok_or_else(|| Python::attach(stopped_error))
    }

    /// Runs `ask`, and stops the watch after the deadline.
    fn ask_within<T>(&self, watch: &Watch, call: Option<&Call>, ask: impl FnOnce() -> T) -> T {
        let Some(time) = self.deadline else { return ask() };
        let begin = Instant::now();
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            scope.spawn(move || {
                let mut pause = time.saturating_sub(begin.elapsed());
                while receiver.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    watch.stop();
                    pause = INTERRUPT_GRACE;
                    // An exception of the interrupt is of no use here: it is tried again.
                    let _ = call.map(Call::tick);
                }
            });
            let answer = ask();
            drop(sender);
            answer
        })
    }
}

#[pymethods]
impl Many {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(mut state) = self.state.try_lock() else {
            let message = "another thread is waiting for the next answer";
            return Err(error(py, "NoAnswerError", message, "let one thread take the answers"));
        };
        match state.next(py)? {
            None => Ok(None),
            Some(Ok(answer)) => Ok(Some(pythonize(py, &answer)?)),
            Some(Err(error)) => Err(error),
        }
    }
}

impl State {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<AnswerResult>> {
        loop {
            if let Some(answer) = self.current.next() {
                return Ok(Some(answer));
            }
            self.send_positions(py);
            if self.returned == self.sent {
                // All answers before the exception are returned.
                return self.failure.take().map_or(Ok(None), Err);
            }
            while !self.answered.contains_key(&self.returned) {
                let receiver = Mutex::new(&mut self.receiver);
                let found = poll_until(py, |pause| {
                    let receiver: MutexGuard<'_, &mut Receiver<_>> =
                        receiver.lock().unwrap_or_else(PoisonError::into_inner);
                    match receiver.recv_timeout(pause) {
                        Ok(found) => Some(Some(found)),
                        Err(RecvTimeoutError::Disconnected) => Some(None),
                        Err(RecvTimeoutError::Timeout) => None,
                    }
                })?;
                let Some((number, answers)) = found else {
                    let message = "the threads that answer have ended";
                    return Err(error(py, "NoAnswerError", message, "ask again, with less memory or fewer threads"));
                };
                self.answered.insert(number, answers);
            }
            self.current = self.answered.remove(&self.returned).unwrap_or_default().into_iter();
            self.returned += 1;
        }
    }

    /// Sends positions to the workers until enough are ahead or there are no more.
    fn send_positions(&mut self, py: Python<'_>) {
        while let Some(positions) = &self.positions
            && self.sent - self.returned < self.max_ahead
        {
            let mut positions = positions.bind(py).clone();
            let size = MAX_CHUNK.min(1 << (self.sent / self.max_ahead).min(8));
            let mut chunk = Vec::with_capacity(size);
            let mut is_end = false;
            while chunk.len() < size {
                match positions.next() {
                    None => is_end = true,
                    Some(position) => match position.and_then(|position| position_text(&position)) {
                        Ok(text) => {
                            chunk.push(text);
                            continue;
                        }
                        Err(error) => {
                            self.failure = Some(error);
                            is_end = true;
                        }
                    },
                }
                break;
            }
            if !chunk.is_empty() {
                let job = (self.sent, chunk);
                // The channel has room for `max_ahead` chunks.
                let sent = self.sender.as_ref().is_some_and(|sender| sender.try_send(job).is_ok());
                self.sent += usize::from(sent);
                is_end |= !sent;
            }
            if is_end {
                (self.positions, self.sender) = (None, None);
            }
        }
    }
}

/// Returns a position's text: a string, or the `text` attribute of an object.
fn position_text(position: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = position.extract::<String>().or_else(|_| position.getattr("text")?.extract());
    text.map_err(|_: PyErr| {
        let message = format!("{} is no position", repr(position));
        error(position.py(), "PositionError", &message, "expected text, or a `Position`")
    })
}

/// Returns Python's `repr` of a value.
pub(crate) fn repr(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "something that has no repr".to_owned(), |text| text.to_string())
}

impl Drop for Many {
    fn drop(&mut self) {
        self.watch.stop();
    }
}
