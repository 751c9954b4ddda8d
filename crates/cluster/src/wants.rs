//! The requests of other workers in a working file: the messages of words that they sent, which are
//! answered with the words' codes in the backward pass.
//!
//! Each message: its sender, the batch, the layer, the number of words and that of bytes (4 bytes
//! each, little-endian), XXH3 of these 20 bytes and what follows, and the bytes.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use balpan_strong::BuildError;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::message::Message;

const HEADER_BYTES: usize = 28;

fn checksum(header: &[u8], bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, xxh3_64(header))
}

pub(crate) struct RequestWriter {
    path: PathBuf,
    out: BufWriter<File>,
}

impl RequestWriter {
    pub(crate) fn create(path: PathBuf) -> Result<Self, BuildError> {
        let file = File::create(&path).map_err(BuildError::io(&path))?;
        Ok(Self { path, out: BufWriter::with_capacity(1 << 18, file) })
    }

    pub(crate) fn write(&mut self, message: &Message) -> Result<(), BuildError> {
        let Message { from, batch, layer, count, bytes, .. } = message;
        let mut header = [0; HEADER_BYTES];
        for (place, number) in [*from, *batch, *layer, *count, bytes.len() as u32].into_iter().enumerate() {
            header[4 * place..4 * place + 4].copy_from_slice(&number.to_le_bytes());
        }
        let check = checksum(&header[..20], bytes);
        header[20..].copy_from_slice(&check.to_le_bytes());
        let written = self.out.write_all(&header).and_then(|()| self.out.write_all(bytes));
        written.map_err(BuildError::io(&self.path))
    }

    pub(crate) fn finish(self) -> Result<(), BuildError> {
        let Self { path, out } = self;
        out.into_inner().map(drop).map_err(|e| BuildError::io(&path)(e.into_error()))
    }
}

/// The place of a message in the file.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: u64,
    bytes: usize,
}

/// A reader of the file: takes the messages of each worker in the order in which they came.
pub(crate) struct RequestFile {
    path: PathBuf,
    file: File,
    remaining: Vec<VecDeque<Entry>>,
}

impl RequestFile {
    pub(crate) fn open(path: &Path, workers: usize) -> Result<Self, BuildError> {
        let damaged = |e: io::Error| match e.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::NotFound => BuildError::Damaged { path: path.into() },
            _ => BuildError::io(path)(e),
        };
        let file = File::open(path).map_err(damaged)?;
        let end = file.metadata().map_err(damaged)?.len();
        let mut reader = BufReader::new(&file);
        let mut remaining = vec![VecDeque::new(); workers];
        let mut at = 0;
        while at < end {
            let mut header = [0; HEADER_BYTES];
            reader.read_exact(&mut header).map_err(damaged)?;
            let [from, .., bytes] = numbers(&header);
            let of = remaining.get_mut(from as usize).ok_or_else(|| BuildError::Damaged { path: path.into() })?;
            of.push_back(Entry { at, bytes: bytes as usize });
            at += (HEADER_BYTES as u64) + u64::from(bytes);
            reader.seek_relative(bytes.into()).map_err(damaged)?;
        }
        Ok(Self { path: path.into(), remaining, file })
    }

    /// Whether messages of this worker are left.
    pub(crate) fn has_more(&self, from: usize) -> bool {
        !self.remaining[from].is_empty()
    }

    /// Takes the next message of a worker.
    pub(crate) fn next(&mut self, from: usize) -> Result<Option<Message>, BuildError> {
        let Some(Entry { at, bytes }) = self.remaining[from].pop_front() else { return Ok(None) };
        let damaged = || BuildError::Damaged { path: self.path.clone() };
        let mut header = [0; HEADER_BYTES];
        let mut text = vec![0; bytes];
        let mut read = || {
            self.file.seek(SeekFrom::Start(at))?;
            self.file.read_exact(&mut header)?;
            self.file.read_exact(&mut text)
        };
        read().map_err(|_| damaged())?;
        if header[20..] != checksum(&header[..20], &text).to_le_bytes() {
            return Err(damaged());
        }
        let [from, batch, layer, count, _] = numbers(&header);
        Ok(Some(Message { to: from, from, batch, layer, count, bytes: text }))
    }
}

/// Decodes the numbers of a header.
fn numbers(header: &[u8; HEADER_BYTES]) -> [u32; 5] {
    std::array::from_fn(|place| {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&header[4 * place..4 * place + 4]);
        u32::from_le_bytes(bytes)
    })
}
