//! Programs under test: how to run one, and the result of a run.

mod run;
mod solution;
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

/// Somebody's program, ready to run: a program with its arguments; a `solution` that
/// was made one, in a temporary folder that goes with it; or a function of this process.
///
/// It is given its input on standard input and answers on standard output. Runs may go
/// on side by side.
pub struct Program {
    kind: Kind,
    /// As it was given, for people.
    name: String,
}

/// What is run.
enum Kind {
    /// A program and its arguments, and what was made for it.
    Words { words: Vec<OsString>, _folder: Option<TempDir> },
    /// A function.
    Function(Arc<Function>),
}

/// A run within this process: what comes of an input, within limits, until the watch says stop.
pub type Function = dyn Fn(&[u8], Limits, &Watch) -> Run + Send + Sync;

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Program").field(&self.name).finish()
    }
}

/// What a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From its start to its end, but for what it waits for a processor that others have, where
    /// the system reports how long that is.
    pub time: Duration,
    /// From its start to its end on the clock, whatever it waits for.
    pub clock: Duration,
    /// Bytes of standard output.
    pub output: usize,
    /// Bytes of memory that its processes may hold at a time, where the system reports it.
    pub memory: Option<u64>,
}

impl Limits {
    /// At most `time` on the clock, and at most `output` bytes.
    #[must_use]
    pub const fn new(time: Duration, output: usize) -> Self {
        Self { time, clock: time, output, memory: None }
    }
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
    /// How long of that it was ready to go on, and others had the processors; zero where the
    /// system does not tell.
    pub waited: Duration,
    /// Processor time, where the system reports it.
    pub cpu: Option<Duration>,
    /// The most bytes of memory that its processes were seen to hold. `None` where the system
    /// does not tell, and of a run that was over before it could be asked.
    pub memory: Option<u64>,
}

impl Run {
    /// What it took by itself: its time, but for the wait for a processor that others had.
    #[must_use]
    pub const fn own_time(&self) -> Duration {
        self.time.saturating_sub(self.waited)
    }
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
    /// It held more memory than it may.
    MemoryLimit,
    /// The watch said stop.
    Stopped,
}

/// Why a program cannot be run at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
    /// It ran, and its exit status is not known.
    #[error("the exit status of `{program}` is not known: {source}")]
    Lost {
        /// What was run.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// A file that cannot be read, or a folder that cannot be written.
    #[error("{path}: {source}")]
    File {
        /// Which it is.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// A file in a language that is not known here.
    #[error("`{file}` is not in a language whose `solution` can be called")]
    Language {
        /// The file.
        file: String,
    },
    /// Nothing on this machine compiles or runs this language.
    #[error("no {what}: looked for {tried}")]
    NoTool {
        /// What is missing: "C++ compiler".
        what: &'static str,
        /// By which names it was looked for.
        tried: &'static str,
    },
    /// It does not compile.
    #[error("`{file}` does not compile:\n{errors}")]
    Compile {
        /// The file.
        file: String,
        /// What the compiler says, or how it ended.
        errors: String,
    },
    /// A whole program in this file does not compile.
    #[error("`{file}` does not compile:\n{errors}")]
    Build {
        /// The file.
        file: String,
        /// What the compiler says, or how it ended.
        errors: String,
    },
    /// It does not get as far as being called: `solution` is missing, or the file is broken.
    #[error("`{file}` cannot be loaded:\n{errors}")]
    Load {
        /// The file.
        file: String,
        /// What it says, or how it ended.
        errors: String,
    },
    /// The watch said stop before it was ready.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Has programs supervised, so that nothing that they start outlives their runs or this process. To be called at the beginning of
/// `main`.
///
/// The supervisors are processes of this executable, for which `supervise` returns `true` when they are done: `main` is to return then.
/// In a process that was started in the usual way it returns `false`, and [`Program::run`] starts supervisors when it needs them. This
/// process becomes a subreaper with the first of them: descendants whose own parents have ended become its children. There are
/// supervisors on Linux only.
#[must_use]
pub fn supervise() -> bool {
    run::supervise()
}

impl Program {
    /// The program and its arguments. A program without a `/` is looked for in `PATH`.
    #[must_use]
    pub fn new(words: Vec<OsString>) -> Self {
        let shown: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        Self::made(shown.join(" "), words, None)
    }

    /// A program of these words, and the folder that goes with it.
    fn made(name: String, words: Vec<OsString>, folder: Option<TempDir>) -> Self {
        Self { kind: Kind::Words { words, _folder: folder }, name }
    }

    /// A function of this process in the place of a program: it is given what the program would
    /// read, and tells what the program would have done. It keeps to the limits itself.
    pub fn of_function(
        name: impl Into<String>,
        function: impl Fn(&[u8], Limits, &Watch) -> Run + Send + Sync + 'static,
    ) -> Self {
        Self { kind: Kind::Function(Arc::new(function)), name: name.into() }
    }

    /// The same, but that a source file in the place of the program is compiled, if it has to
    /// be, and run by what runs its language, given by the extension of its name: C, C++, Java,
    /// JavaScript, Kotlin, Python or Rust. One that is executable, and whose first line names
    /// what runs it, is run as it is.
    ///
    /// # Errors
    /// If the language's tools are missing, or it does not compile.
    pub fn of_words(words: Vec<OsString>, watch: &Watch) -> Result<Self, NoProgram> {
        source::program(words, watch)
    }

    /// A file with a function `solution(board, aloc, bloc)`, as it would be submitted on
    /// Programmers, in Python, C++, Java or JavaScript, given by the extension of its name.
    ///
    /// The program calls it once for each case of the judge `platforms`, in one process as
    /// on the site, so what it leaves in global variables is there at the next call. What
    /// it prints goes to standard error. Each answer is written as soon as it is known.
    ///
    /// # Errors
    /// If the file or its language's tools are missing, or it does not compile or load.
    pub fn solution(path: &Path, watch: &Watch) -> Result<Self, NoProgram> {
        solution::wrapped(path, watch)
    }

    /// The program as it was given, for people.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Runs it once on `input`, to its end. Whatever happens, its whole process group is
    /// gone afterwards. On Linux so are all of its descendants, even if this process is killed
    /// meanwhile, if [`supervise`] was called; without that, those that left the group are gone
    /// unless they cleared their environment, too.
    ///
    /// It does not have to read its input. What it writes is held up to the limit and no
    /// further. The watch is looked at every few milliseconds.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, input: &[u8], limits: Limits, watch: &Watch) -> Result<Run, NoProgram> {
        let words = match &self.kind {
            Kind::Words { words, .. } => words,
            Kind::Function(function) => return Ok(function(input, limits, watch)),
        };
        let Some((program, arguments)) = words.split_first() else {
            return Err(NoProgram::Nameless);
        };
        let mut command = Command::new(program);
        command.args(arguments);
        run::run(&mut command, input, limits, watch)
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
                NotFound if Path::new(program).exists() => match source::interpreter(Path::new(program)) {
                    Some(named) => format!("its first line names `{named}`, which is not there. {INTERPRETER}"),
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
            Self::NoTool { .. } => "install one, and see to it that it lies in `PATH`".to_owned(),
            Self::Compile { .. } | Self::Load { .. } => {
                "the file is taken as it would be submitted: `solution(board, aloc, bloc)` and what it needs, without \
                 a main program"
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

/// How to name what is not a program by itself.
const INTERPRETER: &str = "A script is named with its interpreter: `-- python3 yours.py`";
