//! Files that the command writes, as a whole or not at all. Devices, pipes and links are not replaced.
//!
//! The tests create devices in folders of their own: a mistake could replace one of the system's.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::common::{SmallDisk, balpan, command, printed, refused};

/// Command lines that write one file, without its path; they may read `t.strong`.
const WRITERS: &[&[&str]] = &[
    &["prove", "tictactoe", "-o"],
    &["prove", "tictactoe", "--text", "-o"],
    &["strong", "export", "t.strong", "-o"],
    #[cfg(feature = "parquet")]
    &["strong", "export", "t.strong", "--format", "parquet", "-o"],
    &["strong", "info", "t.strong", "--svg"],
    &["period", "0.07", "--to", "500", "--svg"],
    &["stress", "tictactoe", "--cases", "3", "--plot"],
];

/// Command lines that write a file by seeking, new or of the same kind only.
const SEEKERS: &[&[&str]] = &[
    &["build", "tictactoe", "-o"],
    &["strong", "export", "t.strong", "--values-only", "-o"],
    #[cfg(feature = "cluster")]
    &["strong", "merge", "parts", "-o"],
];

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    printed(folder.path(), &["build", "tictactoe", "-o", "t.strong"]);
    #[cfg(feature = "cluster")]
    printed(folder.path(), &["cluster", "local", "2", "tictactoe", "-o", "parts", "--partitions", "4"]);
    folder
}

/// Completes a command line with the path to write.
fn to<'w>(writer: &[&'w str], path: &'w str) -> Vec<&'w str> {
    let mut words = [writer, &[path]].concat();
    if writer[0] == "stress" {
        words.extend(["--", env!("CARGO_BIN_EXE_balpan"), "judge", "tictactoe"]);
    }
    words
}

/// Creates a device; `false` without the right to.
fn device(path: &Path, minor: u8) -> bool {
    if !cfg!(target_os = "linux") {
        return false;
    }
    let mut mknod = Command::new("mknod");
    mknod.arg(path).args(["c", "1", &minor.to_string()]).stderr(Stdio::null());
    // A file system may be mounted without devices.
    mknod.status().is_ok_and(|status| status.success()) && File::open(path).is_ok()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn devices_stay_devices() {
    let folder = folder();
    let folder = folder.path();
    if !device(&folder.join("null"), 3) || !device(&folder.join("full"), 7) {
        println!("left out: devices may not be made here");
        return;
    }
    symlink("null", folder.join("link")).unwrap();
    let before = names(folder);
    for writer in WRITERS {
        for path in ["null", "link"] {
            printed(folder, &to(writer, path));
        }
        let (code, _, error) = balpan(folder, &to(writer, "full"));
        assert!(code == Some(2) && error.contains("No space left"), "{writer:?}: {error}");
    }
    for writer in SEEKERS {
        for path in ["null", "link", "full"] {
            refused(folder, &to(writer, path));
        }
    }
    for name in ["null", "full"] {
        assert!(fs::symlink_metadata(folder.join(name)).unwrap().file_type().is_char_device(), "{name}");
    }
    assert_eq!(fs::read_link(folder.join("link")).unwrap(), Path::new("null"));
    assert_eq!(names(folder), before);
}

#[test]
fn pipes_and_descriptors_are_written_in_place() {
    let folder = folder();
    let folder = folder.path();
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for writer in WRITERS {
        let mut child = command(folder, &to(writer, "pipe")).spawn().unwrap();
        let mut bytes = Vec::new();
        File::open(&pipe).unwrap().read_to_end(&mut bytes).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{writer:?}");
        assert!(bytes.len() > 100, "{writer:?}: {}", bytes.len());
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    }
    let mut command = command(folder, &["strong", "export", "t.strong", "-o", "/dev/stdout"]);
    let status = command.stdout(File::create(folder.join("out")).unwrap()).status().unwrap();
    assert!(status.success());
    assert!(fs::read_to_string(folder.join("out")).unwrap().starts_with("layer,key,position,"));
}

#[test]
fn the_file_behind_a_link_is_replaced() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("deep")).unwrap();
    symlink("deep/real", folder.join("inner")).unwrap();
    symlink(folder.join("inner"), folder.join("link")).unwrap();
    for writer in WRITERS.iter().chain(SEEKERS) {
        // First without a file, then over an older one.
        for _ in 0..2 {
            printed(folder, &to(writer, "link"));
            assert!(fs::symlink_metadata(folder.join("link")).unwrap().is_symlink(), "{writer:?}");
            assert!(fs::symlink_metadata(folder.join("inner")).unwrap().is_symlink(), "{writer:?}");
            assert!(fs::metadata(folder.join("deep/real")).unwrap().len() > 100, "{writer:?}");
            assert_eq!(names(&folder.join("deep")), ["real"], "{writer:?}");
        }
        fs::remove_file(folder.join("deep/real")).unwrap();
    }
    symlink("round", folder.join("round")).unwrap();
    for writer in WRITERS.iter().chain(SEEKERS) {
        let (code, _, error) = balpan(folder, &to(writer, "round"));
        assert_eq!(code, Some(2), "{writer:?}: {error}");
    }
}

/// Checks that an older file is unchanged, and nothing else was left.
#[test]
fn a_failure_leaves_what_was_there() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("folder")).unwrap();
    let before = names(folder);
    for writer in WRITERS.iter().chain(SEEKERS) {
        for place in ["folder", "no-folder/file", "t.strong/file"] {
            // A build makes the folders that it needs.
            if SEEKERS.contains(writer) && place == "no-folder/file" {
                continue;
            }
            let (code, _, error) = balpan(folder, &to(writer, place));
            assert_eq!(code, Some(2), "{writer:?} {place}: {error}");
        }
    }
    assert_eq!(names(folder), before);
    assert_eq!(names(&folder.join("folder")), [""; 0]);

    let Some(disk) = SmallDisk::new("4k") else { return };
    let disk = disk.0.path();
    symlink(disk, folder.join("disk")).unwrap();
    for is_there in [false, true] {
        if is_there {
            fs::write(disk.join("file"), "older").unwrap();
        } else {
            // No block is free: a file can be created, but nothing written to it.
            fs::write(disk.join("filler"), [b'x'; 4096]).unwrap();
        }
        for writer in WRITERS {
            let (code, _, error) = balpan(folder, &to(writer, "disk/file"));
            assert!(code == Some(2) && error.contains("No space left"), "{writer:?}: {error}");
            let expected: &[&str] = if is_there { &["file"] } else { &["filler"] };
            assert_eq!(names(disk), expected, "{writer:?}");
        }
        if is_there {
            assert_eq!(fs::read(disk.join("file")).unwrap(), b"older");
        } else {
            fs::remove_file(disk.join("filler")).unwrap();
        }
    }
    // A build that could not begin can begin later.
    fs::write(disk.join("file"), [b'x'; 4096]).unwrap();
    let keep = ["solve", "cram", "--board", "3x3", "--keep", "disk/kept"];
    refused(folder, &keep);
    assert_eq!(names(disk), ["file"]);
    fs::remove_file(disk.join("file")).unwrap();
    printed(folder, &keep);
}

#[test]
fn permissions_of_an_older_file_are_kept() {
    let folder = folder();
    let folder = folder.path();
    for writer in WRITERS {
        printed(folder, &to(writer, "new"));
        let mode = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("new"), mode("t.strong"), "{writer:?}: as any new file");
        fs::set_permissions(folder.join("new"), fs::Permissions::from_mode(0o640)).unwrap();
        printed(folder, &to(writer, "new"));
        assert_eq!(mode("new"), 0o640, "{writer:?}");
        fs::remove_file(folder.join("new")).unwrap();
    }
}

#[test]
fn foreign_folders_are_left_alone() {
    let folder = folder();
    let folder = folder.path();
    #[cfg(feature = "cluster")]
    {
        // The processes' own files do not take these names.
        for name in ["hosts", "secret"] {
            fs::write(folder.join("parts").join(name), "mine").unwrap();
        }
        printed(folder, &["cluster", "local", "2", "tictactoe", "-o", "parts", "--partitions", "4"]);
        for name in ["hosts", "secret"] {
            assert_eq!(fs::read(folder.join("parts").join(name)).unwrap(), b"mine");
        }
    }
    // Test data for an empty folder that a link leads to.
    fs::create_dir(folder.join("empty")).unwrap();
    symlink("empty", folder.join("link")).unwrap();
    printed(folder, &["generate", "tictactoe", "--cases", "2", "--dir", "link"]);
    assert_eq!(names(&folder.join("empty")), ["01.in", "01.out", "02.in", "02.out"]);
    assert!(fs::symlink_metadata(folder.join("link")).unwrap().is_symlink());
}
