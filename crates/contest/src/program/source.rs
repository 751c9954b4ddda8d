//! Programs given as source files, which are compiled if their language needs it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use balpan::Watch;

use super::solution::SourceFile;
use super::{Program, ProgramError};

type Words = Result<Vec<OsString>, ProgramError>;

/// Returns the program of a command whose first word may be a source file.
pub(super) fn program(words: Vec<OsString>, watch: &Watch) -> Result<Program, ProgramError> {
    let Some(path) = words.first().map(PathBuf::from).filter(|path| path.is_file() && !is_executable_script(path))
    else {
        return Ok(Program::new(words));
    };
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let make = match ending.as_str() {
        "c" => c,
        "cpp" | "cc" | "cxx" => cpp,
        "java" => java,
        "js" => javascript,
        "kt" => kotlin,
        "py" => python,
        "rs" => rust,
        _ => return Ok(Program::new(words)),
    };
    let source = SourceFile::new(&path, path.display().to_string(), watch, true)?;
    let mut command = make(&source)?;
    command.extend(words.iter().skip(1).cloned());
    Ok(Program::from_parts(Program::new(words).name, command, Some(source.folder)))
}

/// Whether the file is executable and names its interpreter.
fn is_executable_script(path: &Path) -> bool {
    is_executable(path) && interpreter(path).is_some()
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
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

fn python(source: &SourceFile<'_>) -> Words {
    Ok(vec![source.find_python()?.into(), source.path.clone().into()])
}

fn javascript(source: &SourceFile<'_>) -> Words {
    source.check_node()?;
    Ok(vec!["node".into(), source.path.clone().into()])
}

fn c(source: &SourceFile<'_>) -> Words {
    let missing = ProgramError::MissingTool { what: "C compiler", tried: "$CC, cc, gcc, clang" };
    let arguments = ["-O2".as_ref(), "-fmax-errors=5".as_ref(), source.path.as_os_str(), "-lm".as_ref()];
    source.compile_native("CC", &["cc", "gcc", "clang"], &arguments, missing)
}

fn cpp(source: &SourceFile<'_>) -> Words {
    source.compile_cpp(&[source.path.as_os_str()])
}

fn rust(source: &SourceFile<'_>) -> Words {
    let missing = ProgramError::MissingTool { what: "Rust compiler", tried: "$RUSTC, rustc" };
    let options = ["-O", "--edition=2021", "--cap-lints=allow"].map(OsStr::new);
    source.compile_native("RUSTC", &["rustc"], &[&options[..], &[source.path.as_os_str()]].concat(), missing)
}

/// Compiles under the name of the public class, as Java demands.
fn java(source: &SourceFile<'_>) -> Words {
    let text = String::from_utf8_lossy(&source.contents()?).into_owned();
    let stem = source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = public_class(&text).map_or(stem, str::to_owned);
    let file = format!("{name}.java");
    source.write(&file, text)?;
    let folder = source.folder.path();
    let mut command = Command::new("javac");
    command.args(["-encoding", "UTF-8", "-nowarn", "-Xmaxerrs", "5", "-d", "."]).arg(file).current_dir(folder);
    if !source.compile(&mut command)? {
        return Err(ProgramError::MissingTool { what: "Java compiler", tried: "javac" });
    }
    let is_there = |class: &str| folder.join(format!("{class}.class")).is_file();
    let class = [name.as_str(), "Main"].into_iter().find(|class| is_there(class)).unwrap_or("Main");
    source.java_command(["-cp".into(), folder.into(), class.into()])
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

fn kotlin(source: &SourceFile<'_>) -> Words {
    let program = source.folder.path().join("program.jar");
    let mut command = Command::new("kotlinc");
    command.arg(&source.path).args(["-nowarn", "-include-runtime", "-d"]).arg(&program);
    if !source.compile(&mut command)? {
        return Err(ProgramError::MissingTool { what: "Kotlin compiler", tried: "kotlinc" });
    }
    let [utf8, jar] = ["-Dfile.encoding=UTF-8", "-jar"].map(OsString::from);
    source.java_command([utf8, jar, program.into()])
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
