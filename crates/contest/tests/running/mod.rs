//! Runs of shell scripts as programs under test, with a check that no process is left.
#![allow(dead_code, reason = "each file of tests uses some of it")]

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use balpan::Watch;
use balpan_contest::{Limits, Program, Run};

pub(crate) const LIMITS: Limits = Limits::new(Duration::from_secs(20), 1 << 20);

/// The time within which every run must end.
const RUN_TIMEOUT: Duration = Duration::from_secs(100);

/// The limits with another time limit.
pub(crate) const fn within(milliseconds: u64) -> Limits {
    Limits::new(Duration::from_millis(milliseconds), LIMITS.output)
}

/// Runs a script with `mark` in its environment, and checks that no process with the mark is left.
pub(crate) fn shell(mark: &str, script: &str, input: &[u8], limits: Limits) -> Run {
    let variable = format!("BALPAN_TEST={mark}");
    let words = ["env", &variable, "sh", "-c", script].map(Into::into).to_vec();
    let input = input.to_vec();
    let (sender, receiver) = mpsc::channel();
    let runner = thread::spawn(move || {
        let run = Program::new(words).run(&input, limits, &Watch::default());
        sender.send(run).unwrap();
    });
    let run = receiver.recv_timeout(RUN_TIMEOUT).unwrap_or_else(|_| panic!("{mark}: the run hangs")).unwrap();
    runner.join().unwrap();
    #[cfg(target_os = "linux")]
    assert_eq!(alive(&variable), Vec::<String>::new(), "{mark} is left");
    run
}

/// Returns the processes with this environment variable. Zombies have none.
#[cfg(target_os = "linux")]
pub(crate) fn alive(variable: &str) -> Vec<String> {
    let has_variable = |pid: &String| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|environment| environment.split(|&byte| byte == 0).any(|one| one == variable.as_bytes()))
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    pids.filter(|pid| pid.parse::<u32>().is_ok()).filter(has_variable).collect()
}
