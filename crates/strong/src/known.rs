//! A file as an oracle of an engine.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use balpan::{Oracle, Value};

use crate::codes::Metric;
use crate::table::{ProbeBuffers, Prober, Table, TableError};

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
