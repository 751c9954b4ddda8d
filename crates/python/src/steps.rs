//! The successive states of an answer.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use balpan::Watch;
use balpan_games::{Answer, Query};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::errors::thread_error;
use crate::game::Shared;
use crate::own::call::{Call, attached, stopped_error};
use crate::waiting::{duration, poll_until};

/// An iterator over the successive states of an answer.
///
/// The search runs on its own thread and stops when the iterator is dropped.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct Steps {
    states: Mutex<Receiver<PyResult<Answer>>>,
    call: Arc<Call>,
    end: Option<Instant>,
}

impl Steps {
    /// Starts the search.
    pub(crate) fn start(
        py: Python<'_>,
        shared: Arc<Shared>,
        position: String,
        question: Query,
        deadline: Option<f64>,
    ) -> PyResult<Self> {
        let time = deadline.map(|seconds| duration(py, "deadline", seconds)).transpose()?;
        let (sender, states) = channel();
        let call = Call::new(&Watch::default());
        let worker_call = Arc::clone(&call);
        let work = move || {
            let mut last = None;
            let mut send = |answer: Answer| {
                let is_new = last.as_ref().is_none_or(|last| !is_same(last, &answer));
                last = Some(answer.clone());
                if is_new {
                    // If the receiver is gone, the watch has stopped the search.
                    let _ = sender.send(Ok(answer));
                }
            };
            let mut report = |answer: &Answer| send(shared.with_rules(answer.clone()));
            let ask = || shared.ask(&position, question, &worker_call.watch, &mut report);
            match attached(|| worker_call.answer(ask)) {
                Ok(Some(answer)) => send(answer),
                // The last state was sent.
                Ok(None) if last.is_some() => {}
                failed => {
                    let error = failed.err().unwrap_or_else(|| Python::attach(stopped_error));
                    let _ = sender.send(Err(error));
                }
            }
        };
        let worker = thread::Builder::new().spawn(work);
        worker.map_err(|error| thread_error(py, &error))?;
        let end = time.and_then(|time| Instant::now().checked_add(time));
        Ok(Self { states: Mutex::new(states), call, end })
    }
}

/// Whether two states are equal except for their costs.
fn is_same(one: &Answer, other: &Answer) -> bool {
    let cost = |answer: &Answer| Answer { seconds: 0.0, positions_searched: 0, ..answer.clone() };
    cost(one) == cost(other)
}

#[pymethods]
impl Steps {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let state = poll_until(py, |pause| {
            if self.end.is_some_and(|end| Instant::now() >= end) {
                self.call.watch.stop();
            }
            if let Err(error) = self.call.tick() {
                return Some(Some(Err(error)));
            }
            let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
            match states.recv_timeout(pause) {
                Ok(state) => Some(Some(state)),
                Err(RecvTimeoutError::Disconnected) => Some(None),
                Err(RecvTimeoutError::Timeout) => None,
            }
        })?;
        match state {
            None => Ok(None),
            Some(Ok(answer)) => Ok(Some(pythonize(py, &answer)?)),
            Some(Err(error)) => Err(error),
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.call.watch.stop();
    }
}
