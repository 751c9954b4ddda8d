//! The positions and codes of a layer in working files.

use std::fs::File;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::build::keyfile::{Block, KeyFile, MAX_BLOCK_KEYS};
use crate::build::output::LayerSource;
use crate::build::scratch::LayerFiles;
use crate::build::sort::Word;
use crate::error::BuildError;
use crate::files;
use crate::format::codes::{pack_codes, unpack_codes};
use crate::probe::table::Prober;

/// The bytes of a checksum.
const CHECKSUM_BYTES: u64 = 8;

/// A layer with a datum of each key, by default its code, read in blocks in ascending order of keys by many threads.
pub trait LayerReader<W: Word, C = u16>: Sync {
    /// Returns the block, at `from` or later, that has the key if any block has.
    fn block_of(&self, from: usize, key: W) -> usize;

    /// Appends the keys and codes of a block to the lists.
    fn read(
        &self,
        block: usize,
        buffers: &mut ReadBuffers,
        keys: &mut Vec<W>,
        codes: &mut Vec<C>,
    ) -> Result<(), BuildError>;
}

/// The buffers in which one thread reads blocks.
#[derive(Debug, Default)]
pub struct ReadBuffers {
    pub(crate) bytes: Vec<u8>,
    /// For blocks of a solution file, which are compressed.
    pub(crate) prober: Option<Prober>,
}

/// The keys of a layer, in ascending order, in blocks.
#[derive(Debug)]
pub struct LayerKeys<W> {
    files: Vec<KeyFile<W>>,
    /// For each block: its file, its number there, and its first key.
    blocks: Vec<(u32, u32, W)>,
    /// For each file: the number of keys in the files before it.
    starts: Vec<u64>,
    /// The number of positions.
    pub positions: u64,
    /// The bits that are set in all keys, and those that are set in any.
    bits: (u128, u128),
}

impl<W: Word> LayerKeys<W> {
    /// Opens the files of a layer.
    pub fn open(folder: &Path, finished: &LayerFiles) -> Result<Self, BuildError> {
        let (mut files, mut blocks, mut starts, mut positions) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let mut bits = (u128::MAX, 0);
        for (number, summary) in (0..).zip(&finished.keys) {
            let file = KeyFile::open(folder, summary)?;
            blocks.extend((0..).zip(&file.blocks).map(|(at, block)| (number, at, block.first)));
            files.push(file);
            starts.push(positions);
            positions += summary.keys;
            bits = (bits.0 & summary.all, bits.1 | summary.any);
        }
        Ok(Self { files, blocks, starts, positions, bits })
    }

    /// The number of blocks.
    pub const fn blocks(&self) -> usize {
        self.blocks.len()
    }

    fn block(&self, number: usize) -> (&KeyFile<W>, &Block<W>) {
        let (file, at, _) = self.blocks[number];
        let file = &self.files[file as usize];
        (file, &file.blocks[at as usize])
    }

    /// Returns the first key of a block; `None` if there is no such block.
    pub(crate) fn first(&self, number: usize) -> Option<W> {
        self.blocks.get(number).map(|&(_, _, first)| first)
    }

    /// Returns the rank of a block's first key in the layer, and the block's number of keys.
    pub fn range(&self, number: usize) -> (u64, usize) {
        let block = self.block(number).1;
        (self.starts[self.blocks[number].0 as usize] + block.start, block.count as usize)
    }

    /// Returns the block, at `from` or later, that has the key if any block has.
    pub fn block_of(&self, from: usize, key: W) -> usize {
        // Often the key is in this block or the next.
        let later = |number: usize| self.blocks.get(number).is_some_and(|&(_, _, first)| first <= key);
        if !later(from + 1) {
            return from;
        }
        from + self.blocks[from + 1..].partition_point(|&(_, _, first)| first <= key)
    }

    /// Returns the block that has the position of this rank.
    pub fn block_at(&self, rank: u64) -> usize {
        let (mut low, mut high) = (0, self.blocks());
        while low < high {
            let middle = low.midpoint(high);
            if self.range(middle).0 <= rank { low = middle + 1 } else { high = middle }
        }
        low.saturating_sub(1)
    }

    /// Appends the keys of a block to `keys`.
    pub fn keys(&self, number: usize, bytes: &mut Vec<u8>, keys: &mut Vec<W>) -> Result<(), BuildError> {
        let (file, block) = self.block(number);
        file.read(block, bytes, keys)
    }
}

/// The keys of a layer with their ranks.
impl<W: Word> LayerReader<W, u64> for LayerKeys<W> {
    fn block_of(&self, from: usize, key: W) -> usize {
        Self::block_of(self, from, key)
    }

    fn read(
        &self,
        block: usize,
        buffers: &mut ReadBuffers,
        keys: &mut Vec<W>,
        ranks: &mut Vec<u64>,
    ) -> Result<(), BuildError> {
        self.keys(block, &mut buffers.bytes, keys)?;
        let (first, count) = self.range(block);
        ranks.extend(first..first + count as u64);
        Ok(())
    }
}

/// A solved layer in working files.
#[derive(Debug)]
pub struct SolvedLayer<W> {
    /// Its keys.
    pub layer: LayerKeys<W>,
    /// Their codes.
    pub codes: LayerCodes,
}

impl<W: Word> SolvedLayer<W> {
    /// Opens the files of a layer whose codes have `width` bytes.
    pub fn open(folder: &Path, finished: &LayerFiles, width: usize) -> Result<Self, BuildError> {
        let codes = LayerCodes::open(folder, finished.codes.as_deref().unwrap_or_default(), width)?;
        Ok(Self { layer: LayerKeys::open(folder, finished)?, codes })
    }

    /// Appends the keys and codes of `count` positions, from the one of rank `from` on. `key`
    /// converts words to keys.
    pub fn read_positions(
        &self,
        from: u64,
        count: usize,
        key: impl Fn(W) -> u128,
        keys: &mut Vec<u128>,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError> {
        let (mut some_keys, mut some_codes, mut bytes) =
            (Vec::with_capacity(MAX_BLOCK_KEYS), Vec::with_capacity(MAX_BLOCK_KEYS), Vec::new());
        let Self { layer, codes: of_layer } = self;
        let mut block = layer.block_at(from);
        let mut skip = (from - layer.range(block).0) as usize;
        while keys.len() < count {
            some_keys.clear();
            some_codes.clear();
            layer.keys(block, &mut bytes, &mut some_keys)?;
            of_layer.read(block, layer.range(block), &mut bytes, &mut some_codes)?;
            let left = count - keys.len();
            keys.extend(some_keys.iter().skip(skip).take(left).map(|&word| key(word)));
            codes.extend(some_codes.iter().skip(skip).take(left));
            (skip, block) = (0, block + 1);
        }
        Ok(())
    }
}

impl<W: Word> LayerSource for SolvedLayer<W> {
    fn positions(&self) -> u64 {
        self.layer.positions
    }

    fn bits(&self) -> (u128, u128) {
        self.layer.bits
    }

    fn read(&self, from: u64, count: usize, keys: &mut Vec<u128>, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        self.read_positions(from, count, |key| key.as_(), keys, codes)
    }
}

impl<W: Word> LayerReader<W> for SolvedLayer<W> {
    fn block_of(&self, from: usize, key: W) -> usize {
        self.layer.block_of(from, key)
    }

    fn read(
        &self,
        block: usize,
        buffers: &mut ReadBuffers,
        keys: &mut Vec<W>,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError> {
        self.layer.keys(block, &mut buffers.bytes, keys)?;
        self.codes.read(block, self.layer.range(block), &mut buffers.bytes, codes)
    }
}

/// The codes of a layer, block by block, each block followed by a checksum.
#[derive(Debug)]
pub struct LayerCodes {
    path: PathBuf,
    file: File,
    width: usize,
}

impl LayerCodes {
    /// Creates a file for codes of `width` bytes.
    pub fn create(folder: &Path, name: &str, width: usize) -> Result<Self, BuildError> {
        let path = folder.join(name);
        let file =
            File::options().read(true).write(true).create_new(true).open(&path).map_err(BuildError::io(&path))?;
        Ok(Self { path, file, width })
    }

    /// Opens a finished file.
    pub fn open(folder: &Path, name: &str, width: usize) -> Result<Self, BuildError> {
        let path = folder.join(name);
        let file = File::open(&path).map_err(BuildError::io(&path))?;
        Ok(Self { path, file, width })
    }

    fn offset(&self, block: usize, start: u64) -> u64 {
        start * self.width as u64 + block as u64 * CHECKSUM_BYTES
    }

    /// Writes the codes of a block whose first position has rank `start`.
    pub fn write(&self, block: usize, start: u64, codes: &[u16], bytes: &mut Vec<u8>) -> Result<(), BuildError> {
        bytes.clear();
        pack_codes(codes, self.width, bytes);
        let check = xxh3_64_with_seed(bytes, block as u64);
        bytes.extend(check.to_le_bytes());
        files::write_at(&self.file, bytes, self.offset(block, start)).map_err(BuildError::io(&self.path))
    }

    /// Appends the codes of a block to `codes`.
    pub fn read(
        &self,
        block: usize,
        (start, count): (u64, usize),
        bytes: &mut Vec<u8>,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError> {
        bytes.resize(count * self.width + CHECKSUM_BYTES as usize, 0);
        let damaged = |_| BuildError::Damaged { path: self.path.clone() };
        files::read_at(&self.file, bytes, self.offset(block, start)).map_err(damaged)?;
        let (bytes, check) = bytes.split_at(count * self.width);
        if check != xxh3_64_with_seed(bytes, block as u64).to_le_bytes() {
            return Err(BuildError::Damaged { path: self.path.clone() });
        }
        unpack_codes(bytes, self.width, codes);
        Ok(())
    }
}
