//! Test data that covers everything catches the wrong programs of `programs/`, each with one misunderstanding, and lets the
//! right ones pass.
//!
//! A language that is not installed is skipped, with a printed line, unless `BALPAN_PROGRAMS=required` is set.
#![cfg(unix)]

use std::time::Duration;

use balpan::Watch;
use balpan_contest::{BlockGame, DataOptions, End, Judge, Limits, Platforms, TestData, TicTacToe, generate};

use crate::programs::Fixture;

const LIMITS: Limits = Limits::new(Duration::from_secs(100), 1 << 20);

/// Returns a program's answers to the data.
fn answers<J: Judge>(judge: &J, data: &TestData<J>, fixture: &Fixture) -> Vec<String> {
    let input = judge.write(&data.cases);
    let run = fixture.program().run(input.as_bytes(), LIMITS, &Watch::default()).unwrap();
    assert_eq!(run.end, End::Exited(0), "{}: {}", fixture.program().name(), run.errors);
    String::from_utf8(run.output).unwrap().lines().map(str::to_owned).collect()
}

/// Generates data that covers everything, for two seeds.
fn covering_data<J: Judge>(judge: &J) -> impl Iterator<Item = TestData<J>> {
    let options = |seed| DataOptions { cases: 30, seed, cover: true };
    (1..=2).map(move |seed| generate(judge, &options(seed), &Watch::default()).unwrap())
}

/// Checks that a program answers at least three cases wrongly, and all as the solver of its mistake does, where that has an
/// answer.
fn is_caught<J: Judge>(judge: &J, fixture: Option<Fixture>, mistake: &str) {
    let Some(program) = fixture else { return };
    let mistakes = judge.mistakes();
    let mistake = mistakes.iter().find(|candidate| candidate.name == mistake).unwrap();
    for data in covering_data(judge) {
        let theirs = answers(judge, &data, &program);
        assert_eq!(theirs.len(), data.cases.len(), "{}", mistake.name);
        let right: Vec<_> = data.answers.iter().map(ToString::to_string).collect();
        assert!(theirs.iter().zip(&right).filter(|(theirs, right)| theirs != right).count() >= 3, "{}", mistake.name);
        for (case, theirs) in data.cases.iter().zip(theirs) {
            assert!(
                mistake.answer(judge, case).is_none_or(|answer| answer.to_string() == theirs),
                "{}: {case:?}",
                mistake.name
            );
        }
    }
}

fn passes<J: Judge>(judge: &J, fixture: Option<Fixture>) {
    let Some(program) = fixture else { return };
    // One seed is enough: Python is slow on the largest boards.
    for data in covering_data(judge).take(1) {
        let right: Vec<_> = data.answers.iter().map(ToString::to_string).collect();
        assert_eq!(answers(judge, &data, &program), right, "{}", program.program().name());
    }
}

#[test]
fn wrong_programs_of_platforms_are_caught() {
    is_caught(&Platforms, Fixture::solution("platforms-greedy.py"), "greedy nearest win");
    is_caught(&Platforms, Fixture::solution("platforms-maximise-both.cpp"), "maximising for both sides, whoever wins");
    is_caught(&Platforms, Fixture::solution("platforms-loser-hurries/Solution.java"), "the loser hurrying, too");
    is_caught(&Platforms, Fixture::whole("platforms-shared-tile.py"), "forgetting that the shared tile vanishes");
    is_caught(&Platforms, Fixture::solution("platforms-rounds.cpp"), "counting rounds in place of plies, rounded up");
    is_caught(
        &Platforms,
        Fixture::whole("platforms-first-win/Main.java"),
        "taking the first winning move in place of the fastest: up, right, down, left, in this order",
    );
}

#[test]
fn wrong_programs_of_the_block_game_are_caught() {
    is_caught(&BlockGame, Fixture::whole("blockgame-misere.cpp"), "a misère ending");
    is_caught(&BlockGame, Fixture::whole("blockgame-orientation.py"), "a missing orientation: `.#/##`");
}

#[test]
fn wrong_programs_of_tic_tac_toe_are_caught() {
    is_caught(&TicTacToe, Fixture::whole("tictactoe-turn.py"), "the turn mistaken: counts read the wrong way round");
    is_caught(&TicTacToe, Fixture::whole("tictactoe-full-board.cpp"), "a full board with a line called TIE");
}

#[test]
fn right_programs_pass() {
    for name in ["right-platforms.py", "right-platforms.cpp", "right-platforms.js", "right-platforms/Solution.java"] {
        passes(&Platforms, Fixture::solution(name));
    }
    for language in ["cpp", "py"] {
        passes(&BlockGame, Fixture::whole(&format!("right-blockgame.{language}")));
        passes(&TicTacToe, Fixture::whole(&format!("right-tictactoe.{language}")));
    }
}
