//! Long work, watched: a line on standard error where that is a terminal, and
//! Ctrl-C.

use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::Watch;
use indicatif::{ProgressBar, ProgressStyle};

use crate::numbers::grouped;

/// Work that is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// So long has work that was told to stop, before the command ends all the same.
const GRACE: Duration = Duration::from_millis(300);

/// The work that Ctrl-C stops, while there is any.
static IN_HAND: Mutex<Option<Arc<Watch>>> = Mutex::new(None);

fn set_in_hand(watch: Option<Arc<Watch>>) {
    *IN_HAND.lock().unwrap_or_else(PoisonError::into_inner) = watch;
}

/// Stops the work in hand; ends the command if there is none, or if it was to stop already.
fn interrupt() {
    let in_hand = IN_HAND.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match in_hand {
        Some(watch) if !watch.is_stopping() => watch.stop(),
        None => std::process::exit(130),
        Some(_) => {
            // Programs that are being tried are stopped within a moment: they would be left.
            thread::sleep(GRACE);
            std::process::exit(130);
        }
    }
}

/// Solves in a thread of its own, telling how it goes; see [`watched_as`].
pub(crate) fn watched<T: Send>(work: impl FnOnce(&Watch) -> T + Send) -> (T, Duration) {
    watched_as(positions, work)
}

/// Does `work` in a thread of its own, saying how it goes as `told` has it; Ctrl-C stops
/// it through the watch that it is given, and a second one ends the command at once.
/// Returns how long it took, too.
pub(crate) fn watched_as<T: Send>(
    told: fn(&Watch, Duration) -> String,
    work: impl FnOnce(&Watch) -> T + Send,
) -> (T, Duration) {
    let watch = Arc::new(Watch::default());
    set_in_hand(Some(Arc::clone(&watch)));
    // Installed the first time. If it cannot be, Ctrl-C still ends the command, if less politely.
    let _ = ctrlc::set_handler(interrupt);
    let begin = Instant::now();
    let result = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work(&watch);
            (result, begin.elapsed())
        });
        if stderr().is_terminal() {
            let mut line = None;
            while !worker.is_finished() {
                thread::park_timeout(TICK.min(Duration::from_millis(2).max(begin.elapsed() / 4)));
                if begin.elapsed() > PATIENCE {
                    let line = line.get_or_insert_with(spinner);
                    line.set_message(format!("{}; Ctrl-C stops", told(&watch, begin.elapsed())));
                    line.tick();
                }
            }
            if let Some(line) = line {
                line.finish_and_clear();
            }
        }
        worker.join()
    });
    set_in_hand(None);
    match result {
        Ok(timed) => timed,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// How many threads the machine runs at once.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// How far a solver is.
fn positions(watch: &Watch, elapsed: Duration) -> String {
    let positions = watch.positions();
    let rate = positions as f64 / elapsed.as_secs_f64() / 1e6;
    let moves = match (watch.moves(), watch.share()) {
        ((_, 0), 0.0) => String::new(),
        ((_, 0), share) => format!(", {:.1}% done", share * 100.0),
        ((done, all), 0.0) => format!(", {done} of {all} moves done"),
        ((done, all), share) => format!(", {done} of {all} moves done, {:.1}% of the question in hand", share * 100.0),
    };
    let known = match watch.remembered() {
        (0, _) => String::new(),
        (entries, bytes) => format!(", {} kept in {} MiB", grouped(entries), bytes >> 20),
    };
    let seconds = elapsed.as_secs();
    format!("{} positions, {rate:.1} million/s{moves}{known}, {seconds} s", grouped(positions))
}
