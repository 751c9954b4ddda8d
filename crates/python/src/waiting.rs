//! Work with the interpreter released, while signals, deadlines and progress callbacks are served.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use balpan::Watch;
use pyo3::prelude::*;

use crate::errors::{seconds_error, thread_error};
use crate::own::call::{run_rules, stopped_error};

/// The interval between two checks for signals.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The interval between two calls of a progress function.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The stack of worker threads: functions of the caller may recurse deeply.
const STACK_BYTES: usize = 64 << 20;

/// The deadline of some work, and the caller's progress function.
pub(crate) struct RunControl {
    end: Option<Instant>,
    progress: Option<Progress>,
}

/// A function that is called with the number of positions searched since its last call.
struct Progress {
    callback: Py<PyAny>,
    /// The number of positions reported so far.
    reported: u64,
    last_call: Instant,
}

impl RunControl {
    /// A deadline in seconds from now, and a progress function.
    pub(crate) fn new(py: Python<'_>, seconds: Option<f64>, progress: Option<Py<PyAny>>) -> PyResult<Self> {
        let time = seconds.map(|seconds| duration(py, "deadline", seconds)).transpose()?;
        let end = time.and_then(|time| Instant::now().checked_add(time));
        let progress = progress.map(|callback| Progress { callback, reported: 0, last_call: Instant::now() });
        Ok(Self { end, progress })
    }

    /// Neither a deadline nor a progress function.
    pub(crate) const fn unlimited() -> Self {
        Self { end: None, progress: None }
    }

    /// Stops the watch if the deadline has passed.
    fn check_deadline(&mut self, watch: &Watch) {
        if self.end.take_if(|end| Instant::now() >= *end).is_some() {
            watch.stop();
        }
    }

    /// Returns the time until the next check.
    fn pause(&self) -> Duration {
        let left = self.end.map_or(POLL_INTERVAL, |end| end.saturating_duration_since(Instant::now()));
        left.clamp(Duration::from_millis(1), POLL_INTERVAL)
    }

    /// Calls the progress function if the interval is over or `is_last` is set.
    fn report_progress(&mut self, py: Python<'_>, watch: &Watch, is_last: bool) -> PyResult<()> {
        let Some(progress) = &mut self.progress else { return Ok(()) };
        if !is_last && progress.last_call.elapsed() < PROGRESS_INTERVAL {
            return Ok(());
        }
        progress.last_call = Instant::now();
        // The count may have restarted.
        let searched = watch.positions();
        let more = searched.checked_sub(progress.reported).unwrap_or(searched);
        progress.reported = searched;
        if more > 0 {
            progress.callback.call1(py, (more,))?;
        }
        Ok(())
    }
}

/// Converts an argument in seconds.
pub(crate) fn duration(py: Python<'_>, name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| seconds_error(py, name, seconds))
}

/// Runs `work` on a thread of its own with the interpreter released. Meanwhile signals are checked and `tick` is
/// called at intervals, with whether an exception has stopped the work.
///
/// An exception of a signal handler (Ctrl-C), of the progress function or of `tick` stops the work and is returned.
pub(crate) fn run_with_tick<T: Send>(
    py: Python<'_>,
    watch: &Watch,
    mut control: RunControl,
    mut tick: impl FnMut(Python<'_>, bool) -> PyResult<()> + Send,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    py.detach(move || {
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                let done = work(watch);
                // Ends the loop below.
                drop(sender);
                done
            });
            let worker = worker.map_err(|error| Python::attach(|py| thread_error(py, &error)))?;
            let mut failed = None;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(control.pause()) {
                control.check_deadline(watch);
                let checked = Python::attach(|py| {
                    tick(py, failed.is_some())?;
                    if failed.is_none() {
                        py.check_signals()?;
                        control.report_progress(py, watch, false)?;
                    }
                    Ok(())
                });
                if let Err(error) = checked {
                    watch.stop();
                    failed.get_or_insert(error);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            if failed.is_none() && control.progress.is_some() {
                failed = Python::attach(|py| control.report_progress(py, watch, true)).err();
            }
            failed.map_or(Ok(done), Err)
        })
    })
}

/// Runs `work` as [`run_with_tick`] does, without a tick of its own. `work` may call methods of games written in Python.
pub(crate) fn run_interruptible<T: Send>(
    py: Python<'_>,
    control: RunControl,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    run_rules(py, control, work)?.ok_or_else(|| stopped_error(py))
}

/// Calls `poll` with the interpreter released until it returns a value. Signals are checked between the calls.
pub(crate) fn poll_until<T: Send>(py: Python<'_>, mut poll: impl FnMut(Duration) -> Option<T> + Send) -> PyResult<T> {
    loop {
        if let Some(found) = py.detach(|| poll(POLL_INTERVAL)) {
            return Ok(found);
        }
        py.check_signals()?;
    }
}
