//! The block game's judge, in reads of a few bytes.
#![no_main]

use balpan::Watch;
use balpan_contest::{BlockGame, answer_all};
use balpan_fuzz::{Judged, in_small_reads};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let judged = Judged::by(input, |output| answer_all(&BlockGame, in_small_reads(input), output, &Watch::default()));
    judged.check_counted(input, &["WINNING", "LOSING"]);
});
