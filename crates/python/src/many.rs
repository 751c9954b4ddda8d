//! Many positions, answered side by side and told in their order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::Watch;
use balpan_games::{Answer, Engines, NoTextAnswer, Question};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use pythonize::pythonize;

use crate::errors::{error, of_argument, of_text_answer, of_thread};
use crate::game::Shared;
use crate::waiting::{awaited, duration};

/// Positions that are handed over at a time, when there are many; the first are handed over
/// one by one.
const CHUNK: usize = 32;

/// Chunks that each thread has before it, so that none waits.
const AHEAD: usize = 4;

type Told = Result<Answer, NoTextAnswer>;
type Chunk<T> = (usize, Vec<T>);

/// An iterator over the answers of many positions, in their order.
///
/// Positions are read some hundred ahead. The search goes on by itself, and ends when the
/// iterator is dropped.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct Many {
    state: Mutex<State>,
    watch: Watch,
}

struct State {
    positions: Option<Py<PyIterator>>,
    /// An exception of theirs, which is told when its turn comes.
    failed: Option<PyErr>,
    sender: Option<SyncSender<Chunk<String>>>,
    receiver: Receiver<Chunk<Told>>,
    /// Chunks handed over, and chunks told of.
    sent: usize,
    told: usize,
    early: BTreeMap<usize, Vec<Told>>,
    now: std::vec::IntoIter<Told>,
    most_ahead: usize,
}

impl Many {
    /// Begins to answer.
    pub(crate) fn start(
        shared: Arc<Shared>,
        positions: &Bound<'_, PyAny>,
        question: Question,
        deadline: Option<f64>,
        threads: usize,
    ) -> PyResult<Self> {
        let py = positions.py();
        let deadline = deadline.map(|seconds| duration(py, "deadline", seconds)).transpose()?;
        let positions = positions.try_iter().map_err(|_| {
            let message = format!("positions is {}, which has no items", shown(positions));
            of_argument(py, &message, "expected an iterable of positions")
        })?;
        let (sender, jobs) = sync_channel::<Chunk<String>>(threads * AHEAD);
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
            let started = thread::Builder::new().spawn(move || worker.work(threads));
            started.map_err(|failed| of_thread(py, &failed))?;
        }
        let state = State {
            positions: Some(positions.unbind()),
            failed: None,
            sender: Some(sender),
            receiver,
            sent: 0,
            told: 0,
            early: BTreeMap::new(),
            now: Vec::new().into_iter(),
            most_ahead: threads * AHEAD,
        };
        Ok(Self { state: Mutex::new(state), watch })
    }
}

/// One of those who answer.
struct Worker {
    shared: Arc<Shared>,
    jobs: Arc<Mutex<Receiver<Chunk<String>>>>,
    done: Sender<Chunk<Told>>,
    watch: Watch,
    question: Question,
    deadline: Option<Duration>,
}

impl Worker {
    fn work(self, threads: usize) {
        let mut engines = self.shared.spare(threads);
        loop {
            let job = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, positions)) = job else { break };
            let mut answers = Vec::with_capacity(positions.len());
            for position in positions {
                if self.watch.is_stopping() {
                    break;
                }
                answers.push(self.answer(&mut engines, &position));
            }
            if self.watch.is_stopping() || self.done.send((number, answers)).is_err() {
                break;
            }
        }
        self.shared.give_back(engines);
    }

    fn answer(&self, engines: &mut Engines, position: &str) -> Told {
        let part = self.watch.child(u64::MAX);
        let mut ask = || engines.ask(position.trim(), self.question, &part, &mut |_| {});
        let answer = match self.deadline {
            None => ask(),
            Some(time) => within(time, &part, ask),
        }?;
        Ok(self.shared.told(answer))
    }
}

/// Does the work, which the watch is told to stop when its time is up.
fn within<T>(time: Duration, watch: &Watch, work: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    thread::scope(|scope| {
        let (sender, receiver) = channel::<()>();
        scope.spawn(move || {
            if receiver.recv_timeout(time.saturating_sub(begin.elapsed())) == Err(RecvTimeoutError::Timeout) {
                watch.stop();
            }
        });
        let done = work();
        drop(sender);
        done
    })
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
            Some(Err(none)) => Err(of_text_answer(py, &none)),
        }
    }
}

impl State {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Told>> {
        loop {
            if let Some(told) = self.now.next() {
                return Ok(Some(told));
            }
            self.hand_over(py);
            if self.told == self.sent {
                // What came before it is told.
                return self.failed.take().map_or(Ok(None), Err);
            }
            while !self.early.contains_key(&self.told) {
                let receiver = Mutex::new(&mut self.receiver);
                let found = awaited(py, |pause| {
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
                self.early.insert(number, answers);
            }
            self.now = self.early.remove(&self.told).unwrap_or_default().into_iter();
            self.told += 1;
        }
    }

    /// Hands positions over, until there are enough ahead or no more.
    fn hand_over(&mut self, py: Python<'_>) {
        while let Some(positions) = &self.positions
            && self.sent - self.told < self.most_ahead
        {
            let mut positions = positions.bind(py).clone();
            let many = CHUNK.min(1 << (self.sent / self.most_ahead).min(8));
            let mut chunk = Vec::with_capacity(many);
            let mut is_end = false;
            while chunk.len() < many {
                match positions.next() {
                    None => is_end = true,
                    Some(position) => match position.and_then(|position| text_of(&position)) {
                        Ok(text) => {
                            chunk.push(text);
                            continue;
                        }
                        Err(error) => {
                            self.failed = Some(error);
                            is_end = true;
                        }
                    },
                }
                break;
            }
            if !chunk.is_empty() {
                let job = (self.sent, chunk);
                // There is room for as many as may be ahead.
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

/// A position's text: a string, or something whose `text` is one.
fn text_of(position: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = position.extract::<String>().or_else(|_| position.getattr("text")?.extract());
    text.map_err(|_: PyErr| {
        let message = format!("{} is no position", shown(position));
        error(position.py(), "PositionError", &message, "expected text, or a `Position`")
    })
}

/// A value as Python shows it.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "something that has no repr".to_owned(), |shown| shown.to_string())
}

impl Drop for Many {
    fn drop(&mut self) {
        self.watch.stop();
    }
}
