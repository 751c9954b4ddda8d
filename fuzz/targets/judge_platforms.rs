//! The judge of disappearing platforms, on small boards: however the input is
//! read, the answers are the same.
#![no_main]

use balpan::Watch;
use balpan_contest::{Platforms, answer_all};
use balpan_fuzz::{Judged, in_small_reads};
use libfuzzer_sys::fuzz_target;

/// Tiles, or other ones of a line, that are solved in no time.
const MOST_ONES: usize = 12;

fuzz_target!(|input: &[u8]| {
    let ones = |line: &[u8]| line.iter().filter(|&&byte| byte == b'1').count();
    if input.split(|&byte| byte == b'\n').any(|line| ones(line) > MOST_ONES) {
        return;
    }
    let judged = Judged::by(input, |output| answer_all(&Platforms, input, output, &Watch::default()));
    for line in &judged.lines {
        let plies: usize = line.parse().expect("an answer is a number");
        // Every ply takes a tile away.
        assert!(plies <= MOST_ONES, "{plies} plies");
    }
    let in_pieces =
        Judged::by(input, |output| answer_all(&Platforms, in_small_reads(input), output, &Watch::default()));
    assert_eq!(judged, in_pieces);
});
