//! `game-solver`: negamax in null windows with a table.

use std::hash::{Hash, Hasher};

use ::game_solver::{Player, move_scores, solve};
use balpan::{Outcome, Verdict};

use super::{Game, Peer};

/// Scores the plies saved, as the crate's own examples do: a win at ply `n` is
/// `MOST - n`.
const MOST: u32 = 100;

struct State<G: Game> {
    game: &'static G,
    position: G::Position,
    plies: u32,
}

impl<G: Game> Clone for State<G> {
    fn clone(&self) -> Self {
        Self { position: self.position.clone(), ..*self }
    }
}

impl<G: Game> PartialEq for State<G> {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.plies == other.plies
    }
}

impl<G: Game> Eq for State<G> {}

impl<G: Game> Hash for State<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
        self.plies.hash(state);
    }
}

impl<G: Game> ::game_solver::Game for State<G> {
    type Move = G::Move;
    type Iter = std::vec::IntoIter<G::Move>;

    fn player(&self) -> Player {
        if self.plies.is_multiple_of(2) { Player::P1 } else { Player::P2 }
    }

    fn score(&self) -> u32 {
        MOST - self.plies
    }

    fn max_score(&self) -> u32 {
        MOST
    }

    fn min_score(&self) -> i32 {
        -(MOST as i32)
    }

    fn make_move(&mut self, mv: G::Move) -> bool {
        self.position = self.game.play(&self.position, mv);
        self.plies += 1;
        true
    }

    fn possible_moves(&self) -> Self::Iter {
        self.game.moves(&self.position).collect::<Vec<_>>().into_iter()
    }

    /// The one place where the interface asks how play ends.
    fn is_winning_move(&self, mv: G::Move) -> bool {
        let after = self.game.play(&self.position, mv);
        self.game.moves(&after).next().is_none() && self.game.end(&after) == Outcome::Loss
    }
}

/// `solve` and `move_scores`.
pub struct GameSolver;

impl Peer for GameSolver {
    const NAME: &'static str = "game-solver";

    fn verdict<G: Game>(game: &'static G, position: &G::Position, _plies: u32) -> Verdict {
        let score = solve(&State { game, position: position.clone(), plies: 0 });
        let outcome = match score {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        };
        Verdict { outcome, remoteness: (score != 0).then(|| MOST - score.unsigned_abs()), score: None }
    }

    fn best<G: Game>(game: &'static G, position: &G::Position, _plies: u32) -> Vec<G::Move> {
        let state = State { game, position: position.clone(), plies: 0 };
        let scores: Vec<_> = move_scores(&state).collect();
        let most = scores.iter().map(|&(_, score)| score).max();
        scores.into_iter().filter(|&(_, score)| Some(score) == most).map(|(mv, _)| mv).collect()
    }
}
