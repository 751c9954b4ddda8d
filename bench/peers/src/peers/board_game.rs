//! `board-game`: its `solver`, alpha-beta without a table.

use std::fmt;

use ::board_game::ai::solver::{SolverValue, solve_all_moves, solve_value};
use ::board_game::board::{Board, BoardDone, BoardMoves, BoardSymmetry, Outcome as Ended, PlayError, Player};
use ::board_game::symmetry::UnitSymmetry;
use ::board_game::util::iter::ClonableInternal;
use balpan::{Outcome, Verdict};

use super::{Game, Peer};

struct State<G: Game> {
    game: &'static G,
    position: G::Position,
    mover: Player,
}

impl<G: Game> Clone for State<G> {
    fn clone(&self) -> Self {
        Self { position: self.position.clone(), ..*self }
    }
}

impl<G: Game> PartialEq for State<G> {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.mover == other.mover
    }
}

impl<G: Game> Eq for State<G> {}

impl<G: Game> fmt::Debug for State<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a position")
    }
}

impl<G: Game> fmt::Display for State<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a position")
    }
}

/// A move with the traits that the crate asks for.
struct Move<M>(M);

impl<M: Copy> Clone for Move<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Copy> Copy for Move<M> {}

impl<M: PartialEq> PartialEq for Move<M> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<M: PartialEq> Eq for Move<M> {}

impl<M> fmt::Debug for Move<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move")
    }
}

impl<M> fmt::Display for Move<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move")
    }
}

impl<G: Game> Board for State<G> {
    type Move = Move<G::Move>;

    fn next_player(&self) -> Player {
        self.mover
    }

    fn is_available_move(&self, mv: Self::Move) -> Result<bool, BoardDone> {
        self.check_done()?;
        Ok(self.game.moves(&self.position).any(|available| available == mv.0))
    }

    fn play(&mut self, mv: Self::Move) -> Result<(), PlayError> {
        self.position = self.game.play(&self.position, mv.0);
        self.mover = self.mover.other();
        Ok(())
    }

    fn outcome(&self) -> Option<Ended> {
        if self.game.moves(&self.position).next().is_some() {
            return None;
        }
        Some(match self.game.end(&self.position) {
            Outcome::Win => Ended::WonBy(self.mover),
            Outcome::Draw => Ended::Draw,
            Outcome::Loss => Ended::WonBy(self.mover.other()),
        })
    }

    fn can_lose_after_move() -> bool {
        true
    }
}

impl<'a, G: Game> BoardMoves<'a, Self> for State<G> {
    type AllMovesIterator = ClonableInternal<std::vec::IntoIter<Move<G::Move>>>;
    type AvailableMovesIterator = ClonableInternal<std::vec::IntoIter<Move<G::Move>>>;

    /// No solver asks.
    fn all_possible_moves() -> Self::AllMovesIterator {
        ClonableInternal::new(Vec::new().into_iter())
    }

    fn available_moves(&'a self) -> Result<Self::AvailableMovesIterator, BoardDone> {
        let moves: Vec<_> = self.game.moves(&self.position).map(Move).collect();
        if moves.is_empty() { Err(BoardDone) } else { Ok(ClonableInternal::new(moves.into_iter())) }
    }
}

impl<G: Game> BoardSymmetry<Self> for State<G> {
    type Symmetry = UnitSymmetry;
    type CanonicalKey = ();

    fn map(&self, _: UnitSymmetry) -> Self {
        self.clone()
    }

    fn map_move(&self, _: UnitSymmetry, mv: Move<G::Move>) -> Move<G::Move> {
        mv
    }

    fn canonical_key(&self) {}
}

/// `solve_value` and `solve_all_moves`.
pub struct BoardGame;

impl Peer for BoardGame {
    const NAME: &'static str = "board-game";

    fn verdict<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> Verdict {
        match solve_value(&State { game, position: position.clone(), mover: Player::A }, plies) {
            SolverValue::WinIn(plies) => Verdict { outcome: Outcome::Win, remoteness: Some(plies), score: None },
            SolverValue::LossIn(plies) => Verdict { outcome: Outcome::Loss, remoteness: Some(plies), score: None },
            SolverValue::Draw | SolverValue::Unknown => Outcome::Draw.into(),
        }
    }

    fn best<G: Game>(game: &'static G, position: &G::Position, plies: u32) -> Vec<G::Move> {
        let state = State { game, position: position.clone(), mover: Player::A };
        solve_all_moves(&state, plies).best_move.into_iter().flatten().map(|mv| mv.0).collect()
    }
}
