//! The three pipes of a program, polled together.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;

use super::Tail;

/// Bytes read at a time: the capacity of a pipe on Linux.
const CHUNK_BYTES: usize = 1 << 16;

pub(super) struct Pipes<'i> {
    stdin: Option<File>,
    stdout: Option<File>,
    stderr: Option<File>,
    /// The input that is not written yet.
    input: &'i [u8],
    output: Vec<u8>,
    /// The output limit in bytes.
    max_output: usize,
    errors: Tail,
    chunk: Vec<u8>,
}

impl<'i> Pipes<'i> {
    /// Takes this process's ends of the pipes for standard input, output and error.
    pub(super) fn new(ends: [Option<OwnedFd>; 3], input: &'i [u8], max_output: usize) -> Self {
        let [stdin, stdout, stderr] = ends.map(|end| end.map(File::from).filter(set_nonblocking));
        Self {
            stdin: stdin.filter(|_| !input.is_empty()),
            stdout,
            stderr,
            input,
            output: Vec::new(),
            max_output,
            errors: Tail::default(),
            chunk: vec![0; CHUNK_BYTES],
        }
    }

    /// Whether the program exceeded the output limit.
    pub(super) const fn is_over_limit(&self) -> bool {
        self.output.len() > self.max_output
    }

    /// Whether more output may come and the limit is not exceeded.
    pub(super) const fn are_open(&self) -> bool {
        !self.is_over_limit() && (self.stdout.is_some() || self.stderr.is_some())
    }

    /// Waits for any of the pipes, at most for `pause`, then transfers data. Returns whether there was any,
    /// or a pipe closed, which happens when the program is about to end.
    pub(super) fn transfer(&mut self, pause: Duration) -> bool {
        let mut fds = Vec::with_capacity(3);
        fds.extend(self.stdin.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        fds.extend(self.stdout.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        fds.extend(self.stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        // An interrupted wait is a short one.
        if !poll(&mut fds, Some(&timespec(pause))).is_ok_and(|ready| ready > 0) {
            return false;
        }
        let wrote = self.write_input();
        let read = self.read_output();
        self.read_errors() || read || wrote
    }

    /// Writes input. Returns whether the program took any, or closed the pipe.
    fn write_input(&mut self) -> bool {
        let Some(pipe) = &mut self.stdin else {
            return false;
        };
        match pipe.write(self.input) {
            Ok(bytes) => self.input = &self.input[bytes..],
            Err(error) if is_retryable(&error) => return false,
            // A program does not have to read its input.
            Err(_) => self.input = &[],
        }
        if self.input.is_empty() {
            self.stdin = None;
        }
        true
    }

    fn read_output(&mut self) -> bool {
        // One byte above the limit shows that it is exceeded.
        let room = (self.max_output - self.output.len().min(self.max_output)).saturating_add(1).min(CHUNK_BYTES);
        let Some(bytes) = read(&mut self.stdout, &mut self.chunk[..room]) else {
            return false;
        };
        if self.output.capacity() < self.output.len() + bytes {
            // Doubles the capacity as a vector does by itself, but not above the limit.
            let twice = (2 * self.output.len()).min(self.max_output.saturating_add(1));
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

    /// Returns the output and the last lines of standard error.
    pub(super) fn finish(mut self) -> (Vec<u8>, String) {
        self.output.truncate(self.max_output);
        (self.output, self.errors.lines())
    }
}

/// Makes this process's end of a pipe nonblocking. Returns whether that succeeded.
fn set_nonblocking(pipe: &impl AsFd) -> bool {
    ioctl_fionbio(pipe, true).is_ok()
}

/// Returns the number of bytes read; 0 at the end of the pipe, which is then closed; `None` if there is
/// nothing to read yet.
fn read<P: Read>(pipe: &mut Option<P>, into: &mut [u8]) -> Option<usize> {
    match pipe.as_mut()?.read(into) {
        Err(error) if is_retryable(&error) => None,
        Ok(0) | Err(_) => {
            *pipe = None;
            Some(0)
        }
        Ok(bytes) => Some(bytes),
    }
}

/// Whether a later attempt may succeed.
fn is_retryable(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Converts a duration for `poll`.
pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as _, tv_nsec: duration.subsec_nanos().into() }
}
