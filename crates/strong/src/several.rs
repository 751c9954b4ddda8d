//! Several files of one game, asked one after the other.

use std::sync::Arc;

use balpan::{Oracle, Value};

/// Oracles that agree on whether positions are folded. The first that knows a position is taken.
#[derive(Debug)]
pub(crate) struct Several(pub(crate) Vec<Arc<dyn Oracle>>);

impl Oracle for Several {
    fn value(&self, layer: u32, key: u128) -> Option<Value> {
        self.0.iter().find_map(|known| known.value(layer, key))
    }

    fn nimber(&self, layer: u32, key: u128) -> Option<u32> {
        self.0.iter().find_map(|known| known.nimber(layer, key))
    }

    fn uses_canonical_keys(&self) -> bool {
        self.0.first().is_some_and(|known| known.uses_canonical_keys())
    }

    /// If all say so: one that is slow to answer says no.
    fn should_probe_at(&self, layer: u32) -> bool {
        self.0.iter().all(|known| known.should_probe_at(layer))
    }
}
