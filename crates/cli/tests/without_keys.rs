//! `strong export --values-only` and `strong look`: look-ups without keys, and their refusal elsewhere.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

use crate::common;

use crate::common::{balpan, command, printed};

/// Checks that the command line is refused with this message and help.
fn refused(folder: &Path, words: &[&str]) -> String {
    let error = common::refused(folder, words);
    assert!(error.contains("help: "), "{words:?}: {error}");
    error
}

/// A folder with `t.strong`, and `t.values`, the same without keys.
fn with_both() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    printed(folder.path(), &["build", "tictactoe", "-o", "t.strong"]);
    printed(folder.path(), &["strong", "export", "t.strong", "--values-only", "-o", "t.values"]);
    folder
}

#[test]
fn values_agree_with_the_file_with_keys() {
    let folder = with_both();
    let folder = folder.path();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
    let listed = printed(folder, &["strong", "list", "t.strong"]);
    let positions: String = listed.lines().map(|line| line.split("  ").next().unwrap().to_owned() + "\n").collect();
    for (file, note) in [("t.strong", ""), ("t.values", "If play")] {
        let mut child = command(folder, &["strong", "look", file, "-"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(format!("# all of them\n\n{positions}").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && told.starts_with(&listed), "{file}: {told}");
        assert!(told[listed.len()..].starts_with(note) && told[listed.len()..].is_empty() == note.is_empty(), "{told}");
    }
    // A position symmetric to one in the file.
    for file in ["t.strong", "t.values"] {
        let told = printed(folder, &["strong", "look", file, "..X/.../...", "O.X/.../..."]);
        assert!(told.starts_with("..X/.../...  draw\nO.X/.../...  win in 5\n"), "{told}");
    }
}

#[test]
fn missing_positions_are_reported_where_possible() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    printed(folder, &["build", "tictactoe", "X../.O./...", "-o", "t.strong"]);
    printed(folder, &["strong", "export", "t.strong", "--values-only", "-o", "t.values"]);
    let look = |file: &str, position: &str| {
        let (code, page, _) = balpan(folder, &["strong", "look", file, position, "--json"]);
        let page: Value = serde_json::from_str(&page).unwrap();
        (code, page["in_file"].clone(), page.get("outcome").is_some())
    };
    let (there, not_there) = ("X../.OX/...", ".../.../...");
    assert_eq!(look("t.strong", there), (Some(0), Value::Bool(true), true));
    assert_eq!(look("t.strong", not_there), (Some(1), Value::Bool(false), false));
    assert_eq!(look("t.values", there), (Some(0), Value::Null, true));
    // The file has no layer with this number of free cells.
    assert_eq!(look("t.values", not_there), (Some(1), Value::Bool(false), false));
    let (code, page, _) = balpan(folder, &["strong", "look", "t.strong", not_there]);
    assert_eq!((code, page.as_str()), (Some(1), ".../.../...  not there\n"));
    refused(folder, &["strong", "look", "t.values", "X../"]);
}

#[test]
fn other_verbs_refuse_files_without_keys() {
    let folder = with_both();
    let folder = folder.path();
    let words: [&[&str]; 9] = [
        &["solve", "tictactoe", "--strong", "t.values"],
        &["play", "tictactoe", "--strong", "t.values"],
        &["tree", "tictactoe", "--strong", "t.values"],
        &["puzzle", "tictactoe", "--strong", "t.values"],
        &["census", "tictactoe", "--strong", "t.values"],
        &["strong", "list", "t.values"],
        &["strong", "verify", "t.values"],
        &["strong", "export", "t.values", "-o", "t.csv"],
        &["strong", "export", "t.values", "--values-only", "-o", "u.values"],
    ];
    for words in words {
        let error = refused(folder, words);
        assert!(error.contains("without keys") && error.contains("strong look"), "{words:?}: {error}");
    }
    // In a folder of `--strong-dir` the file is ignored.
    let solved = printed(folder, &["solve", "tictactoe", "--strong-dir", ".", "--ask", "value", "--json"]);
    assert!(solved.contains("\"positions_searched\":0"), "{solved}");
    let info = printed(folder, &["strong", "info", "t.values"]);
    assert!(info.contains("765 positions") && info.contains("without keys"), "{info}");
    let info: Value = serde_json::from_str(&printed(folder, &["strong", "info", "t.values", "--json"])).unwrap();
    assert_eq!((&info["values_only"], &info["positions"]), (&Value::Bool(true), &Value::from(765)));
}

#[test]
fn it_is_compared_with_the_file_that_has_keys() {
    let folder = with_both();
    let folder = folder.path();
    for words in [["t.strong", "t.values"], ["t.values", "t.strong"]] {
        assert_eq!(printed(folder, &[&["strong", "diff"], &words[..]].concat()), "the same values: 765 positions\n");
    }
    refused(folder, &["strong", "diff", "t.values", "t.values"]);
    printed(folder, &["build", "tictactoe", "-o", "u.strong", "--unfolded"]);
    refused(folder, &["strong", "diff", "u.strong", "t.values"]);
    let bytes = fs::read(folder.join("t.values")).unwrap();
    let mut damaged = bytes.clone();
    damaged[60] ^= 1;
    fs::write(folder.join("bad.values"), damaged).unwrap();
    assert!(refused(folder, &["strong", "diff", "t.strong", "bad.values"]).contains("damaged"));
    fs::write(folder.join("cut.values"), &bytes[..bytes.len() / 2]).unwrap();
    refused(folder, &["strong", "look", "cut.values", ".../.../..."]);
}

#[test]
fn unwritable_files_are_refused() {
    let folder = with_both();
    let folder = folder.path();
    printed(folder, &["build", "kayles", "12", "--nimber", "-o", "k.strong"]);
    assert!(refused(folder, &["strong", "export", "k.strong", "--values-only", "-o", "k.values"]).contains("lacks"));
    let before = fs::read(folder.join("t.strong")).unwrap();
    refused(folder, &["strong", "export", "t.strong", "--values-only", "-o", "t.strong"]);
    assert!(fs::read(folder.join("t.strong")).unwrap() == before);
    refused(folder, &["strong", "export", "t.strong", "--values-only", "-o", "-"]);
    refused(folder, &["strong", "export", "t.strong", "--values-only", "-o", "nowhere/t.values"]);
    for words in [&["--values-only", "--format", "csv"][..], &["--threads", "1"], &["--memory", "1G"]] {
        let (code, _, error) = balpan(folder, &[&["strong", "export", "t.strong", "-o", "u"], words].concat());
        assert!(code == Some(2) && error.contains("--values-only"), "{words:?}: {error}");
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 3);
}
