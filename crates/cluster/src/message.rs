//! Messages between workers.

use balpan_strong::parts::{Word, read_varint, write_varint};
use serde::{Deserialize, Serialize};

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
