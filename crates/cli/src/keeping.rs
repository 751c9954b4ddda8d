//! `--keep FILE`: results that took long, from one run to the next.

use std::path::Path;
use std::sync::Arc;

use balpan::Keeper;
use balpan::keep::{self, KeepError};
use balpan_games::{AnyGame, KeptOf, RulesFile};

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::source;

/// Opens the file, or begins it.
pub(crate) fn open(path: &Path, args: &GameArgs, game: &AnyGame) -> Result<KeptOf, Failure> {
    let rules = source::changed_rules(args)?;
    let kept = keep::open(path, &told(&rules, game)?).map_err(|e| failure(path, &e))?;
    Ok(KeptOf { size: game.size(), kept })
}

/// Rules, and the board or the start, by which a file's results are told from others.
fn told(rules: &RulesFile, game: &AnyGame) -> Result<String, Failure> {
    let family = rules.text.lines().find(|line| line.trim_start().starts_with("family"));
    let family = family.map_or("", |line| line.split('#').next().unwrap_or_default().trim());
    let size = if game.board().is_some() { "board" } else { "start" };
    let mut told = vec![family.split_whitespace().collect::<String>()];
    told.extend(rules.changes()?);
    told.push(format!("{size}={}", game.size()));
    Ok(told.join("\n"))
}

fn failure(path: &Path, error: &KeepError) -> Failure {
    let help = match error {
        KeepError::InUse => "wait for that run to end, or give another --keep",
        KeepError::Io(_) => "expected the path of a file that can be written, or begun",
        _ => "give another --keep, or move the file away: it is left as it is",
    };
    Failure::input(format!("--keep {}: {error}", path.display()), help)
}

/// Writes what is not written yet.
pub(crate) fn close(keeper: Option<&Arc<dyn Keeper>>) -> Result<(), Failure> {
    let written = keeper.map_or(Ok(()), |keeper| keeper.flush());
    written.map_err(|e| Failure::input(format!("--keep: not all results could be kept: {e}"), "is the disk full?"))
}
