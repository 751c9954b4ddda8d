//! Heaps compared with the naive implementation and with published results.

use std::collections::HashMap;

use balpan::{Budget, Engine, Game, Goal, MAX_KEY_BITS, Nimbers, Outcome, SplitMix, Watch, laws};
use balpan_games::error::HeapsError;
use balpan_games::heaps::Heaps as Fast;
use balpan_games::presets::preset;
use balpan_games::{Answer, EngineCache, EngineOptions, InputError, NimValue, Query, RulesFile, TextError};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::naive::NaiveGame;
use crate::naive::compare::{cases, check_all, rules};
use crate::naive::heaps::{Heaps, Moves};
use crate::naive::midgame::play_until_small;

fn toml(Heaps { moves, misere }: &Heaps, start: &str) -> String {
    let moves = match moves {
        Moves::Digits(digits) => {
            let digits: Vec<_> = digits.iter().map(|digit| format!("{digit:X}")).collect();
            format!("code = \"{}.{}\"", digits[0], digits[1..].concat())
        }
        Moves::Rule(numbers, take, split) => {
            let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
            let take = if *take == "list" { numbers.join(", ") } else { (*take).to_owned() };
            if *split == "no" {
                format!("take = \"{take}\"")
            } else {
                format!("take = \"{take}\"\nsplit = \"{split}\"")
            }
        }
    };
    format!("family = \"heaps\"\n{moves}\nstart = \"{start}\"\nmisere = {misere}\n")
}

const TAKES: [&str; 11] = [
    "any",
    "none",
    "squares",
    "divisors",
    "even, or all if odd",
    "less than half",
    "at most half",
    "powers of 2",
    "powers of 3",
    "powers of 4",
    "list",
];

const SPLITS: [&str; 4] = ["no", "any", "two", "unequal"];

fn games() -> impl Strategy<Value = Heaps> {
    let octal = (prop_oneof![3 => Just(0_usize), 1 => Just(4)], vec(0..8_usize, 0..5));
    let hexadecimal = (prop::sample::select(vec![0, 4, 8, 12]), vec(0..16_usize, 0..4));
    let digits = prop_oneof![2 => octal, 1 => hexadecimal].prop_map(|(first, others)| {
        let all: Vec<usize> = std::iter::once(first).chain(others).collect();
        Moves::Digits(all)
    });
    let numbers = prop::collection::btree_set(1..8_usize, 1..4).prop_map(|numbers| numbers.into_iter().collect());
    let rule = (numbers, prop::sample::select(TAKES.to_vec()), prop::sample::select(SPLITS.to_vec()))
        .prop_map(|(numbers, take, split)| Moves::Rule(numbers, take, split));
    let misere = prop::bool::weighted(0.3);
    let wythoff = Just(Moves::Rule(Vec::new(), "wythoff", "no"));
    (prop_oneof![6 => digits, 6 => rule, 1 => wythoff], misere).prop_map(|(moves, misere)| Heaps { moves, misere })
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

fn own(moves: &str, misere: bool) -> RulesFile {
    let text = format!("family = \"heaps\"\n{moves}\nstart = \"1\"\nmisere = {misere}\n");
    RulesFile::parse("own", &text).unwrap()
}

/// The nimbers of heaps up to `largest`, or under misère play the nimber and the misère value of each: from all options.
fn naive_nimbers(moves: &Moves, largest: usize) -> Vec<[u32; 2]> {
    let mex = |options: &[u32]| (0..).find(|n| !options.contains(n)).unwrap();
    let mut all: Vec<[u32; 2]> = vec![[0, 1]];
    for heap in 1..=largest {
        let options = moves.left(heap);
        let sum = |left: &Vec<usize>| left.iter().fold(0, |sum, heap| sum ^ all[*heap][0]);
        let nimber = mex(&options.iter().map(sum).collect::<Vec<_>>());
        // Only of moves that leave one heap or none.
        let misere: Vec<u32> = options.iter().map(|left| all[left.first().copied().unwrap_or(0)][1]).collect();
        all.push([nimber, if options.is_empty() { 1 } else { mex(&misere) }]);
    }
    all
}

/// Formulas, periods and tables give what all options give, for each `take` with each `split`.
#[test]
fn all_small_heaps_have_the_nimbers_of_their_options() {
    let lists = [vec![1], vec![2], vec![1, 3], vec![1, 3, 4], vec![2, 3, 7], vec![4, 6]];
    for split in SPLITS {
        for take in TAKES {
            for numbers in lists.iter().filter(|list| take == "list" || list[..] == [1]) {
                let moves = Moves::Rule(numbers.clone(), take, split);
                let naive = naive_nimbers(&moves, if split == "no" { 400 } else { 120 });
                let rules = RulesFile::parse("own", &toml(&Heaps { moves, misere: false }, "1")).unwrap();
                let game: Fast = rules.game_at(&(naive.len() - 1).to_string()).unwrap().downcast().unwrap();
                let of = |heap: usize| game.nimber(&balpan_games::heaps::Position::new(vec![heap as u16])).unwrap();
                for (heap, expected) in naive.iter().enumerate() {
                    assert_eq!(of(heap), expected[0], "take {take} {numbers:?} split {split}: {heap}");
                }
            }
        }
    }
}

/// Heaps of which one move leaves one heap are tame for each `take` but `divisors`, and have the misère values of their options.
#[test]
fn all_small_heaps_have_the_misere_values_of_their_options() {
    for take in TAKES {
        for numbers in [vec![1], vec![2], vec![1, 3], vec![1, 3, 4], vec![2, 3, 7]] {
            let moves = Moves::Rule(numbers.clone(), take, "no");
            let naive = naive_nimbers(&moves, 300);
            let rules = RulesFile::parse("own", &toml(&Heaps { moves, misere: true }, "1")).unwrap();
            let game: Fast = rules.game_at("300").unwrap().downcast().unwrap();
            for (heap, expected) in naive.iter().enumerate() {
                let tame = game.tame(&balpan_games::heaps::Position::new(vec![heap as u16]));
                let Some(tame) = tame else {
                    assert_eq!(take, "divisors", "{numbers:?}: {heap} is wild");
                    continue;
                };
                assert_eq!([tame.nimber(), tame.misere_value()], *expected, "take {take} {numbers:?}: {heap}");
            }
        }
    }
}

/// Lasker's Nim, whose splits keep it tame, against sums of all small heaps.
#[test]
fn misere_lasker_agrees_with_all_sums() {
    let game = Heaps { moves: Moves::Rule(Vec::new(), "any", "two"), misere: true };
    let mut lost: HashMap<Vec<usize>, bool> = HashMap::new();
    fn is_lost(game: &Heaps, state: &Vec<usize>, lost: &mut HashMap<Vec<usize>, bool>) -> bool {
        if let Some(known) = lost.get(state) {
            return *known;
        }
        let moves = game.moves(state);
        let found = !moves.is_empty() && moves.iter().all(|mv| !is_lost(game, &game.play(state, mv), lost));
        lost.insert(state.clone(), found);
        found
    }
    let rules = own("take = \"any\"\nsplit = \"two\"", true);
    let fast: Fast = rules.game_at("9 9 9").unwrap().downcast().unwrap();
    for (a, b, c) in (0..10_usize).flat_map(|a| (a..10).flat_map(move |b| (b..10).map(move |c| (a, b, c)))) {
        let state: Vec<usize> = [a, b, c].into_iter().filter(|heap| *heap > 0).collect();
        let position = balpan_games::heaps::Position::new(state.iter().map(|heap| *heap as u16).collect());
        assert_eq!(fast.tame(&position).unwrap().is_lost(), is_lost(&game, &state, &mut lost), "{state:?}");
    }
}

/// Published nimbers: Winning Ways, chapters 3 and 4, and the On-Line Encyclopedia of Integer Sequences.
#[test]
fn published_nimbers_of_rules() {
    let values = |moves: &str, heaps: std::ops::Range<u32>| -> Vec<u32> {
        let rules = own(moves, false);
        heaps.map(|heap| nimber(&rules, &heap.to_string())).collect()
    };
    // A002188, Grundy's game.
    let grundy = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4, 3, 0, 4, 1, 2, 3];
    assert_eq!(values("take = \"none\"\nsplit = \"unequal\"", 0..31), grundy);
    // A002186, Kayles, and A002187, Dawson's Kayles.
    let kayles = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7];
    assert_eq!(values("take = \"1-2\"\nsplit = \"any\"", 0..24), kayles);
    let dawson = [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1];
    assert_eq!(values("take = 2\nsplit = \"any\"", 0..24), dawson);
    // Lasker's Nim.
    assert_eq!(values("take = \"any\"\nsplit = \"two\"", 0..13), [0, 1, 2, 4, 3, 5, 6, 8, 7, 9, 10, 12, 11]);
    // A014586, take a square.
    let squares = [0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5];
    assert_eq!(values("take = \"squares\"", 0..30), squares);
    // A025480 and A007814.
    assert_eq!(values("take = \"at most half\"", 1..17), [0, 1, 0, 2, 1, 3, 0, 4, 2, 5, 1, 6, 3, 7, 0, 8]);
    assert_eq!(values("take = \"less than half\"", 2..18), [0, 1, 0, 2, 1, 3, 0, 4, 2, 5, 1, 6, 3, 7, 0, 8]);
    // BOJ 11871.
    assert_eq!(values("take = \"even, or all if odd\"", 0..10), [0, 1, 0, 2, 1, 3, 2, 4, 3, 5]);
    assert_eq!(values("take = \"divisors\"", 1..17), [0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0, 4]);
}

fn large(rules: &RulesFile, text: &str) -> Answer {
    rules.large_answer(text, Query::default()).unwrap_or_else(|| panic!("{text} is searched")).unwrap()
}

/// The nimbers of heaps of which a move takes one of these numbers, one after the other.
fn subtraction(taken: &[usize], largest: usize) -> Vec<u64> {
    let mut nimbers: Vec<u64> = Vec::new();
    for heap in 0..=largest {
        let options: Vec<u64> =
            taken.iter().filter(|taken| **taken <= heap).map(|taken| nimbers[heap - taken]).collect();
        nimbers.push((0..).find(|n| !options.contains(n)).unwrap());
    }
    nimbers
}

/// Heaps above those that a game enumerates: nimbers and all winning moves by formula and by period are those of a plain
/// table.
#[test]
fn large_heaps_agree_with_plain_tables() {
    let powers = |base: usize| -> Vec<usize> {
        std::iter::successors(Some(1), |power| Some(power * base)).take_while(|power| *power < 100_000).collect()
    };
    let squares: Vec<usize> = (1..300).map(|root| root * root).collect();
    for (take, taken) in [
        ("1, 3", vec![1, 3]),
        ("1,3,4", vec![1, 3, 4]),
        ("2, 5-7, 300", vec![2, 5, 6, 7, 300]),
        ("powers of 2", powers(2)),
        ("powers of 3", powers(3)),
        ("powers of 4", powers(4)),
        ("powers of 6", powers(6)),
        ("squares", squares),
    ] {
        let naive = subtraction(&taken, 66_000);
        let rules = own(&format!("take = \"{take}\""), false);
        for heap in [65_536, 65_537, 65_700, 65_998, 65_999, 66_000] {
            let answer = large(&rules, &format!("{heap} 3"));
            let sum = naive[heap] ^ naive[3];
            assert_eq!(answer.nim_value, Some(NimValue::Nimber(sum)), "{take}: {heap}");
            assert_eq!(answer.outcome, Some(if sum == 0 { Outcome::Loss } else { Outcome::Win }));
            let mut expected = Vec::new();
            for (from, other) in [(heap, 3), (3, heap)] {
                let left = taken.iter().filter(|taken| **taken <= from).map(|taken| from - taken);
                let winning = left.filter(|left| naive[*left] == naive[other]);
                expected.extend(winning.map(|left| format!("{from}>{left}")).filter(|_| sum != 0));
            }
            let mut best = answer.best.clone();
            best.sort();
            expected.sort();
            assert_eq!(best, expected, "{take}: {heap}");
        }
    }
}

/// Pairs of heaps of Wythoff's Nim, searched and by the golden ratio, against a plain table.
#[test]
fn wythoffs_nim_agrees_with_a_plain_table() {
    const MOST: usize = 220;
    let moves = |a: usize, b: usize| -> Vec<(String, [usize; 2])> {
        let (small, large) = (a.min(b), a.max(b));
        let mut all: Vec<(String, [usize; 2])> = Vec::new();
        for (heap, other) in [(small, large), (large, small)].into_iter().take(if a == b { 1 } else { 2 }) {
            all.extend((0..heap).map(|left| (format!("{heap}>{left}"), [left, other])));
        }
        all.extend((0..small).map(|left| {
            let other = large - small + left;
            (format!("{small}>{left},{large}>{other}"), [left, other])
        }));
        all
    };
    let mut lost = vec![[false; MOST + 1]; MOST + 1];
    for a in 0..=MOST {
        for b in a..=MOST {
            let is_lost = moves(a, b).iter().all(|(_, [a, b])| !lost[*a.min(b)][*a.max(b)]);
            lost[a][b] = is_lost;
        }
    }
    // A000201 and A001950.
    assert!(lost[1][2] && lost[3][5] && lost[4][7] && lost[6][10] && lost[8][13]);
    let rules = own("take = \"Wythoff\"", false);
    for a in 0..=MOST {
        for b in (a..=MOST).filter(|b| *b > 64) {
            let answer = large(&rules, &format!("{b} {a}"));
            assert_eq!(answer.outcome, Some(if lost[a][b] { Outcome::Loss } else { Outcome::Win }), "{a} {b}");
            let winning = moves(a, b).into_iter().filter(|(_, [a, b])| lost[*a.min(b)][*a.max(b)]);
            let mut winning: Vec<_> = winning.map(|(text, _)| text).collect();
            let mut best = answer.best;
            winning.sort();
            best.sort();
            assert_eq!(best, winning, "{a} {b}");
        }
    }
    for text in
        ["1000000000000 7", "9223372036854775807 9223372036854775808", "5700400000000000000 9223372036854775807"]
    {
        let answer = large(&rules, text);
        assert!(!answer.best.is_empty(), "{text}");
        for mv in answer.moves {
            let after = rules.large_answer(&mv.position, Query::default());
            assert!(after.is_none_or(|after| after.unwrap().outcome == Some(Outcome::Loss)), "{text}: {}", mv.text);
        }
    }
    assert!(rules.large_answer("100 5 5", Query::default()).unwrap().is_err());
    assert!(rules.with_change("split=two").is_err());
}

/// Heaps of up to 2^63: a winning move is legal and leads to a position that is lost; a position is lost beside itself.
#[test]
fn winning_moves_of_huge_heaps_win() {
    let sizes = ["1000000000000 7", "9223372036854775807", "9223372036854775808 1 1", "70000 99999999999 123456789"];
    for (moves, misere) in [
        ("code = \"nim\"", false),
        ("code = \"nim\"", true),
        ("take = \"1-3\"", false),
        ("take = \"1-3\"", true),
        ("take = \"1,3,4\"", true),
        ("take = \"powers of 4\"", false),
        ("take = \"powers of 4\"", true),
        ("take = \"powers of 5\"", true),
        ("take = \"at most half\"", false),
        ("take = \"at most half\"", true),
        ("take = \"less than half\"", false),
        ("take = \"even, or all if odd\"", false),
        ("take = \"even, or all if odd\"", true),
        ("take = \"divisors\"", false),
        ("take = \"any\"\nsplit = \"any\"", false),
        ("take = \"any\"\nsplit = \"two\"", false),
        ("take = \"any\"\nsplit = \"two\"", true),
        ("take = \"1-2\"\nsplit = \"any\"", false),
        ("code = \"0.07\"", false),
        ("code = \"0.137\"", false),
        ("take = \"3\"\nsplit = \"two\"", false),
        ("code = \"0.F\"", false),
    ] {
        let rules = own(moves, misere);
        for text in sizes {
            let answer = large(&rules, text);
            assert_eq!(answer.best.is_empty(), answer.outcome == Some(Outcome::Loss), "{moves} {misere}: {text}");
            for mv in &answer.moves {
                let after = rules.large_answer(&mv.position, Query::default());
                let outcome = after.map_or_else(
                    || {
                        let game: Fast = rules.game_at(&mv.position).unwrap().downcast().unwrap();
                        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads: 1 });
                        engine.solve(&game.start(), Goal::Winner, &Watch::default(), |_| {}).unwrap().outcome()
                    },
                    |after| after.unwrap().outcome,
                );
                assert_eq!(outcome, Some(Outcome::Loss), "{moves} {misere}: {text}, {}", mv.text);
                assert!(is_legal(moves, &mv.text), "{moves}: {}", mv.text);
            }
            if !misere {
                assert_eq!(large(&rules, &format!("{text} {text}")).outcome, Some(Outcome::Loss), "{moves}: {text}");
            }
        }
    }
}

/// Whether a move `heap>left` is one of these rules, as far as arithmetic tells.
fn is_legal(moves: &str, text: &str) -> bool {
    let (heap, left) = text.split_once('>').unwrap();
    let heap: u64 = heap.parse().unwrap();
    let left: Vec<u64> = left.split('+').map(|size| size.parse().unwrap()).filter(|size| *size > 0).collect();
    let taken = heap - left.iter().sum::<u64>();
    let has = |word: &str| moves.contains(word);
    let splits = has("\"any\"\nsplit = \"any") || has("0.07") || has("0.137") || has("1-2") || has("0.F");
    let is_split = left.len() > 1 && (splits || taken == 0 && has("two"));
    let is_number = match () {
        () if has("powers of 4") => taken.is_power_of_two() && taken.trailing_zeros().is_multiple_of(2),
        () if has("powers of 5") => (0..28).any(|n| 5_u64.pow(n) == taken),
        () if has("at most") => taken > 0 && taken <= heap / 2,
        () if has("less than") => taken > 0 && taken < heap - taken,
        () if has("divisors") => taken > 0 && taken < heap && heap.is_multiple_of(taken),
        () if has("1-3") || has("0.137") => (1..=3).contains(&taken),
        () if has("1,3,4") => [1, 3, 4].contains(&taken),
        () if has("1-2") => [1, 2].contains(&taken),
        () if has("0.07") => taken == 2,
        () if has("0.F") => taken == 1,
        () if has("\"3\"") => taken == 3,
        () => taken > 0,
    };
    is_split && (taken == 0 || is_number) || left.len() <= 1 && is_number
}

/// What no formula or period covers is refused, with the largest heap that is covered.
#[test]
fn heaps_without_a_theory_are_refused() {
    let largest = |moves: &str, misere: bool, text: &str| match own(moves, misere).large_answer(text, Query::default())
    {
        Some(Err(TextError { cause: InputError::Heaps(HeapsError::NoTheory { largest, .. }), .. })) => largest,
        other => panic!("{moves} {text}: {other:?}"),
    };
    let huge = "1000000000000";
    assert!((500_000..2_000_000).contains(&largest("take = \"squares\"", false, huge)));
    assert!((70_000..200_000).contains(&largest("take = \"none\"\nsplit = \"unequal\"", false, huge)));
    assert!((70_000..200_000).contains(&largest("code = \"0.007\"", false, huge)));
    assert_eq!(largest("code = \"nim\"", false, "9223372036854775809"), 1 << 63);
    assert_eq!(largest("code = \"nim\"", false, "99999999999999999999999"), 1 << 63);
    // Misère Kayles is wild from 5 pins on.
    assert_eq!(largest("code = \"0.77\"", true, huge), 4);
    // Smaller heaps are games like all others.
    assert!(own("code = \"nim\"", false).large_answer("65535 3", Query::default()).is_none());
    assert!(own("code = \"nim\"", false).large_answer("65536 x", Query::default()).is_none());
    assert!(large(&own("take = \"squares\"", false), "200000").complete);
}

/// The contests' problems as rules, with the answers that their statements or known solutions give.
#[test]
fn problems_are_one_line_each() {
    let wins = |moves: &str, misere: bool, text: &str| {
        let rules = own(moves, misere);
        let mut engines = EngineCache::new(rules, EngineOptions::new(Budget { memory: 1 << 20, threads: 1 }));
        let question = Query { goal: Some(Goal::Winner), nim_value: false };
        let answer = engines.ask(text, question, &Watch::default(), &mut |_| {}).unwrap();
        answer.outcome == Some(Outcome::Win)
    };
    for n in [1_u64, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 100, 1_000, 999_999_999_999, 1_000_000_000_000] {
        let text = n.to_string();
        // BOJ 9655 and 9659, 9656, 9657 and 9660, 9658, 9661; LeetCode 292.
        assert_eq!(wins("take = \"1,3\"", false, &text), n % 2 == 1, "{n}");
        assert_eq!(wins("take = \"1,3\"", true, &text), n % 2 == 0, "{n}");
        assert_eq!(wins("take = \"1,3,4\"", false, &text), ![0, 2].contains(&(n % 7)), "{n}");
        assert_eq!(wins("take = \"1,3,4\"", true, &text), ![1, 3].contains(&(n % 7)), "{n}");
        assert_eq!(wins("take = \"powers of 4\"", false, &text), ![0, 2].contains(&(n % 5)), "{n}");
        assert_eq!(wins("take = \"1-3\"", false, &text), n % 4 != 0, "{n}");
        // LeetCode 1025.
        assert_eq!(wins("take = \"divisors\"", false, &text), n % 2 == 0, "{n}");
    }
    // LeetCode 1510: A030193 has the numbers that lose.
    let lost: Vec<u64> = (0..70).filter(|n| !wins("take = \"squares\"", false, &n.to_string())).collect();
    assert_eq!(lost, [0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57, 62, 65, 67]);
    assert!(wins("take = \"squares\"", false, "100000"));
    // AtCoder DP K: its samples.
    for (set, heap, first) in [
        ("2,3", "4", true),
        ("2,3", "5", false),
        ("2,3", "7", true),
        ("1,2,3", "20", false),
        ("1,2,3", "21", true),
        ("99901-100000", "100000", true),
    ] {
        assert_eq!(wins(&format!("take = \"{set}\""), false, heap), first, "{set} {heap}");
    }
    // HackerRank's Nim and Misère Nim.
    assert!(!wins("take = \"any\"", false, "1000000000 1000000000") && wins("take = \"any\"", true, "1 1"));
    assert!(!wins("take = \"any\"", true, "1") && wins("take = \"any\"", true, "1000000000 1"));
}

/// Rows of Treblecross against a plain search of all positions that follow, and against the octal game.
#[test]
fn long_rows_of_treblecross_agree_with_a_plain_search() {
    let rules = preset("treblecross").unwrap().unwrap();
    /// Whether the player to move wins, with a table of rows; `None` in it where play is over.
    fn wins(row: &mut Vec<bool>, known: &mut HashMap<Vec<bool>, bool>) -> bool {
        if row.windows(3).any(|three| three == [true; 3]) {
            return false;
        }
        if let Some(found) = known.get(row) {
            return *found;
        }
        let mut found = false;
        for cell in 0..row.len() {
            if !row[cell] && !found {
                row[cell] = true;
                found = !wins(row, known);
                row[cell] = false;
            }
        }
        known.insert(row.clone(), found);
        found
    }
    let mut random = SplitMix(7);
    let mut known = HashMap::new();
    for cells in [21, 22, 23] {
        for _ in 0..60 {
            let mut row = vec![false; cells];
            for _ in 0..4 + random.below(6) {
                row[random.below(cells)] = true;
            }
            if row.windows(3).any(|three| three == [true; 3]) {
                continue;
            }
            let text: String = row.iter().map(|marked| if *marked { 'x' } else { '.' }).collect();
            let answer = large(&rules, &text);
            let mut best = Vec::new();
            for cell in (0..cells).filter(|cell| !row[*cell]) {
                let mut after = row.clone();
                after[cell] = true;
                if !wins(&mut after, &mut known) {
                    best.push(format!("0,{cell}"));
                }
            }
            assert_eq!(answer.best, best, "{text}");
            assert_eq!(answer.outcome == Some(Outcome::Win), !best.is_empty(), "{text}");
        }
    }
    let octal = own("code = \"0.007\"", false);
    for cells in [21_usize, 47, 100, 500] {
        let answer = large(&rules, &".".repeat(cells));
        let of_heap = nimber(&octal, &(cells + 2).to_string());
        assert_eq!(answer.nim_value, Some(NimValue::Nimber(of_heap.into())), "{cells}");
        for mv in answer.moves {
            assert_eq!(large(&rules, &mv.position).outcome, Some(Outcome::Loss), "{cells}: {}", mv.text);
        }
    }
    assert!(rules.large_answer(&".".repeat(9), Query::default()).is_none());
    let other = rules.with_change("both.wins=[\"4 x in a row\"]").unwrap();
    assert!(other.large_answer(&".".repeat(47), Query::default()).is_none());
}

/// Errors in `take` and `split` point at their place in the file.
#[test]
fn mistakes_in_rules_point_at_their_place() {
    let mistake = |moves: &str| {
        let text = format!("family = \"heaps\"\n{moves}\nstart = \"5\"\n");
        let error = RulesFile::parse("own", &text).unwrap_err();
        (error.cause.kind(), text[error.span].to_owned())
    };
    for (moves, kind, place) in [
        ("take = \"1, 3, x\"", "no_take", "x"),
        ("take = \"0, 3\"", "no_take", "0"),
        ("take = \"5-3\"", "no_take", "5-3"),
        ("take = \"powers of 1\"", "no_take", "1"),
        ("take = [1, 2, -3]", "no_take", "-3"),
        ("take = \"\"", "no_take", ""),
        ("take = \"any\"\nsplit = \"three\"", "no_split", "\"three\""),
        ("code = \"nim\"\ntake = \"any\"", "code_and_take", "\"any\""),
        ("code = \"nim\"\nsplit = \"two\"", "code_and_take", "\"two\""),
        ("split = \"two\"", "missing_key", ""),
        ("code = \"0.G\"", "no_code", "\"0.G\""),
    ] {
        assert_eq!(mistake(moves), (kind, place.to_owned()), "{moves}");
    }
    for (written, same) in [("3", "3"), ("[1, 3]", "1,3"), ("\"1-3 7\"", "1-3,7"), ("\" Any \"", "any")] {
        let game = own(&format!("take = {written}"), false).game().unwrap();
        let settings = game.settings();
        let take = settings.iter().find(|setting| setting.key == "take").map_or("any", |setting| &setting.value);
        assert_eq!(take, same, "{written}");
    }
    // A change of one replaces the other.
    let nim = preset("nim").unwrap().unwrap();
    assert_eq!(nimber(&nim.with_change("take=1-3").unwrap(), "7"), 3);
    assert_eq!(nimber(&nim.with_change("take=1-3").unwrap().with_change("code=0.07").unwrap(), "14"), 4);
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
    for wrong in ["code=0.G", "code=1.7", "code=7", "code=true", "start=5 x", "board=3x3", "start=[3, 5]"] {
        assert!(nim.with_change(wrong).is_err(), "{wrong}");
    }
    // The table of nimbers would be too long; misère play does without it.
    let wide = nim.with_change(&format!("code=0.{}", "7".repeat(255))).unwrap();
    assert!(wide.game_at("60000").is_err() && wide.with_change("misere=true").unwrap().game_at("60000").is_ok());
}

/// The plies of a pile, and whether the player to move wins, by the rules alone: the winner hurries, the loser holds out.
fn plain_pile(tokens: u64, limit: u64, times: u64, known: &mut HashMap<[u64; 2], (bool, u32)>) -> (bool, u32) {
    if let Some(found) = known.get(&[tokens, limit]) {
        return *found;
    }
    let after: Vec<_> = (1..=limit.min(tokens))
        .map(|taken| {
            let left = tokens - taken;
            plain_pile(left, left.min(taken * times), times, known)
        })
        .collect();
    let won = after.iter().filter(|(other_wins, _)| !other_wins).map(|(_, plies)| plies + 1).min();
    let lost = after.iter().map(|(_, plies)| plies + 1).max();
    let found = won.map_or((false, lost.unwrap_or(0)), |plies| (true, plies));
    known.insert([tokens, limit], found);
    found
}

#[test]
fn piles_agree_with_plain_minimax() {
    for times in 1..=4 {
        let toml = format!("family = \"pile\"\nstart = \"24\"\ntimes = {times}\n");
        let rules = RulesFile::parse("test", &toml).unwrap();
        let mut engines = EngineCache::new(rules.clone(), EngineOptions::new(Budget::default()));
        let mut known = HashMap::new();
        for tokens in 0..=24 {
            for limit in 0..=tokens {
                let text = match limit {
                    0 if tokens > 1 => continue,
                    0 => tokens.to_string(),
                    _ => format!("{tokens} limit={limit}"),
                };
                let query = Query { goal: Some(Goal::MoveValues), ..Query::default() };
                let answer = engines.ask(&text, query, &Watch::default(), &mut |_| {}).unwrap();
                let (wins, plies) = plain_pile(tokens, limit, times, &mut known);
                let outcome = if wins { Outcome::Win } else { Outcome::Loss };
                assert_eq!((answer.outcome, answer.remoteness), (Some(outcome), Some(plies)), "{times}: {text}");
                assert_eq!(answer.moves.len(), limit as usize, "{times}: {text}");
                for mv in &answer.moves {
                    let taken: u64 = mv.text.parse().unwrap();
                    let after = plain_pile(tokens - taken, (tokens - taken).min(taken * times), times, &mut known);
                    let outcome = if after.0 { Outcome::Loss } else { Outcome::Win };
                    assert_eq!(
                        (mv.outcome, mv.remoteness),
                        (Some(outcome), Some(after.1 + 1)),
                        "{times}: {text}: {taken}"
                    );
                }
            }
        }
        let game = rules.game().unwrap().downcast::<balpan_games::pile::Pile>().unwrap();
        laws::check(&game, 20, times).unwrap();
    }
}

/// The first player loses Fibonacci Nim exactly from a Fibonacci number (M. J. Whinihan, "Fibonacci Nim", 1963).
#[test]
fn fibonacci_nim_is_lost_from_fibonacci_numbers() {
    let rules = preset("fibonacci").unwrap().unwrap();
    let (mut small, mut fibonacci) = (1_u64, 2_u64);
    while fibonacci < 1 << 62 {
        // Three is one more than two.
        let after = if fibonacci == 2 { Outcome::Loss } else { Outcome::Win };
        for (text, outcome) in [(fibonacci, Outcome::Loss), (fibonacci + 1, after)] {
            let answer = ask_winner(&rules, &text.to_string());
            assert_eq!(answer.outcome, Some(outcome), "{text}");
        }
        (small, fibonacci) = (fibonacci, small + fibonacci);
    }
    let answer = ask_winner(&rules, "1000000000001 limit=5");
    let best: Vec<_> = answer.moves.iter().map(|mv| [mv.text.as_str(), mv.position.as_str()]).collect();
    // The sum of … + 89 + 13 + 3 + 1: twice 1 is less than 3, and twice 1 + 3 less than 13.
    assert_eq!(best, [["1", "1000000000000 limit=2"], ["4", "999999999997 limit=8"]]);
}

fn ask_winner(rules: &RulesFile, text: &str) -> Answer {
    let mut engines = EngineCache::new(rules.clone(), EngineOptions::new(Budget::default()));
    let query = Query { goal: Some(Goal::Winner), ..Query::default() };
    engines.ask(text, query, &Watch::default(), &mut |_| {}).unwrap()
}

#[test]
fn wrong_piles_are_refused() {
    let rules = preset("fibonacci").unwrap().unwrap();
    for (text, place) in [
        ("", 0..0),
        ("x", 0..1),
        ("-3", 0..2),
        ("+3", 0..2),
        ("14 limit=0", 3..10),
        ("14 limit=+3", 3..11),
        ("20 30", 3..5),
        ("20 limit=x", 3..10),
        ("20 limit=3 4", 11..12),
        ("9223372036854775808", 0..19),
        ("99999999999999999999999 limit=2", 0..23),
    ] {
        let mut engines = EngineCache::new(rules.clone(), EngineOptions::new(Budget::default()));
        let error = engines.ask(text, Query::default(), &Watch::default(), &mut |_| {}).unwrap_err();
        assert!(format!("{error:?}").contains(&format!("{place:?}")), "{text}: {error:?}");
    }
    for toml in
        ["times = 0", "times = -1", "times = 1.5", "times = 1001", "times = \"two\"", "", "times = 2\nboard = \"3x3\""]
    {
        RulesFile::parse("test", &format!("family = \"pile\"\nstart = 20\n{toml}\n")).unwrap_err();
    }
    RulesFile::parse("test", "family = \"pile\"\nstart = 501\ntimes = 2\n").unwrap_err();
}
