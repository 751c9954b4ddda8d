//! Compression by Zstandard, with an optional dictionary.

use zstd::bulk::Compressor;
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::{CParameter, DCtx, DParameter, FrameFormat};

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
pub(crate) fn dictionary(samples: &[Vec<u8>], max_bytes: usize) -> Option<Vec<u8>> {
    if samples.len() < 16 || max_bytes < 1 << 10 {
        return None;
    }
    zstd::dict::from_samples(samples, max_bytes).ok()
}

pub(crate) fn for_encoding(dictionary: &[u8]) -> EncoderDictionary<'static> {
    EncoderDictionary::copy(dictionary, LEVEL)
}

pub(crate) fn for_decoding(dictionary: &[u8]) -> DecoderDictionary<'static> {
    DecoderDictionary::copy(dictionary)
}
