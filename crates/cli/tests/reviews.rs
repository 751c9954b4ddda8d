//! `balpan review`: reviews as text and as JSON, and records that are refused.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn reviewed(words: &[&str], typed: &str) -> (Option<i32>, String, String) {
    let mut balpan = Command::new(env!("CARGO_BIN_EXE_balpan"));
    balpan.arg("review").args(words).env("NO_COLOR", "1");
    let mut child = balpan.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_review_has_the_turning_points() {
    let (code, told, _) = reviewed(&["tictactoe", "1,1", "0,1", "1,0", "0,0", "0,2", "1,2", "2,0"], "");
    assert_eq!(code, Some(0));
    let expected = "\
tictactoe 3x3: X has won, after 7 moves.
O had a draw until move 2 (0,1), which lost it; 0,0 or 0,2 or 2,0 or 2,2 kept
it.

   1  X  1,1     a draw
   2  O  0,1 ?   X wins in 5; better: 0,0 0,2 2,0 2,2
   3  X  1,0     X wins in 4
   4  O  0,0 ?!  X wins in 1; better: 1,2
   5  X  0,2 ?!  X wins in 2; better: 1,2
   6  O  1,2     X wins in 1
   7  X  2,0     X has won
";
    assert!(told.starts_with(expected), "{told}");
    let (_, told, _) = reviewed(&["tictactoe", "--lang", "ko", "-"], "1. 1,1 0,1\n2. 1,0");
    // Lines are broken at the terminal's width.
    let in_a_row = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let turning_point = "O가 비길 수 있었지만 이 수로 지게 되었습니다. 무승부를 지키는 수: 0,0 / 0,2 / 2,0 / 2,2.";
    assert!(in_a_row.contains(turning_point), "{told}");
}

/// At the deadline, the moves are there, with what is known of them.
#[test]
fn a_review_is_partial_at_a_deadline() {
    let words = ["connect4", "--board", "7x7", "1413112", "--deadline", "300ms"];
    let (code, told, error) = reviewed(&words, "");
    assert_eq!(code, Some(0), "{error}");
    assert!(
        told.contains("Not every position is solved yet.") && told.contains("   7  X  2     not known yet"),
        "{told}"
    );
    let (code, told, _) = reviewed(&[&words[..], &["--json"]].concat(), "");
    let review: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, &review["complete"], review["moves"].as_array().unwrap().len()), (Some(0), &json!(false), 7));
}

#[test]
fn a_review_is_json() {
    let (code, told, _) =
        reviewed(&["connect4", "--board", "4x4", "--set", "k=3", "--at", "12", "--json", "3", "4"], "");
    assert_eq!(code, Some(0));
    let review: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(review["rules"], json!(["k=3"]));
    assert_eq!((&review["complete"], &review["over"], &review["winner"]), (&json!(true), &json!(false), &json!(null)));
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 2);
    assert_eq!((&moves[0]["move"], &moves[0]["player"]), (&json!("3"), &json!("X")));
    assert!(moves[0]["worth"]["outcome"].is_string() && moves[0]["best"].is_array());
}

#[test]
fn illegal_games_are_refused() {
    let (code, _, error) = reviewed(&["tictactoe", "1,1;1,1"], "");
    assert_eq!(code, Some(2));
    assert!(error.contains("moves: `1,1`, move 2, cannot be made") && error.contains("here"), "{error}");
    let (code, _, error) = reviewed(&["--json", "connect4", "1212121", "3"], "");
    let error: Value = serde_json::from_str(&error).unwrap();
    assert_eq!((code, &error["error"]["span"]), (Some(2), &json!([8, 9])));
}
