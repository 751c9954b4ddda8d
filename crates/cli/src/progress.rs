//! Long work, watched: a line on standard error where that is a terminal, what is known by
//! then, deadlines, and Ctrl-C.

mod line;
mod resident;

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use balpan::Watch;

use crate::failure::{Failure, print};
use line::Line;
pub(crate) use line::Positions;

/// Work that is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// So long has work that was told to stop, before the command ends all the same.
const GRACE: Duration = Duration::from_millis(700);

/// So long has it after a second Ctrl-C. Programs that are being tried are stopped within a
/// moment: they would be left.
const SHORT_GRACE: Duration = Duration::from_millis(300);

/// Signals within this time are one: `timeout` and some shells send it to the process and to its group.
const ONE_SIGNAL: Duration = Duration::from_millis(250);

/// How often the memory is looked at, where it is limited.
const MEMORY_TICK: Duration = Duration::from_millis(20);

/// Why work was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum StopCause {
    /// Ctrl-C, SIGTERM or SIGHUP.
    Signal = 1,
    /// `--deadline`, or another limit of time.
    Deadline,
    /// `--memory`.
    Memory,
}

/// What the command may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) begin: Instant,
    pub(crate) deadline: Option<Duration>,
    pub(crate) memory: Option<usize>,
}

static LIMITS: OnceLock<Limits> = OnceLock::new();

/// The work that Ctrl-C stops, while there is any.
static IN_HAND: Mutex<Option<Watch>> = Mutex::new(None);

/// Why work was stopped: a [`StopCause`], or 0.
static CAUSE: AtomicU8 = AtomicU8::new(0);

/// What was searched by the work that was in hand last.
static POSITIONS: AtomicU64 = AtomicU64::new(0);

/// Sets what all work of the command may take, once.
pub(crate) fn set_limits(limits: Limits) {
    let _ = LIMITS.set(limits);
}

/// The time that was allowed, if any was.
pub(crate) fn deadline() -> Option<Duration> {
    LIMITS.get().and_then(|limits| limits.deadline)
}

/// How long the command has run.
pub(crate) fn elapsed() -> Duration {
    LIMITS.get().map_or(Duration::ZERO, |limits| limits.begin.elapsed())
}

/// What was searched by the work that was in hand last.
pub(crate) fn positions() -> u64 {
    POSITIONS.load(Relaxed)
}

fn set_in_hand(watch: Option<Watch>) {
    *IN_HAND.lock().unwrap_or_else(PoisonError::into_inner) = watch;
}

/// Notes why work is stopped. The first cause counts, except that a signal outranks the others.
fn note_cause(cause: StopCause) {
    match cause {
        StopCause::Signal => CAUSE.store(cause as u8, Relaxed),
        _ => _ = CAUSE.compare_exchange(0, cause as u8, Relaxed, Relaxed),
    }
}

/// Stops the work in hand; ends the command if there is none, or if it was interrupted already.
fn interrupt() {
    static FIRST: Mutex<Option<Instant>> = Mutex::new(None);

    let in_hand = IN_HAND.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let again = was_interrupted();
    note_cause(StopCause::Signal);
    let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    if again && first.is_some_and(|first| first.elapsed() < ONE_SIGNAL) {
        return;
    }
    if !again {
        *first = Some(Instant::now());
    }
    drop(first);
    match in_hand {
        Some(watch) if !again => watch.stop(),
        Some(_) => {
            thread::sleep(SHORT_GRACE);
            std::process::exit(130);
        }
        None => std::process::exit(130),
    }
}

/// Why work was stopped, if it was.
pub(crate) fn stop_cause() -> Option<StopCause> {
    [StopCause::Signal, StopCause::Deadline, StopCause::Memory]
        .into_iter()
        .find(|cause| *cause as u8 == CAUSE.load(Relaxed))
}

/// Whether Ctrl-C, or what else asks the command to end, stopped work.
pub(crate) fn was_interrupted() -> bool {
    stop_cause() == Some(StopCause::Signal)
}

/// The exit code of a command that has printed what it knows, after so many positions. If it was stopped by a signal or
/// for want of memory, says so.
pub(crate) fn end(done: Result<(), Failure>, positions: u64) -> u8 {
    match (done, stop_cause()) {
        // The interrupt has been told already.
        (Err(Failure::Told(130)), Some(StopCause::Signal)) => 130,
        (Ok(()) | Err(Failure::Told(_)), Some(StopCause::Signal | StopCause::Memory)) => {
            Failure::Stopped(positions).tell()
        }
        (Ok(()), _) => 0,
        (Err(failure), _) => failure.tell(),
    }
}

/// Forgets that work was stopped, where the command goes on without its answer.
pub(crate) fn go_on() {
    CAUSE.store(0, Relaxed);
}

/// Who is told how work goes, and tells people what comes of it meanwhile.
pub(crate) trait Viewer {
    /// How the work goes, in a line.
    fn told(&mut self, watch: &Watch, elapsed: Duration) -> String;

    /// What is known for good by now, and is printed.
    fn ready(&mut self) -> Option<String> {
        None
    }

    /// What is known so far, which a terminal shows below the line until there is more.
    fn shown(&mut self) -> Option<String> {
        None
    }

    /// Tells what there is to tell of work that does not stop in time, and the exit code with
    /// which the command ends.
    fn overdue(&mut self, watch: &Watch) -> u8 {
        Failure::Stopped(watch.positions()).tell()
    }
}

/// Tells how work goes by its watch alone.
struct Told(fn(&Watch, Duration) -> String);

impl Viewer for Told {
    fn told(&mut self, watch: &Watch, elapsed: Duration) -> String {
        self.0(watch, elapsed)
    }
}

/// What work in a thread of its own wakes up its viewer with.
pub(crate) struct Waker(Thread);

impl Waker {
    /// Has the viewer look.
    pub(crate) fn wake(&self) {
        self.0.unpark();
    }
}

/// Solves in a thread of its own, telling how it goes; see [`watched_by`].
pub(crate) fn watched<T: Send>(work: impl FnOnce(&Watch) -> T + Send) -> (T, Duration) {
    watched_as(&mut Positions::default(), work)
}

/// The same, saying how it goes as `told` has it.
pub(crate) fn watched_in_words<T: Send>(
    told: fn(&Watch, Duration) -> String,
    work: impl FnOnce(&Watch) -> T + Send,
) -> (T, Duration) {
    watched_as(&mut Told(told), work)
}

fn watched_as<T: Send>(viewer: &mut impl Viewer, work: impl FnOnce(&Watch) -> T + Send) -> (T, Duration) {
    let (result, time, _) = watched_by(viewer, None, |watch, _| work(watch));
    (result, time)
}

/// Does `work` in a thread of its own, telling `viewer` how it goes; Ctrl-C, the `limit`, and the
/// [limits](set_limits) of the whole command stop it through the watch that it is given. A second Ctrl-C ends the command soon, as it
/// ends where the work does not stop in time. Returns how long it took, too, and whether all
/// that was ready could be printed.
pub(crate) fn watched_by<T: Send>(
    viewer: &mut impl Viewer,
    limit: Option<Duration>,
    work: impl FnOnce(&Watch, &Waker) -> T + Send,
) -> (T, Duration, Result<(), Failure>) {
    let watch = Watch::default();
    set_in_hand(Some(watch.clone()));
    // Installed the first time. If it cannot be, Ctrl-C still ends the command, if less politely.
    let _ = ctrlc::set_handler(interrupt);
    let begin = Instant::now();
    let limits = LIMITS.get();
    let left = limits.and_then(|limits| Some(limits.deadline?.saturating_sub(limits.begin.elapsed())));
    let limit = limit.into_iter().chain(left).min();
    let memory = limits.and_then(|limits| limits.memory);
    let done = AtomicBool::new(false);
    let waker = Waker(thread::current());
    let (result, printed) = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = Finally(|| {
                done.store(true, Relaxed);
                waker.wake();
            })
            .after(|| work(&watch, &waker));
            (result, begin.elapsed())
        });
        let mut seen =
            Seen { viewer, watch: &watch, begin, limit, memory, line: None, stopping: None, printed: Ok(()) };
        while !done.load(Relaxed) {
            thread::park_timeout(seen.until_next());
            seen.look();
        }
        let printed = seen.close();
        (worker.join(), printed)
    });
    set_in_hand(None);
    POSITIONS.store(watch.positions(), Relaxed);
    match result {
        Ok((result, time)) => (result, time, printed),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Does something after the work, even if that panics.
struct Finally<F: Fn()>(F);

impl<F: Fn()> Finally<F> {
    fn after<T>(self, work: impl FnOnce() -> T) -> T {
        work()
    }
}

impl<F: Fn()> Drop for Finally<F> {
    fn drop(&mut self) {
        self.0();
    }
}

/// Work that is being watched.
struct Seen<'a, V> {
    viewer: &'a mut V,
    watch: &'a Watch,
    begin: Instant,
    limit: Option<Duration>,
    memory: Option<usize>,
    line: Option<Line>,
    /// Since when the work is to stop.
    stopping: Option<Instant>,
    printed: Result<(), Failure>,
}

impl<V: Viewer> Seen<'_, V> {
    /// How long nobody looks.
    fn until_next(&self) -> Duration {
        let elapsed = self.begin.elapsed();
        let tick = if self.memory.is_some() { MEMORY_TICK } else { TICK };
        let tick = tick.min(Duration::from_millis(2).max(elapsed / 4));
        self.limit.map_or(tick, |limit| tick.min(limit.saturating_sub(elapsed))).max(Duration::from_millis(1))
    }

    fn look(&mut self) {
        let elapsed = self.begin.elapsed();
        self.print();
        if elapsed > PATIENCE && stderr().is_terminal() {
            let line = self.line.get_or_insert_with(Line::new);
            line.show(&self.viewer.told(self.watch, elapsed), self.viewer.shown());
        }
        if self.limit.is_some_and(|limit| elapsed >= limit) {
            self.stop(StopCause::Deadline);
        }
        if self.memory.is_some_and(resident::is_over) {
            self.stop(StopCause::Memory);
        }
        if self.watch.is_stopping() {
            let since = *self.stopping.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                if let Some(line) = self.line.take() {
                    line.clear();
                }
                std::process::exit(self.viewer.overdue(self.watch).into());
            }
        }
    }

    fn stop(&self, cause: StopCause) {
        note_cause(cause);
        self.watch.stop();
    }

    /// Prints what is ready, as long as anybody reads.
    fn print(&mut self) {
        if self.printed.is_err() {
            return;
        }
        let Some(text) = self.viewer.ready() else { return };
        self.printed = match &self.line {
            Some(line) => line.aside(|| print(&text)),
            None => print(&text),
        };
        if self.printed.is_err() {
            self.watch.stop();
        }
    }

    fn close(mut self) -> Result<(), Failure> {
        if let Some(line) = self.line.take() {
            line.clear();
        }
        self.print();
        self.printed
    }
}

/// Does the work, which is told to stop after so long.
pub(crate) fn within<T>(limit: Option<Duration>, watch: &Watch, work: impl FnOnce() -> T) -> T {
    let Some(limit) = limit else {
        return work();
    };
    thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        scope.spawn(move || {
            if is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                watch.stop();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// How many threads the machine runs at once.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
