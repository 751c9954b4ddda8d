//! The file format; `docs/strong-file.md` describes it to the byte.

use std::collections::BTreeMap;

use balpan::Value;
use balpan_games::{AnyGame, RulesFile, TextError};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::build::successors::Scheme;
use crate::format::codes::{Metric, Scale};
use crate::shards::Shard;

pub(crate) const VERSION: u32 = 1;

/// The size of the prologue, which says where the header is.
pub(crate) const PROLOGUE_BYTES: usize = 56;

/// The form of a file: how it stores the code of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its key and its code.
    Keys,
    /// A function from its key to its code, without the key.
    Values,
}

impl Form {
    /// The first bytes of the file.
    pub(crate) const fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Keys => b"balpan\0s",
            Self::Values => b"balpan\0v",
        }
    }

    /// Recognises the form of a file by its first bytes.
    pub(crate) fn detect(file: &[u8]) -> Option<Self> {
        [Self::Keys, Self::Values].into_iter().find(|form| file.starts_with(form.magic()))
    }

    /// The number of positions of a block; without keys, on average.
    pub(crate) const fn block(self) -> usize {
        match self {
            Self::Keys => BLOCK_POSITIONS,
            Self::Values => VALUES_BLOCK_POSITIONS,
        }
    }
}

/// The positions of a block with keys: a probe reads one block.
pub(crate) const BLOCK_POSITIONS: usize = 768;

/// The average number of positions of a block without keys. With more, a system of equations needs
/// more spare columns; with fewer, the index is longer.
pub(crate) const VALUES_BLOCK_POSITIONS: usize = 4096;

/// The longest header that is read.
pub(crate) const MAX_HEADER_BYTES: u64 = 1 << 26;

/// The header of a file, stored as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The subject.
    #[serde(rename = "of")]
    pub subject: Subject,
    /// The shard that the file holds; `None` if it has all positions.
    #[serde(rename = "share", skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<Shard>,
    /// The bits of a key; 0 in a file without keys.
    pub key_bits: u32,
    /// The plies that play can last, or of the longest value where play may repeat: no value is longer, and no nimber is
    /// larger.
    #[serde(rename = "most")]
    pub max_plies: u16,
    /// The largest score, positive or negative; 0 if there are none.
    #[serde(skip_serializing_if = "is_default", default)]
    pub max_score: u16,
    /// Whether play may repeat. Layers then do not bound the plies of values.
    #[serde(skip_serializing_if = "is_default", default)]
    pub may_repeat: bool,
    /// The number of positions of a block; without keys, on average.
    pub block: u32,
    /// The offset of the index, and its XXH3.
    pub(crate) index: u64,
    pub(crate) index_checksum: String,
    /// The layers, the highest first.
    pub layers: Vec<LayerHeader>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The subject of a solution: everything that distinguishes it from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Subject {
    /// The name of the game.
    pub game: String,
    /// The rules in full, as the text of a rules file.
    pub rules: String,
    /// The board, or the size of the start.
    pub size: String,
    /// The positions in which play begins.
    pub starts: Vec<String>,
    /// The quantity stored for each position.
    #[serde(rename = "tells")]
    pub metric: Metric,
    /// Whether symmetric positions count as one.
    pub folded: bool,
    /// For a book, the plies from a start within which positions are in it.
    pub plies: Option<u32>,
}

/// The header of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerHeader {
    /// The layer: a number that every move lowers; where play may repeat, that no move raises.
    pub layer: u32,
    /// The number of its positions.
    pub positions: u64,
    /// The number of positions of each code that occurs: see [`Header::code_name`].
    pub counts: Vec<(u16, u64)>,
    /// The number of low bits that are the same in all keys and left out, and these bits in
    /// hexadecimal.
    pub(crate) same_bits: u32,
    pub(crate) same: String,
    /// The index of its first block.
    pub(crate) first_block: u64,
    /// The compression dictionaries of its keys and of its codes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) keys_dictionary: Option<Section>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) codes_dictionary: Option<Section>,
    /// Without keys, the lengths of the codewords of [`counts`](Self::counts).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) lengths: Option<Vec<u8>>,
}

/// A section of the file, and its XXH3. Checksums are hexadecimal strings: not every JSON reader
/// keeps 64 bits of a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) at: u64,
    pub(crate) bytes: u64,
    pub(crate) checksum: String,
}

/// Formats a checksum for the header.
pub(crate) fn hex_checksum(checksum: u64) -> String {
    format!("{checksum:016x}")
}

impl Subject {
    /// Returns how positions are identified and valued.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        Scheme { metric: self.metric, folded: self.folded }
    }

    /// Returns the rules and the board in the form of [`RulesFile::identity`], by which games are compared.
    ///
    /// # Errors
    /// If the rules cannot be parsed.
    pub fn identity(&self) -> Result<String, TextError> {
        RulesFile::parse(&self.game, &self.rules)?.identity(&self.size)
    }

    /// Loads the game, from the first start.
    ///
    /// # Errors
    /// If the rules or the start cannot be parsed.
    pub fn load_game(&self) -> Result<AnyGame, TextError> {
        let rules = RulesFile::parse(&self.game, &self.rules)?;
        self.starts.first().map_or_else(|| rules.game(), |start| rules.game_at(start))
    }

    /// Whether a solution of the subject has the value of every position that play reaches.
    pub(crate) const fn is_complete(&self) -> bool {
        matches!(self.metric, Metric::Value) && self.plies.is_none()
    }
}

impl Header {
    /// Returns the number of positions of all layers.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.layers.iter().map(|layer| layer.positions).sum()
    }

    pub(crate) const fn scale(&self) -> Scale {
        Scale::new(self.max_plies, self.max_score)
    }

    /// Returns the number of positions of each value, if they are all that play reaches from the position `start`. Books and
    /// shards have no such counts.
    pub fn counts_from(&self, start: &str) -> Option<BTreeMap<Value, u64>> {
        if !self.subject.is_complete() || self.shard.is_some() || self.subject.starts != [start] {
            return None;
        }
        let mut counts = BTreeMap::new();
        for &(code, count) in self.layers.iter().flat_map(|layer| &layer.counts) {
            *counts.entry(self.value(code)?).or_insert(0) += count;
        }
        Some(counts)
    }

    /// The number of bytes of a code.
    pub const fn width(&self) -> usize {
        width(self.subject.metric, self.scale())
    }

    /// The highest code.
    pub(crate) const fn top(&self) -> u16 {
        top(self.subject.metric, self.scale())
    }

    /// The number of bytes of a key.
    pub(crate) const fn key_bytes(&self) -> usize {
        self.key_bits.div_ceil(8) as usize
    }

    /// The size of an entry of the index: the first key of the block without the bits that all keys
    /// share, the offset of the block (6 bytes), and its checksum (8 bytes).
    pub(crate) const fn entry(&self) -> usize {
        self.key_bytes() + 6 + 8
    }
}

impl LayerHeader {
    /// Returns the number of blocks. Without keys, there are none if all positions have one code.
    pub(crate) fn blocks(&self, block: u32) -> u64 {
        match &self.lengths {
            Some(lengths) if lengths.len() == 1 => 0,
            _ => self.positions.div_ceil(block.into()),
        }
    }
}

/// The number of bytes of a code.
pub const fn width(metric: Metric, scale: Scale) -> usize {
    if top(metric, scale) < 256 { 1 } else { 2 }
}

/// The highest code.
const fn top(metric: Metric, scale: Scale) -> u16 {
    match metric {
        Metric::Value => scale.top(),
        Metric::Nimber => scale.max_plies,
    }
}

/// Encodes the prologue.
pub(crate) fn prologue(form: Form, header_at: u64, header: &[u8], file: u64) -> [u8; PROLOGUE_BYTES] {
    let mut bytes = [0; PROLOGUE_BYTES];
    bytes[..8].copy_from_slice(form.magic());
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[16..24].copy_from_slice(&header_at.to_le_bytes());
    bytes[24..32].copy_from_slice(&(header.len() as u64).to_le_bytes());
    bytes[32..40].copy_from_slice(&xxh3_64(header).to_le_bytes());
    bytes[40..48].copy_from_slice(&file.to_le_bytes());
    let checksum = xxh3_64(&bytes[..48]);
    bytes[48..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}
