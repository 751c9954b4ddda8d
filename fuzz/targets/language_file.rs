//! Files in the rules language: those that are read are played at random, and keep the laws of games.
#![no_main]

use balpan::{Game, SplitMix, laws};
use balpan_fuzz::check_span;
use balpan_games::language::BoardGame;
use balpan_games::{Notation, RulesFile};
use libfuzzer_sys::fuzz_target;

/// Bytes of a text that is read; from larger ones nothing new is to be learnt.
const MAX_BYTES: usize = 2048;

/// Plies of play from the start.
const MAX_PLIES: usize = 12;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.len() > MAX_BYTES {
        return;
    }
    let rules = match RulesFile::parse("fuzzed", text) {
        Ok(rules) => rules,
        Err(error) => return check_span(&error),
    };
    let game = rules.game().unwrap_or_else(|error| panic!("{error}: the game of\n{text}"));
    let Some(game) = game.downcast_ref::<BoardGame>() else { return };
    let mut random = SplitMix(data.len() as u64);
    let mut position = game.start();
    for _ in 0..MAX_PLIES {
        let written = game.text(&position);
        assert_eq!(game.parse(&written), Ok(position), "{written}, read again");
        let moves: Vec<_> = game.moves(&position).collect();
        if moves.is_empty() {
            break;
        }
        position = game.play(&position, moves[random.below(moves.len())]);
    }
    // Play that may repeat has no length to check.
    if !game.may_repeat()
        && let Err(broken) = laws::check_at(game, &position)
    {
        panic!("{broken}\n{text}");
    }
});
