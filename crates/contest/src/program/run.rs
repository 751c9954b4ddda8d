//! One run of a program. One thread does it all: it feeds the program, reads what that
//! writes and looks at the clock by `poll`, so that no thread is left behind whoever
//! keeps the pipes open.

mod escaped;
mod pipes;

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::Watch;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

use super::{End, Limits, NoProgram, Run};
use escaped::Mark;
use pipes::Pipes;

/// Nothing happens for so long at least and at most, between two looks at the program:
/// it grows from the one to the other while nothing is written or read.
const PAUSES: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(5));

/// So long is waited for what was killed. It is over within a millisecond, unless the
/// machine hangs or it belongs to somebody else.
const GRACE: Duration = Duration::from_secs(2);

/// So long is waited for the rest of the group to be out of the system's lists. Nothing
/// of it runs any more by then, but it is the system's first process that takes them
/// off, which some do once a second only.
const FAREWELL: Duration = Duration::from_millis(20);

/// Runs a command on `input`, to its end.
pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, NoProgram> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mark = Mark::new();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    mark.put(command);
    let start = Instant::now();
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(source) => return Err(NoProgram::Start { program, source }),
    };
    let group = Pid::from_child(&child);
    let mut pipes = Pipes::new(&mut child, input, limits.output);
    let cut = attend(group, &mut pipes, start, limits.time, watch);
    let time = start.elapsed();

    // The program is not waited for before this, so that its number is still its own.
    kill(group);
    mark.kill(group);
    let until = Instant::now() + GRACE;
    while pipes.are_open() && Instant::now() < until {
        pipes.pass(PAUSES.1);
    }
    let status = reap(&mut child, until);
    let until = Instant::now() + FAREWELL;
    while test_kill_process_group(group).is_ok() && Instant::now() < until {
        sleep(PAUSES.0);
    }

    let end = match (cut, pipes.is_over(), status) {
        (Some(End::OutputLimit), ..) | (None, true, _) => End::OutputLimit,
        (Some(end), ..) => end,
        (None, false, Ok(status)) => end_of(status),
        (None, false, Err(source)) => return Err(NoProgram::Lost { program, source }),
    };
    let (output, errors) = pipes.finish();
    Ok(Run { output, errors, end, time })
}

/// Feeds and reads the program until it ends by itself or has to be ended.
fn attend(group: Pid, pipes: &mut Pipes<'_>, start: Instant, time: Duration, watch: &Watch) -> Option<End> {
    let mut pause = PAUSES.0;
    loop {
        if pipes.is_over() {
            return Some(End::OutputLimit);
        }
        if has_ended(group) {
            return None;
        }
        if watch.is_stopping() {
            return Some(End::Stopped);
        }
        let left = time.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Some(End::TimeLimit);
        }
        pause = if pipes.pass(pause.min(left)) { PAUSES.0 } else { PAUSES.1.min(pause * 2) };
    }
}

/// Whether the program has ended. It stays a zombie, which keeps its number from being
/// given to another process.
fn has_ended(program: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(program), options) {
        Ok(status) => status.is_some(),
        // Whoever waited for it in our place knows that it has.
        Err(error) => error == Errno::CHILD,
    }
}

/// Kills all that is left of the group. That there is nothing left is no error; nor can
/// anything be done about what belongs to somebody else.
fn kill(group: Pid) {
    let _ = kill_process_group(group, Signal::KILL);
}

/// Waits for a program that ended or was killed.
fn reap(child: &mut Child, until: Instant) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        sleep(PAUSES.0);
    }
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Killed(signal.unwrap_or(0)),
    }
}
