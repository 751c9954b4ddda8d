//! Programs under test, and their runs within limits.

mod run;
mod source;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use balpan::{Stopped, Watch};
use tempfile::TempDir;

pub use run::session::{Session, Silence};
pub use run::supervise;

/// A program under test: a command with its arguments; a source file or a function `solution`, compiled
/// in a temporary folder that is deleted with this; or a function of this process.
///
/// It reads its input from standard input and answers on standard output. Runs may go on in parallel.
pub struct Program {
    kind: Kind,
    /// The program as the user gave it.
    name: String,
}

/// The executable of a program.
enum Kind {
    /// A program and its arguments, with the folder that holds the files built for it.
    Command { words: Vec<OsString>, _folder: Option<TempDir> },
    /// A function of this process.
    Function(Arc<Function>),
}

/// A function that runs on an input within limits, until the watch stops it.
pub type Function = dyn Fn(&[u8], Limits, &Watch) -> Run + Send + Sync;

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Program").field(&self.name).finish()
    }
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time from start to end, not counting the wait for a processor that others use, where the
    /// system reports that wait.
    pub time: Duration,
    /// The time from start to end by the clock.
    pub clock: Duration,
    /// The size of standard output in bytes.
    pub output: usize,
    /// The memory of all processes of the run in bytes, where the system reports it.
    pub memory: Option<u64>,
}

impl Limits {
    /// Limits of `time` by the clock and `output` bytes, without a memory limit.
    #[must_use]
    pub const fn new(time: Duration, output: usize) -> Self {
        Self { time, clock: time, output, memory: None }
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Standard output, up to the limit.
    pub output: Vec<u8>,
    /// The last lines of standard error. They may contain anything, such as control sequences of a
    /// terminal.
    pub errors: String,
    /// How the run ended.
    pub end: End,
    /// The time by the clock.
    pub time: Duration,
    /// The part of the time in which the program waited for a processor that others used; zero where
    /// the system does not report it.
    pub waited: Duration,
    /// The largest measured memory of the run's processes in bytes. `None` where the system does not
    /// report it, or if the run was too short to measure it.
    pub memory: Option<u64>,
}

impl Run {
    /// Returns the time without the wait for a processor that others used.
    #[must_use]
    pub const fn own_time(&self) -> Duration {
        self.time.saturating_sub(self.waited)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program exited with this code.
    Exited(i32),
    /// This signal, which this process did not send, killed the program.
    Killed(i32),
    /// The program exceeded the time limit.
    TimeLimit,
    /// The program exceeded the output limit.
    OutputLimit,
    /// The program exceeded the memory limit.
    MemoryLimit,
    /// The watch stopped the run.
    Stopped,
}

/// Why a program cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The command is empty.
    #[error("no program is named")]
    EmptyCommand,
    /// The system cannot start the program.
    #[error("`{program}` cannot be started: {source}")]
    Start {
        /// The program's path or name.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// The program ran, but its exit status is unknown.
    #[error("the exit status of `{program}` is not known: {source}")]
    Lost {
        /// The program's path or name.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// A file cannot be read, or a folder cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The path of the file or folder.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// The file's language is not supported.
    #[error("`{file}` is not in a language whose `solution` can be called")]
    Language {
        /// The file.
        file: String,
    },
    /// The problem's function is not called in the file's language.
    #[error("`{file}` is not in a language whose functions can be called here")]
    FunctionLanguage {
        /// The file.
        file: String,
    },
    /// No tool on this machine compiles or runs the language.
    #[error("no {what}: looked for {tried}")]
    MissingTool {
        /// The missing tool: "C++ compiler".
        what: &'static str,
        /// The names that were looked for.
        tried: &'static str,
    },
    /// A file with a `solution` does not compile.
    #[error("`{file}` does not compile:\n{errors}")]
    Compile {
        /// The file.
        file: String,
        /// The compiler's messages, or how it ended.
        errors: String,
    },
    /// A file with a whole program does not compile.
    #[error("`{file}` does not compile:\n{errors}")]
    Build {
        /// The file.
        file: String,
        /// The compiler's messages, or how it ended.
        errors: String,
    },
    /// A file with a `solution` cannot be loaded: the function is missing, or the file is broken.
    #[error("`{file}` cannot be loaded:\n{errors}")]
    Load {
        /// The file.
        file: String,
        /// The program's messages, or how it ended.
        errors: String,
    },
    /// The watch stopped the preparation.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Program {
    /// A program and its arguments. A name without a `/` is looked up in `PATH`.
    #[must_use]
    pub fn new(words: Vec<OsString>) -> Self {
        let name: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        Self::from_parts(name.join(" "), words, None)
    }

    /// A program with the folder that holds the files built for it.
    fn from_parts(name: String, words: Vec<OsString>, folder: Option<TempDir>) -> Self {
        Self { kind: Kind::Command { words, _folder: folder }, name }
    }

    /// A function of this process that acts as a program. It gets the program's input and returns its
    /// run, and has to keep the limits itself.
    pub fn from_function(
        name: impl Into<String>,
        function: impl Fn(&[u8], Limits, &Watch) -> Run + Send + Sync + 'static,
    ) -> Self {
        Self { kind: Kind::Function(Arc::new(function)), name: name.into() }
    }

    /// Returns the program as the user gave it.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Runs the program once on `input`, to its end. Afterwards its whole process group is gone. On Linux
    /// so are all of its descendants if [`supervise`] was called, even if this process is killed
    /// meanwhile. Without supervisors, descendants that left the group are killed, too, unless they
    /// cleared their environment.
    ///
    /// The program does not have to read its input. Output is kept up to the limit. The watch is polled
    /// every few milliseconds.
    ///
    /// # Errors
    /// If the program cannot be started, or its exit status is unknown.
    pub fn run(&self, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, ProgramError> {
        if let Kind::Function(function) = &self.kind {
            return Ok(function(input, limits, watch));
        }
        let (program, arguments) = self.words()?;
        let mut command = Command::new(program);
        command.args(arguments);
        run::run(&mut command, input, limits, watch)
    }

    /// Returns the program of a command and its arguments.
    fn words(&self) -> Result<(&OsString, &[OsString]), ProgramError> {
        match &self.kind {
            Kind::Command { words, .. } => words.split_first().ok_or(ProgramError::EmptyCommand),
            Kind::Function(_) => Err(ProgramError::EmptyCommand),
        }
    }
}

impl ProgramError {
    /// Returns advice for the user.
    #[must_use]
    pub fn help(&self) -> String {
        use io::ErrorKind::{ExecutableFileBusy, NotFound, PermissionDenied};
        /// "Exec format error": a script without a `#!` line.
        const ENOEXEC: i32 = 8;

        match self {
            Self::EmptyCommand => "name the program and its arguments".to_owned(),
            Self::Start { program, source } => match source.kind() {
                NotFound if Path::new(program).exists() => match source::interpreter(Path::new(program)) {
                    Some(interpreter) => {
                        format!("its first line names `{interpreter}`, which is not there. {INTERPRETER}")
                    }
                    None => format!("it needs a loader or a library that is not there. {INTERPRETER}"),
                },
                NotFound if program.contains('/') => format!("there is no such file. {INTERPRETER}"),
                NotFound => {
                    format!("no folder of `PATH` has it; one that lies here is named `./{program}`. {INTERPRETER}")
                }
                PermissionDenied if Path::new(program).is_dir() => "it is a folder: name a program in it".to_owned(),
                PermissionDenied => format!("it is not executable; make it so: chmod +x '{program}'. {INTERPRETER}"),
                ExecutableFileBusy => "it is still being written: try again when it is built".to_owned(),
                _ if source.raw_os_error() == Some(ENOEXEC) => {
                    format!("it is not a program for this machine, nor does it begin with `#!`. {INTERPRETER}")
                }
                _ => format!("does it run by itself? {INTERPRETER}"),
            },
            Self::File { .. } => "name a file that can be read".to_owned(),
            Self::Language { .. } => {
                "a file that ends in .py, .cpp, .cc, .cxx, .java or .js; or a program that reads the judge's input \
                 and writes its answers: `-- python3 yours.py`"
                    .to_owned()
            }
            Self::FunctionLanguage { .. } => {
                "a file that ends in .py or .js; in other languages, a program that reads a JSON object a line and writes an \
                 answer a line: `-- ./yours`"
                    .to_owned()
            }
            Self::MissingTool { .. } => "install one, and see to it that it lies in `PATH`".to_owned(),
            Self::Compile { .. } | Self::Load { .. } => {
                "the file is taken as it would be submitted: the function that is asked for, such as `solution(board, aloc, bloc)`, \
                 and what it needs, without a main program"
                    .to_owned()
            }
            Self::Build { .. } => {
                "the file is compiled as it stands: a whole program, which reads standard input and writes its answers"
                    .to_owned()
            }
            Self::Stopped(_) => "ask again".to_owned(),
            Self::Lost { .. } => {
                "it has killed its parent, which watches over it, or has started a process that cannot be killed; or \
                 somebody else waits for the children of this process"
                    .to_owned()
            }
        }
    }
}

/// Advice for scripts.
const INTERPRETER: &str = "A script is named with its interpreter: `-- python3 yours.py`";
