//! The laws of judges: they read what they write, and sizes are ordered.

use std::collections::HashSet;

use balpan::{Budget, Goal, Method, SplitMix, Watch};
use balpan_contest::{BlockGame, CustomGame, Judge, JudgeError, Platforms, TicTacToe, answer_all, custom};
use balpan_games::{EngineOptions, Query, RulesFile};

fn read_back<J: Judge>(judge: &J, cases: &[J::Case]) {
    let text = judge.write(cases);
    let read: Result<Vec<_>, _> = judge.read(text.as_bytes()).collect();
    assert_eq!(read.unwrap(), cases, "{text}");
}

fn cases<J: Judge>(judge: &J, cells: std::ops::RangeInclusive<usize>) -> Vec<J::Case> {
    cells.flat_map(|cells| judge.cases_of_size(cells)).collect()
}

fn check_laws<J: Judge>(judge: &J, exhaustive_cells: usize) {
    let small = cases(judge, 0..=exhaustive_cells);
    assert!(small.is_sorted_by_key(|case| judge.size(case)), "in the order of size");
    assert_eq!(small.iter().collect::<HashSet<_>>().len(), small.len(), "each once");
    assert!(cases(judge, judge.info().max_cells + 1..=judge.info().max_cells + 1).is_empty());
    read_back(judge, &small);
    read_back(judge, &[]);
    let mut random = SplitMix(1);
    let min = small.first().map_or(1, |case| judge.size(case).cells.max(1));
    for max in min..=judge.info().max_cells {
        for _ in 0..20 {
            let case = judge.random_case(&mut random, max);
            assert!(judge.size(&case).cells <= max);
            read_back(judge, std::slice::from_ref(&case));
            for smaller in judge.smaller_cases(&case) {
                assert!(judge.size(&smaller) < judge.size(&case), "{smaller:?} of {case:?}");
            }
        }
    }
    // The reference and `answer_all` agree, and answers parse back.
    let mut output = Vec::new();
    let watch = Watch::default();
    answer_all(judge, judge.write(&small).as_bytes(), &mut output, &watch).unwrap();
    let mut reference = judge.reference(&watch);
    let lines = String::from_utf8(output).unwrap();
    assert_eq!(lines.lines().count(), small.len());
    for (line, case) in lines.lines().zip(&small) {
        assert_eq!(judge.read_answer(line), Some(reference(case).unwrap()));
    }
    for wrong in ["", " ", "winning", "X", "tie", "-1", "+1", "01", "1.5", "18446744073709551616"] {
        assert_eq!(judge.read_answer(wrong), None, "{wrong}");
    }
}

#[test]
fn platforms_keeps_the_laws() {
    check_laws(&Platforms, 4);
    // Counted with another program.
    assert_eq!([1, 2, 3, 4, 5].map(|tiles| Platforms.cases_of_size(tiles).count()), [1, 84, 566, 3056, 14151]);
}

#[test]
fn block_game_keeps_the_laws() {
    check_laws(&BlockGame, 4);
    // No board, 40 dominoes, 30 straight and 4 * 16 bent trominoes.
    assert_eq!([0, 1, 2, 3].map(|free| BlockGame.cases_of_size(free).count()), [1, 0, 40, 2 * 15 + 4 * 16]);
}

#[test]
fn tic_tac_toe_keeps_the_laws() {
    check_laws(&TicTacToe, 9);
    assert_eq!(cases(&TicTacToe, 0..=9).len(), 5478);
}

fn custom_game(rules: &str, kind: custom::AnswerKind, smaller: bool) -> CustomGame {
    let rules = RulesFile::parse("own", rules).unwrap();
    CustomGame::new(rules, kind, smaller, &Watch::default()).unwrap()
}

const STRIP: &str = "family = \"walkers\"\nboard = \"1x7\"\nsteps = \"orthogonal\"\n";
const DROPS: &str = "family = \"lines\"\nboard = \"3x3\"\nk = 3\ngravity = true\n";
const CRAM: &str = "family = \"placement\"\nboard = \"3x4\"\n[pieces]\nI = \"##\"\n";
const WIDE_CRAM: &str = "family = \"placement\"\nboard = \"5x6\"\n[pieces]\nI = \"##\"\n";
const TORUS: &str = "family = \"walkers\"\nboard = \"4x5\"\nsteps = \"orthogonal\"\ntorus = true\nshare = false\n";
const SIDES: &str =
    "family = \"placement\"\nboard = \"3x4\"\nrotate = false\n[left]\nI = \"#/#\"\n[right]\nI = \"##\"\n";
const HEAPS: &str = "family = \"heaps\"\ncode = \"nim\"\nstart = \"1 3 4\"\n";

#[test]
fn custom_games_keep_the_laws() {
    use custom::AnswerKind::{Nimber, Outcome, Value};
    for (rules, kind, whole) in [
        (STRIP, Value, true),
        (DROPS, Outcome, true),
        (CRAM, Nimber, true),
        (SIDES, Outcome, true),
        (HEAPS, Nimber, true),
        (TORUS, Value, false),
        (WIDE_CRAM, Outcome, false),
    ] {
        let judge = custom_game(rules, kind, true);
        let info = judge.info();
        assert_eq!((info.is_complete, info.disguises.is_none()), (whole || info.is_complete, whole), "{rules}");
        check_laws(&judge, info.exhaustive_cells);
    }
}

/// The judge agrees with plain minimax, on small boards and on random cases.
#[test]
fn custom_games_agree_with_minimax() {
    use custom::AnswerKind::{Nimber, Value};
    for (rules, kind) in [(STRIP, Value), (DROPS, Value), (SIDES, Value), (TORUS, Value), (CRAM, Nimber)] {
        let judge = custom_game(rules, kind, true);
        let watch = Watch::default();
        let mut reference = judge.reference(&watch);
        let mut random = SplitMix(1);
        let at_random: Vec<_> = (0..50).map(|_| judge.random_case(&mut random, 9)).collect();
        let small = cases(&judge, 0..=judge.info().exhaustive_cells.min(6));
        for case in small.into_iter().step_by(7).chain(at_random) {
            let make =
                EngineOptions { method: Method::Minimax, ..EngineOptions::new(Budget { memory: 1 << 20, threads: 1 }) };
            let mut plain = make.text_engine(&judge.game(&case).unwrap());
            let question = Query { goal: Some(Goal::Value), nim_value: false };
            let plain = plain.ask("", &case.text, question, &watch, &mut |_| {}).unwrap();
            match reference(&case).unwrap() {
                custom::Answer::Value(outcome, plies) => {
                    assert_eq!((Some(outcome), plies), (plain.outcome, plain.remoteness), "{}", case.text);
                }
                custom::Answer::Nimber(nimber) => {
                    assert_eq!(Some(nimber > 0), plain.outcome.map(|outcome| outcome == balpan::Outcome::Win));
                }
                custom::Answer::Score(score) => assert_eq!(Some(score), plain.score, "{}", case.text),
                custom::Answer::Outcome(outcome) => assert_eq!(Some(outcome), plain.outcome, "{}", case.text),
            }
        }
    }
}

#[test]
fn without_smaller_boards_there_is_only_the_rules_board() {
    let rules = RulesFile::parse("own", CRAM).unwrap().with_board("2x3").unwrap();
    let judge = CustomGame::new(rules, custom::AnswerKind::Outcome, false, &Watch::default()).unwrap();
    let all = cases(&judge, 0..=6);
    assert!(all.iter().all(|case| judge.size(case).board == 6) && all.len() > 10, "{}", all.len());
    let other = judge.read("1\n../..\n".as_bytes()).next().unwrap();
    assert!(other.unwrap_err().to_string().contains("line 2"), "another board is refused");
}

#[test]
fn invalid_inputs_of_custom_games_are_refused() {
    let judge = custom_game(DROPS, custom::AnswerKind::Outcome, true);
    for (input, line, column, expected) in [
        ("", 1, 1, "the number of cases"),
        ("x\n", 1, 1, "the number of cases"),
        ("-1\n", 1, 1, "the number of cases"),
        ("2\n.../.../...\n", 3, 1, "a position"),
        ("1\n.../.../...\n.../.../...\n", 3, 1, "nothing after the last case"),
        ("1\n.../.z./...\n", 2, 6, "a cell is one of"),
    ] {
        let error = judge.read(input.as_bytes()).find_map(Result::err).unwrap_or_else(|| panic!("{input}"));
        let JudgeError::Input { line: at, column: in_line, expected: found, .. } = error else { panic!("{error}") };
        assert_eq!((at, in_line), (line, column), "{input}: {found}");
        assert!(found.contains(expected), "{input}: {found}");
    }
    // A partizan game has no nimbers.
    let rules = RulesFile::parse("own", DROPS).unwrap();
    assert!(CustomGame::new(rules, custom::AnswerKind::Nimber, true, &Watch::default()).is_err());
}
