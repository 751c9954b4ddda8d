//! Work done with the interpreter let go, while its signals and clocks are looked at.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use balpan::Watch;
use pyo3::prelude::*;

use crate::errors::{of_seconds, of_thread};

/// How long signals wait to be looked at.
pub(crate) const TICK: Duration = Duration::from_millis(20);

/// Somebody is told of progress so often.
const PROGRESS: Duration = Duration::from_millis(100);

/// The stack of those who work: what a caller's function calls may recurse deeply.
const STACK: usize = 64 << 20;

/// Until when there is time, and who is told how far the work is.
pub(crate) struct Patience {
    end: Option<Instant>,
    progress: Option<Progress>,
}

/// A function that is called with the number of positions searched since the last time.
struct Progress {
    tell: Py<PyAny>,
    told: u64,
    last: Instant,
}

impl Patience {
    /// A number of seconds, and a function that is called with progress.
    pub(crate) fn new(py: Python<'_>, seconds: Option<f64>, progress: Option<Py<PyAny>>) -> PyResult<Self> {
        let time = seconds.map(|seconds| duration(py, "deadline", seconds)).transpose()?;
        let end = time.and_then(|time| Instant::now().checked_add(time));
        let progress = progress.map(|tell| Progress { tell, told: 0, last: Instant::now() });
        Ok(Self { end, progress })
    }

    /// No end, and nobody who is told.
    pub(crate) const fn endless() -> Self {
        Self { end: None, progress: None }
    }

    /// Stops what has no more time.
    fn look(&mut self, watch: &Watch) {
        if self.end.take_if(|end| Instant::now() >= *end).is_some() {
            watch.stop();
        }
    }

    /// How long nothing has to be looked at.
    fn pause(&self) -> Duration {
        let left = self.end.map_or(TICK, |end| end.saturating_duration_since(Instant::now()));
        left.clamp(Duration::from_millis(1), TICK)
    }

    /// Tells of progress, if it is time for that, or `at_last`.
    fn tell(&mut self, py: Python<'_>, watch: &Watch, at_last: bool) -> PyResult<()> {
        let Some(progress) = &mut self.progress else { return Ok(()) };
        if !at_last && progress.last.elapsed() < PROGRESS {
            return Ok(());
        }
        progress.last = Instant::now();
        // A count that began anew.
        let searched = watch.positions();
        let more = searched.checked_sub(progress.told).unwrap_or(searched);
        progress.told = searched;
        if more > 0 {
            progress.tell.call1(py, (more,))?;
        }
        Ok(())
    }
}

/// A number of seconds that a caller gives, by the name of the argument.
pub(crate) fn duration(py: Python<'_>, name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| of_seconds(py, name, seconds))
}

/// Does the work on a thread of its own, with the interpreter let go; until it is done, signals
/// are looked at, and `tick` is called now and then.
///
/// An exception of a signal's handler (Ctrl-C), of a function that is told of progress, or of
/// `tick` stops the work, and is what comes of it.
pub(crate) fn watched_with<T: Send>(
    py: Python<'_>,
    watch: &Watch,
    mut patience: Patience,
    mut tick: impl FnMut(Python<'_>, bool) -> PyResult<()> + Send,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    py.detach(move || {
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let done = work(watch);
                // Nobody waits for more than this.
                drop(sender);
                done
            });
            let worker = worker.map_err(|failed| Python::attach(|py| of_thread(py, &failed)))?;
            let mut failed = None;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(patience.pause()) {
                patience.look(watch);
                let looked = Python::attach(|py| {
                    tick(py, failed.is_some())?;
                    if failed.is_none() {
                        py.check_signals()?;
                        patience.tell(py, watch, false)?;
                    }
                    Ok(())
                });
                if let Err(error) = looked {
                    watch.stop();
                    failed.get_or_insert(error);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            if failed.is_none() && patience.progress.is_some() {
                failed = Python::attach(|py| patience.tell(py, watch, true)).err();
            }
            failed.map_or(Ok(done), Err)
        })
    })
}

/// Does the work as [`watched_with`], and nothing beside.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    patience: Patience,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    watched_with(py, &Watch::default(), patience, |_, _| Ok(()), work)
}

/// Waits until something is there, with the interpreter let go; signals are looked at.
pub(crate) fn awaited<T: Send>(py: Python<'_>, mut is_there: impl FnMut(Duration) -> Option<T> + Send) -> PyResult<T> {
    loop {
        if let Some(found) = py.detach(|| is_there(TICK)) {
            return Ok(found);
        }
        py.check_signals()?;
    }
}
