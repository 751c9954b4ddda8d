//! One run of a program.

#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod polling;
#[cfg(target_os = "linux")]
mod processes;
/// Without `/proc`, descendants that left the process group are not found.
#[cfg(all(unix, not(target_os = "linux")))]
mod processes {
    pub(super) fn mark(_command: &mut std::process::Command) -> String {
        String::new()
    }

    pub(super) fn kill_marked(_mark: &str, _program: rustix::process::Pid) {}
}
#[cfg(target_os = "linux")]
mod supervisor;
// Tested on every system.
#[cfg(any(test, not(unix)))]
mod threads;
#[cfg(unix)]
mod usage;

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::Watch;

use super::{End, Limits, ProgramError, Run};

/// The least and the greatest interval between two polls of the program. It doubles from one to the other
/// while nothing is written or read.
const POLL_INTERVALS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(5));

/// How long to wait for killed processes. They end within a millisecond unless the machine hangs or they
/// belong to another user.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// Runs a command on `input` to its end.
pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, ProgramError> {
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

/// Starts a command with three pipes.
fn start(command: &mut Command) -> Result<Child, ProgramError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|source| ProgramError::Start { program: name(command), source })
}

/// Waits for a child that has ended or was killed.
fn reap(child: &mut Child, until: Instant) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        sleep(POLL_INTERVALS.0);
    }
}

/// Returns how a run ended: as `cut` says if it was cut short, otherwise by its status.
fn run_end(
    command: &Command,
    cut: Option<End>,
    is_over: bool,
    status: io::Result<ExitStatus>,
) -> Result<End, ProgramError> {
    match (cut, status) {
        (Some(end), _) => Ok(end),
        // The last output exceeded the limit.
        (None, _) if is_over => Ok(End::OutputLimit),
        (None, Ok(status)) => Ok(exit_end(status)),
        (None, Err(source)) => Err(ProgramError::Lost { program: name(command), source }),
    }
}

#[cfg(unix)]
fn exit_end(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;

    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Killed(signal.unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn exit_end(status: ExitStatus) -> End {
    status.code().map_or(End::Killed(0), End::Exited)
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

/// The number of bytes of standard error that are kept.
const MAX_TAIL_BYTES: usize = 1 << 13;

/// The end of a program's standard error.
#[derive(Default)]
struct Tail {
    bytes: Vec<u8>,
    /// Whether earlier bytes were dropped.
    is_cut: bool,
}

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > MAX_TAIL_BYTES {
            self.bytes.drain(..self.bytes.len() - MAX_TAIL_BYTES);
            self.is_cut = true;
        }
    }

    /// Returns the whole lines; everything, if there is no line end.
    fn lines(&self) -> String {
        let begin = match self.bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) if self.is_cut => end + 1,
            _ => 0,
        };
        String::from_utf8_lossy(&self.bytes[begin..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_at_a_line_start() {
        let mut tail = Tail::default();
        tail.push(b"first\n");
        assert_eq!(tail.lines(), "first\n");
        for line in 0..10_000 {
            tail.push(format!("{line}\n").as_bytes());
            assert!(tail.bytes.len() <= MAX_TAIL_BYTES);
        }
        let lines = tail.lines();
        let first = 10_000 - lines.lines().count();
        assert!(lines.lines().map(str::to_owned).eq((first..10_000).map(|line| line.to_string())));
        tail.push(&[b'x'; 2 * MAX_TAIL_BYTES]);
        assert_eq!(tail.lines(), "x".repeat(MAX_TAIL_BYTES));
    }
}
