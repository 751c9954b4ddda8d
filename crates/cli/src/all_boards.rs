//! `balpan census --all-boards`: every board of an impartial placement game.

use std::fmt::Write;

use balpan_games::Number;
use balpan_games::placement::{BoardNumbers, LosingBoards, Placement, TableBudget};
use balpan_games::{AnyGame, Notation};
use serde::Serialize;

use crate::args::CensusArgs;
use crate::failure::{Failure, print, print_json};
use crate::numbers::{counted, grouped};
use crate::progress::{all_cores, watched};

/// All that was counted. As JSON, the field names are part of the command's
/// contract.
#[derive(Serialize)]
struct Report<'a> {
    game: &'a str,
    board: String,
    all_boards: bool,
    boards: u64,
    outcomes: Outcomes,
    /// Of the empty board, for the player to move.
    empty_board: EmptyBoard,
    #[serde(flatten)]
    numbers: Option<Numbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<Vec<OfRemoteness>>,
}

#[derive(Serialize)]
struct Outcomes {
    win: u64,
    draw: u64,
    loss: u64,
}

#[derive(Serialize)]
struct EmptyBoard {
    outcome: &'static str,
    #[serde(flatten)]
    number: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
}

/// The boards by nimber; in misère play by misère value.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Numbers {
    Nimber(Vec<OfNumber>),
    MisereValue(Vec<OfNumber>),
}

#[derive(Serialize)]
struct OfNumber {
    #[serde(flatten)]
    number: Number,
    boards: u64,
}

#[derive(Serialize)]
struct OfRemoteness {
    remoteness: usize,
    boards: u64,
}

pub(crate) fn run(args: &CensusArgs, name: &str, game: &AnyGame) -> Result<(), Failure> {
    let game = match game {
        AnyGame::Placement(game) => game,
        AnyGame::WidePlacement(game) => {
            let message = format!("no memory holds a table of all boards of {} cells", game.board().cells());
            return Err(Failure::input(message, "take a smaller board"));
        }
        AnyGame::Walkers(_) | AnyGame::WideWalkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => {
            let help = "block game and cram are such games; without --all-boards, census takes any game";
            return Err(Failure::input(format!("{name} is not a placement game, which --all-boards is for"), help));
        }
    };
    let report = count(args, name, game)?;
    if args.json { print_json(&report) } else { print(&report.page(game)) }
}

fn count<'a>(args: &CensusArgs, name: &'a str, game: &Placement) -> Result<Report<'a>, Failure> {
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let allowed = TableBudget { bytes: args.game.memory as u64, threads };
    let misere = game.rules().misere;
    let number = if misere { Number::MisereValue } else { Number::Nimber };
    // One table after the other, so that they need not fit in memory together.
    let (report, _) = watched(|watch| {
        let tell = |e| Failure::no_table(e, watch.positions());
        let losing = LosingBoards::new(game, allowed, watch).map_err(tell)?;
        let (loss, empty_loses) = (losing.count(), losing.is_losing(0));
        drop(losing);
        let numbers = |table: BoardNumbers| (table.counts(), table.get(0));
        let nimbers = args.nimber.then(|| BoardNumbers::nimbers(game, allowed, watch).map(numbers));
        let nimbers = nimbers.transpose().map_err(tell)?;
        let remoteness = args.remoteness.then(|| BoardNumbers::remoteness(game, allowed, watch).map(numbers));
        let remoteness = remoteness.transpose().map_err(tell)?;
        let boards = 1 << game.board().cells();
        Ok(Report {
            game: name,
            board: game.board().to_string(),
            all_boards: true,
            boards,
            outcomes: Outcomes { win: boards - loss, draw: 0, loss },
            empty_board: EmptyBoard {
                outcome: if empty_loses { "loss" } else { "win" },
                number: nimbers.as_ref().map(|(_, empty)| number(*empty)),
                remoteness: remoteness.as_ref().map(|(_, empty)| *empty),
            },
            numbers: nimbers.map(|(counts, _)| {
                let rows = (0..).zip(counts).map(|(n, boards)| OfNumber { number: number(n), boards }).collect();
                if misere { Numbers::MisereValue(rows) } else { Numbers::Nimber(rows) }
            }),
            remoteness: remoteness.map(|(counts, _)| {
                counts.into_iter().enumerate().map(|(remoteness, boards)| OfRemoteness { remoteness, boards }).collect()
            }),
        })
    });
    report
}

impl Report<'_> {
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
        if let Some(Numbers::Nimber(rows) | Numbers::MisereValue(rows)) = &self.numbers {
            for OfNumber { number, boards } in rows {
                let name = match number {
                    Number::Nimber(nimber) => format!("nimber {nimber}"),
                    Number::MisereValue(value) => format!("value {value}"),
                };
                row(&name, *boards);
            }
        }
        for OfRemoteness { remoteness, boards } in self.remoteness.iter().flatten() {
            row(&format!("remoteness {remoteness}"), *boards);
        }
        let _ = write!(page, "\nOn the empty board the {winner} wins");
        if let Some(plies) = empty_board.remoteness {
            let _ = write!(page, " in {}", counted(plies, "ply", "plies"));
        }
        let _ = match empty_board.number {
            Some(Number::Nimber(nimber)) => write!(page, "; its nimber is {nimber}"),
            Some(Number::MisereValue(value)) => write!(page, "; its misère value is {value}"),
            None => Ok(()),
        };
        page.push_str(".\n");
        page
    }
}
