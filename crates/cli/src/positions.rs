//! `balpan solve --positions FILE`: many positions of one game, one JSON object a line.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use balpan::Watch;
use balpan_games::Engines;
use serde::Serialize;

use crate::args::SolveArgs;
use crate::failure::{Failure, Problem, json_line};
use crate::input;
use crate::keeping;
use crate::progress::{Positions, Viewer, stop_cause, watched_by, within};
use crate::solve::score::Scale;
use crate::solve::{CheckNumber, Object, make_engine, question};
use crate::source;

/// Bytes of the longest line: far more than a position needs.
const LONGEST: u64 = 1 << 16;

/// Answers that wait to be printed.
const WAITING: usize = 64;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let Some(path) = &args.positions else { return Ok(()) };
    let mut rules = source::changed_rules(&args.game)?;
    let game = rules.game()?;
    game.run(CheckNumber { args, name: &rules.name })?;
    let untold = source::untold_rules(&args.game)?;
    if let (Some(_), Some(board)) = (&args.keep, game.board()) {
        // What is kept is of one board.
        rules = rules.on_board(&board.to_string())?;
    }
    let scale = Scale::asked(args, &game)?;
    if scale.is_some() && args.ask().is_some_and(|ask| !ask.includes_remoteness()) {
        let help = "leave out --score, or what asks for less, such as --winner";
        return Err(Failure::input("--score needs the plies, which are not asked for", help));
    }
    let make = make_engine(args, &game)?;
    let keeper = make.kept.as_ref().map(|of| Arc::clone(&of.kept.sink));
    let engines = Engines::new(rules, make);
    let lines = Lines::open(path)?;
    let (sender, receiver) = sync_channel(WAITING);
    let seen = Seen::default();
    let mut printer = Printer { receiver, seen: &seen, positions: Positions::default(), line: 0 };
    let batch = Batch { args, engines, scale, untold, seen: &seen };
    let (result, _, printed) = watched_by(&mut printer, None, |watch, waker| {
        let mut batch = batch;
        batch.answer_all(lines, watch, &|line| {
            let sent = send(&sender, line, watch);
            waker.wake();
            sent
        })
    });
    // What was found before a failure is printed before it is told.
    printed?;
    let bad = result?;
    keeping::close(keeper.as_ref())?;
    match () {
        () if stop_cause().is_some() => Err(Failure::Stopped(seen.positions.load(Relaxed))),
        () if bad > 0 => Err(Failure::Told(1)),
        () => Ok(()),
    }
}

/// Hands a line over to be printed; `false` if nobody takes it any more.
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

/// How far the work is, for whoever watches it.
#[derive(Default)]
struct Seen {
    line: AtomicU64,
    /// Searched for the positions that are done.
    positions: AtomicU64,
    /// That of the position in hand.
    watch: Mutex<Watch>,
}

/// A line that is not a position of the game, or has no answer.
#[derive(Serialize)]
struct Bad {
    line: u64,
    error: Box<Problem>,
}

struct Batch<'a> {
    args: &'a SolveArgs,
    engines: Engines,
    scale: Option<Scale>,
    untold: Vec<String>,
    seen: &'a Seen,
}

impl Batch<'_> {
    /// Answers for every line, and returns how many were bad.
    fn answer_all(&mut self, mut lines: Lines, watch: &Watch, send: &dyn Fn(String) -> bool) -> Result<u64, Failure> {
        let mut bad = 0;
        let mut line = 0;
        while let Some(read) = lines.next() {
            line += 1;
            let answer = match read {
                Err(e) => return Err(Failure::input(format!("the positions cannot be read: {e}"), "")),
                Ok(Err(problem)) => Err(Box::new(problem)),
                Ok(Ok(text)) if is_blank(&text) => continue,
                Ok(Ok(text)) => self.answer(&text, line, watch),
            };
            let text = match answer {
                Ok(object) => json_line(&object)?,
                Err(error) => {
                    bad += 1;
                    json_line(&Bad { line, error })?
                }
            };
            if !send(text) || watch.is_stopping() {
                break;
            }
        }
        Ok(bad)
    }

    fn answer(&mut self, position: &str, line: u64, watch: &Watch) -> Result<Object, Box<Problem>> {
        let part = watch.child(u64::MAX);
        self.seen.line.store(line, Relaxed);
        *self.seen.watch.lock().unwrap_or_else(PoisonError::into_inner) = part.clone();
        let (engines, question) = (&mut self.engines, question(self.args));
        let answer = within(self.args.deadline, &part, || engines.ask(position.trim(), question, &part, &mut |_| {}));
        let answer = answer.map_err(|e| Box::new(Problem::of_text(e, &self.engines.rules().name)))?;
        self.seen.positions.fetch_add(answer.positions_searched, Relaxed);
        Ok(Object::new(answer, &self.untold, self.scale))
    }
}

/// Whether there is no position on a line: it is blank, or a comment, which is a `#` with a
/// blank after it. Other signs after it are those of a board, of which `#` is one.
pub(crate) fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Lines of a file or of standard input.
pub(crate) struct Lines(Box<dyn BufRead + Send>);

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Self(Box::new(BufReader::new(io::stdin()))));
        }
        let file = input::open(path).map_err(|e| {
            let message = format!("`{}` cannot be read: {e}", path.display());
            Failure::input(message, "expected the path of a file with a position a line, or - for standard input")
        })?;
        Ok(Self(Box::new(BufReader::new(file))))
    }

    /// The next line, or what is wrong with it.
    pub(crate) fn next(&mut self) -> Option<io::Result<Result<String, Problem>>> {
        self.read().transpose()
    }

    fn read(&mut self) -> io::Result<Option<Result<String, Problem>>> {
        let mut line = Vec::new();
        if self.0.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            self.0.skip_until(b'\n')?;
            return Ok(Some(Err(Problem::new(format!("a line of more than {LONGEST} bytes"), "expected a position"))));
        }
        Ok(Some(String::from_utf8(line).map(|line| line.trim_start_matches('\u{feff}').to_owned()).map_err(|e| {
            let message = format!("no UTF-8: byte {} is wrong", e.utf8_error().valid_up_to());
            Problem::new(message, "expected a position, in UTF-8")
        })))
    }
}

/// Prints the lines as they come.
struct Printer<'a> {
    receiver: Receiver<String>,
    seen: &'a Seen,
    positions: Positions,
    /// The line of which progress was told last.
    line: u64,
}

impl Viewer for Printer<'_> {
    fn told(&mut self, _watch: &Watch, elapsed: Duration) -> String {
        let line = self.seen.line.load(Relaxed);
        if line != self.line {
            (self.line, self.positions) = (line, Positions::default());
        }
        let watch = self.seen.watch.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.positions.told_of(&format!("line {line}"), self.seen.positions.load(Relaxed), &watch, elapsed)
    }

    fn ready(&mut self) -> Option<String> {
        let lines: String = self.receiver.try_iter().collect();
        (!lines.is_empty()).then_some(lines)
    }

    fn overdue(&mut self, _watch: &Watch) -> u8 {
        Failure::Stopped(self.seen.positions.load(Relaxed)).tell()
    }
}

#[cfg(test)]
mod tests {
    use super::is_blank;

    #[test]
    fn a_board_may_begin_as_a_comment_does() {
        for line in ["", " \t\r\n", "# a comment", "#\tanother", "#", "  # more\n"] {
            assert!(is_blank(line), "{line:?}");
        }
        for line in ["##/#.", "#A./B..", "#no comment", "... # none"] {
            assert!(!is_blank(line), "{line:?}");
        }
    }
}
