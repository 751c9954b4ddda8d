//! Runs of hostile programs leave no process, zombie, thread, open file or memory behind. This is the only test of its
//! executable, so that nothing else runs in its process.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod running;

use std::fs;

use balpan_contest::End;
use rustix::io::Errno;
use rustix::process::{WaitId, WaitIdOptions, waitid};

use running::{LIMITS, shell, within};

/// Scripts and how they end.
const HOSTILE: [(&str, End); 10] = [
    ("yes", End::OutputLimit),
    ("yes >&2", End::TimeLimit),
    ("cat /dev/zero", End::OutputLimit),
    ("sleep 1000 & sleep 1000 & exit 3", End::Exited(3)),
    ("sleep 1000 & wait", End::TimeLimit),
    ("setsid sleep 1000 & sleep 0.02; kill -SEGV $$", End::Killed(11)),
    ("setsid sleep 1000 <&- >/dev/null 2>&1 & sleep 0.02", End::Exited(0)),
    ("exec <&- >&- 2>&-; sleep 1000", End::TimeLimit),
    ("i=0; while [ $i -lt 20 ]; do sleep 1000 & i=$((i + 1)); done", End::Exited(0)),
    ("exit 139", End::Exited(139)),
];

/// Counts the entries of a folder.
fn count_entries(folder: &str) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// Returns the peak memory of this process in KiB.
fn peak_memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim_end_matches("kB").trim().parse().unwrap()
}

#[test]
fn nothing_is_left() {
    let input = b"a line of the input\n".repeat(100_000);
    let round = || {
        for (script, end) in HOSTILE {
            let limits = if end == End::TimeLimit { within(150) } else { LIMITS };
            assert_eq!(shell("nothing", script, &input, limits).end, end, "{script}");
        }
        let children = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT);
        assert_eq!(children.unwrap_err(), Errno::CHILD, "a child is left");
        (count_entries("/proc/self/task"), count_entries("/proc/self/fd"))
    };
    let before = round();
    for _ in 0..5 {
        assert_eq!(round(), before);
    }

    let before = peak_memory();
    for _ in 0..50 {
        assert_eq!(shell("nothing", "yes", b"", LIMITS).end, End::OutputLimit);
        assert_eq!(shell("nothing", "yes >&2", b"", within(20)).end, End::TimeLimit);
    }
    let after = peak_memory();
    assert!(after < before + 4096, "{before} KiB before, {after} KiB after");
}
