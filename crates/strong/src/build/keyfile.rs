//! Working files of keys in ascending order without duplicates: sorted runs and layers.
//!
//! Blocks of at most [`MAX_BLOCK_KEYS`] keys: their number and the number of bytes of the differences (4
//! bytes each), the first key (16 bytes), a checksum (8 bytes, XXH3 of the rest of the block), then
//! the differences of the other keys from the ones before as variable-length integers.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::build::sort::Word;
use crate::error::BuildError;
use crate::files::{self, number};
use crate::format::blocks::{read_varint, write_varint};

/// The largest number of keys of a block.
pub const MAX_BLOCK_KEYS: usize = 4096;

const HEADER_BYTES: usize = 32;

/// The summary of a finished file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyFileSummary {
    /// Its name.
    pub name: String,
    /// The number of keys.
    pub keys: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The bits that are set in all keys, and those that are set in any.
    #[doc(hidden)]
    pub all: u128,
    #[doc(hidden)]
    pub any: u128,
}

/// A writer of ascending keys that drops duplicates.
#[derive(Debug)]
pub struct KeyWriter {
    path: PathBuf,
    out: BufWriter<File>,
    summary: KeyFileSummary,
    block: Vec<u8>,
    first: u128,
    last: u128,
    has_any: bool,
    in_block: u32,
}

impl KeyWriter {
    /// Creates a file.
    pub fn create(folder: &Path, name: String) -> Result<Self, BuildError> {
        let path = folder.join(&name);
        let file = File::create(&path).map_err(BuildError::io(&path))?;
        Ok(Self {
            out: BufWriter::with_capacity(1 << 18, file),
            path,
            summary: KeyFileSummary { name, keys: 0, bytes: 0, all: u128::MAX, any: 0 },
            block: Vec::new(),
            first: 0,
            last: 0,
            has_any: false,
            in_block: 0,
        })
    }

    /// Writes a file of keys, which are in ascending order.
    pub fn write_all<W: Word>(folder: &Path, name: String, sorted: &[W]) -> Result<KeyFileSummary, BuildError> {
        let mut file = Self::create(folder, name)?;
        file.write(sorted)?;
        file.finish()
    }

    /// Writes keys, in ascending order.
    pub fn write<W: Word>(&mut self, sorted: &[W]) -> Result<(), BuildError> {
        for &word in sorted {
            let key: u128 = word.as_();
            if key == self.last && self.has_any {
                continue;
            }
            if self.in_block == 0 {
                self.first = key;
            } else {
                write_varint(&mut self.block, key - self.last);
            }
            self.in_block += 1;
            self.has_any = true;
            self.summary.all &= key;
            self.summary.any |= key;
            self.last = key;
            if self.in_block as usize == MAX_BLOCK_KEYS {
                self.end_block()?;
            }
        }
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), BuildError> {
        let mut header = [0; HEADER_BYTES];
        header[..4].copy_from_slice(&self.in_block.to_le_bytes());
        header[4..8].copy_from_slice(&(self.block.len() as u32).to_le_bytes());
        header[8..24].copy_from_slice(&self.first.to_le_bytes());
        let checksum = checksum(&header[..24], &self.block);
        header[24..].copy_from_slice(&checksum.to_le_bytes());
        self.out
            .write_all(&header)
            .and_then(|()| self.out.write_all(&self.block))
            .map_err(BuildError::io(&self.path))?;
        self.summary.keys += u64::from(self.in_block);
        self.summary.bytes += (HEADER_BYTES + self.block.len()) as u64;
        self.block.clear();
        self.in_block = 0;
        Ok(())
    }

    /// Writes the last block. The file is synced when the [scratch](crate::parts::Scratch) is
    /// committed.
    pub fn finish(mut self) -> Result<KeyFileSummary, BuildError> {
        if self.in_block > 0 {
            self.end_block()?;
        }
        let Self { path, out, summary, .. } = self;
        out.into_inner().map_err(|e| BuildError::io(&path)(e.into_error()))?;
        Ok(summary)
    }
}

fn checksum(header: &[u8], block: &[u8]) -> u64 {
    xxh3_64(header).rotate_left(1) ^ xxh3_64(block)
}

/// A block of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<W> {
    pub(crate) first: W,
    /// The number of keys in the blocks before it.
    pub(crate) start: u64,
    pub(crate) count: u32,
    at: u64,
    bytes: u32,
}

/// A finished file, which threads may share.
#[derive(Debug)]
pub(crate) struct KeyFile<W> {
    path: PathBuf,
    file: File,
    pub(crate) blocks: Vec<Block<W>>,
}

impl<W: Word> KeyFile<W> {
    pub(crate) fn open(folder: &Path, summary: &KeyFileSummary) -> Result<Self, BuildError> {
        let path = folder.join(&summary.name);
        let damaged = || BuildError::Damaged { path: path.clone() };
        let file = match File::open(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(damaged()),
            other => other.map_err(BuildError::io(&path))?,
        };
        if file.metadata().map_err(BuildError::io(&path))?.len() != summary.bytes {
            return Err(damaged());
        }
        let (mut at, mut start) = (0, 0);
        let mut blocks = Vec::new();
        while at < summary.bytes {
            let mut header = [0; HEADER_BYTES];
            files::read_at(&file, &mut header, at).map_err(|_| damaged())?;
            let (count, bytes) = (number(&header[..4]) as u32, number(&header[4..8]) as u32);
            let first = number(&header[8..24]);
            if count == 0 || count as usize > MAX_BLOCK_KEYS || bytes as usize > 19 * MAX_BLOCK_KEYS {
                return Err(damaged());
            }
            blocks.push(Block { first: W::from_key(first), start, count, at, bytes });
            start += u64::from(count);
            at += HEADER_BYTES as u64 + u64::from(bytes);
        }
        if start != summary.keys {
            return Err(damaged());
        }
        Ok(Self { path, file, blocks })
    }

    /// Appends the keys of a block to `keys`.
    pub(crate) fn read(&self, block: &Block<W>, bytes: &mut Vec<u8>, keys: &mut Vec<W>) -> Result<(), BuildError> {
        let damaged = || BuildError::Damaged { path: self.path.clone() };
        bytes.resize(HEADER_BYTES + block.bytes as usize, 0);
        files::read_at(&self.file, bytes, block.at).map_err(BuildError::io(&self.path))?;
        let (header, mut rest) = bytes.split_at(HEADER_BYTES);
        if header[24..] != checksum(&header[..24], rest).to_le_bytes() {
            return Err(damaged());
        }
        let mut key = block.first;
        keys.push(key);
        for _ in 1..block.count {
            let step = read_varint(&mut rest).ok_or_else(damaged)?;
            key = key + W::from_key(step);
            keys.push(key);
        }
        Ok(())
    }
}
