//! Programs given as source files: whole programs, compiled if their language needs it, and files with a function
//! `solution`, which a small runner in each language calls for each case.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use balpan::{Stopped, Watch};
use tempfile::TempDir;

use super::run::run;
use super::{End, Limits, Program, ProgramError, Run};

/// The limits of a compiler, and of loading a file.
const LIMITS: Limits = Limits::new(Duration::from_secs(60), 1 << 16);

type Words = Result<Vec<OsString>, ProgramError>;

impl Program {
    /// A program and its arguments, where the program may be a source file of C, C++, Java, JavaScript,
    /// Kotlin, Python or Rust. The extension gives the language; the file is compiled if necessary. An
    /// executable script that names its interpreter is run directly.
    ///
    /// # Errors
    /// If the language's tools are missing, or the file does not compile.
    pub fn from_command(words: Vec<OsString>, watch: &Watch) -> Result<Self, ProgramError> {
        let Some(path) = words.first().map(PathBuf::from).filter(|path| path.is_file() && !is_executable_script(path))
        else {
            return Ok(Self::new(words));
        };
        let build = match extension(&path).as_str() {
            "c" => SourceFile::c,
            "cpp" | "cc" | "cxx" => SourceFile::cpp,
            "java" => SourceFile::java,
            "js" => SourceFile::javascript,
            "kt" => SourceFile::kotlin,
            "py" => SourceFile::python,
            "rs" => SourceFile::rust,
            _ => return Ok(Self::new(words)),
        };
        let source = SourceFile::new(&path, watch, true)?;
        let mut command = build(&source)?;
        command.extend(words.iter().skip(1).cloned());
        Ok(Self::from_parts(Self::new(words).name, command, Some(source.folder)))
    }

    /// A file with a function `solution(board, aloc, bloc)`, as submitted on Programmers, in Python, C++,
    /// Java or JavaScript. The extension gives the language.
    ///
    /// The program calls the function once for each case of the judge `platforms`, in one process as on
    /// the site, so global variables keep their values between calls. Prints of the function go to
    /// standard error. Each answer is written before the next call.
    ///
    /// # Errors
    /// If the file or its language's tools are missing, or the file does not compile or load.
    pub fn from_solution(path: &Path, watch: &Watch) -> Result<Self, ProgramError> {
        let build = match extension(path).as_str() {
            "py" => SourceFile::python,
            "cpp" | "cc" | "cxx" => SourceFile::cpp,
            "java" => SourceFile::java,
            "js" => SourceFile::javascript,
            _ => return Err(ProgramError::Language { file: path.display().to_string() }),
        };
        let source = SourceFile::new(path, watch, false)?;
        let words = build(&source)?;
        Self::loaded(source, words, watch)
    }
}

impl Program {
    /// A file with a function of this name, as submitted on sites that ask for functions, in Python or JavaScript: by itself
    /// or as a method of a class `Solution`. The program calls it for each case of the input, an object of JSON with the
    /// arguments; see [`from_solution`](Self::from_solution).
    ///
    /// # Errors
    /// If the file or its language's tools are missing, or the file does not load.
    pub fn from_named_function(
        path: &Path,
        function: &str,
        arguments: &[&str],
        watch: &Watch,
    ) -> Result<Self, ProgramError> {
        let build = match extension(path).as_str() {
            "py" => SourceFile::python,
            "js" => SourceFile::javascript,
            _ => return Err(ProgramError::FunctionLanguage { file: path.display().to_string() }),
        };
        let source = SourceFile::new(path, watch, false)?;
        let mut words = build(&source)?;
        words.extend([function].iter().chain(arguments).map(OsString::from));
        Self::loaded(source, words, watch)
    }

    /// Returns the program of a runner, if it loads the file.
    fn loaded(source: SourceFile<'_>, words: Vec<OsString>, watch: &Watch) -> Result<Self, ProgramError> {
        let program = Self::from_parts(source.name, words, Some(source.folder));
        // Without cases, the runner only loads the file.
        let run = program.run(b"", LIMITS, watch)?;
        success(run)?.map_err(|errors| ProgramError::Load { file: program.name(), errors })?;
        Ok(program)
    }
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Whether the file is executable and names its interpreter.
fn is_executable_script(path: &Path) -> bool {
    is_executable(path) && interpreter(path).is_some()
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    false
}

/// Returns the interpreter that the file's `#!` line names.
pub(super) fn interpreter(path: &Path) -> Option<String> {
    /// The longest path in bytes.
    const MAX_PATH_BYTES: u64 = 4096;

    let mut line = Vec::new();
    BufReader::new(File::open(path).ok()?).take(MAX_PATH_BYTES).read_until(b'\n', &mut line).ok()?;
    let line = String::from_utf8_lossy(&line);
    line.strip_prefix("#!")?.split_whitespace().next().map(str::to_owned)
}

/// A source file and the folder for the files built from it. The methods named after a language return the command that
/// runs it: the program as it stands, or a runner with the `solution`.
struct SourceFile<'w> {
    /// The path as the user gave it.
    name: String,
    /// The absolute path.
    path: PathBuf,
    /// The folder of the runner and of compiled files.
    folder: TempDir,
    watch: &'w Watch,
    /// Whether the file is a whole program, and not a `solution`.
    is_whole: bool,
}

impl<'w> SourceFile<'w> {
    fn new(path: &Path, watch: &'w Watch, is_whole: bool) -> Result<Self, ProgramError> {
        let name = path.display().to_string();
        let file_error = |source| ProgramError::File { path: name.clone(), source };
        let path = path.canonicalize().map_err(file_error)?;
        File::open(&path).map_err(file_error)?;
        let folder = tempfile::Builder::new()
            .prefix("balpan-")
            .tempdir()
            .map_err(|source| ProgramError::File { path: env::temp_dir().display().to_string(), source })?;
        Ok(Self { name, path, folder, watch, is_whole })
    }
}

impl SourceFile<'_> {
    fn python(&self) -> Words {
        let runner = self.runner("runner.py", include_str!("wrappers/runner.py"))?;
        Ok([self.find_python()?.into()].into_iter().chain(runner).chain([self.path.clone().into()]).collect())
    }

    fn javascript(&self) -> Words {
        let runner = self.runner("runner.js", include_str!("wrappers/runner.js"))?;
        if self.try_run(Command::new("node").arg("--version"))?.is_none() {
            return Err(ProgramError::MissingTool { what: "JavaScript", tried: "node" });
        }
        Ok(["node".into()].into_iter().chain(runner).chain([self.path.clone().into()]).collect())
    }

    fn c(&self) -> Words {
        let missing = ProgramError::MissingTool { what: "C compiler", tried: "$CC, cc, gcc, clang" };
        let arguments = ["-O2".as_ref(), "-fmax-errors=5".as_ref(), self.path.as_os_str(), "-lm".as_ref()];
        self.compile_native("CC", &["cc", "gcc", "clang"], &arguments, missing)
    }

    /// Compiles a copy of a `solution` with the file's folder as an include path. A `#line` directive makes the
    /// compiler's messages name the file, and no odd file name gets into an `#include`.
    fn cpp(&self) -> Words {
        let options = ["-O2", "-std=c++17", "-fmax-errors=5"].map(OsStr::new);
        let missing = ProgramError::MissingTool { what: "C++ compiler", tried: "$CXX, c++, g++, clang++" };
        let compile = |files: &[&OsStr]| {
            self.compile_native("CXX", &["c++", "g++", "clang++"], &[&options, files].concat(), missing)
        };
        if self.is_whole {
            return compile(&[self.path.as_os_str()]);
        }
        let runner = self.write("runner.cpp", include_str!("wrappers/runner.cpp"))?;
        let cases = self.write("balpan_cases.cpp", include_str!("wrappers/balpan_cases.cpp"))?;
        self.write("balpan_cases.hpp", include_str!("wrappers/balpan_cases.hpp"))?;
        let shown = self.name.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], "?");
        let mut submitted = format!("#line 1 \"{shown}\"\n").into_bytes();
        submitted.extend(self.contents()?);
        self.write("submitted.cpp", submitted)?;
        let home = self.path.parent().map_or(OsStr::new("."), Path::as_os_str);
        compile(&["-iquote".as_ref(), home, cases.as_ref(), runner.as_ref()])
    }

    fn rust(&self) -> Words {
        let missing = ProgramError::MissingTool { what: "Rust compiler", tried: "$RUSTC, rustc" };
        let options = ["-O", "--edition=2021", "--cap-lints=allow"].map(OsStr::new);
        self.compile_native("RUSTC", &["rustc"], &[&options[..], &[self.path.as_os_str()]].concat(), missing)
    }

    /// Compiles a program under the name of its public class, as Java demands, and a `solution` as the class `Solution`,
    /// whatever the file's name.
    fn java(&self) -> Words {
        let contents = self.contents()?;
        let (name, files) = if self.is_whole {
            let text = String::from_utf8_lossy(&contents);
            let stem = || self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = public_class(&text).map_or_else(stem, str::to_owned);
            let file = self.write(&format!("{name}.java"), &*text)?;
            (name, vec![file])
        } else {
            let runner = self.write("BalpanRunner.java", include_str!("wrappers/BalpanRunner.java"))?;
            ("BalpanRunner".to_owned(), vec![self.write("Solution.java", contents)?, runner])
        };
        let folder = self.folder.path();
        let mut command = Command::new("javac");
        command.args(["-encoding", "UTF-8", "-nowarn", "-Xmaxerrs", "5", "-d", "."]).current_dir(folder);
        command.args(files.iter().filter_map(|file| file.file_name()));
        if !self.compile(&mut command)? {
            return Err(ProgramError::MissingTool { what: "Java compiler", tried: "javac" });
        }
        let is_there = |class: &&str| folder.join(format!("{class}.class")).is_file();
        let class = [name.as_str(), "Main"].into_iter().find(is_there).unwrap_or("Main");
        self.java_command(["-cp".into(), folder.into(), class.into()])
    }

    fn kotlin(&self) -> Words {
        let program = self.folder.path().join("program.jar");
        let mut command = Command::new("kotlinc");
        command.arg(&self.path).args(["-nowarn", "-include-runtime", "-d"]).arg(&program);
        if !self.compile(&mut command)? {
            return Err(ProgramError::MissingTool { what: "Kotlin compiler", tried: "kotlinc" });
        }
        let [utf8, jar] = ["-Dfile.encoding=UTF-8", "-jar"].map(OsString::from);
        self.java_command([utf8, jar, program.into()])
    }

    /// Writes the runner of a `solution`; `None` for a whole program.
    fn runner(&self, name: &str, contents: &str) -> Result<Option<OsString>, ProgramError> {
        if self.is_whole { Ok(None) } else { self.write(name, contents).map(|path| Some(path.into())) }
    }

    /// Returns the path of the interpreter itself: the one in `PATH` may be a wrapper script that looks
    /// for it at every start.
    fn find_python(&self) -> Result<String, ProgramError> {
        const PRINT_PATH: &str = "import sys; sys.version_info >= (3, 6) and print(sys.executable)";

        for name in ["python3", "python"] {
            let run = self.try_run(Command::new(name).args(["-c", PRINT_PATH]))?;
            let path = run.map(|run| String::from_utf8_lossy(&run.output).trim().to_owned());
            if let Some(path) = path.filter(|path| Path::new(path).is_file()) {
                return Ok(path);
            }
        }
        Err(ProgramError::MissingTool { what: "Python 3", tried: "python3, python" })
    }

    /// Compiles with the compiler of an environment variable, which may have arguments, or with the first of `compilers`
    /// that exists.
    fn compile_native(&self, variable: &str, compilers: &[&str], arguments: &[&OsStr], missing: ProgramError) -> Words {
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

    /// Returns a `java` command with these arguments.
    fn java_command(&self, arguments: [OsString; 3]) -> Words {
        if self.try_run(Command::new("java").arg("-version"))?.is_none() {
            return Err(ProgramError::MissingTool { what: "Java", tried: "java" });
        }
        // Java starts in a tenth of a second with these options, and leaves no file when it is killed.
        let quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:-UsePerfData"];
        Ok(["java"].into_iter().chain(quick).map(OsString::from).chain(arguments).collect())
    }

    fn contents(&self) -> Result<Vec<u8>, ProgramError> {
        fs::read(&self.path).map_err(|source| ProgramError::File { path: self.name.clone(), source })
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Result<PathBuf, ProgramError> {
        let path = self.folder.path().join(name);
        match fs::write(&path, contents) {
            Ok(()) => Ok(path),
            Err(source) => Err(ProgramError::File { path: path.display().to_string(), source }),
        }
    }

    /// Runs a tool. `None` if it does not exist.
    fn try_run(&self, command: &mut Command) -> Result<Option<Run>, ProgramError> {
        match run(command, b"", LIMITS, self.watch) {
            Err(ProgramError::Start { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Ok(Run { end: End::Stopped, .. }) => Err(Stopped::Interrupted.into()),
            run => run.map(Some),
        }
    }

    /// Runs a compiler on the file. Returns whether the compiler exists.
    fn compile(&self, command: &mut Command) -> Result<bool, ProgramError> {
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

/// Returns the name after `public class`.
fn public_class(text: &str) -> Option<&str> {
    let mut words = text.split(|c: char| c.is_whitespace() || c == '{' || c == '<').filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if word == "public" {
            let mut after = words.clone().skip_while(|word| *word == "final");
            if after.next() == Some("class") {
                return after.next();
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_class_finds_the_name() {
        assert_eq!(public_class("import java.util.*;\n\npublic class Main{\n}"), Some("Main"));
        assert_eq!(public_class("class A { public static void main() {} }\npublic final class B<T> {}"), Some("B"));
        assert_eq!(public_class("class Main { public static void main() {} }"), None);
    }
}
