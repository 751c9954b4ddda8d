//! Writing a strong solution without its keys.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use balpan::Watch;

use crate::error::BuildError;
use crate::format::{Form, Header, LayerHeader};
use crate::forwards::all_work;
use crate::part::Part;
use crate::prefix::{PrefixCode, lengths};
use crate::ribbon::{Equation, solved};
use crate::table::{Table, TableError};
use crate::values::block_of;
use crate::verify::Spend;
use crate::write::Writer;

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
const AT_ONCE: u64 = 64;

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
    spend: Spend,
    watch: &Watch,
) -> Result<Header, ExportError> {
    let Header { of, most, layers, .. } = table.header();
    if !of.is_complete() {
        return Err(ExportError::Incomplete);
    }
    let part = Part::open(output)?;
    let mut writer = Writer::create(part, Form::Values, of.clone(), 0, *most, spend.threads, watch)?;
    for at in 0..layers.len() {
        Layer { table, at, spend, watch }.write(&mut writer)?;
    }
    Ok(writer.finish()?)
}

/// A layer to export: its index in the header is `at`.
struct Layer<'e, B> {
    table: &'e Table<B>,
    at: usize,
    spend: Spend,
    watch: &'e Watch,
}

/// A position, and the block that it belongs to. Sorted, they are in order of blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Placed {
    block: u64,
    key: u128,
    code: u16,
}

/// The positions and code counts that a pass over a layer collects.
#[derive(Default)]
struct Found {
    placed: Vec<Placed>,
    counts: BTreeMap<u16, u64>,
}

impl<B: AsRef<[u8]> + Sync> Layer<'_, B> {
    const fn header(&self) -> &Header {
        self.table.header()
    }

    fn write(&self, writer: &mut Writer<'_>) -> Result<(), ExportError> {
        let layer = &self.header().layers[self.at];
        let counts: Vec<u64> = layer.counts.iter().map(|&(_, count)| count).collect();
        let said = LayerHeader {
            first_block: writer.blocks(),
            lengths: Some(lengths(&counts)),
            same_bits: 0,
            same: "0".to_owned(),
            keys_dictionary: None,
            codes_dictionary: None,
            ..layer.clone()
        };
        let lying = TableError::Senseless("the codes of a layer are not those that the header counts");
        let code = said.lengths.as_deref().and_then(PrefixCode::new).ok_or_else(|| lying.clone())?;
        let codes = layer.counts.iter().map(|&(code, _)| code);
        let codewords: BTreeMap<u16, (u64, u8)> = codes.zip(code.codewords()).collect();
        let blocks = said.blocks(Form::Values.block() as u32);
        let at_once = (self.spend.memory / (size_of::<Placed>() * Form::Values.block())).max(1) as u64;
        let mut begin = 0;
        loop {
            let end = blocks.min(begin + at_once);
            let Found { mut placed, counts } = self.found(begin..end, blocks)?;
            if !counts.into_iter().eq(layer.counts.iter().copied()) {
                return Err(lying.into());
            }
            placed.sort_unstable();
            for block in self.solved(begin..end, &placed, &codewords)? {
                writer.block(0, &block)?;
            }
            begin = end;
            if begin == blocks {
                break;
            }
        }
        writer.add(said);
        Ok(())
    }

    /// Collects the positions of some of the new file's `blocks` blocks of the layer, and counts
    /// the codes of all.
    fn found(&self, wanted: Range<u64>, blocks: u64) -> Result<Found, ExportError> {
        let header = self.header();
        let layer = &header.layers[self.at];
        let there = layer.blocks(header.block);
        let mut sum = Found::default();
        // Memory is reserved once: a growing list takes up to three times as much.
        sum.placed.reserve(self.expected(&wanted, blocks));
        let (next, threads) = (AtomicU64::new(0), self.spend.threads.max(1));
        for _ in 0..there.div_ceil(AT_ONCE * threads as u64) {
            let made = all(threads, || {
                let mut found = Found::default();
                let (mut lookup, mut keys, mut codes) = (self.table.lookup()?, Vec::new(), Vec::new());
                let begin = next.fetch_add(AT_ONCE, Relaxed);
                for within in begin..there.min(begin + AT_ONCE) {
                    self.watch.count(0).map_err(BuildError::from)?;
                    lookup.block(self.at, within, &mut keys, &mut codes)?;
                    for (&key, &code) in keys.iter().zip(&codes) {
                        *found.counts.entry(code).or_insert(0) += 1;
                        let block = block_of(key, blocks);
                        if wanted.contains(&block) {
                            found.placed.push(Placed { block, key, code });
                        }
                    }
                }
                Ok(found)
            })?;
            for found in made {
                sum.placed.extend(found.placed);
                found.counts.into_iter().for_each(|(code, count)| *sum.counts.entry(code).or_insert(0) += count);
            }
        }
        Ok(sum)
    }

    /// Estimates the number of positions of some of `blocks` blocks.
    fn expected(&self, wanted: &Range<u64>, blocks: u64) -> usize {
        let header = self.header();
        let layer = &header.layers[self.at];
        // The header may be wrong: there are no more positions than the bytes of the file can hold.
        let each = layer.positions / blocks.max(1) + 1;
        let all = (wanted.end - wanted.start).saturating_mul(each);
        let most = self.table.bytes().saturating_mul(64);
        (all + all / 64).min(most) as usize
    }

    /// Encodes some blocks from their positions.
    fn solved(
        &self,
        wanted: Range<u64>,
        placed: &[Placed],
        codewords: &BTreeMap<u16, (u64, u8)>,
    ) -> Result<Vec<Vec<u8>>, ExportError> {
        let next = AtomicU64::new(wanted.start);
        let made = all(self.spend.threads.max(1), || {
            let (mut made, mut equations) = (Vec::new(), Vec::new());
            loop {
                let block = next.fetch_add(1, Relaxed);
                if block >= wanted.end {
                    return Ok(made);
                }
                let begin = placed.partition_point(|position| position.block < block);
                let count = placed[begin..].partition_point(|position| position.block == block);
                equations.clear();
                for &Placed { key, code, .. } in &placed[begin..begin + count] {
                    let &(word, length) = codewords.get(&code).ok_or(TableError::Senseless("a code"))?;
                    let bit = |number| word >> (length - 1 - number) & 1 == 1;
                    equations.extend((0..length).map(|number| Equation { key, number, bit: bit(number) }));
                }
                let twice = TableError::Senseless("a position is there twice");
                made.push((block, solved(&equations).ok_or(twice)?));
                self.watch.count(count as u64).map_err(BuildError::from)?;
            }
        })?;
        let mut made: Vec<_> = made.into_iter().flatten().collect();
        made.sort_unstable_by_key(|&(block, _)| block);
        Ok(made.into_iter().map(|(_, bytes)| bytes).collect())
    }
}

/// Runs the same work on `threads` threads and returns their results.
fn all<T: Send>(threads: usize, work: impl Fn() -> Result<T, ExportError> + Sync) -> Result<Vec<T>, ExportError> {
    all_work(threads, || Ok(work()))?.into_iter().collect()
}
