//! The programs in this folder, compiled if necessary. Missing languages may be skipped.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use balpan::Watch;
use balpan_contest::{End, Program, Run};
use tempfile::TempDir;

/// A program of this folder.
pub(crate) struct Fixture {
    program: Program,
    /// The folder of its compiled files.
    _place: Option<TempDir>,
}

impl Fixture {
    pub(crate) const fn program(&self) -> &Program {
        &self.program
    }

    /// Loads a function `solution`; `None` if its language is missing.
    pub(crate) fn solution(file: &str) -> Option<Self> {
        has_tools(file).then(|| {
            let program =
                Program::from_solution(&path(file), &Watch::default()).unwrap_or_else(|e| panic!("{file}: {e}"));
            Self { program, _place: None }
        })
    }

    /// Loads a whole program; `None` if its language is missing.
    pub(crate) fn whole(file: &str) -> Option<Self> {
        has_tools(file).then(|| {
            let place = TempDir::new().unwrap();
            let source = path(file);
            let words = match extension(file) {
                "py" => vec!["python3".into(), source.into()],
                "cpp" => {
                    let binary = place.path().join("program");
                    build(Command::new("g++").args(["-O2", "-std=c++17", "-o"]).arg(&binary).arg(source));
                    vec![binary.into()]
                }
                "java" => {
                    build(Command::new("javac").arg("-d").arg(place.path()).arg(source));
                    let quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"];
                    let mut words = vec!["java".into()];
                    words.extend(quick.map(Into::into));
                    words.extend([place.path().into(), "Main".into()]);
                    words
                }
                other => panic!("{other} is compiled in no known way"),
            };
            Self { program: Program::new(words), _place: Some(place) }
        })
    }
}

/// Returns the run of a function that acts as a program and prints this.
pub(crate) fn outputs(output: String) -> Run {
    let time = Duration::ZERO;
    Run { output: output.into_bytes(), errors: String::new(), end: End::Exited(0), time, waited: time, memory: None }
}

pub(crate) fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(file)
}

fn extension(file: &str) -> &str {
    file.rsplit('.').next().unwrap()
}

/// Whether the tools of the program's language exist. Prints a line if they do not. Always true if
/// `BALPAN_PROGRAMS=required` is set, so that a missing tool fails the test.
pub(crate) fn has_tools(file: &str) -> bool {
    let tools: &[&str] = match extension(file) {
        "py" => &["python3"],
        "cpp" => &["g++"],
        "java" => &["javac", "java"],
        _ => &["node"],
    };
    let runs = |tool: &&str| Command::new(tool).arg("-version").output().is_ok();
    let required = env::var_os("BALPAN_PROGRAMS").is_some_and(|value| value == "required");
    let exist = required || tools.iter().all(runs);
    if !exist {
        println!("{file} left out: no {}", tools.join(", "));
    }
    exist
}

fn build(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
