//! `balpan solve --cgt`: a position's value in sums with others.

use std::fmt::Write;
use std::time::Duration;

use balpan::cgt::{Forms, Unfinished};
use balpan::{Game, Outcome, Watch};
use balpan_games::placement::{NoValue, Placement, Values};
use balpan_games::{AnyGame, CellSet, Notation};
use serde::Serialize;

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

/// What was found; the field names are part of the command's contract.
#[derive(Serialize)]
struct Found<'a> {
    game: &'a str,
    position: String,
    cgt: String,
    /// The outcome for each player when that one begins; one for impartial games.
    outcomes: Vec<Begun>,
    parts: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Begun {
    begins: &'static str,
    outcome: String,
}

fn answer<W: CellSet>(args: &SolveArgs, name: &str, game: &Placement<W>) -> Result<(), Failure> {
    let position = game.start();
    let find = |watch: &Watch| {
        let mut values = Values::new(game, Forms::new(args.game.memory, watch))?;
        let value = values.of(&position)?;
        let text = values.forms().text(value)?;
        let outcomes = values.forms().outcomes(value)?;
        Ok((text, outcomes, values.parts()))
    };
    let ((result, counted_games), time) = watched(|watch| (find(watch), watch.positions()));
    let (cgt, outcomes, parts) = result.map_err(|none| failure(none, counted_games))?;
    let [mover, other] = game.players(&position);
    let begun = |(begins, outcome): (&'static str, Outcome)| Begun { begins, outcome: outcome.to_string() };
    let [left, right] = if position.right_to_move { [other, mover] } else { [mover, other] };
    let sides = if game.is_partizan() { 2 } else { 1 };
    let outcomes: Vec<_> = [(left, outcomes[0]), (right, outcomes[1])].into_iter().take(sides).map(begun).collect();
    let found = Found { game: name, position: game.text(&position), cgt, outcomes, parts, seconds: time.as_secs_f64() };
    if args.json {
        return print_json(&found);
    }
    print(&page(game, &found))?;
    tell_cost(parts, time);
    Ok(())
}

fn page<W: CellSet>(game: &Placement<W>, found: &Found<'_>) -> String {
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
