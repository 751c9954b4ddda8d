//! The file: what stands where. `docs/strong-file.md` describes it to the byte.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::codes::{Scale, Tells};
use crate::split::Share;

pub(crate) const VERSION: u32 = 1;

/// The bytes before everything else, which say where the header is.
pub(crate) const PROLOGUE: usize = 56;

/// What a file has of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its key and its code.
    Keys,
    /// What finds its code, given its key.
    Values,
}

impl Form {
    /// What a file begins with.
    pub(crate) const fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Keys => b"balpan\0s",
            Self::Values => b"balpan\0v",
        }
    }

    /// The form of a file that begins so.
    pub(crate) fn of(file: &[u8]) -> Option<Self> {
        [Self::Keys, Self::Values].into_iter().find(|form| file.starts_with(form.magic()))
    }

    /// The positions of a block.
    pub(crate) const fn block(self) -> usize {
        match self {
            Self::Keys => BLOCK,
            Self::Values => VALUES_BLOCK,
        }
    }
}

/// The positions of a block with keys: looking one up reads a block.
pub(crate) const BLOCK: usize = 768;

/// The positions of a block without keys, on the average. With more, a system of equations needs
/// more columns to spare; with fewer, the index is longer.
pub(crate) const VALUES_BLOCK: usize = 4096;

/// The longest header that is read.
pub(crate) const MOST_HEADER: u64 = 1 << 26;

/// What a file says of itself. Its text is JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// What is solved.
    pub of: Subject,
    /// Which of the positions are in the file, if not all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub share: Option<Share>,
    /// The bits of a key; 0 in a file without keys.
    pub key_bits: u32,
    /// The most plies of any value, or the largest nimber there could be.
    pub most: u16,
    /// The positions of a block; without keys, on the average.
    pub block: u32,
    /// Where the index begins, and its XXH3.
    pub(crate) index: u64,
    pub(crate) index_checksum: String,
    /// The layers, the highest first.
    pub layers: Vec<LayerHeader>,
}

/// What is solved: everything that distinguishes one solution from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// What people call the game.
    pub game: String,
    /// The rules in full, as the text of a rules file.
    pub rules: String,
    /// The board, or the size of the start.
    pub size: String,
    /// The positions that play begins in.
    pub starts: Vec<String>,
    /// What is stored for each position.
    pub tells: Tells,
    /// Whether positions that a symmetry turns into each other are one.
    pub folded: bool,
    /// Of a book, the plies from a start within which positions are in it.
    pub plies: Option<u32>,
}

/// What a file says of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerHeader {
    /// The layer: a number that every move lowers.
    pub layer: u32,
    /// Its positions.
    pub positions: u64,
    /// The positions of each code that there is: see [`Header::code_name`].
    pub counts: Vec<(u16, u64)>,
    /// The low bits of a key that are the same in all, which are left out, and what they are.
    pub(crate) same_bits: u32,
    pub(crate) same: String,
    /// The number of its first block in the index.
    pub(crate) first_block: u64,
    /// Where the dictionary of its keys is, if it has one, and of its codes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) keys_dictionary: Option<Section>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) codes_dictionary: Option<Section>,
    /// Without keys, the lengths of the codewords of [`counts`](Self::counts).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) lengths: Option<Vec<u8>>,
}

/// A part of the file, and its XXH3. Numbers of 64 bits are hexadecimal texts: not all who
/// read JSON read such numbers whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) at: u64,
    pub(crate) bytes: u64,
    pub(crate) checksum: String,
}

/// A checksum as the header has it.
pub(crate) fn told(checksum: u64) -> String {
    format!("{checksum:016x}")
}

impl Subject {
    /// Whether it has the value of every position that play reaches.
    pub(crate) const fn is_complete(&self) -> bool {
        matches!(self.tells, Tells::Value) && self.plies.is_none()
    }
}

impl Header {
    /// The positions of all layers.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.layers.iter().map(|layer| layer.positions).sum()
    }

    pub(crate) const fn scale(&self) -> Scale {
        Scale::new(self.most)
    }

    /// The bytes of a code.
    pub const fn width(&self) -> usize {
        width(self.of.tells, self.most)
    }

    /// The highest code.
    pub(crate) const fn top(&self) -> u16 {
        top(self.of.tells, self.most)
    }

    /// The bytes of a key.
    pub(crate) const fn key_bytes(&self) -> usize {
        self.key_bits.div_ceil(8) as usize
    }

    /// The bytes of an entry of the index: the first key of the block without the bits that
    /// are the same in all, where the block begins (6 bytes), and its checksum (8 bytes).
    pub(crate) const fn entry(&self) -> usize {
        self.key_bytes() + 6 + 8
    }
}

impl LayerHeader {
    /// The number of blocks. Without keys, none are needed where all positions have one code.
    pub(crate) fn blocks(&self, block: u32) -> u64 {
        match &self.lengths {
            Some(lengths) if lengths.len() == 1 => 0,
            _ => self.positions.div_ceil(block.into()),
        }
    }
}

/// The bytes of a code.
pub const fn width(tells: Tells, most: u16) -> usize {
    if top(tells, most) < 256 { 1 } else { 2 }
}

/// The highest code.
const fn top(tells: Tells, most: u16) -> u16 {
    match tells {
        Tells::Value => Scale::new(most).top(),
        Tells::Nimber => most,
    }
}

/// What stands before everything else.
pub(crate) fn prologue(form: Form, header_at: u64, header: &[u8], file: u64) -> [u8; PROLOGUE] {
    let mut bytes = [0; PROLOGUE];
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
