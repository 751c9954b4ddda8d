//! What a game is.

use std::hash::Hash;

use crate::value::Outcome;

/// A two-player game of perfect information in which play always ends.
///
/// A value of the implementing type is one set of rules on a board, shared by all positions.
///
/// Further traits make solving faster: [`Keyed`](crate::Keyed) for keys and symmetries,
/// [`Hints`](crate::Hints) for bounds and the order of moves, [`Impartial`](crate::Impartial) for
/// nimbers. All their methods have correct defaults, and [`Plain`](crate::Plain)`(game)` uses the
/// defaults of all. [`laws::check`](crate::laws::check) tests the laws stated below and theirs.
///
/// Turns alternate strictly. A pass is a move that changes only whose turn it is; whatever
/// limits passes, such as a count of them, is part of the position. An extra turn is one move
/// that consists of all actions up to the end of that player's turn, or it is two turns with a
/// single forced move of the other player between them, which counts as a ply.
///
/// `&G` and `Arc<G>` are games where `G` is one.
pub trait Game: Sync {
    /// Everything that the rest of the game depends on, the side to move included.
    /// Make it small and cheap to clone: solvers store millions of them.
    type Position: Clone + Eq + Hash + Send + Sync;
    /// One action of the player to move.
    type Move: Copy + PartialEq + Send + Sync;

    /// Where play begins.
    fn start(&self) -> Self::Position;

    /// The moves of the player to move, each once, in a fixed order. A position
    /// without moves is an end. Law: play ends, whatever is played, within [`MAX_PLIES`](crate::MAX_PLIES) plies. A
    /// search that finds play to repeat or to last longer refuses the game.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;

    /// The position after `mv`, one of the position's [`moves`](Self::moves).
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Whether play has ended. Law: if, and only if, there are no
    /// [`moves`](Self::moves). Override it if there is a quicker way than to generate the first
    /// move.
    fn is_over(&self, position: &Self::Position) -> bool {
        self.moves(position).next().is_none()
    }

    /// How play has ended, for the player to move, in a position without moves.
    /// By default that player loses: normal play.
    fn end(&self, _position: &Self::Position) -> Outcome {
        Outcome::Loss
    }

    /// Whether the position keeps the invariants of its representation. Law: it does at the start
    /// and after every move. Only [`laws::check`](crate::laws::check) calls it.
    fn is_legal(&self, _position: &Self::Position) -> bool {
        true
    }
}
