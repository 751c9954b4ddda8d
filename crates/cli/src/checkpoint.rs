//! The file of `--keep`: results that took long, reused by later runs.

use std::path::Path;
use std::sync::Arc;

use balpan::JournalSink;
use balpan::checkpoint::{self, Checkpoint, CheckpointError};
use balpan_games::SizedCheckpoint;

use crate::error::CliError;
use crate::files;
use crate::load::LoadedGame;

/// Opens or creates the checkpoint file of a game on its board.
pub(crate) fn open(path: &Path, loaded: &LoadedGame) -> Result<SizedCheckpoint, CliError> {
    let size = loaded.game.size();
    let kept = open_plain(path, &loaded.rules.identity(&size)?)?;
    Ok(SizedCheckpoint { size, checkpoint: kept })
}

/// Opens or creates the checkpoint file of combinatorial values; `rules` are those of the game on any board.
pub(crate) fn open_values(path: &Path, rules: Option<&str>) -> Result<Checkpoint, CliError> {
    let Some(rules) = rules else {
        let help = "expected positions of one game that has other values than nimbers";
        return Err(CliError::input(format!("--keep {}: which game's values?", path.display()), help));
    };
    open_plain(path, &format!("values\n{rules}"))
}

/// Opens or creates a checkpoint file; refuses folders, devices and pipes.
fn open_plain(path: &Path, rules: &str) -> Result<Checkpoint, CliError> {
    let opened = files::check_plain(path).map_err(CheckpointError::from).and_then(|()| checkpoint::open(path, rules));
    opened.map_err(|e| {
        let help = match e {
            CheckpointError::InUse => "wait for that run to end, or give another --keep",
            CheckpointError::Io(_) => "expected the path of a file that can be written, or begun",
            _ => "give another --keep, or move the file away: it is left as it is",
        };
        CliError::input(format!("--keep {}: {e}", path.display()), help)
    })
}

/// Writes buffered results to the file.
pub(crate) fn flush(keeper: Option<&Arc<dyn JournalSink>>) -> Result<(), CliError> {
    let written = keeper.map_or(Ok(()), |keeper| keeper.flush());
    written.map_err(|e| CliError::input(format!("--keep: not all results could be kept: {e}"), "is the disk full?"))
}
