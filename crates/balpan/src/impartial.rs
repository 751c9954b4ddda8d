//! Impartial games: parts and nimbers.

use crate::keyed::Keyed;
use crate::tame::Tame;

/// A game that may be impartial, which means that both players have the same moves in every
/// position. By default it is not.
pub trait Impartial: Keyed {
    /// Whether the game is impartial under normal play: both players
    /// have the same moves in every position, and whoever cannot move loses. Law:
    /// if so, [`end`](crate::Game::end) is a loss. A search that comes to another end refuses the game.
    fn is_impartial(&self) -> bool {
        false
    }

    /// Whether the game is impartial under misère play: both players
    /// have the same moves in every position, and whoever cannot move wins. Law: if so,
    /// [`end`](crate::Game::end) is a win. A search that comes to another end refuses the game.
    fn is_impartial_misere(&self) -> bool {
        false
    }

    /// Adds the position's independent parts to `parts`, where the game is
    /// [impartial](Self::is_impartial): positions of the same game of which each move
    /// changes one alone. Parts without a move may be left out, and parts of the same
    /// nimber may be the same. Law: the nimber of the position is the sum, by XOR,
    /// of those of the parts.
    ///
    /// Under [misère play](Self::is_impartial_misere) nimbers do not determine the value of
    /// a part, so two parts may be the same only if play can go the same ways from
    /// both. Law: a move leads from the sum of the parts to the same sums as from the
    /// position.
    fn split(&self, position: &Self::Position, parts: &mut Vec<Self::Position>) {
        parts.push(self.canonical(position));
    }

    /// The moves of a part that [`split`](Self::split) has returned, in the order in which a solver is to look
    /// at them: best begin with those that are likely to leave parts of known nimbers. By default, in that of
    /// [`moves`](crate::Game::moves). Law: these are the same moves.
    fn part_moves(&self, part: &Self::Position) -> impl Iterator<Item = Self::Move> {
        self.moves(part)
    }

    /// The number of moves. Solvers call it for every position they meet.
    fn mobility(&self, position: &Self::Position) -> usize {
        self.moves(position).count()
    }

    /// The nimber of a part that [`split`](Self::split) has returned, if it is known without a search.
    fn nimber(&self, _part: &Self::Position) -> Option<u32> {
        None
    }

    /// What a part that [`split`](Self::split) has returned is in sums by the misère convention, if it is
    /// known without a search that it is [tame](Tame). Law: it is, and so are all that follow from it.
    fn tame(&self, _part: &Self::Position) -> Option<Tame> {
        None
    }
}
