//! Messages between workers.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use balpan_strong::BuildError;
use balpan_strong::parts::{Word, read_varint, write_varint};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The largest number of words or codes of a message.
pub(crate) const MAX_ITEMS: usize = 1 << 16;

/// Words of a layer in ascending order without duplicates, or the codes of such words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Message {
    /// The receiving worker.
    pub(crate) to: u32,
    /// The sending worker.
    pub(crate) from: u32,
    /// The batch of positions whose moves lead to the words.
    pub(crate) batch: u32,
    /// The layer of the words.
    pub(crate) layer: u32,
    /// The number of words or codes.
    pub(crate) count: u32,
    #[serde(with = "byte_array")]
    pub(crate) bytes: Vec<u8>,
}

/// The acknowledgement of a message: its sender may send as many bytes again.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Ack {
    pub(crate) to: u32,
    pub(crate) from: u32,
    pub(crate) bytes: u64,
}

/// An encoder of ascending words: the first, and the differences of the others from the ones
/// before. Duplicates are left out.
#[derive(Default)]
pub(crate) struct Packer {
    bytes: Vec<u8>,
    count: u32,
    last: u128,
}

impl Packer {
    /// Adds a word, unless it equals the last.
    #[inline]
    pub(crate) fn add<W: Word>(&mut self, word: W) {
        let word: u128 = word.as_();
        if self.count > 0 && word == self.last {
            return;
        }
        write_varint(&mut self.bytes, word - if self.count > 0 { self.last } else { 0 });
        self.last = word;
        self.count += 1;
    }

    /// Whether a message has no room for more words.
    pub(crate) const fn is_full(&self) -> bool {
        self.count as usize >= MAX_ITEMS
    }

    /// Takes the words out: their number, and their bytes.
    pub(crate) fn take(&mut self) -> (u32, Vec<u8>) {
        (std::mem::take(&mut self.count), std::mem::take(&mut self.bytes))
    }

    /// Whether there are no words.
    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Appends the words that a [`Packer`] encoded; `None` if the bytes hold another number of words.
pub(crate) fn unpack<W: Word>(count: u32, mut bytes: &[u8], words: &mut Vec<W>) -> Option<()> {
    let mut word = 0_u128;
    for _ in 0..count {
        word = word.checked_add(read_varint(&mut bytes)?)?;
        words.push(W::from_key(word));
    }
    bytes.is_empty().then_some(())
}

/// Serializes bytes as serde's byte arrays, which are copied as a whole.
mod byte_array {
    use std::fmt;

    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }

            fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
                Ok(bytes)
            }
        }
        from.deserialize_byte_buf(Bytes)
    }
}

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn words_are_packed_and_unpacked() {
        let mut packer = Packer::default();
        let words = [0_u64, 0, 1, 7, 7, 300, u64::MAX, u64::MAX];
        words.iter().for_each(|&word| packer.add(word));
        let (count, bytes) = packer.take();
        let mut found: Vec<u64> = Vec::new();
        unpack(count, &bytes, &mut found).unwrap();
        assert_eq!(found, [0, 1, 7, 300, u64::MAX]);
        assert_eq!(unpack(count + 1, &bytes, &mut found), None);
        assert_eq!(unpack(count - 1, &bytes, &mut found), None);
        assert_eq!(packer.take(), (0, Vec::new()));
    }
}
