//! Files have the same bytes whatever the threads, the memory and the interruptions.

use crate::common;

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use balpan::{AlphaBeta, Solver, Stopped, Watch};
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{BuildError, Metric, Plan, Progress, Subject, Table, book};

use crate::common::{MIN_MEMORY, after, build_file, build_within, plan, rules, subject};

/// Games of all families, with keys of one word and of two.
fn games() -> Vec<(RulesFile, Metric)> {
    vec![
        (rules("connect4", "4x4", &[]), Metric::Value),
        (rules("platforms", "3x4", &[]), Metric::Value),
        (rules("cram", "4x5", &[]), Metric::Value),
        (rules("cram", "4x5", &[]), Metric::Nimber),
        (rules("domineering", "4x4", &[]), Metric::Value),
        (rules("notakto", "3x4", &[]), Metric::Value),
        // A strip: each of its parts is one row.
        (rules("cram", "1x49", &["board=1x22"]), Metric::Nimber),
    ]
}

struct SameBytes<'a>(&'a RulesFile, Metric);

impl Task for SameBytes<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let folder = common::folder();
        let starts = [game.start(), after(game, &[3, 1])];
        let subject = Subject { metric: self.1, ..subject(self.0, game, &starts) };
        let first = plan(folder.path(), subject);
        let expected = build_file(game, &starts, &first).unwrap();
        for (threads, memory) in [(1, 64 << 20), (2, 2 * MIN_MEMORY), (3, 3 * MIN_MEMORY), (3, 100 << 20)] {
            let bytes = build_file(game, &starts, &Plan { threads, memory, ..first.clone() }).unwrap();
            assert!(bytes == expected, "{}: {threads} threads, {memory} bytes", self.0.name);
        }
        let too_little = build_file(game, &starts, &Plan { threads: 2, ..first.clone() });
        assert!(matches!(too_little, Err(BuildError::NoMemory { .. })), "{too_little:?}");
        // Few positions at first, more in every attempt.
        let positions = Table::open(&expected[..]).unwrap().header().positions();
        let (mut limit, mut stops) = (positions / 50 + 1, 0);
        fs::remove_file(&first.output).unwrap();
        let bytes = loop {
            let plan = Plan { threads: 1 + stops % 3, memory: 3 * MIN_MEMORY, ..first.clone() };
            match build_within(game, &starts, &plan, &Watch::with_limit(limit)) {
                Ok(bytes) => break bytes,
                Err(BuildError::Stopped(Stopped::Interrupted)) => assert!(!plan.output.exists()),
                Err(e) => panic!("{}: {e}", self.0.name),
            }
            stops += 1;
            limit += limit / 8 + 1;
        };
        assert!(bytes == expected, "{}: stopped {stops} times", self.0.name);
        assert!(stops > 3, "{}: stopped {stops} times", self.0.name);
    }
}

#[test]
fn files_are_the_same_whatever_the_way() {
    for (rules, metric) in games() {
        rules.game().unwrap().run(SameBytes(&rules, metric));
    }
}

/// Large enough for many blocks, dictionaries, and more moves than fit in memory at once.
#[test]
fn large_files_are_the_same_too() {
    struct Large<'a>(&'a RulesFile);

    impl Task for Large<'_> {
        type Output = ();

        fn run<G: Notation>(self, game: &G) {
            let folder = common::folder();
            let starts = [game.start()];
            let first = plan(folder.path(), Subject { folded: false, ..subject(self.0, game, &starts) });
            let expected = build_file(game, &starts, &first).unwrap();
            let whole = Plan { threads: 3, memory: 256 << 20, ..first.clone() };
            assert!(build_file(game, &starts, &whole).unwrap() == expected);
            let table = Table::open(expected).unwrap();
            assert_eq!(table.header().positions(), 1_706_255);
        }
    }

    let rules = rules("connect4", "5x4", &[]);
    rules.game().unwrap().run(Large(&rules));
}

struct Books<'a>(&'a RulesFile, u32);

/// Builds a book by alpha-beta, and stops after `left` solves.
fn build_book<G: Notation>(
    game: &G,
    starts: &[G::Position],
    plan: &Plan,
    watch: &Watch,
    left: &Cell<u32>,
) -> Result<Vec<u8>, BuildError> {
    let solve = |position: &G::Position| {
        left.set(left.get().checked_sub(1).ok_or(Stopped::Interrupted)?);
        AlphaBeta::new(game, 1 << 16, &Watch::default()).value(position)
    };
    book(game, starts, plan, watch, &Progress::default(), solve)?;
    assert!(!plan.scratch.exists());
    Ok(fs::read(&plan.output).unwrap())
}

impl Task for Books<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let folder = common::folder();
        let starts = [game.start()];
        let subject = Subject { plies: Some(self.1), ..subject(self.0, game, &starts) };
        let first = plan(folder.path(), subject);
        let always = Watch::default();
        let endless = Cell::new(u32::MAX);
        let expected = build_book(game, &starts, &first, &always, &endless).unwrap();
        check_book(game, self.0, folder.path(), &expected);
        let solves = u32::MAX - endless.get();
        for step in [1, 7, solves / 2] {
            fs::remove_file(&first.output).unwrap();
            let mut stops = 0;
            let bytes = loop {
                let plan = Plan { threads: 1 + stops % 3, memory: 3 * MIN_MEMORY, ..first.clone() };
                // Each attempt solves some more, or stops while the file is written.
                let watch = if stops % 2 == 0 { always.clone() } else { Watch::with_limit(1) };
                match build_book(game, &starts, &plan, &watch, &Cell::new(step)) {
                    Ok(bytes) => break bytes,
                    Err(BuildError::Stopped(Stopped::Interrupted)) => assert!(!plan.output.exists()),
                    Err(e) => panic!("{e}"),
                }
                stops += 1;
            };
            assert!(bytes == expected, "stopped {stops} times");
            assert!(stops as u32 >= (solves / step).saturating_sub(1), "stopped {stops} times");
        }
        // A record that is incomplete or did not reach the disk is solved again.
        for cut in [1, 29, 30, 31, 59] {
            let stopped = build_book(game, &starts, &first, &always, &Cell::new(3));
            assert!(matches!(stopped, Err(BuildError::Stopped(Stopped::Interrupted))));
            let mut files = fs::read_dir(&first.scratch).unwrap().map(|entry| entry.unwrap().path());
            let is_solved = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("solved-");
            let solved = files.find(is_solved).unwrap();
            let bytes = fs::read(&solved).unwrap();
            fs::write(&solved, &bytes[..bytes.len() - cut]).unwrap();
            let left = Cell::new(u32::MAX);
            assert!(build_book(game, &starts, &first, &always, &left).unwrap() == expected);
            let again = solves - 3 + (cut as u32).div_ceil(30);
            assert_eq!(u32::MAX - left.get(), again, "{cut}");
        }
    }
}

/// Checks that a book agrees with the complete solution, and has all its positions near the start.
fn check_book<G: Notation>(game: &G, rules: &RulesFile, folder: &Path, book: &[u8]) {
    let starts = [game.start()];
    let whole = build_file(
        game,
        &starts,
        &Plan { output: folder.join("whole"), ..plan(folder, subject(rules, game, &starts)) },
    );
    let [book, whole] = [book, &whole.unwrap()[..]].map(|bytes| common::codes(&Table::open(bytes).unwrap()).unwrap());
    assert!(book.iter().all(|(at, code)| whole.get(at) == Some(code)));
    let highest = whole.last_key_value().unwrap().0.0;
    assert!(whole.range((highest - 2, 0)..).all(|(at, _)| book.contains_key(at)));
}

#[test]
fn books_are_the_same_however_often_they_are_stopped() {
    for (name, board, plies) in [("connect4", "4x4", 4), ("tictactoe", "3x3", 3), ("cram", "3x4", 2)] {
        let rules = rules(name, board, &[]);
        rules.game().unwrap().run(Books(&rules, plies));
    }
}
