//! Solution files as oracles of an engine.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use balpan::{Oracle, Value};

use crate::format::codes::Metric;
use crate::probe::table::{ProbeBuffers, Prober, Table, TableError};
use crate::shards::Sharding;

/// Layers, from a file's highest down, at which a search from above first meets the file: a move
/// may skip some.
const MET_LAYERS: u32 = 8;

/// A strong solution or a book as an oracle of an [`Engine`](balpan::Engine).
///
/// Once damage is found, the file answers nothing more; [`damage`](Self::damage) returns what was
/// found.
pub struct FileOracle<B> {
    table: Table<B>,
    /// Idle buffers: each probe takes one and returns it.
    idle_buffers: Mutex<Vec<ProbeBuffers>>,
    damage: OnceLock<TableError>,
}

impl<B: AsRef<[u8]>> FileOracle<B> {
    /// Creates an oracle of all positions of the table.
    pub const fn new(table: Table<B>) -> Self {
        Self { table, idle_buffers: Mutex::new(Vec::new()), damage: OnceLock::new() }
    }

    /// The table.
    pub const fn table(&self) -> &Table<B> {
        &self.table
    }

    /// The first damage that a probe found.
    pub fn damage(&self) -> Option<&TableError> {
        self.damage.get()
    }

    fn code(&self, layer: u32, key: u128) -> Option<u16> {
        if self.damage().is_some() {
            return None;
        }
        let buffers = self.idle_buffers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let buffers = buffers.map_or_else(ProbeBuffers::new, Ok).ok()?;
        let mut prober = Prober { table: &self.table, buffers };
        let found = prober.probe(layer, key);
        self.idle_buffers.lock().unwrap_or_else(PoisonError::into_inner).push(prober.buffers);
        found.unwrap_or_else(|error| {
            // Only the first damage is kept.
            let _ = self.damage.set(error);
            None
        })
    }
}

impl<B: AsRef<[u8]> + Send + Sync> Oracle for FileOracle<B> {
    fn value(&self, layer: u32, key: u128) -> Option<Value> {
        if self.table.header().subject.metric != Metric::Value {
            return None;
        }
        self.table.header().value(self.code(layer, key)?)
    }

    fn nimber(&self, layer: u32, key: u128) -> Option<u32> {
        if self.table.header().subject.metric != Metric::Nimber {
            return None;
        }
        self.code(layer, key).map(u32::from)
    }

    fn uses_canonical_keys(&self) -> bool {
        self.table.header().subject.folded
    }

    fn should_probe_at(&self, layer: u32) -> bool {
        let highest = self.table.header().layers.first().map_or(0, |layer| layer.layer);
        layer <= highest && layer + MET_LAYERS > highest
    }
}

impl<B: AsRef<[u8]>> fmt::Debug for FileOracle<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileOracle").field("of", &self.table.header().subject).finish_non_exhaustive()
    }
}

/// Oracles that agree on whether positions are folded. The first one that has a position answers.
#[derive(Debug)]
pub(crate) struct OracleChain(pub(crate) Vec<Arc<dyn Oracle>>);

impl Oracle for OracleChain {
    fn value(&self, layer: u32, key: u128) -> Option<Value> {
        self.0.iter().find_map(|oracle| oracle.value(layer, key))
    }

    fn nimber(&self, layer: u32, key: u128) -> Option<u32> {
        self.0.iter().find_map(|oracle| oracle.nimber(layer, key))
    }

    fn uses_canonical_keys(&self) -> bool {
        self.0.first().is_some_and(|oracle| oracle.uses_canonical_keys())
    }

    /// True if it is true of all: one slow oracle (a remote one) makes probes slow.
    fn should_probe_at(&self, layer: u32) -> bool {
        self.0.iter().all(|oracle| oracle.should_probe_at(layer))
    }
}

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
