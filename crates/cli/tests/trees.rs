//! `balpan tree`: the same tree as text, for graphviz, as a picture and for programs.

use std::io::Read;
use std::process::{Command, Output, Stdio};

const ENDING: [&str; 3] = ["tree", "tictactoe", "X../XOO/OX."];

fn balpan(words: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_balpan")).args(words).env("NO_COLOR", "1").env("LC_ALL", "C").output();
    let Output { status, stdout, stderr } = output.expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    (status.code(), text(stdout), text(stderr))
}

fn answered(words: &[&str]) -> String {
    let (code, printed, error) = balpan(words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{words:?}");
    printed
}

#[test]
fn cut_branches_have_a_reason() {
    let text = answered(&[&ENDING[..], &["--alpha-beta"]].concat());
    for told in [
        "alpha-beta visits 11\n",
        "(1) X to move: draw",
        "(9) O to move: ≤ draw",
        "└╳  2,2  not looked at: O wins at once: nothing is better.",
        "└╳  0,2  not looked at: X already has a draw elsewhere (4);",
    ] {
        assert!(text.contains(told), "{told}\n{text}");
    }
    let json = answered(&[&ENDING[..], &["--alpha-beta", "--json"]].concat());
    for told in [
        r#"{"game":"tictactoe","position":"X../XOO/OX.","to_move":"X","depth":3,"positions":14,"nodes":[{"id":0,"parent":null,"move":null,"#,
        r#""alpha_beta":{"visited":11,"steps":[{"step":"enter","node":0,"order":1,"alpha":null,"beta":null},"#,
        r#""kind":"elsewhere","set_at":0,"set_by":5,"reason":"X already has a draw elsewhere (4); "#,
    ] {
        assert!(json.contains(told), "{told}\n{json}");
    }
}

#[test]
fn every_family_has_a_tree_in_80_columns() {
    let games = [
        &["platforms"][..],
        &["joust", "--board", "4x4"],
        &["blockgame", "--board", "3x4"],
        &["domineering", "--board", "3x4"],
        &["connect4", "--board", "4x4", "--set", "k=3"],
        &["notakto"],
        &["nim", "1 2 3"],
        &["kayles", "6"],
    ];
    for game in games {
        for flags in [&["--depth", "1"][..], &["--alpha-beta"]] {
            let text = answered(&[&["tree"], game, flags].concat());
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        }
    }
}

#[test]
fn pictures_are_whole_and_escaped() {
    for words in [&ENDING[..], &["tree", "nim", "1 2 2", "--depth", "3"], &["tree", "cram", "..."]] {
        for flags in [&["--format", "svg"][..], &["--format", "svg", "--alpha-beta"]] {
            let svg = answered(&[words, flags].concat());
            assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
            assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
            assert!(!svg.contains("NaN") && !svg.contains("<script"));
        }
    }
    let dot = answered(&["tree", "nim", "1 2", "--format", "dot", "--alpha-beta"]);
    assert!(dot.starts_with("digraph tree {\n") && dot.ends_with("}\n"), "{dot}");
    assert!(dot.lines().all(|line| line.matches('"').count().is_multiple_of(2)), "{dot}");
}

#[test]
fn mistakes_are_refused() {
    let refused = [
        (&["tree", "tictactoe", "--depth", "0"][..], "--depth"),
        (&["tree", "tictactoe", "--depth", "9"], "--depth"),
        (&["tree", "tictactoe", "XX/"], "position"),
        (&["tree", "nim", "3", "+", "nim", "5"], "sum"),
        (&["tree", "nim", "20000"], "plies"),
        (&["tree", "tictactoe", "--format", "png"], "format"),
        (&["tree", "tictactoe", "--format", "dot", "--json"], "--json"),
    ];
    for (words, why) in refused {
        let (code, printed, error) = balpan(words);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}");
        assert!(error.contains(why), "{words:?}: {error}");
    }
}

#[test]
fn an_end_of_play_is_a_tree_of_one() {
    let text = answered(&["tree", "tictactoe", "XXX/OO./...", "--alpha-beta"]);
    assert!(text.contains("the end: X wins") && !text.contains("├─"), "{text}");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut balpan = Command::new(env!("CARGO_BIN_EXE_balpan"));
    let tree = balpan.args(["tree", "tictactoe", "--depth", "4"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut tree = tree.spawn().expect("the command runs");
    let mut first = [0; 16];
    let read = tree.stdout.take().expect("a pipe").read(&mut first);
    assert!(read.is_ok_and(|bytes| bytes > 0));
    let Output { status, stderr, .. } = tree.wait_with_output().expect("it ends");
    assert_eq!((status.code(), stderr.as_slice()), (Some(0), &b""[..]));
}
