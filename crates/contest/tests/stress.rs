//! Ten wrong programs are caught, each with the smallest case on which it is wrong and
//! with its mistake by name; right ones pass.
//!
//! A program whose language is not installed is passed over, with a printed line, unless
//! `BALPAN_PROGRAMS=required` is set.
#![cfg(unix)]

use std::time::Duration;

use balpan::Watch;
use balpan_contest::stress::{Fault, Report, StressOptions, Verdict, stress};
use balpan_contest::{BlockGame, Judge, Platforms, TicTacToe};
use balpan_games::{Board, Cells};

use crate::programs::Fixture;

/// Time enough, whatever else the machine has to do.
const PLAN: StressOptions = StressOptions {
    seed: 1,
    cases: None,
    time: Duration::from_secs(300),
    time_limit: Duration::from_secs(60),
    memory_limit: None,
    batch: None,
    threads: 2,
};

fn report<J: Judge>(judge: &J, fixture: &Fixture, cases: Option<u64>) -> Report<J> {
    stress(judge, fixture.program(), &StressOptions { cases, ..PLAN }, &Watch::default()).unwrap()
}

/// Tries a program which has a mistake of a name that begins like this, first on a case of
/// `cells` cells, on a board of `board`.
fn is_caught<J: Judge>(judge: &J, fixture: Option<Fixture>, mistake: &str, cells: usize, board: usize) {
    let Some(fixture) = fixture else { return };
    let report = report(judge, &fixture, None);
    let difference = report.difference.unwrap_or_else(|| panic!("{mistake}: not caught in {} cases", report.tried));
    assert_eq!((difference.size.cells, difference.size.board), (cells, board), "{mistake}: {:?}", difference.case);
    // All smaller ones were tried, the program itself answering.
    let smaller = (0..=cells).flat_map(|cells| judge.cases_of_size(cells));
    let smaller = smaller.filter(|case| judge.size(case) < difference.size).count() as u64;
    assert!(difference.minimality.all_tried, "{mistake}");
    assert_eq!(difference.minimality.smaller_cases, smaller, "{mistake}");
    // The right answer is right by another solver, and theirs is the mistake's.
    let Fault::Wrong(theirs) = difference.fault else { panic!("{mistake}: {:?}", difference.fault) };
    assert_ne!(theirs, difference.right);
    let suspect = &difference.suspects[0];
    assert!(suspect.mistake.name.starts_with(mistake), "{mistake}: taken for {}", suspect.mistake.name);
    assert_eq!((suspect.explains, suspect.mistake.answer(&difference.case)), (suspect.compared, Some(theirs)));
    assert!(suspect.compared >= 30, "{mistake}: asked about {} cases only", suspect.compared);
    if let Some(other) = difference.suspects.get(1) {
        assert!(other.explains < other.compared, "{mistake}: {} explains all as well", other.mistake.name);
    }
}

/// The first that is suspected of a program begins like this, and explains all it was asked.
/// It is not always known which is the smallest case: that would take longer.
fn names<J: Judge>(judge: &J, fixture: Option<Fixture>, mistake: &str) {
    let Some(fixture) = fixture else { return };
    // A third of it is enough where nothing else is going on.
    let short = StressOptions { time: Duration::from_secs(30), time_limit: Duration::from_secs(5), ..PLAN };
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
fn greedy() {
    is_caught(&Platforms, Fixture::solution("platforms-greedy.py"), "greedy nearest win", 5, 6);
}

#[test]
fn maximising_for_both() {
    is_caught(&Platforms, Fixture::solution("platforms-maximise-both.cpp"), "maximising for both sides, whoever", 5, 6);
}

#[test]
fn a_hurrying_loser() {
    is_caught(&Platforms, Fixture::solution("platforms-loser-hurries/Solution.java"), "the loser hurrying", 5, 6);
}

#[test]
fn a_shared_tile() {
    is_caught(&Platforms, Fixture::whole("platforms-shared-tile.py"), "forgetting that the shared tile vanishes", 2, 2);
}

#[test]
fn rounds() {
    is_caught(
        &Platforms,
        Fixture::solution("platforms-rounds.cpp"),
        "counting rounds in place of plies, rounded up",
        3,
        3,
    );
}

#[test]
fn the_first_winning_move() {
    let mistake = "taking the first winning move in place of the fastest";
    is_caught(&Platforms, Fixture::whole("platforms-first-win/Main.java"), mistake, 6, 6);
}

#[test]
fn memos() {
    let whole = Fixture::whole;
    names(&Platforms, Fixture::solution("platforms-memo-tiles.py"), "a memo without the tiles");
    names(&Platforms, Fixture::solution("platforms-memo-order.cpp"), "a memo without the tiles");
    names(&Platforms, Fixture::solution("platforms-memo-turn.js"), "a memo without the tiles");
    names(&Platforms, whole("platforms-memo-other.py"), "a memo without the other token");
    names(&Platforms, whole("platforms-memo-kept.py"), "a memo kept between cases");
    names(&BlockGame, whole("blockgame-memo-count.py"), "a memo by the number of free cells");
    names(&TicTacToe, whole("tictactoe-memo.py"), "a memo by the free cells alone, kept between cases");
}

#[test]
fn what_is_read_or_reached_wrongly() {
    let whole = Fixture::whole;
    names(&Platforms, Fixture::solution("platforms-exchanged.cpp"), "rows and columns of the tokens exchanged");
    names(&BlockGame, whole("blockgame-count-fewer.py"), "reading one case fewer");
    names(&BlockGame, whole("blockgame-count-more.py"), "reading one case more");
    names(&BlockGame, whole("blockgame-wraps.cpp"), "a domino that goes on in the next row");
    names(&BlockGame, whole("blockgame-one-l.py"), "L-trominoes in one rotation: only `#./##`");
    names(&TicTacToe, whole("tictactoe-count-fewer.py"), "reading one case fewer");
    names(&TicTacToe, whole("tictactoe-diagonal.py"), "a diagonal forgotten: from the top right");
}

#[test]
fn a_misere_ending() {
    is_caught(&BlockGame, Fixture::whole("blockgame-misere.cpp"), "a misère ending", 0, 0);
}

#[test]
fn a_missing_orientation() {
    is_caught(&BlockGame, Fixture::whole("blockgame-orientation.py"), "a missing orientation: `.#/##`", 5, 8);
}

#[test]
fn a_mistaken_turn() {
    is_caught(&TicTacToe, Fixture::whole("tictactoe-turn.py"), "the turn mistaken: counts", 1, 9);
}

#[test]
fn a_full_board() {
    is_caught(&TicTacToe, Fixture::whole("tictactoe-full-board.cpp"), "a full board with a line called TIE", 0, 9);
}

/// Every case with this number of tiles on every board of the statement, those in disguise, with
/// blank borders and tiles out of reach, included.
fn every_case(tiles: u32, mut then: impl FnMut(&<Platforms as Judge>::Case)) {
    use balpan_contest::judge::platforms::Case;

    for (rows, cols) in (1..=5).flat_map(|rows| (1..=5).map(move |cols| (rows, cols))) {
        let board = Board::new(rows, cols).unwrap();
        for set in (0..1_u64 << board.cells()).filter(|set| set.count_ones() == tiles) {
            for a in Cells(set) {
                Cells(set).for_each(|b| then(&Case { board, tiles: set, a: a as u8, b: b as u8 }));
            }
        }
    }
}

/// The smallest cases above are so among those in disguise, too: by the solvers of the
/// same mistakes, which answer more cases than programs can.
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
        every_case(tiles, |case| {
            let right = reference(case).unwrap();
            for (mistake, _) in smallest.iter().filter(|(_, first)| tiles < *first) {
                assert_eq!(mistake.answer(case), Some(right), "{}: {case:?}", mistake.name);
            }
        });
    }
}

// One test for each judge, so that they go on side by side: each takes half a minute.
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
    let report = report(judge, &fixture, Some(cases));
    let verdict = report.verdict();
    if let Some(difference) = report.difference {
        panic!("{:?}: {:?}, {:?}, {}", difference.case, difference.right, difference.fault, difference.errors);
    }
    assert_eq!((report.tried, report.stopped, verdict), (cases, false, Verdict::Right));
    assert_eq!(report.largest, judge.info().max_cells);
}
