//! A run driven by one thread, which feeds the program, reads its output and watches the clock
//! with `poll`. No thread is left behind if a descendant keeps the pipes open.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::Watch;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

use super::escaped::Mark;
use super::pipes::Pipes;
#[cfg(target_os = "linux")]
use super::supervisor::{self, Ends, StartError, Supervised};
use super::usage::Usage;
use super::{End, GRACE, Limits, NoProgram, PAUSES, Run, end, reap, start};

/// So long is waited for the rest of the group to be out of the system's lists. Nothing
/// of it runs any more by then, but it is the system's first process that takes them
/// off, which some do once a second only.
const FAREWELL: Duration = Duration::from_millis(20);

/// A program that runs.
enum Running {
    /// A child of this process, and what its descendants are known by.
    Child { child: Child, mark: Mark },
    /// A child of a supervisor.
    #[cfg(target_os = "linux")]
    Supervised(Supervised),
}

impl Running {
    /// Starts it. Returns this process's ends of its pipes, too.
    fn start(command: &mut Command) -> Result<(Self, [Option<OwnedFd>; 3]), NoProgram> {
        #[cfg(target_os = "linux")]
        match supervisor::start(command) {
            Ok((supervised, Ends { stdin, stdout, stderr })) => {
                let ends = [stdin.into(), stdout.into(), stderr.into()].map(Some);
                return Ok((Self::Supervised(supervised), ends));
            }
            Err(StartError::NoSupervisor) => {}
            Err(StartError::Program(source)) => {
                return Err(NoProgram::Start { program: super::name(command), source });
            }
            Err(StartError::Lost(source)) => return Err(NoProgram::Lost { program: super::name(command), source }),
        }
        let mark = Mark::new();
        mark.put(command.process_group(0));
        let mut child = start(command)?;
        let ends = [
            child.stdin.take().map(Into::into),
            child.stdout.take().map(Into::into),
            child.stderr.take().map(Into::into),
        ];
        Ok((Self::Child { child, mark }, ends))
    }

    /// The program, which is the first of its process group.
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

    /// Whether the program has ended. It stays a zombie, which keeps its number from being
    /// given to another process.
    fn has_ended(&self) -> bool {
        match self {
            Self::Child { .. } => has_ended(self.program()),
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => supervised.has_ended(),
        }
    }

    /// Kills the program and what it has started, as far as that is known. Returns how the program ended.
    fn end(self) -> io::Result<ExitStatus> {
        let (mut child, mark) = match self {
            Self::Child { child, mark } => (child, mark),
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => return supervised.end(),
        };
        // The program is not waited for before this, so that its number is still its own.
        let group = Pid::from_child(&child);
        kill(group);
        mark.kill(group);
        let status = reap(&mut child, Instant::now() + GRACE);
        let until = Instant::now() + FAREWELL;
        while test_kill_process_group(group).is_ok() && Instant::now() < until {
            sleep(PAUSES.0);
        }
        status
    }
}

pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, NoProgram> {
    let begin = Instant::now();
    let (running, ends) = Running::start(command)?;
    let mut pipes = Pipes::new(ends, input, limits.output);
    let mut usage = Usage::new(running.program(), running.supervisor());
    let cut = attend(&running, &mut pipes, &mut usage, begin, limits, watch);
    let time = begin.elapsed();
    let (waited, cpu, memory) = (usage.waited().min(time), usage.cpu(), usage.memory());

    let status = running.end();
    let until = Instant::now() + GRACE;
    while pipes.are_open() && Instant::now() < until {
        pipes.pass(PAUSES.1);
    }
    let end = end(command, cut, pipes.is_over(), status)?;
    let (output, errors) = pipes.finish();
    Ok(Run { output, errors, end, time, waited, cpu, memory })
}

/// Feeds and reads the program until it ends by itself or has to be ended.
fn attend(
    running: &Running,
    pipes: &mut Pipes<'_>,
    usage: &mut Usage,
    begin: Instant,
    limits: Limits,
    watch: &Watch,
) -> Option<End> {
    let mut pause = PAUSES.0;
    loop {
        if pipes.is_over() {
            return Some(End::OutputLimit);
        }
        if running.has_ended() {
            return None;
        }
        if watch.is_stopping() {
            return Some(End::Stopped);
        }
        if usage.memory().zip(limits.memory).is_some_and(|(held, most)| held > most) {
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
        pause = if pipes.pass(pause.min(left)) { PAUSES.0 } else { PAUSES.1.min(pause * 2) };
    }
}

/// Whether a child has ended.
fn has_ended(program: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(program), options) {
        Ok(status) => status.is_some(),
        // Whoever waited for it in our place knows that it has.
        Err(error) => error == Errno::CHILD,
    }
}

/// Kills all that is left of the group. That there is nothing left is no error; nor can
/// anything be done about what belongs to somebody else.
fn kill(group: Pid) {
    let _ = kill_process_group(group, Signal::KILL);
}
