//! Files of the command line: devices, folders and endless files are refused with a message, and take no memory.

#![cfg(unix)]

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Commands that read `FILE`, and whether its size is unlimited, as it is read by lines or mapped.
const COMMANDS: &[(&str, bool)] = &[
    ("solve FILE", false),
    ("solve tictactoe --positions FILE", true),
    ("solve tictactoe --keep FILE", false),
    ("solve tictactoe --strong FILE", false),
    ("value domineering(2x2) --keep FILE", false),
    ("build tictactoe -o out --starts FILE", false),
    #[cfg(feature = "cluster")]
    ("build tictactoe -o out --process 0 --hosts FILE", false),
    #[cfg(feature = "cluster")]
    ("build tictactoe -o out --process 0 --processes 1 --secret-file FILE", false),
    ("generate tictactoe --with FILE", false),
    ("check FILE", false),
    ("strong info FILE", false),
    ("strong diff FILE FILE", false),
    ("strong verify FILE", false),
];

/// Runs the command in 4 GB of address space.
fn run(folder: &Path, command: &str, file: &str) -> Output {
    let words = command.split(' ').map(|word| if word == "FILE" { file } else { word });
    let mut sh = Command::new("sh");
    sh.args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_balpan")]).args(words);
    sh.current_dir(folder).env("NO_COLOR", "1").env("LC_ALL", "C").stdin(Stdio::null()).output().unwrap()
}

fn is_refused(folder: &Path, command: &str, file: &str) -> String {
    let Output { status, stdout, stderr } = run(folder, command, file);
    let told = String::from_utf8(stderr).unwrap();
    assert_eq!((status.code(), stdout.len()), (Some(2), 0), "{command}: {file}: {told}");
    assert!(!told.is_empty() && !told.contains("panicked"), "{command}: {file}: {told}");
    told
}

#[test]
fn devices_and_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (command, _) in COMMANDS {
        let told = is_refused(folder.path(), command, "/dev/zero");
        let words = ["it is a device", "it is not a plain", "the first line is not"];
        assert!(words.iter().any(|words| told.contains(words)), "{command}: {told}");
        is_refused(folder.path(), command, folder.path().to_str().unwrap());
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn files_without_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    File::create(&path).unwrap().set_len((1 << 26) + 1).unwrap();
    for (command, _) in COMMANDS.iter().filter(|(_, is_any_size)| !is_any_size) {
        is_refused(folder.path(), command, path.to_str().unwrap());
    }
    // A file of starts has a size limit.
    let mut starts = ".../.../...\n".repeat((1 << 24) / 12);
    starts += "nonsense\n";
    std::fs::write(&path, starts).unwrap();
    let told = is_refused(folder.path(), "build tictactoe -o out --starts FILE", path.to_str().unwrap());
    assert!(told.contains("it is larger than 16777216 bytes"), "{told}");
}

/// The pipe has no writer.
#[test]
fn a_pipe_is_not_opened_where_a_file_is_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for command in ["solve tictactoe --strong FILE", "strong info FILE", "solve tictactoe --keep FILE"] {
        let told = is_refused(folder.path(), command, pipe.to_str().unwrap());
        assert!(told.contains("it is not a plain"), "{command}: {told}");
    }
}

#[test]
fn a_record_on_standard_input_is_not_cut() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_balpan"));
    child.args(["review", "tictactoe", "-"]).env("LC_ALL", "C").stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    // The command ends before the end of its input.
    let _ = child.stdin.take().unwrap().write_all(&vec![b' '; (1 << 16) + 1]);
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    let told = String::from_utf8(stderr).unwrap();
    assert!(status.code() == Some(2) && told.contains("it is larger than 65536 bytes"), "{told}");
}
