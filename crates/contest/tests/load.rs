//! Right programs are never called wrong or slow, however busy the machine is.
//!
//! Tests five programs for each judge, with different methods and languages, all at the same time and for many seeds.
//! This takes a quarter of an hour:
//! `cargo test -p balpan-contest --test all load -- --ignored --nocapture`
#![cfg(unix)]

use std::thread;
use std::time::Duration;

use balpan::Watch;
use balpan_contest::stress::{StressOptions, Verdict, stress};
use balpan_contest::{BlockGame, Judge, Platforms, TicTacToe};

use crate::programs::Fixture;

/// The number of tests of each program.
const ROUNDS: u64 = 20;

/// The default options of the command.
fn options<J: Judge>(judge: &J, seed: u64) -> StressOptions {
    StressOptions {
        seed,
        cases: None,
        time: Duration::from_secs(30),
        time_limit: judge.info().time_limit,
        memory_limit: Some(1 << 30),
        batch: None,
        threads: thread::available_parallelism().unwrap().get(),
    }
}

/// Tests a program for many seeds. Prints the number of undecided tests and the largest share of the time limit.
fn never_wrong<J: Judge>(judge: &J, name: &str, fixture: Option<Fixture>) {
    let Some(fixture) = fixture else { return };
    let (mut undecided, mut cases, mut slowest) = (0, 0, 0.0_f64);
    for round in 1..=ROUNDS {
        let options = options(judge, round);
        let report = stress(judge, fixture.program(), &options, &Watch::default()).unwrap();
        let verdict = report.verdict();
        if let Some(timing) = report.slowest() {
            slowest = slowest.max(timing.slowest.as_secs_f64() / options.time_limit.as_secs_f64());
        }
        cases += report.cases;
        if let Some(difference) = report.difference {
            panic!("{name}, round {round}: {verdict:?}, {:?}, {:?}", difference.case, difference.fault);
        }
        undecided += u32::from(verdict == Verdict::Undecided);
    }
    println!(
        "{name}: {ROUNDS} rounds, {cases} cases, {undecided} undecided, at most {:.0}% of the limit",
        100.0 * slowest
    );
}

#[test]
#[ignore = "takes a quarter of an hour, and all the cores"]
fn right_programs_are_never_called_wrong_or_slow() {
    thread::scope(|scope| {
        for file in ["py", "cpp", "js"].map(|language| format!("right-platforms.{language}")) {
            scope.spawn(move || never_wrong(&Platforms, &file, Fixture::solution(&file)));
        }
        scope.spawn(|| {
            let file = "right-platforms/Solution.java";
            never_wrong(&Platforms, file, Fixture::solution(file));
        });
        scope.spawn(|| never_wrong(&Platforms, "right-platforms-memo.py", Fixture::whole("right-platforms-memo.py")));
        for file in ["/Main.java", ".cpp", ".py", "-parts.cpp", "-table.cpp"] {
            let file = format!("right-blockgame{file}");
            scope.spawn(move || never_wrong(&BlockGame, &file, Fixture::whole(&file)));
        }
        for file in ["/Main.java", ".cpp", ".py", "-plain.py", "-table.cpp"] {
            let file = format!("right-tictactoe{file}");
            scope.spawn(move || never_wrong(&TicTacToe, &file, Fixture::whole(&file)));
        }
    });
}
