//! Positions of placement games: the same pieces or each their own, running out
//! or not.
#![no_main]

use balpan_fuzz::Variants;
use balpan_games::RulesFile;
use balpan_games::presets::preset;
use libfuzzer_sys::fuzz_target;

/// Each player has pieces of their own, some of which run out.
const PARTIZAN_SUPPLY: &str = r#"
family = "placement"
board = "3x4"
rotate = false
misere = true
supply = { A = 1, B = 15, D = 3 }
[left]
A = '###'
B = '#'
upright = '#/#'
[right]
D = '#/#/#'
flat = '##'
"#;

/// Pieces that run out, and one that does not.
const SOME_SUPPLY: &str = r#"
family = "placement"
board = "4x4"
reflect = false
supply = { L = 2, O = 1 }
[pieces]
L = '#./#./##'
O = '##/##'
domino = '##'
"#;

static VARIANTS: Variants = Variants::new(|| {
    let presets = ["blockgame", "cram", "domineering", "pentominoes"].map(|name| preset(name).expect("a preset"));
    let own = [PARTIZAN_SUPPLY, SOME_SUPPLY].map(|text| RulesFile::parse("fuzzed", text));
    presets.into_iter().chain(own).map(|rules| rules.expect("rules")).collect()
});

fuzz_target!(|data: &[u8]| VARIANTS.check(data));
