//! Conversion between the checker's positions and the games'.

use std::sync::Arc;

use balpan::{AlphaBeta, Bounds, Budget, Outcome, Solver, Stopped, Value, Watch};
use balpan_check::trusted::game::Position;
use balpan_games::heaps::{self, Heaps};
use balpan_games::lines::{Lines, Marks};
use balpan_games::placement::{self, DominoPosition, Dominoes, Placement};
use balpan_games::walkers::{self, Walkers};
use balpan_games::{CellSet, Notation};

/// A game that the checker supports: its positions fit in the checker's two words.
pub trait Positions: Notation {
    /// Converts a position of the checker.
    fn position_in(&self, words: &Position) -> Self::Position;

    /// Formats a position as the checker reads it.
    fn for_checker(&self, position: &Self::Position) -> String;

    /// A solver of positions in which the checker has moves elsewhere, if the game has such
    /// positions.
    fn domino_solver(&self, _budget: Budget, _watch: &Watch) -> Option<Box<dyn Solver<Position>>> {
        None
    }
}

/// Set if the second player is to move.
const SECOND: u128 = 1 << 127;

impl<W: CellSet> Positions for Walkers<W> {
    fn position_in(&self, &Position(tiles, tokens): &Position) -> walkers::Position<W> {
        walkers::Position {
            tiles: W::from_low_bits(tiles),
            mover: tokens as u8,
            other: (tokens >> 8) as u8,
            b_to_move: tokens >> 16 & 1 == 1,
        }
    }

    fn for_checker(&self, position: &Self::Position) -> String {
        let text = self.text(position);
        if position.b_to_move { text } else { text + " a" }
    }
}

impl Positions for Lines {
    fn position_in(&self, &Position(x, o): &Position) -> Self::Position {
        self.position(x as u64, o as u64, o & SECOND != 0)
    }

    fn for_checker(&self, position: &Self::Position) -> String {
        let board = rows(self, position);
        match (self.rules().marks, position.o_to_move()) {
            (Marks::Shared, _) => board,
            (Marks::Own, false) => board + " x",
            (Marks::Own, true) => board + " o",
        }
    }
}

impl<W: CellSet> Positions for Placement<W> {
    fn position_in(&self, &Position(filled, used): &Position) -> placement::Position<W> {
        placement::Position { filled: W::from_low_bits(filled), used: used as u64, right_to_move: used & SECOND != 0 }
    }

    fn for_checker(&self, position: &Self::Position) -> String {
        let rows = rows(self, position);
        let turn = match (self.is_partizan(), position.right_to_move) {
            (false, _) => "",
            (true, false) => " l",
            (true, true) => " r",
        };
        let used = |piece: usize| format!(" {}", position.used >> (4 * piece) & 15);
        let used: String = (0..self.rules().pieces.all().count().min(16)).map(used).collect();
        if position.used == 0 { rows + turn } else { format!("{rows}{turn} used{used}") }
    }

    fn domino_solver(&self, budget: Budget, watch: &Watch) -> Option<Box<dyn Solver<Position>>> {
        let domino_solver = DominoSolver::new(self, Dominoes::for_game(self)?, budget, watch);
        Some(Box::new(domino_solver))
    }
}

impl Positions for Heaps {
    fn position_in(&self, Position(first, last): &Position) -> Self::Position {
        let bytes = first.to_be_bytes().into_iter().chain(last.to_be_bytes());
        heaps::Position::new(bytes.map(u16::from).collect())
    }

    fn for_checker(&self, position: &Self::Position) -> String {
        self.text(position)
    }
}

/// The rows of the board without what follows them.
fn rows<G: Notation>(game: &G, position: &G::Position) -> String {
    let text = game.text(position);
    text.split(' ').next().unwrap_or(&text).to_owned()
}

/// Alpha-beta over [`Dominoes`], for the checker's positions. It finds outcomes only.
pub(crate) struct DominoSolver<W: CellSet> {
    dominoes: Arc<Dominoes<W>>,
    solver: AlphaBeta<Arc<Dominoes<W>>>,
    /// All cells of the board.
    board: W,
}

/// Set if Right is to move.
const RIGHT_TO_MOVE: u128 = 1 << 127;

impl<W: CellSet> DominoSolver<W> {
    pub(crate) fn new(game: &Placement<W>, dominoes: Dominoes<W>, budget: Budget, watch: &Watch) -> Self {
        let dominoes = Arc::new(dominoes);
        let solver = AlphaBeta::new(Arc::clone(&dominoes), budget.memory, watch).with_threads(budget.threads);
        Self { dominoes, solver, board: game.board().full() }
    }

    fn domino_position(&self, &Position(filled, rest): &Position) -> DominoPosition<W> {
        // The checker's lead is at most the number of cells.
        let lead = rest as u16 as i16 as i8;
        self.dominoes.position(self.board & !W::from_low_bits(filled), lead, rest & RIGHT_TO_MOVE != 0)
    }
}

impl<W: CellSet> Solver<Position> for DominoSolver<W> {
    fn value(&mut self, at: &Position) -> Result<Value, Stopped> {
        self.solver.value(&self.domino_position(at))
    }

    fn test(&mut self, at: &Position, threshold: Value) -> Result<Value, Stopped> {
        self.solver.test(&self.domino_position(at), threshold)
    }

    fn known_bounds(&mut self, at: &Position) -> Bounds {
        self.solver.known_bounds(&self.domino_position(at))
    }

    fn outcome(&mut self, at: &Position) -> Result<Outcome, Stopped> {
        self.solver.outcome(&self.domino_position(at))
    }

    fn bytes(&self) -> u64 {
        self.solver.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.solver.positions_searched()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.solver.set_watch(watch);
    }
}
