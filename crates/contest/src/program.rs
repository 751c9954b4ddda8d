//! Somebody's program: what it takes to run it once, and what came of that.

mod run;

use std::ffi::OsString;
use std::io;
use std::process::Command;
use std::time::Duration;

use balpan::Watch;

/// Somebody's program, ready to run: a program with its arguments.
///
/// It is given its input on standard input and answers on standard output. Runs may go
/// on side by side.
#[derive(Debug)]
pub struct Program {
    /// The program and its arguments.
    words: Vec<OsString>,
    /// As it was given, for people.
    name: String,
}

/// What a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From its start to its end, on the clock.
    pub time: Duration,
    /// Bytes of standard output.
    pub output: usize,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What it wrote to standard output, as far as the limit goes.
    pub output: Vec<u8>,
    /// The last lines that it wrote to standard error. They may hold anything, what moves
    /// a terminal's cursor included.
    pub errors: String,
    /// How it ended.
    pub end: End,
    /// What it took, on the clock.
    pub time: Duration,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal, which it was not us who sent.
    Killed(i32),
    /// It was still running when its time was up.
    TimeLimit,
    /// It wrote more than it may.
    OutputLimit,
    /// The watch said stop.
    Stopped,
}

/// Why a program cannot be run at all.
#[derive(Debug, thiserror::Error)]
pub enum NoProgram {
    /// No words.
    #[error("no program is named")]
    Nameless,
    /// The system cannot start it.
    #[error("`{program}` cannot be started: {source}")]
    Start {
        /// What was to be started.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// It ran, and how it ended cannot be learnt.
    #[error("how `{program}` ended cannot be learnt: {source}")]
    Lost {
        /// What was run.
        program: String,
        /// What the system says.
        source: io::Error,
    },
}

impl Program {
    /// The program and its arguments. A program without a `/` is looked for in `PATH`.
    #[must_use]
    pub fn new(words: Vec<OsString>) -> Self {
        let shown: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        Self { name: shown.join(" "), words }
    }

    /// The program as it was given, for people.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Runs it once on `input`, to its end. Whatever happens, its whole process group is
    /// gone afterwards; on Linux, so are those of its descendants that left the group.
    ///
    /// It does not have to read its input. What it writes is held up to the limit and no
    /// further. The watch is looked at every few milliseconds.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, NoProgram> {
        let Some((program, arguments)) = self.words.split_first() else {
            return Err(NoProgram::Nameless);
        };
        let mut command = Command::new(program);
        command.args(arguments);
        run::run(command, input, limits, watch)
    }
}

impl NoProgram {
    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> String {
        use io::ErrorKind::{ExecutableFileBusy, NotFound, PermissionDenied};
        /// "Exec format error": a script that does not say what reads it.
        const ENOEXEC: i32 = 8;

        match self {
            Self::Nameless => "name the program and its arguments".to_owned(),
            Self::Start { program, source } => match source.kind() {
                NotFound => format!("there is no `{program}`, or what its first line names is missing: {}", PATHS),
                PermissionDenied => format!("is it executable? Or name the interpreter: {INTERPRETER}"),
                ExecutableFileBusy => "it is still being written: try again when it is built".to_owned(),
                _ if source.raw_os_error() == Some(ENOEXEC) => {
                    format!("it is neither a program for this machine nor begins with `#!`; {INTERPRETER}")
                }
                _ => format!("does it run by itself? For a script, name the interpreter: {INTERPRETER}"),
            },
            Self::Lost { .. } => "somebody else waits for the children of this process".to_owned(),
        }
    }
}

/// How to name a program that is no program by itself.
const INTERPRETER: &str = "`-- python3 yours.py`";

/// How to name one that does not lie in `PATH`.
const PATHS: &str = "one in this folder is named `./yours`, a script with its interpreter, `-- python3 yours.py`";
