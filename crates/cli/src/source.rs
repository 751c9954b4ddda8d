//! From the words on the command line to a game.

use std::path::Path;

use balpan_games::presets::{PRESETS, preset};
use balpan_games::{AnyGame, RulesFile, nearest};

use crate::args::GameArgs;
use crate::failure::{Failure, harmless};
use crate::input;

/// Bytes of the largest rules file: far more than one needs.
const MAX_RULES_BYTES: u64 = 1 << 20;

/// The game's name and the game, from the position asked for.
pub(crate) fn game(args: &GameArgs) -> Result<(String, AnyGame), Failure> {
    let rules = changed_rules(args)?;
    Ok((harmless(&rules.name), game_at(&rules, &args.position)?))
}

/// The rules of the one game that is asked for, changed as it is asked.
pub(crate) fn changed_rules(args: &GameArgs) -> Result<RulesFile, Failure> {
    if is_sum(args) {
        let help = "only `solve` adds games up, and without --estimate";
        return Err(Failure::input("a sum of games", help));
    }
    changed(&args.game, args.board.as_deref(), &args.set)
}

/// The rules of the game of this name, on this board, with these changes.
pub(crate) fn changed(name: &str, board: Option<&str>, set: &[String]) -> Result<RulesFile, Failure> {
    let rules = rules(name)?;
    // All at once: a rule may go with the new board only, or the other way round.
    let board = board.iter().map(|size| format!("board={size}"));
    let changes: Vec<String> = board.chain(set.iter().cloned()).collect();
    Ok(if changes.is_empty() { rules } else { rules.changed(&changes)? })
}

/// The rules that the game's name does not tell: of a preset those that are changed, of a
/// file all that stand in it.
pub(crate) fn untold_rules(args: &GameArgs) -> Result<Vec<String>, Failure> {
    let changes = changed_rules(args)?.untold(&args.game)?;
    Ok(changes.iter().map(|change| harmless(change)).collect())
}

/// Refuses what begins as a code does, but is none, and no file either.
pub(crate) fn refuse_digits(text: &str, help: &str) -> Result<(), Failure> {
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !Path::new(text).exists() {
        return Err(Failure::input(format!("`{}` is no code", harmless(text)), help));
    }
    Ok(())
}

/// The game from the position that these words say, or from its start if there is none.
pub(crate) fn game_at(rules: &RulesFile, words: &[String]) -> Result<AnyGame, Failure> {
    Ok(if words.is_empty() { rules.game()? } else { rules.game_at(&words.join(" "))? })
}

/// The word between the games of a sum.
pub(crate) const PLUS: &str = "+";

/// Whether there is more than one game.
pub(crate) fn is_sum(args: &GameArgs) -> bool {
    args.position.iter().any(|word| word == PLUS)
}

/// A preset's rules, or those of a file.
pub(crate) fn rules(name: &str) -> Result<RulesFile, Failure> {
    if let Some(preset) = preset(name) {
        return Ok(preset?);
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<_> = PRESETS.iter().map(|(name, _)| *name).collect();
        let meant = nearest(name, names.iter().copied());
        let meant = meant.map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
        let help = format!("{meant}the games are {}; or give the path of a rules file", names.join(", "));
        return Err(Failure::input(format!("`{name}` is neither a game nor a file"), help));
    }
    let text = input::read_text(path, MAX_RULES_BYTES).map_err(|e| {
        Failure::input(format!("`{name}` cannot be read: {e}"), "expected a rules file, a few lines of TOML in UTF-8")
    })?;
    Ok(RulesFile::parse(name, &text)?)
}
