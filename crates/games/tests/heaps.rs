//! Heaps against their naive twin, and against what is published of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod naive;

use balpan::{Game, Nimbers, Watch};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, RulesFile};
use proptest::collection::vec;
use proptest::prelude::*;

use naive::NaiveGame;
use naive::compare::{cases, check_all, rules};
use naive::heaps::Heaps;
use naive::midgame::play_until_small;

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
    fn heaps_are_what_they_are_by_plain_rules(
        game in games(),
        heaps in vec(0..9_usize, 1..6),
        choices in vec(any::<u16>(), 1..8),
        seed in any::<u64>(),
    ) {
        let state = game.parse(&heaps.iter().map(usize::to_string).collect::<Vec<_>>().join(" "));
        let (state, expected) = play_until_small(&game, state, &choices, 3_000);
        let rules = rules(&toml(&game, &game.text(&state)))?;
        let Ok(AnyGame::Heaps(heaps)) = rules.game() else { panic!("heaps") };
        check_all(&heaps, &game, &state, expected, seed)?;
    }

    /// Where heaps are too many and too large for the naive rules: XOR.
    #[test]
    fn nimbers_of_nim_add_up(heaps in vec(0..=u16::MAX, 1..50)) {
        let text = heaps.iter().map(u16::to_string).collect::<Vec<_>>().join("+");
        let expected = heaps.iter().fold(0, |sum, heap| sum ^ u32::from(*heap));
        prop_assert_eq!(nimber(&preset("nim").unwrap().unwrap(), &text), expected);
    }
}

fn nimber(rules: &RulesFile, text: &str) -> u32 {
    let Ok(AnyGame::Heaps(game)) = rules.game_at(text) else { panic!("heaps") };
    Nimbers::new(&game, 0, &Watch::default()).unwrap().nimber(&game.start()).unwrap()
}

#[test]
fn positions_and_codes_are_read_or_refused() {
    let nim = preset("nim").unwrap().unwrap();
    for same in ["3 5 7", "7+5+3", " 3 + 5\n+7 ", "5 0 3 7"] {
        let Ok(AnyGame::Heaps(game)) = nim.game_at(same) else { panic!("{same}") };
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
    // As people write it, and as TOML has it.
    for code in ["code=0.07", "code=\"0.07\"", "code=.07", "code=0.070"] {
        assert_eq!(nimber(&nim.set(code).unwrap(), "14"), 4, "{code}");
    }
    for wrong in ["code=0.8", "code=7", "code=true", "start=5 x", "board=3x3", "start=[3, 5]"] {
        assert!(nim.set(wrong).is_err(), "{wrong}");
    }
    // Too long a table, which misère does without.
    let wide = nim.set(&format!("code=0.{}", "7".repeat(255))).unwrap();
    assert!(wide.game_at("60000").is_err() && wide.set("misere=true").unwrap().game_at("60000").is_ok());
}
