//! `--keep FILE`: results that took long, from one run to the next.

use std::path::Path;
use std::sync::Arc;

use balpan::JournalSink;
use balpan::checkpoint::{self, Checkpoint, CheckpointError};
use balpan_games::{AnyGame, KeptOf};

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::input;
use crate::source;

/// Opens the file, or begins it.
pub(crate) fn open(path: &Path, args: &GameArgs, game: &AnyGame) -> Result<KeptOf, Failure> {
    let rules = source::changed_rules(args)?;
    let kept = open_plain(path, &rules.told(&game.size())?)?;
    Ok(KeptOf { size: game.size(), kept })
}

/// Opens the file of values of positions, or begins it; `rules` are those of the game, whatever the board.
pub(crate) fn open_values(path: &Path, rules: Option<&str>) -> Result<Checkpoint, Failure> {
    let Some(rules) = rules else {
        let help = "expected positions of one game that has other values than nimbers";
        return Err(Failure::input(format!("--keep {}: which game's values?", path.display()), help));
    };
    open_plain(path, &format!("values\n{rules}"))
}

/// Opens or begins a file that is no folder, device or pipe.
fn open_plain(path: &Path, rules: &str) -> Result<Checkpoint, Failure> {
    let opened = input::check_plain(path).map_err(CheckpointError::from).and_then(|()| checkpoint::open(path, rules));
    opened.map_err(|e| failure(path, &e))
}

fn failure(path: &Path, error: &CheckpointError) -> Failure {
    let help = match error {
        CheckpointError::InUse => "wait for that run to end, or give another --keep",
        CheckpointError::Io(_) => "expected the path of a file that can be written, or begun",
        _ => "give another --keep, or move the file away: it is left as it is",
    };
    Failure::input(format!("--keep {}: {error}", path.display()), help)
}

/// Writes what is not written yet.
pub(crate) fn close(keeper: Option<&Arc<dyn JournalSink>>) -> Result<(), Failure> {
    let written = keeper.map_or(Ok(()), |keeper| keeper.flush());
    written.map_err(|e| Failure::input(format!("--keep: not all results could be kept: {e}"), "is the disk full?"))
}
