//! `balpan census --all-boards`: counting every board of an impartial placement game.

use std::fmt::Write;

use balpan_games::NimValue;
use balpan_games::placement::{BoardNumbers, LosingBoards, Placement, TableBudget};
use balpan_games::{AnyGame, Notation};
use serde::Serialize;

use crate::args::CensusArgs;
use crate::error::{CliError, print, print_json};
use crate::numbers::{counted, grouped};
use crate::progress::{available_threads, run_with_progress};

/// The counts as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
struct AllBoardsReport<'a> {
    game: &'a str,
    board: String,
    all_boards: bool,
    boards: u64,
    outcomes: BoardOutcomes,
    /// The values of the empty board, for the player to move.
    empty_board: EmptyBoard,
    #[serde(flatten)]
    numbers: Option<NumberCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<Vec<RemotenessCount>>,
}

#[derive(Serialize)]
struct BoardOutcomes {
    win: u64,
    draw: u64,
    loss: u64,
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
enum NumberCounts {
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
struct RemotenessCount {
    remoteness: usize,
    boards: u64,
}

pub(super) fn run(args: &CensusArgs, name: &str, game: &AnyGame) -> Result<(), CliError> {
    if let Some(game) = game.downcast_ref() {
        let report = count(args, name, game)?;
        return if args.json { print_json(&report) } else { print(&report.page(game)) };
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

fn count<'a>(args: &CensusArgs, name: &'a str, game: &Placement) -> Result<AllBoardsReport<'a>, CliError> {
    let threads = args.threads.map_or_else(available_threads, usize::from);
    let allowed = TableBudget { bytes: args.game.memory as u64, threads };
    let misere = game.rules().misere;
    let number = if misere { NimValue::MisereValue } else { NimValue::Nimber };
    // One table after the other: they need not fit in memory together.
    let (report, _) = run_with_progress(|watch| {
        let table_error = |e| CliError::from_table(e, watch.positions());
        let losing = LosingBoards::new(game, allowed, watch).map_err(table_error)?;
        let (loss, empty_loses) = (losing.count(), losing.is_losing(0));
        drop(losing);
        let numbers = |table: BoardNumbers| (table.counts(), table.get(0));
        let nimbers = args.nimber.then(|| BoardNumbers::nimbers(game, allowed, watch).map(numbers));
        let nimbers = nimbers.transpose().map_err(table_error)?;
        let remoteness = args.remoteness.then(|| BoardNumbers::remoteness(game, allowed, watch).map(numbers));
        let remoteness = remoteness.transpose().map_err(table_error)?;
        let boards = 1 << game.board().cells();
        Ok(AllBoardsReport {
            game: name,
            board: game.board().to_string(),
            all_boards: true,
            boards,
            outcomes: BoardOutcomes { win: boards - loss, draw: 0, loss },
            empty_board: EmptyBoard {
                outcome: if empty_loses { "loss" } else { "win" },
                number: nimbers.as_ref().map(|(_, empty)| number(*empty)),
                remoteness: remoteness.as_ref().map(|(_, empty)| *empty),
            },
            numbers: nimbers.map(|(counts, _)| {
                let rows = (0..).zip(counts).map(|(n, boards)| NumberCount { number: number(n), boards }).collect();
                if misere { NumberCounts::MisereValue(rows) } else { NumberCounts::Nimber(rows) }
            }),
            remoteness: remoteness.map(|(counts, _)| {
                let counts = counts.into_iter().enumerate();
                counts.map(|(remoteness, boards)| RemotenessCount { remoteness, boards }).collect()
            }),
        })
    });
    report
}

impl AllBoardsReport<'_> {
    fn page(&self, game: &Placement) -> String {
        let Self { game: name, board, boards, outcomes, empty_board, .. } = self;
        let [first, second] = game.players(&balpan::Game::start(game));
        let winner = if empty_board.outcome == "win" { first } else { second };
        let mut page = format!("{name} {board}: {}\n\n", counted(*boards, "board", "boards"));
        let width = grouped(*boards).len();
        // Writing to a string cannot fail.
        let mut row = |name: &str, count: u64| {
            let _ = writeln!(page, "  {name:<14}  {:>width$}", grouped(count));
        };
        row("win", outcomes.win);
        row("loss", outcomes.loss);
        if let Some(NumberCounts::Nimber(rows) | NumberCounts::MisereValue(rows)) = &self.numbers {
            for NumberCount { number, boards } in rows {
                let name = match number {
                    NimValue::Nimber(nimber) => format!("nimber {nimber}"),
                    NimValue::MisereValue(value) => format!("value {value}"),
                };
                row(&name, *boards);
            }
        }
        for RemotenessCount { remoteness, boards } in self.remoteness.iter().flatten() {
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
