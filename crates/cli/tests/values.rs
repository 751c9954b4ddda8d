//! `balpan value`, `period` and `quotient`.

use std::process::{Command, Output};

fn balpan(words: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_balpan")).args(words).env("NO_COLOR", "1").env("LC_ALL", "C").output();
    let Output { status, stdout, stderr } = output.expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    (status.code(), text(stdout), text(stderr))
}

fn json(words: &[&str]) -> serde_json::Value {
    let (_, printed, error) = balpan(&[words, &["--json"]].concat());
    serde_json::from_str(&printed).unwrap_or_else(|e| panic!("{words:?}: {e} {error}"))
}

fn value(expression: &str) -> serde_json::Value {
    json(&["value", expression])
}

#[test]
fn an_expression_may_begin_with_a_minus() {
    for words in
        [&["value", "-1/2"][..], &["value", "--", "-1/2"], &["value", "-1", "+", "1/2"], &["value", "1/2", "-1"]]
    {
        let (code, page, error) = balpan(words);
        assert_eq!(code, Some(0), "{words:?}: {error}");
        assert!(page.contains("value        -1/2\n"), "{words:?}: {page}");
        assert!(page.contains("temperature  none, as it is a number (-1/2 by Siegel's convention)"), "{page}");
    }
    assert_eq!(value("-cram(2x3) + *")["value"], "0");
    assert!(balpan(&["value", "-h"]).1.contains("Usage:"));
}

/// Games that have both conventions are misère ones here.
#[test]
fn quotients_are_of_misere_games() {
    let cram = json(&["quotient", "cram", "--board", "2x3"]);
    assert_eq!(cram["order"], json(&["quotient", "cram", "--board", "2x3", "--set", "misere=true"])["order"]);
    assert_eq!(balpan(&["quotient", "cram", "--board", "2x3", "--set", "misere=false"]).0, Some(2));
    let (_, page, _) = balpan(&["quotient", "nim", "20"]);
    assert!(page.contains("The genus is found of the first 16 parts only."), "{page}");
}

/// Rectangles of Domineering by rows and columns, Left upright: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning
/// ways", chapter 5, and E. R. Berlekamp, "Blockbusting and Domineering" (1988) for two rows.
#[test]
fn domineering_is_as_published() {
    for (board, told) in [
        ("2x2", "±1"),
        ("2x3", "{2|-1/2}"),
        ("2x4", "miny(2)"),
        ("2x5", "1/2"),
        ("3x3", "±1"),
        ("3x4", "-3/2"),
        ("4x5", "1"),
        ("5x5", "0"),
    ] {
        assert_eq!(value(&format!("domineering({board})"))["value"], told, "{board}");
    }
    let four = value("domineering(4x4)");
    assert_eq!((&four["outcome"], &four["temperature"]), (&"first".into(), &"0".into()));
}

/// Every winning move leaves a sum that the opponent loses when moving first.
#[test]
fn winning_moves_win() {
    let answer = value("domineering(../..) + domineering(.../...) - 2·{1|*}");
    for (player, wins) in [("left", ["left", "second"]), ("right", ["right", "second"])] {
        for mv in answer["moves"][player].as_array().expect("a list") {
            let (component, left) = (mv["component"].as_u64().expect("a number"), mv["value"].as_str().expect("text"));
            let after = match component {
                1 => format!("({left}) + domineering(.../...) - 2·{{1|*}}"),
                2 => format!("domineering(../..) + ({left}) - 2·{{1|*}}"),
                _ => format!("domineering(../..) + domineering(.../...) - {{1|*}} - ({left})"),
            };
            let outcome = value(&after)["outcome"].clone();
            assert!(wins.iter().any(|wins| outcome == *wins), "{player} {mv}: {after} {outcome}");
        }
    }
}

#[test]
fn comparisons_are_answered_by_the_exit_code() {
    for (expression, code) in [
        ("^ > 0", 0),
        ("^ || *", 0),
        ("^ < *", 1),
        ("domineering(2x5) = 1/2", 0),
        ("domineering(2x2) + domineering(2x2) = 0", 0),
        ("cram(3x3) != 0", 1),
        // More copies than can be counted.
        ("536870912(536870912(536870912(*))) = 0", 0),
        ("* - 536870912(536870912(536870912(*))) = 0", 1),
    ] {
        assert_eq!(balpan(&["value", expression]).0, Some(code), "{expression}");
    }
    let answer = value("^ < *");
    assert_eq!((&answer["compared"]["holds"], &answer["compared"]["is"]), (&false.into(), &"||".into()));
}

#[test]
fn errors_are_described() {
    for (expression, told) in [
        ("domineerin(..)", "did you mean `domineering`?"),
        ("1/3", "no dyadic fraction"),
        ("{2|1", "this is not closed"),
        ("domineering(.x)", "position"),
        ("platforms", "no values that add up"),
        ("1 2", "neither an operator nor the end"),
        ("{^^|vv} + 1000000·^", "more than 500 plies"),
        ("536870912.v4", "beyond 2^30"),
        ("", "no value here"),
    ] {
        let (code, printed, error) = balpan(&["value", expression]);
        assert!(
            code == Some(2) && error.contains(told) || code == Some(0) && printed.contains("Not all is told"),
            "{expression}: {code:?} {printed} {error}"
        );
    }
}

/// A sum that needs more time is answered with bounds.
#[test]
fn deadlines_leave_partial_values() {
    let answer = json(&["value", "domineering(6x6)", "--deadline", "1ms"]);
    assert_eq!(answer["complete"], false);
    // Known only if the time sufficed.
    assert!(answer["outcome"].is_null() || answer["outcome"] == "first");
    let bounds = [0, 1].map(|end| answer["bounds"][end].as_i64().expect("a number"));
    assert!(-18 <= bounds[0] && bounds[0] <= -1 && 1 <= bounds[1] && bounds[1] <= 18, "{bounds:?}");
    let answer = json(&["value", "domineering(6x6)", "--memory", "2M"]);
    assert!(answer["unfinished"].as_str().is_some_and(|why| why.contains("bytes")));
    // Winning with spare moves gives the nearest integers, and so bounds of the stops.
    assert_eq!(answer["outcome"], "first");
    let bounds = [0, 1].map(|end| answer["bounds"][end].as_i64().expect("a number"));
    assert!(bounds[0] < 0 && 0 < bounds[1] && bounds[1] - bounds[0] <= 4, "{bounds:?}");
    assert_eq!(answer["stop_bounds"][0][1], bounds[1]);
    assert_eq!(answer["stop_bounds"][1][0], bounds[0]);
}

/// Results kept by one run serve the next, also on boards of other sizes.
#[test]
fn values_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kept");
    let file = file.to_str().expect("text");
    let asked = |expression: &str| json(&["value", expression, "--keep", file]);
    let (first, second) = (asked("domineering(5x5)"), asked("domineering(5x5)"));
    let positions = |answer: &serde_json::Value| answer["positions"].as_u64().expect("a number");
    assert!(positions(&first) > 10_000 && positions(&second) == 0, "{first} {second}");
    for field in ["value", "outcome", "stops", "mean", "birthday", "incentives", "moves", "replies"] {
        assert_eq!(first[field], second[field], "{field}");
    }
    let (with, without) = (asked("domineering(4x6) + domineering(3x4)"), value("domineering(4x6) + domineering(3x4)"));
    assert!(positions(&with) < positions(&without));
    assert_eq!(with["value"], without["value"]);
    for wrong in ["1/2", "cram(2x2)", "domineering(2x2) + blocks"] {
        assert_eq!(balpan(&["value", wrong, "--keep", file]).0, Some(2), "{wrong}");
    }
    let refused = balpan(&["solve", "domineering", "--keep", file]);
    assert!(refused.0 == Some(2) && refused.2.contains("other rules"), "{refused:?}");
}

#[test]
fn games_of_a_sum_have_their_sign() {
    let components = &json(&["value", "{3|1} - 1/2 - {1|0}"])["components"];
    let values = [0, 1, 2].map(|game| components[game]["value"].as_str());
    assert_eq!(values, [Some("{3|1}"), Some("-1/2"), Some("{0|-1}")]);
}

#[test]
fn long_values_are_folded() {
    let (code, printed, _) = balpan(&["value", "domineering(4x7)"]);
    assert_eq!(code, Some(0));
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
}

#[test]
fn solve_adds_up_values_and_misere_games() {
    let (code, printed, _) = balpan(&["solve", "domineering", "../..", "+", "domineering", ".../..."]);
    assert!(code == Some(0) && printed.contains("{{3|1}|{1/2|-3/2}}"), "{printed}");
    // T. E. Plambeck and G. Whitehead, "The secrets of Notakto" (2013): one board is won by the centre, two are lost.
    let one = json(&["solve", "notakto", "+", "notakto", "XXX/.../..."]);
    let win = one["moves"][0].clone();
    assert_eq!((&one["outcome"], &win["move"], &win["component"]), (&"win".into(), &"1,1".into(), &1.into()));
    assert_eq!(json(&["solve", "notakto", "+", "notakto"])["outcome"], "loss");
}

#[test]
fn periods_are_as_published() {
    for (code, period, from) in [("0.77", 12, 71), ("kayles", 12, 71), ("dawson", 34, 53), ("0.137", 34, 52)] {
        let answer = json(&["period", code]);
        assert_eq!((&answer["period"], &answer["preperiod"]), (&period.into(), &from.into()), "{code}");
    }
    // A. Gangolli and T. Plambeck (1989).
    let answer = json(&["period", "0.356", "--to", "20000"]);
    assert_eq!((&answer["period"], &answer["preperiod"]), (&142.into(), &7_315.into()));
    let (_, csv, _) = balpan(&["period", "0.77", "--to", "5", "--csv"]);
    assert_eq!(csv, "heap,nimber\n0,0\n1,1\n2,2\n3,3\n4,1\n5,4\n");
    for wrong in ["0.g", "nim", "cram", "77.7"] {
        assert_eq!(balpan(&["period", wrong]).0, Some(2), "{wrong}");
    }
}

/// The quotients of 0.75 and of Notakto: T. E. Plambeck (2005), T. E. Plambeck and G. Whitehead (2013).
#[test]
fn quotients_are_as_published() {
    let order = |words: &[&str]| json(&[&["quotient"], words].concat())["order"].as_u64();
    assert_eq!(order(&["kayles", "12"]), Some(24));
    assert_eq!(order(&["0.75", "10"]), Some(8));
    assert_eq!(order(&["0.53", "16"]), Some(16));
    assert_eq!(order(&["notakto"]), Some(18));
    for wrong in
        [&["quotient", "kayles", "x"][..], &["quotient", "platforms"], &["quotient", "kayles", "12", "--most", "9"]]
    {
        assert_eq!(balpan(wrong).0, Some(2), "{wrong:?}");
    }
}
