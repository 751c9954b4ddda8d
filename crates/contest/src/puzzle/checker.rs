//! Checks whether a position is a puzzle: cheap tests first, then every claim about it.

use balpan::{BoxedSolver, Game, Outcome, Solution, Stopped, Turn, Watch, solve_with};

use super::ranking::{Difficulty, Rank, WrongMove, win_plies};
use super::{PlyRange, Puzzle, PuzzleIn};

/// A checker of positions.
pub(super) struct PuzzleChecker<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) solver: BoxedSolver<G::Position>,
    /// The range of plies to the win.
    pub(super) plies: PlyRange,
    /// Polled between moves: large heaps have many.
    pub(super) watch: &'a Watch,
}

impl<G: Game> PuzzleChecker<'_, G> {
    /// Returns the puzzle if the position is one.
    pub(super) fn check(&mut self, position: &G::Position) -> Result<Option<PuzzleIn<G>>, Stopped> {
        if !self.has_one_winning_move(position)? {
            return Ok(None);
        }
        if self.solver.value(position)?.remoteness().is_some_and(|plies| !self.plies.contains(plies)) {
            return Ok(None);
        }
        // Progress on one position is not progress of the search.
        let no_progress = Watch::default();
        let solution = solve_with(self.game, position, balpan::Goal::MoveValues, &mut *self.solver, &no_progress)?;
        let Some(winning) = solution.best_moves().next().filter(|_| self.plies.contains(win_plies(&solution))) else {
            return Ok(None);
        };
        let wrong = self.wrong_moves(position, &solution, winning)?;
        let rank = Rank::new(&solution, &wrong);
        let difficulty = Difficulty::new(&solution, &wrong);
        Ok(Some(Puzzle { position: position.clone(), solution, winning, wrong, rank, difficulty }))
    }

    /// Whether there are at least two moves and exactly one wins.
    fn has_one_winning_move(&mut self, position: &G::Position) -> Result<bool, Stopped> {
        let moves: Vec<_> = self.game.moves(position).collect();
        if moves.len() < 2 || self.solver.outcome(position)? != Outcome::Win {
            return Ok(false);
        }
        let mut winning = 0;
        for mv in moves {
            self.watch.count(0)?;
            winning += u32::from(self.outcome_of(position, mv)? == Outcome::Win);
            if winning > 1 {
                return Ok(false);
            }
        }
        Ok(winning == 1)
    }

    /// Returns the moves that do not win, with their signs.
    fn wrong_moves(
        &mut self,
        position: &G::Position,
        solution: &Solution<G::Move>,
        winning: G::Move,
    ) -> Result<Vec<WrongMove<G::Move>>, Stopped> {
        let game = self.game;
        // A move looks better the fewer replies it leaves, then by the game's move ordering.
        let appeal = |mv: G::Move| {
            let after = game.play(position, mv);
            (std::cmp::Reverse(game.moves(&after).count()), game.rank(position, mv, &after))
        };
        let winning_appeal = appeal(winning);
        let win_plies = win_plies(solution);
        let mut wrong = Vec::with_capacity(solution.moves.len());
        for &(mv, verdict) in solution.moves.iter().filter(|(_, verdict)| verdict.outcome != Outcome::Win) {
            self.watch.count(0)?;
            wrong.push(WrongMove {
                mv,
                verdict,
                late: verdict.remoteness.is_none_or(|plies| 2 * plies >= win_plies),
                natural: appeal(mv) > winning_appeal,
                only_reply: self.only_reply(position, mv, verdict.outcome.reversed())?,
            });
        }
        Ok(wrong)
    }

    /// Returns the outcome of a move for the player who makes it.
    fn outcome_of(&mut self, position: &G::Position, mv: G::Move) -> Result<Outcome, Stopped> {
        let after = self.game.play(position, mv);
        let outcome = self.solver.outcome(&after)?;
        Ok(if self.game.turn(position, mv, &after) == Turn::Passes { outcome.reversed() } else { outcome })
    }

    /// Returns the only one of several replies to a move that has this outcome for the player who makes it; none if the
    /// move keeps the turn.
    fn only_reply(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        outcome: Outcome,
    ) -> Result<Option<G::Move>, Stopped> {
        let after = self.game.play(position, mv);
        if self.game.turn(position, mv, &after) == Turn::Kept {
            return Ok(None);
        }
        let replies: Vec<_> = self.game.moves(&after).collect();
        let mut only = None;
        for &reply in &replies {
            if self.outcome_of(&after, reply)? == outcome && only.replace(reply).is_some() {
                return Ok(None);
            }
        }
        Ok(only.filter(|_| replies.len() > 1))
    }
}
