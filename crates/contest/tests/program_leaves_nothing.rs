//! Run after run of hostile programs leaves no process, no zombie, no thread, no open
//! file and no memory behind. One test only, so that nothing else runs in its process.
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

/// Entries of a folder of this process.
fn count(folder: &str) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// The most memory that this process had, in KiB.
fn most_memory() -> usize {
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
        (count("/proc/self/task"), count("/proc/self/fd"))
    };
    let before = round();
    for _ in 0..5 {
        assert_eq!(round(), before);
    }

    let before = most_memory();
    for _ in 0..50 {
        assert_eq!(shell("nothing", "yes", b"", LIMITS).end, End::OutputLimit);
        assert_eq!(shell("nothing", "yes >&2", b"", within(20)).end, End::TimeLimit);
    }
    let after = most_memory();
    assert!(after < before + 4096, "{before} KiB before, {after} KiB after");
}
