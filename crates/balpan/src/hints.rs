//! What makes a search of a game faster.

use crate::game::Game;
use crate::value::{Bounds, Value};

/// Bounds, candidate moves and an order of moves, with which a search visits fewer positions. All
/// defaults are correct: no bounds, all moves, no order.
pub trait Hints: Game {
    /// Bounds on the value of a position that has a move, as far as they are cheap to compute.
    /// The search wants to know whether the value is better than `threshold`; bounds that do not
    /// decide that may be left out. Law: the value is within, whatever `threshold` is. By default
    /// [`Bounds::ANY`].
    fn bounds(&self, _position: &Self::Position, _threshold: Value) -> Bounds {
        Bounds::ANY
    }

    /// Decides whether the value of a position that has a move is better than `threshold`, if the game
    /// can do so faster than a search by its moves. Returns a lower bound that is better, or an upper
    /// bound that is not; `None` if it cannot decide. Law: the value is within the bound. Unlike
    /// [`bounds`](Self::bounds) it may take its time: solvers call it once for a position that they
    /// would search otherwise, and remember the answer. By default `None`.
    fn settle(&self, _position: &Self::Position, _threshold: Value) -> Option<Value> {
        None
    }

    /// The [`moves`](Game::moves) that a search has to try, in a fixed order. Law: one of them reaches
    /// the position's value, unless [`bounds`](Self::bounds) decide the question, for the position and
    /// for all with the same canonical form. By default, all moves.
    fn candidates(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move> {
        self.moves(position)
    }

    /// How promising a move is that leads to `after`: solvers try higher ranks first. A bad rank
    /// costs time, never correctness. By default all are equal.
    fn rank(&self, _position: &Self::Position, _mv: Self::Move, _after: &Self::Position) -> i32 {
        0
    }
}
