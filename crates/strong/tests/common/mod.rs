//! Small games and their solutions.

#![allow(dead_code, reason = "not every test file uses all of it")]

pub(crate) mod made;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use balpan::{Game, Watch};
use balpan_games::presets::preset;
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{BuildError, Entry, Metric, Plan, Progress, Subject, Table, TableError, build};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

/// The smallest memory limit of a thread.
pub(crate) const MIN_MEMORY: usize = 8 << 20;

/// A configuration with this number of cases, unless `PROPTEST_CASES` is set.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { cases };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

/// Returns a preset's rules on a board, with changes.
pub(crate) fn rules(name: &str, board: &str, changes: &[&str]) -> RulesFile {
    let rules = preset(name).unwrap().unwrap().with_board(board).unwrap();
    changes.iter().fold(rules, |rules, change| rules.with_change(change).unwrap())
}

/// The subject of a solution from these starts.
pub(crate) fn subject<G: Notation>(rules: &RulesFile, game: &G, starts: &[G::Position]) -> Subject {
    Subject {
        game: rules.name.clone(),
        rules: rules.text.clone(),
        size: game.size(),
        starts: starts.iter().map(|start| game.text(start)).collect(),
        metric: Metric::Value,
        folded: true,
        plies: None,
    }
}

/// A build in a folder by one thread, with the least memory.
pub(crate) fn plan(folder: &Path, of: Subject) -> Plan {
    Plan {
        subject: of,
        output: folder.join("made.strong"),
        scratch: folder.join("scratch"),
        memory: MIN_MEMORY,
        threads: 1,
    }
}

/// A temporary folder, in memory if possible: many small builds would wait for the disk.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Builds without interruption and returns the file.
pub(crate) fn build_file<G: Notation>(game: &G, starts: &[G::Position], plan: &Plan) -> Result<Vec<u8>, BuildError> {
    build_within(game, starts, plan, &Watch::default())
}

/// Builds until the watch stops the work, and returns the file.
pub(crate) fn build_within<G: Notation>(
    game: &G,
    starts: &[G::Position],
    plan: &Plan,
    watch: &Watch,
) -> Result<Vec<u8>, BuildError> {
    build(game, starts, plan, watch, &Progress::default())?;
    assert!(!plan.scratch.exists(), "working files are left");
    Ok(fs::read(&plan.output).unwrap())
}

/// Builds a solution from the start and returns the file.
pub(crate) fn build_preset(rules: &RulesFile, change: impl Fn(&mut Subject)) -> Vec<u8> {
    rules.game().unwrap().run(File { rules, change })
}

struct File<'a, C> {
    rules: &'a RulesFile,
    change: C,
}

impl<C: Fn(&mut Subject)> Task for File<'_, C> {
    type Output = Vec<u8>;

    fn run<G: Notation>(self, game: &G) -> Vec<u8> {
        let folder = folder();
        let starts = [game.start()];
        let mut of = subject(self.rules, game, &starts);
        (self.change)(&mut of);
        build_file(game, &starts, &plan(folder.path(), of)).unwrap()
    }
}

/// Reads all codes of a file, by layer and key.
pub(crate) fn codes<B: AsRef<[u8]>>(table: &Table<B>) -> Result<BTreeMap<(u32, u128), u16>, TableError> {
    table.walk(None)?.map(|entry| entry.map(|Entry { layer, key, code }| ((layer, key), code))).collect()
}

/// The position after the chosen moves, or an earlier one if play ends.
pub(crate) fn after<G: Game>(game: &G, choices: &[u16]) -> G::Position {
    let mut position = game.start();
    for &choice in choices {
        let moves: Vec<_> = game.moves(&position).collect();
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        position = game.play(&position, mv);
    }
    position
}

/// The size of the prologue.
pub(crate) const PROLOGUE_BYTES: usize = 56;

/// Decodes a little-endian number of eight bytes.
pub(crate) fn number(bytes: &[u8]) -> usize {
    u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize
}

/// Changes the header and the body of a file, and corrects the checksums.
pub(crate) fn forge(file: &[u8], change: impl FnOnce(&mut serde_json::Value, &mut Vec<u8>)) -> Vec<u8> {
    let (at, length) = (number(&file[16..]), number(&file[24..]));
    let mut header: serde_json::Value = serde_json::from_slice(&file[at..at + length]).unwrap();
    let mut body = file[..at].to_vec();
    change(&mut header, &mut body);
    let index = header["index"].as_u64().unwrap_or(0) as usize;
    if let Some(index) = body.get(index..) {
        header["index_checksum"] = json!(format!("{:016x}", xxh3_64(index)));
    }
    let (at, header) = (body.len(), serde_json::to_vec(&header).unwrap());
    body.extend(&header);
    let length = body.len();
    for (place, number) in [(16, at as u64), (24, header.len() as u64), (32, xxh3_64(&header)), (40, length as u64)] {
        body[place..place + 8].copy_from_slice(&number.to_le_bytes());
    }
    let checksum = xxh3_64(&body[..48]);
    body[48..PROLOGUE_BYTES].copy_from_slice(&checksum.to_le_bytes());
    body
}

fn read(text: &str) -> Option<RulesFile> {
    RulesFile::parse("test", text).ok()
}

fn walkers() -> impl Strategy<Value = RulesFile> {
    let steps = ["\"orthogonal\"", "\"king\"", "\"knight\"", "\"queen\"", "[[0, 1], [2, -1]]", "[[1, 0], [0, 3]]"];
    let boards = ["1x9", "2x4", "2x5", "3x3", "3x4", "4x3"];
    (select(steps.to_vec()), select(boards.to_vec()), any::<bool>(), any::<bool>()).prop_filter_map(
        "a board for two tokens",
        |(steps, board, share, torus)| {
            read(&format!(
                "family = \"walkers\"\nboard = \"{board}\"\nsteps = {steps}\nshare = {share}\ntorus = {torus}\n"
            ))
        },
    )
}

const DRAWINGS: &[&str] = &["##", "##/#.", "###", "#.#", "##/##", "#", "#./.#", ".##/##.", "#/#", "####"];

/// Pieces, some of them with a supply.
fn pieces() -> impl Strategy<Value = Vec<(&'static str, Option<u8>)>> {
    let supply = prop_oneof![3 => Just(None), 1 => (1..4_u8).prop_map(Some)];
    (subsequence(DRAWINGS, 1..=3), vec(supply, 3))
        .prop_map(|(drawings, supplies)| drawings.into_iter().zip(supplies).collect())
}

fn placement() -> impl Strategy<Value = RulesFile> {
    let boards = ["3x3", "2x5", "3x4", "4x4", "1x13", "13x1", "2x7", "9x9"];
    let flags = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.3));
    (pieces(), prop::option::of(pieces()), select(boards.to_vec()), flags).prop_filter_map(
        "pieces that fit, each once",
        |(left, right, board, (rotate, reflect, misere))| {
            let mut text = format!(
                "family = \"placement\"\nboard = \"{board}\"\nrotate = {rotate}\nreflect = {reflect}\nmisere = {misere}\n"
            );
            let title = if right.is_some() { "left" } else { "pieces" };
            let lists = [(title, 'A', Some(left)), ("right", 'P', right)];
            let lists = lists.into_iter().filter_map(|(title, first, list)| Some((title, first, list?)));
            let (mut supply, mut drawn) = ("[supply]\n".to_owned(), String::new());
            for (title, first, list) in lists {
                drawn += &format!("[{title}]\n");
                for (name, (drawing, few)) in (first..).zip(list) {
                    drawn += &format!("{name} = \"{drawing}\"\n");
                    supply += &few.map_or_else(String::new, |few| format!("{name} = {few}\n"));
                }
            }
            text += &supply;
            text += &drawn;
            read(&text)
        },
    )
}

fn lines() -> impl Strategy<Value = RulesFile> {
    let boards = ["3x3", "3x4", "4x3", "2x5", "1x8", "4x4", "5x5"];
    let marks = select(vec!["own", "shared"]);
    let flags = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.3));
    (2..=4_u8, select(boards.to_vec()), marks, flags).prop_filter_map(
        "a line that fits",
        |(k, board, marks, (gravity, overlines, misere))| {
            read(&format!(
                "family = \"lines\"\nboard = \"{board}\"\nk = {k}\ngravity = {gravity}\nmarks = \"{marks}\"\n\
                 overlines = {overlines}\nmisere = {misere}\n"
            ))
        },
    )
}

fn heaps() -> impl Strategy<Value = RulesFile> {
    let codes = ["nim", "0.77", "0.07", "0.333", "4.7", "0.137", "4.0077"];
    (select(codes.to_vec()), vec(1..9_u8, 1..4), prop::bool::weighted(0.3)).prop_filter_map(
        "heaps",
        |(code, heaps, misere)| {
            let start = heaps.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
            read(&format!("family = \"heaps\"\ncode = \"{code}\"\nstart = \"{start}\"\nmisere = {misere}\n"))
        },
    )
}

/// Rules of any family; a few of the boards are large, and tests play on them until little is left.
pub(crate) fn games() -> impl Strategy<Value = RulesFile> {
    prop_oneof![2 => walkers(), 3 => placement(), 3 => lines(), 2 => heaps()]
}
