//! Merging the shards of a solution into one file.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use balpan::Watch;

use crate::Header;
use crate::build::{LayerFilesSource, Plan, open_outputs};
use crate::error::BuildError;
use crate::format::{Form, width};
use crate::keyfile::{KeyWriter, MAX_BLOCK_KEYS};
use crate::layer::LayerCodes;
use crate::scratch::{BuildManifest, LayerFiles, Scratch};
use crate::table::{ProbeBuffers, Prober, Table, TableError};
use crate::write::SolutionWriter;

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
    let form = Form::Keys;
    let mut writer = SolutionWriter::create(
        part,
        form,
        first.subject.clone(),
        first.key_bits,
        first.max_plies,
        plan.threads,
        watch,
    )?;
    let layers: BTreeSet<u32> =
        tables.iter().flat_map(|table| &table.header().layers).map(|layer| layer.layer).collect();
    let mut buffers = ProbeBuffers::new().map_err(|e| MergeError::Table(0, e))?;
    for &layer in layers.iter().rev() {
        let finished = merge_layer(tables, layer, &scratch, &mut buffers)?;
        let source =
            LayerFilesSource::<u128>::open(&scratch.folder, &finished, width(first.subject.metric, first.max_plies))?;
        writer.write_layer(layer, &source)?;
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
            (&header.subject, header.max_plies, shard.sharding) == (&first.subject, first.max_plies, other.sharding);
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
    fn next(&mut self, buffers: &mut ProbeBuffers) -> Result<Option<u128>, TableError> {
        if self.place == self.keys.len() {
            if self.block == self.blocks {
                return Ok(None);
            }
            let mut prober = Prober { table: self.table, buffers: std::mem::replace(buffers, ProbeBuffers::new()?) };
            prober.read_block(self.at, self.block, &mut self.keys, &mut self.codes)?;
            *buffers = prober.buffers;
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
    buffers: &mut ProbeBuffers,
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
    let codes_file = LayerCodes::create(&scratch.folder, &codes_name, width(header.subject.metric, header.max_plies))?;
    let mut keys_file = KeyWriter::create(&scratch.folder, scratch.name("keys", number))?;
    let (mut keys, mut codes, mut bytes, mut block) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut heap = BinaryHeap::new();
    for (of, cursor) in cursors.iter_mut().enumerate() {
        heap.extend(cursor.next(buffers).map_err(|e| MergeError::Table(of, e))?.map(|key| Reverse((key, of))));
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
            match cursor.next(buffers).map_err(|e| MergeError::Table(of, e))? {
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
