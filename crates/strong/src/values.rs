//! Strong solutions without keys, which return the value of any position that is known to be in the
//! solution.
//!
//! The codes of a layer have a [prefix code](PrefixCode). The bits of a position's codeword are
//! those that a [static function](Ribbon) has for its key. Source of the combination: M. Genuzio
//! and S. Vigna, *Engineering Compressed Static Functions*, DCC 2018.

use xxhash_rust::xxh3::xxh3_64;

use crate::format::{Form, Header};
use crate::prefix::PrefixCode;
use crate::ribbon::Ribbon;
use crate::table::{Table, TableError};

/// A strong solution without keys, in a file that is mapped, or in memory. Threads may share it.
///
/// What is not one of its positions gets the value of some other: ask only for what play from the
/// starts reaches.
///
/// Memory: the header, which does not grow with the number of positions. Opening it reads the
/// index once, a hundredth of the file, to check it.
#[derive(Debug)]
pub struct Values<B> {
    table: Table<B>,
    /// Of each layer.
    codes: Vec<PrefixCode>,
}

impl<B: AsRef<[u8]>> Values<B> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is none of this form, or not as it was written, as far as header and index go; the
    /// rest is checked whenever it is read.
    pub fn open(bytes: B) -> Result<Self, TableError> {
        let table = Table::open_form(bytes, Form::Values)?;
        let header = table.header();
        let top = header.top();
        let codes = header.layers.iter().map(|layer| {
            let lengths = layer.lengths.as_deref().unwrap_or_default();
            let fits = lengths.len() == layer.counts.len() && layer.counts.iter().all(|&(code, _)| code <= top);
            PrefixCode::new(lengths).filter(|_| fits)
        });
        if !header.of.is_complete() {
            return Err(TableError::Senseless("a book, or nimbers, without keys"));
        }
        let codes = codes.collect::<Option<_>>().ok_or(TableError::Senseless("the codewords of a layer"))?;
        Ok(Self { table, codes })
    }

    /// What the file says of itself.
    pub const fn header(&self) -> &Header {
        self.table.header()
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Returns the code of a position of this layer and key, if it is one of the solution's, and
    /// any code otherwise; `None` if the solution has no position of the layer.
    ///
    /// Cost: the checksum of one block, of a kilobyte or two, and for each bit of the codeword
    /// two hashes and 17 bytes of the block.
    ///
    /// # Errors
    /// If what is read is not as it was written.
    pub fn code(&self, layer: u32, key: u128) -> Result<Option<u16>, TableError> {
        let header = self.header();
        let Ok(at) = header.layers.binary_search_by(|found| layer.cmp(&found.layer)) else {
            return Ok(None);
        };
        let (layer, codes) = (&header.layers[at], &self.codes[at]);
        let place = match layer.blocks(header.block) {
            0 => Some(0),
            blocks => {
                let (block, ..) = self.table.block(layer, block_of(key, blocks))?;
                Ribbon::new(block).and_then(|ribbon| codes.read(|number| ribbon.bit(key, number)))
            }
        };
        let found = place.and_then(|place| layer.counts.get(place));
        found.map(|&(code, _)| Some(code)).ok_or(TableError::Senseless("a block of values"))
    }
}

/// The block of its layer that a key belongs to, of `blocks` blocks.
pub(crate) fn block_of(key: u128, blocks: u64) -> u64 {
    ((u128::from(xxh3_64(&key.to_le_bytes())) * u128::from(blocks)) >> 64) as u64
}
