//! The peers, each behind an adapter of its own.

pub mod board_game;
pub mod connect_four_ai;
pub mod game_solver;
pub mod minimax;

use balpan::{Game, Verdict};

/// A solver for any game.
pub trait Peer {
    /// Its name, and the algorithm's where it has more than one.
    const NAME: &'static str;

    /// The verdict of a position that has a move, exactly, by a solver that has met
    /// nothing before. No play from it is longer than `plies`.
    fn verdict<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> Verdict;

    /// Its best moves.
    fn best<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> Vec<G::Move>;
}
