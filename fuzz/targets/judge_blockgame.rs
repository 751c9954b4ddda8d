//! The block game's judge, in reads of a few bytes.
#![no_main]

use balpan::Watch;
use balpan_fuzz::{Judged, in_small_reads};
use balpan_games::judge::blockgame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let judged = Judged::by(input, |output| blockgame(in_small_reads(input), output, &Watch::default()));
    judged.check_counted(input, &["WINNING", "LOSING"]);
});
