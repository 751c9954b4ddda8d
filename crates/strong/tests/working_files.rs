//! Working files that are damaged, missing, or another build's.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use balpan::{Stopped, Watch};
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{BuildError, Metric, Plan, Progress, Subject, book, build};

use crate::common::{build_file, build_within, plan, rules, subject};

/// The files of a folder with their contents.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    files.sort();
    files
}

fn restore(folder: &Path, files: &[(PathBuf, Vec<u8>)]) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir(folder).unwrap();
    for (path, bytes) in files {
        fs::write(path, bytes).unwrap();
    }
}

/// At most `max` offsets of a file of this many bytes, evenly spaced.
fn sample_offsets(bytes: usize, max: usize) -> impl Iterator<Item = usize> {
    (0..bytes).step_by(bytes.div_ceil(max).max(1))
}

struct DamagedFiles<'a>(&'a RulesFile, Metric);

impl Task for DamagedFiles<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let folder = common::folder();
        let starts = [game.start()];
        let plan = plan(folder.path(), Subject { metric: self.1, ..subject(self.0, game, &starts) });
        let expected = build_file(game, &starts, &plan).unwrap();
        let whole = Watch::default();
        fs::remove_file(&plan.output).unwrap();
        build(game, &starts, &plan, &whole, &Progress::default()).unwrap();
        let (mut refused, mut made) = (0, 0);
        // Stopped in the forward pass, in the backward pass, and while the file is written.
        for part in [1, 5, 9] {
            let _ = fs::remove_file(&plan.output);
            let _ = fs::remove_dir_all(&plan.scratch);
            let stopped = build_within(game, &starts, &plan, &Watch::with_limit(whole.positions() * part / 10));
            assert!(matches!(stopped, Err(BuildError::Stopped(Stopped::Interrupted))));
            let left = files(&plan.scratch);
            assert!(left.len() > 2, "{left:?}");
            let mut check = |what: &str, path: &Path, bytes: Option<Vec<u8>>| {
                restore(&plan.scratch, &left);
                match bytes {
                    Some(bytes) => fs::write(path, bytes).unwrap(),
                    None => fs::remove_file(path).unwrap(),
                }
                match build_file(game, &starts, &plan) {
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
                for length in sample_offsets(bytes.len(), if is_state { 10 } else { 4 }) {
                    check(&format!("cut to {length} bytes"), path, Some(bytes[..length].to_vec()));
                }
                check("longer", path, Some([&bytes[..], b"\0"].concat()));
                for place in sample_offsets(bytes.len(), if is_state { 150 } else { 8 }) {
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
fn damaged_working_files_never_change_the_result() {
    for (name, board, metric) in [("connect4", "3x4", Metric::Value), ("cram", "3x4", Metric::Nimber)] {
        let rules = rules(name, board, &[]);
        rules.game().unwrap().run(DamagedFiles(&rules, metric));
    }
}

struct Shared<'a>(&'a RulesFile);

impl Task for Shared<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let folder = common::folder();
        let starts = [game.start()];
        let first = plan(folder.path(), Subject { plies: Some(1), ..subject(self.0, game, &starts) });
        // A second build while the first one works.
        let watch = Watch::default();
        let again = |plan: &Plan| build(game, &starts, plan, &watch, &Progress::default());
        let stopped = book(game, &starts, &first, &watch, &Progress::default(), |_| {
            let second = again(&first);
            assert!(matches!(second, Err(BuildError::InUse { .. })), "{second:?}");
            // Two builds with separate working files and the same output.
            let elsewhere = Plan { scratch: folder.path().join("elsewhere"), ..first.clone() };
            let third = again(&elsewhere);
            assert!(matches!(third, Err(BuildError::OutputInUse { .. })), "{third:?}");
            assert!(!elsewhere.scratch.exists() && folder.path().join("made.strong.part").exists());
            Err(Stopped::Interrupted)
        });
        assert!(!folder.path().join("made.strong.part").exists());
        assert!(matches!(stopped, Err(BuildError::Stopped(Stopped::Interrupted))));
        // Builds of other subjects refuse its working files and leave them unchanged.
        let left = files(&first.scratch);
        for of in [
            Subject { plies: None, ..first.subject.clone() },
            Subject { folded: false, ..first.subject.clone() },
            Subject { starts: vec!["?".to_owned()], ..first.subject.clone() },
            Subject { rules: format!("{}#\n", first.subject.rules), ..first.subject.clone() },
        ] {
            let other = again(&Plan { subject: of, ..first.clone() });
            assert!(matches!(other, Err(BuildError::Other { .. })), "{other:?}");
        }
        assert_eq!(files(&first.scratch), left);
        // Foreign files stay.
        let notes = first.scratch.join("notes");
        fs::write(&notes, "mine").unwrap();
        again(&first).unwrap();
        assert_eq!(fs::read(&notes).unwrap(), b"mine");
    }
}

#[test]
fn a_folder_admits_one_build_at_a_time() {
    let rules = rules("tictactoe", "3x3", &[]);
    rules.game().unwrap().run(Shared(&rules));
}

#[test]
fn unwritable_paths_are_errors() {
    struct Unwritable<'a>(&'a RulesFile);

    impl Task for Unwritable<'_> {
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
                let made = build_file(game, &starts, &plan);
                assert!(matches!(made, Err(BuildError::Io { .. })), "{made:?}");
            }
            // Finished work resumes with a writable output.
            let limited = Watch::with_limit(1);
            assert!(matches!(
                build_within(game, &starts, &first, &limited),
                Err(BuildError::Stopped(Stopped::Interrupted))
            ));
            build_file(game, &starts, &first).unwrap();
        }
    }

    let rules = rules("tictactoe", "3x3", &[]);
    rules.game().unwrap().run(Unwritable(&rules));
}
