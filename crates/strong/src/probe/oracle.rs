//! Solution files as oracles of an engine.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use balpan::{Oracle, Value};

use crate::format::codes::Metric;
use crate::format::header::Header;
use crate::probe::table::{Prober, Table, TableError};
use crate::shards::Sharding;

/// Layers, from a file's highest down, at which a search from above first meets the file: a move
/// may skip some.
const MET_LAYERS: u32 = 8;

/// A strong solution or a book as an oracle of an [`Engine`](balpan::Engine): one file, or the shards of a solution. A
/// position is probed in the shard that its key belongs to; if that shard is missing, the position is unknown.
///
/// Once damage is found, the file answers nothing more; [`damage`](Self::damage) returns what was
/// found.
pub struct FileOracle<B> {
    /// The files by the numbers of their shards.
    files: Vec<Option<SolutionFile<B>>>,
    sharding: Sharding,
    /// The index of the file with the highest layer.
    highest: usize,
    /// Idle probers: each probe takes one and returns it.
    idle_probers: Mutex<Vec<Prober>>,
}

struct SolutionFile<B> {
    table: Table<B>,
    damage: OnceLock<TableError>,
}

impl<B: AsRef<[u8]>> FileOracle<B> {
    /// Creates an oracle of all positions of the table.
    pub fn new(table: Table<B>) -> Self {
        let files = vec![Some(SolutionFile { table, damage: OnceLock::new() })];
        Self { files, sharding: Sharding { shards: 1, shift: 0 }, highest: 0, idle_probers: Mutex::default() }
    }

    /// Collects shards by the numbers in their headers. Files that are not shards, or belong to
    /// another sharding than the first, are left out. Returns `None` if none is left.
    pub(crate) fn with_shards(tables: impl IntoIterator<Item = Table<B>>) -> Option<Self> {
        let mut tables = tables.into_iter().filter_map(|table| Some((table.header().shard?, table))).peekable();
        let sharding = tables.peek()?.0.sharding;
        let mut files: Vec<_> = (0..sharding.shards).map(|_| None).collect();
        for (shard, table) in tables.filter(|(shard, _)| shard.sharding == sharding) {
            if let Some(place) = files.get_mut(shard.number as usize) {
                *place = Some(SolutionFile { table, damage: OnceLock::new() });
            }
        }
        let highest = (0..files.len()).max_by_key(|&at| files[at].as_ref().map(SolutionFile::highest_layer))?;
        Some(Self { files, sharding, highest, idle_probers: Mutex::default() })
    }

    /// The header of the file with the highest layer.
    pub(crate) fn header(&self) -> Option<&Header> {
        self.files[self.highest].as_ref().map(|file| file.table.header())
    }

    /// Whether there is one file only, with all positions.
    pub(crate) const fn is_whole(&self) -> bool {
        self.sharding.shards == 1
    }

    /// The first damage that a probe found.
    pub fn damage(&self) -> Option<&TableError> {
        self.files.iter().flatten().find_map(|file| file.damage.get())
    }

    /// Probes the file that has the position. Also returns its header.
    fn code(&self, metric: Metric, layer: u32, key: u128) -> Option<(&Header, u16)> {
        let file = self.files.get(self.sharding.shard_of(key) as usize)?.as_ref()?;
        let header = file.table.header();
        if header.subject.metric != metric || file.damage.get().is_some() {
            return None;
        }
        let idle = self.idle_probers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut prober = idle.map_or_else(Prober::new, Ok).ok()?;
        let found = prober.probe(&file.table, layer, key);
        self.idle_probers.lock().unwrap_or_else(PoisonError::into_inner).push(prober);
        let code = found.unwrap_or_else(|error| {
            // Only the first damage is kept.
            let _ = file.damage.set(error);
            None
        });
        code.map(|code| (header, code))
    }
}

impl<B: AsRef<[u8]>> SolutionFile<B> {
    fn highest_layer(&self) -> u32 {
        self.table.header().layers.first().map_or(0, |layer| layer.layer)
    }
}

impl<B: AsRef<[u8]> + Send + Sync> Oracle for FileOracle<B> {
    fn value(&self, layer: u32, key: u128) -> Option<Value> {
        let (header, code) = self.code(Metric::Value, layer, key)?;
        header.value(code)
    }

    fn nimber(&self, layer: u32, key: u128) -> Option<u32> {
        self.code(Metric::Nimber, layer, key).map(|(_, code)| code.into())
    }

    fn uses_canonical_keys(&self) -> bool {
        self.header().is_some_and(|header| header.subject.folded)
    }

    fn should_probe_at(&self, layer: u32) -> bool {
        let highest = self.files[self.highest].as_ref().map_or(0, SolutionFile::highest_layer);
        layer <= highest && layer + MET_LAYERS > highest
    }
}

impl<B: AsRef<[u8]>> fmt::Debug for FileOracle<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = self.header().map(|header| &header.subject);
        f.debug_struct("FileOracle").field("of", &subject).finish_non_exhaustive()
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
