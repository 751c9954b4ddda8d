//! `balpan solve GAME [POSITION] + GAME [POSITION] ...`: a sum of impartial games.
//!
//! Who is to move does so in one of them; who can move in none loses. The nimber of the sum
//! is the XOR of theirs.

use std::fmt::Write;
use std::time::Duration;

use balpan::{Nimbers, Stopped, Watch};
use balpan_games::{AnyGame, Notation, Task};
use serde::Serialize;

use crate::args::SolveArgs;
use crate::draw;
use crate::failure::{Failure, harmless, print, print_json};
use crate::progress::{all_cores, watched};
use crate::source::{PLUS, game_at, rules};

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    if args.game.board.is_some() || !args.game.set.is_empty() {
        let help = "a game's board is as large as its position; the path of a rules file is a game, too";
        return Err(Failure::input("--board or --set, and a sum: which game do they change?", help));
    }
    let games = games(args)?;
    let ((result, positions), time) = watched(|watch| {
        let effort = Effort {
            memory: args.game.memory,
            threads: args.threads.map_or_else(all_cores, usize::from),
            watch,
            positions: 0.into(),
        };
        (solve(&games, !args.outcome, &effort), effort.positions.get())
    });
    let (nimbers, moves) = result.map_err(|stopped| Failure::stopped(stopped, positions))?;
    let report = Report::new(&games, &nimbers, moves, positions, time);
    if args.json { print_json(&report) } else { print(&report.page(args.outcome)) }
}

/// Name and game of each component.
fn games(args: &SolveArgs) -> Result<Vec<(String, AnyGame)>, Failure> {
    let words: Vec<String> = std::iter::once(&args.game.game).chain(&args.game.position).cloned().collect();
    let read = |words: &[String]| {
        let Some((name, position)) = words.split_first() else {
            let help = "a sum is GAME [POSITION] + GAME [POSITION], and so on";
            return Err(Failure::input(format!("no game beside a `{PLUS}`"), help));
        };
        let rules = rules(name)?;
        let game = game_at(&rules, position)?;
        if !game.run(IsImpartial) {
            let help = "a sum takes placement games with the same pieces for both and no supply, heaps, and lines with \
                        shared marks that always end in a line; none of them misère";
            let name = &rules.name;
            return Err(Failure::input(format!("{name} is not impartial, or not by the normal convention"), help));
        }
        Ok((harmless(&rules.name), game))
    };
    words.split(|word| word == PLUS).map(read).collect()
}

struct IsImpartial;

impl Task for IsImpartial {
    type Output = bool;

    fn run<G: Notation>(self, game: &G) -> bool {
        game.is_impartial()
    }
}

/// What the search may take, and how much it took.
struct Effort<'a> {
    memory: usize,
    threads: usize,
    watch: &'a Watch,
    positions: std::cell::Cell<u64>,
}

impl Effort<'_> {
    /// What `ask` finds out by a solver of the game.
    fn ask<'g, G: Notation, T>(&self, game: &'g G, ask: impl FnOnce(&mut Nimbers<'_, G>) -> T) -> T
    where
        Self: 'g,
    {
        let mut solver = Nimbers::new(game, self.memory, self.watch).threads(self.threads);
        let answer = ask(&mut solver);
        self.positions.set(self.positions.get() + solver.positions_searched());
        answer
    }
}

/// The nimber of each game, and if they are asked for, the moves that win.
fn solve(
    games: &[(String, AnyGame)],
    moves: bool,
    effort: &Effort,
) -> Result<(Vec<u32>, Option<Vec<WinningMove>>), Stopped> {
    let nimbers = games.iter().map(|(_, game)| game.run(OfStart(effort))).collect::<Result<Vec<_>, _>>()?;
    let sum = nimbers.iter().fold(0, |sum, nimber| sum ^ nimber);
    if !moves {
        return Ok((nimbers, None));
    }
    let mut winning = Vec::new();
    for (component, ((_, game), nimber)) in (1..).zip(games.iter().zip(&nimbers)) {
        if sum != 0 {
            winning.extend(game.run(MovesTo { component, nimber: nimber ^ sum, effort })?);
        }
    }
    Ok((nimbers, Some(winning)))
}

/// The nimber of a game's start.
struct OfStart<'a>(&'a Effort<'a>);

impl Task for OfStart<'_> {
    type Output = Result<u32, Stopped>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        self.0.ask(game, |solver| solver.nimber(&game.start()))
    }
}

/// The moves to a nimber.
struct MovesTo<'a> {
    component: usize,
    nimber: u32,
    effort: &'a Effort<'a>,
}

impl Task for MovesTo<'_> {
    type Output = Result<Vec<WinningMove>, Stopped>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { component, nimber, effort } = self;
        let start = game.start();
        effort.ask(game, |solver| {
            let mut moves = Vec::new();
            for mv in game.moves(&start) {
                let after = game.play(&start, mv);
                if solver.nimber(&after)? == nimber {
                    let (mv, position) = (game.move_text(&start, mv), game.text(&after));
                    moves.push(WinningMove { component, mv, nimber, position });
                }
            }
            Ok(moves)
        })
    }
}

/// The answer; as JSON, the field names are part of the command's contract.
#[derive(Serialize)]
struct Report<'a> {
    sum: Vec<Component<'a>>,
    nimber: u32,
    outcome: &'static str,
    winner: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<WinningMove>>,
    positions_searched: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Component<'a> {
    game: &'a str,
    position: String,
    nimber: u32,
}

/// A move after which the nimber of the sum is 0.
#[derive(Serialize)]
struct WinningMove {
    /// Which game it is in, from 1.
    component: usize,
    #[serde(rename = "move")]
    mv: String,
    /// What it leaves of that game, and its nimber.
    position: String,
    nimber: u32,
}

/// The text of a game's start.
struct StartText;

impl Task for StartText {
    type Output = String;

    fn run<G: Notation>(self, game: &G) -> String {
        game.text(&game.start())
    }
}

impl<'a> Report<'a> {
    fn new(
        games: &'a [(String, AnyGame)],
        nimbers: &[u32],
        moves: Option<Vec<WinningMove>>,
        positions_searched: u64,
        time: Duration,
    ) -> Self {
        let component = |((game, start), &nimber): (&'a (String, AnyGame), &u32)| Component {
            game,
            position: start.run(StartText),
            nimber,
        };
        let nimber = nimbers.iter().fold(0, |sum, nimber| sum ^ nimber);
        Self {
            sum: games.iter().zip(nimbers).map(component).collect(),
            nimber,
            outcome: if nimber == 0 { "loss" } else { "win" },
            winner: if nimber == 0 { "second player" } else { "first player" },
            moves,
            positions_searched,
            seconds: time.as_secs_f64(),
        }
    }

    fn page(&self, outcome_only: bool) -> String {
        let Self { sum, nimber, winner, moves, .. } = self;
        let texts: Vec<_> = sum.iter().map(|Component { game, position, .. }| format!("{game} {position}")).collect();
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let margin = sum.len().to_string().len().max("sum".len()) + 2;
        let mut page = format!("A sum of {} games, the first player to move\n\n", sum.len());
        // Writing to a string cannot fail.
        let mut row = |number: &str, text: &str, nimber: &str| {
            let _ = writeln!(page, "{number:>margin$}  {text:width$}  {nimber:>6}");
        };
        row("", "", "nimber");
        for (number, (text, Component { nimber, .. })) in (1..).zip(texts.iter().zip(sum)) {
            row(&i32::to_string(&number), text, &nimber.to_string());
        }
        row("sum", "", &nimber.to_string());
        let style = draw::PLAYERS[usize::from(*nimber == 0)];
        let _ = writeln!(page, "\n{style}The {winner} wins.{style:#}");
        let Some(moves) = moves.as_ref().filter(|moves| !outcome_only && !moves.is_empty()) else {
            return page;
        };
        let _ = writeln!(page, "\nThe moves that win:\n");
        let width = moves.iter().map(|WinningMove { mv, .. }| mv.len()).max().unwrap_or(0);
        for WinningMove { component, mv, position, nimber } in moves {
            let game = sum[component - 1].game;
            let _ = writeln!(page, "{component:>margin$}  {mv:width$}  leaves {game} {position}, nimber {nimber}");
        }
        page
    }
}
