//! Certificates: whatever the bytes, the checker says what is wrong, or what is proved.
#![no_main]

use balpan_check::{Limits, check, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let few = Limits { memory: 1 << 20, positions: 100, ..Limits::default() };
    let Ok(proved) = check(data, &few) else { return };
    let (header, _) = parse(data).expect("what is proved has a head");
    let claim = header.claim.words(header.game.players(&header.position));
    assert_eq!((&proved.game, &proved.claim), (&header.name, &claim));
    let again = header.game.read(&proved.position).expect("a position reads back");
    assert_eq!(again, header.position, "{}", proved.position);
    // What follows the answers is refused.
    let more = [data, b"x : searched\n"].concat();
    assert!(!header.is_text || check(&more, &few).is_err());
});
