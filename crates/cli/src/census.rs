//! `balpan census`: all positions that play can reach, counted.

use std::collections::BTreeMap;
use std::fmt::Write;

use balpan::reach::{Count, Games, games, values};
use balpan::{Outcome, TooLong, Value};
use balpan_games::{Notation, Task};
use balpan_strong::Header;
use serde::Serialize;

use crate::all_boards;
use crate::args::CensusArgs;
use crate::failure::{Failure, print, print_json};
use crate::numbers::{counted, grouped};
use crate::progress::watched;
use crate::source;
use crate::strong::{self, Mapped};

pub(crate) fn run(args: &CensusArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    if args.all_boards {
        return all_boards::run(args, &name, &game);
    }
    let known = strong::solution(&args.strong, &args.game, &game)?;
    game.run(Census { args, name: &name, known: known.as_ref() })
}

struct Census<'a> {
    args: &'a CensusArgs,
    name: &'a str,
    /// A file that has the game's values.
    known: Option<&'a Mapped>,
}

/// How many of something there are, by outcome for the player to move.
#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    win: u64,
    draw: u64,
    loss: u64,
}

#[derive(Clone, Copy, Serialize)]
struct Row {
    remoteness: u32,
    win: u64,
    loss: u64,
}

/// All that was counted. As JSON, the field names are part of the command's
/// contract.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    position: String,
    symmetry: bool,
    positions: u64,
    outcomes: Counts,
    remoteness: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<JsonGames>,
}

/// How many games the player who is to move at the start wins, and so on.
#[derive(Serialize)]
struct JsonGames {
    total: u128,
    win: u128,
    draw: u128,
    loss: u128,
}

impl Task for Census<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { args, name, known } = self;
        let start = game.start();
        if let Some(values) = known.and_then(|table| told(table.header(), args, &game.text(&start))) {
            let report = Report::new(name, game.text(&start), args.symmetry, &values, None);
            if args.json {
                return print_json(&report);
            }
            return print(&report.page(&game.size(), game.players(&start)));
        }
        TooLong::check(game, &start).map_err(Failure::too_long)?;
        let count = if args.symmetry { Count::Classes } else { Count::Positions };
        let memory = args.game.memory;
        let (result, _) = watched(|watch| {
            let counted = values(game, &start, count, memory, watch).map(|values| tally(values.into_values()));
            let played = match &counted {
                Ok(_) if args.games => games(game, &start, memory, watch).map(Some),
                _ => Ok(None),
            };
            counted.and_then(|rows| Ok((rows, played?))).map_err(|e| Failure::unfinished(e, watch.positions()))
        });
        let (values, played) = result?;
        let played = match played {
            Some(None) => {
                let help = "leave out --games, or take a smaller board";
                return Err(Failure::input("there are more games than 2^128", help));
            }
            other => other.flatten(),
        };
        let report = Report::new(name, game.text(&start), args.symmetry, &values, played);
        if args.json {
            return print_json(&report);
        }
        print(&report.page(&game.size(), game.players(&start)))
    }
}

/// How many positions have each value, if the file tells what is asked for.
fn told(header: &Header, args: &CensusArgs, start: &str) -> Option<BTreeMap<Value, u64>> {
    let of = &header.of;
    let is_same = of.starts.len() == 1 && of.starts[0] == start && of.folded == args.symmetry && of.plies.is_none();
    if !is_same || header.share.is_some() || args.games {
        return None;
    }
    let mut counts = BTreeMap::new();
    for &(code, count) in header.layers.iter().flat_map(|layer| &layer.counts) {
        *counts.entry(header.value(code)?).or_insert(0) += count;
    }
    Some(counts)
}

/// How many positions have each value.
fn tally(values: impl Iterator<Item = Value>) -> BTreeMap<Value, u64> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts
}

impl<'a> Report<'a> {
    fn new(
        game: &'a str,
        position: String,
        symmetry: bool,
        values: &BTreeMap<Value, u64>,
        games: Option<Games>,
    ) -> Self {
        let mut outcomes = Counts::default();
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        for (value, &count) in values {
            match value.outcome() {
                Outcome::Win => outcomes.win += count,
                Outcome::Draw => outcomes.draw += count,
                Outcome::Loss => outcomes.loss += count,
            }
            if let Some(remoteness) = value.remoteness() {
                let row = rows.entry(remoteness).or_insert(Row { remoteness, win: 0, loss: 0 });
                *(if value.outcome() == Outcome::Win { &mut row.win } else { &mut row.loss }) += count;
            }
        }
        let json_games =
            |games: Games| JsonGames { total: games.total(), win: games.wins, draw: games.draws, loss: games.losses };
        Self {
            game,
            position,
            symmetry,
            positions: values.values().sum(),
            outcomes,
            remoteness: rows.into_values().collect(),
            games: games.map(json_games),
        }
    }

    fn page(&self, board: &str, players: [&str; 2]) -> String {
        let (one, many) = if self.symmetry {
            ("class of symmetric positions", "classes of symmetric positions")
        } else {
            ("position", "positions")
        };
        let Self { game, position, outcomes, .. } = self;
        let mut page = format!("{game} {board}, from {position}: {}\n\n", counted(self.positions, one, many));
        let width = grouped(self.positions).len().max(4);
        // Writing to a string cannot fail.
        let mut row = |name: &str, win: &str, draw: &str, loss: &str| {
            let _ = writeln!(page, "  {name:>10}  {win:>width$}  {draw:>width$}  {loss:>width$}");
        };
        row("remoteness", "win", "draw", "loss");
        for Row { remoteness, win, loss } in &self.remoteness {
            row(&remoteness.to_string(), &grouped(*win), "", &grouped(*loss));
        }
        row("in all", &grouped(outcomes.win), &grouped(outcomes.draw), &grouped(outcomes.loss));
        if let Some(JsonGames { total, win, draw, loss }) = &self.games {
            let [first, second] = players;
            let total = counted(*total, "game", "games");
            let (win, draw, loss) = (grouped(*win), grouped(*draw), grouped(*loss));
            let _ = writeln!(page, "\n{total}: {first} wins {win}, {second} wins {loss}, drawn {draw}");
        }
        page
    }
}
