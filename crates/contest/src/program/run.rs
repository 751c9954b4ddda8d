//! One run of a program.
//!
//! Its standard input, output and error are temporary files: nobody has to read while it writes, on any system, and no
//! descendant that keeps them open holds up the run.

mod child;
#[cfg(target_os = "linux")]
mod processes;
pub(super) mod session;
#[cfg(target_os = "linux")]
mod supervisor;
mod usage;

use std::env;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::Watch;

use super::{End, Limits, Program, ProgramError, Run};
#[cfg(target_os = "linux")]
use processes::is_readable;
#[cfg(target_os = "linux")]
use supervisor::{StartError, Supervised};
use usage::Usage;

/// The least and the greatest interval between two polls of the program. It doubles from one to the other.
const POLL_INTERVALS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(5));

/// How long to wait for killed processes. They end within a millisecond unless the machine hangs or they
/// belong to another user.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// Runs a command on `input` to its end.
pub(super) fn run(command: &mut Command, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, ProgramError> {
    let file_error = |source| ProgramError::File { path: env::temp_dir().display().to_string(), source };
    let mut files = Files::new(input).map_err(file_error)?;
    let begin = Instant::now();
    let mut running = Running::start(command, [&files.input, &files.output, &files.errors])?;
    let (program, supervisor) = running.numbers();
    let mut usage = Usage::new(program, supervisor);
    let cut = drive(&mut running, &mut files, &mut usage, begin, limits, watch);
    let time = begin.elapsed();
    let (waited, memory) = (usage.waited().min(time), usage.memory());

    let end = match (cut, running.end()) {
        (Some(end), _) => end,
        // The last output exceeded the limit.
        (None, _) if files.is_output_over(limits.output) => End::OutputLimit,
        (None, Ok(status)) => child::exit_end(status),
        (None, Err(source)) => return Err(ProgramError::Lost { program: name(command), source }),
    };
    let (output, errors) = files.read(limits.output).map_err(file_error)?;
    Ok(Run { output, errors, end, time, waited, memory })
}

/// Enables supervisors, which see to it that no descendant of a program outlives its run or this process. Call it at the beginning of
/// `main`, and return from `main` if it returns `true`.
///
/// The supervisors are processes of this executable; in them, `supervise` does all the work and then returns `true`. In a process that
/// was started in the usual way it returns `false`, and [`Program::run`](crate::Program::run) starts supervisors when it needs them. With the first of them,
/// this process becomes a subreaper: descendants whose parents have ended become its children. There are supervisors only on Linux.
#[must_use]
pub fn supervise() -> bool {
    #[cfg(target_os = "linux")]
    return supervisor::supervise();
    #[cfg(not(target_os = "linux"))]
    false
}

/// Waits until the program ends or has to be killed. Returns why it has to be.
fn drive(
    running: &mut Running,
    files: &mut Files,
    usage: &mut Usage,
    begin: Instant,
    limits: Limits,
    watch: &Watch,
) -> Option<End> {
    let mut pause = Duration::ZERO;
    loop {
        let has_ended = running.ends_within(pause);
        files.cut_errors();
        if files.is_output_over(limits.output) {
            return Some(End::OutputLimit);
        }
        if has_ended {
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
        pause = (pause * 2).clamp(POLL_INTERVALS.0, POLL_INTERVALS.1).min(left);
    }
}

/// A running program.
enum Running {
    /// A child of this process, and the mark of its descendants.
    Child(Child, String),
    /// A child of a supervisor.
    #[cfg(target_os = "linux")]
    Supervised(Supervised),
}

impl Running {
    fn start(command: &mut Command, files: [&File; 3]) -> Result<Self, ProgramError> {
        let start_error = |command: &Command, source| ProgramError::Start { program: name(command), source };
        #[cfg(target_os = "linux")]
        match supervisor::start(command, files) {
            Ok(supervised) => return Ok(Self::Supervised(supervised)),
            Err(StartError::NoSupervisor) => {}
            Err(StartError::Program(source)) => return Err(start_error(command, source)),
            Err(StartError::Lost(source)) => return Err(ProgramError::Lost { program: name(command), source }),
        }
        let mut start = || {
            let [input, output, errors] = files;
            command.stdin(input.try_clone()?).stdout(output.try_clone()?).stderr(errors.try_clone()?);
            child::start(command)
        };
        match start() {
            Ok((child, mark)) => Ok(Self::Child(child, mark)),
            Err(source) => Err(start_error(command, source)),
        }
    }

    /// Returns the process numbers of the program, which leads its process group, and of the supervisor.
    fn numbers(&self) -> (i32, Option<i32>) {
        match self {
            Self::Child(child, _) => (child.id().cast_signed(), None),
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => (supervised.program, Some(supervised.supervisor())),
        }
    }

    /// Whether the program ends within `pause`.
    fn ends_within(&mut self, pause: Duration) -> bool {
        match self {
            Self::Child(child, _) => {
                sleep(pause);
                child::has_ended(child)
            }
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => is_readable(&supervised.handle, pause),
        }
    }

    /// Kills the program and its known descendants. Returns how the program ended.
    fn end(self) -> io::Result<ExitStatus> {
        match self {
            Self::Child(child, mark) => child::kill(child, &mark),
            #[cfg(target_os = "linux")]
            Self::Supervised(supervised) => supervised.end(),
        }
    }
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

/// The number of bytes of standard error that are kept.
const MAX_TAIL_BYTES: u64 = 1 << 13;

/// The size of the file of standard error from which on only its end is kept.
const MAX_ERRORS_BYTES: u64 = 1 << 26;

/// The standard input, output and error of a program.
struct Files {
    input: File,
    output: File,
    errors: File,
    /// The end of what was cut off from the errors.
    tail: Vec<u8>,
}

impl Files {
    fn new(input: &[u8]) -> io::Result<Self> {
        let [to_read, output] = [tempfile::tempfile()?, tempfile::tempfile()?];
        let mut files = Self { input: to_read, output, errors: errors_file()?, tail: Vec::new() };
        files.input.write_all(input)?;
        files.input.rewind()?;
        Ok(files)
    }

    fn is_output_over(&self, max_bytes: usize) -> bool {
        self.output.metadata().is_ok_and(|file| file.len() > max_bytes as u64)
    }

    /// Keeps a program that writes errors without end from filling the disk.
    fn cut_errors(&mut self) {
        if self.errors.metadata().is_ok_and(|file| file.len() > MAX_ERRORS_BYTES)
            && let Ok(tail) = read_tail(&mut self.errors)
            && self.errors.set_len(0).is_ok()
        {
            self.tail = tail;
        }
    }

    /// Returns the output, up to the limit, and the last lines of the errors.
    fn read(mut self, max_bytes: usize) -> io::Result<(Vec<u8>, String)> {
        let mut output = Vec::new();
        self.output.rewind()?;
        self.output.take(max_bytes as u64).read_to_end(&mut output)?;
        let is_cut = !self.tail.is_empty() || self.errors.metadata()?.len() > MAX_TAIL_BYTES;
        self.tail.extend(read_tail(&mut self.errors)?);
        Ok((output, last_lines(&self.tail, is_cut)))
    }
}

/// Creates the file of standard error. Programs append to it: what they write stays in order when the file is cut.
fn errors_file() -> io::Result<File> {
    let (errors, path) = tempfile::Builder::new().append(true).tempfile()?.into_parts();
    path.close()?;
    Ok(errors)
}

/// Reads the last bytes of a file.
fn read_tail(file: &mut File) -> io::Result<Vec<u8>> {
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(MAX_TAIL_BYTES)))?;
    file.take(MAX_TAIL_BYTES).read_to_end(&mut tail)?;
    Ok(tail)
}

/// Returns the last bytes from a line start on; all of them, if there is no line end.
fn last_lines(bytes: &[u8], is_cut: bool) -> String {
    let bytes = &bytes[bytes.len().saturating_sub(MAX_TAIL_BYTES as usize)..];
    let begin = bytes.iter().position(|&byte| byte == b'\n').filter(|_| is_cut).map_or(0, |end| end + 1);
    String::from_utf8_lossy(&bytes[begin..]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_at_a_line_start() {
        assert_eq!(last_lines(b"first\n", false), "first\n");
        let all: String = (0..10_000).map(|line| format!("{line}\n")).collect();
        let lines = last_lines(all.as_bytes(), true);
        let first = 10_000 - lines.lines().count();
        assert!(lines.lines().map(str::to_owned).eq((first..10_000).map(|line| line.to_string())));
        assert!(first > 0 && lines.len() as u64 <= MAX_TAIL_BYTES);
        assert_eq!(last_lines(&[b'x'; 2 << 13], true), "x".repeat(1 << 13));
    }
}
