//! `balpan solve GAME [POSITION] + GAME [POSITION] ...`: a sum of impartial games.
//!
//! Who is to move does so in one of them; who can move in none loses. The nimber of the sum
//! is the XOR of theirs.

use std::fmt::Write;
use std::time::Duration;

use balpan::{Ask, Budget, Engine, NoAnswer, Solver, Watch};
use balpan_games::{AnyGame, MakeEngine, Notation, Task};
use serde::Serialize;

use crate::args::SolveArgs;
use crate::draw::{self, width};
use crate::failure::{Failure, harmless, print, print_json};
use crate::lang::lang;
use crate::progress::{all_cores, watched};
use crate::source::{PLUS, game_at, rules};
use crate::words::sum as words;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    if args.game.board.is_some() || !args.game.set.is_empty() {
        let help = "a game's board is as large as its position; the path of a rules file is a game, too";
        return Err(Failure::input("--board or --set, and a sum: which game do they change?", help));
    }
    refuse(args)?;
    let games = games(args)?;
    let threads = args.threads.map_or_else(all_cores, usize::from);
    // They are kept while all are asked, and share the memory.
    let budget = Budget { memory: args.game.memory / games.len(), threads };
    let make = MakeEngine::within(budget);
    let mut parts: Vec<_> = games.iter().map(|(_, game)| game.run(MakePart(make.clone()))).collect();
    let asks_moves = args.ask() != Some(Ask::Outcome);
    let (result, time) = watched(|watch| {
        let solved = solve(&mut parts, asks_moves, watch);
        let positions = parts.iter().map(|part| part.positions()).sum();
        solved.map(|solved| (solved, positions)).map_err(|e| Failure::no_answer(e, "the sum", positions))
    });
    let ((nimbers, moves), positions) = result?;
    let report = Report::new(&games, &nimbers, moves, positions, time);
    if args.json { print_json(&report) } else { print(&report.page(!asks_moves)) }
}

/// Refuses what a sum has no answer to.
fn refuse(args: &SolveArgs) -> Result<(), Failure> {
    let others = [
        ("--deadline", args.deadline.is_some()),
        ("--score", args.score),
        ("--keep", args.keep.is_some()),
        ("--cgt", args.cgt),
    ];
    match others.into_iter().find(|(_, is_asked)| *is_asked) {
        Some((option, _)) => {
            let help = format!("leave out {option}; a sum tells nimbers, and the moves that win");
            Err(Failure::input(format!("{option}, and a sum of games"), help))
        }
        None => Ok(()),
    }
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

/// One game of the sum, with its engine.
trait Part: Send {
    /// The nimber of its start.
    fn nimber(&mut self, watch: &Watch) -> Result<u32, NoAnswer>;

    /// The moves to a nimber, of the game of this number.
    fn moves_to(&mut self, nimber: u32, component: usize, watch: &Watch) -> Result<Vec<WinningMove>, NoAnswer>;

    /// The number of positions searched.
    fn positions(&self) -> u64;
}

impl<G: Notation> Part for Engine<G> {
    fn nimber(&mut self, watch: &Watch) -> Result<u32, NoAnswer> {
        let start = self.game().start();
        Self::nimber(self, &start, watch)
    }

    fn moves_to(&mut self, nimber: u32, component: usize, watch: &Watch) -> Result<Vec<WinningMove>, NoAnswer> {
        let game = std::sync::Arc::clone(self.game());
        let start = game.start();
        let mut moves = Vec::new();
        for mv in game.moves(&start) {
            let after = game.play(&start, mv);
            if Self::nimber(self, &after, watch)? == nimber {
                let (mv, position) = (game.move_text(&start, mv), game.text(&after));
                moves.push(WinningMove { component, mv, nimber, position });
            }
        }
        Ok(moves)
    }

    fn positions(&self) -> u64 {
        self.positions_searched()
    }
}

struct MakePart(MakeEngine);

impl Task for MakePart {
    type Output = Box<dyn Part>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        Box::new(self.0.engine(game))
    }
}

/// The nimber of each game, and if they are asked for, the moves that win.
fn solve(
    parts: &mut [Box<dyn Part>],
    moves: bool,
    watch: &Watch,
) -> Result<(Vec<u32>, Option<Vec<WinningMove>>), NoAnswer> {
    let nimbers = parts.iter_mut().map(|part| part.nimber(watch)).collect::<Result<Vec<_>, _>>()?;
    let sum = nimbers.iter().fold(0, |sum, nimber| sum ^ nimber);
    if !moves {
        return Ok((nimbers, None));
    }
    let mut winning = Vec::new();
    for (component, (part, nimber)) in (1..).zip(parts.iter_mut().zip(&nimbers)) {
        if sum != 0 {
            winning.extend(part.moves_to(nimber ^ sum, component, watch)?);
        }
    }
    Ok((nimbers, Some(winning)))
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
        let lang = lang();
        let Self { sum, nimber, moves, .. } = self;
        let texts: Vec<_> = sum.iter().map(|Component { game, position, .. }| format!("{game} {position}")).collect();
        let widest = texts.iter().map(|text| width(text)).max().unwrap_or(0);
        let margin = sum.len().to_string().len().max(width(words::sum(lang))) + 2;
        let last = width(words::nimber(lang));
        let blanks = |columns: usize, text: &str| " ".repeat(columns.saturating_sub(width(text)));
        let mut page = words::head(lang, sum.len()) + "\n\n";
        // Writing to a string cannot fail.
        let mut row = |number: &str, text: &str, nimber: &str| {
            let [before, after, far] = [blanks(margin, number), blanks(widest, text), blanks(last, nimber)];
            let _ = writeln!(page, "{before}{number}  {text}{after}  {far}{nimber}");
        };
        row("", "", words::nimber(lang));
        for (number, (text, Component { nimber, .. })) in (1..).zip(texts.iter().zip(sum)) {
            row(&i32::to_string(&number), text, &nimber.to_string());
        }
        row(words::sum(lang), "", &nimber.to_string());
        let style = draw::PLAYERS[usize::from(*nimber == 0)];
        let _ = writeln!(page, "\n{style}{}{style:#}", words::winner(lang, *nimber != 0));
        let Some(moves) = moves.as_ref().filter(|moves| !outcome_only && !moves.is_empty()) else {
            return page;
        };
        let _ = writeln!(page, "\n{}\n", words::moves(lang));
        let longest = moves.iter().map(|WinningMove { mv, .. }| mv.len()).max().unwrap_or(0);
        for WinningMove { component, mv, position, nimber } in moves {
            let game = sum[component - 1].game;
            let leaves = words::leaves(lang, game, position, *nimber);
            let _ = writeln!(page, "{component:>margin$}  {mv:longest$}  {leaves}");
        }
        page
    }
}
