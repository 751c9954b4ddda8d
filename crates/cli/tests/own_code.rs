//! The command with games of one's own, `examples/own_games.rs`, at every door.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The program, which `cargo test --test all` alone does not build.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let name = format!("own_games{}", std::env::consts::EXE_SUFFIX);
    let path = PathBuf::from(env!("CARGO_BIN_EXE_balpan")).with_file_name("examples").join(name);
    if !path.exists() {
        let built = Command::new(env!("CARGO")).args(["build", "-p", "balpan-cli", "--example", "own_games"]).status();
        assert!(built.unwrap().success());
    }
    path
});

/// Runs the program. Returns its exit code, and what it prints on both outputs, with single blanks.
fn run(words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(&*PROGRAM);
    command.args(words).env("NO_COLOR", "1").env("LC_ALL", "C").env_remove("LANG").stdin(Stdio::null());
    let output = command.output().unwrap();
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.code(), printed.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A program for the referee.
const FIRST_MOVE: &str = "while read -r word mv rest; do case $word in moves) first=$mv;; go) echo $first;; esac; done";

#[test]
fn they_are_presets_for_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (chocolate, euclid, sheet) = (path("chocolate.strong"), path("euclid.cert"), path("puzzles.svg"));
    let [judge, pursuit] = ["chocolate", "pursuit"].map(|game| format!("{} judge game:{game}", PROGRAM.display()));
    for (words, code, has) in [
        (&["games"][..], 0, "chocolate 3x4 Chomp: eat a square"),
        (&["games", "euclid"], 0, "family = \"euclid\" start = \"34 21\""),
        (&["solve", "euclid"], 0, "The first player wins in 7 plies."),
        (&["solve", "euclid", "13", "8", "--json"], 0, "\"best\":[\"8_5\"]"),
        (&["solve", "chocolate", "--board", "2x2"], 0, "win in 3 1,1"),
        (&["solve", "chocolate", "....../..####"], 0, "chocolate 2x6"),
        (&["solve", "chocolate", "+", "nim", "1"], 0, "wins"),
        (&["play", "euclid"], 0, "First player, your move"),
        (&["review", "chocolate", "1,1 0,3 2,0"], 0, "1,2 kept it"),
        (&["tree", "euclid", "8", "5"], 0, "5_3 5 3 2nd to move"),
        (&["census", "chocolate"], 0, "34 positions"),
        (&["puzzle", "chocolate"], 0, "4 puzzles"),
        (&["puzzle", "chocolate", "--svg", &sheet], 0, ""),
        (&["value", "chocolate"], 0, "value *"),
        (&["stress", "game:chocolate", "--time", "10m", "--", "sh", "-c", &judge], 0, "No difference in"),
        (&["referee", "chocolate", "--", "sh", "-c", FIRST_MOVE, "--", "sh", "-c", FIRST_MOVE], 0, "has won"),
        (&["referee", "euclid", "--as", "second", "--", "sh", "-c", FIRST_MOVE], 0, "has won"),
        (&["build", "chocolate", "-o", &chocolate], 0, "34 positions"),
        (&["strong", "verify", &chocolate], 0, "34 positions all right"),
        // A score, and play that may repeat.
        (&["solve", "coins"], 0, "The first player wins by 1."),
        (&["review", "coins", "first last first"], 0, "gave away 2 points; better: first"),
        (&["census", "coins"], 0, "224 positions"),
        (&["tree", "coins", "--depth", "2"], 0, "2 moves folded away"),
        (&["puzzle", "coins"], 0, "win by 11"),
        (&["solve", "pursuit"], 0, "The first player wins in 5 plies."),
        (&["solve", "pursuit", "5 2 thief"], 0, "The first player wins in 5 plies."),
        (&["census", "pursuit"], 0, "Draws are play without end, too."),
        (&["puzzle", "pursuit"], 0, "2 puzzles"),
        (&["play", "pursuit"], 0, "you are the first player"),
        (&["referee", "pursuit", "--", "sh", "-c", FIRST_MOVE, "--", "sh", "-c", FIRST_MOVE], 0, "First has won"),
        (&["stress", "game:pursuit", "--time", "10m", "--", "sh", "-c", &pursuit], 0, "No difference in"),
        // What is missing, in words.
        (&["build", "coins", "-o", &path("coins.strong")], 2, "`position_from_key`"),
        (&["prove", "pursuit", "-o", &euclid], 2, "the checker knows no games of pursuit"),
        (&["value", "pursuit"], 2, "no values that add up"),
        (&["build", "euclid", "-o", &path("euclid.strong")], 2, "key"),
        (&["prove", "euclid", "-o", &euclid], 2, "the checker knows no games of euclid"),
        (&["value", "euclid"], 2, "euclid"),
        (&["solve", "euclid", "35", "21"], 2, "a text of no position"),
        (&["solve", "euclid", "--board", "3x3"], 2, "unknown field `board`"),
        (&["solve", "chocolate", "--board", "9x9"], 2, "a board has 64 at most"),
        (&["solve", "chocolat"], 2, "did you mean `chocolate`?"),
    ] {
        let (found, printed) = run(words);
        assert_eq!(found, Some(code), "{words:?}: {printed}");
        assert!(printed.contains(has), "{words:?}: {printed}");
    }
}
