//! Long work, watched: a line on standard error where that is a terminal, what is known by
//! then, deadlines, and Ctrl-C.

mod line;

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use balpan::Watch;

use crate::failure::{Failure, interrupted, print, tell};
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

/// The work that Ctrl-C stops, while there is any.
static IN_HAND: Mutex<Option<Watch>> = Mutex::new(None);

/// Whether the work that was in hand last was interrupted.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

fn set_in_hand(watch: Option<Watch>) {
    *IN_HAND.lock().unwrap_or_else(PoisonError::into_inner) = watch;
}

/// Stops the work in hand; ends the command if there is none, or if it was interrupted already.
fn interrupt() {
    let in_hand = IN_HAND.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let again = INTERRUPTED.swap(true, Relaxed);
    match in_hand {
        Some(watch) if !again => watch.stop(),
        Some(_) => {
            thread::sleep(SHORT_GRACE);
            std::process::exit(130);
        }
        None => std::process::exit(130),
    }
}

/// Whether Ctrl-C, or what else asks the command to end, stopped the work that was in hand
/// last.
pub(crate) fn was_interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
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
        tell(&interrupted(watch.positions()), 130);
        130
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

/// Does `work` in a thread of its own, telling `viewer` how it goes; Ctrl-C, and the `limit`,
/// stop it through the watch that it is given. A second Ctrl-C ends the command soon, as it
/// ends where the work does not stop in time. Returns how long it took, too, and whether all
/// that was ready could be printed.
pub(crate) fn watched_by<T: Send>(
    viewer: &mut impl Viewer,
    limit: Option<Duration>,
    work: impl FnOnce(&Watch, &Waker) -> T + Send,
) -> (T, Duration, Result<(), Failure>) {
    let watch = Watch::default();
    INTERRUPTED.store(false, Relaxed);
    set_in_hand(Some(watch.clone()));
    // Installed the first time. If it cannot be, Ctrl-C still ends the command, if less politely.
    let _ = ctrlc::set_handler(interrupt);
    let begin = Instant::now();
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
        let mut seen = Seen { viewer, watch: &watch, begin, limit, line: None, stopping: None, printed: Ok(()) };
        while !done.load(Relaxed) {
            thread::park_timeout(seen.until_next());
            seen.look();
        }
        let printed = seen.close();
        (worker.join(), printed)
    });
    set_in_hand(None);
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
    line: Option<Line>,
    /// Since when the work is to stop.
    stopping: Option<Instant>,
    printed: Result<(), Failure>,
}

impl<V: Viewer> Seen<'_, V> {
    /// How long nobody looks.
    fn until_next(&self) -> Duration {
        let elapsed = self.begin.elapsed();
        let tick = TICK.min(Duration::from_millis(2).max(elapsed / 4));
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
            self.watch.stop();
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
