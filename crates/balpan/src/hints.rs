//! What a search may be told of a game.

use crate::game::Game;
use crate::value::{Bounds, Value};

/// What a game can tell a search so that it visits fewer positions. Every default is
/// sound and tells nothing.
pub trait Hints: Game {
    /// What can be told cheaply of the value of a position that has a move, where it
    /// is asked whether the value is better than `asked`: what cannot tell that may
    /// be left out. Law: the value is within, whatever is asked. At the least
    /// [`Bounds::ANY`].
    fn bounds(&self, _position: &Self::Position, _asked: Value) -> Bounds {
        Bounds::ANY
    }

    /// Whether the value of a position that has a move is better than `asked`, where the
    /// game has a quicker way to tell than a search by its moves: a lower bound that is
    /// better, or an upper bound that is not. Law: the value is within. Unlike
    /// [`bounds`](Self::bounds) it may take its time: solvers ask it of what they would
    /// search next, and remember the answer. By default, there is no such way.
    fn settle(&self, _position: &Self::Position, _asked: Value) -> Option<Value> {
        None
    }

    /// Those of the [`moves`](Game::moves) that can matter, in a fixed order: a
    /// search plays no others. Law: one of them reaches the position's value, unless
    /// [`bounds`](Self::bounds) answer what is asked, of the position and of all that
    /// have the same canonical form. By default, all moves.
    fn candidates(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move> {
        self.moves(position)
    }

    /// How promising a move is that leads to `after`: solvers try higher ranks first.
    /// No law: a bad rank costs time, never exactness.
    fn rank(&self, _position: &Self::Position, _mv: Self::Move, _after: &Self::Position) -> i32 {
        0
    }
}
