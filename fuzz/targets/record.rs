//! The moves of a game as it was played, of every preset.
#![no_main]

use balpan_fuzz::check_span;
use balpan_games::Record;
use balpan_games::presets::{PRESETS, preset};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (name, _) = PRESETS[usize::from(choice) % PRESETS.len()];
    let game = preset(name).expect("a preset").expect("its rules").game().expect("its game");
    match Record::read(&game, text) {
        Ok(record) => {
            assert_eq!(record.positions.len(), record.moves.len() + 1);
            let again = Record::read(&game, &record.moves.join(";")).expect("the same moves");
            assert_eq!(again, record);
        }
        Err(error) => check_span(&error),
    }
});
