//! Compression with Zstandard and a dictionary.

use zstd::bulk::Compressor;
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::{CParameter, DCtx, DParameter, FrameFormat};

/// How hard it is tried: higher levels gain less than a hundredth here, at several times the time.
const LEVEL: i32 = 9;

/// Makes bytes few.
pub(crate) struct Squeezer<'d>(Compressor<'d>);

/// Bytes that cannot be made what they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotSqueezed;

impl<'d> Squeezer<'d> {
    pub(crate) fn new(dictionary: Option<&'d EncoderDictionary<'static>>) -> std::io::Result<Self> {
        let mut compressor = match dictionary {
            Some(dictionary) => Compressor::with_prepared_dictionary(dictionary)?,
            None => Compressor::new(LEVEL)?,
        };
        // What a frame says of itself is known, and blocks are small.
        compressor.set_parameter(CParameter::Format(FrameFormat::Magicless))?;
        compressor.include_checksum(false)?;
        compressor.include_contentsize(false)?;
        compressor.include_dictid(false)?;
        Ok(Self(compressor))
    }

    /// The bytes made few: `None` if that makes them no fewer.
    pub(crate) fn squeeze(&mut self, bytes: &[u8]) -> std::io::Result<Option<Vec<u8>>> {
        let squeezed = self.0.compress(bytes)?;
        Ok((squeezed.len() < bytes.len()).then_some(squeezed))
    }
}

/// Makes bytes what they were.
pub(crate) struct Unsqueezer(DCtx<'static>);

impl Unsqueezer {
    pub(crate) fn new() -> Result<Self, NotSqueezed> {
        let mut context = DCtx::try_create().ok_or(NotSqueezed)?;
        context.set_parameter(DParameter::Format(FrameFormat::Magicless)).map_err(|_| NotSqueezed)?;
        Ok(Self(context))
    }

    /// Makes `out` what the bytes were, if that is at most `most` bytes.
    pub(crate) fn unsqueeze(
        &mut self,
        bytes: &[u8],
        dictionary: Option<&DecoderDictionary<'static>>,
        most: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), NotSqueezed> {
        out.clear();
        out.reserve(most);
        let done = match dictionary {
            Some(dictionary) => self.0.decompress_using_ddict(out, bytes, dictionary.as_ddict()),
            None => self.0.decompress(out, bytes),
        };
        done.map(|_| ()).map_err(|_| NotSqueezed)
    }
}

/// A dictionary for texts like these; `None` if there is none that helps.
pub(crate) fn dictionary(samples: &[Vec<u8>], most: usize) -> Option<Vec<u8>> {
    if samples.len() < 16 || most < 1 << 10 {
        return None;
    }
    zstd::dict::from_samples(samples, most).ok()
}

pub(crate) fn for_encoding(dictionary: &[u8]) -> EncoderDictionary<'static> {
    EncoderDictionary::copy(dictionary, LEVEL)
}

pub(crate) fn for_decoding(dictionary: &[u8]) -> DecoderDictionary<'static> {
    DecoderDictionary::copy(dictionary)
}
