//! The three pipes of a program, polled together.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;

use super::tail::Tail;

/// Bytes read at a time: what a pipe holds on Linux.
const CHUNK: usize = 1 << 16;

pub(super) struct Pipes<'i> {
    stdin: Option<File>,
    stdout: Option<File>,
    stderr: Option<File>,
    /// What is still to be fed.
    input: &'i [u8],
    output: Vec<u8>,
    /// Bytes of output that are allowed.
    most: usize,
    errors: Tail,
    chunk: Vec<u8>,
}

impl<'i> Pipes<'i> {
    /// Takes this process's ends of the pipes: standard input, output and error.
    pub(super) fn new(ends: [Option<OwnedFd>; 3], input: &'i [u8], most: usize) -> Self {
        let [stdin, stdout, stderr] = ends.map(|end| end.map(File::from).filter(does_not_block));
        Self {
            stdin: stdin.filter(|_| !input.is_empty()),
            stdout,
            stderr,
            input,
            output: Vec::new(),
            most,
            errors: Tail::default(),
            chunk: vec![0; CHUNK],
        }
    }

    /// Whether the program wrote more than it may.
    pub(super) const fn is_over(&self) -> bool {
        self.output.len() > self.most
    }

    /// Whether somebody may still write into them, and it matters.
    pub(super) const fn are_open(&self) -> bool {
        !self.is_over() && (self.stdout.is_some() || self.stderr.is_some())
    }

    /// Waits for any of them, for so long at most, then passes on what it can. Whether
    /// anything was passed, or one closed, as they do when the program is about to end.
    pub(super) fn pass(&mut self, pause: Duration) -> bool {
        let mut fds = Vec::with_capacity(3);
        fds.extend(self.stdin.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        fds.extend(self.stdout.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        fds.extend(self.stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        // An interrupted wait is a short one.
        if !poll(&mut fds, Some(&timespec(pause))).is_ok_and(|ready| ready > 0) {
            return false;
        }
        let fed = self.feed();
        let read = self.read_output();
        self.read_errors() || read || fed
    }

    /// Whether anything of the input was taken, or nothing more of it will be.
    fn feed(&mut self) -> bool {
        let Some(pipe) = &mut self.stdin else {
            return false;
        };
        match pipe.write(self.input) {
            Ok(bytes) => self.input = &self.input[bytes..],
            Err(error) if is_later(&error) => return false,
            // A program does not have to read its input.
            Err(_) => self.input = &[],
        }
        if self.input.is_empty() {
            self.stdin = None;
        }
        true
    }

    fn read_output(&mut self) -> bool {
        // A byte more than allowed shows that there is more.
        let room = (self.most - self.output.len().min(self.most)).saturating_add(1).min(CHUNK);
        let Some(bytes) = read(&mut self.stdout, &mut self.chunk[..room]) else {
            return false;
        };
        if self.output.capacity() < self.output.len() + bytes {
            // Twice as much, as a vector does by itself, but no more than is allowed.
            let twice = (2 * self.output.len()).min(self.most.saturating_add(1));
            self.output.reserve_exact(twice.saturating_sub(self.output.len()).max(bytes));
        }
        self.output.extend_from_slice(&self.chunk[..bytes]);
        true
    }

    fn read_errors(&mut self) -> bool {
        let Some(bytes) = read(&mut self.stderr, &mut self.chunk) else {
            return false;
        };
        self.errors.push(&self.chunk[..bytes]);
        true
    }

    /// The output, and the last lines of the errors.
    pub(super) fn finish(mut self) -> (Vec<u8>, String) {
        self.output.truncate(self.most);
        (self.output, self.errors.lines())
    }
}

/// Whether a pipe could be told never to wait. Only our end of it is told.
fn does_not_block(pipe: &impl AsFd) -> bool {
    ioctl_fionbio(pipe, true).is_ok()
}

/// How much could be read, if it is known; a pipe at its end, with 0, is closed.
fn read<P: Read>(pipe: &mut Option<P>, into: &mut [u8]) -> Option<usize> {
    match pipe.as_mut()?.read(into) {
        Err(error) if is_later(&error) => None,
        Ok(0) | Err(_) => {
            *pipe = None;
            Some(0)
        }
        Ok(bytes) => Some(bytes),
    }
}

/// Whether it may go better later.
fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// The duration, as `poll` takes it.
pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as _, tv_nsec: duration.subsec_nanos().into() }
}
