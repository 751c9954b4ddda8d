//! Processes that a run leaves: the descendants of this process, found by the parent of every process in `/proc`, and those
//! of a program without a supervisor, found by a variable in their environment, which they inherit.

use std::collections::HashMap;
use std::fs;
use std::os::fd::OwnedFd;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, waitpid};

use super::KILL_GRACE;
use super::usage::children_of;

/// Sends SIGKILL to the descendants of this process, except for the children in `spared` and their descendants. Returns handles of the
/// killed processes. A process that is started meanwhile by one not yet killed is left for the next call.
pub(super) fn kill_all(spared: &[i32]) -> Vec<OwnedFd> {
    let this = getpid().as_raw_nonzero().get();
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for (process, parent) in all_processes().filter_map(|process| Some((process, parent_of(process)?))) {
        children.entry(parent).or_default().push(process);
    }
    let mut killed = Vec::new();
    let mut parents = vec![this];
    while let Some(parent) = parents.pop() {
        for &process in children.get(&parent).into_iter().flatten().filter(|process| !spared.contains(process)) {
            parents.push(process);
            // The parent is this process if the original one was killed a moment ago.
            let is_same = || parent_of(process).is_some_and(|current| current == parent || current == this);
            killed.extend(kill_if(process, is_same));
        }
    }
    killed
}

/// The environment variable that marks the descendants of a program without a supervisor.
const VARIABLE: &str = "BALPAN_RUN";

/// Sets the variable to a value that is unique to a run, and returns the value.
pub(super) fn mark(command: &mut Command) -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
    let mark = format!("{}-{now}-{}", std::process::id(), RUNS.fetch_add(1, Relaxed));
    command.env(VARIABLE, &mark);
    mark
}

/// Kills all processes with the mark. `program` must not have been reaped yet.
pub(super) fn kill_marked(mark: &str, program: Pid) {
    /// A process that forks all the time is not caught at the first attempt.
    const ATTEMPTS: usize = 20;

    if is_latest_process(program) {
        return;
    }
    let variable = format!("{VARIABLE}={mark}");
    let has_variable = |process: i32| {
        fs::read(format!("/proc/{process}/environ"))
            .is_ok_and(|environment| environment.split(|&byte| byte == 0).any(|one| one == variable.as_bytes()))
    };
    let until = Instant::now() + KILL_GRACE;
    for _ in 0..ATTEMPTS {
        let marked = all_processes().filter(|&process| has_variable(process));
        let killed: Vec<_> = marked.filter_map(|process| kill_if(process, || has_variable(process))).collect();
        if killed.is_empty() {
            return;
        }
        wait_for(&killed, until);
    }
}

/// Whether no process was started after this one, which then has no descendants. This is the usual case.
/// Process numbers are assigned in turn, and `/proc/loadavg` ends with the latest.
fn is_latest_process(program: Pid) -> bool {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().last().and_then(|last| last.parse().ok()) == Some(program.as_raw_nonzero().get())
}

/// Kills a process, and returns its handle. Whether it `is_meant` is checked again now that there is a handle: the number may belong
/// to another process by now.
fn kill_if(process: i32, is_meant: impl FnOnce() -> bool) -> Option<OwnedFd> {
    let handle = Pid::from_raw(process).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())?;
    (is_meant() && pidfd_send_signal(&handle, Signal::KILL).is_ok()).then_some(handle)
}

/// Waits until killed processes have ended: they still need a processor for that.
pub(super) fn wait_for(killed: &[OwnedFd], until: Instant) {
    for handle in killed {
        // A handle becomes readable when its process ends.
        is_readable(handle, until.saturating_duration_since(Instant::now()));
    }
}

/// Waits until the handle is readable, at most for `timeout`, and returns whether it is. A process's handle is when the process has ended.
pub(super) fn is_readable(handle: &impl std::os::fd::AsFd, timeout: Duration) -> bool {
    let timeout = Timespec { tv_sec: timeout.as_secs() as _, tv_nsec: timeout.subsec_nanos().into() };
    poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&timeout)).is_ok_and(|ready| ready > 0)
}

/// Reaps the children of this process that have ended, except for those in `spared`.
pub(super) fn reap_all(spared: &[i32]) {
    let children = children_of(getpid().as_raw_nonzero().get());
    for child in children.into_iter().filter(|child| !spared.contains(child)).filter_map(Pid::from_raw) {
        let _ = waitpid(Some(child), WaitOptions::NOHANG);
    }
}

fn all_processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn parent_of(process: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The state and the parent follow the name, which may contain anything.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
