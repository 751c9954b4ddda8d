//! Truncated, changed and forged files cause errors, never a panic or a wrong value.

use std::collections::BTreeMap;

use balpan::{Budget, Game, Watch};
use balpan_games::lines::Lines;
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{
    Difference, Entry, Metric, Mismatch, MismatchKind, Prober, Subject, Table, TableError, Tablebase, VerifyError,
    differences, verify, verify_sample,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::common::{MIN_MEMORY, PROLOGUE_BYTES, build_preset, cases, codes, forge, number, rules};

const BUDGET: Budget = Budget { memory: MIN_MEMORY, threads: 2 };

fn tictactoe() -> Vec<u8> {
    build_preset(&rules("tictactoe", "3x3", &[]), |_| {})
}

/// Opens a file and reads all of it.
fn read(bytes: &[u8]) -> Result<BTreeMap<(u32, u128), u16>, TableError> {
    codes(&Table::open(bytes)?)
}

#[test]
fn truncated_files_are_rejected() {
    let whole = tictactoe();
    read(&whole).unwrap();
    for length in 0..whole.len() {
        assert!(Table::open(&whole[..length]).is_err(), "{length}");
    }
    assert_eq!(Table::open([]).err(), Some(TableError::NotASolution));
    let cut = Table::open(&whole[..whole.len() - 1]).err();
    assert_eq!(cut, Some(TableError::WrongLength { expected: whole.len() as u64, found: whole.len() as u64 - 1 }));
    assert!(Table::open([&whole[..], b"\0"].concat()).is_err());
}

#[test]
fn changed_files_are_rejected() {
    let large = build_preset(&rules("connect4", "4x4", &[]), |subject| subject.folded = false);
    let header = Table::open(&large[..]).unwrap().header().clone();
    assert!(header.layers.iter().any(|layer| layer.positions > 20_000), "too small for dictionaries");
    for (whole, step) in [(tictactoe(), 1), (large.clone(), large.len() / 150)] {
        for place in (0..whole.len()).step_by(step) {
            let mut changed = whole.clone();
            changed[place] ^= 1 << (place % 8);
            assert!(read(&changed).is_err(), "byte {place}");
        }
    }
}

/// Runs every operation on a file: each must end without a panic.
fn try_all(bytes: &[u8], rules: &RulesFile) {
    struct Try<'a>(&'a Table<&'a [u8]>);

    impl Task for Try<'_> {
        type Output = ();

        fn run<G: Notation>(self, game: &G) {
            let (starts, watch) = ([game.start()], Watch::default());
            let _ = verify(game, &starts, self.0, BUDGET, &watch);
            let _ = verify_sample(game, &starts, self.0, None, &watch);
            let _ = verify_sample(game, &starts, self.0, Some((20, 1)), &watch);
        }
    }

    let Ok(table) = Table::open(bytes) else { return };
    let header = table.header();
    let _ = header.positions();
    for layer in &header.layers {
        layer.counts.iter().for_each(|&(code, _)| drop(header.code_name(code)));
    }
    let _ = codes(&table);
    let mut prober = Prober::new().unwrap();
    for layer in 0..12 {
        for key in [0, 1, 0x1ff, 1 << 17, u128::MAX] {
            let _ = prober.probe(&table, layer, key);
        }
    }
    rules.game().unwrap().run(Try(&table));
}

#[test]
fn forged_headers_cause_errors_only() {
    let whole = tictactoe();
    assert_eq!(read(&forge(&whole, |_, _| {})), read(&whole));
    let own = rules("tictactoe", "3x3", &[]);
    let numbers = || [0, 1, 2, 7, 127, 128, 255, 767, 769, 1 << 16, 1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX];
    for field in ["key_bits", "most", "block", "index"] {
        for number in numbers() {
            try_all(&forge(&whole, |header, _| header[field] = json!(number)), &own);
        }
    }
    for field in ["layer", "positions", "same_bits", "first_block"] {
        for (place, number) in [0, 1, 9].into_iter().flat_map(|place| numbers().map(|number| (place, number))) {
            try_all(&forge(&whole, |header, _| header["layers"][place][field] = json!(number)), &own);
        }
    }
    // More blocks, and more positions, than 64 bits can count.
    for (block, positions) in [(1_u64, u64::MAX), (1, 1 << 63), (2, u64::MAX), (1 << 16, u64::MAX)] {
        let lie = |header: &mut Value, _: &mut Vec<u8>| {
            header["block"] = json!(block);
            let blocks = positions.div_ceil(block);
            for (place, begin) in [0, blocks].into_iter().chain(std::iter::repeat(u64::MAX)).take(10).enumerate() {
                header["layers"][place]["positions"] = json!(positions);
                header["layers"][place]["first_block"] = json!(begin);
            }
        };
        try_all(&forge(&whole, lie), &own);
    }
    for number in numbers() {
        try_all(&forge(&whole, |header, _| header["layers"][0]["counts"] = json!([[0, number], [3, number]])), &own);
        let section = json!({"at": number, "bytes": number, "checksum": format!("{number:016x}")});
        try_all(&forge(&whole, |header, _| header["layers"][1]["keys_dictionary"] = section), &own);
    }
    for same in ["", "0", "+1", "-1", "ff", "zz", &"f".repeat(32), &"f".repeat(33)] {
        for bits in [0, 1, 8, 127] {
            let lie = |header: &mut Value, _: &mut Vec<u8>| {
                header["layers"][2]["same"] = json!(same);
                header["layers"][2]["same_bits"] = json!(bits);
            };
            try_all(&forge(&whole, lie), &own);
        }
    }
    // Sections that are not dictionaries.
    for length in [1, 8, 100] {
        let lie = |header: &mut Value, body: &mut Vec<u8>| {
            let checksum = format!("{:016x}", xxh3_64(&body[PROLOGUE_BYTES..PROLOGUE_BYTES + length]));
            let section = json!({"at": PROLOGUE_BYTES, "bytes": length, "checksum": checksum});
            header["layers"][5]["keys_dictionary"] = section;
        };
        try_all(&forge(&whole, lie), &own);
    }
    try_all(&forge(&whole, |header, _| header["of"]["tells"] = json!("nimber")), &own);
    try_all(&forge(&whole, |header, _| header["of"]["folded"] = json!(false)), &own);
    try_all(&forge(&whole, |header, _| header["layers"].as_array_mut().unwrap().reverse()), &own);
}

/// The offsets of each block: its index entry, its begin and its end.
pub(crate) fn blocks(body: &[u8], header: &Value) -> Vec<(usize, usize, usize)> {
    let index = header["index"].as_u64().unwrap() as usize;
    let key = header["key_bits"].as_u64().unwrap().div_ceil(8) as usize;
    let begin = |at: usize| number(&[&body[at + key..at + key + 6], &[0, 0]].concat());
    let entries: Vec<_> = (index..body.len()).step_by(key + 14).collect();
    let ends = entries.iter().skip(1).map(|&at| begin(at)).chain([index]);
    entries.iter().zip(ends).map(|(&at, end)| (at, begin(at), end)).collect()
}

/// Corrects the checksum of a block.
pub(crate) fn check_block(body: &mut [u8], header: &Value, number: usize) {
    let key = header["key_bits"].as_u64().unwrap().div_ceil(8) as usize;
    let (at, begin, end) = blocks(body, header)[number];
    let Some(bytes) = body.get(begin..end) else { return };
    let mut seed = [0; 24];
    seed[..8].copy_from_slice(&(number as u64).to_le_bytes());
    seed[8..8 + key].copy_from_slice(&body[at..at + key]);
    let checksum = xxhash_rust::xxh3::xxh3_64_with_seed(bytes, xxh3_64(&seed));
    body[at + key + 6..at + key + 14].copy_from_slice(&checksum.to_le_bytes());
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn forged_blocks_cause_errors_only(changes in vec((0..10_usize, any::<u16>(), any::<u8>()), 1..4)) {
        use std::sync::LazyLock;
        static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(tictactoe);
        let lie = |header: &mut Value, body: &mut Vec<u8>| {
            for (block, place, change) in changes {
                let (_, begin, end) = blocks(body, header)[block];
                body[begin + usize::from(place) % (end - begin).min(40)] ^= change;
                check_block(body, header, block);
            }
        };
        try_all(&forge(&WHOLE, lie), &rules("tictactoe", "3x3", &[]));
    }

    #[test]
    fn forged_indexes_cause_errors_only(changes in vec((any::<u16>(), any::<u8>()), 1..6)) {
        use std::sync::LazyLock;
        static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(tictactoe);
        let lie = |header: &mut Value, body: &mut Vec<u8>| {
            let index = header["index"].as_u64().unwrap() as usize;
            let bytes = body.len() - index;
            for (place, change) in changes {
                body[index + usize::from(place) % bytes] ^= change;
            }
            (0..10).for_each(|block| check_block(body, header, block));
        };
        try_all(&forge(&WHOLE, lie), &rules("tictactoe", "3x3", &[]));
    }
}

/// A value longer than the header allows would be decoded as a draw.
#[test]
fn a_file_of_too_few_plies_is_refused() {
    let whole = tictactoe();
    for most in 0..9 {
        assert!(Table::open(forge(&whole, |header, _| header["most"] = json!(most))).is_err(), "{most}");
    }
}

/// Verifies a file by the rules of a game, as a whole and position by position.
fn verify_both(bytes: &[u8], rules: &RulesFile) -> [Result<u64, VerifyError>; 2] {
    struct Verify<'a>(&'a Table<&'a [u8]>);

    impl Task for Verify<'_> {
        type Output = [Result<u64, VerifyError>; 2];

        fn run<G: Notation>(self, game: &G) -> Self::Output {
            let (starts, watch) = ([game.start()], Watch::default());
            [verify(game, &starts, self.0, BUDGET, &watch), verify_sample(game, &starts, self.0, None, &watch)]
        }
    }

    rules.game().unwrap().run(Verify(&Table::open(bytes).unwrap()))
}

#[test]
fn files_of_other_rules_are_rejected() {
    for (name, board, change) in [
        ("tictactoe", "3x3", "misere=true"),
        ("tictactoe", "3x3", "k=2"),
        ("connect4", "4x4", "gravity=false"),
        ("platforms", "3x3", "steps=king"),
        ("cram", "3x4", "misere=true"),
        ("cram", "3x4", "board=4x3"),
    ] {
        let (own, other) = (rules(name, board, &[]), rules(name, board, &[change]));
        for folded in [true, false] {
            let bytes = build_preset(&own, |subject| subject.folded = folded);
            assert!(verify_both(&bytes, &own).iter().all(Result::is_ok), "{name} {board}");
            for found in verify_both(&bytes, &other) {
                assert!(
                    matches!(found, Err(VerifyError::Mismatch(_) | VerifyError::Table(_) | VerifyError::Build(_))),
                    "{name} {change}: {found:?}"
                );
            }
        }
    }
    let (cram, blocks) = (rules("cram", "3x4", &[]), rules("blockgame", "3x4", &[]));
    let bytes = build_preset(&cram, |subject| subject.metric = Metric::Nimber);
    assert!(verify_both(&bytes, &cram).iter().all(Result::is_ok));
    for found in verify_both(&bytes, &blocks) {
        assert!(matches!(found, Err(VerifyError::Mismatch(_))), "{found:?}");
    }
}

/// A damaged file gives no value, and its tablebase reports its name and the damage.
#[test]
fn damage_is_reported_by_name() {
    let own = rules("tictactoe", "3x3", &[]);
    let (whole, game) = (tictactoe(), own.game().unwrap());
    let lines = game.downcast::<Lines>().unwrap();
    let key = lines.key(&lines.start());
    for (change, damage) in [(0, None), (1, Some(TableError::Damaged(PROLOGUE_BYTES as u64)))] {
        let mut bytes = whole.clone();
        // The first block has the start.
        bytes[PROLOGUE_BYTES + 3] ^= change;
        let mut tablebase = Tablebase::with_books();
        tablebase.add("t.strong", Table::open(bytes).unwrap()).unwrap();
        let copy = tablebase.clone();
        let known = tablebase.find(&own, &game).unwrap();
        assert_eq!(copy.errors().count(), 0);
        let value = known.oracle.value(9, key);
        assert_eq!(value, damage.is_none().then_some(balpan::Value::DRAW));
        let found = copy.errors().next().map(|(name, trouble)| (name, trouble.to_string()));
        assert_eq!(found, damage.as_ref().map(|damage| ("t.strong", damage.to_string())));
    }
}

/// One code of the file is changed, and all checksums match.
#[test]
fn one_wrong_value_is_rejected() {
    let own = rules("tictactoe", "3x3", &[]);
    let whole = tictactoe();
    let right = read(&whole).unwrap();
    let mut tried = 0;
    for block in 0..10 {
        for back in [1, 2, 5] {
            // Uncompressed codes are at the end of a block.
            let mut changed = false;
            let lie = |header: &mut Value, body: &mut Vec<u8>| {
                let (_, begin, end) = blocks(body, header)[block];
                if body[begin] & 2 == 0 && end - begin > 3 + back {
                    body[end - back] ^= 1;
                    check_block(body, header, block);
                    changed = true;
                }
            };
            let bytes = forge(&whole, lie);
            let Ok(wrong) = read(&bytes) else { continue };
            if !changed || wrong.len() != right.len() || !wrong.keys().eq(right.keys()) {
                continue;
            }
            tried += 1;
            let at: Vec<_> = right.iter().filter(|(at, code)| wrong[at] != **code).collect();
            let [(&(layer, key), &code)] = at[..] else { panic!("{at:?}") };
            let [all, some] = verify_both(&bytes, &own);
            let what = MismatchKind::Code { found: wrong[&(layer, key)], follows: code };
            let expected = Mismatch { layer, key, what };
            assert!(matches!(&all, Err(VerifyError::Mismatch(wrong)) if *wrong == expected), "{all:?} {expected:?}");
            assert!(matches!(some, Err(VerifyError::Mismatch(_))), "{some:?}");
            let [one, other] = [&whole, &bytes].map(|bytes| Table::open(&bytes[..]).unwrap());
            let mut found = Vec::new();
            differences(&one, &other, |difference| {
                found.push(difference);
                true
            })
            .unwrap();
            assert_eq!(found, [Difference::Code(Entry { layer, key, code }, wrong[&(layer, key)])]);
        }
    }
    assert!(tried > 3, "{tried}");
}

/// A layer has another number, and all checksums match.
#[test]
fn positions_in_another_layer_are_rejected() {
    let own = rules("cram", "3x4", &[]);
    for metric in [Metric::Value, Metric::Nimber] {
        let whole = build_preset(&own, |subject| subject.metric = metric);
        // Each move fills two cells: every second layer is empty.
        let lie = |header: &mut Value, _: &mut Vec<u8>| {
            assert_eq!(header["layers"][1]["layer"], json!(10));
            header["layers"][1]["layer"] = json!(11);
        };
        let [all, some] = verify_both(&forge(&whole, lie), &own);
        let Err(VerifyError::Mismatch(wrong)) = all else { panic!("{all:?}") };
        assert_eq!((wrong.layer, &wrong.what), (11, &MismatchKind::OtherLayer { belongs: 10 }), "{wrong}");
        assert!(wrong.to_string().ends_with("the position is of layer 10"), "{wrong}");
        assert!(matches!(some, Err(VerifyError::Mismatch(_))), "{some:?}");
    }
}

/// A file that claims to be folded has symmetric positions apart.
#[test]
fn symmetric_images_in_a_folded_file_are_rejected() {
    let own = rules("tictactoe", "3x3", &[]);
    let whole = build_preset(&own, |subject| subject.folded = false);
    let lied = forge(&whole, |header, _| header["of"]["folded"] = json!(true));
    let game = own.game().unwrap().downcast::<Lines>().unwrap();
    for found in verify_both(&lied, &own) {
        let Err(VerifyError::Mismatch(Mismatch { key, what: MismatchKind::NotCanonical { canonical }, .. })) = found
        else {
            panic!("{found:?}")
        };
        let position = game.position_from_key(key).unwrap();
        assert_eq!(canonical, game.key(&game.canonical(&position)));
        assert_ne!(canonical, key);
    }
}

#[test]
fn differences_are_found() {
    let of = |change: &[&str], folded: bool| {
        build_preset(&rules("tictactoe", "3x3", change), |subject: &mut Subject| subject.folded = folded)
    };
    let files = [of(&[], true), of(&[], false), of(&["misere=true"], true), of(&["k=2"], true)];
    for (one, other) in files.iter().flat_map(|one| files.iter().map(move |other| (one, other))) {
        let [ones, others] = [one, other].map(|bytes| read(bytes).unwrap());
        let entry = |(&(layer, key), &code): (&(u32, u128), &u16)| Entry { layer, key, code };
        let mut expected: Vec<Difference> = Vec::new();
        for at in ones.keys().chain(others.keys().filter(|at| !ones.contains_key(at))) {
            match (ones.get_key_value(at), others.get_key_value(at)) {
                (Some(one), Some(other)) if one.1 != other.1 => {
                    expected.push(Difference::Code(entry(one), *other.1));
                }
                (Some(one), None) => expected.push(Difference::First(entry(one))),
                (None, Some(other)) => expected.push(Difference::Second(entry(other))),
                _ => {}
            }
        }
        let place = |difference: &Difference| {
            let (Difference::First(entry) | Difference::Second(entry) | Difference::Code(entry, _)) = difference;
            (u32::MAX - entry.layer, entry.key)
        };
        expected.sort_by_key(place);
        let [one, other] = [one, other].map(|bytes| Table::open(&bytes[..]).unwrap());
        let mut found = Vec::new();
        differences(&one, &other, |difference| {
            found.push(difference);
            true
        })
        .unwrap();
        assert_eq!(found, expected);
        let mut first = None;
        differences(&one, &other, |difference| first.replace(difference).is_some()).unwrap();
        assert_eq!(first, expected.first().copied());
    }
}

/// Walking one layer yields the same entries as walking all.
#[test]
fn one_layer_can_be_walked() {
    let whole = tictactoe();
    let table = Table::open(&whole[..]).unwrap();
    let all: Vec<_> = table.walk(None).unwrap().map(Result::unwrap).collect();
    assert!(all.is_sorted_by_key(|entry| (u32::MAX - entry.layer, entry.key)));
    for layer in 0..11 {
        let found: Vec<_> = table.walk(Some(layer)).unwrap().map(Result::unwrap).collect();
        assert!(found.iter().eq(all.iter().filter(|entry| entry.layer == layer)));
    }
    let own = rules("tictactoe", "3x3", &[]).game().unwrap();
    let game = own.downcast::<Lines>().unwrap();
    assert_eq!(all[0].key, game.key(&game.start()));
}
