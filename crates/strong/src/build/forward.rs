//! The forward pass of a build: the reachable positions, layer by layer from the highest.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use balpan::Watch;
use balpan::parallel::broadcast;

use crate::build::keyfile::{KeyFile, KeyFileSummary, KeyWriter, MAX_BLOCK_KEYS};
use crate::build::layer::LayerKeys;
use crate::build::scratch::{Manifest, Run, Scratch};
use crate::build::sort::{SpillBuffer, Word, sort};
use crate::build::successors::{KeyGame, Scheme};
use crate::error::BuildError;

/// The resources of one step of a build.
#[derive(Clone, Copy, Debug)]
pub struct Resources<'a> {
    /// Bytes of memory.
    pub memory: usize,
    /// Threads.
    pub threads: usize,
    /// Counts positions, and interrupts the work.
    pub watch: &'a Watch,
}

/// The game and the resources of a build.
#[derive(Clone, Copy)]
pub(crate) struct BuildContext<'a> {
    pub(crate) game: &'a dyn KeyGame,
    pub(crate) scheme: Scheme,
    pub(crate) resources: Resources<'a>,
}

/// Runs the same work on `threads` threads and returns their results.
pub(crate) fn run_on_threads<T: Send, E: Send>(
    threads: usize,
    work: impl Fn() -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    broadcast(threads, work).into_iter().collect()
}

/// Runs `work` for each index below `count`, on up to `threads` threads, and returns the results in order. `state` makes
/// the buffers of a thread.
pub(crate) fn map_on_threads<S, T: Send, E: Send>(
    threads: usize,
    count: usize,
    state: impl Fn() -> Result<S, E> + Sync,
    work: impl Fn(&mut S, usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let results = broadcast(threads.min(count), || {
        let (mut state, mut results) = (state()?, Vec::new());
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= count {
                return Ok(results);
            }
            results.push((index, work(&mut state, index)?));
        }
    });
    let results: Result<Vec<Vec<(usize, T)>>, E> = results.into_iter().collect();
    let mut results: Vec<_> = results?.into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(index, _)| index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// Writes the successors of a layer's positions in sorted runs, one or more for each layer that
/// they are in.
pub(crate) fn expand<W: Word>(
    context: &BuildContext<'_>,
    number: u32,
    layer: &LayerKeys<W>,
    scratch: &Scratch<impl Manifest + Sync>,
) -> Result<Vec<Run>, BuildError> {
    let next = AtomicUsize::new(0);
    let key_bits = context.game.bits();
    let Resources { memory, threads, watch } = context.resources;
    let runs = run_on_threads(threads, || {
        let mut buffer = SpillBuffer::<W>::new(memory / threads);
        let (mut runs, mut bytes, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        let name = |layer| scratch.name("run", layer);
        loop {
            let block = next.fetch_add(1, Relaxed);
            if block >= layer.blocks() {
                break;
            }
            keys.clear();
            layer.keys(block, &mut bytes, &mut keys)?;
            watch.count(keys.len() as u64)?;
            for &key in &keys {
                let mut push = |_, _, layer, key| buffer.push(layer, W::from_key(key));
                let _ = context.game.expand(context.scheme, number, key.as_(), &mut push)?;
                if buffer.is_full() {
                    spill(&mut buffer, key_bits, &scratch.folder, name, &mut runs)?;
                }
            }
        }
        spill(&mut buffer, key_bits, &scratch.folder, name, &mut runs)?;
        Ok::<_, BuildError>(runs)
    })?;
    Ok(runs.into_iter().flatten().collect())
}

/// Spills the words of a buffer, which have `key_bits` bits, in sorted runs. `name` returns the name of a run in the folder.
pub fn spill<W: Word>(
    buffer: &mut SpillBuffer<W>,
    key_bits: u32,
    folder: &Path,
    mut name: impl FnMut(u32) -> String,
    runs: &mut Vec<Run>,
) -> Result<(), BuildError> {
    buffer.drain(|layer, words, spare| {
        sort(words, spare, 0..key_bits);
        runs.push(Run { layer, keys: KeyWriter::write_all(folder, name(layer), words)? });
        Ok(())
    })
}

/// Merges the runs of one layer into files of ascending keys without duplicates, and without the keys of the files `known`.
/// The range of keys is cut into pieces; each thread reads one piece from all runs and sorts it. Keys have `key_bits`
/// bits.
pub fn merge<W: Word>(
    key_bits: u32,
    resources: Resources<'_>,
    number: u32,
    runs: &[KeyFileSummary],
    known: &[KeyFileSummary],
    scratch: &Scratch<impl Manifest + Sync>,
) -> Result<Vec<KeyFileSummary>, BuildError> {
    match runs {
        [] => return Ok(Vec::new()),
        [only] if known.is_empty() => return Ok(vec![only.clone()]),
        _ => {}
    }
    let open = |runs: &[KeyFileSummary]| -> Result<Vec<KeyFile<W>>, BuildError> {
        runs.iter().map(|run| KeyFile::open(&scratch.folder, run)).collect()
    };
    let (files, known) = (open(runs)?, open(known)?);
    // Room for the words, for sorting, and for blocks that reach beyond a piece.
    let Resources { memory, threads, watch } = resources;
    let capacity = (memory / threads / size_of::<W>() / 3).max(MAX_BLOCK_KEYS);
    let max_range_keys = capacity.saturating_sub(2 * MAX_BLOCK_KEYS * runs.len()).max(MAX_BLOCK_KEYS);
    let mut firsts: Vec<(W, u32)> =
        files.iter().flat_map(|file| &file.blocks).map(|block| (block.first, block.count)).collect();
    firsts.sort_unstable();
    let all: u64 = runs.iter().map(|run| run.keys).sum();
    let ranges = all.div_ceil(max_range_keys as u64).max((all / MAX_BLOCK_KEYS as u64).min(threads as u64)).max(1);
    let share = all.div_ceil(ranges);
    let (mut begins, mut gathered) = (vec![W::zero()], 0);
    for &(first, count) in &firsts {
        if gathered >= share && begins.last() != Some(&first) {
            begins.push(first);
            gathered = 0;
        }
        gathered += u64::from(count);
    }
    let buffers = || Ok((Vec::<W>::new(), Vec::new(), Vec::new(), Vec::new()));
    let merged = map_on_threads(threads, begins.len(), buffers, |(words, spare, bytes, keys), range| {
        let (begin, end) = (begins[range], begins.get(range + 1).copied());
        words.clear();
        for file in &files {
            let from = file.blocks.partition_point(|block| block.first <= begin).saturating_sub(1);
            for block in file.blocks[from..].iter().take_while(|block| end.is_none_or(|end| block.first < end)) {
                keys.clear();
                file.read(block, bytes, keys)?;
                words.extend(keys.iter().filter(|&&key| key >= begin && end.is_none_or(|end| key < end)));
            }
        }
        watch.count(0)?;
        sort(words, spare, 0..key_bits);
        for file in &known {
            words.dedup();
            remove_keys(file, words, bytes, keys)?;
        }
        KeyWriter::write_all(&scratch.folder, scratch.name("keys", number), words)
    })?;
    Ok(merged.into_iter().filter(|file| file.keys > 0).collect())
}

/// Removes the keys of a file from ascending words.
fn remove_keys<W: Word>(
    file: &KeyFile<W>,
    words: &mut Vec<W>,
    bytes: &mut Vec<u8>,
    keys: &mut Vec<W>,
) -> Result<(), BuildError> {
    let (mut at, mut kept, mut block) = (0, 0, 0);
    while let Some(&word) = words.get(at) {
        // The block that has the word, if any block has.
        block += file.blocks[block..].partition_point(|block| block.first <= word).saturating_sub(1);
        let end = file.blocks.get(block + 1).map(|next| next.first);
        keys.clear();
        file.read(&file.blocks[block], bytes, keys)?;
        let mut known = keys.iter().copied().peekable();
        while let Some(&word) = words.get(at).filter(|&&word| end.is_none_or(|end| word < end)) {
            while known.next_if(|&key| key < word).is_some() {}
            if known.peek() != Some(&word) {
                words[kept] = word;
                kept += 1;
            }
            at += 1;
        }
    }
    words.truncate(kept);
    Ok(())
}
