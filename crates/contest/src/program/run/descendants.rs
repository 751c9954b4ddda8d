//! Descendants of this process, found by the parent of every process in `/proc`.

use std::collections::HashMap;
use std::fs;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal, waitpid};

use super::pipes::timespec;

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
        for &process in children.get(&parent).into_iter().flatten() {
            if spared.contains(&process) {
                continue;
            }
            parents.push(process);
            let Some(handle) = Pid::from_raw(process).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else {
                continue;
            };
            // Checked again now that there is a handle: the number may belong to another process by now. The
            // parent is this process if the original one was killed a moment ago.
            let is_same = parent_of(process).is_some_and(|current| current == parent || current == this);
            if is_same && pidfd_send_signal(&handle, Signal::KILL).is_ok() {
                killed.push(handle);
            }
        }
    }
    killed
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
    poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&timespec(timeout))).is_ok_and(|ready| ready > 0)
}

/// Returns the children of a process, as far as the system lists them.
pub(super) fn children_of(process: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|number| number.parse().ok()).collect::<Vec<_>>())
        .collect()
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
