//! `balpan puzzle`: positions with exactly one winning move.

mod files;

use std::time::Duration;

use anstyle::Style;
use balpan::{EngineError, Stopped};
use balpan_contest::puzzle::{PuzzleQuery, PuzzleReport, Puzzles, SearchScope, puzzles};
use balpan_games::{AnyGame, Lang, Notation, Task};
use serde::Serialize;

use crate::answer::wrapped;
use crate::args::PuzzleArgs;
use crate::draw;
use crate::failure::{Failure, print, print_json};
use crate::numbers::{counted, grouped};
use crate::progress::{stop_cause, was_interrupted, watched, within};
use crate::source;
use crate::strong;
use files::Files;

/// How many seconds positions are tried at random.
const USUAL_TIME: u32 = 20;

/// As many as this are shown where nobody says how many.
const FEW: usize = 100;

/// Wrong moves that an answer tells of.
const MOST_WRONG: usize = 4;

const BOLD: Style = Style::new().bold();

/// What programs read.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    found: &'a Puzzles,
    /// The sheets that were written, of as many puzzles as people are shown.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    files: &'a [String],
}

pub(crate) fn run(args: &PuzzleArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    let files = args.svg.as_deref().map(Files::new).transpose()?;
    let mut found = found(args, &name, &game)?;
    found.rules = source::untold_rules(&args.game)?;
    let all = found.puzzles.len();
    let mut shown = found.clone();
    if args.count.is_none() && all > FEW {
        shown.puzzles.truncate(PuzzleQuery::DEFAULT_LIMIT);
    }
    let (written, end) = match files {
        Some(files) if all > 0 => files.write(&game, &shown, args.lang.into()),
        _ => (Vec::new(), Ok(())),
    };
    // What was found is printed, even if it could not be written.
    if args.json {
        print_json(&Object { found: &found, files: &written })?;
    } else {
        let page = Page { args, game: &game, found: &shown, all, written: &written, is_written: end.is_ok() };
        print(&page.text())?;
    }
    end?;
    // Where it was cut short, it is not known that there is none.
    if all == 0 && stop_cause().is_none() { Err(Failure::Told(1)) } else { Ok(()) }
}

/// Looks for puzzles until it is time to stop.
fn found(args: &PuzzleArgs, name: &str, game: &AnyGame) -> Result<Puzzles, Failure> {
    let query = PuzzleQuery {
        plies: args.plies,
        all: args.all,
        limit: args.count.map(usize::from),
        sample: args.by_chance,
        seed: args.seed,
        tries: args.tries,
        memory: args.game.memory,
        oracle: strong::known(&args.strong, &args.game, game)?,
    };
    let seconds = args.time.or(args.tries.is_none().then_some(USUAL_TIME));
    let limit = seconds.map(|seconds| Duration::from_secs(seconds.into()));
    let (found, _) = watched(|watch| {
        let found = within(limit, watch, || puzzles(game, name, &query, watch));
        let found = found.map_err(|e: EngineError| Failure::no_answer(e, name, watch.positions()))?;
        // Interrupted, what was found is the answer; but nothing is none.
        if found.puzzles.is_empty() && was_interrupted() {
            return Err(Failure::stopped(Stopped::Interrupted, watch.positions()));
        }
        Ok(found)
    });
    found
}

/// What people read: the puzzles, unless they were written to files, and the answers, if
/// they are asked for.
struct Page<'a> {
    args: &'a PuzzleArgs,
    game: &'a AnyGame,
    found: &'a Puzzles,
    /// The number of puzzles found.
    all: usize,
    written: &'a [String],
    /// Whether all that was to be written is.
    is_written: bool,
}

impl Page<'_> {
    fn text(&self) -> String {
        let Self { args, game, found, written, .. } = *self;
        let mut page = filled(&self.first());
        page += &filled(&self.place());
        let is_drawn = written.is_empty() || !self.is_written;
        if self.all > 0 && is_drawn {
            page += "Each has exactly one winning move.\n\n";
            let task = |(n, puzzle): (usize, &PuzzleReport)| {
                format!(
                    "{BOLD}{:>3}{BOLD:#}  {} ({})\n{}",
                    n + 1,
                    puzzle.task(Lang::En),
                    puzzle.level_text(Lang::En),
                    board(game, puzzle)
                )
            };
            let blocks: Vec<_> = found.puzzles.iter().enumerate().map(task).collect();
            page += &draw::side_by_side(&blocks);
        }
        if !written.is_empty() {
            page += &filled(&format!("Written: {}", written.join(", ")));
        }
        if self.all > 0 && args.answers {
            page += &format!("\n{BOLD}Answers{BOLD:#}\n");
            page.extend(found.puzzles.iter().enumerate().map(|(n, puzzle)| answer(n + 1, puzzle)));
        }
        let hints = self.hints(is_drawn);
        if !hints.is_empty() {
            page += &format!("\n{}.\n", hints.join(".\n"));
        }
        page
    }

    /// How many there are.
    fn first(&self) -> String {
        let Self { args, game, found, all, .. } = *self;
        let name = found.title(&game.size());
        let shown = found.puzzles.len();
        let is_all = found.exhaustive && args.count.is_none_or(|count| all < usize::from(count));
        match (all, is_all) {
            (0, _) if game.run(IsOver) => format!("{name}: the game is over, and there is no puzzle."),
            (0, _) if found.left_out.is_some_and(|left_out| left_out > 0) => {
                let left_out = counted(found.left_out.unwrap_or(0) as u64, "puzzle", "puzzles");
                format!("{name}: {left_out}, all of which need no thought.")
            }
            (0, _) if found.exhaustive => {
                let from = if args.game.position.is_empty() { "the start" } else { "here" };
                let plies = match (args.plies.min, args.plies.max) {
                    (least, None) => format!("{} or more", counted(least, "ply", "plies")),
                    (least, Some(most)) if least == most => counted(least, "ply", "plies"),
                    (least, Some(most)) => format!("{least} to {most} plies"),
                };
                format!(
                    "{name}: no position that play can reach from {from} has exactly one winning move among several, \
                     and {plies} to the win."
                )
            }
            (0, _) => {
                let tried = counted(found.tried, "position", "positions");
                format!("{name}: no puzzle was found among {tried}.")
            }
            (_, true) if shown == all => format!("{name}: {}", counted(all as u64, "puzzle", "puzzles")),
            (_, true) => format!("{name}: the best {shown} of {}", counted(all as u64, "puzzle", "puzzles")),
            (1, false) => format!("{name}: the best puzzle"),
            (_, false) => format!("{name}: the best {shown} puzzles"),
        }
    }

    /// Where they were looked for.
    fn place(&self) -> String {
        let tried = counted(self.found.tried, "position", "positions");
        let were = if self.found.tried == 1 { "was" } else { "were" };
        match (self.found.search, self.found.tried) {
            (SearchScope::Everywhere, 1) => "Play can reach no other position.".to_owned(),
            (SearchScope::Everywhere, _) => format!("All {tried} that play can reach were looked at, up to symmetry."),
            (SearchScope::Stopped, _) => {
                format!("The search was stopped: {tried} {were} looked at, of more that play can reach.")
            }
            (SearchScope::Chance, _) => format!("{tried} {were} tried, by chance from seed {}.", self.args.seed),
        }
    }

    /// What more can be asked for, each a line.
    fn hints(&self, is_drawn: bool) -> Vec<String> {
        let Self { args, found, all, .. } = *self;
        let mut hints = Vec::new();
        if found.puzzles.len() < all {
            hints.push(format!("--count shows more of the {}", grouped(all as u64)));
        }
        if let Some(left_out) = found.left_out.filter(|left_out| *left_out > 0) {
            hints.push(format!(
                "--all shows {} more, which need no thought or are like these",
                grouped(left_out as u64)
            ));
        }
        if all > 0 && !args.answers && is_drawn {
            hints.push("--answers prints the answers, too".to_owned());
        }
        if found.search == SearchScope::Chance && found.tried > 0 && args.tries != Some(found.tried) {
            hints.push(format!("--seed {} --tries {} finds the same again", args.seed, found.tried));
        }
        hints
    }
}

/// Words in lines as wide as the terminal, where none is longer.
fn filled(words: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words.split(' ') {
        let width = word.chars().count();
        if column > 0 {
            let fits = column + 1 + width <= draw::WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text.push_str(word);
        column += width;
    }
    text + "\n"
}

/// Whether the game has ended where it begins.
struct IsOver;

impl Task for IsOver {
    type Output = bool;

    fn run<G: Notation>(self, game: &G) -> bool {
        game.is_over(&game.start())
    }
}

/// An answer: the move with its line, and why the tempting moves fail.
fn answer(number: usize, puzzle: &PuzzleReport) -> String {
    const INDENT: usize = 3;
    let line = wrapped(&puzzle.line, INDENT);
    let head = format!("\n{BOLD}{number:>INDENT$}{BOLD:#}{}", &line[INDENT..]);
    let mut failures = puzzle.failures(Lang::En, MOST_WRONG);
    let last = failures.len().saturating_sub(1);
    failures[..last].iter_mut().for_each(|failure| failure.push(';'));
    head + &wrapped(&failures, INDENT)
}

fn board(game: &AnyGame, puzzle: &PuzzleReport) -> String {
    struct Drawn<'a>(&'a str);

    impl Task for Drawn<'_> {
        type Output = String;

        fn run<G: Notation>(self, game: &G) -> String {
            // The library has written what it reads.
            game.parse(self.0).map_or_else(|_| self.0.to_owned() + "\n", |position| draw::position(game, &position))
        }
    }

    game.run(Drawn(&puzzle.position))
}
