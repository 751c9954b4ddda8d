//! Loading games, files of positions and checkpoints that the command line names.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use balpan::checkpoint::{self, Checkpoint, CheckpointError, FolderError};
use balpan::{Budget, JournalSink};
use balpan_games::presets::{self, preset};
use balpan_games::{AnyGame, EngineOptions, RulesFile, SizedCheckpoint, nearest};

use crate::args::{GameArgs, KeepArgs, StrongArgs};
use crate::error::{CliError, Diagnostic, harmless, warn};
use crate::files;
use crate::progress::thread_count;
use crate::strong::find_oracle;

/// Size limit of a rules file, far above what one needs.
const MAX_RULES_BYTES: u64 = 1 << 20;

/// Size limit of a line of a file of positions, far above what a position needs.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// The argument between the games of a sum.
pub(crate) const PLUS: &str = "+";

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
        Self::load_at(&args.game, args.changes.board.as_deref(), &args.changes.set, &args.position)
    }

    /// Loads a game with changed rules, from the position that the words spell.
    pub(crate) fn load_at(name: &str, board: Option<&str>, set: &[String], words: &[String]) -> Result<Self, CliError> {
        let rules = read_changed_rules(name, board, set)?;
        let game = game_at(&rules, words)?;
        Ok(Self { name: harmless(&rules.name), rules, game })
    }

    /// Returns the rules that differ from the preset's; for a rules file, all of them.
    pub(crate) fn non_default_rules(&self) -> Result<Vec<String>, CliError> {
        let rules = self.rules.non_default_rules(&self.rules.name)?;
        Ok(rules.iter().map(|rule| harmless(rule)).collect())
    }

    /// Returns options for engines of the game's board, with what `--keep` names and the strong solutions.
    pub(crate) fn engine_options(
        &self,
        strong: &StrongArgs,
        kept: Option<&KeepArgs>,
        memory: usize,
        threads: Option<u16>,
    ) -> Result<EngineOptions, CliError> {
        let budget = Budget { memory, threads: thread_count(threads) };
        let kept = kept.and_then(|kept| Some((kept.keep.as_deref()?, kept.keep_size)));
        let checkpoint = kept.map(|(path, max_bytes)| self.open_kept(path, max_bytes)).transpose()?;
        Ok(EngineOptions { checkpoint, oracle: find_oracle(strong, self)?, ..EngineOptions::new(budget) })
    }

    /// Opens or creates the file or the folder of `--keep`. In a folder, results about parts serve all boards.
    fn open_kept(&self, path: &Path, max_bytes: usize) -> Result<SizedCheckpoint, CliError> {
        let size = self.game.size();
        let is_folder = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
        if !is_folder {
            return Ok(SizedCheckpoint { checkpoint: open_checkpoint(path, &self.rules.identity(&size)?)?, size });
        }
        let is_of_parts = self.game.has_part_keys();
        let rules = self.rules.identity(if is_of_parts { "any" } else { &size })?;
        let opened = checkpoint::open_folder(path, &rules, max_bytes as u64);
        let opened = opened.map_err(|FolderError { path, source }| checkpoint_error(&path, source))?;
        Ok(SizedCheckpoint { checkpoint: Checkpoint { is_of_parts, ..opened }, size })
    }
}

pub(crate) fn is_sum(args: &GameArgs) -> bool {
    args.position.iter().any(|word| word == PLUS)
}

pub(crate) fn read_rules(name: &str) -> Result<RulesFile, CliError> {
    if let Some(preset) = preset(name) {
        return Ok(preset?);
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<_> = presets::all().into_iter().map(|(name, _)| name).collect();
        let nearest = nearest(name, names.iter().copied());
        let nearest = nearest.map_or_else(String::new, |nearest| format!("did you mean `{nearest}`? "));
        let help = format!("{nearest}the games are {}; or give the path of a rules file", names.join(", "));
        return Err(CliError::input(format!("`{name}` is neither a game nor a file"), help));
    }
    let text = files::read_text(path, MAX_RULES_BYTES).map_err(|e| {
        CliError::about(format!("`{name}` cannot be read"), e, "expected a rules file, a few lines of TOML in UTF-8")
    })?;
    Ok(RulesFile::parse(name, &text)?)
}

/// Reads rules and applies the values of `--board` and `--set`.
pub(crate) fn read_changed_rules(name: &str, board: Option<&str>, set: &[String]) -> Result<RulesFile, CliError> {
    let rules = read_rules(name)?;
    // All at once: a rule may be valid only on the new board, and the other way round.
    let board = board.iter().map(|size| format!("board={size}"));
    let changes: Vec<String> = board.chain(set.iter().cloned()).collect();
    let rules = if changes.is_empty() { rules } else { rules.with_changes(&changes)? };
    // A preset on a small board may have rules that never apply.
    if preset(name).is_none() {
        rules.warnings().into_iter().for_each(|warning| warn(&warning.into()));
    }
    Ok(rules)
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

/// Opens or creates the file of `--keep`, for results of a game with these rules. Refuses folders, devices and pipes.
pub(crate) fn open_checkpoint(path: &Path, rules: &str) -> Result<Checkpoint, CliError> {
    let opened = files::check_plain(path).map_err(CheckpointError::from).and_then(|()| checkpoint::open(path, rules));
    opened.map_err(|e| checkpoint_error(path, e))
}

fn checkpoint_error(path: &Path, error: CheckpointError) -> CliError {
    let help = match error {
        CheckpointError::InUse => "wait for that run to end, or give another --keep",
        CheckpointError::Io(_) => {
            "expected the path of a file that can be written, or begun, or of a folder, with / at its end"
        }
        _ => "give another --keep, or move the file away: it is left as it is",
    };
    CliError::about(format!("--keep {}", path.display()), error, help)
}

/// Writes buffered results to the file of `--keep`.
pub(crate) fn flush(keeper: Option<&Arc<dyn JournalSink>>) -> Result<(), CliError> {
    let written = keeper.map_or(Ok(()), |keeper| keeper.flush());
    written.map_err(|e| CliError::about("--keep: not all results could be kept", e, "is the disk full?"))
}

/// Lines with positions, from a file or standard input.
pub(crate) struct PositionLines(Box<dyn BufRead + Send>);

impl PositionLines {
    /// Opens a file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        if path.as_os_str() == "-" {
            return Ok(Self(Box::new(BufReader::new(io::stdin()))));
        }
        let file = files::open(path).map_err(|e| {
            let help = "expected the path of a file with a position a line, or - for standard input";
            CliError::about(format!("`{}` cannot be read", path.display()), e, help)
        })?;
        Ok(Self(Box::new(BufReader::new(file))))
    }
}

/// The inner error is that of a line that is too long or not UTF-8.
impl Iterator for PositionLines {
    type Item = io::Result<Result<String, Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, is_cut) = match files::read_line(&mut *self.0, MAX_LINE_BYTES).transpose()? {
            Ok(line) => line,
            Err(e) => return Some(Err(e)),
        };
        if is_cut {
            let message = format!("a line of more than {MAX_LINE_BYTES} bytes");
            return Some(Ok(Err(Diagnostic::new(message, "expected a position"))));
        }
        Some(Ok(String::from_utf8(line).map(|line| line.trim_start_matches('\u{feff}').to_owned()).map_err(|e| {
            let message = format!("no UTF-8: byte {} is wrong", e.utf8_error().valid_up_to());
            Diagnostic::new(message, "expected a position, in UTF-8")
        })))
    }
}

/// Whether a line has no position: it is blank, or a comment, which begins with a `#` and a blank. A `#` with another
/// character after it is a cell of a board.
pub(crate) fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use super::is_blank;

    #[test]
    fn a_board_may_begin_like_a_comment() {
        for line in ["", " \t\r\n", "# a comment", "#\tanother", "#", "  # more\n"] {
            assert!(is_blank(line), "{line:?}");
        }
        for line in ["##/#.", "#A./B..", "#no comment", "... # none"] {
            assert!(!is_blank(line), "{line:?}");
        }
    }
}
