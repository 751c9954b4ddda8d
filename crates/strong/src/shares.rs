//! Probing a solution whose positions are in several shards.

use std::fmt;

use balpan::{Oracle, Value};

use crate::known::FileOracle;
use crate::split::Sharding;
use crate::table::{Table, TableError};

/// The shards of one solution as one oracle. A position is probed in the shard that its key belongs
/// to; if that shard is missing, the position is unknown.
pub(crate) struct ShardOracle<B> {
    sharding: Sharding,
    files: Vec<Option<FileOracle<B>>>,
    /// The index of the shard with the highest layer.
    highest: usize,
}

impl<B: AsRef<[u8]>> ShardOracle<B> {
    /// Collects shards by the numbers in their headers. Files that are not shards, or belong to
    /// another sharding than the first, are left out. Returns `None` if none is left.
    pub(crate) fn new(tables: impl IntoIterator<Item = Table<B>>) -> Option<Self> {
        let mut tables = tables.into_iter().filter_map(|table| Some((table.header().shard?, table))).peekable();
        let sharding = tables.peek()?.0.sharding;
        let mut files: Vec<Option<FileOracle<B>>> = (0..sharding.shards).map(|_| None).collect();
        for (shard, table) in tables.filter(|(shard, _)| shard.sharding == sharding) {
            if let Some(place) = files.get_mut(shard.number as usize) {
                *place = Some(FileOracle::new(table));
            }
        }
        let top =
            |file: &Option<FileOracle<B>>| file.as_ref()?.table().header().layers.first().map(|layer| layer.layer);
        let highest = (0..files.len()).max_by_key(|&at| top(&files[at]))?;
        Some(Self { sharding, files, highest })
    }

    fn shard_of(&self, key: u128) -> Option<&FileOracle<B>> {
        self.files.get(self.sharding.shard_of(key) as usize)?.as_ref()
    }

    /// The first damage that a probe found.
    pub(crate) fn damage(&self) -> Option<&TableError> {
        self.files.iter().flatten().find_map(FileOracle::damage)
    }
}

impl<B: AsRef<[u8]> + Send + Sync> Oracle for ShardOracle<B> {
    fn value(&self, layer: u32, key: u128) -> Option<Value> {
        self.shard_of(key)?.value(layer, key)
    }

    fn nimber(&self, layer: u32, key: u128) -> Option<u32> {
        self.shard_of(key)?.nimber(layer, key)
    }

    fn uses_canonical_keys(&self) -> bool {
        self.files.iter().flatten().next().is_some_and(FileOracle::uses_canonical_keys)
    }

    fn should_probe_at(&self, layer: u32) -> bool {
        self.files[self.highest].as_ref().is_some_and(|file| file.should_probe_at(layer))
    }
}

impl<B> fmt::Debug for ShardOracle<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardOracle").field("split", &self.sharding).finish_non_exhaustive()
    }
}
