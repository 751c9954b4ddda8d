//! Opening books: the positions within a few plies of the starts, solved one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use balpan::{Game, Stopped, Value, Watch};
use xxhash_rust::xxh3::xxh3_64;

use crate::build::backward::missing;
use crate::build::output::{LayerSource, SolutionWriter};
use crate::build::successors::{KeyGame, Scheme, code_from_successors, scale_for};
use crate::build::{Phase, Plan, Progress, open_outputs, start_keys};
use crate::error::BuildError;
use crate::files::number;
use crate::format::codes::Metric;
use crate::format::header::{Form, Header};

/// The journal of solved positions: records of layer (4 bytes), key (16), code (2) and the XXH3 of
/// these (8).
const JOURNAL_PREFIX: &str = "solved";
const RECORD_BYTES: usize = 30;

/// How often the journal is synced to the disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// A datum for each key, by layer.
type ByLayer<T> = BTreeMap<u32, BTreeMap<u128, T>>;

fn find(codes: &ByLayer<u16>, layer: u32, key: u128) -> Option<u16> {
    codes.get(&layer)?.get(&key).copied()
}

/// Solves all positions within [`plies`](crate::Subject::plies) of the `starts`, and writes them to
/// the plan's file. `solve` is called for those exactly that far from a start; the other values
/// follow from theirs. Solved positions are kept in the plan's folder of working files, and the
/// next call resumes from them.
///
/// # Errors
/// See [`BuildError`].
pub fn book<G: Game>(
    game: &G,
    starts: &[G::Position],
    plan: &Plan,
    watch: &Watch,
    progress: &Progress,
    solve: impl FnMut(&G::Position) -> Result<Value, Stopped>,
) -> Result<Header, BuildError> {
    book_from_keys(game, game, starts, plan, watch, progress, solve)
}

/// Solves as [`book`]. `keys` is the same game.
pub(crate) fn book_from_keys<G: Game>(
    game: &G,
    keys: &dyn KeyGame,
    starts: &[G::Position],
    plan: &Plan,
    watch: &Watch,
    progress: &Progress,
    mut solve: impl FnMut(&G::Position) -> Result<Value, Stopped>,
) -> Result<Header, BuildError> {
    let found = start_keys(game, starts, scheme(plan))?;
    if game.may_repeat() {
        return Err(BuildError::Loops);
    }
    let mut solve_key =
        |key| solve(&game.position_from_key(key).ok_or(BuildError::NoKeys)?).map_err(BuildError::Stopped);
    write_book(keys, found, plan, watch, progress, &mut solve_key)
}

const fn scheme(plan: &Plan) -> Scheme {
    Scheme { metric: Metric::Value, folded: plan.subject.folded }
}

fn write_book(
    game: &dyn KeyGame,
    found: Vec<(u32, u128)>,
    plan: &Plan,
    watch: &Watch,
    progress: &Progress,
    solve: &mut dyn FnMut(u128) -> Result<Value, BuildError>,
) -> Result<Header, BuildError> {
    let scale = scale_for(game, found.last().map_or(0, |&(layer, _)| layer));
    let (mut scratch, part) = open_outputs(plan)?;
    scratch.commit()?;
    let scheme = scheme(plan);
    let positions_within = positions_within(game, scheme, found, plan.subject.plies.unwrap_or(0))?;
    // Keys of other rules are other positions: each subject has its own journal.
    let of = serde_json::to_string(&plan.subject).unwrap_or_default();
    let path = scratch.folder.join(format!("{JOURNAL_PREFIX}-{:016x}", xxh3_64(of.as_bytes())));
    let mut solved = SolvedJournal::open(&path)?;
    progress.enter(Phase::Solving, 0);
    progress.add_known(positions_within.values().map(BTreeMap::len).sum::<usize>() as u64);
    progress.add_done(solved.codes.values().map(BTreeMap::len).sum::<usize>() as u64);
    let mut codes: ByLayer<u16> = BTreeMap::new();
    for (&layer, keys) in &positions_within {
        for (&key, &is_expanded) in keys {
            let code = if is_expanded {
                let known = |layer, key| Ok::<_, BuildError>(find(&codes, layer, key));
                code_from_successors(game, scheme, scale, (layer, key), known)?.ok_or_else(missing)?
            } else {
                match find(&solved.codes, layer, key) {
                    Some(code) => code,
                    None => {
                        let code = scale.code(solve(key)?).ok_or(BuildError::Law("a value is longer than play"))?;
                        solved.add(layer, key, code)?;
                        progress.add_done(1);
                        code
                    }
                }
            };
            codes.entry(layer).or_default().insert(key, code);
        }
    }
    let mut writer =
        SolutionWriter::create(part, Form::Keys, plan.subject.clone(), game.bits(), scale, plan.threads, watch)?;
    for (&layer, codes) in codes.iter().rev() {
        writer.write_layer(layer, &MemoryLayer(codes.iter().map(|(&key, &code)| (key, code)).collect()))?;
    }
    let header = writer.finish()?;
    drop(solved);
    fs::remove_file(&path).map_err(BuildError::io(&path))?;
    scratch.remove()?;
    Ok(header)
}

/// Returns the keys within some plies, and whether their successors are among them.
fn positions_within(
    game: &dyn KeyGame,
    scheme: Scheme,
    starts: Vec<(u32, u128)>,
    plies: u32,
) -> Result<ByLayer<bool>, BuildError> {
    let mut all: ByLayer<bool> = BTreeMap::new();
    let mut last: BTreeSet<(u32, u128)> = starts.into_iter().collect();
    for _ in 0..plies {
        let mut next = BTreeSet::new();
        for (layer, key) in last {
            if all.entry(layer).or_default().insert(key, true) != Some(true) {
                let _ = game.expand(scheme, layer, key, &mut |_, _, layer, key| {
                    next.insert((layer, key));
                })?;
            }
        }
        last = next;
    }
    for (layer, key) in last {
        all.entry(layer).or_default().entry(key).or_insert(false);
    }
    Ok(all)
}

/// The journal of solved positions.
struct SolvedJournal {
    path: PathBuf,
    file: File,
    codes: ByLayer<u16>,
    synced: Instant,
}

impl SolvedJournal {
    /// Reads the journal, and cuts off a last record that a killed run did not complete.
    fn open(path: &Path) -> Result<Self, BuildError> {
        let io = || BuildError::io(path);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io())?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io())?;
        let mut codes: ByLayer<u16> = BTreeMap::new();
        let whole = bytes.len() / RECORD_BYTES;
        for (at, record) in bytes.chunks_exact(RECORD_BYTES).enumerate() {
            let (of, checksum) = record.split_at(RECORD_BYTES - 8);
            if checksum != xxh3_64(of).to_le_bytes() {
                // The last record may not have reached the disk.
                if at + 1 == whole {
                    break;
                }
                return Err(BuildError::Damaged { path: path.into() });
            }
            let (layer, key, code) = (number(&of[..4]) as u32, number(&of[4..20]), number(&of[20..]) as u16);
            codes.entry(layer).or_default().insert(key, code);
        }
        let read: usize = codes.values().map(BTreeMap::len).sum();
        file.set_len((read * RECORD_BYTES) as u64).map_err(io())?;
        Ok(Self { path: path.into(), file, codes, synced: Instant::now() })
    }

    fn add(&mut self, layer: u32, key: u128, code: u16) -> Result<(), BuildError> {
        let mut record = Vec::with_capacity(RECORD_BYTES);
        record.extend(layer.to_le_bytes());
        record.extend(key.to_le_bytes());
        record.extend(code.to_le_bytes());
        record.extend(xxh3_64(&record).to_le_bytes());
        self.file.write_all(&record).map_err(BuildError::io(&self.path))?;
        if self.synced.elapsed() > SYNC_INTERVAL {
            self.file.sync_data().map_err(BuildError::io(&self.path))?;
            self.synced = Instant::now();
        }
        Ok(())
    }
}

/// A layer in memory.
struct MemoryLayer(Vec<(u128, u16)>);

impl LayerSource for MemoryLayer {
    fn positions(&self) -> u64 {
        self.0.len() as u64
    }

    fn bits(&self) -> (u128, u128) {
        self.0.iter().fold((u128::MAX, 0), |(all, any), &(key, _)| (all & key, any | key))
    }

    fn read(&self, from: u64, count: usize, keys: &mut Vec<u128>, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        let some = &self.0[from as usize..from as usize + count];
        keys.extend(some.iter().map(|&(key, _)| key));
        codes.extend(some.iter().map(|&(_, code)| code));
        Ok(())
    }
}
