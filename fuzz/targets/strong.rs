//! Strong solutions: files of positions and their values, with keys and without.
#![no_main]

use balpan_strong::{Prober, Solution};
use libfuzzer_sys::fuzz_target;

/// Keys that are probed in every layer.
const KEYS: [u128; 6] = [0, 1, 0x1ff, 1 << 17, 1 << 100, u128::MAX];

fuzz_target!(|data: &[u8]| {
    let Ok(solution) = Solution::open(data) else { return };
    let header = solution.header();
    let _ = header.positions();
    for (code, _) in header.layers.iter().flat_map(|layer| &layer.counts) {
        let _ = header.code_name(*code);
    }
    for layer in &header.layers {
        for key in KEYS {
            let _ = solution.code(layer.layer, key);
        }
    }
    let Solution::Table(table) = &solution else { return };
    let (Ok(walk), Ok(mut prober)) = (table.walk(None), Prober::new()) else { return };
    for entry in walk {
        let Ok(entry) = entry else { break };
        // Blocks may overlap: a key need not be found, and probing it does no harm.
        let _ = prober.probe(table, entry.layer, entry.key);
    }
});
