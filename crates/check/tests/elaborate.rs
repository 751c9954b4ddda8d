//! Certificates written out for the verified checker: every answer stands in the file, in the order of its moves.

#![allow(clippy::unwrap_used)]

use balpan_check::Limits;
use balpan_check::elaborate::elaborate;

const CRAM: &str = "balpan certificate 1\ngame: cram\nfamily: placement\npiece: ##\nrotate: yes\nreflect: yes\n\
    misere: no\nposition: .../...\nclaim: the nimber is 1\nsettle: 14\nclaims: 0\nanswers: text\n\n";

const HEAPS: &str = "balpan certificate 1\ngame: kayles\nfamily: heaps\ncode: 0.77\nmisere: no\nposition: 2 3\n\
    claim: the nimber is 1\nsettle: 14\nclaims: 0\nanswers: text\n\n";

const LINES: &str = "balpan certificate 1\ngame: tictactoe\nfamily: lines\nk: 3\ngravity: no\nmarks: own\n\
    overlines: yes\nmisere: no\nposition: XX./OO./... x\nclaim: X wins within 1 plies\nsettle: 0\nclaims: 0\n\
    answers: text\n\n";

fn body(certificate: &str) -> String {
    let text = elaborate(certificate.as_bytes(), &Limits::default()).unwrap();
    let (head, body) = text.split_once("\n\n").unwrap();
    assert!(head.starts_with("balpan elaborated 1\ngame: ") && !head.contains("settle"), "{head}");
    body.to_owned()
}

#[test]
fn every_heap_up_to_the_largest_has_its_nimber() {
    assert_eq!(body(HEAPS), "t 0 1 2 3\n");
}

#[test]
fn every_option_of_every_part_is_answered() {
    let text = body(CRAM);
    let claims: Vec<&str> = text.lines().filter(|line| line.starts_with("c ")).collect();
    // A domino, with its single option, after which nothing is left.
    assert!(claims.contains(&"c 3 1 -") || claims.contains(&"c 11 1 -"), "{text}");
    // The whole board: two dominoes along each row, and one across in each of three columns.
    assert!(claims.iter().any(|claim| claim.split(' ').count() == 3 + 7), "{text}");
    assert!(text.lines().last().unwrap().starts_with("e "), "{text}");
}

#[test]
fn a_win_is_the_number_of_its_move() {
    assert_eq!(body(LINES), "e 0\n");
}

#[test]
fn false_claims_are_not_written_out() {
    let wrong = CRAM.replace("is 1", "is 0");
    assert!(elaborate(wrong.as_bytes(), &Limits::default()).is_err());
}
