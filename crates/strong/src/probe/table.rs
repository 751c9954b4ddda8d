//! Reading a solution file with keys. Nothing in the file is trusted.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;
use zstd::dict::DecoderDictionary;

use crate::build::output::checksum;
use crate::format::blocks::{BlockDecompressor, BlockSections, code_at, decode_keys, decoder_dictionary, find_key};
use crate::format::codes::{Metric, Scale, unpack_codes};
use crate::format::header::{
    Form, Header, LayerHeader, MAX_HEADER_BYTES, PROLOGUE_BYTES, Section, VERSION, hex_checksum, prologue,
};
use crate::shards::{MAX_SHARDS, Shard, Sharding};

/// Why a file cannot be used as a strong solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file is something else.
    #[error("the file is not a strong solution: its first bytes are not those of one")]
    NotASolution,
    /// The file is a solution without keys, where one with keys is needed.
    #[error("the file has values only; without keys, its positions are not known")]
    NoKeys,
    /// The file is a solution with keys, where one without is needed.
    #[error("the file has keys, where one without keys is needed")]
    HasKeys,
    /// The file has another version of the format.
    #[error("the file is of version {0} of its format; this is version {VERSION}")]
    OtherVersion(u32),
    /// The file is too short or too long.
    #[error("the file has {found} bytes, and should have {expected}")]
    WrongLength {
        /// The expected size in bytes.
        expected: u64,
        /// The size in bytes.
        found: u64,
    },
    /// A checksum does not match.
    #[error("the file is damaged: byte {0} begins a part whose checksum does not match")]
    Damaged(u64),
    /// The checksums match, but the contents are inconsistent.
    #[error("the file is inconsistent: {0}")]
    Inconsistent(&'static str),
}

/// A strong solution with keys, in memory or in a mapped file. Threads may share it; each probes it
/// by a [`Prober`] of its own.
///
/// Memory: the header and the dictionaries, which do not grow with the number of positions. Opening
/// it reads the index, a thirtieth of the file, to check it.
pub struct Table<B> {
    bytes: B,
    header: Header,
    same: Vec<u128>,
    dictionaries: Vec<[Option<DecoderDictionary<'static>>; 2]>,
}

impl<B> fmt::Debug for Table<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("header", &self.header).finish_non_exhaustive()
    }
}

impl<B: AsRef<[u8]>> Table<B> {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file is not a strong solution, or its header, index or dictionaries are damaged. The
    /// rest is checked whenever it is read.
    pub fn open(bytes: B) -> Result<Self, TableError> {
        Self::open_form(bytes, Form::Keys)
    }

    /// Opens a file of this form.
    pub(crate) fn open_form(bytes: B, form: Form) -> Result<Self, TableError> {
        let file = bytes.as_ref();
        let header = header(file, form)?;
        let index_end = header.layers.iter().map(|layer| layer.blocks(header.block)).sum::<u64>();
        let index_bytes = usize::try_from(index_end).ok().and_then(|blocks| blocks.checked_mul(header.entry()));
        let index = usize::try_from(header.index).ok().zip(index_bytes);
        let index = index.and_then(|(at, bytes)| file.get(at..at.checked_add(bytes)?));
        let index = index.ok_or(TableError::Inconsistent("the index is not within the file"))?;
        if hex_checksum(xxh3_64(index)) != header.index_checksum {
            return Err(TableError::Damaged(header.index));
        }
        let (mut same, mut dictionaries) = (Vec::new(), Vec::new());
        for layer in &header.layers {
            let bits = u128::from_str_radix(&layer.same, 16).ok();
            let bits = bits.filter(|bits| layer.same_bits <= 127 && bits >> layer.same_bits == 0);
            same.push(bits.ok_or(TableError::Inconsistent("bits that are the same in all keys"))?);
            let [keys, codes] =
                [&layer.keys_dictionary, &layer.codes_dictionary].map(|section| dictionary(file, section.as_ref()));
            dictionaries.push([keys?, codes?]);
        }
        Ok(Self { header, same, dictionaries, bytes })
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.as_ref().len() as u64
    }

    /// Reads an entry of the index: the first key of a block, its offset and its checksum.
    fn entry(&self, block: u64) -> Option<(u128, usize, u64)> {
        let size = self.header.entry();
        let at =
            usize::try_from(self.header.index).ok()?.checked_add(usize::try_from(block).ok()?.checked_mul(size)?)?;
        let entry = self.bytes.as_ref().get(at..at.checked_add(size)?)?;
        let (key, rest) = entry.split_at(self.header.key_bytes());
        let (low, high) = key.split_at(key.len().min(8));
        let key = u128::from(number(high)) << 64 | u128::from(number(low));
        Some((key, number(&rest[..6]) as usize, number(&rest[6..])))
    }

    /// Returns the first key of a block; `at` is the index of the layer in the header.
    pub(crate) fn first_key(&self, at: usize, within: u64) -> Option<u128> {
        let layer = self.header.layers.get(at)?;
        let (first, ..) = self.entry(layer.first_block.checked_add(within)?)?;
        Some(first << layer.same_bits | self.same[at])
    }

    /// Returns the bytes of a block, its first key without the shared bits, and its number of
    /// positions.
    pub(crate) fn block(&self, layer: &LayerHeader, within: u64) -> Result<(&[u8], u128, usize), TableError> {
        let outside = TableError::Inconsistent("a block is not within the file");
        let number = layer.first_block.checked_add(within).ok_or_else(|| outside.clone())?;
        let (first, begin, check) = self.entry(number).ok_or_else(|| outside.clone())?;
        let end = self.end_of(layer, within, number).ok_or_else(|| outside.clone())?;
        let bytes = self.bytes.as_ref().get(begin..end).ok_or(outside)?;
        if checksum(number, first, bytes) != check {
            return Err(TableError::Damaged(begin as u64));
        }
        let rest = layer.positions - within * u64::from(self.header.block);
        Ok((bytes, first, rest.min(self.header.block.into()) as usize))
    }

    /// Returns the offset at which a block ends: the next block of the layer, or what follows the
    /// layer.
    fn end_of(&self, layer: &LayerHeader, within: u64, number: u64) -> Option<usize> {
        if within + 1 < layer.blocks(self.header.block) {
            return self.entry(number + 1).map(|(_, begin, _)| begin);
        }
        let later = |next: &&LayerHeader| next.first_block > number && next.blocks(self.header.block) > 0;
        let next = self.header.layers.iter().find(later);
        let end = match next {
            None => self.header.index,
            Some(next) => {
                let first = self.entry(next.first_block)?.1 as u64;
                let dictionaries = next.keys_dictionary.iter().chain(&next.codes_dictionary);
                dictionaries.map(|section| section.at).fold(first, u64::min)
            }
        };
        usize::try_from(end).ok()
    }
}

/// Decodes a little-endian number of at most eight bytes.
#[inline]
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Reads the header, and checks that its sizes are consistent.
fn header(file: &[u8], form: Form) -> Result<Header, TableError> {
    let found = file.len() as u64;
    let at = header_place(file, found, form)?;
    header_in(file, &file[at.start as usize..at.end as usize], found, form)
}

/// Reads only the header of the file at a path; `None` if the file has no keys, or its prologue or
/// header is damaged.
///
/// # Errors
/// If the file cannot be read.
pub fn read_header(path: &Path) -> io::Result<Option<Header>> {
    let mut file = File::open(path)?;
    let found = file.metadata()?.len();
    let mut first = Vec::new();
    Read::by_ref(&mut file).take(PROLOGUE_BYTES as u64).read_to_end(&mut first)?;
    let Ok(at) = header_place(&first, found, Form::Keys) else { return Ok(None) };
    let mut text = vec![0; (at.end - at.start) as usize];
    file.seek(SeekFrom::Start(at.start))?;
    file.read_exact(&mut text)?;
    Ok(header_in(&first, &text, found, Form::Keys).ok())
}

/// Returns the place of the header in a file of `found` bytes that begins with `file`.
fn header_place(file: &[u8], found: u64, form: Form) -> Result<Range<u64>, TableError> {
    match (form, Form::detect(file).ok_or(TableError::NotASolution)?) {
        (Form::Keys, Form::Values) => return Err(TableError::NoKeys),
        (Form::Values, Form::Keys) => return Err(TableError::HasKeys),
        _ => {}
    }
    let first = file.get(..PROLOGUE_BYTES).ok_or(TableError::WrongLength { expected: PROLOGUE_BYTES as u64, found })?;
    let number = |at: usize| number(&first[at..at + 8]);
    let version = number(8) as u32;
    if version != VERSION {
        return Err(TableError::OtherVersion(version));
    }
    if xxh3_64(&first[..48]) != number(48) {
        return Err(TableError::Damaged(0));
    }
    let (at, length, expected) = (number(16), number(24), number(40));
    if found != expected {
        return Err(TableError::WrongLength { expected, found });
    }
    let outside = TableError::Inconsistent("the header is not within the file");
    let end = at.checked_add(length).filter(|&end| length <= MAX_HEADER_BYTES && end <= found).ok_or(outside)?;
    Ok(at..end)
}

/// Parses and checks the header text of a file of `found` bytes that begins with `file`.
fn header_in(file: &[u8], text: &[u8], found: u64, form: Form) -> Result<Header, TableError> {
    let at = number(&file[16..24]);
    if prologue(form, at, text, found) != file[..PROLOGUE_BYTES] {
        return Err(TableError::Damaged(at));
    }
    let header: Header =
        serde_json::from_slice(text).map_err(|_| TableError::Inconsistent("the header is no JSON of a header"))?;
    let layers = &header.layers;
    let in_order = layers.is_sorted_by(|one, next| one.layer > next.layer);
    let mut blocks = 0_u64;
    let blocks_fit = header.block > 0
        && header.block <= 1 << 16
        && layers.iter().all(|layer| {
            let begins = layer.first_block == blocks;
            blocks = blocks.saturating_add(layer.blocks(header.block));
            let counted = layer.counts.iter().try_fold(0_u64, |sum, &(_, count)| sum.checked_add(count));
            begins && blocks <= found && layer.positions > 0 && counted == Some(layer.positions)
        });
    let form_fits = match form {
        Form::Keys => header.key_bits > 0 && layers.iter().all(|layer| layer.lengths.is_none()),
        Form::Values => header.key_bits == 0 && layers.iter().all(|layer| layer.lengths.is_some()),
    };
    let plies_fit = header.may_repeat || layers.first().is_none_or(|highest| highest.layer <= header.max_plies.into());
    let shard_fits = header.shard.is_none_or(|Shard { number, sharding: Sharding { shards, shift } }| {
        number < shards && shards <= MAX_SHARDS && shift < u128::BITS
    });
    if !form_fits
        || !shard_fits
        || header.key_bits > balpan::MAX_KEY_BITS
        || !in_order
        || !blocks_fit
        || !plies_fit
        || header.max_plies > 20_000
        || header.may_repeat && header.max_score > 0
        || !Scale::fits(header.max_plies.into(), header.max_score.into())
    {
        return Err(TableError::Inconsistent("the header's numbers contradict each other"));
    }
    Ok(header)
}

fn dictionary(file: &[u8], section: Option<&Section>) -> Result<Option<DecoderDictionary<'static>>, TableError> {
    let Some(section) = section else { return Ok(None) };
    let range = usize::try_from(section.at).ok().zip(usize::try_from(section.bytes).ok());
    let bytes = range.and_then(|(at, bytes)| file.get(at..at.checked_add(bytes)?));
    let bytes = bytes.ok_or(TableError::Inconsistent("a dictionary is not within the file"))?;
    if hex_checksum(xxh3_64(bytes)) != section.checksum {
        return Err(TableError::Damaged(section.at));
    }
    Ok(Some(decoder_dictionary(bytes)))
}

/// A prober of [tables](Table): a decompressor and its buffers, for one thread.
pub struct Prober {
    decompressor: BlockDecompressor,
    buffer: Vec<u8>,
    codes_buffer: Vec<u8>,
}

impl fmt::Debug for Prober {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prober").finish_non_exhaustive()
    }
}

impl Prober {
    /// Creates a prober.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn new() -> Result<Self, TableError> {
        let decompressor =
            BlockDecompressor::new().map_err(|_| TableError::Inconsistent("there is no memory for a look-up"))?;
        Ok(Self { decompressor, buffer: Vec::new(), codes_buffer: Vec::new() })
    }

    /// Returns the code of the position of this layer and key; `None` if it is not in the file.
    ///
    /// Cost: a binary search in the index, and one block.
    ///
    /// # Errors
    /// If the block is damaged.
    pub fn probe<B: AsRef<[u8]>>(
        &mut self,
        table: &Table<B>,
        layer: u32,
        key: u128,
    ) -> Result<Option<u16>, TableError> {
        let Self { decompressor, buffer, .. } = self;
        let header = &table.header;
        let Ok(at) = header.layers.binary_search_by(|found| layer.cmp(&found.layer)) else {
            return Ok(None);
        };
        let layer = &header.layers[at];
        if key & ((1 << layer.same_bits) - 1) != table.same[at] {
            return Ok(None);
        }
        let key = key >> layer.same_bits;
        let outside = || TableError::Inconsistent("the index is not within the file");
        let (mut low, mut high) = (0, layer.blocks(header.block));
        // The search ends after the last block whose first key is not above the key.
        while low < high {
            let middle = low + (high - low) / 2;
            let (first, ..) = table.entry(layer.first_block + middle).ok_or_else(outside)?;
            if first <= key { low = middle + 1 } else { high = middle }
        }
        let Some(within) = low.checked_sub(1) else {
            return Ok(None);
        };
        let (bytes, first, count) = table.block(layer, within)?;
        let senseless = || TableError::Inconsistent("a block of positions");
        let opened = BlockSections::new(bytes).ok_or_else(senseless)?;
        let [of_keys, of_codes] = &table.dictionaries[at];
        let above = key.checked_sub(first).ok_or_else(senseless)?;
        let keys = opened.keys(decompressor, of_keys.as_ref(), count, buffer);
        let Some(place) = find_key(above, count, keys.ok_or_else(senseless)?).ok_or_else(senseless)? else {
            return Ok(None);
        };
        let width = header.width();
        let codes = opened.codes(decompressor, of_codes.as_ref(), count * width, buffer);
        let code = code_at(codes.ok_or_else(senseless)?, width, place);
        code.filter(|&code| code <= header.top()).ok_or_else(senseless).map(Some)
    }

    /// Reads the keys and codes of a block into the lists; `at` is the index of the layer in the
    /// header. Blocks are in ascending order of keys.
    ///
    /// # Errors
    /// If the block is damaged.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn read_block<B: AsRef<[u8]>>(
        &mut self,
        table: &Table<B>,
        at: usize,
        within: u64,
        keys: &mut Vec<u128>,
        codes: &mut Vec<u16>,
    ) -> Result<(), TableError> {
        let Self { decompressor, buffer, codes_buffer } = self;
        let layer = &table.header.layers[at];
        let (bytes, first, count) = table.block(layer, within)?;
        let senseless = || TableError::Inconsistent("a block of positions");
        let opened = BlockSections::new(bytes).ok_or_else(senseless)?;
        let [of_keys, of_codes] = &table.dictionaries[at];
        let text = opened.keys(decompressor, of_keys.as_ref(), count, buffer);
        keys.clear();
        decode_keys(first, count, text.ok_or_else(senseless)?, keys).ok_or_else(senseless)?;
        for key in keys.iter_mut() {
            *key = *key << layer.same_bits | table.same[at];
        }
        let width = table.header.width();
        let text = opened.codes(decompressor, of_codes.as_ref(), count * width, codes_buffer);
        codes.clear();
        unpack_codes(text.ok_or_else(senseless)?, width, codes);
        if codes.iter().any(|&code| code > table.header.top()) { Err(senseless()) } else { Ok(()) }
    }
}

impl Header {
    /// Decodes a code, in a file that stores values; `None` if there is no such code.
    #[must_use]
    pub fn value(&self, code: u16) -> Option<balpan::Value> {
        if self.subject.metric == Metric::Value { self.scale().value(code) } else { None }
    }

    /// Formats a code as a value or a nimber.
    #[must_use]
    pub fn code_name(&self, code: u16) -> String {
        match self.subject.metric {
            Metric::Nimber => code.to_string(),
            Metric::Value => self.value(code).map_or_else(|| code.to_string(), |value| value.to_string()),
        }
    }
}
