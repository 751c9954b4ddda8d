//! Builds by some workers give the files that one machine's build does.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use balpan::Watch;
use balpan_cluster::{Hosts, Plan, Progress, Trouble, path_of};
use balpan_games::presets::preset;
use balpan_games::{Notation, Task};
use balpan_strong::{Subject, Table, Tells, merge};

fn end(trouble: Trouble) -> ! {
    panic!("{trouble}")
}

/// Builds by each of some numbers of workers, and on one machine, and compares all.
struct Compared<'a> {
    name: &'a str,
    tells: Tells,
    memory: usize,
    workers: &'a [usize],
    shares: u32,
}

impl Task for Compared<'_> {
    type Output = u64;

    fn run<G: Notation>(self, game: &G) -> u64 {
        let Self { name, tells, memory, workers, shares } = self;
        let folder = tempfile::tempdir().unwrap();
        let starts = [game.start()];
        let of = Subject {
            game: name.to_owned(),
            rules: String::new(),
            size: game.size(),
            starts: starts.iter().map(|start| game.text(start)).collect(),
            tells,
            folded: true,
            plies: None,
        };
        let at = |output: &Path, threads| balpan_strong::Plan {
            of: of.clone(),
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
                of: of.clone(),
                folder: folder.clone(),
                shares,
                memory: memory * workers,
                workers,
                hosts: Hosts::local(1, 1),
                process: 0,
                secret: Vec::new(),
                wait: Duration::from_secs(10),
                patience: Duration::from_secs(10),
                tell: Arc::new(|_| {}),
                end,
            };
            let progress = Arc::new(Progress::default());
            let (split, _) = balpan_cluster::build(game, &starts, &plan, &watch, &progress).unwrap();
            let bytes: Vec<Vec<u8>> =
                (0..shares).map(|number| fs::read(path_of(&folder, split, number)).unwrap()).collect();
            assert_eq!(fs::read_dir(&folder).unwrap().count(), shares as usize, "working files are left");
            let tables: Vec<_> = bytes.iter().map(|bytes| Table::open(&bytes[..]).unwrap()).collect();
            let merged = folder.join("merged.strong");
            merge(&tables, &at(&merged, 1), &watch).unwrap();
            assert!(fs::read(&merged).unwrap() == fs::read(&alone).unwrap(), "{name}, {workers} workers");
            assert_eq!(progress.sent().bytes > 0, workers > 1 && shares > 1, "{name}, {workers} workers");
            parts.push(bytes);
        }
        assert!(parts.iter().all(|bytes| *bytes == parts[0]), "{name}");
        header.positions()
    }
}

fn compared(name: &str, board: Option<&str>, tells: Tells, memory: usize, workers: &[usize], shares: u32) -> u64 {
    let mut rules = preset(name).unwrap().unwrap();
    if let Some(board) = board {
        rules = rules.on_board(board).unwrap();
    }
    rules.game().unwrap().run(Compared { name, tells, memory, workers, shares })
}

#[test]
fn any_number_of_workers_writes_the_same() {
    assert_eq!(compared("tictactoe", None, Tells::Value, 32 << 20, &[1, 2, 3], 8), 765);
    compared("connect4", Some("4x4"), Tells::Value, 16 << 20, &[1, 2, 5], 16);
    compared("platforms", Some("4x4"), Tells::Value, 16 << 20, &[1, 3], 1);
    compared("blockgame", None, Tells::Nimber, 16 << 20, &[1, 2], 7);
    compared("cram", Some("4x5"), Tells::Nimber, 16 << 20, &[2, 4], 4);
}

#[test]
fn little_memory_makes_the_same_in_many_batches() {
    let positions = compared("connect4", Some("4x5"), Tells::Value, 16 << 20, &[2], 64);
    assert_eq!(positions, 1_974_174);
}
