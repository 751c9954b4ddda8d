//! Every certificate that the repository keeps is proved, and claims what is known to be true.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use balpan_check::{Limits, check};

/// What the certificates claim, from the literature and the problems: the atlas names the sources.
const CLAIMS: [(&str, &str); 18] = [
    ("platforms-1", "A wins in exactly 5 plies"),
    ("platforms-2", "B wins in exactly 4 plies"),
    ("platforms-3", "B wins in exactly 4 plies"),
    ("platforms-4", "B wins in exactly 0 plies"),
    ("tictactoe", "it is a draw"),
    ("connect4", "X wins"),
    ("connect4-exact", "X wins in exactly 41 plies"),
    ("gomoku-6x5-4", "X wins"),
    ("cram-5x7", "the nimber is 1"),
    ("cram-5x9", "the nimber is 1"),
    ("cram-7x7", "the nimber is 1"),
    ("domineering-6x7", "Left wins"),
    ("nodekayles-3x17", "the nimber is 2"),
    ("nodekayles-5x8", "the nimber is 0"),
    ("nodekayles-7x7", "the nimber is 1"),
    ("domineering-7x7", "Left wins"),
    ("amazons-4x5", "White wins"),
    ("amazons-5x4", "Black wins"),
];

/// Those whose check takes minutes.
const LONG: [&str; 1] = ["amazons-5x4"];

/// Checks the certificates of the repository that take long, or all others.
fn check_all(are_long: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../certificates");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_long = |path: &PathBuf| LONG.iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cert") && is_long(path) == are_long);
    // The large ones first, two at a time: much of a check is the work of one thread.
    paths.sort_by_key(|path| fs::metadata(path).unwrap().len());
    let (paths, claims) = (Mutex::new(paths), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(path) = { paths.lock().unwrap().pop() } {
            let limits = Limits { threads: 2, ..Limits::default() };
            let proved = check(&fs::read(&path).unwrap(), &limits);
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let claim = proved.unwrap_or_else(|why| panic!("{name}: {why:?}")).claim;
            claims.lock().unwrap().insert(name, claim);
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let claims = claims.into_inner().unwrap();
    for (name, claim) in CLAIMS.into_iter().filter(|(name, _)| LONG.contains(name) == are_long) {
        assert_eq!(claims.get(name).map(String::as_str), Some(claim), "{name}");
    }
}

#[test]
fn the_certificates_of_the_repository_are_proved() {
    check_all(false);
}

#[test]
#[ignore = "takes minutes"]
fn the_long_certificates_of_the_repository_are_proved() {
    check_all(true);
}
