//! Programs given as a file with a function `solution`, which a small runner in each language calls
//! for each case.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use balpan::{Stopped, Watch};
use tempfile::TempDir;

use super::run::run;
use super::{End, Limits, Program, ProgramError, Run};

/// The limits of a compiler, and of loading a file.
const LIMITS: Limits = Limits::new(Duration::from_secs(60), 1 << 16);

/// A source file and the folder for the files built from it.
pub(super) struct SourceFile<'w> {
    /// The path as the user gave it.
    pub(super) name: String,
    /// The absolute path.
    pub(super) path: PathBuf,
    /// The folder of the runner and of compiled files.
    pub(super) folder: TempDir,
    pub(super) watch: &'w Watch,
    /// Whether the file is a whole program, and not a `solution`.
    is_whole: bool,
}

/// Returns the program that calls the `solution` of a file.
pub(super) fn program(path: &Path, watch: &Watch) -> Result<Program, ProgramError> {
    let name = path.display().to_string();
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let words = match ending.as_str() {
        "py" => SourceFile::python,
        "cpp" | "cc" | "cxx" => SourceFile::cpp,
        "java" => SourceFile::java,
        "js" => SourceFile::javascript,
        _ => return Err(ProgramError::Language { file: name }),
    };
    let source = SourceFile::new(path, name, watch, false)?;
    let words = words(&source)?;
    let program = Program::from_parts(source.name, words, Some(source.folder));
    // Without cases, the runner only loads the file.
    let run = program.run(b"", LIMITS, watch)?;
    success(run)?.map_err(|errors| ProgramError::Load { file: program.name(), errors })?;
    Ok(program)
}

impl<'w> SourceFile<'w> {
    pub(super) fn new(path: &Path, name: String, watch: &'w Watch, is_whole: bool) -> Result<Self, ProgramError> {
        let file_error = |source| ProgramError::File { path: name.clone(), source };
        let path = path.canonicalize().map_err(file_error)?;
        fs::File::open(&path).map_err(file_error)?;
        let folder = tempfile::Builder::new()
            .prefix("balpan-")
            .tempdir()
            .map_err(|source| ProgramError::File { path: env::temp_dir().display().to_string(), source })?;
        Ok(Self { name, path, folder, watch, is_whole })
    }
}

impl SourceFile<'_> {
    fn python(&self) -> Result<Vec<OsString>, ProgramError> {
        let runner = self.write("runner.py", include_str!("wrappers/runner.py"))?;
        Ok(vec![self.find_python()?.into(), runner.into(), self.path.clone().into()])
    }

    /// Returns the path of the interpreter itself: the one in `PATH` may be a wrapper script that looks
    /// for it at every start.
    pub(super) fn find_python(&self) -> Result<String, ProgramError> {
        const PRINT_PATH: &str = "import sys; sys.version_info >= (3, 6) and print(sys.executable)";

        let interpreter = |name: &str| {
            let run = self.try_run(Command::new(name).args(["-c", PRINT_PATH]))?;
            let path = run.map(|run| String::from_utf8_lossy(&run.output).trim().to_owned());
            Ok::<_, ProgramError>(path.filter(|path| Path::new(path).is_file()))
        };
        let python = match interpreter("python3")? {
            Some(python) => Some(python),
            None => interpreter("python")?,
        };
        python.ok_or(ProgramError::MissingTool { what: "Python 3", tried: "python3, python" })
    }

    fn javascript(&self) -> Result<Vec<OsString>, ProgramError> {
        let runner = self.write("runner.js", include_str!("wrappers/runner.js"))?;
        self.check_node()?;
        Ok(vec!["node".into(), runner.into(), self.path.clone().into()])
    }

    pub(super) fn check_node(&self) -> Result<(), ProgramError> {
        let exists = self.try_run(Command::new("node").arg("--version"))?.is_some();
        exists.then_some(()).ok_or(ProgramError::MissingTool { what: "JavaScript", tried: "node" })
    }

    /// Compiles a copy with the file's folder as an include path. A `#line` directive makes the
    /// compiler's messages name the file, and no odd file name gets into an `#include`.
    fn cpp(&self) -> Result<Vec<OsString>, ProgramError> {
        let runner = self.write("runner.cpp", include_str!("wrappers/runner.cpp"))?;
        let cases = self.write("balpan_cases.cpp", include_str!("wrappers/balpan_cases.cpp"))?;
        self.write("balpan_cases.hpp", include_str!("wrappers/balpan_cases.hpp"))?;
        let shown = self.name.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], "?");
        let mut submitted = format!("#line 1 \"{shown}\"\n").into_bytes();
        submitted.extend(self.contents()?);
        self.write("submitted.cpp", submitted)?;

        self.compile_cpp(&["-iquote".as_ref(), self.home(), cases.as_ref(), runner.as_ref()])
    }

    /// Compiles C++ with these arguments.
    pub(super) fn compile_cpp(&self, arguments: &[&OsStr]) -> Result<Vec<OsString>, ProgramError> {
        let options = ["-O2", "-std=c++17", "-fmax-errors=5"].map(OsStr::new);
        let missing = ProgramError::MissingTool { what: "C++ compiler", tried: "$CXX, c++, g++, clang++" };
        self.compile_native("CXX", &["c++", "g++", "clang++"], &[&options[..], arguments].concat(), missing)
    }

    /// Compiles with the compiler of an environment variable, which may have arguments, or with the first of `compilers`
    /// that exists.
    pub(super) fn compile_native(
        &self,
        variable: &str,
        compilers: &[&str],
        arguments: &[&OsStr],
        missing: ProgramError,
    ) -> Result<Vec<OsString>, ProgramError> {
        let program = self.folder.path().join("program");
        let chosen = env::var_os(variable).unwrap_or_default().to_string_lossy().into_owned();
        for compiler in [chosen.as_str()].iter().chain(compilers) {
            let mut words = compiler.split_whitespace();
            let Some(compiler) = words.next() else {
                continue;
            };
            let mut command = Command::new(compiler);
            command.args(words).arg("-o").arg(&program).args(arguments);
            if self.compile(&mut command)? {
                return Ok(vec![program.into()]);
            }
        }
        Err(missing)
    }

    /// Compiles the class `Solution`, whatever the file's name.
    fn java(&self) -> Result<Vec<OsString>, ProgramError> {
        self.write("BalpanRunner.java", include_str!("wrappers/BalpanRunner.java"))?;
        self.write("Solution.java", self.contents()?)?;
        let folder = self.folder.path();
        let mut command = Command::new("javac");
        command.args(["-encoding", "UTF-8", "-nowarn", "-Xmaxerrs", "5", "-d", "."]);
        command.args(["Solution.java", "BalpanRunner.java"]).current_dir(folder);
        if !self.compile(&mut command)? {
            return Err(ProgramError::MissingTool { what: "Java compiler", tried: "javac" });
        }
        self.java_command(["-cp".into(), folder.into(), "BalpanRunner".into()])
    }

    /// Returns a `java` command with these arguments.
    pub(super) fn java_command(&self, arguments: [OsString; 3]) -> Result<Vec<OsString>, ProgramError> {
        if self.try_run(Command::new("java").arg("-version"))?.is_none() {
            return Err(ProgramError::MissingTool { what: "Java", tried: "java" });
        }
        // Java starts in a tenth of a second with these options, and leaves no file when it is killed.
        let quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:-UsePerfData"];
        Ok(["java"].into_iter().chain(quick).map(OsString::from).chain(arguments).collect())
    }

    pub(super) fn contents(&self) -> Result<Vec<u8>, ProgramError> {
        fs::read(&self.path).map_err(|source| ProgramError::File { path: self.name.clone(), source })
    }

    /// Returns the file's folder.
    fn home(&self) -> &OsStr {
        self.path.parent().map_or(OsStr::new("."), Path::as_os_str)
    }

    pub(super) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf, ProgramError> {
        let path = self.folder.path().join(name);
        match fs::write(&path, contents) {
            Ok(()) => Ok(path),
            Err(source) => Err(ProgramError::File { path: path.display().to_string(), source }),
        }
    }

    /// Runs a tool. `None` if it does not exist.
    pub(super) fn try_run(&self, command: &mut Command) -> Result<Option<Run>, ProgramError> {
        match run(command, b"", LIMITS, self.watch) {
            Err(ProgramError::Start { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Ok(Run { end: End::Stopped, .. }) => Err(Stopped::Interrupted.into()),
            run => run.map(Some),
        }
    }

    /// Runs a compiler on the file. Returns whether the compiler exists.
    pub(super) fn compile(&self, command: &mut Command) -> Result<bool, ProgramError> {
        let Some(run) = self.try_run(command)? else {
            return Ok(false);
        };
        let file = self.name.clone();
        success(run)?.map_err(|errors| match self.is_whole {
            true => ProgramError::Build { file, errors },
            false => ProgramError::Compile { file, errors },
        })?;
        Ok(true)
    }
}

/// Returns the messages of a run that failed as an inner error.
fn success(run: Run) -> Result<Result<(), String>, Stopped> {
    let how = match run.end {
        End::Exited(0) => return Ok(Ok(())),
        End::Stopped => return Err(Stopped::Interrupted),
        End::Exited(code) if run.errors.trim().is_empty() => format!("it ended with code {code}"),
        End::Exited(_) => String::new(),
        End::Killed(signal) => format!("signal {signal} ended it"),
        End::TimeLimit => format!("it took more than {} seconds", LIMITS.time.as_secs()),
        End::OutputLimit => "it writes without end".to_owned(),
        End::MemoryLimit => "it takes too much memory".to_owned(),
    };
    let errors = run.errors.trim_end();
    Ok(Err([errors, &how].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n")))
}
