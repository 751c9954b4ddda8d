//! A run driven by one thread, which feeds the program, reads its output and watches the clock
//! with `poll`. No thread is left behind if a descendant keeps the pipes open.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::Watch;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

use super::escaped::Mark;
use super::pipes::Pipes;
use super::usage::Usage;
use super::{End, GRACE, Limits, NoProgram, PAUSES, Run, end, reap, start};

/// So long is waited for the rest of the group to be out of the system's lists. Nothing
/// of it runs any more by then, but it is the system's first process that takes them
/// off, which some do once a second only.
const FAREWELL: Duration = Duration::from_millis(20);

pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, NoProgram> {
    let mark = Mark::new();
    mark.put(command.process_group(0));
    let begin = Instant::now();
    let mut child = start(command)?;
    let group = Pid::from_child(&child);
    let mut pipes = Pipes::new(&mut child, input, limits.output);
    let mut usage = Usage::new(group);
    let cut = attend(group, &mut pipes, &mut usage, begin, limits, watch);
    let time = begin.elapsed();
    let (waited, cpu, memory) = (usage.waited().min(time), usage.cpu(), usage.memory());

    // The program is not waited for before this, so that its number is still its own.
    kill(group);
    mark.kill(group);
    let until = Instant::now() + GRACE;
    while pipes.are_open() && Instant::now() < until {
        pipes.pass(PAUSES.1);
    }
    let status = reap(&mut child, until);
    let until = Instant::now() + FAREWELL;
    while test_kill_process_group(group).is_ok() && Instant::now() < until {
        sleep(PAUSES.0);
    }

    let end = end(command, cut, pipes.is_over(), status)?;
    let (output, errors) = pipes.finish();
    Ok(Run { output, errors, end, time, waited, cpu, memory })
}

/// Feeds and reads the program until it ends by itself or has to be ended.
fn attend(
    group: Pid,
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
        if has_ended(group) {
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

/// Whether the program has ended. It stays a zombie, which keeps its number from being
/// given to another process.
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
