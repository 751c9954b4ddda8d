//! Positions of lines games: falling marks or not, shared or not, overlines
//! counting or not.
#![no_main]

use balpan_fuzz::Variants;
use balpan_games::RulesFile;
use libfuzzer_sys::fuzz_target;

static VARIANTS: Variants = Variants::new(|| {
    let mut variants = Vec::new();
    for (board, k) in [("3x3", 3), ("6x7", 4), ("1x9", 2), ("4x4", 1)] {
        for gravity in [true, false] {
            for marks in ["own", "shared"] {
                for overlines in [true, false] {
                    let text = format!(
                        "family = \"lines\"\nboard = \"{board}\"\nk = {k}\ngravity = {gravity}\nmarks = \
                         \"{marks}\"\noverlines = {overlines}\nmisere = {}",
                        !overlines
                    );
                    variants.push(RulesFile::parse("fuzzed", &text).expect("rules"));
                }
            }
        }
    }
    variants
});

fuzz_target!(|data: &[u8]| VARIANTS.check(data));
