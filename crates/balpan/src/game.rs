//! What a game is.

use std::hash::Hash;

use crate::value::Outcome;

/// A two-player game of perfect information in which play always ends.
///
/// A value of the implementing type is one set of rules on a board, shared by all
/// positions. What else a solver may be told, to be faster, are capabilities of their
/// own: how positions are remembered ([`Keyed`](crate::Keyed)), what a search may be told
/// ([`Hints`](crate::Hints)), what an impartial game adds ([`Impartial`](crate::Impartial)).
/// All their methods have defaults that are sound; a game that has none of them is solved
/// as [`Plain`](crate::Plain)`(game)`. [`crate::laws::check`] tests the laws of all.
///
/// Turns alternate strictly. A pass is a move that changes nothing but whose turn it is;
/// what keeps it from going on for ever (a count of passes, say) belongs to the position.
/// An extra turn is one move: the first action and all that the same player does next; or
/// the other player gets a single move that changes nothing but the turn, which counts as a ply.
///
/// `&G` and `Arc<G>` are games where `G` is one.
pub trait Game: Sync {
    /// All that the rest of the game depends on, the side to move included.
    /// Small and cheap to clone: solvers store millions of them.
    type Position: Clone + Eq + Hash + Send + Sync;
    /// One action of the player to move.
    type Move: Copy + PartialEq + Send + Sync;

    /// Where play begins.
    fn start(&self) -> Self::Position;

    /// The moves of the player to move, each once, in a fixed order. A position
    /// without moves is an end. Law: play ends, whatever is played.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;

    /// The position after `mv`, one of the position's [`moves`](Self::moves).
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Whether play has ended. Law: if, and only if, there are no
    /// [`moves`](Self::moves). Games override it where that is told more quickly than
    /// by the first of them.
    fn is_over(&self, position: &Self::Position) -> bool {
        self.moves(position).next().is_none()
    }

    /// How play has ended, for the player to move, in a position without moves.
    /// By default that player loses: the normal play convention.
    fn end(&self, _position: &Self::Position) -> Outcome {
        Outcome::Loss
    }

    /// Whether the position keeps the representation's own invariants. Law: it
    /// holds at the start and after every move. Solvers do not ask.
    fn is_legal(&self, _position: &Self::Position) -> bool {
        true
    }
}
