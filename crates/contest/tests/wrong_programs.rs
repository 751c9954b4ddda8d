//! The wrong programs of `programs/`, each with one misunderstanding, are caught by test
//! data that covers everything; the right ones pass.
//!
//! A language that is not installed is passed over, with a printed line, unless
//! `BALPAN_PROGRAMS=required` is set.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use balpan::Watch;
use balpan_contest::{
    BlockGame, End, Judge, Limits, NoProgram, Platforms, Program, TestData, TicTacToe, Wanted, generate,
};
use tempfile::TempDir;

const LIMITS: Limits = Limits { time: Duration::from_secs(100), output: 1 << 20 };

/// How a fixture is run.
enum Kind {
    /// Standard input to standard output.
    Whole,
    /// A function for [`Program::solution`].
    Solution,
}

use Kind::{Solution, Whole};

/// A fixture ready to run, and the folder that it was compiled to.
struct Ready(Program, Option<TempDir>);

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

/// The program of a fixture, unless its language is not installed.
fn ready(name: &str, kind: &Kind) -> Option<Ready> {
    let path = fixture(name);
    if let Solution = kind {
        return match Program::solution(&path, &Watch::default()) {
            Ok(program) => Some(Ready(program, None)),
            Err(e @ NoProgram::NoTool { .. }) => passed_over(name, &e.to_string()),
            Err(e) => panic!("{name}: {e}"),
        };
    }
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path();
    let (compiler, words): (Option<Vec<OsString>>, Vec<OsString>) = match path.extension().unwrap().to_str().unwrap() {
        "py" => (None, vec!["python3".into(), path.into()]),
        "cpp" => {
            let binary = to.join("program");
            (
                Some(vec!["c++".into(), "-O2".into(), "-o".into(), binary.clone().into(), path.into()]),
                vec![binary.into()],
            )
        }
        "java" => {
            let javac = vec!["javac".into(), "-d".into(), to.into(), path.into()];
            (Some(javac), vec!["java".into(), "-cp".into(), to.into(), "Main".into()])
        }
        other => panic!("{other}: a fixture in another language"),
    };
    if let Some(compiler) = compiler {
        match Command::new(&compiler[0]).args(&compiler[1..]).status() {
            Ok(status) => assert!(status.success(), "{name} does not compile"),
            Err(e) if e.kind() == ErrorKind::NotFound => return passed_over(name, &format!("no {:?}", compiler[0])),
            Err(e) => panic!("{name}: {e}"),
        }
    }
    let program = Program::new(words);
    match program.run(b"", LIMITS, &Watch::default()) {
        Err(NoProgram::Start { source, .. }) if source.kind() == ErrorKind::NotFound => {
            passed_over(name, &source.to_string())
        }
        _ => Some(Ready(program, Some(folder))),
    }
}

fn passed_over<T>(name: &str, why: &str) -> Option<T> {
    assert_ne!(env::var("BALPAN_PROGRAMS").as_deref(), Ok("required"), "{name}: {why}");
    println!("{name} is passed over: {why}");
    None
}

/// What a program answers to the data, a word a case.
fn answers<J: Judge>(judge: &J, data: &TestData<J>, Ready(program, _folder): &Ready) -> Vec<String> {
    let input = judge.write(&data.cases);
    let run = program.run(input.as_bytes(), LIMITS, &Watch::default()).unwrap();
    assert_eq!(run.end, End::Exited(0), "{}: {}", program.name(), run.errors);
    String::from_utf8(run.output).unwrap().lines().map(str::to_owned).collect()
}

/// Data that covers everything, by one seed and another.
fn covering<J: Judge>(judge: &J) -> impl Iterator<Item = TestData<J>> {
    let wanted = |seed| Wanted { cases: 30, seed, cover: true };
    (1..=2).map(move |seed| generate(judge, &wanted(seed), &Watch::default()).unwrap())
}

/// It is wrong in several cases, and answers all as the solver of its mistake does, as
/// far as that answers.
fn is_caught<J: Judge>(judge: &J, name: &str, kind: &Kind, mistake: &str) {
    let Some(program) = ready(name, kind) else { return };
    let mistakes = judge.mistakes();
    let mistake = mistakes.iter().find(|known| known.name == mistake).unwrap();
    for data in covering(judge) {
        let theirs = answers(judge, &data, &program);
        assert_eq!(theirs.len(), data.cases.len(), "{name}");
        let right: Vec<_> = data.answers.iter().map(ToString::to_string).collect();
        assert!(theirs.iter().zip(&right).filter(|(theirs, right)| theirs != right).count() >= 3, "{name}");
        for (case, theirs) in data.cases.iter().zip(theirs) {
            assert!(mistake.answer(case).is_none_or(|answer| answer.to_string() == theirs), "{name}, {case:?}");
        }
    }
}

fn passes<J: Judge>(judge: &J, name: &str, kind: &Kind) {
    let Some(program) = ready(name, kind) else { return };
    // In Python, the largest boards take their time.
    for data in covering(judge).take(1) {
        let right: Vec<_> = data.answers.iter().map(ToString::to_string).collect();
        assert_eq!(answers(judge, &data, &program), right, "{name}");
    }
}

#[test]
fn wrong_programs_of_platforms_are_caught() {
    is_caught(&Platforms, "platforms-greedy.py", &Solution, "greedy nearest win");
    is_caught(&Platforms, "platforms-maximise-both.cpp", &Solution, "maximising for both sides, whoever wins");
    is_caught(&Platforms, "platforms-loser-hurries/Solution.java", &Solution, "the loser hurrying, too");
    is_caught(&Platforms, "platforms-shared-tile.py", &Whole, "forgetting that the shared tile vanishes");
    is_caught(&Platforms, "platforms-rounds.cpp", &Solution, "counting rounds in place of plies, rounded up");
    is_caught(
        &Platforms,
        "platforms-first-win/Main.java",
        &Whole,
        "taking the first winning move in place of the fastest: up, right, down, left, in this order",
    );
}

#[test]
fn wrong_programs_of_the_block_game_are_caught() {
    is_caught(&BlockGame, "blockgame-misere.cpp", &Whole, "a misère ending");
    is_caught(&BlockGame, "blockgame-orientation.py", &Whole, "a missing orientation: `.#/##`");
}

#[test]
fn wrong_programs_of_tic_tac_toe_are_caught() {
    is_caught(&TicTacToe, "tictactoe-turn.py", &Whole, "the turn mistaken: counts read the wrong way round");
    is_caught(&TicTacToe, "tictactoe-full-board.cpp", &Whole, "a full board with a line called TIE");
}

#[test]
fn right_programs_pass() {
    for name in ["right-platforms.py", "right-platforms.cpp", "right-platforms.js", "right-platforms/Solution.java"] {
        passes(&Platforms, name, &Solution);
    }
    for language in ["cpp", "py"] {
        passes(&BlockGame, &format!("right-blockgame.{language}"), &Whole);
        passes(&TicTacToe, &format!("right-tictactoe.{language}"), &Whole);
    }
}
