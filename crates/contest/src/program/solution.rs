//! Programs given as a file with a function `solution`: a small runner for each language calls it
//! for each case.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use balpan::{Stopped, Watch};
use tempfile::TempDir;

use super::run::run;
use super::{End, Limits, NoProgram, Program, Run};

/// For a compiler, and for the file to be loaded.
const LIMITS: Limits = Limits::new(Duration::from_secs(60), 1 << 16);

/// A file on its way to being a program.
pub(super) struct Submitted<'w> {
    /// As it was given, for people.
    pub(super) name: String,
    /// The same file, wherever one stands.
    pub(super) path: PathBuf,
    /// Where the runner and what is compiled are kept.
    pub(super) folder: TempDir,
    pub(super) watch: &'w Watch,
}

/// The program that calls the `solution` of this file.
pub(super) fn wrapped(path: &Path, watch: &Watch) -> Result<Program, NoProgram> {
    let name = path.display().to_string();
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let words = match ending.as_str() {
        "py" => Submitted::python,
        "cpp" | "cc" | "cxx" => Submitted::cpp,
        "java" => Submitted::java,
        "js" => Submitted::javascript,
        _ => return Err(NoProgram::Language { file: name }),
    };
    let submitted = Submitted::new(path, name, watch)?;
    let words = words(&submitted)?;
    let program = Program::made(submitted.name, words, Some(submitted.folder));
    // With no cases, it is loaded and nothing else.
    let run = program.run(b"", LIMITS, watch)?;
    succeeded(run)?.map_err(|errors| NoProgram::Load { file: program.name(), errors })?;
    Ok(program)
}

impl<'w> Submitted<'w> {
    pub(super) fn new(path: &Path, name: String, watch: &'w Watch) -> Result<Self, NoProgram> {
        let file_error = |source| NoProgram::File { path: name.clone(), source };
        let path = path.canonicalize().map_err(file_error)?;
        fs::File::open(&path).map_err(file_error)?;
        let folder = tempfile::Builder::new()
            .prefix("balpan-")
            .tempdir()
            .map_err(|source| NoProgram::File { path: env::temp_dir().display().to_string(), source })?;
        Ok(Self { name, path, folder, watch })
    }
}

impl Submitted<'_> {
    fn python(&self) -> Result<Vec<OsString>, NoProgram> {
        let runner = self.write("runner.py", include_str!("wrappers/runner.py"))?;
        Ok(vec![self.find_python()?.into(), runner.into(), self.path.clone().into()])
    }

    /// The real one: what stands in `PATH` may be a script that looks for it, every time.
    pub(super) fn find_python(&self) -> Result<String, NoProgram> {
        const WHERE: &str = "import sys; sys.version_info >= (3, 6) and print(sys.executable)";

        let real = |name: &str| {
            let run = self.try_run(Command::new(name).args(["-c", WHERE]))?;
            let path = run.map(|run| String::from_utf8_lossy(&run.output).trim().to_owned());
            Ok::<_, NoProgram>(path.filter(|path| Path::new(path).is_file()))
        };
        let python = match real("python3")? {
            Some(python) => Some(python),
            None => real("python")?,
        };
        python.ok_or(NoProgram::NoTool { what: "Python 3", tried: "python3, python" })
    }

    fn javascript(&self) -> Result<Vec<OsString>, NoProgram> {
        let runner = self.write("runner.js", include_str!("wrappers/runner.js"))?;
        self.needs_node()?;
        Ok(vec!["node".into(), runner.into(), self.path.clone().into()])
    }

    pub(super) fn needs_node(&self) -> Result<(), NoProgram> {
        let there = self.try_run(Command::new("node").arg("--version"))?.is_some();
        there.then_some(()).ok_or(NoProgram::NoTool { what: "JavaScript", tried: "node" })
    }

    /// Compiled with its folder to include from. The compiler's words name the file itself,
    /// and no name of it, however odd, stands in an `#include`.
    fn cpp(&self) -> Result<Vec<OsString>, NoProgram> {
        let runner = self.write("runner.cpp", include_str!("wrappers/runner.cpp"))?;
        let cases = self.write("balpan_cases.cpp", include_str!("wrappers/balpan_cases.cpp"))?;
        self.write("balpan_cases.hpp", include_str!("wrappers/balpan_cases.hpp"))?;
        let shown = self.name.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], "?");
        let mut submitted = format!("#line 1 \"{shown}\"\n").into_bytes();
        submitted.extend(self.contents()?);
        self.write("submitted.cpp", submitted)?;

        let program = self.folder.path().join("program");
        let chosen = env::var_os("CXX").unwrap_or_default().to_string_lossy().into_owned();
        for compiler in [&chosen, "c++", "g++", "clang++"] {
            // `CXX` may have arguments.
            let mut words = compiler.split_whitespace();
            let Some(compiler) = words.next() else {
                continue;
            };
            let mut command = Command::new(compiler);
            command.args(words).args(["-O2", "-std=c++17", "-fmax-errors=5", "-iquote"]).arg(self.home());
            command.args([&cases, &runner]).arg("-o").arg(&program);
            if self.compile(&mut command)? {
                return Ok(vec![program.into()]);
            }
        }
        Err(NoProgram::NoTool { what: "C++ compiler", tried: "$CXX, c++, g++, clang++" })
    }

    /// The class is `Solution`, whatever the file is called.
    fn java(&self) -> Result<Vec<OsString>, NoProgram> {
        self.write("BalpanRunner.java", include_str!("wrappers/BalpanRunner.java"))?;
        self.write("Solution.java", self.contents()?)?;
        let folder = self.folder.path();
        let mut command = Command::new("javac");
        command.args(["-encoding", "UTF-8", "-nowarn", "-Xmaxerrs", "5", "-d", "."]);
        command.args(["Solution.java", "BalpanRunner.java"]).current_dir(folder);
        if !self.compile(&mut command)? {
            return Err(NoProgram::NoTool { what: "Java compiler", tried: "javac" });
        }
        self.java_words(["-cp".into(), folder.into(), "BalpanRunner".into()])
    }

    /// What runs Java, with these arguments.
    pub(super) fn java_words(&self, arguments: [OsString; 3]) -> Result<Vec<OsString>, NoProgram> {
        if self.try_run(Command::new("java").arg("-version"))?.is_none() {
            return Err(NoProgram::NoTool { what: "Java", tried: "java" });
        }
        // For a start in a tenth of a second, and no file left behind when it is killed.
        let quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:-UsePerfData"];
        Ok(["java"].into_iter().chain(quick).map(OsString::from).chain(arguments).collect())
    }

    pub(super) fn contents(&self) -> Result<Vec<u8>, NoProgram> {
        fs::read(&self.path).map_err(|source| NoProgram::File { path: self.name.clone(), source })
    }

    /// The folder of the file.
    fn home(&self) -> &OsStr {
        self.path.parent().map_or(OsStr::new("."), Path::as_os_str)
    }

    pub(super) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf, NoProgram> {
        let path = self.folder.path().join(name);
        match fs::write(&path, contents) {
            Ok(()) => Ok(path),
            Err(source) => Err(NoProgram::File { path: path.display().to_string(), source }),
        }
    }

    /// Runs a tool. None if there is no such tool.
    pub(super) fn try_run(&self, command: &mut Command) -> Result<Option<Run>, NoProgram> {
        match run(command, b"", LIMITS, self.watch) {
            Err(NoProgram::Start { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Ok(Run { end: End::Stopped, .. }) => Err(Stopped::Interrupted.into()),
            run => run.map(Some),
        }
    }

    /// Whether there is this compiler. If there is, it compiled the file.
    pub(super) fn compile(&self, command: &mut Command) -> Result<bool, NoProgram> {
        let Some(run) = self.try_run(command)? else {
            return Ok(false);
        };
        succeeded(run)?.map_err(|errors| NoProgram::Compile { file: self.name.clone(), errors })?;
        Ok(true)
    }
}

/// What a run says that did not end well.
fn succeeded(run: Run) -> Result<Result<(), String>, Stopped> {
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
