//! Blocks of the file: positions in ascending order of their keys, with their codes.
//!
//! ```text
//! bytes  what
//! 1      1 if the keys are compressed, plus 2 if the codes are
//! 2      the number of bytes of the keys, n
//! n      keys: each less the one before, less 1, as a number of 7 bits a byte
//! ...    codes: their low bytes, then their high ones if codes have two
//! ```

use zstd::bulk::Compressor;
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::{CParameter, DCtx, DParameter, FrameFormat};

use crate::format::codes::pack_codes;

/// Encodes ascending keys but for the first.
pub(crate) fn encode_keys(keys: &[u128]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(keys.len());
    for pair in keys.windows(2) {
        write_varint(&mut bytes, pair[1] - pair[0] - 1);
    }
    bytes
}

/// Encodes codes of `width` bytes.
pub(crate) fn encode_codes(codes: &[u16], width: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(codes.len() * width);
    pack_codes(codes, width, &mut bytes);
    bytes
}

/// Assembles a block from encoded keys and codes, each compressed if that makes it shorter.
pub(crate) fn encode_block(keys: &[u8], codes: &[u8], by: &mut [BlockCompressor<'_>; 2]) -> std::io::Result<Vec<u8>> {
    let [of_keys, of_codes] = by;
    let compressed = [of_keys.compress(keys)?, of_codes.compress(codes)?];
    let flags = u8::from(compressed[0].is_some()) | u8::from(compressed[1].is_some()) << 1;
    let keys = compressed[0].as_deref().unwrap_or(keys);
    let codes = compressed[1].as_deref().unwrap_or(codes);
    let mut block = vec![flags];
    block.extend((keys.len() as u16).to_le_bytes());
    block.extend(keys);
    block.extend(codes);
    Ok(block)
}

/// The sections of a block: keys and codes, each with whether it is compressed.
pub(crate) struct BlockSections<'b> {
    keys: (&'b [u8], bool),
    codes: (&'b [u8], bool),
}

impl<'b> BlockSections<'b> {
    pub(crate) fn new(block: &'b [u8]) -> Option<Self> {
        let (header, rest) = block.split_at_checked(3)?;
        let length = usize::from(u16::from_le_bytes([header[1], header[2]]));
        let (keys, codes) = rest.split_at_checked(length).filter(|_| header[0] < 4)?;
        Some(Self { keys: (keys, header[0] & 1 != 0), codes: (codes, header[0] & 2 != 0) })
    }

    /// Returns the encoded keys, decompressed into `out` if need be.
    pub(crate) fn keys<'o>(
        &self,
        decompressor: &mut BlockDecompressor,
        dictionary: Option<&DecoderDictionary<'static>>,
        count: usize,
        out: &'o mut Vec<u8>,
    ) -> Option<&'o [u8]>
    where
        'b: 'o,
    {
        decompress_section(self.keys, decompressor, dictionary, 19 * count, out)
    }

    /// Returns the encoded codes, decompressed into `out` if need be; `None` unless there are
    /// `bytes` of them.
    pub(crate) fn codes<'o>(
        &self,
        decompressor: &mut BlockDecompressor,
        dictionary: Option<&DecoderDictionary<'static>>,
        bytes: usize,
        out: &'o mut Vec<u8>,
    ) -> Option<&'o [u8]>
    where
        'b: 'o,
    {
        decompress_section(self.codes, decompressor, dictionary, bytes, out).filter(|found| found.len() == bytes)
    }
}

fn decompress_section<'o>(
    (bytes, is_compressed): (&'o [u8], bool),
    decompressor: &mut BlockDecompressor,
    dictionary: Option<&DecoderDictionary<'static>>,
    max_bytes: usize,
    out: &'o mut Vec<u8>,
) -> Option<&'o [u8]> {
    if !is_compressed {
        return Some(bytes);
    }
    decompressor.decompress(bytes, dictionary, max_bytes, out).ok()?;
    Some(out)
}

/// Decodes `count` keys, given the first.
pub(crate) fn decode_keys(first: u128, count: usize, mut bytes: &[u8], keys: &mut Vec<u128>) -> Option<()> {
    let mut key = first;
    keys.push(key);
    for _ in 1..count {
        key = key.checked_add(read_varint(&mut bytes)?)?.checked_add(1)?;
        keys.push(key);
    }
    bytes.is_empty().then_some(())
}

/// Returns the index of the key that is `above` the first by this number; `Some(None)` if it is not
/// in the block, `None` if the bytes are damaged.
pub(crate) fn find_key(mut above: u128, count: usize, mut bytes: &[u8]) -> Option<Option<usize>> {
    if above == 0 {
        return Some(Some(0));
    }
    let mut place = 1;
    while place < count {
        // Several steps are taken at once where all end below the key.
        if let Some(some) = bytes.first_chunk().and_then(|bytes| Steps::decode(u64::from_le_bytes(*bytes)))
            && place + some.count <= count
            && u128::from(some.sum) < above
        {
            (above, place) = (above - u128::from(some.sum), place + some.count);
            bytes = &bytes[some.bytes..];
            continue;
        }
        let step = read_varint(&mut bytes)?.checked_add(1)?;
        match above.checked_sub(step) {
            None => return Some(None),
            Some(0) => return Some(Some(place)),
            Some(less) => above = less,
        }
        place += 1;
    }
    Some(None)
}

/// Consecutive steps from key to key.
struct Steps {
    count: usize,
    bytes: usize,
    sum: u64,
}

impl Steps {
    const LOW_SEVEN: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    /// Decodes the steps in eight bytes. The last byte is left out if a step begins and does not
    /// end there. `None` if a step has more than two bytes.
    #[inline]
    const fn decode(eight: u64) -> Option<Self> {
        let goes_on = eight & !Self::LOW_SEVEN;
        let bytes = 8 - (goes_on >> 63) as usize;
        // The byte after one with a continuation bit is the high digit of a step, and must not
        // continue itself.
        let high = goes_on << 8;
        if goes_on & high != 0 {
            return None;
        }
        let all = u64::MAX >> (64 - 8 * bytes);
        let is_high = (high >> 7) * 0xff;
        let digits = eight & Self::LOW_SEVEN & all;
        let count = bytes - (goes_on & all).count_ones() as usize;
        let sum = sum_of_bytes(digits & !is_high) + (sum_of_bytes(digits & is_high) << 7) + count as u64;
        Some(Self { count, bytes, sum })
    }
}

/// The sum of eight bytes, none of them above 127.
#[inline]
const fn sum_of_bytes(bytes: u64) -> u64 {
    let pairs = (bytes & 0x00ff_00ff_00ff_00ff) + (bytes >> 8 & 0x00ff_00ff_00ff_00ff);
    pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48
}

/// Returns the code at an index.
pub(crate) fn code_at(bytes: &[u8], width: usize, place: usize) -> Option<u16> {
    let low = u16::from(*bytes.get(place)?);
    match width {
        1 => Some(low),
        _ => Some(u16::from(*bytes.get(bytes.len() / 2 + place)?) << 8 | low),
    }
}

/// The compression level: higher ones gain less than a hundredth here, at several times the time.
const LEVEL: i32 = 9;

/// Compresses bytes.
pub(crate) struct BlockCompressor<'d>(Compressor<'d>);

/// Compressed bytes that are damaged, or too long once decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecompressError;

impl<'d> BlockCompressor<'d> {
    pub(crate) fn new(dictionary: Option<&'d EncoderDictionary<'static>>) -> std::io::Result<Self> {
        let mut compressor = match dictionary {
            Some(dictionary) => Compressor::with_prepared_dictionary(dictionary)?,
            None => Compressor::new(LEVEL)?,
        };
        // The frame's fields are known from elsewhere, and blocks are small: each byte counts.
        compressor.set_parameter(CParameter::Format(FrameFormat::Magicless))?;
        compressor.include_checksum(false)?;
        compressor.include_contentsize(false)?;
        compressor.include_dictid(false)?;
        Ok(Self(compressor))
    }

    /// Compresses bytes; `None` if that does not make them shorter.
    pub(crate) fn compress(&mut self, bytes: &[u8]) -> std::io::Result<Option<Vec<u8>>> {
        let compressed = self.0.compress(bytes)?;
        Ok((compressed.len() < bytes.len()).then_some(compressed))
    }
}

/// Decompresses bytes.
pub(crate) struct BlockDecompressor(DCtx<'static>);

impl BlockDecompressor {
    pub(crate) fn new() -> Result<Self, DecompressError> {
        let mut context = DCtx::try_create().ok_or(DecompressError)?;
        context.set_parameter(DParameter::Format(FrameFormat::Magicless)).map_err(|_| DecompressError)?;
        Ok(Self(context))
    }

    /// Decompresses `bytes` into `out`; fails if that takes more than `max_bytes`.
    pub(crate) fn decompress(
        &mut self,
        bytes: &[u8],
        dictionary: Option<&DecoderDictionary<'static>>,
        max_bytes: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), DecompressError> {
        out.clear();
        out.reserve(max_bytes);
        let done = match dictionary {
            Some(dictionary) => self.0.decompress_using_ddict(out, bytes, dictionary.as_ddict()),
            None => self.0.decompress(out, bytes),
        };
        done.map(|_| ()).map_err(|_| DecompressError)
    }
}

/// Trains a dictionary of at most `max_bytes` on samples; `None` if it would not help.
pub(crate) fn train_dictionary(samples: &[Vec<u8>], max_bytes: usize) -> Option<Vec<u8>> {
    if samples.len() < 16 || max_bytes < 1 << 10 {
        return None;
    }
    zstd::dict::from_samples(samples, max_bytes).ok()
}

pub(crate) fn encoder_dictionary(dictionary: &[u8]) -> EncoderDictionary<'static> {
    EncoderDictionary::copy(dictionary, LEVEL)
}

pub(crate) fn decoder_dictionary(dictionary: &[u8]) -> DecoderDictionary<'static> {
    DecoderDictionary::copy(dictionary)
}

/// Appends a number as a variable-length integer (LEB128): seven bits a byte, the lowest first.
#[inline]
pub fn write_varint(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number and removes it from `bytes`; `None` if the bytes end within it or it is longer
/// than 128 bits.
#[inline]
pub fn read_varint(bytes: &mut &[u8]) -> Option<u128> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(first.into());
    }
    let mut number = u128::from(first & 0x7f);
    for shift in (7..128).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u128::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_found_where_they_are(
            steps in prop::collection::vec(prop_oneof![1_u128..100, 1_u128..300, 1_u128..20_000, 1_u128..1 << 40], 0..200),
            first in any::<u64>(),
        ) {
            let first = u128::from(first);
            let keys: Vec<u128> = std::iter::once(first)
                .chain(steps.iter().scan(first, |key, step| {
                    *key += step;
                    Some(*key)
                }))
                .collect();
            let bytes = encode_keys(&keys);
            let mut read = Vec::new();
            prop_assert_eq!(decode_keys(first, keys.len(), &bytes, &mut read), Some(()));
            prop_assert_eq!(&read, &keys);
            for (place, &key) in keys.iter().enumerate() {
                prop_assert_eq!(find_key(key - first, keys.len(), &bytes), Some(Some(place)));
                if !keys.contains(&(key + 1)) {
                    prop_assert_eq!(find_key(key + 1 - first, keys.len(), &bytes), Some(None));
                }
            }
        }
    }
}
