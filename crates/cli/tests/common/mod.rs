//! Running the command, for tests of it.

#![allow(dead_code, reason = "not every test needs all of it")]
#![allow(unreachable_pub, reason = "it is a module of tests")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_balpan"));
    command.args(words).current_dir(folder).env("NO_COLOR", "1").env("LC_ALL", "C").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn balpan(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command(folder, words).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Runs the command, which must succeed. Returns its output.
pub fn printed(folder: &Path, words: &[&str]) -> String {
    let (code, page, error) = balpan(folder, words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{words:?}");
    page
}

pub fn json(folder: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&printed(folder, &[words, &["--json"]].concat())).unwrap()
}

/// Checks that the command line is refused with this message.
pub fn refused(folder: &Path, words: &[&str]) -> String {
    let (code, page, error) = balpan(folder, words);
    assert_eq!((code, page.as_str()), (Some(2), ""), "{words:?}: {error}");
    assert!(!error.is_empty() && !error.contains("panicked"), "{words:?}: {error}");
    error
}

/// Mounts a file system of this many bytes; `None` without the right to.
pub struct SmallDisk(pub TempDir);

impl SmallDisk {
    pub fn new(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let disk = Self(folder);
        disk.mount(&format!("size={size}")).then_some(disk)
    }

    pub fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(self.0.path());
        mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).stderr(Stdio::null()).status();
    }
}
