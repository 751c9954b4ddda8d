//! Loading a game from command-line arguments.

use std::path::Path;

use balpan_games::presets::{PRESETS, preset};
use balpan_games::{AnyGame, RulesFile, nearest};

use crate::args::GameArgs;
use crate::error::{CliError, harmless};
use crate::files;

/// Size limit of a rules file, far above what one needs.
const MAX_RULES_BYTES: u64 = 1 << 20;

/// The argument between the games of a sum.
pub(crate) const PLUS: &str = "+";

/// A game and its rules, loaded once per command.
pub(crate) struct LoadedGame {
    /// The game's name, with control characters replaced.
    pub(crate) name: String,
    /// The rules, with the changes of `--board` and `--set`.
    pub(crate) rules: RulesFile,
    /// The game, which starts in the given position.
    pub(crate) game: AnyGame,
}

impl LoadedGame {
    /// Loads the one game that the arguments name. Without a position it has its usual start.
    ///
    /// # Errors
    /// For a sum of games, unreadable or invalid rules, and an invalid position.
    pub(crate) fn load(args: &GameArgs) -> Result<Self, CliError> {
        if is_sum(args) {
            let help = "only `solve` adds games up, and without --estimate";
            return Err(CliError::input("a sum of games", help));
        }
        let rules = read_changed_rules(&args.game, args.board.as_deref(), &args.set)?;
        let game = game_at(&rules, &args.position)?;
        Ok(Self { name: harmless(&rules.name), rules, game })
    }

    /// Returns the rules that differ from the preset's; for a rules file, all of them.
    pub(crate) fn non_default_rules(&self) -> Result<Vec<String>, CliError> {
        let rules = self.rules.non_default_rules(&self.rules.name)?;
        Ok(rules.iter().map(|rule| harmless(rule)).collect())
    }
}

/// Whether the arguments name a sum of games.
pub(crate) fn is_sum(args: &GameArgs) -> bool {
    args.position.iter().any(|word| word == PLUS)
}

/// Reads the rules of a preset or of a file.
pub(crate) fn read_rules(name: &str) -> Result<RulesFile, CliError> {
    if let Some(preset) = preset(name) {
        return Ok(preset?);
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<_> = PRESETS.iter().map(|(name, _)| *name).collect();
        let nearest = nearest(name, names.iter().copied());
        let nearest = nearest.map_or_else(String::new, |nearest| format!("did you mean `{nearest}`? "));
        let help = format!("{nearest}the games are {}; or give the path of a rules file", names.join(", "));
        return Err(CliError::input(format!("`{name}` is neither a game nor a file"), help));
    }
    let text = files::read_text(path, MAX_RULES_BYTES).map_err(|e| {
        CliError::input(format!("`{name}` cannot be read: {e}"), "expected a rules file, a few lines of TOML in UTF-8")
    })?;
    Ok(RulesFile::parse(name, &text)?)
}

/// Reads rules and applies the values of `--board` and `--set`.
pub(crate) fn read_changed_rules(name: &str, board: Option<&str>, set: &[String]) -> Result<RulesFile, CliError> {
    let rules = read_rules(name)?;
    // All at once: a rule may be valid only on the new board, and the other way round.
    let board = board.iter().map(|size| format!("board={size}"));
    let changes: Vec<String> = board.chain(set.iter().cloned()).collect();
    Ok(if changes.is_empty() { rules } else { rules.with_changes(&changes)? })
}

/// Returns the game from the position that the words spell, or from its usual start if there are none.
pub(crate) fn game_at(rules: &RulesFile, words: &[String]) -> Result<AnyGame, CliError> {
    Ok(if words.is_empty() { rules.game()? } else { rules.game_at(&words.join(" "))? })
}

/// Refuses text that begins like a heap code but is none, unless a file has this name.
pub(crate) fn refuse_malformed_code(text: &str, help: &str) -> Result<(), CliError> {
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !Path::new(text).exists() {
        return Err(CliError::input(format!("`{}` is no code", harmless(text)), help));
    }
    Ok(())
}
