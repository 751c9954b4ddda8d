//! Strong solutions without keys: they return the value of any position known to be in the
//! solution.
//!
//! The codes of a layer are encoded by a [prefix code](PrefixCode). The bits of a position's
//! codeword are stored in a [static function](Ribbon) of its key. Source of the combination: M.
//! Genuzio and S. Vigna, *Engineering Compressed Static Functions*, DCC 2018.

use xxhash_rust::xxh3::xxh3_64;

use crate::format::header::{Form, Header};
use crate::format::prefix::PrefixCode;
use crate::format::ribbon::Ribbon;
use crate::probe::table::{Table, TableError};

/// A strong solution without keys, in memory or in a mapped file. Threads may share it.
///
/// Any other position gets an arbitrary value: probe only what play from the starts reaches.
///
/// Memory: the header, which does not grow with the number of positions. Opening it reads the
/// index, a hundredth of the file, to check it.
#[derive(Debug)]
pub struct Values<B> {
    table: Table<B>,
    /// The prefix code of each layer.
    codes: Vec<PrefixCode>,
}

impl<B: AsRef<[u8]>> Values<B> {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file has another form, or its header or index is damaged. The rest is checked
    /// whenever it is read.
    pub fn open(bytes: B) -> Result<Self, TableError> {
        let table = Table::open_form(bytes, Form::Values)?;
        let header = table.header();
        let top = header.top();
        let codes = header.layers.iter().map(|layer| {
            let lengths = layer.lengths.as_deref().unwrap_or_default();
            let fits = lengths.len() == layer.counts.len() && layer.counts.iter().all(|&(code, _)| code <= top);
            PrefixCode::new(lengths).filter(|_| fits)
        });
        if !header.subject.is_complete() {
            return Err(TableError::Inconsistent("a book, or nimbers, without keys"));
        }
        let codes = codes.collect::<Option<_>>().ok_or(TableError::Inconsistent("the codewords of a layer"))?;
        Ok(Self { table, codes })
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        self.table.header()
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Returns the code of a position of the solution, and an arbitrary code for any other; `None`
    /// if the solution has no such layer.
    ///
    /// Cost: the checksum of one block, of a kilobyte or two, and for each bit of the codeword
    /// two hashes and 17 bytes of the block.
    ///
    /// # Errors
    /// If the block is damaged.
    pub fn code(&self, layer: u32, key: u128) -> Result<Option<u16>, TableError> {
        let header = self.header();
        let Ok(at) = header.layers.binary_search_by(|found| layer.cmp(&found.layer)) else {
            return Ok(None);
        };
        let (layer, codes) = (&header.layers[at], &self.codes[at]);
        let place = match layer.blocks(header.block) {
            0 => Some(0),
            blocks => {
                let (block, ..) = self.table.block(layer, block_of_key(key, blocks))?;
                Ribbon::new(block).and_then(|ribbon| codes.read(|number| ribbon.bit(key, number)))
            }
        };
        let found = place.and_then(|place| layer.counts.get(place));
        found.map(|&(code, _)| Some(code)).ok_or(TableError::Inconsistent("a block of values"))
    }
}

/// Returns the block, of the layer's `blocks`, that a key belongs to.
pub(crate) fn block_of_key(key: u128, blocks: u64) -> u64 {
    ((u128::from(xxh3_64(&key.to_le_bytes())) * u128::from(blocks)) >> 64) as u64
}
