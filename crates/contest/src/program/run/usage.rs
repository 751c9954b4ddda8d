//! Resources of a running program: memory, processor time, and the time that it waited for a
//! processor. Linux reports them in `/proc`; elsewhere they are not known.

use std::time::{Duration, Instant};

use rustix::process::Pid;

/// Between two looks: a program that grows is met within the last, and one that is over within
/// the first was small.
const PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(16));

/// What a program was seen to take.
pub(super) struct Usage {
    program: Pid,
    /// The process whose children are the program and what it left behind, if there is one.
    supervisor: Option<i32>,
    /// The most bytes that its processes held, if they were seen.
    memory: Option<u64>,
    next: Instant,
    pause: Duration,
}

impl Usage {
    pub(super) fn new(program: Pid, supervisor: Option<i32>) -> Self {
        Self { program, supervisor, memory: None, next: Instant::now(), pause: PAUSES.0 }
    }

    /// Looks at it, if it is time. The most bytes it was seen to hold.
    pub(super) fn memory(&mut self) -> Option<u64> {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + self.pause;
            self.pause = PAUSES.1.min(self.pause * 2);
            self.memory = self.memory.max(system::memory(self.program, self.supervisor));
        }
        self.memory
    }

    /// How long it was ready to go on while others had the processors.
    pub(super) fn waited(&self) -> Duration {
        system::waited(self.program, self.supervisor)
    }

    /// What it took of the processors, when it has ended and is not yet waited for.
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

    /// A program that starts more processes than this is not followed to the last.
    const MOST_PROCESSES: usize = 64;

    /// The program and its descendants; without a supervisor, as far as they are still below it.
    fn processes(program: Pid, supervisor: Option<i32>) -> Vec<i32> {
        let mut found = supervisor.map(children_of).unwrap_or_default();
        if found.is_empty() {
            found.push(program.as_raw_nonzero().get());
        }
        let mut at = 0;
        while let Some(&process) = found.get(at).filter(|_| found.len() < MOST_PROCESSES) {
            found.extend(children_of(process));
            at += 1;
        }
        found
    }

    /// The sum of what each held at its most.
    pub(super) fn memory(program: Pid, supervisor: Option<i32>) -> Option<u64> {
        let held = |process| {
            let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
        };
        processes(program, supervisor).into_iter().filter_map(held).reduce(|sum, held| sum + held)
    }

    /// The wait of the thread, of any of its processes, that waited longest: threads wait side
    /// by side.
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
        // After the name, which may hold anything: of itself, and of its children that it waited for.
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
