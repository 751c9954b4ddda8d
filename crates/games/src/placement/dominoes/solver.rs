//! A solver for outcomes of placement positions by their [`DominoPosition`](super::DominoPosition)s.

use std::sync::Arc;

use balpan::{AlphaBeta, Bounds, Budget, Game, Outcome, Solver, Stopped, Value, Watch};

use super::{DominoPosition, Dominoes};
use crate::board::CellSet;
use crate::placement::{Placement, Position};

/// Alpha-beta over [`Dominoes`] for outcomes of the equivalent [`Placement`], and over that game
/// itself for values.
#[derive(Debug)]
pub struct DominoesSolver<W: CellSet = u64> {
    game: Arc<Placement<W>>,
    /// The game with small strip tables, tried first where `dominoes` has large ones.
    low: Option<Dominoes<W>>,
    dominoes: Arc<Dominoes<W>>,
    outcomes: AlphaBeta<Arc<Dominoes<W>>>,
    values: AlphaBeta<Arc<Placement<W>>>,
    watch: Watch,
}

/// Minimum number of free cells, exclusive, for large strip tables: a search then takes longer than filling them.
const MIN_CELLS_FOR_HIGH_STRIPS: usize = 64;

impl<W: CellSet> DominoesSolver<W> {
    /// Creates a solver of `game`, which `dominoes` is equivalent to. The transposition tables of
    /// outcomes and of values take as much memory as the budget allows, each.
    pub fn new(game: Arc<Placement<W>>, dominoes: Dominoes<W>, budget: Budget, watch: &Watch) -> Self {
        let Budget { memory, threads } = budget;
        let is_long = game.free_cells() > MIN_CELLS_FOR_HIGH_STRIPS;
        let high = if is_long { dominoes.with_high_strips(memory / 2) } else { None };
        let (low, dominoes) = match high {
            Some(high) => (Some(dominoes), high),
            None => (None, dominoes),
        };
        let strips = low.as_ref().map_or(0, Dominoes::strips_bytes) + dominoes.strips_bytes();
        let rest = memory.saturating_sub(strips);
        let dominoes = Arc::new(dominoes);
        Self {
            outcomes: AlphaBeta::new(Arc::clone(&dominoes), rest, watch).with_threads(threads),
            values: AlphaBeta::new(Arc::clone(&game), memory, watch).with_threads(threads),
            low,
            dominoes,
            game,
            watch: watch.clone(),
        }
    }

    /// The winner, if bounds prove it without a search.
    fn proved_outcome(&self, reduced: &DominoPosition<W>) -> Option<Outcome> {
        if self.dominoes.is_over(reduced) {
            return Some(Outcome::Loss);
        }
        self.low.iter().chain([&*self.dominoes]).find_map(|game| game.bounds(reduced, Value::DRAW).outcome())
    }
}

impl<W: CellSet> Solver<Position<W>> for DominoesSolver<W> {
    fn value(&mut self, position: &Position<W>) -> Result<Value, Stopped> {
        self.values.value(position)
    }

    fn outcome(&mut self, position: &Position<W>) -> Result<Outcome, Stopped> {
        let reduced = self.dominoes.reduce(&self.game, position);
        for strips in self.dominoes.unfilled_strips(&reduced) {
            if self.proved_outcome(&reduced).is_none() {
                strips.fill(&self.watch)?;
            }
        }
        self.proved_outcome(&reduced).map_or_else(|| self.outcomes.outcome(&reduced), Ok)
    }

    /// Tests outcomes as [`outcome`](Self::outcome) does, values as [`value`](Self::value) does.
    fn test(&mut self, position: &Position<W>, threshold: Value) -> Result<Value, Stopped> {
        if threshold != Value::DRAW {
            return self.values.test(position, threshold);
        }
        let most = W::CELLS as u32;
        Ok(if self.outcome(position)? == Outcome::Win { Value::win(most) } else { Value::loss(most) })
    }

    fn known_bounds(&mut self, position: &Position<W>) -> Bounds {
        // Plies differ from those of the game itself, which has at most as many as cells.
        let reduced = self.dominoes.reduce(&self.game, position);
        let known = self.outcomes.known_bounds(&reduced).outcome().or_else(|| self.proved_outcome(&reduced));
        known.map_or(Bounds::ANY, |outcome| Bounds::from_outcome(outcome, W::CELLS as u32))
    }

    fn bytes(&self) -> u64 {
        let strips = self.low.as_ref().map_or(0, Dominoes::strips_bytes) + self.dominoes.strips_bytes();
        self.outcomes.bytes() + self.values.bytes() + strips as u64
    }

    fn positions_searched(&self) -> u64 {
        self.outcomes.positions_searched() + self.values.positions_searched()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.outcomes.set_watch(watch);
        self.values.set_watch(watch);
        self.watch = watch.clone();
    }
}
