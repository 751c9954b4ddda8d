//! `balpan census`: counting the positions that play can reach.

mod all_boards;

use std::fmt::Write;

use balpan::EngineError;
use balpan_app::{CensusError, CensusQuery};
use balpan_games::census::{Census, GamesReport, NimValueCounts, RemotenessCount};
use balpan_games::{AnyGame, NimValue, PlayerName};

use crate::args::CensusArgs;
use crate::error::{CliError, print, print_json};
use crate::load::LoadedGame;
use crate::numbers::{counted, grouped};
use crate::progress::run_with_progress;
use crate::strong;

pub(crate) fn run(args: &CensusArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let LoadedGame { name, game, .. } = &loaded;
    if args.all_boards {
        return all_boards::run(args, name, game);
    }
    let table = args.strong.as_deref().map(|path| strong::open_for_game(path, &loaded)).transpose()?;
    let start = game.start_text();
    let counts = table.as_ref().map(|table| table.header()).filter(|header| header.subject.folded == args.symmetry);
    let counts = counts.filter(|_| !args.games && !args.nimber).and_then(|header| header.counts_from(&start));
    let census = match counts {
        Some(values) => Census::new(name, start, args.symmetry, &values, None),
        None => count(args, name, game)?,
    };
    if args.json { print_json(&census) } else { print(&page(&census, &game.size(), game.players())) }
}

fn count(args: &CensusArgs, name: &str, game: &AnyGame) -> Result<Census, CliError> {
    let (census, _) = run_with_progress(|watch| {
        let CensusArgs { symmetry, nimber: nimbers, games, .. } = *args;
        let query = CensusQuery { name, symmetry, nimbers, games, memory: args.game.memory, watch };
        game.run(query).map_err(|e| match e {
            CensusError::NotImpartial => CliError::from_engine(EngineError::NotImpartial, name, 0),
            CensusError::Unfinished(e) => CliError::from_reach(e, watch.positions()),
        })
    });
    let census = census?;
    if args.games && census.games.is_none() {
        let help = "leave out --games, or take a smaller board";
        return Err(CliError::input("there are more games than 2^128", help));
    }
    Ok(census)
}

/// Formats a census for people.
fn page(census: &Census, board: &str, players: [PlayerName; 2]) -> String {
    let (one, many) = if census.symmetry {
        ("class of symmetric positions", "classes of symmetric positions")
    } else {
        ("position", "positions")
    };
    let Census { game, position, outcomes, .. } = census;
    let mut page = format!("{game} {board}, from {position}: {}\n\n", counted(census.positions, one, many));
    let width = grouped(census.positions).len().max(4);
    // Writing to a string cannot fail.
    let mut row = |name: &str, win: &str, draw: &str, loss: &str| {
        let _ = writeln!(page, "  {name:>10}  {win:>width$}  {draw:>width$}  {loss:>width$}");
    };
    row("remoteness", "win", "draw", "loss");
    for RemotenessCount { remoteness, win, loss } in &census.remoteness {
        row(&remoteness.to_string(), &grouped(*win), "", &grouped(*loss));
    }
    row("in all", &grouped(outcomes.win), &grouped(outcomes.draw), &grouped(outcomes.loss));
    if let Some(NimValueCounts::Nimber(rows) | NimValueCounts::MisereValue(rows)) = &census.nim_values {
        page.push('\n');
        for of in rows {
            let name = match of.value {
                NimValue::Nimber(nimber) => format!("nimber {nimber}"),
                NimValue::MisereValue(value) => format!("value {value}"),
            };
            let _ = writeln!(page, "  {name:>10}  {:>width$}", grouped(of.positions));
        }
    }
    if let Some(GamesReport { total, win, draw, loss }) = &census.games {
        let [first, second] = players;
        let total = counted(*total, "game", "games");
        let (win, draw, loss) = (grouped(*win), grouped(*draw), grouped(*loss));
        let _ = writeln!(page, "\n{total}: {first} wins {win}, {second} wins {loss}, drawn {draw}");
    }
    page
}
