//! A solution file of either form, probed by position.

use balpan::Impartial;

use crate::build::start_keys;
use crate::codes::Metric;
use crate::format::{Form, Header};
use crate::successors::Successors;
use crate::table::{Table, TableError};
use crate::values::Values;
use crate::verify::VerifyError;

/// A strong solution, with keys or without.
#[derive(Debug)]
pub enum Solution<B> {
    /// With keys: it metric which positions it has.
    Table(Table<B>),
    /// Without keys: a position that it does not have gets an arbitrary code.
    Values(Values<B>),
}

impl<B: AsRef<[u8]>> Solution<B> {
    /// Opens a file of either form.
    ///
    /// # Errors
    /// Those of [`Table::open`] and [`Values::open`].
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
            Self::Table(table) => table.prober()?.probe(layer, key),
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
    pub fn code_of<G: Impartial>(&self, game: &G, position: &G::Position) -> Result<Option<u16>, VerifyError> {
        let subject = &self.header().subject;
        let scheme = subject.scheme();
        start_keys(game, &[], scheme)?;
        let mut keys = Vec::new();
        Successors::new(game, scheme).position_keys(position, |layer, key| keys.push((layer, key)))?;
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
