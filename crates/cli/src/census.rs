//! `balpan census`: counting the positions that play can reach.

use std::fmt::Write;

use balpan::EngineError;
use balpan_app::{CensusError, CensusQuery};
use balpan_games::census::{Census, GamesReport, NimValueCounts, OutcomeCounts, RemotenessCount, ScoreCount};
use balpan_games::placement::{BoardNumbers, LosingBoards, Placement, TableBudget};
use balpan_games::sum::SumObstacle;
use balpan_games::{AnyGame, NimValue, PlayerName};
use serde::Serialize;

use crate::answer::format_score;
use crate::args::CensusArgs;
use crate::error::{CliError, print_report};
use crate::load::LoadedGame;
use crate::numbers::{counted, grouped};
use crate::progress::{run_with_progress, thread_count};
use crate::strong;

pub(crate) fn run(args: &CensusArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let LoadedGame { name, game, .. } = &loaded;
    if args.all_boards {
        return count_all_boards(args, name, game);
    }
    let table = args.strong.as_deref().map(|path| strong::open_for_game(path, &loaded)).transpose()?;
    let start = game.start_text();
    let counts = table.as_ref().map(|table| table.header()).filter(|header| header.subject.folded == args.symmetry);
    let counts = counts.filter(|_| !args.games && !args.nimber).and_then(|header| header.counts_from(&start));
    let census = match counts {
        Some(values) => Census::new(name, start, args.symmetry, &values, None),
        None => count(args, name, game)?,
    };
    print_report(args.json, &census, |census| page(census, &game.size(), game.players()))
}

fn count(args: &CensusArgs, name: &str, game: &AnyGame) -> Result<Census, CliError> {
    if let Some(obstacle) = SumObstacle::new(game).filter(|_| args.nimber) {
        return Err(CliError::no_nimber(obstacle, name));
    }
    let CensusArgs { symmetry, nimber: nimbers, games, .. } = *args;
    let memory = args.game.memory;
    let (census, _) =
        run_with_progress(|watch| game.run(CensusQuery { name, symmetry, nimbers, games, memory, watch }));
    let census = census.map_err(|e| match e {
        CensusError::NotImpartial => CliError::from_engine(EngineError::NotImpartial, name),
        CensusError::EndlessPlay => CliError::input(e.to_string(), "leave out --games"),
        CensusError::Unfinished(e) => e.into(),
    })?;
    if args.games && census.games.is_none() {
        let help = "leave out --games, or take a smaller board";
        return Err(CliError::input("there are more games than 2^128", help));
    }
    Ok(census)
}

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
        let row = format!("  {name:>10}  {win:>width$}  {draw:>width$}  {loss:>width$}");
        let _ = writeln!(page, "{}", row.trim_end());
    };
    // A game with scores has no other ends, or few.
    row(
        if census.scores.is_empty() || !census.remoteness.is_empty() { "remoteness" } else { "score" },
        "win",
        "draw",
        "loss",
    );
    for RemotenessCount { remoteness, win, loss } in &census.remoteness {
        row(&remoteness.to_string(), &grouped(*win), "", &grouped(*loss));
    }
    for ScoreCount { score, positions } in &census.scores {
        let mut columns = [String::new(), String::new(), String::new()];
        columns[(score.signum() - 1).unsigned_abs() as usize] = grouped(*positions);
        let [win, draw, loss] = &columns;
        row(&format_score(i64::from(*score)), win, draw, loss);
    }
    row("in all", &grouped(outcomes.win), &grouped(outcomes.draw), &grouped(outcomes.loss));
    if census.repeats {
        page.push_str("\nDraws are play without end, too.\n");
    }
    if let Some(NimValueCounts::Nimber(rows) | NimValueCounts::MisereValue(rows)) = &census.nim_values {
        page.push('\n');
        for of in rows {
            let _ = writeln!(page, "  {:>10}  {:>width$}", name_of(of.value), grouped(of.positions));
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

fn name_of(number: NimValue) -> String {
    match number {
        NimValue::Nimber(nimber) => format!("nimber {nimber}"),
        NimValue::MisereValue(value) => format!("value {value}"),
    }
}

/// Counts of all boards as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
struct AllBoardsReport<'a> {
    game: &'a str,
    board: String,
    all_boards: bool,
    boards: u64,
    outcomes: OutcomeCounts,
    /// The values of the empty board, for the player to move.
    empty_board: EmptyBoard,
    #[serde(flatten)]
    numbers: Option<BoardCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<Vec<RemotenessBoards>>,
}

#[derive(Serialize)]
struct EmptyBoard {
    outcome: &'static str,
    #[serde(flatten)]
    number: Option<NimValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
}

/// Counts of boards by nimber; in misère play by misère value.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum BoardCounts {
    Nimber(Vec<NumberCount>),
    MisereValue(Vec<NumberCount>),
}

#[derive(Serialize)]
struct NumberCount {
    #[serde(flatten)]
    number: NimValue,
    boards: u64,
}

#[derive(Serialize)]
struct RemotenessBoards {
    remoteness: usize,
    boards: u64,
}

/// `balpan census --all-boards`: counts every board of an impartial placement game.
fn count_all_boards(args: &CensusArgs, name: &str, game: &AnyGame) -> Result<(), CliError> {
    if let Some(placement) = game.downcast_ref() {
        let report = AllBoardsReport::find(args, name, placement)?;
        return print_report(args.json, &report, |report| report.page(game.players()));
    }
    Err(match (game.pieces(), game.board()) {
        (Some(_), Some(board)) => {
            let message = format!("no memory holds a table of all boards of {} cells", board.cells());
            CliError::input(message, "take a smaller board")
        }
        _ => CliError::input(
            format!("{name} is not a placement game, which --all-boards is for"),
            "block game and cram are such games; without --all-boards, census takes any game",
        ),
    })
}

impl<'a> AllBoardsReport<'a> {
    fn find(args: &CensusArgs, name: &'a str, game: &Placement) -> Result<Self, CliError> {
        let threads = thread_count(args.threads);
        let allowed = TableBudget { bytes: args.game.memory as u64, threads };
        let misere = game.rules().misere;
        let number = if misere { NimValue::MisereValue } else { NimValue::Nimber };
        // One table after the other: they need not fit in memory together.
        let (report, _) = run_with_progress(|watch| -> Result<Self, CliError> {
            let losing = LosingBoards::new(game, allowed, watch)?;
            let (loss, empty_loses) = (losing.count(), losing.is_losing(0));
            drop(losing);
            let numbers = |table: BoardNumbers| (table.counts(), table.get(0));
            let nimbers = args.nimber.then(|| BoardNumbers::nimbers(game, allowed, watch).map(numbers));
            let nimbers = nimbers.transpose()?;
            let remoteness = args.remoteness.then(|| BoardNumbers::remoteness(game, allowed, watch).map(numbers));
            let remoteness = remoteness.transpose()?;
            let boards = 1 << game.board().cells();
            Ok(Self {
                game: name,
                board: game.board().to_string(),
                all_boards: true,
                boards,
                outcomes: OutcomeCounts { win: boards - loss, draw: 0, loss },
                empty_board: EmptyBoard {
                    outcome: if empty_loses { "loss" } else { "win" },
                    number: nimbers.as_ref().map(|(_, empty)| number((*empty).into())),
                    remoteness: remoteness.as_ref().map(|(_, empty)| *empty),
                },
                numbers: nimbers.map(|(counts, _)| {
                    let rows = (0..).zip(counts).map(|(n, boards)| NumberCount { number: number(n), boards }).collect();
                    if misere { BoardCounts::MisereValue(rows) } else { BoardCounts::Nimber(rows) }
                }),
                remoteness: remoteness.map(|(counts, _)| {
                    let counts = counts.into_iter().enumerate();
                    counts.map(|(remoteness, boards)| RemotenessBoards { remoteness, boards }).collect()
                }),
            })
        });
        report
    }

    fn page(&self, [first, second]: [PlayerName; 2]) -> String {
        let Self { game: name, board, boards, outcomes, empty_board, .. } = self;
        let winner = if empty_board.outcome == "win" { first } else { second };
        let mut page = format!("{name} {board}: {}\n\n", counted(*boards, "board", "boards"));
        let width = grouped(*boards).len();
        // Writing to a string cannot fail.
        let mut row = |name: &str, count: u64| {
            let _ = writeln!(page, "  {name:<14}  {:>width$}", grouped(count));
        };
        row("win", outcomes.win);
        row("loss", outcomes.loss);
        if let Some(BoardCounts::Nimber(rows) | BoardCounts::MisereValue(rows)) = &self.numbers {
            for NumberCount { number, boards } in rows {
                row(&name_of(*number), *boards);
            }
        }
        for RemotenessBoards { remoteness, boards } in self.remoteness.iter().flatten() {
            row(&format!("remoteness {remoteness}"), *boards);
        }
        let _ = write!(page, "\nOn the empty board the {winner} wins");
        if let Some(plies) = empty_board.remoteness {
            let _ = write!(page, " in {}", counted(plies, "ply", "plies"));
        }
        let _ = match empty_board.number {
            Some(NimValue::Nimber(nimber)) => write!(page, "; its nimber is {nimber}"),
            Some(NimValue::MisereValue(value)) => write!(page, "; its misère value is {value}"),
            None => Ok(()),
        };
        page.push_str(".\n");
        page
    }
}
