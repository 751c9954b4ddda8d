//! False claims that earlier versions took for proved.

use balpan_check::CheckError;
use balpan_check::{Limits, check};

/// Right, to move, wins each of these positions of Domineering. The lemma of places counted cells that
/// the opponent's first move can keep Left from covering.
#[test]
fn domineering_positions_that_right_wins_are_not_proved_for_left() {
    for position in [".##...#/......./#..#.#. r", "#.....#/......./.##.##. r"] {
        let certificate = format!(
            "balpan certificate 1\ngame: domineering\nfamily: placement\nrotate: no\nreflect: yes\nmisere: no\n\
             left: #/#\nright: ##\nposition: {position}\nclaim: Left wins\nsettle: 1000\nclaims: 1\nanswers: text\n\n\
             {position} : searched\n"
        );
        let found = check(certificate.as_bytes(), &Limits::default());
        assert!(matches!(found, Err(CheckError::NotProved(_))), "{position}: {found:?}");
    }
}
