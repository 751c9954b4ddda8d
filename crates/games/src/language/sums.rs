//! Who wins a game of two players whose positions fall apart, by the sums of their parts.

use std::sync::Arc;

use balpan::{AlphaBeta, Bounds, Budget, Game, MAX_PLIES, Outcome, Solver, Stopped, Value, Watch};
use balpan_cgt::{Player, Sum, SumGame};

use super::rules::{Action, Sentence, Stuck};
use super::{BoardGame, Position};
use crate::board::CellSet;

/// A solver of outcomes by [`SumGame`], and of values by the game itself.
pub(super) struct SumSolver<W: CellSet> {
    game: Arc<BoardGame<W>>,
    sums: Arc<SumGame<BoardGame<W>>>,
    outcomes: AlphaBeta<Arc<SumGame<BoardGame<W>>>>,
    values: AlphaBeta<Arc<BoardGame<W>>>,
}

/// The fewest threads that search together. Each takes apart what all moves of a position lead to, where one thread by itself does so
/// as it comes to them (measured: two take 1.4 times as long as one on Clobber 3x8).
const MIN_THREADS: usize = 4;

impl<W: CellSet> SumSolver<W> {
    /// Creates a solver; `None` if positions are no sums of partizan games under normal play, or do not fall apart, or pieces do more
    /// than to be placed and to step.
    pub(super) fn new(game: &Arc<BoardGame<W>>, budget: Budget, watch: &Watch) -> Option<Self> {
        let Budget { memory, threads } = budget;
        let rules = &game.0.rules;
        // Where pieces slide or hop, or keep in touch, positions fall apart late, and it takes long to see that they do not (measured:
        // Amazons, Konane, NoGo).
        let is_short = |sentence: &Sentence<W>| matches!(sentence.action, Action::Place { .. } | Action::Step { .. });
        let mut sentences = rules.sentences();
        if rules.players.len() != 2
            || !game.0.has_parts
            || !game.0.touching.is_empty()
            || rules.stuck != Stuck::Loses
            || !sentences.all(is_short)
        {
            return None;
        }
        let start = game.start();
        let sum_threads = if threads < MIN_THREADS { 1 } else { threads };
        let sums = Arc::new(SumGame::new((**game).clone(), &start, mover(&start), memory / 8));
        Some(Self {
            outcomes: AlphaBeta::new(Arc::clone(&sums), memory / 8 * 7, watch).with_threads(sum_threads),
            values: AlphaBeta::new(Arc::clone(game), memory, watch).with_threads(threads),
            game: Arc::clone(game),
            sums,
        })
    }

    fn sum(&self, position: &Position<W>) -> Sum<Position<W>> {
        self.sums.sum(&self.game.with_mover(position, Player::Left), mover(position))
    }

    fn bounds(&self, position: &Position<W>, outcome: Outcome) -> Bounds {
        Bounds::from_outcome(outcome, self.game.layer(position).unwrap_or(MAX_PLIES))
    }
}

const fn mover<W>(position: &Position<W>) -> Player {
    if position.second_to_move { Player::Right } else { Player::Left }
}

impl<W: CellSet> Solver<Position<W>> for SumSolver<W> {
    fn value(&mut self, position: &Position<W>) -> Result<Value, Stopped> {
        self.values.value(position)
    }

    fn outcome(&mut self, position: &Position<W>) -> Result<Outcome, Stopped> {
        let sum = self.sum(position);
        self.sums.bounds(&sum, Value::DRAW).outcome().map_or_else(|| self.outcomes.outcome(&sum), Ok)
    }

    fn known_bounds(&mut self, position: &Position<W>) -> Bounds {
        let sum = self.sum(position);
        let known = self.sums.bounds(&sum, Value::DRAW).intersect(self.outcomes.known_bounds(&sum));
        known.outcome().map_or(Bounds::ANY, |outcome| self.bounds(position, outcome))
    }

    fn bytes(&self) -> u64 {
        self.outcomes.bytes() + self.values.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.outcomes.positions_searched() + self.values.positions_searched()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.outcomes.set_watch(watch);
        self.values.set_watch(watch);
    }
}
