//! Wrong programs are caught, each with its smallest failing case and its mistake; right programs pass.
//!
//! A program whose language is not installed is skipped, with a printed line, unless `BALPAN_PROGRAMS=required` is set.
#![cfg(unix)]

use std::time::Duration;

use balpan::Watch;
use balpan_contest::stress::{Fault, Report, StressOptions, Verdict, stress};
use balpan_contest::{BlockGame, Judge, Platforms, TicTacToe};
use balpan_games::{Board, Cells};

use crate::programs::Fixture;

/// Options with enough time for a busy machine.
const OPTIONS: StressOptions = StressOptions {
    seed: 1,
    cases: None,
    time: Duration::from_secs(300),
    time_limit: Duration::from_secs(60),
    memory_limit: None,
    batch: None,
    threads: 2,
};

fn report<J: Judge>(judge: &J, fixture: &Fixture, cases: Option<u64>) -> Report<J> {
    stress(judge, fixture.program(), &StressOptions { cases, ..OPTIONS }, &Watch::default()).unwrap()
}

/// Checks that a program's smallest failing case has `cells` cells on a board of `board` cells, and that the name of its
/// mistake begins with `mistake`.
fn is_caught<J: Judge>(judge: &J, fixture: Option<Fixture>, mistake: &str, cells: usize, board: usize) {
    let Some(fixture) = fixture else { return };
    let report = report(judge, &fixture, None);
    let difference = report.difference.unwrap_or_else(|| panic!("{mistake}: not caught in {} cases", report.tried));
    assert_eq!((difference.size.cells, difference.size.board), (cells, board), "{mistake}: {:?}", difference.case);
    // The program answered all smaller cases.
    let smaller = (0..=cells).flat_map(|cells| judge.cases_of_size(cells));
    let smaller = smaller.filter(|case| judge.size(case) < difference.size).count() as u64;
    assert!(difference.minimality.all_tried, "{mistake}");
    assert_eq!(difference.minimality.smaller_cases, smaller, "{mistake}");
    // The program's answer is that of the mistake.
    let Fault::Wrong(theirs) = difference.fault else { panic!("{mistake}: {:?}", difference.fault) };
    assert_ne!(theirs, difference.right);
    let suspect = &difference.suspects[0];
    assert!(suspect.mistake.name.starts_with(mistake), "{mistake}: taken for {}", suspect.mistake.name);
    assert_eq!((suspect.explains, suspect.mistake.answer(judge, &difference.case)), (suspect.compared, Some(theirs)));
    assert!(suspect.compared >= 30, "{mistake}: asked about {} cases only", suspect.compared);
    if let Some(other) = difference.suspects.get(1) {
        let is_variant = other.mistake.kind() == suspect.mistake.kind();
        assert!(
            is_variant || other.explains < other.compared,
            "{mistake}: {} explains all as well",
            other.mistake.name
        );
    }
}

/// Checks that the name of a program's first suspect begins with `mistake` and that it explains all answers. There is not
/// enough time to find the smallest case of every program.
fn is_diagnosed<J: Judge>(judge: &J, fixture: Option<Fixture>, mistake: &str) {
    let Some(fixture) = fixture else { return };
    // A twelfth of the time is enough on an idle machine.
    let short = StressOptions { time: Duration::from_secs(120), time_limit: Duration::from_secs(5), ..OPTIONS };
    let report = stress(judge, fixture.program(), &short, &Watch::default()).unwrap();
    let verdict = report.verdict();
    let difference = report.difference.unwrap_or_else(|| panic!("{mistake}: not caught in {} cases", report.tried));
    let fault = &difference.fault;
    let suspect = difference
        .suspects
        .first()
        .unwrap_or_else(|| panic!("{mistake}: not known by {fault:?} on {:?}", difference.case));
    assert!(suspect.mistake.name.starts_with(mistake), "{mistake}: taken for {}", suspect.mistake.name);
    assert_eq!((suspect.explains, verdict), (suspect.compared, Verdict::Wrong), "{mistake}");
}

#[test]
fn greedy_is_caught() {
    is_caught(&Platforms, Fixture::solution("platforms-greedy.py"), "greedy nearest win", 5, 6);
}

#[test]
fn maximising_for_both_is_caught() {
    is_caught(&Platforms, Fixture::solution("platforms-maximise-both.cpp"), "maximising for both sides, whoever", 5, 6);
}

#[test]
fn a_hurrying_loser_is_caught() {
    is_caught(&Platforms, Fixture::solution("platforms-loser-hurries/Solution.java"), "the loser hurrying", 5, 6);
}

#[test]
fn a_shared_tile_is_caught() {
    is_caught(&Platforms, Fixture::whole("platforms-shared-tile.py"), "forgetting that the shared tile vanishes", 2, 2);
}

#[test]
fn counting_rounds_is_caught() {
    is_caught(
        &Platforms,
        Fixture::solution("platforms-rounds.cpp"),
        "counting rounds in place of plies, rounded up",
        3,
        3,
    );
}

#[test]
fn the_first_winning_move_is_caught() {
    let mistake = "taking the first winning move in place of the fastest";
    is_caught(&Platforms, Fixture::whole("platforms-first-win/Main.java"), mistake, 6, 6);
}

#[test]
fn memos_are_diagnosed() {
    let whole = Fixture::whole;
    is_diagnosed(&Platforms, Fixture::solution("platforms-memo-tiles.py"), "a memo without the tiles");
    is_diagnosed(&Platforms, Fixture::solution("platforms-memo-order.cpp"), "a memo without the tiles");
    is_diagnosed(&Platforms, Fixture::solution("platforms-memo-turn.js"), "a memo without the tiles");
    is_diagnosed(&Platforms, whole("platforms-memo-other.py"), "a memo without the other token");
    is_diagnosed(&Platforms, whole("platforms-memo-kept.py"), "a memo kept between cases");
    is_diagnosed(&BlockGame, whole("blockgame-memo-count.py"), "a memo by the number of free cells");
    is_diagnosed(&TicTacToe, whole("tictactoe-memo.py"), "a memo by the free cells alone, kept between cases");
}

#[test]
fn wrong_reading_and_wrong_moves_are_diagnosed() {
    let whole = Fixture::whole;
    is_diagnosed(&Platforms, Fixture::solution("platforms-exchanged.cpp"), "rows and columns of the tokens exchanged");
    is_diagnosed(&BlockGame, whole("blockgame-count-fewer.py"), "reading one case fewer");
    is_diagnosed(&BlockGame, whole("blockgame-count-more.py"), "reading one case more");
    is_diagnosed(&BlockGame, whole("blockgame-wraps.cpp"), "a domino that goes on in the next row");
    is_diagnosed(&BlockGame, whole("blockgame-one-l.py"), "L-trominoes in one rotation: only `#./##`");
    is_diagnosed(&TicTacToe, whole("tictactoe-count-fewer.py"), "reading one case fewer");
    is_diagnosed(&TicTacToe, whole("tictactoe-diagonal.py"), "a diagonal forgotten: from the top right");
}

#[test]
fn a_misere_ending_is_caught() {
    is_caught(&BlockGame, Fixture::whole("blockgame-misere.cpp"), "a misère ending", 0, 0);
}

#[test]
fn a_missing_orientation_is_caught() {
    is_caught(&BlockGame, Fixture::whole("blockgame-orientation.py"), "a missing orientation: `.#/##`", 5, 8);
}

#[test]
fn a_mistaken_turn_is_caught() {
    is_caught(&TicTacToe, Fixture::whole("tictactoe-turn.py"), "the turn mistaken: counts", 1, 9);
}

#[test]
fn a_full_board_is_caught() {
    is_caught(&TicTacToe, Fixture::whole("tictactoe-full-board.cpp"), "a full board with a line called TIE", 0, 9);
}

/// Calls `visit` with every case of this number of tiles on the statement's boards, including those in disguise: with blank
/// borders and tiles out of reach.
fn for_each_case(tiles: u32, mut visit: impl FnMut(&<Platforms as Judge>::Case)) {
    use balpan_contest::judge::platforms::Case;

    for (rows, cols) in (1..=5).flat_map(|rows| (1..=5).map(move |cols| (rows, cols))) {
        let board = Board::new(rows, cols).unwrap();
        for set in (0..1_u64 << board.cells()).filter(|set| set.count_ones() == tiles) {
            for a in Cells(set) {
                Cells(set).for_each(|b| visit(&Case { board, tiles: set, a: a as u8, b: b as u8 }));
            }
        }
    }
}

/// The smallest failing cases above are minimal also among cases in disguise. The solvers of the mistakes check this; they
/// answer more cases than programs can.
#[test]
fn no_case_in_disguise_is_smaller() {
    let mistakes = Platforms.mistakes();
    let smallest = [
        ("greedy nearest win", 5),
        ("maximising for both sides, whoever", 5),
        ("the loser hurrying", 5),
        ("forgetting that the shared tile vanishes", 2),
        ("counting rounds in place of plies, rounded up", 3),
        ("taking the first winning move in place of the fastest: up, right, down, left", 6),
    ];
    let named = |(name, tiles)| (mistakes.iter().find(|mistake| mistake.name.starts_with(name)).unwrap(), tiles);
    let smallest = smallest.map(named);
    let watch = Watch::default();
    let mut reference = Platforms.reference(&watch);
    for tiles in 1..=5 {
        for_each_case(tiles, |case| {
            let right = reference(case).unwrap();
            for (mistake, _) in smallest.iter().filter(|(_, first)| tiles < *first) {
                assert_eq!(mistake.answer(&Platforms, case), Some(right), "{}: {case:?}", mistake.name);
            }
        });
    }
}

/// Returns the part of a test's cases that is tried: `BALPAN_CASES` in a hundred.
fn part_of(cases: u64) -> u64 {
    cases * std::env::var("BALPAN_CASES").map_or(20, |percent| percent.parse().unwrap()) / 100
}

// One test for each judge, so that they run in parallel.
#[test]
fn right_programs_pass_at_platforms() {
    for file in ["right-platforms.py", "right-platforms.cpp", "right-platforms.js", "right-platforms/Solution.java"] {
        passes(&Platforms, Fixture::solution(file), 20_000);
    }
    passes(&Platforms, Fixture::whole("right-platforms-memo.py"), 20_000);
}

#[test]
fn right_programs_pass_at_blockgame() {
    for file in ["right-blockgame.cpp", "right-blockgame-parts.cpp", "right-blockgame/Main.java"] {
        passes(&BlockGame, Fixture::whole(file), 5_000);
    }
    passes(&BlockGame, Fixture::whole("right-blockgame-table.cpp"), 1_000);
    passes(&BlockGame, Fixture::whole("right-blockgame.py"), 1_000);
}

#[test]
fn right_programs_pass_at_tictactoe() {
    for file in [
        "right-tictactoe.cpp",
        "right-tictactoe.py",
        "right-tictactoe-plain.py",
        "right-tictactoe-table.cpp",
        "right-tictactoe/Main.java",
    ] {
        passes(&TicTacToe, Fixture::whole(file), 6_000);
    }
}

fn passes<J: Judge>(judge: &J, fixture: Option<Fixture>, cases: u64) {
    let Some(fixture) = fixture else { return };
    let cases = part_of(cases);
    let report = report(judge, &fixture, Some(cases));
    let verdict = report.verdict();
    if let Some(difference) = report.difference {
        panic!("{:?}: {:?}, {:?}, {}", difference.case, difference.right, difference.fault, difference.errors);
    }
    assert_eq!((report.tried, report.stopped, verdict), (cases, false, Verdict::Right));
    assert_eq!(report.largest, judge.info().max_cells);
}
