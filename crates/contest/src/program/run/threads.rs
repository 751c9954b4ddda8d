//! A run on systems where pipes cannot be polled, with one thread for each pipe. Only the program
//! itself is killed, not its descendants; if they keep the pipes open, the threads remain.

use std::io::{ErrorKind, Read, Write};
use std::mem::take;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use balpan::Watch;

use super::tail::Tail;
use super::{End, GRACE, Limits, NoProgram, PAUSES, Run, end, reap, start};

/// What was read so far.
#[derive(Default)]
struct Heard {
    output: Vec<u8>,
    errors: Tail,
}

type Shared = Arc<Mutex<Heard>>;

pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, NoProgram> {
    let begin = Instant::now();
    let mut child = start(command)?;
    let heard = Shared::default();
    let closed = begin_threads(&mut child, input.to_vec(), limits.output, &heard);
    let is_over = || lock(&heard).output.len() > limits.output;

    let mut pause = PAUSES.0;
    let cut = loop {
        if is_over() {
            break Some(End::OutputLimit);
        }
        // An error is met again when it is reaped.
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
        pause = PAUSES.1.min(pause * 2);
    };
    let time = begin.elapsed();

    // It may have ended by now.
    let _ = child.kill();
    let until = Instant::now() + GRACE;
    let status = reap(&mut child, until);
    // Until both threads that read have come to the end of their pipes.
    while closed.recv_timeout(until.saturating_duration_since(Instant::now())) != Err(RecvTimeoutError::Disconnected) {
        if Instant::now() >= until {
            break;
        }
    }

    let end = end(command, cut, is_over(), status)?;
    let mut heard = lock(&heard);
    let mut output = take(&mut heard.output);
    output.truncate(limits.output);
    let errors = heard.errors.lines();
    Ok(Run { output, errors, end, time, waited: Duration::ZERO, cpu: None, memory: None })
}

/// Feeds and reads the program. What is received is over when all is read.
fn begin_threads(child: &mut Child, input: Vec<u8>, most: usize, heard: &Shared) -> Receiver<()> {
    let (open, closed) = channel();
    if let Some(mut pipe) = child.stdin.take() {
        // A program does not have to read its input.
        thread::spawn(move || pipe.write_all(&input));
    }
    if let Some(pipe) = child.stdout.take() {
        let (heard, open) = (Arc::clone(heard), open.clone());
        thread::spawn(move || {
            read(pipe, |bytes| {
                let output = &mut lock(&heard).output;
                // A byte more than allowed shows that there is more.
                let room = most.saturating_add(1).saturating_sub(output.len());
                output.extend_from_slice(&bytes[..room.min(bytes.len())]);
                output.len() <= most
            });
            drop(open);
        });
    }
    if let Some(pipe) = child.stderr.take() {
        let heard = Arc::clone(heard);
        thread::spawn(move || {
            read(pipe, |bytes| {
                lock(&heard).errors.push(bytes);
                true
            });
            drop(open);
        });
    }
    closed
}

/// Reads to the end, or for as long as it is wanted.
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

/// No thread stops in the middle of adding to it.
fn lock(heard: &Shared) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn ends() {
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

    /// It is not waited for.
    #[test]
    fn another_keeps_the_pipes() {
        let run = shell("sleep 4 & echo 7", b"", LIMITS);
        assert_eq!((run.output.as_slice(), run.end), (b"7\n".as_slice(), End::Exited(0)));
    }
}
