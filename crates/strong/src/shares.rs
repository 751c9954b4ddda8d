//! Look-ups in a solution that is split into several files.

use std::fmt;

use balpan::{Oracle, Value};

use crate::known::FileOracle;
use crate::split::Split;
use crate::table::{Table, TableError};

/// What the files of some shares tell: a position is asked of the one whose share it is. If that is
/// not there, nothing is known of it.
pub(crate) struct Shares<B> {
    split: Split,
    files: Vec<Option<FileOracle<B>>>,
    /// The file with the highest layer, by its place.
    highest: usize,
}

impl<B: AsRef<[u8]>> Shares<B> {
    /// The shares that some files have, by their own account. Those that are shared out otherwise
    /// than the first, or are not shared out, are left out.
    pub(crate) fn new(tables: impl IntoIterator<Item = Table<B>>) -> Option<Self> {
        let mut tables = tables.into_iter().filter_map(|table| Some((table.header().share?, table))).peekable();
        let split = tables.peek()?.0.split;
        let mut files: Vec<Option<FileOracle<B>>> = (0..split.shares).map(|_| None).collect();
        for (share, table) in tables.filter(|(share, _)| share.split == split) {
            if let Some(place) = files.get_mut(share.number as usize) {
                *place = Some(FileOracle::new(table));
            }
        }
        let top =
            |file: &Option<FileOracle<B>>| file.as_ref()?.table().header().layers.first().map(|layer| layer.layer);
        let highest = (0..files.len()).max_by_key(|&at| top(&files[at]))?;
        Some(Self { split, files, highest })
    }

    fn of(&self, key: u128) -> Option<&FileOracle<B>> {
        self.files.get(self.split.of(key) as usize)?.as_ref()
    }

    /// The first that was read and is not as it was written, if anything was.
    pub(crate) fn damage(&self) -> Option<&TableError> {
        self.files.iter().flatten().find_map(FileOracle::damage)
    }
}

impl<B: AsRef<[u8]> + Send + Sync> Oracle for Shares<B> {
    fn value(&self, layer: u32, key: u128) -> Option<Value> {
        self.of(key)?.value(layer, key)
    }

    fn nimber(&self, layer: u32, key: u128) -> Option<u32> {
        self.of(key)?.nimber(layer, key)
    }

    fn uses_canonical_keys(&self) -> bool {
        self.files.iter().flatten().next().is_some_and(FileOracle::uses_canonical_keys)
    }

    fn should_probe_at(&self, layer: u32) -> bool {
        self.files[self.highest].as_ref().is_some_and(|file| file.should_probe_at(layer))
    }
}

impl<B> fmt::Debug for Shares<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shares").field("split", &self.split).finish_non_exhaustive()
    }
}
