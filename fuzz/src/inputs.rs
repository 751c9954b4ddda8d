//! Files of solutions and of proofs.

use balpan_check::untrusted::meter::{Interrupt, Meter};
use balpan_check::{Limits, check, parse};
use balpan_strong::{Prober, Solution};

/// Certificates: whatever the bytes, the checker says what is wrong, or what is proved.
///
/// # Panics
/// If a law does not hold.
pub fn certificate(data: &[u8]) {
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
}

/// Keys that are probed in every layer.
const KEYS: [u128; 6] = [0, 1, 0x1ff, 1 << 17, 1 << 100, u128::MAX];

/// Strong solutions: files of positions and their values, with keys and without.
///
/// # Panics
/// If a law does not hold.
pub fn strong(data: &[u8]) {
    let Ok(solution) = Solution::open(data) else { return };
    let header = solution.header();
    let _ = header.positions();
    for (code, _) in header.layers.iter().flat_map(|layer| &layer.counts) {
        let _ = header.code_name(*code);
    }
    for layer in &header.layers {
        for key in KEYS {
            let _ = solution.code(layer.layer, key);
        }
    }
    let Solution::Table(table) = &solution else { return };
    let (Ok(walk), Ok(mut prober)) = (table.walk(None), Prober::new()) else { return };
    for entry in walk {
        let Ok(entry) = entry else { break };
        // Blocks may overlap: a key need not be found, and probing it does no harm.
        let _ = prober.probe(table, entry.layer, entry.key);
    }
}
