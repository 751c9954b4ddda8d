//! `balpan solve --cgt`: the combinatorial value of a placement position.

use std::fmt::Write;

use balpan::Outcome;
use balpan_cgt::CgtError;
use balpan_games::AnyGame;
use balpan_games::placement::{PlacementValueError, PositionValueReport, StarterOutcome};

use crate::args::SolveArgs;
use crate::draw;
use crate::error::{CliError, print, print_json};
use crate::numbers::grouped;
use crate::progress::run_with_progress;
use crate::words::lang;
use crate::words::value as words;

pub(super) fn run(args: &SolveArgs, name: &str, game: &AnyGame) -> Result<(), CliError> {
    let ((result, counted_games), time) =
        run_with_progress(|watch| (game.position_value(name, args.game.memory, watch), watch.positions()));
    let none = || {
        let message = format!("{name} is not a placement game: only those have values that add up");
        CliError::input(message, "leave out --cgt")
    };
    let found = result.ok_or_else(none)?.map_err(|e| value_error(e, counted_games))?.with_elapsed(time);
    if args.json {
        return print_json(&found);
    }
    print(&page(game, &found))?;
    draw::print_note(&words::parts(lang(), &grouped(found.parts as u64), time.as_secs_f64()));
    Ok(())
}

fn page(game: &AnyGame, found: &PositionValueReport) -> String {
    let mut page = format!("{} {}\n\n", found.game, game.size());
    page.push_str(&draw::start(game));
    // Writing to a string cannot fail.
    let lang = lang();
    let outcome = outcome_class(&found.outcomes);
    let _ = writeln!(page, "\n{}", words::position_value(lang, &found.cgt, words::wins(lang, outcome)));
    page
}

/// Returns the outcome class by who wins: `left`, `right`, `first` or `second`.
fn outcome_class(outcomes: &[StarterOutcome]) -> &'static str {
    let wins = |begun: &StarterOutcome| begun.outcome == Outcome::Win.to_string();
    match outcomes {
        [left, right] if wins(left) && !wins(right) => "left",
        [left, right] if !wins(left) && wins(right) => "right",
        [first, ..] if wins(first) => "first",
        _ => "second",
    }
}

fn value_error(error: PlacementValueError, games: u64) -> CliError {
    match error {
        PlacementValueError::Misere => {
            CliError::input(error.to_string(), "leave out --cgt, or play with --set misere=false")
        }
        PlacementValueError::Cgt(CgtError::Stopped(stopped)) => CliError::from_stopped(stopped, games),
        PlacementValueError::Cgt(CgtError::OutOfMemory(_) | CgtError::TooLarge | CgtError::TooDeep(_)) => {
            CliError::input(error.to_string(), "allow more with --memory, or take a smaller board")
        }
    }
}
