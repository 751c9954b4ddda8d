//! A run with one thread for each pipe, for systems where pipes cannot be polled. Only the program itself
//! is killed; if its descendants keep the pipes open, the threads remain.

use std::io::{ErrorKind, Read, Write};
use std::mem::take;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::Watch;

use super::{End, KILL_GRACE, Limits, POLL_INTERVALS, ProgramError, Run, Tail, reap, run_end, start};

/// The output read so far.
#[derive(Default)]
struct Captured {
    output: Vec<u8>,
    errors: Tail,
}

type Shared = Arc<Mutex<Captured>>;

pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, ProgramError> {
    let begin = Instant::now();
    let mut child = start(command)?;
    let captured = Shared::default();
    let closed = start_threads(&mut child, input.to_vec(), limits.output, &captured);
    let is_over_limit = || lock(&captured).output.len() > limits.output;

    let mut pause = POLL_INTERVALS.0;
    let cut = loop {
        if is_over_limit() {
            break Some(End::OutputLimit);
        }
        // An error comes up again when the child is reaped.
        if !matches!(child.try_wait(), Ok(None)) {
            break None;
        }
        if watch.is_stopping() {
            break Some(End::Stopped);
        }
        let left = limits.time.min(limits.clock).saturating_sub(begin.elapsed());
        if left.is_zero() {
            break Some(End::TimeLimit);
        }
        thread::sleep(pause.min(left));
        pause = POLL_INTERVALS.1.min(pause * 2);
    };
    let time = begin.elapsed();

    // Fails if the program has ended by now.
    let _ = child.kill();
    let until = Instant::now() + KILL_GRACE;
    let status = reap(&mut child, until);
    // The channel closes when both reading threads have come to the end of their pipes.
    while closed.recv_timeout(until.saturating_duration_since(Instant::now())) != Err(RecvTimeoutError::Disconnected) {
        if Instant::now() >= until {
            break;
        }
    }

    let end = run_end(command, cut, is_over_limit(), status)?;
    let mut captured = lock(&captured);
    let mut output = take(&mut captured.output);
    output.truncate(limits.output);
    let errors = captured.errors.lines();
    Ok(Run { output, errors, end, time, waited: Duration::ZERO, memory: None })
}

/// Starts the threads that write the input and read the output. The returned channel closes when all
/// output is read.
fn start_threads(child: &mut Child, input: Vec<u8>, max_output: usize, captured: &Shared) -> Receiver<()> {
    let (open, closed) = channel();
    if let Some(mut pipe) = child.stdin.take() {
        // A program does not have to read its input.
        thread::spawn(move || pipe.write_all(&input));
    }
    if let Some(pipe) = child.stdout.take() {
        let (captured, open) = (Arc::clone(captured), open.clone());
        thread::spawn(move || {
            read(pipe, |bytes| {
                let output = &mut lock(&captured).output;
                // One byte above the limit shows that it is exceeded.
                let room = max_output.saturating_add(1).saturating_sub(output.len());
                output.extend_from_slice(&bytes[..room.min(bytes.len())]);
                output.len() <= max_output
            });
            drop(open);
        });
    }
    if let Some(pipe) = child.stderr.take() {
        let captured = Arc::clone(captured);
        thread::spawn(move || {
            read(pipe, |bytes| {
                lock(&captured).errors.push(bytes);
                true
            });
            drop(open);
        });
    }
    closed
}

/// Reads to the end, or until `wants_more` returns `false`.
fn read(mut pipe: impl Read, mut wants_more: impl FnMut(&[u8]) -> bool) {
    let mut chunk = [0; 1 << 13];
    loop {
        match pipe.read(&mut chunk) {
            Ok(bytes) if bytes > 0 && wants_more(&chunk[..bytes]) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => return,
        }
    }
}

/// Locks the output. No panic can leave it inconsistent.
fn lock(captured: &Shared) -> MutexGuard<'_, Captured> {
    captured.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, input: &[u8], limits: Limits) -> Run {
        run(Command::new("sh").args(["-c", script]), input, limits, &Watch::default()).unwrap()
    }

    const LIMITS: Limits = Limits::new(Duration::from_secs(20), 1 << 20);

    #[test]
    fn runs_end_as_they_should() {
        let output = shell("cat; echo done >&2; exit 3", b"1\n2\n", LIMITS);
        assert_eq!((output.output.as_slice(), output.errors.as_str()), (b"1\n2\n".as_slice(), "done\n"));
        assert_eq!(output.end, End::Exited(3));
        assert_eq!(shell("kill -SEGV $$", b"", LIMITS).end, End::Killed(11));

        let run = shell("exec yes", b"", LIMITS);
        assert_eq!((run.output.len(), run.end), (LIMITS.output, End::OutputLimit));
        let short = Limits::new(Duration::from_millis(200), LIMITS.output);
        let run = shell("echo 1; exec sleep 1000", &[b'x'; 1 << 20], short);
        assert_eq!((run.output.as_slice(), run.end), (b"1\n".as_slice(), End::TimeLimit));
    }

    /// The run does not wait for a descendant that keeps the pipes open.
    #[test]
    fn open_pipes_do_not_hold_up_the_run() {
        let run = shell("sleep 4 & echo 7", b"", LIMITS);
        assert_eq!((run.output.as_slice(), run.end), (b"7\n".as_slice(), End::Exited(0)));
    }
}
