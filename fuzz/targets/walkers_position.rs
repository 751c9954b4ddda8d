//! Positions of walkers games: shared tiles or not, edges joined or not.
#![no_main]

use balpan_fuzz::Variants;
use balpan_games::RulesFile;
use libfuzzer_sys::fuzz_target;

static VARIANTS: Variants = Variants::new(|| {
    let mut variants = Vec::new();
    for steps in ["\"orthogonal\"", "\"king\"", "\"queen\"", "[[1, 2], [-1, -2], [0, 3], [7, -63]]"] {
        for share in [true, false] {
            for torus in [true, false] {
                let text =
                    format!("family = \"walkers\"\nboard = \"3x4\"\nsteps = {steps}\nshare = {share}\ntorus = {torus}");
                variants.push(RulesFile::parse("fuzzed", &text).expect("rules"));
            }
        }
    }
    variants
});

fuzz_target!(|data: &[u8]| VARIANTS.check(data));
