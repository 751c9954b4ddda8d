//! `balpan solve --positions FILE`: solving many positions of one game, one JSON object per line.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use balpan::Watch;
use balpan_games::EngineCache;
use serde::Serialize;

use super::{AnswerObject, check_number, engine_options, question, score_scale};
use crate::answer::ScoreScale;
use crate::args::SolveArgs;
use crate::error::{CliError, Diagnostic, interrupted, json_line};
use crate::load::{LoadedGame, PositionLines, flush, is_blank};
use crate::progress::{
    ProgressView, SearchProgress, lock, run_with_view, set_positions_searched, stop_cause, with_time_limit,
};

/// Size of the answers that wait to be printed, above which no more are searched for.
const MAX_QUEUED_BYTES: usize = 1 << 16;

pub(super) fn run(args: &SolveArgs, path: &Path) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    check_number(args, &loaded.rules.name, &loaded.game)?;
    let non_default_rules = loaded.non_default_rules()?;
    let scale = score_scale(args, &loaded)?;
    let make = engine_options(args, &loaded)?;
    let keeper = make.checkpoint.as_ref().map(|of| Arc::clone(&of.checkpoint.sink));
    let rules = match (&make.checkpoint, loaded.game.board()) {
        // Checkpoints belong to one board, but for those of parts.
        (Some(kept), Some(board)) if !kept.checkpoint.is_of_parts => loaded.rules.with_board(&board.to_string())?,
        _ => loaded.rules,
    };
    let engines = EngineCache::new(rules, make);
    let lines = PositionLines::open(path)?;
    let progress = BatchProgress::default();
    let mut printer = LinePrinter { progress: &progress, line: 0 };
    let batch = Batch { args, engines, scale, non_default_rules, progress: &progress };
    let (result, _, printed) = run_with_view(&mut printer, None, |watch, printer| {
        let mut batch = batch;
        batch.answer_all(lines, watch, printer)
    });
    // The answers before an error are printed before the error is reported.
    printed?;
    let bad = result?;
    flush(keeper.as_ref())?;
    set_positions_searched(progress.positions.load(Relaxed));
    match bad {
        _ if stop_cause().is_some() => Err(CliError::Stopped),
        0 => Ok(()),
        _ => Err(CliError::Reported(1)),
    }
}

/// The progress of the batch, shared with the printer.
#[derive(Default)]
struct BatchProgress {
    line: AtomicU64,
    /// Positions searched for finished lines.
    positions: AtomicU64,
    watch: Mutex<Watch>,
    lines: Mutex<String>,
}

/// A line that is not a position of the game, or has no answer.
#[derive(Serialize)]
struct BadLine {
    line: u64,
    error: Box<Diagnostic>,
}

struct Batch<'a> {
    args: &'a SolveArgs,
    engines: EngineCache,
    scale: Option<ScoreScale>,
    non_default_rules: Vec<String>,
    progress: &'a BatchProgress,
}

impl Batch<'_> {
    /// Solves every line. Returns the number of bad lines.
    fn answer_all(&mut self, lines: PositionLines, watch: &Watch, printer: &SyncSender<()>) -> Result<u64, CliError> {
        let mut bad = 0;
        for (line, read) in (1..).zip(lines) {
            let answer = match read {
                Err(e) => return Err(CliError::about("the positions cannot be read", e, "")),
                Ok(Err(diagnostic)) => Err(Box::new(diagnostic)),
                Ok(Ok(text)) if is_blank(&text) => continue,
                Ok(Ok(text)) => self.answer(&text, line, watch),
            };
            let text = match answer {
                Ok(object) => json_line(&object)?,
                Err(error) => {
                    bad += 1;
                    json_line(&BadLine { line, error })?
                }
            };
            lock(&self.progress.lines).push_str(&text);
            let _ = printer.try_send(());
            while lock(&self.progress.lines).len() > MAX_QUEUED_BYTES && !watch.is_stopping() {
                sleep(Duration::from_millis(1));
            }
            if watch.is_stopping() {
                break;
            }
        }
        Ok(bad)
    }

    fn answer(&mut self, position: &str, line: u64, watch: &Watch) -> Result<AnswerObject, Box<Diagnostic>> {
        let part = watch.child(u64::MAX);
        self.progress.line.store(line, Relaxed);
        *lock(&self.progress.watch) = part.clone();
        let (engines, question) = (&mut self.engines, question(self.args));
        let answer = with_time_limit(self.args.time.deadline, &part, || {
            engines.ask(position.trim(), question, &part, &mut |_| {})
        });
        let answer = answer.map_err(|e| match CliError::from_query(e, &self.engines.rules().name) {
            CliError::Input(diagnostic) => diagnostic,
            _ => Box::new(interrupted()),
        })?;
        self.progress.positions.fetch_add(answer.positions_searched, Relaxed);
        Ok(AnswerObject::new(answer, &self.non_default_rules, self.scale))
    }
}

struct LinePrinter<'a> {
    progress: &'a BatchProgress,
    /// The line whose progress is shown.
    line: u64,
}

impl ProgressView for LinePrinter<'_> {
    fn status_line(&mut self, search: &mut SearchProgress, _watch: &Watch, elapsed: Duration) -> String {
        let line = self.progress.line.load(Relaxed);
        if line != self.line {
            (self.line, *search) = (line, SearchProgress::default());
        }
        let watch = lock(&self.progress.watch).clone();
        let before = self.progress.positions.load(Relaxed);
        search.status_line(&format!("line {line}"), before, &watch, elapsed)
    }

    fn final_output(&mut self) -> Option<String> {
        Some(std::mem::take(&mut *lock(&self.progress.lines))).filter(|lines| !lines.is_empty())
    }

    fn give_up(&mut self) -> u8 {
        set_positions_searched(self.progress.positions.load(Relaxed));
        CliError::Stopped.report()
    }
}
