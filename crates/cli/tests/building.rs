//! `build` and `strong`: kills, full disks, wrong paths, and look-ups.

use std::fs;
use std::thread::sleep;
use std::time::Instant;

use balpan::SplitMix;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{SmallDisk, balpan, command, json, printed, refused};

/// A folder with the solution of tic-tac-toe.
fn with_tictactoe() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let page = printed(folder.path(), &["build", "tictactoe", "-o", "t.strong"]);
    assert!(page.starts_with("tictactoe 3x3: 765 positions, "), "{page}");
    folder
}

#[test]
fn a_killed_build_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let build =
        |output: &'static str| ["build", "connect4", "--board", "4x4", "--unfolded", "--memory", "64M", "-o", output];
    let begin = Instant::now();
    printed(folder, &build("whole"));
    let took = begin.elapsed();
    let expected = fs::read(folder.join("whole")).unwrap();
    let mut random = SplitMix(7);
    for _ in 0..20 {
        let mut child = command(folder, &build("killed")).spawn().unwrap();
        sleep(took.mul_f64(random.next_u64() as f64 / u64::MAX as f64));
        child.kill().unwrap();
        child.wait().unwrap();
        if let Ok(bytes) = fs::read(folder.join("killed")) {
            assert!(bytes == expected, "a file that is not whole has its name");
        }
        printed(folder, &build("killed"));
        assert!(fs::read(folder.join("killed")).unwrap() == expected);
        fs::remove_file(folder.join("killed")).unwrap();
    }
    assert!(!folder.join("killed.part").exists());
}

#[test]
fn foreign_files_and_folders_are_left_alone() {
    let folder = with_tictactoe();
    let folder = folder.path();
    fs::write(folder.join("notes"), "mine").unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    for there in ["notes", "empty", "folder"] {
        refused(folder, &["build", "tictactoe", "-o", there]);
        refused(folder, &["strong", "info", there]);
    }
    assert_eq!(fs::read(folder.join("notes")).unwrap(), b"mine");
    assert_eq!(fs::read(folder.join("empty")).unwrap(), b"");
    let before = fs::read(folder.join("t.strong")).unwrap();
    for other in [&["build", "connect4", "--board", "3x3"][..], &["build", "tictactoe", "--unfolded"]] {
        refused(folder, &[other, &["-o", "t.strong"]].concat());
    }
    assert!(fs::read(folder.join("t.strong")).unwrap() == before);
    // An existing file is reported.
    let page = printed(folder, &["build", "tictactoe", "-o", "t.strong"]);
    assert!(page.contains("built before"), "{page}");
    // A path below a file cannot be written.
    for place in ["notes/x", "/dev/null/x"] {
        refused(folder, &["build", "tictactoe", "-o", place]);
        refused(folder, &["build", "tictactoe", "-o", "new", "--scratch", place]);
    }
    assert!(!folder.join("new").exists());
    refused(folder, &["build", "tictactoe", "-o", "new", "--memory", "1M", "--threads", "1"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_an_error() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
    // Root ignores permissions.
    if fs::write(closed.join("try"), "").is_err() {
        refused(folder.path(), &["build", "tictactoe", "-o", "closed/t.strong"]);
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn starts_are_read_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = ["build", "tictactoe", "--starts", "starts", "-o", "s.strong"];
    refused(folder, &words);
    for wrong in ["", "\n \n", "X../.../...\nno position\n", "X../.../...\n..../..../..../....\n", "\u{fffd}\n"] {
        fs::write(folder.join("starts"), wrong).unwrap();
        refused(folder, &words);
        assert!(!folder.join("s.strong").exists());
    }
    fs::write(folder.join("starts"), b"X../.../...\n\xff\xfe\n").unwrap();
    refused(folder, &words);
    fs::write(folder.join("starts"), "X../.O./...\n\n  XO./.../...  \r\n").unwrap();
    printed(folder, &words);
    let info = json(folder, &["strong", "info", "s.strong"]);
    assert_eq!(info["starts"].as_array().unwrap().len(), 2, "{info}");
}

#[test]
fn a_file_is_inspected() {
    let folder = with_tictactoe();
    let folder = folder.path();
    let info = json(folder, &["strong", "info", "t.strong"]);
    assert_eq!((&info["positions"], &info["longest_win"]), (&Value::from(765), &Value::from(5)), "{info}");
    let layers = info["layers"].as_array().unwrap();
    let all: u64 = layers.iter().map(|layer| layer["positions"].as_u64().unwrap()).sum();
    assert_eq!(all, 765);
    assert!(printed(folder, &["strong", "info", "t.strong", "--svg", "t.svg"]).contains("765 positions"));
    assert!(fs::read_to_string(folder.join("t.svg")).unwrap().starts_with("<svg "));
    for more in [&[][..], &["--sample", "100"]] {
        let checked = json(folder, &[&["strong", "verify", "t.strong"], more].concat());
        assert_eq!(checked["right"], Value::Bool(true), "{checked}");
    }
    assert_eq!(printed(folder, &["strong", "list", "t.strong"]).lines().count(), 765);
    let listed = printed(folder, &["strong", "list", "t.strong", "--layer", "9"]);
    assert_eq!(listed.split_whitespace().collect::<Vec<_>>(), [".../.../...", "draw"]);
    let wins = printed(folder, &["strong", "list", "t.strong", "--outcome", "win", "--plies", "1", "--count", "3"]);
    assert!(wins.lines().count() == 3 && wins.lines().all(|line| line.contains("win in 1")), "{wins}");
    printed(folder, &["build", "dots", "--board", "3x3", "-o", "d.strong"]);
    for (score, outcome) in [("1", "win by 1"), ("-1", "loss by 1")] {
        let listed = printed(folder, &["strong", "list", "d.strong", "--score", score]);
        assert!(listed.lines().count() > 0 && listed.lines().all(|line| line.ends_with(outcome)), "{score}: {listed}");
    }
    let table = printed(folder, &["strong", "export", "t.strong", "-o", "-"]);
    assert_eq!((table.lines().count(), table.lines().next()), (766, Some("layer,key,position,outcome,remoteness")));
    printed(folder, &["strong", "export", "t.strong", "-o", "t.csv"]);
    assert_eq!(fs::read_to_string(folder.join("t.csv")).unwrap(), table);
    printed(folder, &["build", "tictactoe", "-o", "m.strong", "--set", "misere=true"]);
    assert!(printed(folder, &["strong", "diff", "t.strong", "t.strong"]).starts_with("the same"));
    refused(folder, &["strong", "diff", "t.strong", "m.strong"]);
    printed(folder, &["build", "tictactoe", "-o", "u.strong", "--unfolded"]);
    let (code, page, _) = balpan(folder, &["strong", "diff", "t.strong", "u.strong", "--json"]);
    let page: Value = serde_json::from_str(&page).unwrap();
    let [first, second, others] = ["only_first", "only_second", "other_values"].map(|field| page[field].as_u64());
    assert_eq!((code, first, second, others), (Some(1), Some(0), Some(5_478 - 765), Some(0)));
    // Damaged bytes.
    let mut bytes = fs::read(folder.join("t.strong")).unwrap();
    bytes[100] ^= 1;
    fs::write(folder.join("broken"), bytes).unwrap();
    for words in [&["verify"][..], &["list"], &["export", "-o", "-"]] {
        let (code, _, error) = balpan(folder, &[&["strong"], words, &["broken"]].concat());
        assert_eq!(code, Some(2), "{words:?}: {error}");
        assert!(error.contains("damaged"), "{error}");
    }
}

/// Two builds into the same file.
#[test]
fn two_builds_into_one_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Locked as by a running build.
    let part = fs::File::create(folder.join("t.strong.part")).unwrap();
    part.lock().unwrap();
    let build = ["build", "tictactoe", "-o", "t.strong", "--scratch", "other"];
    let error = refused(folder, &build);
    assert!(error.contains("another build writes t.strong.part") && error.contains("another -o"), "{error}");
    assert!(!folder.join("other").exists() && folder.join("t.strong.part").exists());
    // Files left by a killed build are no obstacle.
    drop(part);
    fs::write(folder.join("t.strong.part"), "half of it").unwrap();
    printed(folder, &build);
    printed(folder, &["strong", "verify", "t.strong"]);
    assert!(!folder.join("t.strong.part").exists());
}

#[test]
fn positions_are_looked_up_in_a_file() {
    let folder = with_tictactoe();
    let folder = folder.path();
    let words = ["solve", "tictactoe", "--ask", "moves"];
    let plain = json(folder, &words);
    let asked = json(folder, &[&words[..], &["--strong", "t.strong"]].concat());
    assert_eq!(asked["positions_searched"], Value::from(0), "{asked}");
    for field in ["outcome", "remoteness", "moves"] {
        assert_eq!(asked[field], plain[field], "{field}");
    }
    let asked = json(folder, &[&words[..], &["--strong-dir", "."]].concat());
    assert_eq!(asked["positions_searched"], Value::from(0), "{asked}");
    for other in [&["tictactoe", "--set", "misere=true"][..], &["tictactoe", "--board", "3x4"], &["connect4"]] {
        refused(folder, &[&["solve"], other, &["--strong", "t.strong"]].concat());
    }
    refused(folder, &["solve", "tictactoe", "--strong", "nothing"]);
}

/// Damages a file, except for the part that is read when it is opened.
fn damage(bytes: &mut [u8]) {
    const PROLOGUE: usize = 56;
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&bytes[number(16)..][..number(24)]).unwrap();
    let index = header["index"].as_u64().unwrap() as usize;
    bytes[PROLOGUE..index].iter_mut().for_each(|byte| *byte ^= 1);
}

/// The answer is searched and right, and the damage is reported once.
#[test]
fn damaged_files_are_reported_once() {
    let folder = with_tictactoe();
    let folder = folder.path();
    let mut bytes = fs::read(folder.join("t.strong")).unwrap();
    fs::create_dir(folder.join("files")).unwrap();
    fs::write(folder.join("files/cut.strong"), &bytes[..2000]).unwrap();
    fs::write(folder.join("files/notes"), "mine").unwrap();
    damage(&mut bytes);
    fs::write(folder.join("bad.strong"), &bytes).unwrap();
    let told = |file: &str, error: &str| {
        assert!(error.starts_with(&format!("Warning: {file}: the file ")), "{error}");
        assert!(error.ends_with("; answers are searched for instead\n") && error.lines().count() == 1, "{error}");
    };
    for words in [
        &["solve", "tictactoe", "--ask", "value"][..],
        &["play", "tictactoe", "--hints"],
        &["tree", "tictactoe", "--depth", "1"],
        &["puzzle", "tictactoe", "--by-chance", "--tries", "20", "--all"],
    ] {
        for how in [&["--strong", "bad.strong"][..], &["--strong", "bad.strong", "--strong", "bad.strong"]] {
            let (code, page, error) = balpan(folder, &[words, how].concat());
            assert!(code == Some(0) && !page.is_empty(), "{words:?}: {error}");
            told("bad.strong", &error);
        }
        // A file that cannot be opened is reported, too; a file that is no strong solution is not.
        let (code, _, error) = balpan(folder, &[words, &["--strong-dir", "files"]].concat());
        assert_eq!(code, Some(0), "{words:?}: {error}");
        told("files/cut.strong", &error);
    }
    let (code, page, error) = balpan(folder, &["solve", "tictactoe", "--strong", "bad.strong", "--json"]);
    let [page, error]: [Value; 2] = [page, error].map(|text| serde_json::from_str(&text).unwrap());
    assert_eq!((code, &page["outcome"]), (Some(0), &Value::from("draw")));
    assert!(page["positions_searched"].as_u64() > Some(0), "{page}");
    assert!(error["warning"]["message"].as_str().unwrap().contains("bad.strong"), "{error}");
    // `census` reads the header only, which is intact.
    let census = ["census", "tictactoe", "--symmetry"];
    assert_eq!(json(folder, &census), json(folder, &[&census[..], &["--strong", "bad.strong"]].concat()));
}

#[test]
fn a_full_disk_is_reported_and_the_build_resumes() {
    let Some(disk) = SmallDisk::new("200k") else { return };
    let folder = disk.0.path();
    let words = ["build", "connect4", "--board", "4x4", "-o", "c.strong"];
    // For a build that was begun before, the disk space is not checked first.
    fs::create_dir(folder.join("c.strong.scratch")).unwrap();
    let error = refused(folder, &words);
    assert!(error.contains("full") && error.contains("make room"), "{error}");
    assert!(!folder.join("c.strong").exists());
    assert!(disk.mount("remount,size=20m"));
    printed(folder, &words);
    let elsewhere = tempfile::tempdir().unwrap();
    printed(elsewhere.path(), &words);
    assert!(fs::read(folder.join("c.strong")).unwrap() == fs::read(elsewhere.path().join("c.strong")).unwrap());
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
}
