//! `balpan referee`: games between programs, faults, logs and verdicts.
#![cfg(unix)]

use std::path::Path;

use serde_json::Value;

use crate::common::{balpan, printed, refused};

/// Plays the first legal move, or the last; it notes on standard error whatever it reads.
const FIRST: &str = r#"while read -r word rest; do echo "$word $rest" >&2; case $word in moves) set -- $rest;; go) echo $1;; esac; done"#;
const LAST: &str = r##"while read -r word rest; do case $word in moves) for mv in $rest; do :; done;; go) echo "# $mv"; echo; echo " $mv "; ;; esac; done"##;

fn referee(words: &[&str], programs: &[&str]) -> (Option<i32>, Value) {
    let programs = programs.iter().flat_map(|program| ["--", "sh", "-c", program]);
    let words: Vec<_> = ["referee"].iter().chain(words).copied().chain(["--json"]).chain(programs).collect();
    let (code, page, error) = balpan(Path::new("/"), &words);
    (code, serde_json::from_str(&page).unwrap_or_else(|e| panic!("{e}: {page} {error}")))
}

fn moves(report: &Value) -> Vec<&str> {
    report["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect()
}

#[test]
fn two_programs_play_by_the_rules() {
    let (code, report) = referee(&["tictactoe"], &[FIRST, LAST]);
    assert_eq!((code, &report["ended"], &report["winner"]), (Some(0), &"rules".into(), &"X".into()), "{report}");
    assert_eq!(moves(&report), ["0,0", "2,2", "0,1", "2,1", "0,2"]);
    assert_eq!(report["review"]["moves"][3]["mark"], "??", "{report}");
    // A position, and kept turns: one program may be asked several times in a row.
    let (_, report) = referee(&["dots", "--board", "3x3", "--no-review"], &[FIRST, LAST]);
    let players: Vec<_> = report["moves"].as_array().unwrap().iter().map(|mv| mv["player"].as_u64().unwrap()).collect();
    assert_eq!((players, &report["review"]), (vec![0, 1, 0, 1], &Value::Null), "{report}");
    let (_, report) = referee(&["tictactoe", "XO./.../...", "--as", "O"], &[FIRST, LAST]);
    assert_eq!((moves(&report)[0], &report["position"]), ("2,2", &"XO./.../...".into()));
}

#[test]
fn the_perfect_player_gives_nothing_away() {
    for (game, side) in
        [("tictactoe", "second"), ("nim", "first"), ("hexapawn", "second"), ("kalah", "first"), ("ponghauki", "second")]
    {
        let (code, report) = referee(&[game, "--as", side], &[FIRST]);
        assert_eq!(code, Some(0), "{report}");
        let perfect = usize::from(side == "first");
        assert_eq!((&report["programs"][perfect], &report["fault"]), (&Value::Null, &Value::Null));
        let name = report["players"][perfect].as_str().unwrap();
        for mv in report["review"]["moves"].as_array().unwrap() {
            assert!(mv["player"] != name || mv["mark"].is_null(), "{game}: {mv}");
        }
    }
}

#[test]
fn a_fault_loses_and_is_described() {
    let ends = |program: &str| format!("read game; read side; echo told >&2; {program}");
    for (program, kind, told) in [
        ("echo 9,9; sleep 9", "illegal_move", "wrote `9,9`"),
        ("echo; exec >&-; sleep 9", "closed", "closed its output"),
        ("sleep 9", "time_limit", "no move within 0.4 s"),
        ("exit 3", "exit_code", "exit code 3"),
        ("kill -11 $$", "signal", "signal 11"),
        ("head -c 9999 /dev/zero; sleep 9", "line_limit", "a line that is longer"),
    ] {
        let (code, report) = referee(&["tictactoe", "--limit", "400ms"], &[LAST, &ends(program)]);
        assert_eq!((code, &report["winner"], &report["ended"]), (Some(1), &"X".into(), &"fault".into()), "{report}");
        let fault = &report["fault"];
        assert_eq!((&fault["fault"], &fault["errors"]), (&kind.into(), &"told\n".into()), "{fault}");
        assert!(fault["told"].as_str().unwrap().contains(told), "{fault}");
        assert_eq!((&fault["position"], &fault["player"]), (&".../.../..X".into(), &"O".into()));
    }
    // A program that never reads does not hold up the other.
    let (code, report) = referee(&["tictactoe", "--limit", "400ms"], &["sleep 9", LAST]);
    assert_eq!((code, moves(&report).len()), (Some(1), 0));
    let words = ["referee", "tictactoe", "--lang", "ko", "--", "sh", "-c", "echo '\u{1b}[31m'"];
    let (code, page, _) = balpan(Path::new("/"), &words);
    assert!(code == Some(1) && page.contains("둘 수 없는 수") && !page.contains('\u{1b}'), "{page}");
}

#[test]
fn a_program_hears_what_the_other_did() {
    // It gives up at its second move.
    let program = FIRST.replace("go) ", "go) test $1 != 0,1 || exit; ");
    let words =
        ["referee", "tictactoe", "--as", "second", "--json", "--", "sh", "-c", &program, "--", "sh", "-c", LAST];
    let (_, page, _) = balpan(Path::new("/"), &words);
    let report: Value = serde_json::from_str(&page).unwrap();
    let errors = report["fault"]["errors"].as_str().unwrap();
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(lines[..2], ["game tictactoe", "you second O"], "{errors}");
    assert_eq!(lines[2], "played 2,2");
    assert!(lines[3].starts_with("position .../.../..X") && lines[4].starts_with("moves 0,0 0,1"), "{errors}");
    assert_eq!(lines[5], "go ");
}

#[test]
fn review_reads_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "family = \"lines\"\nboard = \"3x4\"\nk = 3\n";
    std::fs::write(folder.path().join("my game.toml"), rules).unwrap();
    for (game, position) in [("connect4", "."), ("my game.toml", "X../O../..."), ("tictactoe", "X../.O./...")] {
        let mut words = vec!["referee", game, "--set", "k=3", "--log", "game.log", "--no-review"];
        words.extend(Some(position).filter(|position| position.len() > 1));
        words.extend(["--", "sh", "-c", FIRST, "--", "sh", "-c", LAST]);
        if game != "connect4" {
            words.retain(|word| !["--set", "k=3"].contains(word));
        }
        let page = printed(folder.path(), &words);
        let log = std::fs::read_to_string(folder.path().join("game.log")).unwrap();
        let command = log.lines().next().unwrap().strip_prefix("# balpan ").unwrap();
        let run = format!("'{}' {command} --json < game.log", env!("CARGO_BIN_EXE_balpan"));
        let review = std::process::Command::new("sh").args(["-c", &run]).current_dir(folder.path()).output().unwrap();
        let review: Value = serde_json::from_slice(&review.stdout).unwrap_or_else(|e| panic!("{e}: {log} {page}"));
        let read: Vec<_> = review["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect();
        let written: Vec<_> = log.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(read, written);
    }
}

#[test]
fn bad_command_lines_are_refused() {
    let here = Path::new("/");
    for (words, has) in [
        (&["referee", "tictactoe"][..], "PROGRAM"),
        (&["referee", "tictactoe", "--", "true", "--"], "2 programs are named"),
        (&["referee", "tictactoe", "--", "true", "--", "true", "--", "true"], "3 programs are named"),
        (&["referee", "tictactoe", "--", "./nowhere"], "cannot be started"),
        (&["referee", "tictactoe", "--as", "B", "--", "true"], "nobody is `B`"),
        (&["referee", "nim", "+", "cram", "--", "true"], "a sum of games"),
    ] {
        let error = refused(here, words);
        assert!(error.contains(has), "{words:?}: {error}");
    }
}
