//! `balpan census`: counting the positions that play can reach.

mod all_boards;

use std::collections::BTreeMap;
use std::fmt::Write;

use balpan::reach::{Count, count_games};
use balpan::{EngineError, TooLong, Value};
use balpan_games::census::{Census, GamesReport, NimValueCounts, RemotenessCount, count_nimbers, count_values};
use balpan_games::{NimValue, Notation, PlayerName, Task};
use balpan_strong::Header;

use crate::args::CensusArgs;
use crate::error::{CliError, print, print_json};
use crate::load::LoadedGame;
use crate::numbers::{counted, grouped};
use crate::progress::run_with_progress;
use crate::strong::{self, MappedTable};

pub(crate) fn run(args: &CensusArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let LoadedGame { name, game, .. } = &loaded;
    if args.all_boards {
        return all_boards::run(args, name, game);
    }
    let table = args.strong.as_deref().map(|path| strong::open_for_game(path, &loaded)).transpose()?;
    game.run(CensusTask { args, name, table: table.as_ref() })
}

struct CensusTask<'a> {
    args: &'a CensusArgs,
    name: &'a str,
    /// A strong solution of the game.
    table: Option<&'a MappedTable>,
}

impl Task for CensusTask<'_> {
    type Output = Result<(), CliError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { args, name, table } = self;
        let start = game.start();
        if let Some(values) = table.and_then(|table| counts_in_file(table.header(), args, &game.text(&start))) {
            let report = Census::new(name, game.text(&start), args.symmetry, &values, None);
            if args.json {
                return print_json(&report);
            }
            return print(&page(&report, &game.size(), game.players(&start)));
        }
        if args.nimber && !game.is_impartial() && !game.is_impartial_misere() {
            return Err(CliError::from_engine(EngineError::NotImpartial, name, 0));
        }
        TooLong::check(game, &start).map_err(CliError::from_too_long)?;
        let count = if args.symmetry { Count::Classes } else { Count::Positions };
        let memory = args.game.memory;
        let (result, _) = run_with_progress(|watch| {
            let count_all = || {
                let values = count_values(game, &start, count, memory, watch)?;
                let numbers = if args.nimber { count_nimbers(game, &start, count, memory, watch)? } else { None };
                let played = if args.games { Some(count_games(game, &start, memory, watch)?) } else { None };
                Ok((values, numbers, played))
            };
            count_all().map_err(|e| CliError::from_reach(e, watch.positions()))
        });
        let (values, numbers, played) = result?;
        let played = match played {
            Some(None) => {
                let help = "leave out --games, or take a smaller board";
                return Err(CliError::input("there are more games than 2^128", help));
            }
            other => other.flatten(),
        };
        let report =
            Census { nim_values: numbers, ..Census::new(name, game.text(&start), args.symmetry, &values, played) };
        if args.json {
            return print_json(&report);
        }
        print(&page(&report, &game.size(), game.players(&start)))
    }
}

/// Returns the number of positions of each value from a file's header, if the file has exactly the positions counted.
fn counts_in_file(header: &Header, args: &CensusArgs, start: &str) -> Option<BTreeMap<Value, u64>> {
    let subject = &header.subject;
    let is_same = subject.starts.len() == 1
        && subject.starts[0] == start
        && subject.folded == args.symmetry
        && subject.plies.is_none();
    if !is_same || header.shard.is_some() || args.games || args.nimber {
        return None;
    }
    let mut counts = BTreeMap::new();
    for &(code, count) in header.layers.iter().flat_map(|layer| &layer.counts) {
        *counts.entry(header.value(code)?).or_insert(0) += count;
    }
    Some(counts)
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
