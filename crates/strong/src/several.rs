//! Several oracles of one game, probed in order.

use std::sync::Arc;

use balpan::{Oracle, Value};

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
