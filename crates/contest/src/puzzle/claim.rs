//! Decides whether a position is a puzzle: cheap refusals first, then every claim about it.

use balpan::{Hints, Keyed, Outcome, Solution, Solver, Stopped, Watch, solve};

use super::difficulty::Difficulty;
use super::rank::{Rank, Wrong};
use super::{Plies, Puzzle, PuzzleIn};

/// What looks at one position after the other.
pub(super) struct Claims<'a, G, S> {
    pub(super) game: &'a G,
    pub(super) solver: S,
    /// The plies to the win.
    pub(super) plies: Plies,
    /// Large heaps have too many moves to look up each.
    pub(super) watch: &'a Watch,
}

impl<G: Keyed + Hints, S: Solver<G::Position>> Claims<'_, G, S> {
    /// The puzzle that a position is, if it is one.
    pub(super) fn look(&mut self, position: &G::Position) -> Result<Option<PuzzleIn<G>>, Stopped> {
        if !self.has_one_winning_move(position)? {
            return Ok(None);
        }
        let value = self.solver.value(position)?;
        if value.remoteness().is_none_or(|plies| !self.plies.holds(plies)) {
            return Ok(None);
        }
        // How far one position is shows nobody how far the search is.
        let unseen = Watch::default();
        let solution = solve(self.game, position, balpan::Goal::MoveValues, &mut self.solver, &unseen)?;
        let Some(winning) = solution.best_moves().next() else {
            return Ok(None);
        };
        let wrong = self.wrong_moves(position, &solution, winning)?;
        let rank = Rank::new(&solution, &wrong);
        let difficulty = Difficulty::new(&solution, &wrong);
        Ok(Some(Puzzle { position: position.clone(), solution, winning, wrong, rank, difficulty }))
    }

    /// Whether there are two moves or more, of which exactly one wins.
    fn has_one_winning_move(&mut self, position: &G::Position) -> Result<bool, Stopped> {
        let moves: Vec<_> = self.game.moves(position).collect();
        if moves.len() < 2 || self.solver.outcome(position)? != Outcome::Win {
            return Ok(false);
        }
        let mut winning = 0;
        for mv in moves {
            self.watch.count(0)?;
            let after = self.game.play(position, mv);
            winning += u32::from(self.solver.outcome(&after)? == Outcome::Loss);
            if winning > 1 {
                return Ok(false);
            }
        }
        Ok(winning == 1)
    }

    /// What speaks for each move that does not win.
    fn wrong_moves(
        &mut self,
        position: &G::Position,
        solution: &Solution<G::Move>,
        winning: G::Move,
    ) -> Result<Vec<Wrong<G::Move>>, Stopped> {
        let game = self.game;
        // At a glance: the fewer replies the better, then as the game's own order has it.
        let look = |mv: G::Move| {
            let after = game.play(position, mv);
            (std::cmp::Reverse(game.moves(&after).count()), game.rank(position, mv, &after))
        };
        let looks = look(winning);
        let way = solution.verdict.remoteness.unwrap_or(0);
        let mut wrong = Vec::with_capacity(solution.moves.len());
        for &(mv, verdict) in solution.moves.iter().filter(|(_, verdict)| verdict.outcome != Outcome::Win) {
            self.watch.count(0)?;
            wrong.push(Wrong {
                mv,
                verdict,
                late: verdict.remoteness.is_none_or(|plies| 2 * plies >= way),
                natural: look(mv) > looks,
                only_reply: self.only_reply(&game.play(position, mv), verdict.outcome.reversed())?,
            });
        }
        Ok(wrong)
    }

    /// The one reply among several that has this value for the player who makes it.
    fn only_reply(&mut self, after: &G::Position, worth: Outcome) -> Result<Option<G::Move>, Stopped> {
        let replies: Vec<_> = self.game.moves(after).collect();
        let mut only = None;
        for &reply in &replies {
            if self.solver.outcome(&self.game.play(after, reply))?.reversed() == worth && only.replace(reply).is_some()
            {
                return Ok(None);
            }
        }
        Ok(only.filter(|_| replies.len() > 1))
    }
}
