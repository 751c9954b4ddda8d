//! `balpan solve --cgt`: a position's value in sums with others.

use std::fmt::Write;
use std::time::Duration;

use balpan::cgt::CgtError;
use balpan::{Game, Outcome};
use balpan_games::placement::{Placement, PlacementValueError, PositionValueReport, StarterOutcome};
use balpan_games::{AnyGame, CellSet};

use crate::args::SolveArgs;
use crate::draw;
use crate::failure::{Failure, print, print_json};
use crate::lang::lang;
use crate::numbers::grouped;
use crate::progress::watched;
use crate::words::value as words;

pub(crate) fn run(args: &SolveArgs, name: &str, game: &AnyGame) -> Result<(), Failure> {
    match game {
        AnyGame::Placement(game) => answer(args, name, game),
        AnyGame::WidePlacement(game) => answer(args, name, game),
        AnyGame::Walkers(_) | AnyGame::WideWalkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => Err(Failure::input(
            format!("{name} is not a placement game: only those have values that add up"),
            "leave out --cgt",
        )),
    }
}

fn answer<W: CellSet>(args: &SolveArgs, name: &str, game: &Placement<W>) -> Result<(), Failure> {
    let ((result, counted_games), time) = watched(|watch| {
        (PositionValueReport::find(name, game, &game.start(), args.game.memory, watch), watch.positions())
    });
    let found = result.map_err(|none| failure(none, counted_games))?.with_elapsed(time);
    if args.json {
        return print_json(&found);
    }
    print(&page(game, &found))?;
    tell_cost(found.parts, time);
    Ok(())
}

fn page<W: CellSet>(game: &Placement<W>, found: &PositionValueReport) -> String {
    let mut page = format!("{} {}\n\n", found.game, game.board());
    page.push_str(&draw::position(game, &game.start()));
    // Writing to a string cannot fail.
    let lang = lang();
    let _ = writeln!(page, "\n{}", words::its_value(lang, &found.cgt, words::wins(lang, class(&found.outcomes))));
    page
}

/// Who wins, of `left`, `right`, `first` and `second`.
fn class(outcomes: &[StarterOutcome]) -> &'static str {
    let wins = |begun: &StarterOutcome| begun.outcome == Outcome::Win.to_string();
    match outcomes {
        [left, right] if wins(left) && !wins(right) => "left",
        [left, right] if !wins(left) && wins(right) => "right",
        [first, ..] if wins(first) => "first",
        _ => "second",
    }
}

fn failure(none: PlacementValueError, games: u64) -> Failure {
    match none {
        PlacementValueError::Misere => {
            Failure::input(none.to_string(), "leave out --cgt, or play with --set misere=false")
        }
        PlacementValueError::Cgt(CgtError::Stopped(stopped)) => Failure::stopped(stopped, games),
        PlacementValueError::Cgt(CgtError::OutOfMemory(_) | CgtError::TooLarge | CgtError::TooDeep(_)) => {
            Failure::input(none.to_string(), "allow more with --memory, or take a smaller board")
        }
    }
}

/// What it cost, on standard error where somebody sees it.
fn tell_cost(parts: usize, time: Duration) {
    use std::io::IsTerminal;
    if std::io::stderr().is_terminal() {
        let dim = draw::DIM;
        let cost = words::parts(lang(), &grouped(parts as u64), time.as_secs_f64());
        anstream::eprintln!("\n{dim}{cost}{dim:#}");
    }
}
