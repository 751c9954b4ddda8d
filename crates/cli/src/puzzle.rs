//! `balpan puzzle`: positions with exactly one winning move.

mod files;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anstyle::Style;
use balpan::{Stopped, Watch};
use balpan_contest::puzzle::{Asked, PuzzleReport, Puzzles, puzzles};
use balpan_games::{AnyGame, NoAnswer, Solvable, Task};

use crate::answer::wrapped;
use crate::args::PuzzleArgs;
use crate::draw;
use crate::failure::{Failure, print, print_json};
use crate::numbers::{counted, grouped};
use crate::progress::watched;
use crate::source;
use files::Files;

/// How long it is looked for puzzles by chance.
const USUAL_TIME: u32 = 20;

/// As many as this are shown where nobody says how many.
const FEW: usize = 100;

/// Wrong moves that an answer tells of.
const MOST_WRONG: usize = 4;

const BOLD: Style = Style::new().bold();

pub(crate) fn run(args: &PuzzleArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    let files = args.svg.as_deref().map(Files::new).transpose()?;
    let mut found = found(args, &name, &game)?;
    if args.json {
        print_json(&found)?;
    }
    let all = found.puzzles.len();
    if args.count.is_none() && all > FEW {
        found.puzzles.truncate(Asked::USUAL);
    }
    let written = match files {
        Some(files) if all > 0 => files.write(&game, &found)?,
        _ => Vec::new(),
    };
    if !args.json {
        print(&page(args, &game, &found, all, &written))?;
    }
    if all == 0 { Err(Failure::Told(1)) } else { Ok(()) }
}

/// Looks for puzzles until it is time to stop.
fn found(args: &PuzzleArgs, name: &str, game: &AnyGame) -> Result<Puzzles, Failure> {
    let asked = Asked {
        plies: args.plies,
        most: args.count.map(usize::from),
        by_chance: args.by_chance,
        seed: args.seed,
        tries: args.tries,
        memory: args.game.memory,
    };
    let seconds = args.time.or(args.tries.is_none().then_some(USUAL_TIME));
    let timed_out = AtomicBool::new(false);
    let (found, _) = watched(|watch| {
        let found = within(seconds, watch, &timed_out, || puzzles(game, name, &asked, watch));
        let found = found.map_err(|e: NoAnswer| Failure::no_answer(e, name, watch.positions()))?;
        // Interrupted, what was found is the answer; but nothing is none.
        if found.puzzles.is_empty() && watch.is_stopping() && !timed_out.load(Relaxed) {
            return Err(Failure::stopped(Stopped, watch.positions()));
        }
        Ok(found)
    });
    found
}

/// Does the work, which is told to stop after so many seconds.
fn within<T>(seconds: Option<u32>, watch: &Watch, timed_out: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let Some(seconds) = seconds else {
        return work();
    };
    thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        scope.spawn(move || {
            let limit = Duration::from_secs(seconds.into());
            if is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) && !watch.is_stopping() {
                timed_out.store(true, Relaxed);
                watch.stop();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// What people read: the puzzles, unless they were written to files, and the answers, if
/// they are asked for. So many were found in `all`.
fn page(args: &PuzzleArgs, game: &AnyGame, found: &Puzzles, all: usize, written: &[String]) -> String {
    let mut page = heading(args, game, found, all);
    if all == 0 {
        return page;
    }
    if written.is_empty() {
        page += "Each has exactly one winning move, which wins in so many plies.\n\n";
        let task = |(n, puzzle): (usize, &PuzzleReport)| {
            format!("{BOLD}{:>3}{BOLD:#}  {}\n{}", n + 1, puzzle.task(), board(game, puzzle))
        };
        let blocks: Vec<_> = found.puzzles.iter().enumerate().map(task).collect();
        page += &draw::side_by_side(&blocks);
    } else {
        page += &format!("Written: {}\n", written.join(", "));
    }
    if args.answers {
        page += &format!("\n{BOLD}Answers{BOLD:#}\n");
        page.extend(found.puzzles.iter().enumerate().map(|(n, puzzle)| answer(n + 1, puzzle)));
    }
    let mut hints = Vec::new();
    if found.puzzles.len() < all {
        hints.push(format!("--count shows more of the {}", grouped(all as u64)));
    }
    if !args.answers && written.is_empty() {
        hints.push("--answers prints the answers, too".to_owned());
    }
    let is_same_again = found.exhaustive || args.tries == Some(found.tried);
    if !hints.is_empty() && !is_same_again {
        hints.push(format!("--seed {} --tries {} finds the same puzzles again", args.seed, found.tried));
    }
    if !hints.is_empty() {
        page += &format!("\n{}.\n", hints.join("; "));
    }
    page
}

/// How many there are, and where they were looked for.
fn heading(args: &PuzzleArgs, game: &AnyGame, found: &Puzzles, all: usize) -> String {
    let name = format!("{} {}", found.game, game.size());
    let tried = counted(found.tried, "position", "positions");
    let place = match (found.exhaustive, found.tried) {
        (true, 1) => "Play can reach no other position.".to_owned(),
        (true, _) => format!("All {tried} that play can reach were looked at, up to symmetry."),
        (false, 1) => format!("1 position was tried, by chance from seed {}.", args.seed),
        (false, _) => format!("{tried} were tried, by chance from seed {}.", args.seed),
    };
    let shown = found.puzzles.len();
    let is_all = found.exhaustive && args.count.is_none_or(|count| all < usize::from(count));
    let puzzles = counted(all as u64, "puzzle", "puzzles");
    let first = match (all, is_all) {
        (0, _) => {
            let plies = counted(args.plies, "ply", "plies");
            format!("No position of {name} has exactly one winning move and at least {plies}.")
        }
        (_, true) if shown == all => format!("{name}: {puzzles}"),
        (_, true) => format!("{name}: the best {shown} of {puzzles}"),
        (1, false) => format!("{name}: the best puzzle"),
        (_, false) => format!("{name}: the best {shown} puzzles"),
    };
    format!("{first}\n{place}\n")
}

/// An answer: the move with its line, and why the tempting moves fail.
fn answer(number: usize, puzzle: &PuzzleReport) -> String {
    const INDENT: usize = 3;
    let line = wrapped(&puzzle.line, INDENT);
    let head = format!("\n{BOLD}{number:>INDENT$}{BOLD:#}{}", &line[INDENT..]);
    let mut failures = puzzle.failures(MOST_WRONG);
    let last = failures.len().saturating_sub(1);
    failures[..last].iter_mut().for_each(|failure| failure.push(';'));
    head + &wrapped(&failures, INDENT)
}

fn board(game: &AnyGame, puzzle: &PuzzleReport) -> String {
    struct Drawn<'a>(&'a str);

    impl Task for Drawn<'_> {
        type Output = String;

        fn run<G: Solvable>(self, game: &G) -> String {
            // The library has written what it reads.
            game.parse(self.0).map_or_else(|_| self.0.to_owned() + "\n", |position| draw::position(game, &position))
        }
    }

    game.run(Drawn(&puzzle.position))
}
