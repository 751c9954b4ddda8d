//! A run driven by one thread, which writes the program's input, reads its output and watches the clock
//! with `poll`. So no thread is left behind if a descendant keeps the pipes open.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::Watch;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

use super::pipes::Pipes;
use super::processes::{kill_marked, mark};
#[cfg(target_os = "linux")]
use super::supervisor::{self, Ends, StartError, Supervised};
use super::usage::Usage;
use super::{End, KILL_GRACE, Limits, POLL_INTERVALS, ProgramError, Run, reap, run_end, start};

/// How long to wait until the killed process group is out of the system's lists. Its processes do not run
/// any more, but the init process has to reap them, and some do so only once a second.
const REAP_GRACE: Duration = Duration::from_millis(20);

/// A running program.
enum Running {
    /// A child of this process, with the mark of its descendants.
    Child { child: Child, mark: String },
    /// A child of a supervisor.
    #[cfg(target_os = "linux")]
    Supervised(Supervised),
}

impl Running {
    /// Starts a program. Also returns this process's ends of its pipes.
    fn start(command: &mut Command) -> Result<(Self, [Option<OwnedFd>; 3]), ProgramError> {
        #[cfg(target_os = "linux")]
        match supervisor::start(command) {
            Ok((supervised, Ends { stdin, stdout, stderr })) => {
                let ends = [stdin.into(), stdout.into(), stderr.into()].map(Some);
                return Ok((Self::Supervised(supervised), ends));
            }
            Err(StartError::NoSupervisor) => {}
            Err(StartError::Program(source)) => {
                return Err(ProgramError::Start { program: super::name(command), source });
            }
            Err(StartError::Lost(source)) => return Err(ProgramError::Lost { program: super::name(command), source }),
        }
        let mark = mark(command.process_group(0));
        let mut child = start(command)?;
        let ends = [
            child.stdin.take().map(Into::into),
            child.stdout.take().map(Into::into),
            child.stderr.take().map(Into::into),
        ];
        Ok((Self::Child { child, mark }, ends))
    }

    /// Returns the program, which leads its process group.
    fn program(&self) -> Pid {
        match self {
            Self::Child { child, .. } => Pid::from_child(child),
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => supervised.program,
        }
    }

    fn supervisor(&self) -> Option<i32> {
        match self {
            Self::Child { .. } => None,
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => Some(supervised.supervisor()),
        }
    }

    /// Whether the program has ended. It stays a zombie, so that its number is not reused.
    fn has_ended(&self) -> bool {
        match self {
            Self::Child { .. } => has_ended(self.program()),
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => supervised.has_ended(),
        }
    }

    /// Kills the program and its known descendants. Returns how the program ended.
    fn end(self) -> io::Result<ExitStatus> {
        // The program is not reaped yet, so its number still is its own.
        let group = self.program();
        let (mut child, mark) = match self {
            Self::Child { child, mark } => (child, mark),
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => return supervised.end(),
        };
        // Errors are ignored: there may be nothing left, and processes of other users cannot be killed.
        let _ = kill_process_group(group, Signal::KILL);
        kill_marked(&mark, group);
        let status = reap(&mut child, Instant::now() + KILL_GRACE);
        let until = Instant::now() + REAP_GRACE;
        while test_kill_process_group(group).is_ok() && Instant::now() < until {
            sleep(POLL_INTERVALS.0);
        }
        status
    }
}

pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, ProgramError> {
    let begin = Instant::now();
    let (running, ends) = Running::start(command)?;
    let mut pipes = Pipes::new(ends, input, limits.output);
    let mut usage = Usage::new(running.program().as_raw_nonzero().get(), running.supervisor());
    let cut = drive(&running, &mut pipes, &mut usage, begin, limits, watch);
    let time = begin.elapsed();
    let (waited, memory) = (usage.waited().min(time), usage.memory());

    let status = running.end();
    let until = Instant::now() + KILL_GRACE;
    while pipes.are_open() && Instant::now() < until {
        pipes.transfer(POLL_INTERVALS.1);
    }
    let end = run_end(command, cut, pipes.is_over_limit(), status)?;
    let (output, errors) = pipes.finish();
    Ok(Run { output, errors, end, time, waited, memory })
}

/// Transfers input and output until the program ends or has to be killed. Returns why it has to be.
fn drive(
    running: &Running,
    pipes: &mut Pipes<'_>,
    usage: &mut Usage,
    begin: Instant,
    limits: Limits,
    watch: &Watch,
) -> Option<End> {
    let mut pause = POLL_INTERVALS.0;
    loop {
        if pipes.is_over_limit() {
            return Some(End::OutputLimit);
        }
        if running.has_ended() {
            return None;
        }
        if watch.is_stopping() {
            return Some(End::Stopped);
        }
        if usage.memory().zip(limits.memory).is_some_and(|(memory, limit)| memory > limit) {
            return Some(End::MemoryLimit);
        }
        let elapsed = begin.elapsed();
        let mut left = limits.time.saturating_sub(elapsed);
        if left.is_zero() {
            left = (limits.time + usage.waited()).saturating_sub(elapsed);
        }
        left = left.min(limits.clock.saturating_sub(elapsed));
        if left.is_zero() {
            return Some(End::TimeLimit);
        }
        pause = if pipes.transfer(pause.min(left)) { POLL_INTERVALS.0 } else { POLL_INTERVALS.1.min(pause * 2) };
    }
}

/// Whether a child has ended.
fn has_ended(program: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(program), options) {
        Ok(status) => status.is_some(),
        // Somebody else has reaped it, so it has ended.
        Err(error) => error == Errno::CHILD,
    }
}
