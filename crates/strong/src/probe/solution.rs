//! A solution file of either form, probed by position.

use std::fs::File;
use std::io;
use std::path::Path;

use balpan::Game;
use memmap2::Mmap;

use crate::build::start_keys;
use crate::build::successors::position_keys;
use crate::format::codes::Metric;
use crate::format::header::{Form, Header};
use crate::probe::table::{Prober, Table, TableError};
use crate::probe::values::Values;
use crate::verify::VerifyError;

/// A strong solution, with keys or without.
#[derive(Debug)]
pub enum Solution<B> {
    /// With keys: it knows which positions it has.
    Table(Table<B>),
    /// Without keys: a position that it does not have gets an arbitrary code.
    Values(Values<B>),
}

impl<B: AsRef<[u8]>> Solution<B> {
    /// Opens a file of either form.
    ///
    /// # Errors
    /// The errors of [`Table::open`] and [`Values::open`].
    pub fn open(bytes: B) -> Result<Self, TableError> {
        match Form::detect(bytes.as_ref()) {
            Some(Form::Values) => Values::open(bytes).map(Self::Values),
            _ => Table::open(bytes).map(Self::Table),
        }
    }

    /// The header.
    pub const fn header(&self) -> &Header {
        match self {
            Self::Table(table) => table.header(),
            Self::Values(values) => values.header(),
        }
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Table(table) => table.bytes(),
            Self::Values(values) => values.bytes(),
        }
    }

    /// Returns the code of the position of this layer and key; `None` if it is not in the file.
    /// Without keys, an absent position gets an arbitrary code.
    ///
    /// # Errors
    /// If the block is damaged.
    pub fn code(&self, layer: u32, key: u128) -> Result<Option<u16>, TableError> {
        match self {
            Self::Table(table) => Prober::new()?.probe(table, layer, key),
            Self::Values(values) => values.code(layer, key),
        }
    }

    /// Returns the code of a position of the subject's game; for nimbers, the nimber of the sum of
    /// its parts. `None` if the position, or a part of it, is not in the file. Without keys, an
    /// absent position gets an arbitrary code. With nimbers, parts are stored in the forms in which
    /// play splits them off: an equal part in another form may be absent.
    ///
    /// # Errors
    /// If what is read is not as it was written, or if the game has no keys or no layers.
    pub fn code_of<G: Game>(&self, game: &G, position: &G::Position) -> Result<Option<u16>, VerifyError> {
        let subject = &self.header().subject;
        let scheme = subject.scheme();
        start_keys(game, &[], scheme)?;
        let mut keys = Vec::new();
        position_keys(game, scheme, position, &mut Vec::new(), |layer, key| keys.push((layer, key)))?;
        let mut sum = 0;
        for (layer, key) in keys {
            let Some(code) = self.code(layer, key)? else { return Ok(None) };
            match subject.metric {
                Metric::Value => sum = code,
                Metric::Nimber => sum ^= code,
            }
        }
        Ok(Some(sum))
    }
}

/// Maps a file into memory and opens it by `open`: [`Table::open`](crate::Table::open) or
/// [`Solution::open`](crate::Solution::open). The inner result is that of `open`.
///
/// # Errors
/// If the file cannot be opened or mapped.
#[expect(unsafe_code, reason = "a file is mapped")]
pub fn map_file<T>(path: &Path, open: impl FnOnce(Mmap) -> Result<T, TableError>) -> io::Result<Result<T, TableError>> {
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        // An empty file cannot be mapped.
        return Ok(Err(TableError::NotASolution));
    }
    // SAFETY: the bytes change only if another process overwrites the file in place, which `balpan
    // build` never does: it writes a temporary file and renames it. All that is read is checked
    // when it is read.
    let map_file = unsafe { Mmap::map(&file) }?;
    Ok(open(map_file))
}
