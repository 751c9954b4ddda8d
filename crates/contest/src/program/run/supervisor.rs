//! Supervisors: processes that see to it that no descendant of a program outlives its run or this process.
//!
//! A supervisor is the executable of this process, started again with an argument of its own ([`supervise`]). It starts the program and is
//! a subreaper: a descendant of the program whose parent has ended becomes the supervisor's child, whatever its session, process group and
//! environment. At the end of a run the supervisor kills its descendants until none is left. It does the same when the socket to this
//! process closes, which happens however this process ends, SIGKILL included.
//!
//! A supervisor has one run at a time and is reused, so a run costs two messages and not the start of a process. A request is a length
//! (8 bytes), then as many bytes of JSON. The answer is the program's process number, or a negated error number. A length of 0 ends the
//! run; its answer, when no process is left, is the program's wait status.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, kill_process_group, pidfd_open, set_child_subreaper,
    wait,
};
use serde::{Deserialize, Serialize};

use super::KILL_GRACE;
use super::child::reap;
use super::processes::{is_readable, kill_all, reap_all, wait_for};

/// The argument that makes the executable a supervisor.
const ARGUMENT: &str = "__supervise";

/// The longest request in bytes: Linux starts no program with more arguments and environment.
const MAX_REQUEST_BYTES: u64 = 1 << 26;

/// How often a supervisor reaps descendants that have ended.
const REAP_INTERVAL: Duration = Duration::from_millis(100);

/// The supervisors of this process.
static SUPERVISORS: Mutex<Supervisors> =
    Mutex::new(Supervisors { are_enabled: false, idle: Vec::new(), all: Vec::new() });

struct Supervisors {
    are_enabled: bool,
    /// The supervisors without a run.
    idle: Vec<Supervisor>,
    /// The process numbers of all living supervisors.
    all: Vec<i32>,
}

fn supervisors() -> MutexGuard<'static, Supervisors> {
    // No panic can leave it inconsistent.
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program to start: the command, changes to the environment, the folder, and the paths of the files of its standard input, output
/// and error.
#[derive(Serialize, Deserialize)]
struct Request {
    words: Vec<OsString>,
    environment: Vec<(OsString, Option<OsString>)>,
    folder: Option<OsString>,
    files: [String; 3],
}

/// See [`supervise`](crate::program::supervise).
pub(super) fn supervise() -> bool {
    if !env::args_os().skip(1).eq([ARGUMENT]) {
        supervisors().are_enabled = true;
        return false;
    }
    if let Ok(control) = io::stdin().as_fd().try_clone_to_owned() {
        // The parent notices an error by the end of this process.
        let _ = serve(&mut control.into());
    }
    true
}

/// A supervisor, as seen by the process that it works for.
pub(super) struct Supervisor {
    process: Child,
    control: UnixStream,
}

/// A program that a supervisor has started.
pub(super) struct Supervised {
    supervisor: Supervisor,
    pub(super) program: i32,
    /// The handle of the program, which stays a zombie until the end of the run.
    pub(super) handle: OwnedFd,
}

/// Why a supervisor did not start a program.
pub(super) enum StartError {
    /// No supervisor is available: this process has not called [`supervise`], or cannot be started again.
    NoSupervisor,
    /// The program cannot be started.
    Program(io::Error),
    /// The supervisor is gone, because the program killed it at once.
    Lost(io::Error),
}

/// Starts a program under a supervisor.
pub(super) fn start(command: &Command, files: [&File; 3]) -> Result<Supervised, StartError> {
    let mut supervisor = Supervisor::take().ok_or(StartError::NoSupervisor)?;
    if supervisor.request(command, files).is_err() {
        return Err(StartError::NoSupervisor);
    }
    let started = supervisor.answer().and_then(|answer| {
        match Some(answer).filter(|&answer| answer > 0).and_then(Pid::from_raw) {
            Some(program) => Ok(Ok((answer, pidfd_open(program, PidfdFlags::empty())?))),
            None => Ok(Err(io::Error::from_raw_os_error(answer.saturating_neg()))),
        }
    });
    match started {
        Ok(Ok((program, handle))) => Ok(Supervised { supervisor, program, handle }),
        Ok(Err(error)) => {
            supervisor.give_back();
            Err(StartError::Program(error))
        }
        Err(error) => {
            supervisor.discard();
            Err(StartError::Lost(error))
        }
    }
}

impl Supervised {
    /// Returns the supervisor's process number. The program and orphaned descendants are its children.
    pub(super) fn supervisor(&self) -> i32 {
        self.supervisor.process.id().cast_signed()
    }

    /// Ends the run and kills all of its processes. Returns how the program ended.
    pub(super) fn end(mut self) -> io::Result<ExitStatus> {
        let ended = self.supervisor.end();
        if ended.is_ok() {
            self.supervisor.give_back();
        } else {
            self.supervisor.discard();
        }
        ended
    }
}

impl Supervisor {
    /// Returns an idle supervisor, or starts one.
    fn take() -> Option<Self> {
        if !supervisors().are_enabled {
            return None;
        }
        // The lock is not held while a dead supervisor is dropped, which takes the lock.
        while let Some(mut idle) = Self::idle() {
            if matches!(idle.process.try_wait(), Ok(None)) {
                return Some(idle);
            }
        }
        // Old kernels have no process handles.
        pidfd_open(getpid(), PidfdFlags::empty()).ok()?;
        let mut all = supervisors();
        // If the program kills its supervisor, it becomes a child of this process.
        set_child_subreaper(Some(getpid())).ok()?;
        let (control, theirs) = UnixStream::pair().ok()?;
        control.set_read_timeout(Some(KILL_GRACE)).ok()?;
        // The same executable, even if its file was replaced.
        let mut command = Command::new("/proc/self/exe");
        command.arg0("balpan").arg(ARGUMENT).process_group(0);
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().ok()?;
        all.all.push(process.id().cast_signed());
        drop(all);
        let mut supervisor = Self { process, control };
        // The first answer says that it is ready.
        supervisor.answer().ok()?;
        Some(supervisor)
    }

    fn idle() -> Option<Self> {
        supervisors().idle.pop()
    }

    fn give_back(self) {
        supervisors().idle.push(self);
    }

    /// Drops a supervisor that is not reliable any more, and kills what its run left.
    fn discard(self) {
        drop(self);
        kill_strays();
    }

    /// Requests the start of a program with this standard input, output and error.
    fn request(&mut self, command: &Command, files: [&File; 3]) -> io::Result<()> {
        let words = [command.get_program()].into_iter().chain(command.get_args()).map(Into::into).collect();
        let environment = command.get_envs().map(|(name, value)| (name.into(), value.map(Into::into))).collect();
        let folder = command.get_current_dir().map(Into::into);
        // The files have no names of their own.
        let files = files.map(|file| format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
        let request = serde_json::to_vec(&Request { words, environment, folder, files })?;
        self.control.write_all(&(request.len() as u64).to_le_bytes())?;
        self.control.write_all(&request)
    }

    fn end(&mut self) -> io::Result<ExitStatus> {
        self.control.write_all(&[0; 8])?;
        self.answer().map(ExitStatus::from_raw)
    }

    /// Reads the next answer.
    fn answer(&mut self) -> io::Result<i32> {
        let until = Instant::now() + 2 * KILL_GRACE;
        while !is_readable(&self.control, REAP_INTERVAL) && Instant::now() < until {
            // The program may have stopped the supervisor.
            let _ = kill_process(Pid::from_child(&self.process), Signal::CONT);
        }
        let mut answer = [0; 4];
        self.control.read_exact(&mut answer)?;
        Ok(i32::from_le_bytes(answer))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // The supervisor kills what is left of its run, and ends.
        let _ = self.control.shutdown(std::net::Shutdown::Both);
        if reap(&mut self.process, Instant::now() + 2 * KILL_GRACE).is_err() {
            let _ = self.process.kill();
            let _ = reap(&mut self.process, Instant::now() + KILL_GRACE);
        }
        let number = self.process.id().cast_signed();
        supervisors().all.retain(|&one| one != number);
    }
}

/// Kills the processes that became children of this process when their supervisor was killed.
fn kill_strays() {
    // The lock keeps others from starting a supervisor, which would not be spared.
    let all = supervisors();
    let until = Instant::now() + KILL_GRACE;
    loop {
        let killed = kill_all(&all.all);
        wait_for(&killed, until);
        reap_all(&all.all);
        if killed.is_empty() || Instant::now() >= until {
            return;
        }
    }
}

/// Serves runs until the other end of the socket closes.
fn serve(control: &mut UnixStream) -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    answer(control, 0)?;
    while let Some(request) = receive(control)? {
        let child = match spawn(&request) {
            Ok(child) => child,
            Err(error) => {
                let number = error.raw_os_error().unwrap_or(Errno::INVAL.raw_os_error());
                answer(control, number.saturating_neg())?;
                continue;
            }
        };
        let program = Pid::from_child(&child);
        let finished =
            answer(control, program.as_raw_nonzero().get()).and_then(|()| wait_for_end_request(control, program));
        let ended = end(program);
        finished?;
        answer(control, ended?)?;
    }
    Ok(())
}

/// Reads the next request; `None` if there are no more.
fn receive(control: &mut UnixStream) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match control.read_exact(&mut length) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u64::from_le_bytes(length);
    if length > MAX_REQUEST_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut request = vec![0; length as usize];
    control.read_exact(&mut request)?;
    Ok(Some(request))
}

fn answer(control: &mut UnixStream, number: i32) -> io::Result<()> {
    control.write_all(&number.to_le_bytes())
}

/// Starts the program in a process group of its own.
fn spawn(request: &[u8]) -> io::Result<Child> {
    let Request { words, environment, folder, files: [input, output, errors] } = serde_json::from_slice(request)?;
    let [program, arguments @ ..] = &words[..] else { return Err(io::ErrorKind::InvalidInput.into()) };
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(File::open(input)?);
    command.stdout(File::options().write(true).open(output)?).stderr(File::options().append(true).open(errors)?);
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    command.spawn()
}

/// Waits for the request to end the run. Returns an error if the other end of the socket is gone.
fn wait_for_end_request(control: &mut UnixStream, program: Pid) -> io::Result<()> {
    while !is_readable(&*control, REAP_INTERVAL) {
        // The program itself stays a zombie, because its usage is read later.
        reap_all(&[program.as_raw_nonzero().get()]);
    }
    let mut word = [0; 8];
    control.read_exact(&mut word)?;
    if word == [0; 8] { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// Kills the program and all of its descendants. Returns the program's wait status.
fn end(program: Pid) -> io::Result<i32> {
    let until = Instant::now() + KILL_GRACE;
    let mut status = None;
    // Usually the program has no descendants outside its group, and this ends all of them.
    let _ = kill_process_group(program, Signal::KILL);
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((child, ended))) => status = if child == program { Some(ended.as_raw()) } else { status },
            Err(Errno::INTR) => {}
            // Without children there are no descendants: orphans become children of this process.
            Err(_) => return status.ok_or(io::ErrorKind::NotFound.into()),
            // Some processes belong to another user or hang in the kernel.
            Ok(None) if Instant::now() >= until => return Err(io::ErrorKind::TimedOut.into()),
            Ok(None) => wait_for(&kill_all(&[]), until),
        }
    }
}
