//! A child of this process, on systems with process groups and on others.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::Instant;

use super::super::End;
use super::{KILL_GRACE, POLL_INTERVALS};

#[cfg(not(unix))]
pub(super) use other::{exit_end, has_ended, kill, start};
#[cfg(unix)]
pub(super) use unix::{exit_end, has_ended, kill, start};

/// Waits for a child that has ended or was killed.
pub(super) fn reap(child: &mut Child, until: Instant) -> io::Result<ExitStatus> {
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

#[cfg(unix)]
mod unix {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::time::Duration;

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

    use super::*;
    #[cfg(target_os = "linux")]
    use crate::program::run::processes::{kill_marked, mark};

    /// How long to wait until the killed process group is out of the system's lists. Its processes do not run
    /// any more, but the init process has to reap them, and some do so only once a second.
    const REAP_GRACE: Duration = Duration::from_millis(20);

    /// Starts a program that leads a process group. Also returns the mark of its descendants.
    pub(in super::super) fn start(command: &mut Command) -> io::Result<(Child, String)> {
        let mark = mark(command.process_group(0));
        Ok((command.spawn()?, mark))
    }

    /// Whether a child has ended. It stays a zombie, so that its number is not reused.
    pub(in super::super) fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // Another thread has reaped it if there is no such child, so it has ended.
        waitid(WaitId::Pid(Pid::from_child(child)), options).map_or(true, |status| status.is_some())
    }

    /// Kills a child, its process group and the processes with the mark. Returns how the child ended.
    pub(in super::super) fn kill(mut child: Child, mark: &str) -> io::Result<ExitStatus> {
        // The program is not reaped yet, so its number still is its own.
        let group = Pid::from_child(&child);
        // Errors are ignored: there may be nothing left, and processes of other users cannot be killed.
        let _ = kill_process_group(group, Signal::KILL);
        kill_marked(mark, group);
        let status = reap(&mut child, Instant::now() + KILL_GRACE);
        let until = Instant::now() + REAP_GRACE;
        while test_kill_process_group(group).is_ok() && Instant::now() < until {
            sleep(POLL_INTERVALS.0);
        }
        status
    }

    pub(in super::super) fn exit_end(status: ExitStatus) -> End {
        match (status.code(), status.signal()) {
            (Some(code), _) => End::Exited(code),
            (None, signal) => End::Killed(signal.unwrap_or(0)),
        }
    }

    /// Without `/proc`, descendants that left the process group are not found.
    #[cfg(not(target_os = "linux"))]
    fn mark(_command: &mut Command) -> String {
        String::new()
    }

    #[cfg(not(target_os = "linux"))]
    fn kill_marked(_mark: &str, _program: Pid) {}
}

#[cfg(not(unix))]
mod other {
    use super::*;

    pub(in super::super) fn start(command: &mut Command) -> io::Result<(Child, String)> {
        Ok((command.spawn()?, String::new()))
    }

    /// Whether a child has ended. An error comes up again when it is reaped.
    pub(in super::super) fn has_ended(child: &mut Child) -> bool {
        !matches!(child.try_wait(), Ok(None))
    }

    /// Kills a child, but not its descendants. Returns how the child ended.
    pub(in super::super) fn kill(mut child: Child, _mark: &str) -> io::Result<ExitStatus> {
        // Fails if the program has ended by now.
        let _ = child.kill();
        reap(&mut child, Instant::now() + KILL_GRACE)
    }

    pub(in super::super) fn exit_end(status: ExitStatus) -> End {
        status.code().map_or(End::Killed(0), End::Exited)
    }
}
