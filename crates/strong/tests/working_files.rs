//! Working files that are damaged, missing, or somebody else's.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use balpan::{Stopped, Watch};
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{BuildError, Plan, Progress, Subject, Tells, book, build};

use crate::common::{built, built_within, plan, rules, subject};

/// The files of a folder, with what is in them.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

fn put_back(folder: &Path, files: &[(PathBuf, Vec<u8>)]) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir(folder).unwrap();
    for (path, bytes) in files {
        fs::write(path, bytes).unwrap();
    }
}

/// Places of a file of this many bytes, more of them in small files.
fn some_places(bytes: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..bytes).step_by(bytes.div_ceil(most).max(1))
}

struct Damaged<'a>(&'a RulesFile, Tells);

impl Task for Damaged<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let folder = common::folder();
        let starts = [game.start()];
        let plan = plan(folder.path(), Subject { tells: self.1, ..subject(self.0, game, &starts) });
        let expected = built(game, &starts, &plan).unwrap();
        let whole = Watch::default();
        fs::remove_file(&plan.output).unwrap();
        build(game, &starts, &plan, &whole, &Progress::default()).unwrap();
        let (mut refused, mut made) = (0, 0);
        // Stopped forwards, backwards and while the file is written.
        for part in [1, 5, 9] {
            let _ = fs::remove_file(&plan.output);
            let _ = fs::remove_dir_all(&plan.scratch);
            let stopped = built_within(game, &starts, &plan, &Watch::with_limit(whole.positions() * part / 10));
            assert!(matches!(stopped, Err(BuildError::Stopped(Stopped::Interrupted))));
            let left = files(&plan.scratch);
            assert!(left.len() > 2, "{left:?}");
            let mut check = |what: &str, path: &Path, bytes: Option<Vec<u8>>| {
                put_back(&plan.scratch, &left);
                match bytes {
                    Some(bytes) => fs::write(path, bytes).unwrap(),
                    None => fs::remove_file(path).unwrap(),
                }
                match built(game, &starts, &plan) {
                    Ok(bytes) => {
                        assert!(bytes == expected, "{}: other bytes: {what}", path.display());
                        fs::remove_file(&plan.output).unwrap();
                        made += 1;
                    }
                    Err(_) => refused += 1,
                }
                assert!(!plan.output.exists(), "{}: {what}", path.display());
            };
            for (path, bytes) in &left {
                check("removed", path, None);
                let is_state = path.ends_with("state.json");
                for length in some_places(bytes.len(), if is_state { 10 } else { 4 }) {
                    check(&format!("cut to {length} bytes"), path, Some(bytes[..length].to_vec()));
                }
                check("longer", path, Some([&bytes[..], b"\0"].concat()));
                for place in some_places(bytes.len(), if is_state { 150 } else { 8 }) {
                    let mut bytes = bytes.clone();
                    bytes[place] ^= 1 << (place % 3);
                    check(&format!("byte {place} changed"), path, Some(bytes));
                }
            }
        }
        assert!(refused > 0 && made > 0, "{refused} refused, {made} made");
    }
}

#[test]
fn damaged_working_files_never_make_another_file() {
    for (name, board, tells) in [("connect4", "3x4", Tells::Value), ("cram", "3x4", Tells::Nimber)] {
        let rules = rules(name, board, &[]);
        rules.game().unwrap().run(Damaged(&rules, tells));
    }
}

struct Shared<'a>(&'a RulesFile);

impl Task for Shared<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let folder = common::folder();
        let starts = [game.start()];
        let first = plan(folder.path(), Subject { plies: Some(1), ..subject(self.0, game, &starts) });
        // A second build while the first one solves.
        let watch = Watch::default();
        let again = |plan: &Plan| build(game, &starts, plan, &watch, &Progress::default());
        let stopped = book(game, &starts, &first, &watch, &Progress::default(), |_| {
            let second = again(&first);
            assert!(matches!(second, Err(BuildError::InUse { .. })), "{second:?}");
            // With other working files, they would write one file.
            let elsewhere = Plan { scratch: folder.path().join("elsewhere"), ..first.clone() };
            let third = again(&elsewhere);
            assert!(matches!(third, Err(BuildError::OutputInUse { .. })), "{third:?}");
            assert!(!elsewhere.scratch.exists() && folder.path().join("made.strong.part").exists());
            Err(Stopped::Interrupted)
        });
        assert!(!folder.path().join("made.strong.part").exists());
        assert!(matches!(stopped, Err(BuildError::Stopped(Stopped::Interrupted))));
        // What it left is of another build, and stays as it is.
        let left = files(&first.scratch);
        for of in [
            Subject { plies: None, ..first.of.clone() },
            Subject { folded: false, ..first.of.clone() },
            Subject { starts: vec!["?".to_owned()], ..first.of.clone() },
            Subject { rules: format!("{}#\n", first.of.rules), ..first.of.clone() },
        ] {
            let other = again(&Plan { of, ..first.clone() });
            assert!(matches!(other, Err(BuildError::Other { .. })), "{other:?}");
        }
        assert_eq!(files(&first.scratch), left);
        // Files that are not the build's are let alone.
        let notes = first.scratch.join("notes");
        fs::write(&notes, "mine").unwrap();
        again(&first).unwrap();
        assert_eq!(fs::read(&notes).unwrap(), b"mine");
    }
}

#[test]
fn one_build_at_a_time_works_in_a_folder() {
    let rules = rules("tictactoe", "3x3", &[]);
    rules.game().unwrap().run(Shared(&rules));
}

#[test]
fn a_place_that_cannot_be_written_is_an_error() {
    struct Nowhere<'a>(&'a RulesFile);

    impl Task for Nowhere<'_> {
        type Output = ();

        fn run<G: Notation>(self, game: &G) {
            let folder = common::folder();
            let starts = [game.start()];
            let first = plan(folder.path(), subject(self.0, game, &starts));
            fs::write(folder.path().join("file"), "").unwrap();
            let below = folder.path().join("file").join("below");
            for plan in
                [Plan { scratch: below.clone(), ..first.clone() }, Plan { output: below.join("made"), ..first.clone() }]
            {
                let made = built(game, &starts, &plan);
                assert!(matches!(made, Err(BuildError::Io { .. })), "{made:?}");
            }
            // What was finished is there for a place that can.
            let limited = Watch::with_limit(1);
            assert!(matches!(
                built_within(game, &starts, &first, &limited),
                Err(BuildError::Stopped(Stopped::Interrupted))
            ));
            built(game, &starts, &first).unwrap();
        }
    }

    let rules = rules("tictactoe", "3x3", &[]);
    rules.game().unwrap().run(Nowhere(&rules));
}
