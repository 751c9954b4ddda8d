//! Rules files, and changes to them: after a line `---`, each line is a size for
//! `--board` or a `key=value` for `--set`.
#![no_main]

use balpan_fuzz::{CheckedStart, check_span};
use balpan_games::{ChangeError, RulesFile};
use libfuzzer_sys::fuzz_target;

/// Bytes of a text that is read; from larger ones nothing new is to be learnt.
const LONGEST: usize = 4096;

const MOST_CHANGES: usize = 4;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.len() > LONGEST {
        return;
    }
    let (text, changes) = text.split_once("\n---\n").unwrap_or((text, ""));
    let mut rules = match RulesFile::parse("fuzzed", text) {
        Ok(rules) => rules,
        Err(error) => return check_span(&error),
    };
    check(&rules);
    for change in changes.lines().take(MOST_CHANGES) {
        let changed = if change.contains('=') { rules.with_change(change) } else { rules.with_board(change) };
        match changed {
            Ok(changed) => rules = changed,
            Err(ChangeError::Text(error)) => check_span(&error),
            Err(_) => continue,
        }
        check(&rules);
    }
});

/// That the rules make a game, and that their text is the same rules.
fn check(rules: &RulesFile) {
    let game = rules.game().unwrap_or_else(|e| panic!("{e}: the game of\n{}", rules.text));
    game.run(CheckedStart);
    let again =
        RulesFile::parse(&rules.name, &rules.text).unwrap_or_else(|e| panic!("{e}: read again\n{}", rules.text));
    assert_eq!(again.about, rules.about);
    assert_eq!(again.game().map(|game| game.board()), Ok(game.board()));
}
