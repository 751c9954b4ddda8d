//! `balpan solve`: one position's value, every move's, and a line.

use balpan::{
    AlphaBeta, Ask, DfPn, Game, Minimax, Misere, Nimbers, Outcome, Solution, Solver, Stopped, Value, Verdict, Watch,
    solve,
};
use balpan_games::placement::{Allowed, Dominoes, Placement, TableSolver};
use balpan_games::{AnyGame, CellSet, Notation, Task};

use crate::answer::{Found, Json, page};
use crate::args::{SolveArgs, SolverName};
use crate::cgt;
use crate::failure::{Failure, print, print_json};
use crate::numbers::Number;
use crate::progress::{all_cores, watched};
use crate::source;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    if args.cgt {
        return cgt::run(args, &name, &game);
    }
    let free = match &game {
        AnyGame::Placement(game) => game.free_cells(),
        AnyGame::Wide(game) => game.free_cells(),
        AnyGame::Walkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => 0,
    };
    let ask = match () {
        () if args.outcome => Ask::Outcome,
        () if args.winner || free > MANY_CELLS && !args.remoteness => Ask::Winner,
        () => Ask::Value,
    };
    let solve = Solve { args, name: &name, ask };
    match &game {
        AnyGame::Placement(game) if solve.takes_table(game) => solve.by_table(game),
        AnyGame::Placement(game) => solve.placement(game),
        AnyGame::Wide(game) => solve.placement(game),
        AnyGame::Walkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => game.run(solve),
    }
}

/// Placement boards of more free cells are too large for a table: unless more is asked,
/// only the winner is.
const MANY_CELLS: usize = 36;

struct Solve<'a> {
    args: &'a SolveArgs,
    name: &'a str,
    ask: Ask,
}

/// The solution, and what it took.
struct Solved<M> {
    solution: Solution<M>,
    number: Option<Number>,
    positions: u64,
}

impl Task for Solve<'_> {
    type Output = Result<(), Failure>;

    /// Solves a game of which no more is known than any game tells.
    fn run<G: Notation>(self, game: &G) -> Self::Output {
        if self.takes_nimbers(game) {
            return self.by_nimbers(game, |_| Ok(None));
        }
        let is_known = self.ask == Ask::Outcome && self.args.solver != SolverName::Minimax;
        if !is_known || game.nimber(&game.start()).is_none() {
            source::check_length(game)?;
        }
        if self.takes_misere_values(game) {
            return self.by_misere_values(game);
        }
        let (name, memory, threads) = (self.name, self.args.game.memory, self.threads());
        let solver = self.args.solver;
        self.answer(game, |position, ask, watch| match solver {
            SolverName::Minimax => run_with(Minimax::new(game, watch), game, position, ask, watch),
            SolverName::DfPn => run_with(DfPn::new(game, memory, watch), game, position, ask, watch),
            SolverName::Auto | SolverName::AlphaBeta => {
                run_with(AlphaBeta::new(game, memory, watch).threads(threads), game, position, ask, watch)
            }
            SolverName::Table => {
                let help = "placement games have one, where both players have the same pieces";
                Err(Failure::input(format!("{name} has no table of all positions"), help))
            }
            SolverName::Nimber => Err(no_nimber(name)),
        })
    }
}

impl Solve<'_> {
    fn threads(&self) -> usize {
        self.args.threads.map_or_else(all_cores, usize::from)
    }

    fn allowed(&self) -> Allowed {
        Allowed { bytes: self.args.game.memory as u64, threads: self.threads() }
    }

    fn placement<W: CellSet>(self, game: &Placement<W>) -> Result<(), Failure> {
        if self.takes_nimbers(game) {
            let allowed = self.allowed();
            return self.by_nimbers(game, |watch| game.clone().knowing_small_parts(allowed, watch).map(Some));
        }
        let asked = self.ask != Ask::Value && self.args.solver == SolverName::Auto;
        if asked && self.ask == Ask::Winner && game.has_supplies() {
            // Proof numbers find a first move sooner than any order.
            let memory = self.args.game.memory;
            return self.answer(game, |position, ask, watch| {
                run_with(DfPn::new(game, memory, watch), game, position, ask, watch)
            });
        }
        let Some(dominoes) = Dominoes::of(game).filter(|_| asked) else {
            return self.run(game);
        };
        let (memory, threads) = (self.args.game.memory, self.threads());
        self.answer(game, |position, ask, watch| {
            run_with(dominoes.solver(game, memory, threads, watch), game, position, ask, watch)
        })
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
        let allowed = self.allowed();
        self.answer(game, |position, ask, watch| {
            let table = TableSolver::new(game, position, allowed, watch);
            let table = table.map_err(|e| Failure::no_table(e, watch.positions()))?;
            run_with(table, game, position, ask, watch)
        })
    }

    /// Whether the search for nimbers answers: if it is asked for, or if it tells all
    /// that is asked.
    fn takes_nimbers(&self, game: &impl Game) -> bool {
        let all_asked = self.args.nimber || self.ask == Ask::Winner;
        let taken = match self.args.solver {
            SolverName::Nimber => true,
            SolverName::Auto => all_asked && self.ask != Ask::Outcome,
            _ => false,
        };
        taken && game.is_impartial()
    }

    /// The nimber, who wins, and moves that do. `informed` may make a game that knows
    /// more of its parts.
    fn by_nimbers<G: Notation>(
        self,
        game: &G,
        informed: impl FnOnce(&Watch) -> Result<Option<G>, Stopped> + Send,
    ) -> Result<(), Failure> {
        // A quarter may be taken for small parts.
        let memory = self.args.game.memory / 4 * 3;
        let (threads, wants_nimber) = (self.threads(), self.args.nimber);
        self.answer(game, |position, _, watch| {
            let informed = informed(watch).map_err(|stopped| Failure::stopped(stopped, watch.positions()))?;
            let mut solver = Nimbers::new(informed.as_ref().unwrap_or(game), memory, watch).threads(threads);
            let found = solver.winning_moves(position).and_then(|winning| {
                let nimber = if wants_nimber { Some(Number::Nimber(solver.nimber(position)?)) } else { None };
                Ok((winning, nimber))
            });
            let positions = solver.positions_searched();
            let (winning, number) = found.map_err(|stopped| Failure::stopped(stopped, positions))?;
            let verdict = verdict(game, position, winning.is_empty());
            let moves = if winning.is_empty() { game.moves(position).collect() } else { winning };
            let moves = moves.into_iter().map(|mv| (mv, verdict)).collect();
            Ok(Solved { solution: Solution { verdict, moves, line: Vec::new() }, number, positions })
        })
    }

    fn takes_misere_values(&self, game: &impl Game) -> bool {
        let all_asked = self.args.nimber || self.ask == Ask::Winner;
        all_asked && self.args.solver == SolverName::Auto && game.is_impartial_misere()
    }

    /// Who wins a misère game, and a move that does; if it is asked for, its misère value.
    fn by_misere_values<G: Notation>(self, game: &G) -> Result<(), Failure> {
        let (memory, wants_value) = (self.args.game.memory, self.args.nimber);
        self.answer(game, |position, _, watch| {
            let mut solver = Misere::new(game, memory, watch);
            let found = solver.is_lost(position, 0).and_then(|lost| {
                let winning = solver.winning_move(position)?;
                let value = if wants_value { Some(Number::MisereValue(solver.value(position)?)) } else { None };
                Ok((lost, winning, value))
            });
            let positions = solver.positions_searched();
            let (lost, winning, number) = found.map_err(|stopped| Failure::stopped(stopped, positions))?;
            let verdict = verdict(game, position, lost);
            let moves: Vec<_> = if lost { game.moves(position).collect() } else { winning.into_iter().collect() };
            let moves = moves.into_iter().map(|mv| (mv, verdict)).collect();
            Ok(Solved { solution: Solution { verdict, moves, line: Vec::new() }, number, positions })
        })
    }

    /// The nimber or the misère value of a position that another solver has solved.
    fn number<G: Notation>(&self, game: &G, position: &G::Position, watch: &Watch) -> Result<Number, Failure> {
        let memory = self.args.game.memory;
        let stopped = |stopped| Failure::stopped(stopped, watch.positions());
        if game.is_impartial() {
            let mut solver = Nimbers::new(game, memory, watch).threads(self.threads());
            return solver.nimber(position).map(Number::Nimber).map_err(stopped);
        }
        if game.is_impartial_misere() {
            return Misere::new(game, memory, watch).value(position).map(Number::MisereValue).map_err(stopped);
        }
        Err(no_nimber(self.name))
    }

    /// Solves the game's start, and tells what was found.
    fn answer<G: Notation>(
        self,
        game: &G,
        solved: impl FnOnce(&G::Position, Ask, &Watch) -> Result<Solved<G::Move>, Failure> + Send,
    ) -> Result<(), Failure> {
        if self.args.nimber && !game.is_impartial() && !game.is_impartial_misere() {
            return Err(no_nimber(self.name));
        }
        let position = game.start();
        let (found, time) = watched(|watch| -> Result<_, Failure> {
            let mut solved = solved(&position, self.ask, watch)?;
            if self.args.nimber && solved.number.is_none() {
                solved.number = Some(self.number(game, &position, watch)?);
            }
            Ok(solved)
        });
        let Solved { solution, number, positions } = found?;
        let found = Found { solution, number, positions, time };
        if self.args.game.json {
            return print_json(&Json::new(game, self.name, &position, &found));
        }
        print(&page(game, self.name, &position, &found))?;
        found.tell_cost();
        Ok(())
    }
}

/// A won or a lost position's verdict, where plies are not asked for.
fn verdict<G: Game>(game: &G, position: &G::Position, lost: bool) -> Verdict {
    if game.is_over(position) {
        return Verdict::from(Value::ended(game.end(position)));
    }
    Verdict::from(if lost { Outcome::Loss } else { Outcome::Win })
}

fn no_nimber(name: &str) -> Failure {
    let help = "impartial games have one: both players have the same moves, and no piece a supply";
    Failure::input(format!("{name} has no nimber"), help)
}

fn run_with<G: Game>(
    mut solver: impl Solver<G>,
    game: &G,
    position: &G::Position,
    ask: Ask,
    watch: &Watch,
) -> Result<Solved<G::Move>, Failure> {
    let solution = solve(game, position, ask, &mut solver, watch);
    let positions = solver.positions_searched();
    let solution = solution.map_err(|stopped| Failure::stopped(stopped, positions))?;
    Ok(Solved { solution, number: None, positions })
}
