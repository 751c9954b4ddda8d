//! Resources of a running program: memory, and the wait for a processor. Linux reports them
//! in `/proc`; elsewhere there are no such files, and they are unknown.

use std::fs;
use std::time::{Duration, Instant};

/// The least and the greatest interval between two measurements. A program that ends within the least has no
/// time to grow.
const MEASURE_INTERVALS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(16));

/// The most processes of a program that are measured.
const MAX_PROCESSES: usize = 64;

/// The measured resources of a program.
pub(super) struct Usage {
    program: i32,
    /// The supervisor, whose children are the program and orphaned descendants.
    supervisor: Option<i32>,
    /// The largest memory of the processes in bytes, if it was measured.
    memory: Option<u64>,
    next: Instant,
    pause: Duration,
}

impl Usage {
    pub(super) fn new(program: i32, supervisor: Option<i32>) -> Self {
        Self { program, supervisor, memory: None, next: Instant::now(), pause: MEASURE_INTERVALS.0 }
    }

    /// Measures the memory if the interval is over: the sum of the processes' peaks. Returns the largest memory in bytes so far.
    pub(super) fn memory(&mut self) -> Option<u64> {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + self.pause;
            self.pause = MEASURE_INTERVALS.1.min(self.pause * 2);
            let peak = |process| {
                let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
                let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
                Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
            };
            let sum = self.processes().into_iter().filter_map(peak).reduce(|sum, bytes| sum + bytes);
            self.memory = self.memory.max(sum);
        }
        self.memory
    }

    /// Returns how long the program waited for a processor that others used: the longest wait of any thread, because threads
    /// wait in parallel.
    pub(super) fn waited(&self) -> Duration {
        let threads = self.processes().into_iter().flat_map(|process| {
            let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
            threads.map(|thread| thread.path())
        });
        let waits = threads.filter_map(|thread| {
            let times = fs::read_to_string(thread.join("schedstat")).ok()?;
            times.split_whitespace().nth(1)?.parse().ok()
        });
        Duration::from_nanos(waits.max().unwrap_or(0))
    }

    /// Returns the program and its descendants; without a supervisor, only those that are not orphaned.
    fn processes(&self) -> Vec<i32> {
        let mut found = self.supervisor.map(children_of).unwrap_or_default();
        if found.is_empty() {
            found.push(self.program);
        }
        let mut at = 0;
        while let Some(&process) = found.get(at).filter(|_| found.len() < MAX_PROCESSES) {
            found.extend(children_of(process));
            at += 1;
        }
        found
    }
}

/// Returns the children of a process, as far as the system lists them.
pub(super) fn children_of(process: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|number| number.parse().ok()).collect::<Vec<_>>())
        .collect()
}
