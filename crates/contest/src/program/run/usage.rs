//! Resources of a running program: memory, processor time, and the wait for a processor. Linux reports them
//! in `/proc`; elsewhere they are unknown.

use std::time::{Duration, Instant};

use rustix::process::Pid;

/// The least and the greatest interval between two measurements. A program that ends within the least has no
/// time to grow.
const MEASURE_INTERVALS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(16));

/// The measured resources of a program.
pub(super) struct Usage {
    program: Pid,
    /// The supervisor, whose children are the program and orphaned descendants.
    supervisor: Option<i32>,
    /// The largest memory of the processes in bytes, if it was measured.
    memory: Option<u64>,
    next: Instant,
    pause: Duration,
}

impl Usage {
    pub(super) fn new(program: Pid, supervisor: Option<i32>) -> Self {
        Self { program, supervisor, memory: None, next: Instant::now(), pause: MEASURE_INTERVALS.0 }
    }

    /// Measures the memory if the interval is over. Returns the largest memory in bytes so far.
    pub(super) fn memory(&mut self) -> Option<u64> {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + self.pause;
            self.pause = MEASURE_INTERVALS.1.min(self.pause * 2);
            self.memory = self.memory.max(system::memory(self.program, self.supervisor));
        }
        self.memory
    }

    /// Returns how long the program waited for a processor that others used.
    pub(super) fn waited(&self) -> Duration {
        system::waited(self.program, self.supervisor)
    }

    /// Returns the processor time of a program that has ended and is not yet reaped.
    pub(super) fn cpu(&self) -> Option<Duration> {
        system::cpu(self.program)
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::time::Duration;

    use rustix::param::clock_ticks_per_second;
    use rustix::process::Pid;

    use super::super::descendants::children_of;

    /// The most processes of a program that are measured.
    const MAX_PROCESSES: usize = 64;

    /// Returns the program and its descendants; without a supervisor, only those that are not orphaned.
    fn processes(program: Pid, supervisor: Option<i32>) -> Vec<i32> {
        let mut found = supervisor.map(children_of).unwrap_or_default();
        if found.is_empty() {
            found.push(program.as_raw_nonzero().get());
        }
        let mut at = 0;
        while let Some(&process) = found.get(at).filter(|_| found.len() < MAX_PROCESSES) {
            found.extend(children_of(process));
            at += 1;
        }
        found
    }

    /// Returns the sum of the processes' peak memory.
    pub(super) fn memory(program: Pid, supervisor: Option<i32>) -> Option<u64> {
        let peak = |process| {
            let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
        };
        processes(program, supervisor).into_iter().filter_map(peak).reduce(|sum, bytes| sum + bytes)
    }

    /// Returns the longest wait of any thread: threads wait in parallel.
    pub(super) fn waited(program: Pid, supervisor: Option<i32>) -> Duration {
        let threads = processes(program, supervisor).into_iter().flat_map(|process| {
            let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
            threads.map(|thread| thread.path())
        });
        let waits = threads.filter_map(|thread| {
            let times = fs::read_to_string(thread.join("schedstat")).ok()?;
            times.split_whitespace().nth(1)?.parse().ok()
        });
        Duration::from_nanos(waits.max().unwrap_or(0))
    }

    pub(super) fn cpu(program: Pid) -> Option<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", program.as_raw_nonzero())).ok()?;
        // The times of the process and of its reaped children follow the name, which may contain anything.
        let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
        let ticks: u64 = fields.map(|field| field.parse::<u64>().unwrap_or(0)).sum();
        Some(Duration::from_secs_f64(ticks as f64 / clock_ticks_per_second().max(1) as f64))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::time::Duration;

    use rustix::process::Pid;

    pub(super) fn memory(_: Pid, _: Option<i32>) -> Option<u64> {
        None
    }

    pub(super) fn waited(_: Pid, _: Option<i32>) -> Duration {
        Duration::ZERO
    }

    pub(super) fn cpu(_: Pid) -> Option<Duration> {
        None
    }
}
