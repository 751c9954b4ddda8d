//! What a game is.

use std::hash::Hash;

use crate::value::{Bounds, Outcome, Value};

/// The longest [keys](Game::key) that solvers can remember positions by: enough for
/// three kinds of cells on 64, and a bit more.
pub const MOST_KEY_BITS: u32 = 103;

/// A two-player game of perfect information in which play always ends.
///
/// A value of the implementing type is one set of rules (a board size, say),
/// shared by all positions. The first four methods are the game; the others are
/// hooks whose defaults are sound, and which a game overrides to be solved
/// faster. Each hook states the law that it must keep; [`crate::laws::check`]
/// tests them all on random play.
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

    /// One position chosen from all those that a symmetry turns into this one.
    /// Law: it has the same value, and is its own canonical form.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// How many bits the [`key`](Self::key)s of positions have; 0 if they have none.
    /// Without keys, or with longer ones than [`MOST_KEY_BITS`], solvers remember
    /// nothing.
    fn key_bits(&self) -> u32 {
        0
    }

    /// The position as a number of [`key_bits`](Self::key_bits) bits. Law: canonical
    /// positions that differ, and parts, have keys that differ if they are
    /// [memorable](Self::is_memorable).
    fn key(&self, _position: &Self::Position) -> u128 {
        0
    }

    /// Whether solvers should look the position up among those met before, and
    /// remember it: games say no where positions seldom recur, where searching once
    /// more costs less than the look-up, or where the key does not tell all. Law: its
    /// canonical form's key does, if it says yes.
    fn is_memorable(&self, _position: &Self::Position) -> bool {
        true
    }

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

    /// Those of the [`moves`](Self::moves) that can matter, in a fixed order: a
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

    /// Whether the game is impartial and played by the normal convention: both players
    /// have the same moves in every position, and who cannot move loses. Law:
    /// if so, [`end`](Self::end) is a loss.
    fn is_impartial(&self) -> bool {
        false
    }

    /// Whether the game is impartial and played by the misère convention: both players
    /// have the same moves in every position, and who cannot move wins. Law: if so,
    /// [`end`](Self::end) is a win.
    fn is_impartial_misere(&self) -> bool {
        false
    }

    /// Adds the position's independent parts to `parts`, where the game is
    /// [impartial](Self::is_impartial): positions of the same game of which each move
    /// changes one alone. Parts without a move may be left out, and parts of the same
    /// nimber may be the same. Law: the nimber of the position is the sum, by XOR,
    /// of those of the parts.
    ///
    /// By the [misère convention](Self::is_impartial_misere), nimbers do not tell what
    /// a part is worth, so parts may be the same only if play can go the same ways from
    /// both. Law: a move leads from the sum of the parts to the same sums as from the
    /// position.
    fn split(&self, position: &Self::Position, parts: &mut Vec<Self::Position>) {
        parts.push(self.canonical(position));
    }

    /// How many moves there are: for solvers that ask so of every position they meet.
    fn mobility(&self, position: &Self::Position) -> usize {
        self.moves(position).count()
    }

    /// The nimber of a part that [`split`](Self::split) has made, if it can be told without a search.
    fn nimber(&self, _part: &Self::Position) -> Option<u32> {
        None
    }

    /// Whether the position keeps the representation's own invariants. Law: it
    /// holds at the start and after every move. Solvers do not ask.
    fn is_legal(&self, _position: &Self::Position) -> bool {
        true
    }
}

/// How many bits the keys have that solvers use.
#[inline]
pub(crate) fn usable_key_bits<G: Game>(game: &G) -> u32 {
    let bits = game.key_bits();
    if bits <= MOST_KEY_BITS { bits } else { 0 }
}
