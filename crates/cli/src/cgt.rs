//! `balpan solve --cgt`: a position's value in sums with others.

use std::fmt::Write;
use std::time::Duration;

use balpan::cgt::Unfinished;
use balpan::{Game, Outcome};
use balpan_games::placement::{Begun, InSums, NoValue, Placement};
use balpan_games::{AnyGame, CellSet};

use crate::args::SolveArgs;
use crate::draw;
use crate::failure::{Failure, print, print_json};
use crate::numbers::counted;
use crate::progress::watched;

pub(crate) fn run(args: &SolveArgs, name: &str, game: &AnyGame) -> Result<(), Failure> {
    match game {
        AnyGame::Placement(game) => answer(args, name, game),
        AnyGame::Wide(game) => answer(args, name, game),
        AnyGame::Walkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => Err(Failure::input(
            format!("{name} is no placement game: only those have values that add up"),
            "leave out --cgt",
        )),
    }
}

fn answer<W: CellSet>(args: &SolveArgs, name: &str, game: &Placement<W>) -> Result<(), Failure> {
    let ((result, counted_games), time) =
        watched(|watch| (InSums::of(name, game, &game.start(), args.game.memory, watch), watch.positions()));
    let found = result.map_err(|none| failure(none, counted_games))?.within(time);
    if args.json {
        return print_json(&found);
    }
    print(&page(game, &found))?;
    tell_cost(found.parts, time);
    Ok(())
}

fn page<W: CellSet>(game: &Placement<W>, found: &InSums) -> String {
    let mut page = format!("{} {}\n\n", found.game, game.board());
    page.push_str(&draw::position(game, &game.start()));
    // Writing to a string cannot fail.
    let _ = writeln!(page, "\nIts value is {}: {}.", found.cgt, in_words(&found.outcomes));
    page
}

/// Who wins.
fn in_words(outcomes: &[Begun]) -> String {
    let wins = |begun: &Begun| begun.outcome == Outcome::Win.to_string();
    match outcomes {
        [left, right] if wins(left) && !wins(right) => format!("{} wins, whoever begins", left.begins),
        [left, right] if !wins(left) && wins(right) => format!("{} wins, whoever begins", right.begins),
        [first, ..] if wins(first) => "whoever begins wins".to_owned(),
        _ => "whoever begins loses".to_owned(),
    }
}

fn failure(none: NoValue, games: u64) -> Failure {
    match none {
        NoValue::Misere => Failure::input(none.to_string(), "leave out --cgt, or play with --set misere=false"),
        NoValue::Supply => Failure::input(none.to_string(), "leave out --cgt, or take away the supply"),
        NoValue::Unfinished(Unfinished::Stopped(stopped)) => Failure::stopped(stopped, games),
        NoValue::Unfinished(Unfinished::TooMany(_)) => {
            Failure::input(none.to_string(), "allow more with --memory, or take a smaller board")
        }
    }
}

/// What it cost, on standard error where somebody sees it.
fn tell_cost(parts: usize, time: Duration) {
    use std::io::IsTerminal;
    if std::io::stderr().is_terminal() {
        let dim = draw::DIM;
        let parts = counted(parts as u64, "part", "parts");
        anstream::eprintln!("\n{dim}{parts} settled in {:.2} s{dim:#}", time.as_secs_f64());
    }
}
