//! Heaps compared with the naive implementation and with published results.

use std::collections::HashMap;

use balpan::{Budget, Engine, Game, Goal, MAX_KEY_BITS, Nimbers, Outcome, SplitMix, Watch, laws};
use balpan_games::RulesFile;
use balpan_games::heaps::Heaps as Fast;
use balpan_games::presets::preset;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::naive::NaiveGame;
use crate::naive::compare::{cases, check_all, rules};
use crate::naive::heaps::Heaps;
use crate::naive::midgame::play_until_small;

fn toml(Heaps { digits, misere }: &Heaps, start: &str) -> String {
    let code = match digits {
        None => "nim".to_owned(),
        Some(digits) => {
            let digits: Vec<_> = digits.iter().map(usize::to_string).collect();
            format!("{}.{}", digits[0], digits[1..].concat())
        }
    };
    format!("family = \"heaps\"\ncode = \"{code}\"\nstart = \"{start}\"\nmisere = {misere}\n")
}

fn games() -> impl Strategy<Value = Heaps> {
    let digits = (prop_oneof![3 => Just(0_usize), 1 => Just(4)], vec(0..8_usize, 0..5)).prop_map(|(first, others)| {
        let all: Vec<usize> = std::iter::once(first).chain(others).collect();
        Some(all)
    });
    let misere = prop::bool::weighted(0.3);
    (prop_oneof![1 => Just(None), 5 => digits], misere).prop_map(|(digits, misere)| Heaps { digits, misere })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn random_heaps_agree(
        game in games(),
        heaps in vec(0..9_usize, 1..6),
        choices in vec(any::<u16>(), 1..8),
        seed in any::<u64>(),
    ) {
        let state = game.parse(&heaps.iter().map(usize::to_string).collect::<Vec<_>>().join(" "));
        let (state, expected) = play_until_small(&game, state, &choices, 3_000);
        let rules = rules(&toml(&game, &game.text(&state)))?;
        let heaps = rules.game().unwrap().downcast::<Fast>().unwrap();
        check_all(&heaps, &game, &state, expected, seed)?;
    }

        /// For heaps too many and too large for the naive rules: XOR.
    #[test]
    fn nimbers_of_nim_are_nim_sums(heaps in vec(0..=u16::MAX, 1..50)) {
        let text = heaps.iter().map(u16::to_string).collect::<Vec<_>>().join("+");
        let expected = heaps.iter().fold(0, |sum, heap| sum ^ u32::from(*heap));
        prop_assert_eq!(nimber(&preset("nim").unwrap().unwrap(), &text), expected);
    }
}

/// C. L. Bouton, 1902: heaps of which one has two tokens or more are lost if their XOR is 0, by either convention.
#[test]
fn misere_nim_needs_no_search() {
    let rules = preset("nim").unwrap().unwrap().with_changes(&["misere=true".to_owned()]).unwrap();
    for (heaps, value) in [
        (vec![1, 1, 1], 0),
        (vec![1, 1], 1),
        (vec![20; 15], 20),
        (vec![20; 16], 0),
        (vec![65_535, 40_000, 65_535 ^ 40_000], 0),
        (vec![60_000, 1], 60_001),
    ] {
        let text = heaps.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let game: Fast = rules.game_at(&text).unwrap().downcast().unwrap();
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads: 1 });
        let watch = Watch::default();
        assert_eq!(engine.misere_value(&game.start(), &watch), Ok(value), "{text}");
        let answer = engine.solve(&game.start(), Goal::Winner, &watch, |_| {}).unwrap();
        let expected = if value == 0 { Outcome::Loss } else { Outcome::Win };
        assert_eq!((answer.outcome(), answer.complete), (Some(expected), true), "{text}");
    }
}

/// Codes and starts whose keys would be too long without ranks.
fn ranked() -> impl Strategy<Value = (&'static str, Vec<u16>)> {
    let codes = ["0.77", "0.07", "0.137", "4.3", "4.77", "0.7", "nim"];
    (prop::sample::select(codes.to_vec()), vec(1..60_u16, 8..12)).prop_map(|(code, mut heaps)| {
        heaps.resize(14, 40);
        (code, heaps)
    })
}

fn game(code: &str, heaps: &[u16], misere: bool) -> balpan_games::heaps::Heaps {
    let text = heaps.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
    let text = format!("family = \"heaps\"\ncode = \"{code}\"\nstart = \"{text}\"\nmisere = {misere}\n");
    let game: Fast = RulesFile::parse("test", &text).unwrap().game().unwrap().downcast().unwrap();
    game
}

/// Plays at random from the start to the end, and calls `seen` with every position.
fn walk(game: &balpan_games::heaps::Heaps, seed: u64, mut seen: impl FnMut(&balpan_games::heaps::Position)) {
    let (mut random, mut position) = (SplitMix(seed), game.start());
    loop {
        seen(&position);
        let moves: Vec<_> = game.moves(&position).collect();
        let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
        position = game.play(&position, mv);
    }
}

proptest! {
    #![proptest_config(cases(60))]

        /// Keys of many heaps can be decoded, differ, and have no more bits than stated.
    #[test]
    fn ranks_are_decoded((code, heaps) in ranked(), misere in any::<bool>(), seed in any::<u64>()) {
        let game = game(code, &heaps, misere);
        let bits = game.key_bits();
        prop_assert!((1..=MAX_KEY_BITS).contains(&bits), "{} bits", bits);
        let mut keys = HashMap::new();
        for walks in 0..4 {
            let mut wrong = None;
            walk(&game, seed ^ walks, |position| {
                let key = game.key(position);
                let read = game.position_from_key(key);
                let other = keys.insert(key, position.clone()).filter(|other| other != position);
                if key >> bits != 0 || read.as_ref() != Some(position) || other.is_some() {
                    wrong = Some((position.clone(), key, read, other));
                }
            });
            prop_assert_eq!(wrong, None);
        }
    }

        /// A random number is no key, or the key of the position that it decodes to.
    #[test]
    fn random_numbers_are_keys_or_nothing((code, heaps) in ranked(), keys in vec(any::<u128>(), 20)) {
        let game = game(code, &heaps, false);
        for key in keys.into_iter().chain([0, 1, u128::MAX]).flat_map(|key| [key, key >> (128 - game.key_bits())]) {
            if let Some(position) = game.position_from_key(key) {
                prop_assert_eq!(game.key(&position), key);
                prop_assert!(game.is_legal(&position));
            }
        }
    }
}

/// Games with ranked positions obey the laws.
#[test]
fn ranked_positions_obey_the_laws() {
    for (code, heaps) in [("0.77", vec![110]), ("0.07", vec![120]), ("4.3", vec![60, 50]), ("nim", vec![90; 3])] {
        let game = game(code, &heaps, false);
        assert!(game.key_bits() > 0, "{code}");
        assert_eq!(laws::check(&game, 1, 1), Ok(()), "{code}");
    }
}

/// Small games have keys of the older kinds, large ones have none.
#[test]
fn keys_are_ranks_only_where_others_are_too_long() {
    let bits = |code: &str, heaps: &[u16]| game(code, heaps, true).key_bits();
    assert_eq!([bits("0.77", &[12]), bits("0.77", &[101]), bits("nim", &[3, 5, 7])], [13, 102, 9]);
    assert_eq!([bits("0.77", &[102]), bits("0.77", &[200])], [31, 46]);
    assert_eq!([bits("0.77", &[5_000]), bits("nim", &[60_000; 10])], [0, 0]);
}

fn nimber(rules: &RulesFile, text: &str) -> u32 {
    let game = rules.game_at(text).unwrap().downcast::<Fast>().unwrap();
    Nimbers::new(&game, 0, &Watch::default()).unwrap().nimber(&game.start()).unwrap()
}

#[test]
fn positions_and_codes_are_parsed_or_refused() {
    let nim = preset("nim").unwrap().unwrap();
    for same in ["3 5 7", "7+5+3", " 3 + 5\n+7 ", "5 0 3 7"] {
        let game: Fast = nim.game_at(same).unwrap().downcast().unwrap();
        assert_eq!(game.start().heaps(), [3, 5, 7], "{same}");
    }
    let span = |text: &str| nim.game_at(text).unwrap_err().span;
    assert_eq!(span("3 x 5"), 2..3);
    assert_eq!(span("3 -5"), 2..4);
    assert_eq!(span("3 65536"), 2..7);
    assert_eq!(span("3++5"), 2..3);
    assert_eq!(span("+5"), 0..1);
    assert_eq!(span("3 5+"), 3..4);
    assert_eq!(span(" "), 0..1);
    assert!(nim.game_at(&"1 ".repeat(256)).is_ok());
    assert!(nim.game_at(&"1 ".repeat(257)).is_err());
    // Octal codes as people write them, and as TOML writes them.
    for code in ["code=0.07", "code=\"0.07\"", "code=.07", "code=0.070"] {
        assert_eq!(nimber(&nim.with_change(code).unwrap(), "14"), 4, "{code}");
    }
    for wrong in ["code=0.8", "code=7", "code=true", "start=5 x", "board=3x3", "start=[3, 5]"] {
        assert!(nim.with_change(wrong).is_err(), "{wrong}");
    }
    // The table of nimbers would be too long; misère play does without it.
    let wide = nim.with_change(&format!("code=0.{}", "7".repeat(255))).unwrap();
    assert!(wide.game_at("60000").is_err() && wide.with_change("misere=true").unwrap().game_at("60000").is_ok());
}
