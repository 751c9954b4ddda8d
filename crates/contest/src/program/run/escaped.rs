//! Descendants of a program without a supervisor that left its process group, such as daemons. On Linux they
//! are found by a variable in their environment, which they inherit. Elsewhere they are not stopped.

use std::process::{self, Command};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::SystemTime;
#[cfg(target_os = "linux")]
use std::{os::fd::OwnedFd, time::Instant};

use rustix::process::Pid;

#[cfg(target_os = "linux")]
use super::{GRACE, descendants::wait_for};

/// The variable of the environment.
const NAME: &str = "BALPAN_RUN";

/// What the processes of one run carry, and no others.
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
        Self(format!("{}-{now}-{}", process::id(), RUNS.fetch_add(1, Relaxed)))
    }

    pub(super) fn put(&self, command: &mut Command) {
        command.env(NAME, &self.0);
    }

    /// Kills all that carry the mark. `program` must not have been waited for yet.
    #[cfg(target_os = "linux")]
    pub(super) fn kill(&self, program: Pid) {
        /// One that is forking all the time is not met at the first try.
        const TRIES: usize = 20;

        if is_the_latest(program) {
            return;
        }
        let variable = format!("{NAME}={}", self.0);
        let until = Instant::now() + GRACE;
        for _ in 0..TRIES {
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

/// Whether no process began since this one did: then it has no descendants, and that is
/// the rule. Numbers are given in turn, and the latest is the last word of this file.
#[cfg(target_os = "linux")]
fn is_the_latest(program: Pid) -> bool {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().last().and_then(|last| last.parse().ok()) == Some(program.as_raw_nonzero().get())
}

/// Kills all processes with this variable, and returns what holds them.
#[cfg(target_os = "linux")]
fn kill_all_with(variable: &[u8]) -> Vec<OwnedFd> {
    use rustix::process::{PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    let carries = |pid: i32| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|environment| environment.split(|&byte| byte == 0).any(|one| one == variable))
    };
    let mut killed = Vec::new();
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for pid in pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok()) {
        if !carries(pid) {
            continue;
        }
        // Looked at again when it is held, so that no other that was given its number is hit.
        let held = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        killed.extend(held.filter(|held| carries(pid) && pidfd_send_signal(held, Signal::KILL).is_ok()));
    }
    killed
}
