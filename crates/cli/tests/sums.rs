//! Sums of games, and heaps, on the command line.

use std::process::{Command, Output};

fn balpan(words: &str) -> (Option<i32>, String, String) {
    let words = words.split_whitespace();
    let output =
        Command::new(env!("CARGO_BIN_EXE_balpan")).args(words).env("NO_COLOR", "1").env("LC_ALL", "C").output();
    let Output { status, stdout, stderr } = output.expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    (status.code(), text(stdout), text(stderr))
}

fn json(words: &str) -> serde_json::Value {
    let (code, printed, error) = balpan(&format!("{words} --json"));
    assert_eq!(code, Some(0), "{words}: {error}");
    serde_json::from_str(&printed).expect("an object")
}

/// Components, the sum, and what the moves leave add up.
#[test]
fn nimbers_add_up() {
    for words in [
        "solve cram .../... + nim 3 5 + kayles 7",
        "solve nim + nim 3 5 + nim 7",
        "solve cram .../.../... + blockgame .../... + dawson 14",
        "solve kayles 65000 + nim 65535",
        "solve nim 0 + cram .",
    ] {
        let answer = json(words);
        let number = |value: &serde_json::Value| value.as_u64().expect("a number");
        let nimbers: Vec<_> =
            answer["sum"].as_array().expect("a list").iter().map(|one| number(&one["nimber"])).collect();
        let sum = nimbers.iter().fold(0, |sum, nimber| sum ^ nimber);
        assert_eq!(number(&answer["nimber"]), sum, "{words}");
        assert_eq!(answer["outcome"], if sum == 0 { "loss" } else { "win" }, "{words}");
        let moves = answer["moves"].as_array().expect("a list");
        assert_eq!(moves.is_empty(), sum == 0, "{words}");
        for mv in moves {
            let changed = nimbers[number(&mv["component"]) as usize - 1];
            assert_eq!(sum ^ changed ^ number(&mv["nimber"]), 0, "{words}: {mv}");
        }
        assert!(json(&format!("{words} --outcome"))["moves"].is_null());
    }
}

/// Heaps of one game are the same as a sum of games of one heap each, and a sum
/// with itself is lost.
#[test]
fn sums_are_what_they_are_as_one_position() {
    let together = json("solve kayles 9 12 4 --outcome");
    let apart = json("solve kayles 9 + kayles 12 + kayles 4");
    assert_eq!(together["outcome"], apart["outcome"]);
    assert_eq!(together["winner"], apart["winner"]);
    let (best, moves) = (&together["best"], apart["moves"].as_array().expect("a list"));
    let mut best: Vec<_> = best.as_array().expect("a list").iter().map(ToString::to_string).collect();
    let mut moves: Vec<_> = moves.iter().map(|mv| mv["move"].to_string()).collect();
    best.sort();
    moves.sort();
    assert_eq!(best, moves);
    assert_eq!(json("solve cram + cram")["outcome"], "loss");
}

#[test]
fn games_that_do_not_add_up_are_refused() {
    for (words, told) in [
        ("solve nim +", "no game beside"),
        ("solve nim + + kayles", "no game beside"),
        ("solve nim 3 + 5", "`5` is neither a game nor a file"),
        ("solve nim + platforms", "platforms is not impartial"),
        ("solve nim + notakto", "notakto is not by the normal convention"),
        ("solve nim + kayles x", "`x` is not a heap"),
        ("solve nim + kayles --board 3x3", "which game do they change"),
        ("solve nim + kayles --set code=0.7", "which game do they change"),
        ("census nim + kayles", "only `solve` adds games up"),
        ("solve nim + kayles --estimate", "only `solve` adds games up"),
        ("census nim 65536", "a heap of 65536 tokens"),
        ("solve nim 3,5", "`3,5` is not a heap"),
        ("solve nim 20000 --ask moves", "play may last 20000 plies"),
        ("census nim 20000", "play may last 20000 plies"),
        ("solve nim 20000 --ask moves --estimate", "play may last 20000 plies"),
        ("solve nim 20000 --outcome --solver minimax", "play may last 20000 plies"),
        ("solve kayles 20000 --set misere=true --outcome", "play may last 20000 plies"),
        ("solve nim --board 3x3", "unknown field `board`"),
        ("solve kayles --set code=0.G", "`0.G` is not a code"),
    ] {
        let (code, printed, error) = balpan(words);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words}");
        assert!(error.contains(told), "{words}: {error}");
    }
}

#[test]
fn large_heaps_are_won_by_their_nimbers() {
    for how in ["--outcome", "--winner", "--solver nimber"] {
        let (code, printed, error) = balpan(&format!("solve nim 60000 50000 {how}"));
        assert_eq!(code, Some(0), "{error}");
        assert!(
            printed.contains("The first player wins.") && printed.contains("* win   60000>50000")
                || printed.contains("* win  60000>50000"),
            "{printed}"
        );
    }
}

#[test]
fn all_solvers_agree_on_heaps() {
    for words in
        ["solve nim 2 3 4", "solve kayles 9", "solve nim 2 3 --set misere=true", "solve kayles 7 --set code=4.3"]
    {
        let answer = |solver: &str| balpan(&format!("{words} --solver {solver}"));
        let expected = answer("minimax");
        assert_eq!(expected.0, Some(0), "{}", expected.2);
        for solver in ["alpha-beta", "df-pn"] {
            assert_eq!(answer(solver), expected, "{words} {solver}");
        }
    }
}
