//! `balpan census`: counting the positions that play can reach.

use balpan::{EngineError, Outcome};
use balpan_app::words::outcome_word;
use balpan_app::{CensusError, CensusQuery};
use balpan_games::census::{Census, GamesReport, NimValueCounts, OutcomeCounts, RemotenessCount, ScoreCount};
use balpan_games::placement::{BoardNumbers, LosingBoards, Placement, TableBudget};
use balpan_games::sum::SumObstacle;
use balpan_games::{AnyGame, NimValue, PlayerName};
use balpan_pictures::words::name;
use serde::Serialize;

use crate::answer::format_score;
use crate::args::CensusArgs;
use crate::draw::{right, width};
use crate::error::{CliError, print_report};
use crate::load::LoadedGame;
use crate::numbers::grouped;
use crate::progress::{run_with_progress, thread_count};
use crate::strong;
use crate::words::answer::Player;
use crate::words::{census as words, common, lang};

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
        run_with_progress(|watch| CensusQuery { name, symmetry, nimbers, games, memory, watch }.count(game));
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
    let lang = lang();
    let grouped_positions = grouped(census.positions);
    let positions = match census.symmetry {
        true => words::classes(lang, census.positions, &grouped_positions),
        false => common::positions(lang, census.positions),
    };
    let Census { game, position, outcomes, .. } = census;
    let mut page = words::positions_from(lang, game, board, position, &positions) + "\n\n";
    let wide = grouped_positions.len().max(4);
    let mut row = |name: &str, counts: [&str; 3]| {
        let columns = counts.map(|count| format!("  {}", right(count, wide)));
        let row = format!("  {}{}", right(name, 10), columns.concat());
        page += &format!("{}\n", row.trim_end());
    };
    // A game with scores has no other ends, or few.
    let unit = if census.scores.is_empty() || !census.remoteness.is_empty() { words::remoteness } else { words::score };
    row(unit(lang), [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| outcome_word(lang, outcome)));
    for RemotenessCount { remoteness, win, loss } in &census.remoteness {
        row(&remoteness.to_string(), [&grouped(*win), "", &grouped(*loss)]);
    }
    for ScoreCount { score, positions } in &census.scores {
        let mut columns = [String::new(), String::new(), String::new()];
        columns[(score.signum() - 1).unsigned_abs() as usize] = grouped(*positions);
        row(&format_score(i64::from(*score)), columns.each_ref().map(String::as_str));
    }
    row(words::total(lang), [&grouped(outcomes.win), &grouped(outcomes.draw), &grouped(outcomes.loss)]);
    if census.repeats {
        page += &format!("\n{}\n", words::repeats(lang));
    }
    if let Some(NimValueCounts::Nimber(rows) | NimValueCounts::MisereValue(rows)) = &census.nim_values {
        page.push('\n');
        for of in rows {
            page += &format!("  {}  {}\n", right(&name_of(of.value), 10), right(&grouped(of.positions), wide));
        }
    }
    if let Some(GamesReport { total, win, draw, loss }) = &census.games {
        let [first, second] =
            [0, 1].map(|turn| lang.pick(players[turn].to_string(), name(lang, players[turn], turn).plain.to_owned()));
        let [total, win, loss, draw] = [*total, *win, *loss, *draw].map(grouped);
        page += &format!("\n{}\n", words::games(lang, &total, &first, &win, &second, &loss, &draw));
    }
    page
}

fn name_of(number: NimValue) -> String {
    match number {
        NimValue::Nimber(nimber) => words::nimber(lang(), nimber),
        NimValue::MisereValue(value) => words::misere_value(lang(), value),
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

    fn page(&self, players: [PlayerName; 2]) -> String {
        let Self { game: name, board, boards, outcomes, empty_board, .. } = self;
        let lang = lang();
        let mut page = words::boards(lang, name, board, &grouped(*boards)) + "\n\n";
        let wide = grouped(*boards).len();
        let mut row = |name: &str, count: u64| {
            let blanks = " ".repeat(14_usize.saturating_sub(width(name)));
            page += &format!("  {name}{blanks}  {}\n", right(&grouped(count), wide));
        };
        row(outcome_word(lang, Outcome::Win), outcomes.win);
        row(outcome_word(lang, Outcome::Loss), outcomes.loss);
        if let Some(BoardCounts::Nimber(rows) | BoardCounts::MisereValue(rows)) = &self.numbers {
            for NumberCount { number, boards } in rows {
                row(&name_of(*number), *boards);
            }
        }
        for RemotenessBoards { remoteness, boards } in self.remoteness.iter().flatten() {
            row(&words::boards_of_remoteness(lang, *remoteness), *boards);
        }
        let winner = usize::from(empty_board.outcome != "win");
        let plies = empty_board.remoteness.map(|plies| words::in_plies(lang, &common::plies(lang, plies.into())));
        let number = empty_board.number.map(|number| match number {
            NimValue::Nimber(nimber) => words::its_nimber(lang, nimber),
            NimValue::MisereValue(value) => words::its_misere_value(lang, value),
        });
        let by = [plies, number].into_iter().flatten().collect::<String>();
        page + &format!(
            "\n{}\n",
            words::empty_board(lang, &Player::new(lang, players[winner], winner).subject(lang), &by)
        )
    }
}
