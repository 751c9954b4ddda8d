//! Descendants that left the process group of a program without a supervisor, such as daemons. On Linux they
//! are found by a variable in their environment, which they inherit. Elsewhere they are not killed.

use std::process::{self, Command};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::SystemTime;
#[cfg(target_os = "linux")]
use std::{os::fd::OwnedFd, time::Instant};

use rustix::process::Pid;

#[cfg(target_os = "linux")]
use super::{KILL_GRACE, descendants::wait_for};

/// The environment variable.
const VARIABLE: &str = "BALPAN_RUN";

/// The variable's value, unique to a run.
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
        Self(format!("{}-{now}-{}", process::id(), RUNS.fetch_add(1, Relaxed)))
    }

    pub(super) fn set(&self, command: &mut Command) {
        command.env(VARIABLE, &self.0);
    }

    /// Kills all processes with the mark. `program` must not have been reaped yet.
    #[cfg(target_os = "linux")]
    pub(super) fn kill(&self, program: Pid) {
        /// A process that forks all the time is not caught at the first attempt.
        const ATTEMPTS: usize = 20;

        if is_latest_process(program) {
            return;
        }
        let variable = format!("{VARIABLE}={}", self.0);
        let until = Instant::now() + KILL_GRACE;
        for _ in 0..ATTEMPTS {
            let killed = kill_all_with(variable.as_bytes());
            if killed.is_empty() {
                return;
            }
            wait_for(&killed, until);
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn kill(&self, _program: Pid) {}
}

/// Whether no process was started after this one, which then has no descendants. This is the usual case.
/// Process numbers are assigned in turn, and `/proc/loadavg` ends with the latest.
#[cfg(target_os = "linux")]
fn is_latest_process(program: Pid) -> bool {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().last().and_then(|last| last.parse().ok()) == Some(program.as_raw_nonzero().get())
}

/// Kills all processes with this variable, and returns their handles.
#[cfg(target_os = "linux")]
fn kill_all_with(variable: &[u8]) -> Vec<OwnedFd> {
    use rustix::process::{PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    let has_variable = |pid: i32| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|environment| environment.split(|&byte| byte == 0).any(|one| one == variable))
    };
    let mut killed = Vec::new();
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for pid in pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok()) {
        if !has_variable(pid) {
            continue;
        }
        // Checked again now that there is a handle: the number may belong to another process by now.
        let handle = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        killed.extend(handle.filter(|handle| has_variable(pid) && pidfd_send_signal(handle, Signal::KILL).is_ok()));
    }
    killed
}
