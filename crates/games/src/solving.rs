//! What is asked of a game's position, and by which solver it is answered quickest.

use balpan::{
    AlphaBeta, Ask, DfPn, Game, Minimax, Misere, Nimbers, Outcome, Solution, Solver, Stopped, Value, Verdict, Watch,
    solve,
};
use serde::Serialize;

use crate::board::CellSet;
use crate::heaps::Heaps;
use crate::lines::Lines;
use crate::notation::Notation;
use crate::placement::{Allowed, Dominoes, NoTable, Placement, TableSolver};
use crate::walkers::Walkers;

/// How to solve; all agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Whichever is fastest.
    #[default]
    Auto,
    /// Plain exhaustive minimax, for small positions.
    Minimax,
    /// Alpha-beta with a transposition table.
    AlphaBeta,
    /// Depth-first proof-number search, for outcomes of placement games.
    DfPn,
    /// A table of all positions, for impartial placement games.
    Table,
    /// Nimbers of independent parts, for who wins an impartial game.
    Nimber,
}

/// What is asked of a game's start, and what may be spent on it.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// `None` asks for what is within reach: values, or on placement boards of more than
    /// [`MANY_CELLS`](Self::MANY_CELLS) free cells the winner alone.
    pub ask: Option<Ask>,
    /// Whether the nimber is asked for, too; of a misère game the misère value.
    pub number: bool,
    /// By which solver.
    pub method: Method,
    /// Bytes for tables.
    pub memory: usize,
    /// How many threads search.
    pub threads: usize,
}

/// What a position of an impartial game counts for in a sum. As JSON, the names are
/// part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Number {
    /// By the normal convention: the heap of Nim that it is worth.
    Nimber(u32),
    /// By the misère convention: the heap of Nim beside which it is lost.
    MisereValue(u32),
}

/// The solution, and what it took.
#[derive(Clone, Debug)]
pub struct Solved<M> {
    /// Value, moves and line.
    pub solution: Solution<M>,
    /// The nimber or misère value, if it was asked for.
    pub number: Option<Number>,
    /// Positions searched.
    pub positions: u64,
}

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoAnswer {
    /// The watch said so.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// No table of the positions.
    #[error(transparent)]
    NoTable(#[from] NoTable),
    /// A table was asked of a game of another kind.
    #[error("there is no table of all positions: placement games have one, where both players have the same pieces")]
    NoSuchTable,
    /// A nimber was asked of a game that has none.
    #[error("there is no nimber: impartial games have one: both players have the same moves, and no piece a supply")]
    NoNimber,
    /// Play may last too long for a search.
    #[error("play may last {plies} plies; a search takes {most} at most")]
    TooLong {
        /// So many plies.
        plies: usize,
        /// So many can be searched.
        most: usize,
    },
}

/// A game that knows by which solver it is solved quickest.
pub trait Solvable: Notation + Sized {
    /// Solves the game's start.
    ///
    /// # Errors
    /// If there is no such answer, or if `watch` says to stop.
    fn solved(&self, question: &Question, watch: &Watch) -> Result<Solved<Self::Move>, NoAnswer> {
        Search { question, ask: question.ask.unwrap_or(Ask::Value), watch }.any(self)
    }
}

impl Solvable for Walkers {}
impl Solvable for Lines {}
impl Solvable for Heaps {}

impl Solvable for Placement {
    fn solved(&self, question: &Question, watch: &Watch) -> Result<Solved<u16>, NoAnswer> {
        let search = Search { question, ask: question.ask_of(self), watch };
        if search.takes_table(self) { search.by_table(self) } else { search.placement(self) }
    }
}

impl Solvable for Placement<u128> {
    fn solved(&self, question: &Question, watch: &Watch) -> Result<Solved<u16>, NoAnswer> {
        Search { question, ask: question.ask_of(self), watch }.placement(self)
    }
}

impl Question {
    /// Placement boards of more free cells are too large for a table: unless more is
    /// asked, only the winner is.
    pub const MANY_CELLS: usize = 36;

    fn ask_of<W: CellSet>(&self, game: &Placement<W>) -> Ask {
        let by_itself = if game.free_cells() > Self::MANY_CELLS { Ask::Winner } else { Ask::Value };
        self.ask.unwrap_or(by_itself)
    }

    fn allowed(&self) -> Allowed {
        Allowed { bytes: self.memory as u64, threads: self.threads }
    }
}

/// Plies of the longest play that is searched: the stack has room for several times as many.
const MOST_PLIES: usize = 500;

/// Refuses games that may take too many plies for a search.
///
/// # Errors
/// [`NoAnswer::TooLong`].
pub fn check_length<G: Notation>(game: &G) -> Result<(), NoAnswer> {
    match game.most_plies() {
        ..=MOST_PLIES => Ok(()),
        plies => Err(NoAnswer::TooLong { plies, most: MOST_PLIES }),
    }
}

/// A question in hand.
struct Search<'a> {
    question: &'a Question,
    ask: Ask,
    watch: &'a Watch,
}

impl Search<'_> {
    /// Solves a game of which no more is known than any game tells.
    fn any<G: Notation>(&self, game: &G) -> Result<Solved<G::Move>, NoAnswer> {
        self.check_number(game)?;
        if self.takes_nimbers(game) {
            return self.by_nimbers(game, |_| Ok(None));
        }
        let is_known = self.ask == Ask::Outcome && self.question.method != Method::Minimax;
        if !is_known || game.nimber(&game.start()).is_none() {
            check_length(game)?;
        }
        if self.takes_misere_values(game) {
            return self.by_misere_values(game);
        }
        let Question { memory, threads, .. } = *self.question;
        match self.question.method {
            Method::Minimax => self.by(Minimax::new(game, self.watch), game),
            Method::DfPn => self.by(DfPn::new(game, memory, self.watch), game),
            Method::Auto | Method::AlphaBeta => {
                self.by(AlphaBeta::new(game, memory, self.watch).threads(threads), game)
            }
            Method::Table => Err(NoAnswer::NoSuchTable),
            Method::Nimber => Err(NoAnswer::NoNimber),
        }
    }

    fn placement<W: CellSet>(&self, game: &Placement<W>) -> Result<Solved<u16>, NoAnswer> {
        self.check_number(game)?;
        if self.takes_nimbers(game) {
            let allowed = self.question.allowed();
            return self.by_nimbers(game, |watch| game.clone().knowing_small_parts(allowed, watch).map(Some));
        }
        let Question { memory, threads, .. } = *self.question;
        let asked = self.ask != Ask::Value && self.question.method == Method::Auto;
        if asked && self.ask == Ask::Winner && game.has_supplies() {
            // Proof numbers find a first move sooner than any order.
            return self.by(DfPn::new(game, memory, self.watch), game);
        }
        match Dominoes::of(game).filter(|_| asked) {
            Some(dominoes) => self.by(dominoes.solver(game, memory, threads, self.watch), game),
            None => self.any(game),
        }
    }

    /// Whether a table answers: if it is asked for, or if there is one that is quick.
    fn takes_table(&self, game: &Placement) -> bool {
        match self.question.method {
            Method::Table => true,
            Method::Auto => TableSolver::is_quick(game, &game.start(), self.question.memory as u64),
            _ => false,
        }
    }

    fn by_table(&self, game: &Placement) -> Result<Solved<u16>, NoAnswer> {
        self.check_number(game)?;
        let table = TableSolver::new(game, &game.start(), self.question.allowed(), self.watch)?;
        self.by(table, game)
    }

    /// Whether the search for nimbers answers: if it is asked for, or if it tells all
    /// that is asked.
    fn takes_nimbers(&self, game: &impl Game) -> bool {
        let all_asked = self.question.number || self.ask == Ask::Winner;
        let taken = match self.question.method {
            Method::Nimber => true,
            Method::Auto => all_asked && self.ask != Ask::Outcome,
            _ => false,
        };
        taken && game.is_impartial()
    }

    /// The nimber, who wins, and moves that do. `informed` may make a game that knows
    /// more of its parts.
    fn by_nimbers<G: Notation>(
        &self,
        game: &G,
        informed: impl FnOnce(&Watch) -> Result<Option<G>, Stopped>,
    ) -> Result<Solved<G::Move>, NoAnswer> {
        let position = game.start();
        // A quarter may be taken for small parts.
        let memory = self.question.memory / 4 * 3;
        let informed = informed(self.watch)?;
        let mut solver =
            Nimbers::new(informed.as_ref().unwrap_or(game), memory, self.watch).threads(self.question.threads);
        let winning = solver.winning_moves(&position)?;
        let number = if self.question.number { Some(Number::Nimber(solver.nimber(&position)?)) } else { None };
        let verdict = verdict(game, &position, winning.is_empty());
        let moves = if winning.is_empty() { game.moves(&position).collect() } else { winning };
        Ok(Solved { solution: all_worth(verdict, moves), number, positions: solver.positions_searched() })
    }

    fn takes_misere_values(&self, game: &impl Game) -> bool {
        let all_asked = self.question.number || self.ask == Ask::Winner;
        all_asked && self.question.method == Method::Auto && game.is_impartial_misere()
    }

    /// Who wins a misère game, and a move that does; if it is asked for, its misère value.
    fn by_misere_values<G: Notation>(&self, game: &G) -> Result<Solved<G::Move>, NoAnswer> {
        let position = game.start();
        let mut solver = Misere::new(game, self.question.memory, self.watch);
        let lost = solver.is_lost(&position, 0)?;
        let winning = solver.winning_move(&position)?;
        let number = if self.question.number { Some(Number::MisereValue(solver.value(&position)?)) } else { None };
        let moves = if lost { game.moves(&position).collect() } else { winning.into_iter().collect() };
        let solution = all_worth(verdict(game, &position, lost), moves);
        Ok(Solved { solution, number, positions: solver.positions_searched() })
    }

    /// Refuses to look for a nimber where there is none.
    fn check_number(&self, game: &impl Game) -> Result<(), NoAnswer> {
        let has_number = game.is_impartial() || game.is_impartial_misere();
        if self.question.number && !has_number { Err(NoAnswer::NoNimber) } else { Ok(()) }
    }

    /// Solves it, and if a number is asked for that this solver does not tell, by another.
    fn by<G: Notation>(&self, mut solver: impl Solver<G>, game: &G) -> Result<Solved<G::Move>, NoAnswer> {
        let position = game.start();
        let solution = solve(game, &position, self.ask, &mut solver, self.watch)?;
        let Question { memory, threads, .. } = *self.question;
        let number = match self.question.number {
            false => None,
            true if game.is_impartial() => {
                let mut nimbers = Nimbers::new(game, memory, self.watch).threads(threads);
                Some(Number::Nimber(nimbers.nimber(&position)?))
            }
            true => Some(Number::MisereValue(Misere::new(game, memory, self.watch).value(&position)?)),
        };
        Ok(Solved { solution, number, positions: solver.positions_searched() })
    }
}

/// A won or a lost position's verdict, where plies are not asked for.
fn verdict<G: Game>(game: &G, position: &G::Position, lost: bool) -> Verdict {
    if game.is_over(position) {
        return Verdict::from(Value::ended(game.end(position)));
    }
    Verdict::from(if lost { Outcome::Loss } else { Outcome::Win })
}

/// A solution of which these moves are known, all as good as the position.
fn all_worth<M>(verdict: Verdict, moves: Vec<M>) -> Solution<M> {
    Solution { verdict, moves: moves.into_iter().map(|mv| (mv, verdict)).collect(), line: Vec::new() }
}
