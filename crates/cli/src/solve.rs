//! `balpan solve`: one position's value, every move's, and a line.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use balpan::{AlphaBeta, Ask, DfPn, Game, Minimax, Outcome, Solution, Solver, Stopped, Verdict, Watch, solve};
use balpan_games::placement::{Allowed, Dominoes, Placement, TableSolver};
use balpan_games::{AnyGame, CellSet, Notation, Task};
use serde::Serialize;

use crate::args::{SolveArgs, SolverName};
use crate::cgt;
use crate::draw;
use crate::failure::{Failure, print, print_json};
use crate::misere;
use crate::numbers::counted;
use crate::progress::{all_cores, watched};
use crate::source;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    if args.cgt {
        return cgt::run(args, &name, &game);
    }
    let solve = Solve { args, name: &name };
    match &game {
        AnyGame::Placement(game) if solve.takes_table(game) => solve.by_table(game),
        AnyGame::Placement(game) => solve.by_dominoes(game).unwrap_or_else(|| solve.run(game)),
        AnyGame::Wide(game) => solve.by_dominoes(game).unwrap_or_else(|| solve.run(game)),
        AnyGame::Walkers(_) | AnyGame::Lines(_) => game.run(solve),
    }
}

#[derive(Clone, Copy)]
struct Solve<'a> {
    args: &'a SolveArgs,
    name: &'a str,
}

/// What was found, and at what cost.
struct Found<M> {
    solution: Solution<M>,
    positions: u64,
    time: Duration,
}

impl Task for Solve<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { args, name } = self;
        if args.nimber {
            return misere::run(args, game, name);
        }
        let (memory, threads) = (args.game.memory, self.threads());
        self.answer(game, |position, ask, watch| {
            Ok(match args.solver {
                SolverName::Minimax => run_with(Minimax::new(game, watch), game, position, ask, watch),
                SolverName::DfPn => run_with(DfPn::new(game, memory, watch), game, position, ask, watch),
                SolverName::Auto | SolverName::AlphaBeta => {
                    run_with(AlphaBeta::new(game, memory, watch).threads(threads), game, position, ask, watch)
                }
                SolverName::Table => {
                    let help = "placement games have one, where both players have the same pieces";
                    return Err(Failure::input(format!("{name} has no table of all positions"), help));
                }
            })
        })
    }
}

/// The solution, and how many positions it took.
type Solved<M> = (Result<Solution<M>, Stopped>, u64);

impl Solve<'_> {
    fn threads(&self) -> usize {
        self.args.threads.map_or_else(all_cores, usize::from)
    }

    const fn ask(&self) -> Ask {
        match (self.args.winner, self.args.outcome) {
            (true, _) => Ask::Winner,
            (_, true) => Ask::Outcome,
            _ => Ask::Value,
        }
    }

    /// Outcomes where each player has one domino of one way; `None` if that is not what
    /// is asked for.
    fn by_dominoes<W: CellSet>(self, game: &Placement<W>) -> Option<Result<(), Failure>> {
        let asked = self.ask() != Ask::Value && self.args.solver == SolverName::Auto;
        let dominoes = Dominoes::of(game).filter(|_| asked)?;
        let (memory, threads) = (self.args.game.memory, self.threads());
        Some(self.answer(game, |position, ask, watch| {
            Ok(run_with(dominoes.solver(game, memory, threads, watch), game, position, ask, watch))
        }))
    }

    /// Whether a table answers: if it is asked for, or if there is one that is quick.
    fn takes_table(&self, game: &Placement) -> bool {
        match self.args.solver {
            SolverName::Table => true,
            SolverName::Auto => TableSolver::is_quick(game, &game.start(), self.args.game.memory as u64),
            _ => false,
        }
    }

    fn by_table(self, game: &Placement) -> Result<(), Failure> {
        let allowed = Allowed { bytes: self.args.game.memory as u64, threads: self.threads() };
        self.answer(game, |position, ask, watch| {
            let table = TableSolver::new(game, position, allowed, watch);
            let table = table.map_err(|e| Failure::no_table(e, watch.positions()))?;
            Ok(run_with(table, game, position, ask, watch))
        })
    }

    /// Solves the game's start, and tells what was found.
    fn answer<G: Notation>(
        self,
        game: &G,
        solved: impl FnOnce(&G::Position, Ask, &Watch) -> Result<Solved<G::Move>, Failure> + Send,
    ) -> Result<(), Failure> {
        let Self { args, name } = self;
        let position = game.start();
        let (result, time) = watched(|watch| solved(&position, self.ask(), watch));
        let (solution, positions) = result?;
        let solution = solution.map_err(|stopped| Failure::stopped(stopped, positions))?;
        let found = Found { solution, positions, time };
        if args.game.json {
            return print_json(&Json::new(game, name, &position, &found));
        }
        print(&page(game, name, &position, &found))?;
        found.tell_cost();
        Ok(())
    }
}

fn run_with<G: Game>(
    mut solver: impl Solver<G>,
    game: &G,
    position: &G::Position,
    ask: Ask,
    watch: &Watch,
) -> Solved<G::Move> {
    let solution = solve(game, position, ask, &mut solver, watch);
    (solution, solver.positions_searched())
}

/// The answer as people read it.
fn page<G: Notation>(game: &G, name: &str, position: &G::Position, found: &Found<G::Move>) -> String {
    let solution = &found.solution;
    let [mover, other] = game.players(position).map(spoken);
    let mut page = format!("{name} {}, {mover} to move\n\n", game.board());
    page.push_str(&draw::position(game, position));
    let verdict = style_of(solution.verdict.outcome);
    // Writing to a string cannot fail.
    let _ = writeln!(page, "\n{verdict}{}{verdict:#}", sentence(solution, &mover, &other));
    if solution.moves.is_empty() {
        return page;
    }
    let _ = match solution.moves.len() < game.moves(position).count() {
        true => writeln!(page, "\nA move that does it; others were not asked:\n"),
        false => writeln!(page, "\nThe moves of {mover}, best first:\n"),
    };
    page.push_str(&moves_by_verdict(game, position, solution));
    if !solution.line.is_empty() {
        let [first, second] = draw::PLAYERS;
        let _ = writeln!(
            page,
            "\nA best line, {first}{mover}{first:#} at odd numbers, {second}{other}{second:#} at even ones:\n"
        );
        page.push_str(&draw::line(game, position, &solution.line));
        page.push('\n');
        page.push_str(&wrapped(&line_texts(game, position, &solution.line), 2));
    }
    page
}

/// A player's name in a sentence: `A`, `Left`, `the first player`.
fn spoken(player: &str) -> String {
    if player.contains(' ') { format!("the {player}") } else { player.to_owned() }
}

/// Who wins, in how many plies.
fn sentence<M>(solution: &Solution<M>, mover: &str, other: &str) -> String {
    let Verdict { outcome, remoteness } = solution.verdict;
    let over = solution.moves.is_empty();
    let sentence = match outcome {
        Outcome::Draw if over => return "The game is over: a draw.".to_owned(),
        Outcome::Draw => return "A draw: neither player can force a win.".to_owned(),
        Outcome::Win => format!("{mover} wins"),
        Outcome::Loss => format!("{other} wins"),
    };
    match remoteness {
        _ if over => format!("The game is over: {sentence}."),
        Some(plies) => {
            format!("{}{} in {}.", sentence[..1].to_uppercase(), &sentence[1..], counted(plies, "ply", "plies"))
        }
        None => format!("{}{}.", sentence[..1].to_uppercase(), &sentence[1..]),
    }
}

fn style_of(outcome: Outcome) -> Style {
    let colour = match outcome {
        Outcome::Win => AnsiColor::Green,
        Outcome::Draw => AnsiColor::Yellow,
        Outcome::Loss => AnsiColor::Red,
    };
    colour.on_default().bold()
}

fn words(verdict: Verdict) -> String {
    match verdict.remoteness {
        Some(plies) => format!("{} in {plies}", verdict.outcome),
        None => verdict.outcome.to_string(),
    }
}

/// A paragraph for each verdict, the best one first and marked.
fn moves_by_verdict<G: Notation>(game: &G, position: &G::Position, solution: &Solution<G::Move>) -> String {
    let mut groups: Vec<(Verdict, Vec<String>)> = Vec::new();
    for &(mv, verdict) in &solution.moves {
        let text = game.move_text(position, mv);
        match groups.iter_mut().find(|(of, _)| *of == verdict) {
            Some((_, moves)) => moves.push(text),
            None => groups.push((verdict, vec![text])),
        }
    }
    groups.sort_by_key(|&(verdict, _)| std::cmp::Reverse(preference(verdict)));
    let width = groups.iter().map(|&(verdict, _)| words(verdict).len()).max().unwrap_or(0);
    let mut text = String::new();
    for (verdict, moves) in groups {
        let style = style_of(verdict.outcome);
        let mark = if verdict == solution.verdict { '*' } else { ' ' };
        let _ = write!(text, "{style}{mark} {:width$}{style:#}", words(verdict));
        text.push_str(&wrapped(&moves, width + 2)[width + 2..]);
    }
    text
}

/// Sorts verdicts as the player to move prefers.
fn preference(verdict: Verdict) -> (Outcome, i64) {
    let plies = i64::from(verdict.remoteness.unwrap_or(0));
    (verdict.outcome, if verdict.outcome == Outcome::Win { -plies } else { plies })
}

/// Words in lines of 80 columns, each indented by `indent`, two blanks between.
fn wrapped(words: &[String], indent: usize) -> String {
    let mut text = " ".repeat(indent);
    let mut column = indent;
    for word in words {
        if column > indent && column + 2 + word.len() > 80 {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        }
        text.push_str("  ");
        text.push_str(word);
        column += 2 + word.len();
    }
    text.push('\n');
    text
}

fn line_texts<G: Notation>(game: &G, start: &G::Position, line: &[G::Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut texts = Vec::with_capacity(line.len());
    for &mv in line {
        texts.push(game.move_text(&position, mv));
        position = game.play(&position, mv);
    }
    texts
}

/// The answer as programs read it; the field names are part of the command's
/// contract.
#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    position: String,
    to_move: &'static str,
    outcome: String,
    remoteness: Option<u32>,
    winner: Option<&'static str>,
    best: Vec<String>,
    moves: Vec<JsonMove>,
    line: Vec<String>,
    positions_searched: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonMove {
    #[serde(rename = "move")]
    mv: String,
    outcome: String,
    remoteness: Option<u32>,
    position: String,
}

impl<'a> Json<'a> {
    fn new<G: Notation>(game: &G, name: &'a str, position: &G::Position, found: &Found<G::Move>) -> Self {
        let solution = &found.solution;
        let [mover, other] = game.players(position);
        let json_move = |&(mv, verdict): &(G::Move, Verdict)| JsonMove {
            mv: game.move_text(position, mv),
            outcome: verdict.outcome.to_string(),
            remoteness: verdict.remoteness,
            position: game.text(&game.play(position, mv)),
        };
        Self {
            game: name,
            position: game.text(position),
            to_move: mover,
            outcome: solution.verdict.outcome.to_string(),
            remoteness: solution.verdict.remoteness,
            winner: match solution.verdict.outcome {
                Outcome::Win => Some(mover),
                Outcome::Loss => Some(other),
                Outcome::Draw => None,
            },
            best: solution.best().map(|mv| game.move_text(position, mv)).collect(),
            moves: solution.moves.iter().map(json_move).collect(),
            line: line_texts(game, position, &solution.line),
            positions_searched: found.positions,
            seconds: found.time.as_secs_f64(),
        }
    }
}

impl<M> Found<M> {
    /// What it cost, on standard error where somebody sees it.
    fn tell_cost(&self) {
        use std::io::IsTerminal;
        if !std::io::stderr().is_terminal() {
            return;
        }
        let rate = self.positions as f64 / self.time.as_secs_f64().max(1e-9) / 1e6;
        let dim = draw::DIM;
        anstream::eprintln!(
            "\n{dim}{} searched in {:.2} s, {rate:.1} million/s{dim:#}",
            counted(self.positions, "position", "positions"),
            self.time.as_secs_f64(),
        );
    }
}
