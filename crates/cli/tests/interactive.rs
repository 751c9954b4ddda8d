//! `balpan generate --interactive`: the package's interactor against its programs, as a judging system runs them.
#![cfg(unix)]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{printed, refused};

/// The judgement of a test: 42 or 43.
fn judge(interactor: &Path, test: &Path, program: &[&str], feedback: &Path) -> Option<i32> {
    let mut team = Command::new(program[0])
        .args(&program[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (input, output) = (team.stdin.take().unwrap(), team.stdout.take().unwrap());
    let [to_read, answer] = ["in", "ans"].map(|kind| test.with_extension(kind));
    let mut command = Command::new(interactor);
    let judged = command.args([&to_read, &answer]).arg(feedback).stdin(output).stdout(input).status().unwrap();
    drop(command);
    team.kill().unwrap();
    team.wait().unwrap();
    judged.code()
}

/// What a program gets at best from each position of a table, by minimax over the program's moves.
fn best_of_table(table: &str) -> i64 {
    let mut lines = table.lines();
    let count: usize = lines.next().unwrap().parse().unwrap();
    let mut positions: Vec<Vec<(bool, i64)>> = Vec::new();
    for _ in 0..count {
        let moves: usize = lines.next().unwrap().split(' ').next().unwrap().parse().unwrap();
        let read = |line: &str| {
            let words: Vec<_> = line.split(' ').collect();
            (words[words.len() - 2] == "e", words[words.len() - 1].parse().unwrap())
        };
        positions.push(lines.by_ref().take(moves).map(read).collect());
    }
    fn best(positions: &[Vec<(bool, i64)>], at: usize, known: &mut HashMap<usize, i64>) -> i64 {
        if let Some(value) = known.get(&at) {
            return *value;
        }
        let value = |known: &mut _, &(is_end, next): &(bool, i64)| {
            if is_end { next } else { best(positions, next as usize, known) }
        };
        let value = positions[at].iter().map(|mv| value(known, mv)).max().unwrap();
        known.insert(at, value);
        value
    }
    best(&positions, 0, &mut HashMap::new())
}

#[test]
fn the_interactor_plays_perfectly_and_judges() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let tools = [("c++", "--version"), ("python3", "--version")];
    for (tool, word) in tools {
        if !Command::new(tool).arg(word).stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
            assert!(std::env::var_os("BALPAN_PROGRAMS").is_none_or(|value| value != "required"), "there is no {tool}");
            eprintln!("the interactor is not tried: there is no {tool}");
            return;
        }
    }
    let mut interactor = PathBuf::new();
    for (name, game, more) in [
        ("tictactoe", "game:tictactoe", &[][..]),
        ("kalah", "game:kalah", &["--package", "domjudge"]),
        ("nim", "game:nim", &["--seed", "3"]),
        ("hexapawn", "game:hexapawn", &[]),
    ] {
        let package: &[&str] = if more.contains(&"--package") { &[] } else { &["--package", "kattis"] };
        let words = [&["generate", game, "--interactive", "--cases", "4", "-o", name], package, more].concat();
        let page = printed(here, &words);
        assert!(page.contains("of a game against a perfect opponent, as a package for"), "{page}");
        let folder = here.join(name);
        let source = folder.join("output_validators/interactor/validate.cc");
        if interactor.as_os_str().is_empty() {
            interactor = here.join("validate");
            let built = Command::new("c++")
                .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-o"])
                .arg(&interactor)
                .arg(&source)
                .status();
            assert!(built.unwrap().success());
        }
        let mut tests: Vec<_> =
            fs::read_dir(folder.join("data/secret")).unwrap().map(|file| file.unwrap().path()).collect();
        tests.retain(|path| path.extension().is_some_and(|kind| kind == "in"));
        tests.push(folder.join("data/sample/1.in"));
        assert!(tests.len() >= 3, "{name}: {tests:?}");
        let accepted = folder.join("submissions/accepted/table.py");
        let first = folder.join("submissions/wrong_answer/first.py");
        let mut is_any_wrong = false;
        for test in &tests {
            let input = fs::read_to_string(test).unwrap();
            let goal: i64 = input.lines().nth(2).unwrap().parse().unwrap();
            // The opponent's replies let the program get what best play gets, and no more.
            assert_eq!(best_of_table(&fs::read_to_string(test.with_extension("ans")).unwrap()), goal, "{name} {input}");
            let validate = folder.join("input_validators/validate.py");
            let valid = Command::new("python3").arg(validate).stdin(fs::File::open(test).unwrap()).status().unwrap();
            assert_eq!(valid.code(), Some(42));
            let judge = |program: &[&str]| judge(&interactor, test, program, here);
            assert_eq!(judge(&["python3", accepted.to_str().unwrap()]), Some(42), "{name} {input}");
            for program in ["echo 9,9,9", "exit 1", "read line; echo; echo"] {
                assert_eq!(judge(&["sh", "-c", program]), Some(43), "{name} {input}");
            }
            if first.exists() {
                is_any_wrong |= judge(&["python3", first.to_str().unwrap()]) == Some(43);
            }
        }
        assert!(is_any_wrong || !first.exists(), "{name}");
        let interaction = fs::read_to_string(folder.join("data/sample/1.interaction")).unwrap();
        assert!(interaction.starts_with("<game ") && interaction.contains("\n>"), "{interaction}");
        for language in ["en", "ko"] {
            let statement =
                fs::read_to_string(folder.join(format!("problem_statement/problem.{language}.tex"))).unwrap();
            assert!(!statement.contains("RULES") && statement.matches("\\section*").count() == 1, "{statement}");
        }
        // The programs speak the referee's lines.
        let report =
            printed(here, &["referee", name, "--no-review", "--json", "--", "python3", first.to_str().unwrap()]);
        assert!(!first.exists() || report.contains("\"ended\":\"rules\""), "{report}");
    }
}

#[test]
fn what_has_no_interactive_package_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let package = ["--interactive", "-o", "p", "--package"];
    for (words, has) in [
        (&["platforms", "kattis"][..], "--interactive is for games"),
        (&["game:tictactoe", "polygon"], "not for polygon"),
        (&["game:ponghauki", "kattis"], "play may repeat"),
        (&["game:tictactoe", "kattis", "--cover"], "cannot be used with"),
    ] {
        let line = [&["generate", words[0]], &package[..], &words[1..]].concat();
        let error = refused(folder.path(), &line);
        assert!(error.contains(has), "{words:?}: {error}");
    }
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}
