//! A file as an oracle of an engine.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use balpan::{Oracle, Value};

use crate::codes::Tells;
use crate::table::{Lookup, LookupRoom, Table, TableError};

/// The number of layers below the highest that searches from above ask about: a move
/// may pass some over.
const MET: u32 = 8;

/// A strong solution or a book as an oracle of an [`Engine`](balpan::Engine).
///
/// A file that turns out to be damaged tells nothing from then on; [`damage`](Self::damage) says
/// what is wrong with it.
pub struct FileOracle<B> {
    table: Table<B>,
    /// The rooms that nobody works in.
    rooms: Mutex<Vec<LookupRoom>>,
    damage: OnceLock<TableError>,
}

impl<B: AsRef<[u8]>> FileOracle<B> {
    /// All that the table has.
    pub const fn new(table: Table<B>) -> Self {
        Self { table, rooms: Mutex::new(Vec::new()), damage: OnceLock::new() }
    }

    /// The table.
    pub const fn table(&self) -> &Table<B> {
        &self.table
    }

    /// The first that was read and is not as it was written, if anything was.
    pub fn damage(&self) -> Option<&TableError> {
        self.damage.get()
    }

    fn code(&self, layer: u32, key: u128) -> Option<u16> {
        if self.damage().is_some() {
            return None;
        }
        let room = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let room = room.map_or_else(LookupRoom::new, Ok).ok()?;
        let mut lookup = Lookup { table: &self.table, room };
        let found = lookup.code(layer, key);
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).push(lookup.room);
        found.unwrap_or_else(|error| {
            // The first that was found is kept.
            let _ = self.damage.set(error);
            None
        })
    }
}

impl<B: AsRef<[u8]> + Send + Sync> Oracle for FileOracle<B> {
    fn value(&self, layer: u32, key: u128) -> Option<Value> {
        if self.table.header().of.tells != Tells::Value {
            return None;
        }
        self.table.header().value(self.code(layer, key)?)
    }

    fn nimber(&self, layer: u32, key: u128) -> Option<u32> {
        if self.table.header().of.tells != Tells::Nimber {
            return None;
        }
        self.code(layer, key).map(u32::from)
    }

    fn uses_canonical_keys(&self) -> bool {
        self.table.header().of.folded
    }

    fn should_probe_at(&self, layer: u32) -> bool {
        let highest = self.table.header().layers.first().map_or(0, |layer| layer.layer);
        layer <= highest && layer + MET > highest
    }
}

impl<B: AsRef<[u8]>> fmt::Debug for FileOracle<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileOracle").field("of", &self.table.header().of).finish_non_exhaustive()
    }
}
