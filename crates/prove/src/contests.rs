//! Solving races between players whose dominoes lie one way each, with moves to spare elsewhere.

use std::sync::Arc;

use balpan::{AlphaBeta, Bounds, Budget, Outcome, Solver, Stopped, Value, Watch};
use balpan_check::trusted::game::Position;
use balpan_games::CellSet;
use balpan_games::placement::{DominoPosition, Dominoes, Placement};

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
