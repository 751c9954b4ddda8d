//! Writing a strong solution without its keys.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use balpan::{Budget, Watch};

use crate::build::forward::{map_on_threads, run_on_threads};
use crate::build::output::PendingFile;
use crate::build::output::SolutionWriter;
use crate::error::BuildError;
use crate::format::header::{Form, Header, LayerHeader};
use crate::format::prefix::{PrefixCode, lengths};
use crate::format::ribbon::{Equation, solve};
use crate::probe::table::{Prober, Table, TableError};
use crate::probe::values::block_of_key;

/// Why the values of a file were not exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The new file cannot be written, or the work was stopped.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The file with the keys is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file is a book, or one of nimbers, which leaves out parts of trivial nimber.
    #[error("the file lacks positions that play reaches; without keys, it would not be known which")]
    Incomplete,
}

/// The number of blocks in the unit of work of a thread.
const BLOCKS_PER_TASK: u64 = 64;

/// Writes the values of a file without its keys, for [`Values`](crate::Values) to read. Returns the
/// header of the new file, which gets its name once it is complete and synced; its bytes are the
/// same whatever the memory and the threads.
///
/// The watch counts the positions written.
///
/// Cost: the file is read once, layers whose keys do not fit in memory more often; then a
/// microsecond or two for each position. Memory: 32 bytes for each position of the largest layer,
/// or the budget's if that is less, and some MiB for each thread.
///
/// # Errors
/// If the file lacks positions that play reaches, if it is damaged, or if the new one cannot be
/// written.
pub fn export_values<B: AsRef<[u8]> + Sync>(
    table: &Table<B>,
    output: &Path,
    budget: Budget,
    watch: &Watch,
) -> Result<Header, ExportError> {
    let header = table.header();
    let Header { subject, layers, .. } = header;
    if !subject.is_complete() {
        return Err(ExportError::Incomplete);
    }
    let part = PendingFile::open(output)?;
    let writer = SolutionWriter::create(part, Form::Values, subject.clone(), 0, header.scale(), budget.threads, watch)?;
    let mut writer = writer.with_may_repeat(header.may_repeat);
    for at in 0..layers.len() {
        LayerExport { table, at, budget, watch }.write(&mut writer)?;
    }
    Ok(writer.finish()?)
}

/// A layer to export: its index in the header is `at`.
struct LayerExport<'e, B> {
    table: &'e Table<B>,
    at: usize,
    budget: Budget,
    watch: &'e Watch,
}

/// A position, and the block that it belongs to. Sorted, they are in order of blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct BlockPosition {
    block: u64,
    key: u128,
    code: u16,
}

/// The positions and code counts that a pass over a layer collects.
#[derive(Default)]
struct PassResult {
    positions: Vec<BlockPosition>,
    counts: BTreeMap<u16, u64>,
}

impl<B: AsRef<[u8]> + Sync> LayerExport<'_, B> {
    const fn header(&self) -> &Header {
        self.table.header()
    }

    fn write(&self, writer: &mut SolutionWriter<'_>) -> Result<(), ExportError> {
        let layer = &self.header().layers[self.at];
        let counts: Vec<u64> = layer.counts.iter().map(|&(_, count)| count).collect();
        let layer_header = LayerHeader {
            first_block: writer.block_count(),
            lengths: Some(lengths(&counts)),
            same_bits: 0,
            same: "0".to_owned(),
            keys_dictionary: None,
            codes_dictionary: None,
            ..layer.clone()
        };
        let inconsistent = TableError::Inconsistent("the codes of a layer are not those that the header counts");
        let code = layer_header.lengths.as_deref().and_then(PrefixCode::new).ok_or_else(|| inconsistent.clone())?;
        let codes = layer.counts.iter().map(|&(code, _)| code);
        let codewords: BTreeMap<u16, (u64, u8)> = codes.zip(code.codewords()).collect();
        let blocks = layer_header.blocks(Form::Values.block() as u32);
        let at_once = (self.budget.memory / (size_of::<BlockPosition>() * Form::Values.block())).max(1) as u64;
        let mut begin = 0;
        loop {
            let end = blocks.min(begin + at_once);
            let PassResult { mut positions, counts } = self.collect(begin..end, blocks)?;
            if !counts.into_iter().eq(layer.counts.iter().copied()) {
                return Err(inconsistent.into());
            }
            positions.sort_unstable();
            for block in self.encode_blocks(begin..end, &positions, &codewords)? {
                writer.write_block(0, &block)?;
            }
            begin = end;
            if begin == blocks {
                break;
            }
        }
        writer.push_layer(layer_header);
        Ok(())
    }

    /// Collects the positions of some of the new file's `blocks` blocks of the layer, and counts
    /// the codes of all.
    fn collect(&self, range: Range<u64>, blocks: u64) -> Result<PassResult, ExportError> {
        let header = self.header();
        let layer = &header.layers[self.at];
        let block_count = layer.blocks(header.block);
        let mut sum = PassResult::default();
        // Memory is reserved once: a growing list takes up to three times as much.
        sum.positions.reserve(self.expected(&range, blocks));
        let (next, threads) = (AtomicU64::new(0), self.budget.threads.max(1));
        for _ in 0..block_count.div_ceil(BLOCKS_PER_TASK * threads as u64) {
            let results = run_on_threads(threads, || -> Result<_, ExportError> {
                let mut found = PassResult::default();
                let (mut prober, mut keys, mut codes) = (Prober::new()?, Vec::new(), Vec::new());
                let begin = next.fetch_add(BLOCKS_PER_TASK, Relaxed);
                for within in begin..block_count.min(begin + BLOCKS_PER_TASK) {
                    self.watch.count(0).map_err(BuildError::from)?;
                    prober.read_block(self.table, self.at, within, &mut keys, &mut codes)?;
                    for (&key, &code) in keys.iter().zip(&codes) {
                        *found.counts.entry(code).or_insert(0) += 1;
                        let block = block_of_key(key, blocks);
                        if range.contains(&block) {
                            found.positions.push(BlockPosition { block, key, code });
                        }
                    }
                }
                Ok(found)
            })?;
            for found in results {
                sum.positions.extend(found.positions);
                found.counts.into_iter().for_each(|(code, count)| *sum.counts.entry(code).or_insert(0) += count);
            }
        }
        Ok(sum)
    }

    /// Estimates the number of positions of some of `blocks` blocks.
    fn expected(&self, range: &Range<u64>, blocks: u64) -> usize {
        let header = self.header();
        let layer = &header.layers[self.at];
        // The header may be wrong: there are no more positions than the bytes of the file can hold.
        let each = layer.positions / blocks.max(1) + 1;
        let all = (range.end - range.start).saturating_mul(each);
        let max_positions = self.table.bytes().saturating_mul(64);
        (all + all / 64).min(max_positions) as usize
    }

    /// Encodes some blocks from their positions.
    fn encode_blocks(
        &self,
        range: Range<u64>,
        positions: &[BlockPosition],
        codewords: &BTreeMap<u16, (u64, u8)>,
    ) -> Result<Vec<Vec<u8>>, ExportError> {
        let count = (range.end - range.start) as usize;
        map_on_threads(
            self.budget.threads.max(1),
            count,
            || Ok(Vec::new()),
            |equations, index| {
                let block = range.start + index as u64;
                let begin = positions.partition_point(|position| position.block < block);
                let count = positions[begin..].partition_point(|position| position.block == block);
                equations.clear();
                for &BlockPosition { key, code, .. } in &positions[begin..begin + count] {
                    let &(word, length) = codewords.get(&code).ok_or(TableError::Inconsistent("a code"))?;
                    let bit = |number| word >> (length - 1 - number) & 1 == 1;
                    equations.extend((0..length).map(|number| Equation { key, number, bit: bit(number) }));
                }
                let solution = solve(equations).ok_or(TableError::Inconsistent("a position is there twice"))?;
                self.watch.count(count as u64).map_err(BuildError::from)?;
                Ok(solution)
            },
        )
    }
}
