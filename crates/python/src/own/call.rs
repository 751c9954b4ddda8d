//! Work that calls methods of games written in Python: how it is stopped, and how it fails.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::{EngineError, RulesFailure, Stopped, Watch, with_stack_for};
use balpan_games::{Answer, QueryError};
use pyo3::prelude::*;

use crate::errors::{engine_error, error, text_answer_error};
use crate::waiting::{POLL_INTERVAL, RunControl, run_with_tick};

/// How long a method of a game may run after its search was stopped before an exception is raised in it; also the
/// interval to the next one, if it catches that.
pub(crate) const INTERRUPT_GRACE: Duration = Duration::from_millis(200);

/// How long the interpreter waits at its exit for methods that are running.
const EXIT_GRACE: Duration = Duration::from_secs(1);

/// The panic payload of aborted work.
struct Aborted;

/// Work on one thread that may call methods of games.
#[derive(Default)]
pub(crate) struct Call {
    pub(crate) watch: Watch,
    /// Python's identifier of the working thread, while it may be interrupted.
    thread: Mutex<Option<u64>>,
    /// When an exception is next raised in that thread, once the watch has stopped.
    interrupt_at: Mutex<Option<Instant>>,
    /// Whether one was raised: exceptions of its methods are then ignored.
    is_interrupted: AtomicBool,
    /// The exception that a method raised.
    failure: Mutex<Option<PyErr>>,
}

thread_local! {
    /// The work of this thread.
    static CALL: RefCell<Option<Arc<Call>>> = const { RefCell::new(None) };
    /// The methods that are running on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Whether the interpreter is about to exit: no further method is called.
static IS_EXITING: AtomicBool = AtomicBool::new(false);

/// The methods that are running on all threads.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Call {
    pub(crate) fn new(watch: &Watch) -> Arc<Self> {
        Arc::new(Self { watch: watch.clone(), ..Self::default() })
    }

    /// Does the work on this thread. `None` if it was aborted; `Err` with the exception if a method raised one.
    pub(crate) fn work<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> PyResult<Option<T>> {
        let ident = |py: Python<'_>| py.import("threading")?.call_method0("get_ident")?.extract();
        *lock(&self.thread) = Some(Python::attach(ident)?);
        let before = CALL.replace(Some(Arc::clone(self)));
        let done = catch_unwind(AssertUnwindSafe(work));
        CALL.set(before);
        // An interrupting thread may hold the lock and wait for the interpreter.
        Python::attach(|py| py.detach(|| *lock(&self.thread) = None));
        if self.is_interrupted.load(SeqCst) {
            // An exception that was not raised yet is raised here, and not in the thread's next work.
            let _ = Python::attach(|py| py.run(c"for _ in (0, 1): pass", None, None));
        }
        match (lock(&self.failure).take(), done) {
            (Some(error), _) => Err(error),
            (None, Ok(done)) => Ok(Some(done)),
            (None, Err(panic)) if panic.is::<Aborted>() => Ok(None),
            (None, Err(panic)) => Err(match panic.downcast::<RulesFailure>() {
                // Of a thread that the work has started.
                Ok(failure) => Python::attach(|py| error(py, "GameError", &failure.0, "")),
                Err(panic) => resume_unwind(panic),
            }),
        }
    }

    /// Answers a question on this thread. `None` if the search was aborted before anything was known.
    pub(crate) fn answer(
        self: &Arc<Self>,
        ask: impl FnOnce() -> Result<Answer, QueryError>,
    ) -> PyResult<Option<Answer>> {
        self.work(ask)?.transpose().map_err(|error| Python::attach(|py| text_answer_error(py, &error)))
    }

    /// Raises an exception in the working thread, to end a method of a game, if the work goes on for a while after its
    /// watch has stopped.
    pub(crate) fn tick(&self) -> PyResult<()> {
        let now = Instant::now();
        let mut interrupt_at = lock(&self.interrupt_at);
        if !self.watch.is_stopping() || now < *interrupt_at.get_or_insert(now + INTERRUPT_GRACE) {
            return Ok(());
        }
        *interrupt_at = Some(now + INTERRUPT_GRACE);
        drop(interrupt_at);
        Python::attach(|py| {
            let interrupt = py.import("balpan._interrupt")?.getattr("interrupt")?;
            // The lock is held so that the exception cannot hit other work of that thread.
            let thread = lock(&self.thread);
            if let Some(thread) = *thread {
                self.is_interrupted.store(true, SeqCst);
                interrupt.call1((thread,))?;
            }
            Ok(())
        })
    }
}

/// Runs work with a large stack for deep play, on a thread that is attached to Python all the time: attaching it anew for
/// each position took ten times as long as everything else.
pub(crate) fn attached<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    with_stack_for(None, || Python::attach(|py| py.detach(work)))
}

/// Runs work on a thread of its own, as [`run_with_tick`] does. `None` if it was aborted by its deadline.
pub(crate) fn run_rules<T: Send>(
    py: Python<'_>,
    control: RunControl,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<Option<T>> {
    let watch = Watch::default();
    let call = Call::new(&watch);
    run_with_tick(py, &watch, control, |_, _| call.tick(), |watch| attached(|| call.work(|| work(watch))))?
}

/// Runs quick work on this thread. An exception of a method is returned.
pub(crate) fn guard<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    Call::new(&Watch::default()).work(work)?.ok_or_else(|| stopped_error(py))
}

/// Returns the error for work that was aborted.
pub(crate) fn stopped_error(py: Python<'_>) -> PyErr {
    engine_error(py, &EngineError::Stopped(Stopped::Interrupted))
}

/// Aborts the work if its watch has stopped, or the interpreter exits.
pub(super) fn check_interrupt() {
    let is_stopping = CALL.with_borrow(|call| call.as_ref().is_some_and(|call| call.watch.is_stopping()));
    if is_stopping || IS_EXITING.load(SeqCst) {
        resume_unwind(Box::new(Aborted));
    }
}

/// Calls a method of a game. An exception or a stop aborts the work, because any substitute answer would be taken for true.
pub(super) fn call_method<T>(method: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
    RUNNING.fetch_add(1, SeqCst);
    DEPTH.set(DEPTH.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(|| {
        check_interrupt();
        Python::attach(method)
    }));
    DEPTH.set(DEPTH.get() - 1);
    RUNNING.fetch_sub(1, SeqCst);
    result.unwrap_or_else(|panic| resume_unwind(panic)).unwrap_or_else(|error| fail(error))
}

/// Aborts the work with the exception of a method.
pub(super) fn fail(error: PyErr) -> ! {
    let Some(call) = CALL.with_borrow(Clone::clone) else {
        let message = Python::attach(|py| describe(py, &error));
        resume_unwind(Box::new(RulesFailure(message)));
    };
    if !call.is_interrupted.load(SeqCst) {
        lock(&call.failure).get_or_insert(error);
    }
    resume_unwind(Box::new(Aborted))
}

/// Returns the class of an exception, its message and its notes.
fn describe(py: Python<'_>, error: &PyErr) -> String {
    let notes = error.value(py).getattr("__notes__").and_then(|notes| notes.extract::<Vec<String>>());
    std::iter::once(error.to_string()).chain(notes.unwrap_or_default()).collect::<Vec<_>>().join(", ")
}

/// Whether this thread runs a method of a game.
pub(crate) fn is_within_rules() -> bool {
    DEPTH.get() > 0
}

/// Prepares for the exit of the interpreter: no further method is called, and those that are running end or are left.
#[pyfunction]
pub(crate) fn at_exit(py: Python<'_>) {
    IS_EXITING.store(true, SeqCst);
    py.detach(|| {
        let end = Instant::now() + EXIT_GRACE;
        while RUNNING.load(SeqCst) > 0 && Instant::now() < end {
            sleep(POLL_INTERVAL);
        }
    });
}
