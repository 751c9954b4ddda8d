//! Certificates: whatever the bytes, the checker says what is wrong, or what is proved.
#![no_main]

use balpan_check::untrusted::meter::{Interrupt, Meter};
use balpan_check::{Limits, check, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let few = Limits { memory: 1 << 20, positions: 100, ..Limits::default() };
    // Moves of whatever the head states, whether anything is proved of it or not.
    let Ok((header, _)) = parse(data) else { return };
    let (meter, mut moves) = (Meter::new(10_000, 1 << 20, Interrupt::default()), Vec::new());
    if let Ok(None) = header.game.end(&header.position, &meter)
        && header.game.moves(&header.position, &meter, &mut moves).is_ok()
    {
        for mv in &moves {
            assert!(!header.game.write_move(mv.number).is_empty());
            let text = header.game.write(&mv.after);
            assert!(header.game.has_layers() || header.game.read(&text).as_ref() == Ok(&mv.after), "{text}");
        }
    }
    let Ok(proved) = check(data, &few) else { return };
    let claim = header.claim.words(header.game.players(&header.position));
    assert_eq!((&proved.game, &proved.claim), (&header.name, &claim));
    let again = header.game.read(&proved.position).expect("a position reads back");
    assert_eq!(again, header.position, "{}", proved.position);
    // What follows the answers is refused.
    let more = [data, b"x : searched\n"].concat();
    assert!(!header.is_text || check(&more, &few).is_err());
});
