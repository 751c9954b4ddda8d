//! Long work: progress on standard error, partial results, deadlines, the memory limit, and signals.

mod line;

use std::io::{IsTerminal, stderr};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::Watch;
pub(crate) use line::SearchProgress;
use line::StatusLine;

use crate::error::{CliError, print};
use crate::words::{common, lang};

/// Work that takes less time shows no progress.
const PROGRESS_DELAY: Duration = Duration::from_millis(500);

/// Longest time between two looks at running work.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// As [`POLL_INTERVAL`], where the memory is limited.
const MEMORY_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How long cancelled work may take to stop before the process exits anyway.
const CANCEL_GRACE: Duration = Duration::from_millis(700);

/// How long cancelled work may take after a second signal. Programs under test must be stopped within it: otherwise
/// they would go on without this process.
const SECOND_SIGNAL_GRACE: Duration = Duration::from_millis(300);

/// Signals within this time count as one: `timeout` and some shells signal both the process and its group.
const SIGNAL_DEBOUNCE: Duration = Duration::from_millis(250);

/// Why work was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum StopCause {
    /// Ctrl-C, SIGTERM or SIGHUP.
    Signal = 1,
    /// `--deadline`, or another time limit.
    Deadline,
    /// `--memory`.
    Memory,
}

/// Limits of the whole command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) begin: Instant,
    pub(crate) deadline: Option<Duration>,
    /// In bytes.
    pub(crate) memory: Option<usize>,
}

static LIMITS: OnceLock<Limits> = OnceLock::new();

/// The running work, which a signal stops.
static CURRENT_WORK: Mutex<Option<Watch>> = Mutex::new(None);

/// A [`StopCause`], or 0.
static CAUSE: AtomicU8 = AtomicU8::new(0);

/// Positions that the latest work has searched.
static POSITIONS: AtomicU64 = AtomicU64::new(0);

pub(crate) fn set_limits(limits: Limits) {
    let _ = LIMITS.set(limits);
}

pub(crate) fn deadline() -> Option<Duration> {
    LIMITS.get().and_then(|limits| limits.deadline)
}

pub(crate) fn elapsed() -> Duration {
    LIMITS.get().map_or(Duration::ZERO, |limits| limits.begin.elapsed())
}

/// Returns the time limit of the command, if that stopped the work, otherwise a measured time, in words.
pub(crate) fn time_limit_or(measured: Duration) -> String {
    let limit = deadline().filter(|_| stop_cause() == Some(StopCause::Deadline));
    common::time(lang(), limit.unwrap_or(measured))
}

pub(crate) fn positions_searched() -> u64 {
    POSITIONS.load(Relaxed)
}

/// Sets the number of positions that the latest work has searched, where its watch does not count them all.
pub(crate) fn set_positions_searched(positions: u64) {
    POSITIONS.store(positions, Relaxed);
}

fn set_current_work(watch: Option<Watch>) {
    *lock(&CURRENT_WORK) = watch;
}

/// Records why work is stopped. The first cause counts, except that a signal outranks the others.
fn record_cause(cause: StopCause) {
    match cause {
        StopCause::Signal => CAUSE.store(cause as u8, Relaxed),
        _ => _ = CAUSE.compare_exchange(0, cause as u8, Relaxed, Relaxed),
    }
}

/// Handles a signal: stops the running work; ends the process if there is none, or at the second signal.
fn handle_signal() {
    static FIRST: Mutex<Option<Instant>> = Mutex::new(None);

    let current = lock(&CURRENT_WORK).clone();
    let is_second = was_interrupted();
    record_cause(StopCause::Signal);
    let mut first = lock(&FIRST);
    if is_second && first.is_some_and(|first| first.elapsed() < SIGNAL_DEBOUNCE) {
        return;
    }
    if !is_second {
        *first = Some(Instant::now());
    }
    drop(first);
    match current {
        Some(watch) if !is_second => watch.stop(),
        Some(_) => {
            thread::sleep(SECOND_SIGNAL_GRACE);
            std::process::exit(130);
        }
        None => std::process::exit(130),
    }
}

/// Returns why work was stopped, if it was.
pub(crate) fn stop_cause() -> Option<StopCause> {
    [StopCause::Signal, StopCause::Deadline, StopCause::Memory]
        .into_iter()
        .find(|cause| *cause as u8 == CAUSE.load(Relaxed))
}

pub(crate) fn was_interrupted() -> bool {
    stop_cause() == Some(StopCause::Signal)
}

/// Forgets that work was stopped, for a command that continues without the answer.
pub(crate) fn clear_stop_cause() {
    CAUSE.store(0, Relaxed);
}

/// Returns the exit code of a command that has printed its result. Reports an error, and that a signal or the memory
/// limit stopped the work.
pub(crate) fn exit_code(result: Result<(), CliError>) -> u8 {
    match (result, stop_cause()) {
        // The interruption is reported already.
        (Err(CliError::Reported(130)), Some(StopCause::Signal)) => 130,
        (Ok(()) | Err(CliError::Reported(_)), Some(StopCause::Signal | StopCause::Memory)) => {
            CliError::Stopped.report()
        }
        (Ok(()), _) => 0,
        (Err(error), _) => error.report(),
    }
}

/// Shows the progress and the partial results of a running task.
pub(crate) trait ProgressView {
    /// Returns the progress in one line; `search` is the progress of a search so far.
    fn status_line(&mut self, search: &mut SearchProgress, watch: &Watch, elapsed: Duration) -> String {
        search.status_line("", 0, watch, elapsed)
    }

    /// Returns output that has become final since the last call, to be printed.
    fn final_output(&mut self) -> Option<String> {
        None
    }

    /// Returns partial results, which a terminal shows below the status line until there are better ones.
    fn preview(&mut self) -> Option<String> {
        None
    }

    /// Prints the results of work that does not stop within [`CANCEL_GRACE`]. Returns the exit code.
    fn give_up(&mut self) -> u8 {
        CliError::Stopped.report()
    }
}

/// The view of a search whose parts are not shown.
impl ProgressView for () {}

/// A view with nothing but a status line.
impl<F: FnMut(&Watch, Duration) -> String> ProgressView for F {
    fn status_line(&mut self, _search: &mut SearchProgress, watch: &Watch, elapsed: Duration) -> String {
        self(watch, elapsed)
    }
}

/// Runs a search and shows its progress; see [`run_with_view`]. Returns its result and its time.
pub(crate) fn run_with_progress<T: Send>(work: impl FnOnce(&Watch) -> T + Send) -> (T, Duration) {
    let (result, time, _) = run_with_view(&mut (), None, |watch, _| work(watch));
    (result, time)
}

/// As [`run_with_progress`], with a status line of the caller's.
pub(crate) fn run_with_status<T: Send>(
    mut status: impl FnMut(&Watch, Duration) -> String,
    work: impl FnOnce(&Watch) -> T + Send,
) -> (T, Duration) {
    let (result, time, _) = run_with_view(&mut status, None, |watch, _| work(watch));
    (result, time)
}

/// Runs `work` in a thread of its own while `view` shows its progress. A signal, `time_limit`, and the
/// [limits](set_limits) of the command stop the work through its watch. The process exits if the work does not stop
/// within [`CANCEL_GRACE`], or [`SECOND_SIGNAL_GRACE`] after a second signal. What the work sends
/// has new output printed at once. Returns the result, the time that the work took, and whether the view's output
/// could be printed.
pub(crate) fn run_with_view<T: Send>(
    view: &mut dyn ProgressView,
    time_limit: Option<Duration>,
    work: impl FnOnce(&Watch, &SyncSender<()>) -> T + Send,
) -> (T, Duration, Result<(), CliError>) {
    let (mut work, mut result) = (Some(work), None);
    let mut work = |watch: &Watch, waker: &SyncSender<()>| result = work.take().map(|work| work(watch, waker));
    let (time, printed) = run_once(view, time_limit, &mut work);
    (result.unwrap_or_else(|| unreachable!("the work was done")), time, printed)
}

/// As [`run_with_view`], which calls this function so that it is compiled once and not for each kind of work.
fn run_once(
    view: &mut dyn ProgressView,
    time_limit: Option<Duration>,
    work: &mut (dyn FnMut(&Watch, &SyncSender<()>) + Send),
) -> (Duration, Result<(), CliError>) {
    let watch = Watch::default();
    set_current_work(Some(watch.clone()));
    // Fails from the second call on, when it is installed. If it cannot be installed, a signal ends the process at once.
    let _ = ctrlc::set_handler(handle_signal);
    let begin = Instant::now();
    let limits = LIMITS.get();
    let left = limits.and_then(|limits| Some(limits.deadline?.saturating_sub(limits.begin.elapsed())));
    let time_limit = time_limit.into_iter().chain(left).min();
    let memory = limits.and_then(|limits| limits.memory);
    // Room for one: what comes meanwhile is printed as well.
    let (waker, wake_ups) = sync_channel(1);
    let (time, printed) = thread::scope(|scope| {
        let watch = &watch;
        // The channel closes when the work is done, also by a panic.
        let worker = scope.spawn(move || {
            work(watch, &waker);
            begin.elapsed()
        });
        let search = SearchProgress::default();
        let mut monitor =
            Monitor { view, watch, begin, time_limit, memory, search, line: None, cancelled: None, printed: Ok(()) };
        while wake_ups.recv_timeout(monitor.poll_interval()) != Err(RecvTimeoutError::Disconnected) {
            monitor.poll();
        }
        let printed = monitor.finish();
        (worker.join(), printed)
    });
    set_current_work(None);
    set_positions_searched(watch.positions());
    match time {
        Ok(time) => (time, printed),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Watches over running work: shows progress and enforces the limits.
struct Monitor<'a> {
    view: &'a mut dyn ProgressView,
    watch: &'a Watch,
    begin: Instant,
    time_limit: Option<Duration>,
    memory: Option<usize>,
    search: SearchProgress,
    line: Option<StatusLine>,
    /// When the work was first seen to be cancelled.
    cancelled: Option<Instant>,
    printed: Result<(), CliError>,
}

impl Monitor<'_> {
    /// Returns the time until the next [`poll`](Self::poll): a quarter of the elapsed time, between bounds.
    fn poll_interval(&self) -> Duration {
        let elapsed = self.begin.elapsed();
        let interval = if self.memory.is_some() { MEMORY_POLL_INTERVAL } else { POLL_INTERVAL };
        let interval = interval.min(Duration::from_millis(2).max(elapsed / 4));
        self.time_limit
            .map_or(interval, |limit| interval.min(limit.saturating_sub(elapsed)))
            .max(Duration::from_millis(1))
    }

    fn poll(&mut self) {
        let elapsed = self.begin.elapsed();
        self.print();
        if elapsed > PROGRESS_DELAY && stderr().is_terminal() {
            let line = self.line.get_or_insert_with(StatusLine::new);
            let status = self.view.status_line(&mut self.search, self.watch, elapsed);
            line.show(&status, self.view.preview());
        }
        if self.time_limit.is_some_and(|limit| elapsed >= limit) {
            self.cancel(StopCause::Deadline);
        }
        if self.memory.is_some_and(exceeds_memory) {
            self.cancel(StopCause::Memory);
        }
        if self.watch.is_stopping() {
            let cancelled = *self.cancelled.get_or_insert_with(Instant::now);
            if cancelled.elapsed() > CANCEL_GRACE {
                if let Some(line) = self.line.take() {
                    line.clear();
                }
                set_positions_searched(self.watch.positions());
                std::process::exit(self.view.give_up().into());
            }
        }
    }

    fn cancel(&self, cause: StopCause) {
        record_cause(cause);
        self.watch.stop();
    }

    /// Prints new final output. Stops the work if nobody reads it.
    fn print(&mut self) {
        if self.printed.is_err() {
            return;
        }
        let Some(text) = self.view.final_output() else { return };
        self.printed = match &self.line {
            Some(line) => line.suspend(|| print(&text)),
            None => print(&text),
        };
        if self.printed.is_err() {
            self.watch.stop();
        }
    }

    fn finish(mut self) -> Result<(), CliError> {
        if let Some(line) = self.line.take() {
            line.clear();
        }
        self.print();
        self.printed
    }
}

/// Runs `work`, and stops it through `watch` after the time limit.
pub(crate) fn with_time_limit<T>(limit: Option<Duration>, watch: &Watch, work: impl FnOnce() -> T) -> T {
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

/// Returns the requested number of threads, or else that of the threads that the machine runs at once.
pub(crate) fn thread_count(requested: Option<u16>) -> usize {
    requested.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Locks a mutex, whether or not a thread has panicked meanwhile.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory that the command needs besides tables: data, stacks, texts.
const OVERHEAD_BYTES: usize = 36 << 20;

/// Whether the process takes more than six fifths of `memory` bytes and the overhead. Solvers keep to their memory
/// themselves; this catches the rest.
fn exceeds_memory(memory: usize) -> bool {
    resident_bytes().is_some_and(|bytes| bytes > memory.saturating_add(memory / 5).saturating_add(OVERHEAD_BYTES))
}

/// Returns the bytes of anonymous memory of the process; pages of files, which the system can drop, are not counted.
/// `None` on systems other than Linux.
fn resident_bytes() -> Option<usize> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn resident_memory_grows_with_an_allocation() {
        let before = resident_bytes().unwrap();
        assert!(before > 1 << 16, "{before}");
        let block = vec![1_u8; 64 << 20];
        assert!(std::hint::black_box(&block).len() == 64 << 20 && resident_bytes().unwrap() > before + (60 << 20));
        assert!(exceeds_memory(1 << 20) && !exceeds_memory(usize::MAX));
    }
}
