//! Integer bounds of a position's value, by searching who wins when one player has spare moves.

use std::sync::Arc;

use balpan::{AlphaBeta, Budget, Engine, Game, Goal, Outcome, Solver, Watch};

use super::{Dominoes, Placement, Position};
use crate::board::CellSet;

/// Integer bounds of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerBounds {
    /// A lower bound, and whether it is the greatest one.
    pub lower: (i64, bool),
    /// An upper bound, and whether it is the least one.
    pub upper: (i64, bool),
    /// Whether the value is at least zero, and at most zero, if there was time to find out.
    pub around_zero: [Option<bool>; 2],
}

impl IntegerBounds {
    /// Returns the value if the bounds prove that it is an integer.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        (self.lower.0 == self.upper.0).then_some(self.lower.0)
    }

    /// Returns bounds of the left stop and of the right stop. Both lie between the two integers. A
    /// stop is at most 1 away from its own integer if that integer is the closest possible.
    #[must_use]
    pub fn stops(&self) -> [[i64; 2]; 2] {
        let ((least, is_greatest), (most, is_least)) = (self.lower, self.upper);
        let left = if is_least { (most - 1).max(least) } else { least };
        let right = if is_greatest { (least + 1).min(most) } else { most };
        [[left, most], [least, right]]
    }
}

impl<W: CellSet> Placement<W> {
    /// Returns integer bounds of the value of the start, as close as a search in `memory` bytes
    /// finds before `watch` ends it. They are the closest ones where each player has one
    /// domino of one orientation; otherwise only the sign is searched.
    #[must_use]
    pub fn integer_bounds(&self, memory: usize, watch: &Watch) -> IntegerBounds {
        let [least, most] = self.count_bounds();
        let mut sides = SpareMoveSolver::new(self, memory, watch);
        let around_zero = [0, 1].map(|player| sides.holds(player, 0));
        let mut found = [(least, false), (most, false)];
        for (player, step, end) in [(0, 1, most), (1, -1, least)] {
            let of = &mut found[player];
            match around_zero[player] {
                // Away from zero while the bound still holds.
                Some(true) => {
                    *of = (0, end == 0);
                    while !of.1 {
                        match sides.holds(player, of.0 + step) {
                            Some(true) => *of = (of.0 + step, of.0 + step == end),
                            Some(false) => of.1 = true,
                            None => break,
                        }
                    }
                }
                // Towards the count bound until one holds: there is room for no more pieces.
                Some(false) => {
                    let mut number = -step;
                    while number != of.0 && sides.holds(player, number) == Some(false) {
                        number -= step;
                    }
                    if number == of.0 || sides.holds(player, number) == Some(true) {
                        *of = (number, true);
                    }
                }
                None => {}
            }
        }
        let [lower, upper] = found;
        IntegerBounds { lower, upper, around_zero }
    }
}

/// A solver for who wins beside spare moves.
enum SpareMoveSolver<W: CellSet> {
    Dominoes { solver: Box<AlphaBeta<Arc<Dominoes<W>>>>, dominoes: Arc<Dominoes<W>>, free: W },
    Other { engine: Box<Engine<Placement<W>>>, watch: Watch },
}

impl<W: CellSet> SpareMoveSolver<W> {
    fn new(game: &Placement<W>, memory: usize, watch: &Watch) -> Self {
        match Dominoes::for_game(game) {
            Some(dominoes) => {
                let dominoes = Arc::new(dominoes);
                let solver = AlphaBeta::new(Arc::clone(&dominoes), memory, watch);
                Self::Dominoes { solver: Box::new(solver), dominoes, free: game.free(&game.start) }
            }
            None => {
                let engine = Engine::new(game.clone(), Budget { memory, threads: 1 });
                Self::Other { engine: Box::new(engine), watch: watch.clone() }
            }
        }
    }

    /// Whether the value is at least (player 0) or at most (player 1) `number`, if there is time to
    /// find out: whether the player who begins loses when the other one has `number` spare moves.
    fn holds(&mut self, player: usize, number: i64) -> Option<bool> {
        let right_to_move = player == 0;
        let outcome = match self {
            Self::Dominoes { solver, dominoes, free } => {
                let lead = i8::try_from(-number).ok().filter(|lead| lead.unsigned_abs() <= 50)?;
                solver.outcome(&dominoes.position(*free, lead, right_to_move)).ok()
            }
            Self::Other { engine, watch } if number == 0 => {
                let position = Position { right_to_move, ..engine.game().start() };
                engine.solve(&position, Goal::Winner, watch, |_| {}).ok()?.outcome()
            }
            Self::Other { .. } => None,
        };
        outcome.map(|outcome| outcome == Outcome::Loss)
    }
}
