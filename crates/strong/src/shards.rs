//! Sharding: distributing the positions of a solution over many files, and merging these.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::ops::Range;

use balpan::{SplitMix, Watch};
use serde::{Deserialize, Serialize};

use crate::Header;
use crate::build::keyfile::{KeyWriter, MAX_BLOCK_KEYS};
use crate::build::layer::{LayerCodes, SolvedLayer};
use crate::build::output::SolutionWriter;
use crate::build::scratch::{BuildManifest, LayerFiles, Scratch};
use crate::build::successors::{KeyGame, Scheme};
use crate::build::{Plan, open_outputs};
use crate::error::BuildError;
use crate::format::header::Form;
use crate::probe::table::{Prober, Table, TableError};

/// The largest number of shards.
pub const MAX_SHARDS: u32 = 1 << 12;

/// A partition of all positions into shards: by a hash of the high bits of their keys, so that
/// positions with close keys are together, and most moves stay within a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sharding {
    /// The number of shards.
    #[serde(rename = "shares")]
    pub shards: u32,
    /// The number of low bits of a key that the hash ignores.
    pub shift: u32,
}

/// The shard that a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 0.
    pub number: u32,
    /// The partition that it is one of.
    #[serde(flatten)]
    pub sharding: Sharding,
}

/// The random plays from which [`Sharding::new`] samples positions.
const PLAYS: usize = 4096;

impl Sharding {
    /// Partitions the positions that follow from the `starts`. The hash ignores as many low bits as
    /// keep every layer of the sample evenly distributed. The result depends on the game, the
    /// starts and the number of shards only.
    ///
    /// If two positions of a layer have the same high bits with probability `p`, the sizes of `n`
    /// shards vary by about the square root of `n p` of their mean: at most a tenth is allowed.
    ///
    /// # Errors
    /// If the game has no keys or layers.
    pub fn new(game: &dyn KeyGame, starts: &[(u32, u128)], scheme: Scheme, shards: u32) -> Result<Self, BuildError> {
        let mut layers: BTreeMap<u32, Vec<u128>> = BTreeMap::new();
        let mut random = SplitMix(u64::from(shards));
        let mut after = Vec::new();
        for _ in 0..if shards == 1 { 0 } else { PLAYS } {
            let mut at = starts.get(random.below(starts.len().max(1))).copied();
            while let Some((layer, key)) = at {
                layers.entry(layer).or_default().push(key);
                after.clear();
                let _ = game.expand(scheme, layer, key, &mut |_, _, layer, key| after.push((layer, key)))?;
                at = if after.is_empty() { None } else { Some(after[random.below(after.len())]) };
            }
        }
        let mut shift = game.bits();
        for keys in layers.values_mut() {
            keys.sort_unstable();
            keys.dedup();
            // Small layers need not be even.
            if keys.len() >= PLAYS / 4 {
                while shift > 0 && is_uneven(keys, shift, shards) {
                    shift -= 1;
                }
            }
        }
        Ok(Self { shards, shift: if shift == game.bits() { 0 } else { shift } })
    }

    /// Returns the shard that a key belongs to.
    #[inline]
    #[must_use]
    pub fn shard_of(self, key: u128) -> u32 {
        let high = key >> self.shift;
        let mixed = SplitMix(high as u64 ^ SplitMix((high >> 64) as u64).next_u64()).next_u64();
        ((u128::from(mixed) * u128::from(self.shards)) >> 64) as u32
    }

    /// Returns the shards of worker `one` of `all`: consecutive ones.
    #[must_use]
    pub fn range_of(self, one: usize, all: usize) -> Range<u32> {
        let first = |one: usize| (one as u64 * u64::from(self.shards)).div_ceil(all as u64) as u32;
        first(one)..first(one + 1)
    }

    /// The number of bits of a shard's number.
    #[must_use]
    pub const fn bits(self) -> u32 {
        u32::BITS - (self.shards - 1).leading_zeros()
    }
}

/// Whether the sizes of shards would vary by more than a tenth if these sorted keys were
/// distributed by what is above their `shift` low bits.
fn is_uneven(keys: &[u128], shift: u32, shards: u32) -> bool {
    let n = keys.len() as f64;
    let groups = keys.chunk_by(|one, other| one >> shift == other >> shift);
    let together: f64 = groups.map(|group| (group.len() * (group.len() - 1)) as f64).sum();
    together / (n * (n - 1.0)) * f64::from(shards) > 0.01
}

/// Why files cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The merged file cannot be written.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// This input file is damaged.
    #[error("file {0}: {1}")]
    Table(usize, TableError),
    /// This input file is not a shard.
    #[error("file {0} is not a part of a split solution")]
    Whole(usize),
    /// This input file belongs to another solution or sharding than the first.
    #[error("file {0} belongs to another solution than file 0, or to another split")]
    Other(usize),
    /// These two input files are the same shard.
    #[error("files {0} and {1} have the same share")]
    Twice(usize, usize),
    /// Shards are missing.
    #[error("of {of} shares, {missing} are missing, number {first} to begin with")]
    Missing {
        /// The number of shards.
        of: u32,
        /// The number of missing ones.
        missing: u32,
        /// The first missing one.
        first: u32,
    },
}

/// Merges all shards of a solution into one file: the same that [`build`](crate::build()) writes.
/// One block of each input is in memory at a time; the plan's memory limit is ignored.
///
/// # Errors
/// If the files are not all shards of one solution, or one is damaged, or the output cannot be
/// written.
pub fn merge<B: AsRef<[u8]>>(tables: &[Table<B>], plan: &Plan, watch: &Watch) -> Result<Header, MergeError> {
    check_shards(tables)?;
    let Some(first) = tables.first().map(Table::header) else {
        return Err(MergeError::Missing { of: 1, missing: 1, first: 0 });
    };
    let (scratch, part) = open_outputs(plan)?;
    let mut writer = SolutionWriter::create(
        part,
        Form::Keys,
        first.subject.clone(),
        first.key_bits,
        first.scale(),
        plan.threads,
        watch,
    )?;
    let layers: BTreeSet<u32> =
        tables.iter().flat_map(|table| &table.header().layers).map(|layer| layer.layer).collect();
    let mut prober = Prober::new().map_err(|e| MergeError::Table(0, e))?;
    for &layer in layers.iter().rev() {
        let finished = merge_layer(tables, layer, &scratch, &mut prober)?;
        writer.write_layer(layer, &SolvedLayer::<u128>::open(&scratch.folder, &finished, first.width())?)?;
        scratch.sweep()?;
    }
    let header = writer.finish()?;
    scratch.abandon();
    Ok(header)
}

/// Checks that the files are the shards of one solution, each once.
fn check_shards<B: AsRef<[u8]>>(tables: &[Table<B>]) -> Result<(), MergeError> {
    let mut found: Vec<Option<usize>> = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        let (header, first) = (table.header(), tables[0].header());
        let shard = header.shard.ok_or(MergeError::Whole(at))?;
        let other = first.shard.ok_or(MergeError::Whole(0))?;
        let is_same =
            (&header.subject, header.scale(), shard.sharding) == (&first.subject, first.scale(), other.sharding);
        found.resize(shard.sharding.shards as usize, None);
        match found.get_mut(shard.number as usize) {
            Some(place) if is_same => {
                if let Some(before) = place.replace(at) {
                    return Err(MergeError::Twice(before, at));
                }
            }
            _ => return Err(MergeError::Other(at)),
        }
    }
    let missing: Vec<usize> = (0..found.len()).filter(|&number| found[number].is_none()).collect();
    match missing.first() {
        None => Ok(()),
        Some(&first) => {
            let [of, missing, first] = [found.len(), missing.len(), first].map(|number| number as u32);
            Err(MergeError::Missing { of, missing, first })
        }
    }
}

/// A reader of one layer of one input.
struct Cursor<'t, B> {
    table: &'t Table<B>,
    /// The index of the layer in the header, and the next block.
    at: usize,
    block: u64,
    blocks: u64,
    keys: Vec<u128>,
    codes: Vec<u16>,
    place: usize,
}

impl<B: AsRef<[u8]>> Cursor<'_, B> {
    /// Returns the next key without consuming it.
    fn next(&mut self, prober: &mut Prober) -> Result<Option<u128>, TableError> {
        if self.place == self.keys.len() {
            if self.block == self.blocks {
                return Ok(None);
            }
            prober.read_block(self.table, self.at, self.block, &mut self.keys, &mut self.codes)?;
            (self.block, self.place) = (self.block + 1, 0);
        }
        Ok(self.keys.get(self.place).copied())
    }
}

/// Merges a layer into working files.
fn merge_layer<B: AsRef<[u8]>>(
    tables: &[Table<B>],
    number: u32,
    scratch: &Scratch<BuildManifest>,
    prober: &mut Prober,
) -> Result<LayerFiles, MergeError> {
    let mut cursors = Vec::new();
    for table in tables {
        let header = table.header();
        let at = header.layers.iter().position(|layer| layer.layer == number);
        let (at, blocks) = at.map_or((0, 0), |at| (at, header.layers[at].blocks(header.block)));
        cursors.push(Cursor { table, at, block: 0, blocks, keys: Vec::new(), codes: Vec::new(), place: 0 });
    }
    let header = tables[0].header();
    let codes_name = scratch.name("codes", number);
    let codes_file = LayerCodes::create(&scratch.folder, &codes_name, header.width())?;
    let mut keys_file = KeyWriter::create(&scratch.folder, scratch.name("keys", number))?;
    let (mut keys, mut codes, mut bytes, mut block) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut heap = BinaryHeap::new();
    for (of, cursor) in cursors.iter_mut().enumerate() {
        heap.extend(cursor.next(prober).map_err(|e| MergeError::Table(of, e))?.map(|key| Reverse((key, of))));
    }
    let mut flush = |keys: &mut Vec<u128>, codes: &mut Vec<u16>| -> Result<(), BuildError> {
        keys_file.write(keys)?;
        codes_file.write(block, (block * MAX_BLOCK_KEYS) as u64, codes, &mut bytes)?;
        block += 1;
        keys.clear();
        codes.clear();
        Ok(())
    };
    while let Some(Reverse((mut key, of))) = heap.pop() {
        // Close keys are in one shard: often its next keys are also the next of all.
        let others = heap.peek().map(|&Reverse((key, _))| key);
        loop {
            let cursor = &mut cursors[of];
            keys.push(key);
            codes.push(cursor.codes[cursor.place]);
            cursor.place += 1;
            if keys.len() == MAX_BLOCK_KEYS {
                flush(&mut keys, &mut codes)?;
            }
            match cursor.next(prober).map_err(|e| MergeError::Table(of, e))? {
                None => break,
                Some(next) if others.is_some_and(|other| other < next) => {
                    heap.push(Reverse((next, of)));
                    break;
                }
                Some(next) => key = next,
            }
        }
    }
    if !keys.is_empty() {
        flush(&mut keys, &mut codes)?;
    }
    Ok(LayerFiles { layer: number, keys: vec![keys_file.finish()?], codes: Some(codes_name) })
}
