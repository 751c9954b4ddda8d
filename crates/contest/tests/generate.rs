//! Test data is valid by the statements, answered correctly, covers what it claims to, and is the same on
//! every machine.

use crate::naive;

use std::collections::HashSet;
use std::fmt::Debug;

use balpan::Watch;
use balpan_contest::{
    BlockGame, Coverage, DataOptions, FixedCases, GenerateError, Judge, OptimalPlay, Platforms, TestData, TicTacToe,
    find_hard_cases, generate, generate_with,
};

fn data<J: Judge>(judge: &J, cases: usize, seed: u64, cover: bool) -> TestData<J> {
    generate(judge, &DataOptions { cases, seed, cover }, &Watch::default()).unwrap()
}

/// Data with various options.
fn sample_data<J: Judge>(judge: &J) -> Vec<TestData<J>> {
    let data_of_seed = |seed| [data(judge, 50, seed, true), data(judge, 50, seed, false)];
    let mut all: Vec<_> = (1..=2).flat_map(data_of_seed).collect();
    all.extend([data(judge, 1, 4, false), data(judge, 2, 5, false), data(judge, 12, 3, false)]);
    all
}

/// Parses the input format of the two AlgoSpot problems: a count of at most 50, then for each case `side` lines of
/// `side` glyphs. Every line ends with a line feed, and there is nothing else.
fn parse_squares(input: &str, side: usize, glyphs: &str) -> Vec<Vec<String>> {
    assert!(input.ends_with('\n'));
    let mut lines = input[..input.len() - 1].split('\n');
    let count = lines.next().unwrap();
    let cases: usize = count.parse().unwrap();
    assert_eq!(cases.to_string(), count, "no sign, no zero before it");
    assert!((1..=50).contains(&cases));
    let lines: Vec<_> = lines.map(str::to_owned).collect();
    assert_eq!(lines.len(), cases * side);
    for line in &lines {
        assert!(line.len() == side && line.chars().all(|glyph| glyphs.contains(glyph)), "{line:?}");
    }
    lines.chunks(side).map(<[String]>::to_vec).collect()
}

#[test]
fn block_game_data_is_valid() {
    for data in sample_data(&BlockGame) {
        assert_eq!(parse_squares(&BlockGame.write(&data.cases), 5, ".#").len(), data.cases.len());
    }
}

#[test]
fn tic_tac_toe_data_is_valid() {
    for data in sample_data(&TicTacToe) {
        for rows in parse_squares(&TicTacToe.write(&data.cases), 3, ".xo") {
            let count = |mark| rows.concat().matches(mark).count();
            assert!(count('x') == count('o') || count('x') == count('o') + 1, "x moves first: {rows:?}");
            // A finished game ended with the last mark.
            let cell = |row: usize, col: usize| rows[row].as_bytes()[col];
            let has_line = |mark| {
                let all = |at: &dyn Fn(usize) -> (usize, usize)| (0..3).all(|n| cell(at(n).0, at(n).1) == mark);
                let straight = (0..3).any(|k| all(&|n| (k, n)) || all(&|n| (n, k)));
                straight || all(&|n| (n, n)) || all(&|n| (n, 2 - n))
            };
            assert!(!has_line(b'x') || !has_line(b'o'), "{rows:?}");
            assert!(!has_line(b'x') || count('x') > count('o'), "{rows:?}");
            assert!(!has_line(b'o') || count('x') == count('o'), "{rows:?}");
        }
    }
}

/// Parses `[1,0]`, without blanks.
fn parse_list(text: &str) -> Vec<usize> {
    let inside = text.strip_prefix('[').unwrap().strip_suffix(']').unwrap();
    inside.split(',').map(|number| number.parse().unwrap()).collect()
}

#[test]
fn platforms_data_is_valid() {
    for data in sample_data(&Platforms) {
        let input = Platforms.write(&data.cases);
        assert!(input.ends_with('\n'));
        let lines: Vec<_> = input[..input.len() - 1].split('\n').collect();
        assert_eq!(lines.len(), data.cases.len());
        for line in lines {
            let rest = line.strip_prefix(r#"{"board":["#).unwrap();
            let (board, rest) = rest.split_once(r#"],"aloc":"#).unwrap();
            let (aloc, bloc) = rest.strip_suffix('}').unwrap().split_once(r#","bloc":"#).unwrap();
            let board: Vec<_> = board.split_inclusive(']').map(|row| parse_list(row.trim_start_matches(','))).collect();
            let written: Vec<_> = board.iter().map(|row| format!("{row:?}").replace(' ', "")).collect();
            let written = format!(r#"{{"board":[{}],"aloc":{aloc},"bloc":{bloc}}}"#, written.join(","));
            assert_eq!(written, line, "nothing else is there");
            assert!((1..=5).contains(&board.len()) && (1..=5).contains(&board[0].len()));
            assert!(board.iter().all(|row| row.len() == board[0].len() && row.iter().all(|&tile| tile <= 1)));
            for token in [aloc, bloc].map(parse_list) {
                assert_eq!(token.len(), 2);
                assert_eq!(board[token[0]][token[1]], 1, "a token stands on a tile");
            }
        }
    }
}

/// Checks the answers of cases of at most `max_cells` cells with a naive solver.
fn check_answers<J: Judge>(judge: &J, max_cells: usize, naive: fn(&str) -> String) {
    for data in sample_data(judge) {
        let mut has_large_cases = false;
        for (case, answer) in data.cases.iter().zip(&data.answers) {
            let size = judge.size(case);
            if size.cells <= max_cells {
                assert_eq!(naive(&judge.write(std::slice::from_ref(case))), answer.to_string(), "{case:?}");
            }
            has_large_cases |= size.cells > max_cells;
        }
        // The reference gives each case the same answer without the others.
        let watch = Watch::default();
        for (case, answer) in data.cases.iter().zip(&data.answers).filter(|_| has_large_cases) {
            assert_eq!(judge.reference(&watch)(case).unwrap(), *answer);
        }
    }
}

#[test]
fn answers_are_correct() {
    check_answers(&Platforms, 17, naive::platforms);
    check_answers(&BlockGame, 11, naive::block_game);
    check_answers(&TicTacToe, 9, naive::tic_tac_toe);
}

/// Checks that everything is covered, and that at least three cases catch each mistake.
fn covers_everything<J: Judge>(judge: &J) {
    let watch = Watch::default();
    for seed in 0..4 {
        let data = data(judge, 20, seed, true);
        assert_eq!(data.cases.len(), 20);
        assert!(data.cases.is_sorted_by_key(|case| judge.size(case)));
        let covered: Vec<_> = data.coverage.iter().map(|coverage| &coverage.what).collect();
        for feature in judge.info().features {
            assert!(covered.iter().any(|what| what == feature), "{feature}");
        }
        for coverage in &data.coverage {
            assert!(!coverage.cases.is_empty(), "{coverage:?}");
            assert!(coverage.cases.is_sorted() && coverage.cases.iter().all(|&case| case < data.cases.len()));
        }
        // The coverage lists exactly the cases that have a feature.
        let mut survey = judge.survey(&watch);
        let plays: Vec<_> = data.cases.iter().map(|case| survey(case).unwrap()).collect();
        let cases_with =
            |what: &str| data.coverage.iter().find(|coverage| coverage.what == what).unwrap().cases.clone();
        for feature in judge.info().features {
            let expected: Vec<_> = (0..20).filter(|&n| plays[n].features.contains(feature)).collect();
            assert_eq!(cases_with(feature), expected, "{feature}");
        }
        let plies: Vec<_> = plays.iter().map(|play| play.plies).collect();
        for (words, plies_of) in [("the shortest game", plies.iter().min()), ("the longest game", plies.iter().max())] {
            let coverage = data.coverage.iter().find(|coverage| coverage.what.starts_with(words)).unwrap();
            assert!(coverage.what.ends_with(&format!(": {} plies", plies_of.unwrap())), "{coverage:?}");
            assert!(coverage.cases.iter().all(|&case| Some(&plies[case]) == plies_of));
        }
        for twin in cases_with("twins, each the other's mirror image") {
            let mirrored = judge.mirror(&data.cases[twin]);
            assert!(mirrored != data.cases[twin] && data.cases.contains(&mirrored));
            assert_eq!(judge.mirror(&mirrored), data.cases[twin]);
        }
        for mistake in judge.mistakes() {
            let is_wrong =
                |&n: &usize| mistake.answer(judge, &data.cases[n]).is_some_and(|theirs| theirs != data.answers[n]);
            let caught: Vec<_> = (0..20).filter(is_wrong).collect();
            assert_eq!(cases_with(&format!("misunderstanding: {}", mistake.name)), caught);
            assert!(caught.len() >= 3, "{} in {caught:?}", mistake.name);
        }
    }
}

#[test]
fn everything_is_covered_on_platforms() {
    covers_everything(&Platforms);
}

#[test]
fn everything_is_covered_in_the_block_game() {
    covers_everything(&BlockGame);
}

#[test]
fn everything_is_covered_in_tic_tac_toe() {
    covers_everything(&TicTacToe);
}

#[test]
fn mirror_images_have_the_same_answer() {
    fn check<J: Judge>(judge: &J) {
        let watch = Watch::default();
        let mut reference = judge.reference(&watch);
        for data in sample_data(judge) {
            for (case, answer) in data.cases.iter().zip(&data.answers) {
                let mirrored = judge.mirror(case);
                assert_eq!(reference(&mirrored).unwrap(), *answer, "{case:?}");
                assert_eq!(judge.mirror(&mirrored), *case);
            }
        }
    }
    check(&Platforms);
    check(&BlockGame);
    check(&TicTacToe);
}

/// The survey agrees with the reference on who wins and when.
#[test]
fn surveys_agree_with_the_reference() {
    let watch = Watch::default();
    let has = |play: &OptimalPlay, feature: &str| play.features.contains(&feature);
    let mut survey = Platforms.survey(&watch);
    for data in sample_data(&Platforms) {
        for (case, plies) in data.cases.iter().zip(data.answers) {
            let play = survey(case).unwrap();
            assert_eq!(play.plies, plies.0 as usize);
            assert_eq!(has(&play, "A wins"), plies.0 % 2 == 1);
            assert_eq!(has(&play, "B wins"), plies.0 % 2 == 0);
        }
    }
    let mut survey = BlockGame.survey(&watch);
    for data in sample_data(&BlockGame) {
        for (case, answer) in data.cases.iter().zip(data.answers) {
            let play = survey(case).unwrap();
            assert_eq!(has(&play, "whoever begins wins"), answer.to_string() == "WINNING");
            assert_eq!(has(&play, "whoever begins loses"), answer.to_string() == "LOSING");
            assert_eq!(play.plies % 2 == 1, answer.to_string() == "WINNING");
        }
    }
    let mut survey = TicTacToe.survey(&watch);
    for data in sample_data(&TicTacToe) {
        for (case, answer) in data.cases.iter().zip(data.answers) {
            let features = survey(case).unwrap().features.join(", ");
            for mark in ["x", "o"] {
                assert_eq!(features.contains(&format!("{mark} wins by")), answer.to_string() == mark, "{features}");
            }
        }
    }
}

#[test]
fn cases_have_all_sizes_and_are_distinct() {
    fn check<J: Judge>(judge: &J) {
        let data = data(judge, 60, 9, false);
        assert_eq!(data.cases.iter().collect::<HashSet<_>>().len(), 60);
        let in_third = |third: usize| {
            let (above, max) = (judge.info().max_cells * third / 3, judge.info().max_cells * (third + 1) / 3);
            let cells = data.cases.iter().map(|case| judge.size(case).cells);
            cells.filter(|&cells| cells <= max && (third == 0 || cells > above)).count()
        };
        assert_eq!([0, 1, 2].map(in_third), [20; 3]);
    }
    check(&Platforms);
    check(&BlockGame);
    check(&TicTacToe);
}

/// FNV-1a, which is the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The text that the hashes below were computed from.
fn debug_text(Coverage { what, cases }: &Coverage) -> String {
    format!("Covered {{ what: {what:?}, cases: {cases:?} }}")
}

/// The data of a seed never changes.
#[test]
fn a_seed_gives_the_same_data_on_every_machine() {
    fn hashes<J: Judge>(judge: &J) -> [u64; 3] {
        [(1, false), (1, true), (2_u64.pow(63) + 1, true)].map(|(seed, cover)| {
            let data = data(judge, 40, seed, cover);
            let answers: Vec<_> = data.answers.iter().map(ToString::to_string).collect();
            let coverage: Vec<_> = data.coverage.iter().map(debug_text).collect();
            hash(&[judge.write(&data.cases), answers.join("\n"), coverage.join("\n")].concat())
        })
    }
    assert_eq!(
        [hashes(&Platforms), hashes(&BlockGame), hashes(&TicTacToe)],
        [
            [6_061_208_402_343_558_612, 12_749_077_852_846_694_940, 16_439_055_815_432_975_993],
            [2_317_504_043_548_985_642, 8_114_335_765_062_098_241, 2_956_511_429_917_393_173],
            [10_813_862_376_237_243_428, 10_898_631_210_824_335_891, 3_735_453_861_081_695_629],
        ]
    );
}

#[test]
fn too_few_cases_are_refused_and_the_needed_number_suffices() {
    fn check<J: Judge + Debug>(judge: &J) {
        for cases in [0, 5] {
            let refused = generate(judge, &DataOptions { cases, seed: 1, cover: true }, &Watch::default()).unwrap_err();
            let GenerateError::TooFew { cases: found, needed } = refused else { panic!("{refused}") };
            assert_eq!(found, cases);
            assert_eq!(data(judge, needed, 1, true).cases.len(), needed);
            let one_less = DataOptions { cases: needed - 1, seed: 1, cover: true };
            assert!(generate(judge, &one_less, &Watch::default()).is_err());
        }
    }
    check(&Platforms);
    check(&BlockGame);
    check(&TicTacToe);
}

#[test]
fn a_watch_stops_generation() {
    for cover in [false, true] {
        let watch = Watch::default();
        watch.stop();
        let stopped = generate(&Platforms, &DataOptions { cases: 10, seed: 1, cover }, &watch).unwrap_err();
        assert!(matches!(stopped, GenerateError::Stopped(_)));
    }
}

/// Tic-tac-toe has only 5,478 boards, so some come twice.
#[test]
fn cases_repeat_if_there_are_too_few() {
    let data = data(&TicTacToe, 6000, 1, false);
    assert_eq!(data.cases.len(), 6000);
    assert_eq!(data.cases.iter().collect::<HashSet<_>>().len(), 5478);
}

/// Fixed cases stand where they should, are not repeated, and are covered as the others are.
#[test]
fn fixed_cases_are_included() {
    fn check<J: Judge>(judge: &J) {
        let usual = data(judge, 20, 3, true);
        let (first, last) = (usual.cases[15..18].to_vec(), usual.cases[..2].to_vec());
        let fixed = FixedCases { first: first.clone(), last: last.clone() };
        for cover in [false, true] {
            let options = DataOptions { cases: 20, seed: 3, cover };
            let data = generate_with(judge, &fixed, &options, &Watch::default()).unwrap();
            assert_eq!(data.cases.len(), 25);
            assert_eq!((&data.cases[..3], &data.cases[23..]), (&first[..], &last[..]));
            assert!(data.cases[3..23].is_sorted_by_key(|case| judge.size(case)));
            assert_eq!(data.cases.iter().collect::<HashSet<_>>().len(), 25);
            let watch = Watch::default();
            let mut survey = judge.survey(&watch);
            for feature in judge.info().features.iter().filter(|_| cover) {
                let coverage = data.coverage.iter().find(|coverage| coverage.what == *feature).unwrap();
                let has = |&case: &usize| survey(&data.cases[case]).unwrap().features.contains(feature);
                assert_eq!(coverage.cases, (0..25).filter(has).collect::<Vec<_>>(), "{feature}");
            }
        }
    }
    check(&Platforms);
    check(&BlockGame);
    check(&TicTacToe);
}

/// Parses the first case of an input.
fn case<J: Judge>(judge: &J, text: &str) -> J::Case {
    judge.read(text.as_bytes()).next().unwrap().unwrap()
}

fn visits<J: Judge>(judge: &J, text: &str) -> Vec<u64> {
    let case = case(judge, text);
    judge.recursions().iter_mut().map(|recursion| recursion.visits(&case)).collect()
}

/// Solves the block game by plain recursion. Returns whether the player to move wins, and the positions visited.
fn block_game_visits(free: &mut Vec<Vec<bool>>, moves: &[Vec<(usize, usize)>]) -> (bool, u64) {
    let mut visited = 1;
    for cells in moves {
        if cells.iter().all(|&(r, c)| free[r][c]) {
            cells.iter().for_each(|&(r, c)| free[r][c] = false);
            let (theirs, more) = block_game_visits(free, moves);
            cells.iter().for_each(|&(r, c)| free[r][c] = true);
            visited += more;
            if !theirs {
                return (true, visited);
            }
        }
    }
    (false, visited)
}

#[test]
fn visits_are_those_of_plain_recursion() {
    // Counted with another program.
    let full = "[1,1,1,1,1]";
    let board = [full; 5].join(",");
    let corners = format!(r#"{{"board":[{board}],"aloc":[0,0],"bloc":[4,4]}}"#);
    assert_eq!(visits(&Platforms, &corners), [131_069, 13_802]);
    assert_eq!(visits(&TicTacToe, "1\n...\n...\n...\n"), [549_946, 94_978]);
    assert_eq!(visits(&TicTacToe, "1\nxxo\nox.\n.o.\n"), [12, 12]);
    // The blocks of a 2x2 square, in the order of their cells.
    let blocks: [&[(usize, usize)]; 6] = [
        &[(0, 0), (0, 1)],
        &[(0, 0), (1, 0)],
        &[(0, 0), (0, 1), (1, 0)],
        &[(0, 0), (0, 1), (1, 1)],
        &[(0, 0), (1, 0), (1, 1)],
        &[(0, 1), (1, 0), (1, 1)],
    ];
    let at = |block: &[(usize, usize)], row: usize, col: usize| {
        let cells: Vec<_> = block.iter().map(|&(r, c)| (row + r, col + c)).collect();
        cells.iter().all(|&(r, c)| r < 5 && c < 5).then_some(cells)
    };
    let places = || (0..25).map(|cell| (cell / 5, cell % 5));
    let by_cell: Vec<_> = places().flat_map(|(r, c)| blocks.iter().filter_map(move |block| at(block, r, c))).collect();
    let by_block: Vec<_> =
        blocks.iter().rev().flat_map(|block| places().filter_map(move |(r, c)| at(block, r, c))).collect();
    for text in [
        "#####\n#...#\n#...#\n#.#.#\n#..##\n",
        "....#\n#####\n.#.#.\n.####\n..#..\n",
        "#####\n#####\n#####\n#####\n....#\n",
    ] {
        let mut free: Vec<Vec<_>> = text.lines().map(|row| row.chars().map(|cell| cell == '.').collect()).collect();
        let expected = [&by_cell, &by_block].map(|moves| block_game_visits(&mut free, moves).1);
        assert_eq!(visits(&BlockGame, &format!("1\n{text}")), expected);
    }
}

#[test]
fn hard_cases_are_hard_and_depend_on_the_seed_alone() {
    fn check<J: Judge>(judge: &J) {
        let watch = Watch::default();
        let found = find_hard_cases(judge, 10, 1, &[], &watch).unwrap();
        assert_eq!(found.len(), 10);
        let product = |visits: &[(&str, u64)]| visits.iter().map(|visits| u128::from(visits.1)).product::<u128>();
        assert!(found.is_sorted_by_key(|hard| product(&hard.visits)));
        let cases: HashSet<_> =
            found.iter().flat_map(|hard| HashSet::from([hard.case.clone(), judge.mirror(&hard.case)])).collect();
        assert!(cases.len() >= 10);
        // The hardest is harder than random cases.
        let mut recursions = judge.recursions();
        for case in data(judge, 30, 1, false).cases {
            let visits: Vec<_> =
                recursions.iter_mut().map(|recursion| (recursion.name, recursion.visits(&case))).collect();
            assert!(product(&visits) <= product(&found[9].visits), "{case:?}");
            assert!(judge.excess(&case).is_none());
        }
        let excluded = [found[9].case.clone()];
        // What is excluded does not change the climbs: without the hardest there is one more at the other end.
        let others = find_hard_cases(judge, 10, 1, &excluded, &watch).unwrap();
        assert!(
            others[1..].iter().zip(&found).all(|(one, other)| one.case == other.case && one.visits == other.visits)
        );
        assert!(found.iter().all(|hard| hard.case != others[0].case));
        let stopped = Watch::default();
        stopped.stop();
        assert!(find_hard_cases(judge, 1, 1, &[], &stopped).is_err());
    }
    check(&Platforms);
    check(&BlockGame);
    check(&TicTacToe);
}
