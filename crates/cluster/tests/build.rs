//! Builds by several workers give the files that a build by one process gives.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use balpan::{Game, Watch};
use balpan_cluster::{ClusterError, Hosts, Plan, Progress, shard_path};
use balpan_games::presets::preset;
use balpan_games::{Notation, Task};
use balpan_strong::parts::start_keys;
use balpan_strong::{BuildError, Metric, Subject, Table, merge};

use crate::made::{MADE, Made};

#[allow(dead_code, reason = "the tests of strong solutions use all of it")]
#[path = "../../strong/tests/common/made.rs"]
mod made;

fn end(trouble: ClusterError) -> ! {
    panic!("{trouble}")
}

/// Builds by each of some numbers of workers, and by one process, and compares the files.
struct Compared<'a> {
    name: &'a str,
    metric: Metric,
    memory: usize,
    workers: &'a [usize],
    shards: u32,
}

impl Task for Compared<'_> {
    type Output = u64;

    fn run<G: Notation>(self, game: &G) -> u64 {
        let subject = Subject {
            game: self.name.to_owned(),
            rules: String::new(),
            size: game.size(),
            starts: vec![game.text(&game.start())],
            metric: self.metric,
            folded: true,
            plies: None,
        };
        self.compare(game, &subject)
    }
}

impl Compared<'_> {
    fn compare<G: Game + Clone>(&self, game: &G, subject: &Subject) -> u64 {
        let Self { name, memory, workers, shards, .. } = *self;
        let folder = tempfile::tempdir().unwrap();
        let starts = [game.start()];
        let at = |output: &Path, threads| balpan_strong::Plan {
            subject: subject.clone(),
            output: output.to_owned(),
            scratch: output.with_extension("scratch"),
            memory: 32 << 20,
            threads,
        };
        let watch = Watch::default();
        let alone = folder.path().join("alone.strong");
        let header =
            balpan_strong::build(game, &starts, &at(&alone, 2), &watch, &balpan_strong::Progress::default()).unwrap();
        let mut parts = Vec::new();
        for &workers in workers {
            let folder = folder.path().join(format!("by-{workers}"));
            let plan = Plan {
                subject: subject.clone(),
                folder: folder.clone(),
                shards,
                memory: memory * workers,
                workers,
                hosts: Hosts::local(1, 1),
                process: 0,
                secret: Vec::new(),
                connect_timeout: Duration::from_secs(10),
                silence_timeout: Duration::from_secs(10),
                notify: Arc::new(|_| {}),
                abort: end,
            };
            let progress = Arc::new(Progress::default());
            let (sharding, _) = balpan_cluster::build(
                Arc::new(game.clone()),
                &start_keys(game, &starts, plan.subject.scheme()).unwrap(),
                &plan,
                &watch,
                &progress,
            )
            .unwrap();
            let bytes: Vec<Vec<u8>> =
                (0..shards).map(|number| fs::read(shard_path(&folder, sharding, number)).unwrap()).collect();
            assert_eq!(fs::read_dir(&folder).unwrap().count(), shards as usize, "working files are left");
            let tables: Vec<_> = bytes.iter().map(|bytes| Table::open(&bytes[..]).unwrap()).collect();
            let merged = folder.join("merged.strong");
            merge(&tables, &at(&merged, 1), &watch).unwrap();
            assert!(fs::read(&merged).unwrap() == fs::read(&alone).unwrap(), "{name}, {workers} workers");
            assert_eq!(progress.traffic().bytes > 0, workers > 1 && shards > 1, "{name}, {workers} workers");
            parts.push(bytes);
        }
        assert!(parts.iter().all(|bytes| *bytes == parts[0]), "{name}");
        header.positions()
    }
}

fn compared(name: &str, board: Option<&str>, metric: Metric, memory: usize, workers: &[usize], shards: u32) -> u64 {
    let mut rules = preset(name).unwrap().unwrap();
    if let Some(board) = board {
        rules = rules.with_board(board).unwrap();
    }
    rules.game().unwrap().run(Compared { name, metric, memory, workers, shards })
}

#[test]
fn any_number_of_workers_writes_the_same() {
    assert_eq!(compared("tictactoe", None, Metric::Value, 32 << 20, &[1, 2, 3], 8), 765);
    compared("connect4", Some("4x4"), Metric::Value, 16 << 20, &[1, 2, 5], 16);
    compared("platforms", Some("4x4"), Metric::Value, 16 << 20, &[1, 3], 1);
    compared("blockgame", None, Metric::Nimber, 16 << 20, &[1, 2], 7);
    compared("cram", Some("4x5"), Metric::Nimber, 16 << 20, &[2, 4], 4);
}

#[test]
fn little_memory_makes_the_same_in_many_batches() {
    let positions = compared("connect4", Some("4x5"), Metric::Value, 16 << 20, &[2], 64);
    assert_eq!(positions, 1_974_174);
}

/// Builds the file of a made game with many workers and with one.
fn compared_made(game: &Made<true>, workers: &[usize]) -> u64 {
    let compared = Compared { name: "made", metric: Metric::Value, memory: 16 << 20, workers, shards: 7 };
    compared.compare(game, &made_subject())
}

fn made_subject() -> Subject {
    Subject {
        game: "made".to_owned(),
        rules: String::new(),
        size: String::new(),
        starts: Vec::new(),
        metric: Metric::Value,
        folded: true,
        plies: None,
    }
}

#[test]
fn scores_and_kept_turns_are_the_same() {
    for (seed, max_score) in (0..6).zip([0, 3, 1000].into_iter().cycle()) {
        for key_bits in [12, 64] {
            let game = Made { seed, max_score, may_repeat: false, layers: 5, width: 200, key_bits, ..MADE };
            compared_made(&game, &[1, 3]);
        }
    }
    let large = Made { may_repeat: false, layers: 10, width: 20_000, max_moves: 8, max_score: 9, ends: 0, ..MADE };
    assert!(compared_made(&large, &[2]) > 10_000);
}

#[test]
fn play_that_may_repeat_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan {
        subject: made_subject(),
        folder: folder.path().to_owned(),
        shards: 1,
        memory: 16 << 20,
        workers: 1,
        hosts: Hosts::local(1, 1),
        process: 0,
        secret: Vec::new(),
        connect_timeout: Duration::from_secs(10),
        silence_timeout: Duration::from_secs(10),
        notify: Arc::new(|_| {}),
        abort: end,
    };
    let refused = balpan_cluster::build(
        Arc::new(MADE),
        &start_keys(&MADE, &[MADE.start()], plan.subject.scheme()).unwrap(),
        &plan,
        &Watch::default(),
        &Arc::default(),
    );
    assert!(matches!(refused, Err(ClusterError::Build(BuildError::Loops))), "{refused:?}");
}
