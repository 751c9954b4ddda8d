//! A program with which lines are exchanged while it runs.

use std::fs::File;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, io};

use balpan::Watch;

use super::{End, Program, ProgramError, Running, child, errors_file, last_lines, read_tail};

/// The longest line in bytes that is read.
const MAX_LINE_BYTES: u64 = 1 << 12;

/// Lines that are read ahead.
const MAX_LINES_AHEAD: usize = 64;

/// Longest time between two polls of the watch.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// How long a program that has closed its output may take to end.
const EXIT_GRACE: Duration = Duration::from_millis(300);

/// Why a program has not written a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It did not end the line in time.
    TimeLimit,
    /// It exited with this code.
    Exited(i32),
    /// This signal killed it.
    Killed(i32),
    /// It closed its output, but goes on.
    Closed,
    /// The line is longer than a move can be.
    LineLimit,
    /// The watch stopped the wait.
    Stopped,
}

/// A running program that reads and writes lines. Dropped, it is killed with its descendants, as [`Program::run`] does.
pub struct Session {
    running: Option<Running>,
    /// `None` once the input was closed.
    input: Option<Sender<String>>,
    lines: Receiver<Option<String>>,
    errors: File,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

impl Program {
    /// Starts the program, to exchange lines with it.
    ///
    /// # Errors
    /// If it cannot be started, or is a [function](Self::from_function).
    pub fn start(&self) -> Result<Session, ProgramError> {
        let (program, arguments) = self.words()?;
        let mut command = Command::new(program);
        Session::start(command.args(arguments))
    }
}

impl Session {
    fn start(command: &mut Command) -> Result<Self, ProgramError> {
        let file_error = |source| ProgramError::File { path: env::temp_dir().display().to_string(), source };
        let pipes = || Ok((io::pipe()?, io::pipe()?, errors_file()?));
        let ((their_input, input), (output, their_output), errors) = pipes().map_err(file_error)?;
        let running = Running::start(command, [&file(their_input), &file(their_output), &errors])?;
        // Neither a program that does not read nor one that does not write holds up this thread.
        let (sender, to_write) = channel();
        thread::spawn(move || write_lines(input, &to_write));
        let (read, lines) = sync_channel(MAX_LINES_AHEAD);
        thread::spawn(move || read_lines(output, |line| read.send(line).is_ok()));
        Ok(Self { running: Some(running), input: Some(sender), lines, errors })
    }

    /// Sends text. A program that has closed its input does not get it.
    pub fn send(&self, text: impl Into<String>) {
        if let Some(input) = &self.input {
            // Fails if the program has closed its input.
            let _ = input.send(text.into());
        }
    }

    /// Reads the next line, without its end and the blanks around it. Blank lines and those that begin with `#` are passed over.
    ///
    /// # Errors
    /// Why there is none.
    pub fn read_line(&mut self, time: Duration, watch: &Watch) -> Result<String, Silence> {
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(Some(line)) if line.trim().is_empty() || line.starts_with('#') => {}
                Ok(Some(line)) => return Ok(line.trim().to_owned()),
                Ok(None) => return Err(Silence::LineLimit),
                Err(RecvTimeoutError::Disconnected) => return Err(self.end_of_output()),
                Err(RecvTimeoutError::Timeout) if watch.is_stopping() => return Err(Silence::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if left.is_zero() {
                return Err(Silence::TimeLimit);
            }
        }
    }

    /// Closes the program's input, gives it some time to end, and kills what is left of it. Returns the last lines of its standard error.
    pub fn finish(mut self, grace: Duration) -> String {
        self.input = None;
        if let Some(running) = &mut self.running {
            let until = Instant::now() + grace;
            while !running.ends_within(POLL_INTERVAL) && Instant::now() < until {}
        }
        self.end();
        let tail = read_tail(&mut self.errors).unwrap_or_default();
        last_lines(&tail, self.errors.metadata().is_ok_and(|file| file.len() > tail.len() as u64))
    }

    /// Returns how a program whose output is closed has ended.
    fn end_of_output(&mut self) -> Silence {
        let until = Instant::now() + EXIT_GRACE;
        while let Some(running) = &mut self.running
            && Instant::now() < until
        {
            if running.ends_within(POLL_INTERVAL) {
                return match self.end() {
                    Some(End::Exited(code)) => Silence::Exited(code),
                    Some(End::Killed(signal)) => Silence::Killed(signal),
                    _ => Silence::Closed,
                };
            }
        }
        Silence::Closed
    }

    /// Kills the program and its descendants. Returns how it ended.
    fn end(&mut self) -> Option<End> {
        self.running.take()?.end().ok().map(child::exit_end)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}

fn write_lines(mut input: PipeWriter, lines: &Receiver<String>) {
    // An error says that the program has closed its input.
    while let Ok(text) = lines.recv()
        && input.write_all(text.as_bytes()).is_ok()
    {}
}

/// Passes on the lines of a program, and `None` for one that is too long, after which nothing is read.
fn read_lines(output: PipeReader, mut pass: impl FnMut(Option<String>) -> bool) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_over = line.len() as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n');
        if !pass((!is_over).then(|| String::from_utf8_lossy(&line).into_owned())) || is_over {
            return;
        }
    }
}

#[cfg(unix)]
fn file(pipe: impl Into<std::os::fd::OwnedFd>) -> File {
    pipe.into().into()
}

#[cfg(windows)]
fn file(pipe: impl Into<std::os::windows::io::OwnedHandle>) -> File {
    pipe.into().into()
}

/// Other systems have no pipes.
#[cfg(not(any(unix, windows)))]
fn file<T>(_pipe: T) -> File {
    unreachable!("a pipe was made")
}
