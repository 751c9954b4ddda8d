//! Solutions without keys have the same values; their bytes do not depend on memory or threads;
//! truncated, changed and forged files cause errors only.

use crate::common;

use std::fs;

use balpan::{Budget, Watch};
use balpan_games::presets::preset;
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{
    BuildError, ExportError, Metric, Solution, Table, TableError, Values, export_values, value_differences,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{PROLOGUE_BYTES, build_preset, cases, codes, forge, games, number, rules};

fn solve(name: &str, board: &str) -> Vec<u8> {
    build_preset(&rules(name, board, &[]), |_| {})
}

/// Exports a solution without its keys.
fn export(bytes: &[u8], budget: Budget) -> Vec<u8> {
    let folder = common::folder();
    let output = folder.path().join("made.values");
    let header = export_values(&Table::open(bytes).unwrap(), &output, budget, &Watch::default()).unwrap();
    let made = fs::read(&output).unwrap();
    assert_eq!(&header, Values::open(&made[..]).unwrap().header());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    made
}

const AMPLE: Budget = Budget { memory: 64 << 20, threads: 2 };

/// Checks that all positions have the same codes, and returns the bits a position.
fn check(whole: &[u8], made: &[u8]) -> f64 {
    let (table, values) = (Table::open(whole).unwrap(), Values::open(made).unwrap());
    for ((layer, key), code) in codes(&table).unwrap() {
        assert_eq!(values.code(layer, key).unwrap(), Some(code), "layer {layer}, key {key:#x}");
    }
    value_differences(&table, &values, |entry, code| panic!("{entry:?} {code:?}")).unwrap();
    let (old, new) = (table.header(), values.header());
    assert_eq!((&old.subject, old.max_plies, old.positions()), (&new.subject, new.max_plies, new.positions()));
    for (old, new) in old.layers.iter().zip(&new.layers) {
        assert_eq!((old.layer, old.positions, &old.counts), (new.layer, new.positions, &new.counts));
    }
    8.0 * values.bytes() as f64 / old.positions() as f64
}

#[test]
fn all_positions_have_the_same_values() {
    for (name, board, most) in [
        ("tictactoe", "3x3", f64::MAX),
        ("connect4", "4x4", 2.6),
        ("platforms", "3x4", f64::MAX),
        ("domineering", "4x4", f64::MAX),
    ] {
        let whole = solve(name, board);
        let bits = check(&whole, &export(&whole, AMPLE));
        assert!(bits < most, "{name} {board}: {bits} bits");
    }
}

#[test]
fn bytes_depend_on_no_resources() {
    // Some layers have several blocks.
    let whole = solve("connect4", "4x4");
    let expected = export(&whole, AMPLE);
    for (memory, threads) in [(1, 1), (1, 3), (300_000, 2), (64 << 20, 1)] {
        assert!(export(&whole, Budget { memory, threads }) == expected, "{memory} bytes, {threads} threads");
    }
}

#[test]
fn layers_of_one_value_take_no_bits() {
    let whole = build_preset(&preset("nim").unwrap().unwrap(), |_| {});
    let made = export(&whole, AMPLE);
    check(&whole, &made);
    let values = Values::open(&made[..]).unwrap();
    for layer in values.header().layers.iter().filter(|layer| layer.counts.len() == 1) {
        let only = layer.counts[0].0;
        assert_eq!(values.code(layer.layer, u128::MAX).unwrap(), Some(only));
    }
    assert_eq!(values.code(1000, 0).unwrap(), None);
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn any_game_keeps_its_values(rules in games(), unfolded in any::<bool>()) {
        struct Small;

        impl Task for Small {
            type Output = bool;

            fn run<G: Notation>(self, game: &G) -> bool {
                (1..64).contains(&game.key_bits()) && game.layer(&game.start()).is_some_and(|layer| layer <= 12)
            }
        }

        let Ok(game) = rules.game() else { return Ok(()) };
        prop_assume!(game.run(Small));
        let whole = build_preset(&rules, |solve| {
            solve.folded = !unfolded;
        });
        check(&whole, &export(&whole, AMPLE));
    }
}

/// Probes all positions within some plies in both forms.
struct ProbeAll<'a>(&'a [u8], &'a [u8]);

impl Task for ProbeAll<'_> {
    type Output = usize;

    fn run<G: Notation>(self, game: &G) -> usize {
        let [table, values] = [self.0, self.1].map(|bytes| Solution::open(bytes).unwrap());
        let (mut positions, mut probed) = (vec![game.start()], 0);
        for _ in 0..4 {
            let next = positions.iter().flat_map(|position| game.moves(position).map(|mv| game.play(position, mv)));
            let next: Vec<_> = next.collect();
            for position in &positions {
                let expected = table.code_of(game, position).unwrap();
                assert!(expected.is_some(), "{}", game.text(position));
                assert_eq!(values.code_of(game, position).unwrap(), expected, "{}", game.text(position));
            }
            probed += positions.len();
            positions = next;
        }
        probed
    }
}

#[test]
fn both_forms_give_the_same_codes() {
    for (name, board) in [("tictactoe", "3x3"), ("connect4", "4x4"), ("cram", "4x4"), ("platforms", "4x4")] {
        let whole = solve(name, board);
        let made = export(&whole, AMPLE);
        let probed = rules(name, board, &[]).game().unwrap().run(ProbeAll(&whole, &made));
        assert!(probed > 10, "{name}: {probed}");
    }
}

#[test]
fn each_form_is_rejected_as_the_other() {
    let whole = solve("tictactoe", "3x3");
    let made = export(&whole, AMPLE);
    assert_eq!(Table::open(&made[..]).err(), Some(TableError::NoKeys));
    assert_eq!(Values::open(&whole[..]).err(), Some(TableError::HasKeys));
    assert_eq!(Values::open(b"balpan").err(), Some(TableError::NotASolution));
    assert!(matches!(Solution::open(&whole[..]), Ok(Solution::Table(_))));
    assert!(matches!(Solution::open(&made[..]), Ok(Solution::Values(_))));
    // A changed magic number does not turn one form into the other.
    let mut renamed = forge(&made, |_, _| {});
    assert_eq!(read(&renamed, 0..50), read(&made, 0..50));
    renamed[7] = b's';
    assert!(Table::open(&renamed[..]).is_err());
}

#[test]
fn incomplete_solutions_are_not_exported() {
    for (metric, plies) in [(Metric::Nimber, None), (Metric::Value, Some(3))] {
        let lacking = forge(&solve("cram", "3x3"), |header, _| {
            header["of"]["tells"] = serde_json::to_value(metric).unwrap();
            header["of"]["plies"] = json!(plies);
        });
        let folder = common::folder();
        let output = folder.path().join("made.values");
        let made = export_values(&Table::open(&lacking[..]).unwrap(), &output, AMPLE, &Watch::default());
        assert!(matches!(made, Err(ExportError::Incomplete)), "{made:?}");
    }
    let inconsistent =
        forge(&export(&solve("cram", "3x3"), AMPLE), |header, _| header["of"]["tells"] = json!("nimber"));
    assert!(matches!(Values::open(&inconsistent[..]).err(), Some(TableError::Inconsistent(_))));
}

#[test]
fn a_stopped_export_leaves_nothing() {
    let whole = solve("connect4", "4x4");
    let folder = common::folder();
    let output = folder.path().join("made.values");
    let stopped = export_values(&Table::open(&whole[..]).unwrap(), &output, AMPLE, &Watch::with_limit(10_000));
    assert!(matches!(stopped, Err(ExportError::Build(BuildError::Stopped(_)))), "{stopped:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn inconsistent_tables_are_not_exported() {
    let whole = solve("tictactoe", "3x3");
    let lies: [fn(&mut Value); 3] = [
        |header| header["layers"][3]["counts"] = json!([[9, 38]]),
        |header| header["layers"][3]["counts"][0][0] = json!(3),
        |header| header["layers"][3]["counts"] = json!([[9, 37], [11, 1]]),
    ];
    for lie in lies {
        let inconsistent = forge(&whole, |header, _| lie(header));
        let folder = common::folder();
        let output = folder.path().join("made.values");
        let made = export_values(&Table::open(&inconsistent[..]).unwrap(), &output, AMPLE, &Watch::default());
        assert!(matches!(made, Err(ExportError::Table(TableError::Inconsistent(_)))), "{made:?}");
    }
}

/// Probes some keys in every layer.
fn read(bytes: &[u8], keys: impl Iterator<Item = u128> + Clone) -> Result<(), TableError> {
    let values = Values::open(bytes)?;
    for layer in &values.header().layers {
        for key in keys.clone() {
            if let Some(code) = values.code(layer.layer, key)? {
                let _ = values.header().code_name(code);
            }
        }
    }
    Ok(())
}

#[test]
fn truncated_and_changed_files_are_rejected() {
    let keys = || (0..3_000).chain([u128::MAX, 1 << 100]);
    for (name, board, step) in [("tictactoe", "3x3", 1), ("connect4", "4x4", 211)] {
        let made = export(&solve(name, board), AMPLE);
        read(&made, keys()).unwrap();
        for length in (0..made.len()).step_by(step) {
            assert!(Values::open(&made[..length]).is_err(), "{length}");
        }
        assert!(Values::open([&made[..], b"\0"].concat()).is_err());
        for place in (0..made.len()).step_by(step) {
            let mut changed = made.clone();
            changed[place] ^= 1 << (place % 8);
            assert!(read(&changed, keys()).is_err(), "byte {place}");
        }
    }
}

#[test]
fn forged_headers_cause_errors_only() {
    let made = export(&solve("tictactoe", "3x3"), AMPLE);
    let try_all = |bytes: &[u8]| drop(read(bytes, (0..20).chain([u128::MAX])));
    let numbers = || [0, 1, 2, 7, 127, 255, 4095, 4097, 1 << 16, 1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX];
    for number in numbers() {
        for field in ["key_bits", "most", "block", "index"] {
            try_all(&forge(&made, |header, _| header[field] = json!(number)));
        }
        for field in ["layer", "positions", "same_bits", "first_block"] {
            for place in [0, 3, 9] {
                try_all(&forge(&made, |header, _| header["layers"][place][field] = json!(number)));
            }
        }
        try_all(&forge(&made, |header, _| header["layers"][3]["counts"] = json!([[0, number], [3, 38]])));
    }
    for lengths in [json!([]), json!([0]), json!([1, 1]), json!([0, 0]), json!([33]), json!([255, 1]), Value::Null] {
        for place in 0..10 {
            try_all(&forge(&made, |header, _| header["layers"][place]["lengths"] = lengths.clone()));
        }
    }
    // An incomplete prefix code, and a code above the highest.
    let refused = forge(&made, |header, _| header["layers"][3]["lengths"] = json!([1, 1, 1]));
    assert!(matches!(Values::open(&refused[..]).err(), Some(TableError::Inconsistent(_))));
    let refused = forge(&made, |header, _| header["layers"][0]["counts"] = json!([[60_000, 1]]));
    assert!(matches!(Values::open(&refused[..]).err(), Some(TableError::Inconsistent(_))));
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn forged_blocks_cause_errors_only(block in 0..8_usize, begin in prop_oneof![0..2_000_u64, any::<u64>()], byte in any::<u8>()) {
        let made = export(&solve("tictactoe", "3x3"), Budget { threads: 1, ..AMPLE });
        let inconsistent = forge(&made, |header, body| {
            let index = header["index"].as_u64().unwrap() as usize;
            let at = index + 14 * block;
            if at + 14 > body.len() {
                return;
            }
            body[at..at + 6].copy_from_slice(&begin.to_le_bytes()[..6]);
            body[PROLOGUE_BYTES] = byte;
            let ends = number(&[&body[at + 14..], &[0; 8][..]].concat()) & ((1 << 48) - 1);
            let Some(bytes) = body.get(begin as usize..ends.max(1)) else { return };
            let mut seed = [0; 24];
            seed[..8].copy_from_slice(&(block as u64).to_le_bytes());
            let checksum = xxhash_rust::xxh3::xxh3_64_with_seed(bytes, xxhash_rust::xxh3::xxh3_64(&seed));
            body[at + 6..at + 14].copy_from_slice(&checksum.to_le_bytes());
        });
        let _ = read(&inconsistent, 0..50);
    }
}

/// The subject in a header suffices to load the game.
#[test]
fn the_subject_loads_the_game() {
    let made = export(&solve("connect4", "4x4"), AMPLE);
    let values = Values::open(&made[..]).unwrap();
    let subject = &values.header().subject;
    let game = RulesFile::parse(&subject.game, &subject.rules).unwrap().game_at(&subject.starts[0]).unwrap();
    assert_eq!(game.size(), subject.size);
}
