//! `balpan solve --positions FILE`: solving many positions of one game, one JSON object per line.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use balpan::Watch;
use balpan_games::EngineCache;
use serde::Serialize;

use super::json::{AnswerObject, ScoreScale};
use super::{CheckNumber, make_engine, question};
use crate::args::SolveArgs;
use crate::checkpoint;
use crate::error::{CliError, Diagnostic, json_line};
use crate::files;
use crate::load::LoadedGame;
use crate::progress::{ProgressView, SearchProgress, run_with_view, stop_cause, with_time_limit};

/// Size limit of a line, far above what a position needs.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// Answers queued for printing.
const MAX_QUEUED_LINES: usize = 64;

pub(super) fn run(args: &SolveArgs) -> Result<(), CliError> {
    let Some(path) = &args.positions else { return Ok(()) };
    let loaded = LoadedGame::load(&args.game)?;
    loaded.game.run(CheckNumber { args, name: &loaded.rules.name })?;
    let non_default_rules = loaded.non_default_rules()?;
    let scale = ScoreScale::for_game(args, &loaded)?;
    if scale.is_some() && args.goal().is_some_and(|goal| !goal.includes_remoteness()) {
        let help = "leave out --score, or what asks for less, such as --winner";
        return Err(CliError::input("--score needs the plies, which are not asked for", help));
    }
    let make = make_engine(args, &loaded)?;
    let keeper = make.checkpoint.as_ref().map(|of| Arc::clone(&of.checkpoint.sink));
    let rules = match (&args.keep, loaded.game.board()) {
        // A checkpoint file belongs to one board.
        (Some(_), Some(board)) => loaded.rules.with_board(&board.to_string())?,
        _ => loaded.rules,
    };
    let engines = EngineCache::new(rules, make);
    let lines = PositionLines::open(path)?;
    let (sender, receiver) = sync_channel(MAX_QUEUED_LINES);
    let progress = BatchProgress::default();
    let mut printer = LinePrinter { receiver, progress: &progress, search: SearchProgress::default(), line: 0 };
    let batch = Batch { args, engines, scale, non_default_rules, progress: &progress };
    let (result, _, printed) = run_with_view(&mut printer, None, |watch, waker| {
        let mut batch = batch;
        batch.answer_all(lines, watch, &|line| {
            let sent = send(&sender, line, watch);
            waker.wake();
            sent
        })
    });
    // The answers before an error are printed before the error is reported.
    printed?;
    let bad = result?;
    checkpoint::flush(keeper.as_ref())?;
    match () {
        () if stop_cause().is_some() => Err(CliError::Stopped(progress.positions.load(Relaxed))),
        () if bad > 0 => Err(CliError::Reported(1)),
        () => Ok(()),
    }
}

/// Queues a line for printing. Returns `false` if the printer is gone or the work is stopped.
fn send(sender: &SyncSender<String>, mut line: String, watch: &Watch) -> bool {
    loop {
        match sender.try_send(line) {
            Ok(()) => return true,
            Err(std::sync::mpsc::TrySendError::Disconnected(_)) => return false,
            Err(std::sync::mpsc::TrySendError::Full(back)) => {
                if watch.is_stopping() {
                    return false;
                }
                line = back;
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// The progress of the batch, shared with the printer.
#[derive(Default)]
struct BatchProgress {
    line: AtomicU64,
    /// Positions searched for finished lines.
    positions: AtomicU64,
    /// The watch of the current line.
    watch: Mutex<Watch>,
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
    fn answer_all(
        &mut self,
        mut lines: PositionLines,
        watch: &Watch,
        send: &dyn Fn(String) -> bool,
    ) -> Result<u64, CliError> {
        let mut bad = 0;
        let mut line = 0;
        while let Some(read) = lines.next() {
            line += 1;
            let answer = match read {
                Err(e) => return Err(CliError::input(format!("the positions cannot be read: {e}"), "")),
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
            if !send(text) || watch.is_stopping() {
                break;
            }
        }
        Ok(bad)
    }

    fn answer(&mut self, position: &str, line: u64, watch: &Watch) -> Result<AnswerObject, Box<Diagnostic>> {
        let part = watch.child(u64::MAX);
        self.progress.line.store(line, Relaxed);
        *self.progress.watch.lock().unwrap_or_else(PoisonError::into_inner) = part.clone();
        let (engines, question) = (&mut self.engines, question(self.args));
        let answer =
            with_time_limit(self.args.deadline, &part, || engines.ask(position.trim(), question, &part, &mut |_| {}));
        let answer = answer.map_err(|e| Box::new(Diagnostic::from_text_engine(e, &self.engines.rules().name)))?;
        self.progress.positions.fetch_add(answer.positions_searched, Relaxed);
        Ok(AnswerObject::new(answer, &self.non_default_rules, self.scale))
    }
}

/// Whether a line has no position: it is blank, or a comment, which begins with a `#` and a blank. A `#` with another
/// character after it is a cell of a board.
pub(crate) fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
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
            let message = format!("`{}` cannot be read: {e}", path.display());
            CliError::input(message, "expected the path of a file with a position a line, or - for standard input")
        })?;
        Ok(Self(Box::new(BufReader::new(file))))
    }

    /// Reads the next line; the inner error is that of a line that is too long or not UTF-8.
    pub(crate) fn next(&mut self) -> Option<io::Result<Result<String, Diagnostic>>> {
        self.read().transpose()
    }

    fn read(&mut self) -> io::Result<Option<Result<String, Diagnostic>>> {
        let mut line = Vec::new();
        if self.0.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
            self.0.skip_until(b'\n')?;
            let message = format!("a line of more than {MAX_LINE_BYTES} bytes");
            return Ok(Some(Err(Diagnostic::new(message, "expected a position"))));
        }
        Ok(Some(String::from_utf8(line).map(|line| line.trim_start_matches('\u{feff}').to_owned()).map_err(|e| {
            let message = format!("no UTF-8: byte {} is wrong", e.utf8_error().valid_up_to());
            Diagnostic::new(message, "expected a position, in UTF-8")
        })))
    }
}

/// Prints queued lines.
struct LinePrinter<'a> {
    receiver: Receiver<String>,
    progress: &'a BatchProgress,
    /// The progress of the line `line`.
    search: SearchProgress,
    line: u64,
}

impl ProgressView for LinePrinter<'_> {
    fn status_line(&mut self, _watch: &Watch, elapsed: Duration) -> String {
        let line = self.progress.line.load(Relaxed);
        if line != self.line {
            (self.line, self.search) = (line, SearchProgress::default());
        }
        let watch = self.progress.watch.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let before = self.progress.positions.load(Relaxed);
        self.search.status_of_part(&format!("line {line}"), before, &watch, elapsed)
    }

    fn final_output(&mut self) -> Option<String> {
        let lines: String = self.receiver.try_iter().collect();
        (!lines.is_empty()).then_some(lines)
    }

    fn give_up(&mut self, _watch: &Watch) -> u8 {
        CliError::Stopped(self.progress.positions.load(Relaxed)).report()
    }
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
