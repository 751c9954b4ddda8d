//! The judge of tic-tac-toe: however the input is read, the answers are the same.
#![no_main]

use balpan::Watch;
use balpan_contest::{TicTacToe, answer_all};
use balpan_fuzz::{Judged, in_small_reads};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let judged = Judged::by(input, |output| answer_all(&TicTacToe, input, output, &Watch::default()));
    judged.check_counted(input, &["x", "o", "TIE"]);
    let in_pieces =
        Judged::by(input, |output| answer_all(&TicTacToe, in_small_reads(input), output, &Watch::default()));
    assert_eq!(judged, in_pieces);
});
