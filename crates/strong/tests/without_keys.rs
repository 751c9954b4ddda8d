//! Solutions without keys: the same values, the same bytes, and nothing but errors of files that
//! are cut, changed, or made to lie.

use crate::common;

use std::fs;

use balpan::Watch;
use balpan_games::presets::preset;
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{
    BuildError, ExportError, Solution, Spend, Table, TableError, Tells, Values, export_values, other_values,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{PROLOGUE, cases, codes, file_of, forged, games, number, rules};

fn of(name: &str, board: &str) -> Vec<u8> {
    file_of(&rules(name, board, &[]), |_| {})
}

/// The same solution without its keys.
fn exported(bytes: &[u8], spend: Spend) -> Vec<u8> {
    let folder = common::folder();
    let output = folder.path().join("made.values");
    let said = export_values(&Table::open(bytes).unwrap(), &output, spend, &Watch::default()).unwrap();
    let made = fs::read(&output).unwrap();
    assert_eq!(&said, Values::open(&made[..]).unwrap().header());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    made
}

const PLENTY: Spend = Spend { memory: 64 << 20, threads: 2 };

/// Checks that all positions have the same codes, and returns the bits of each.
fn check(whole: &[u8], made: &[u8]) -> f64 {
    let (table, values) = (Table::open(whole).unwrap(), Values::open(made).unwrap());
    for ((layer, key), code) in codes(&table).unwrap() {
        assert_eq!(values.code(layer, key).unwrap(), Some(code), "layer {layer}, key {key:#x}");
    }
    other_values(&table, &values, |entry, code| panic!("{entry:?} {code:?}")).unwrap();
    let (old, new) = (table.header(), values.header());
    assert_eq!((&old.of, old.most, old.positions()), (&new.of, new.most, new.positions()));
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
        let whole = of(name, board);
        let bits = check(&whole, &exported(&whole, PLENTY));
        assert!(bits < most, "{name} {board}: {bits} bits");
    }
}

#[test]
fn bytes_are_the_same_whatever_the_way() {
    // Of more blocks than one, some of the layers.
    let whole = of("connect4", "4x4");
    let expected = exported(&whole, PLENTY);
    for (memory, threads) in [(1, 1), (1, 3), (300_000, 2), (64 << 20, 1)] {
        assert!(exported(&whole, Spend { memory, threads }) == expected, "{memory} bytes, {threads} threads");
    }
}

#[test]
fn layers_of_one_value_take_no_bits() {
    let whole = file_of(&preset("nim").unwrap().unwrap(), |_| {});
    let made = exported(&whole, PLENTY);
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
        let whole = file_of(&rules, |of| {
            of.folded = !unfolded;
        });
        check(&whole, &exported(&whole, PLENTY));
    }
}

/// All positions that play can reach within some plies, asked one by one.
struct Asked<'a>(&'a [u8], &'a [u8]);

impl Task for Asked<'_> {
    type Output = usize;

    fn run<G: Notation>(self, game: &G) -> usize {
        let [table, values] = [self.0, self.1].map(|bytes| Solution::open(bytes).unwrap());
        let (mut positions, mut asked) = (vec![game.start()], 0);
        for _ in 0..4 {
            let next = positions.iter().flat_map(|position| game.moves(position).map(|mv| game.play(position, mv)));
            let next: Vec<_> = next.collect();
            for position in &positions {
                let expected = table.code_of(game, position).unwrap();
                assert!(expected.is_some(), "{}", game.text(position));
                assert_eq!(values.code_of(game, position).unwrap(), expected, "{}", game.text(position));
            }
            asked += positions.len();
            positions = next;
        }
        asked
    }
}

#[test]
fn positions_are_asked_whichever_the_form() {
    for (name, board) in [("tictactoe", "3x3"), ("connect4", "4x4"), ("cram", "4x4"), ("platforms", "4x4")] {
        let whole = of(name, board);
        let made = exported(&whole, PLENTY);
        let asked = rules(name, board, &[]).game().unwrap().run(Asked(&whole, &made));
        assert!(asked > 10, "{name}: {asked}");
    }
}

#[test]
fn one_form_is_not_taken_for_the_other() {
    let whole = of("tictactoe", "3x3");
    let made = exported(&whole, PLENTY);
    assert_eq!(Table::open(&made[..]).err(), Some(TableError::NoKeys));
    assert_eq!(Values::open(&whole[..]).err(), Some(TableError::HasKeys));
    assert_eq!(Values::open(b"balpan").err(), Some(TableError::NoTable));
    assert!(matches!(Solution::open(&whole[..]), Ok(Solution::Table(_))));
    assert!(matches!(Solution::open(&made[..]), Ok(Solution::Values(_))));
    // The magic number alone is not what tells them apart.
    let mut renamed = forged(&made, |_, _| {});
    assert_eq!(read(&renamed, 0..50), read(&made, 0..50));
    renamed[7] = b's';
    assert!(Table::open(&renamed[..]).is_err());
}

#[test]
fn what_lacks_positions_keeps_its_keys() {
    for (tells, plies) in [(Tells::Nimber, None), (Tells::Value, Some(3))] {
        let lacking = forged(&of("cram", "3x3"), |header, _| {
            header["of"]["tells"] = serde_json::to_value(tells).unwrap();
            header["of"]["plies"] = json!(plies);
        });
        let folder = common::folder();
        let output = folder.path().join("made.values");
        let made = export_values(&Table::open(&lacking[..]).unwrap(), &output, PLENTY, &Watch::default());
        assert!(matches!(made, Err(ExportError::Incomplete)), "{made:?}");
    }
    let lying = forged(&exported(&of("cram", "3x3"), PLENTY), |header, _| header["of"]["tells"] = json!("nimber"));
    assert!(matches!(Values::open(&lying[..]).err(), Some(TableError::Senseless(_))));
}

#[test]
fn a_stopped_export_leaves_nothing() {
    let whole = of("connect4", "4x4");
    let folder = common::folder();
    let output = folder.path().join("made.values");
    let stopped = export_values(&Table::open(&whole[..]).unwrap(), &output, PLENTY, &Watch::with_limit(10_000));
    assert!(matches!(stopped, Err(ExportError::Build(BuildError::Stopped(_)))), "{stopped:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn tables_that_lie_are_not_exported() {
    let whole = of("tictactoe", "3x3");
    let lies: [fn(&mut Value); 3] = [
        |header| header["layers"][3]["counts"] = json!([[9, 38]]),
        |header| header["layers"][3]["counts"][0][0] = json!(3),
        |header| header["layers"][3]["counts"] = json!([[9, 37], [11, 1]]),
    ];
    for lie in lies {
        let lying = forged(&whole, |header, _| lie(header));
        let folder = common::folder();
        let output = folder.path().join("made.values");
        let made = export_values(&Table::open(&lying[..]).unwrap(), &output, PLENTY, &Watch::default());
        assert!(matches!(made, Err(ExportError::Table(TableError::Senseless(_)))), "{made:?}");
    }
}

/// Asks every layer for some keys.
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
fn cut_and_changed_files_are_errors() {
    let keys = || (0..3_000).chain([u128::MAX, 1 << 100]);
    for (name, board, step) in [("tictactoe", "3x3", 1), ("connect4", "4x4", 211)] {
        let made = exported(&of(name, board), PLENTY);
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
fn headers_that_lie_do_no_harm() {
    let made = exported(&of("tictactoe", "3x3"), PLENTY);
    let try_all = |bytes: &[u8]| drop(read(bytes, (0..20).chain([u128::MAX])));
    let numbers = || [0, 1, 2, 7, 127, 255, 4095, 4097, 1 << 16, 1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX];
    for number in numbers() {
        for field in ["key_bits", "most", "block", "index"] {
            try_all(&forged(&made, |header, _| header[field] = json!(number)));
        }
        for field in ["layer", "positions", "same_bits", "first_block"] {
            for place in [0, 3, 9] {
                try_all(&forged(&made, |header, _| header["layers"][place][field] = json!(number)));
            }
        }
        try_all(&forged(&made, |header, _| header["layers"][3]["counts"] = json!([[0, number], [3, 38]])));
    }
    for lengths in [json!([]), json!([0]), json!([1, 1]), json!([0, 0]), json!([33]), json!([255, 1]), Value::Null] {
        for place in 0..10 {
            try_all(&forged(&made, |header, _| header["layers"][place]["lengths"] = lengths.clone()));
        }
    }
    // A code that is not read back from its codewords, or is none.
    let refused = forged(&made, |header, _| header["layers"][3]["lengths"] = json!([1, 1, 1]));
    assert!(matches!(Values::open(&refused[..]).err(), Some(TableError::Senseless(_))));
    let refused = forged(&made, |header, _| header["layers"][0]["counts"] = json!([[60_000, 1]]));
    assert!(matches!(Values::open(&refused[..]).err(), Some(TableError::Senseless(_))));
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn blocks_that_lie_do_no_harm(block in 0..8_usize, begin in prop_oneof![0..2_000_u64, any::<u64>()], byte in any::<u8>()) {
        let made = exported(&of("tictactoe", "3x3"), Spend { threads: 1, ..PLENTY });
        let lying = forged(&made, |header, body| {
            let index = header["index"].as_u64().unwrap() as usize;
            let at = index + 14 * block;
            if at + 14 > body.len() {
                return;
            }
            body[at..at + 6].copy_from_slice(&begin.to_le_bytes()[..6]);
            body[PROLOGUE] = byte;
            let ends = number(&[&body[at + 14..], &[0; 8][..]].concat()) & ((1 << 48) - 1);
            let Some(bytes) = body.get(begin as usize..ends.max(1)) else { return };
            let mut seed = [0; 24];
            seed[..8].copy_from_slice(&(block as u64).to_le_bytes());
            let checksum = xxhash_rust::xxh3::xxh3_64_with_seed(bytes, xxhash_rust::xxh3::xxh3_64(&seed));
            body[at + 6..at + 14].copy_from_slice(&checksum.to_le_bytes());
        });
        let _ = read(&lying, 0..50);
    }
}

/// Rules that any file here is of.
#[test]
fn what_a_file_is_of_can_be_read() {
    let made = exported(&of("connect4", "4x4"), PLENTY);
    let values = Values::open(&made[..]).unwrap();
    let of = &values.header().of;
    let game = RulesFile::parse(&of.game, &of.rules).unwrap().game_at(&of.starts[0]).unwrap();
    assert_eq!(game.size(), of.size);
}
