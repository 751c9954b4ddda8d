//! One run of a program, from its start to its end.

#[cfg(target_os = "linux")]
mod descendants;
#[cfg(unix)]
mod escaped;
#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod polling;
#[cfg(target_os = "linux")]
mod supervisor;
mod tail;
// The tests run it on every system.
#[cfg(any(test, not(unix)))]
mod threads;
#[cfg(unix)]
mod usage;

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::Watch;

use super::{End, Limits, NoProgram, Run};

/// Nothing happens for so long at least and at most, between two looks at the program:
/// it grows from the one to the other while nothing is written or read.
const PAUSES: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(5));

/// So long is waited for what was killed. It is over within a millisecond, unless the
/// machine hangs or it belongs to somebody else.
const GRACE: Duration = Duration::from_secs(2);

/// Runs a command on `input`, to its end.
pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, NoProgram> {
    #[cfg(unix)]
    return polling::run(command, input, limits, watch);
    #[cfg(not(unix))]
    return threads::run(command, input, limits, watch);
}

/// See [`supervise`](super::supervise).
pub(super) fn supervise() -> bool {
    #[cfg(target_os = "linux")]
    return supervisor::supervise();
    #[cfg(not(target_os = "linux"))]
    false
}

/// Starts it with three pipes.
fn start(command: &mut Command) -> Result<Child, NoProgram> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|source| NoProgram::Start { program: name(command), source })
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

/// How a run ended: by itself, with this status, if it was not cut short.
fn end(command: &Command, cut: Option<End>, is_over: bool, status: io::Result<ExitStatus>) -> Result<End, NoProgram> {
    match (cut, status) {
        (Some(end), _) => Ok(end),
        // The last it wrote was too much.
        (None, _) if is_over => Ok(End::OutputLimit),
        (None, Ok(status)) => Ok(end_of(status)),
        (None, Err(source)) => Err(NoProgram::Lost { program: name(command), source }),
    }
}

#[cfg(unix)]
fn end_of(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;

    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Killed(signal.unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn end_of(status: ExitStatus) -> End {
    status.code().map_or(End::Killed(0), End::Exited)
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
