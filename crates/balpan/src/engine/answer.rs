//! Answers, which grow while a position is solved.

use std::fmt;

use super::steps::AnswerBuilder;
use crate::game::Game;
use crate::search::{BrokenPromise, Solver, Stopped, Watch};
use crate::value::{Bounds, Outcome, Value};

/// How far an answer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The outcome only, and a move that reaches it. Other moves are not searched, which can save nearly all the work.
    Winner,
    /// The outcome of the position and of every move.
    MoveOutcomes,
    /// The outcome and the remoteness or score, all best moves, and a line.
    Value,
    /// All of [`Value`](Self::Value), and the value of every move.
    MoveValues,
}

impl Goal {
    /// Returns whether the answer includes remotenesses and scores.
    #[must_use]
    pub const fn includes_remoteness(self) -> bool {
        matches!(self, Self::Value | Self::MoveValues)
    }

    /// Returns whether the answer includes moves that are not best.
    #[must_use]
    pub const fn includes_all_moves(self) -> bool {
        matches!(self, Self::MoveOutcomes | Self::MoveValues)
    }
}

/// An outcome, with its remoteness or score if that is known and the goal includes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The outcome, for the player to move.
    pub outcome: Outcome,
    /// The plies to the end under optimal play; `None` for a draw or a score, or if only the outcome is known or included.
    pub remoteness: Option<u32>,
    /// The [score](crate::Game::score); `None` for a draw or an end without one, or if only the outcome is known or included.
    pub score: Option<i32>,
}

/// `win in 5`, `win by 3`, `draw`, or `loss` if no more is known.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.remoteness, self.score) {
            (Some(plies), _) => f.pad(&format!("{} in {plies}", self.outcome)),
            (None, Some(score)) => f.pad(&format!("{} by {}", self.outcome, score.unsigned_abs())),
            (None, None) => self.outcome.fmt(f),
        }
    }
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Self {
        let score = value.score().filter(|score| *score != 0);
        Self { outcome: value.outcome(), remoteness: value.remoteness(), score }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, remoteness: None, score: None }
    }
}

/// The answer about a position, as far as it is known. It grows step by step, and is true at every step: first the winner,
/// then the remoteness with all best moves and a line, then the outcome of every other move, then the remoteness of every
/// other move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<Move> {
    /// How far the answer goes when it is complete.
    pub goal: Goal,
    /// Bounds on the value, for the player to move.
    pub bounds: Bounds,
    /// Whether play has ended here.
    pub is_over: bool,
    /// Every move in the game's order, with bounds on its value for the player who makes it. A best move has the
    /// position's own bounds.
    pub moves: Vec<(Move, Bounds)>,
    /// Best moves to the end; empty if the goal does not include a line, or it is not known yet.
    pub line: Vec<Move>,
    /// Whether the goal is reached.
    pub complete: bool,
    /// The number of positions searched for this answer.
    pub positions: u64,
}

impl<Move: Copy> Answer<Move> {
    /// Returns the outcome, if it is known.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.bounds.outcome()
    }

    /// Returns the position's verdict, if the outcome is known.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict_for(self.bounds)
    }

    /// Returns the verdict of a value within `bounds`, with the remoteness only if the goal includes it.
    #[must_use]
    pub fn verdict_for(&self, bounds: Bounds) -> Option<Verdict> {
        let outcome = bounds.outcome()?;
        let value = bounds.value().filter(|_| self.goal.includes_remoteness() || self.is_over);
        Some(value.map_or_else(|| outcome.into(), Verdict::from))
    }

    /// Returns whether a move with these bounds is known to be as good as any.
    #[must_use]
    pub fn is_best(&self, move_bounds: Bounds) -> bool {
        if self.goal.includes_remoteness() && self.bounds.value().is_some() {
            return move_bounds.lower >= self.bounds.upper;
        }
        self.outcome().is_some_and(|outcome| move_bounds.lower.outcome() >= outcome)
    }

    /// Returns the moves that are known to be as good as any.
    pub fn best_moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().filter(|(_, bounds)| self.is_best(*bounds)).map(|(mv, _)| *mv)
    }

    /// Returns the moves to show, with their bounds: all moves if the goal includes them, otherwise the best.
    pub fn moves_to_show(&self) -> impl Iterator<Item = (Move, Bounds)> {
        let is_shown = |bounds: &Bounds| self.goal.includes_all_moves() || self.is_best(*bounds);
        self.moves.iter().filter(move |(_, bounds)| is_shown(bounds)).copied()
    }
}

/// `win in 5 by (0, 2)`, with all best moves that are known; `unknown` if the outcome is not.
impl<Move: Copy + fmt::Debug> fmt::Display for Answer<Move> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(verdict) = self.verdict() else { return f.write_str("unknown") };
        write!(f, "{verdict}")?;
        for (n, mv) in self.best_moves().enumerate() {
            write!(f, "{}{mv:?}", if n == 0 { " by " } else { " or " })?;
        }
        Ok(())
    }
}

/// A position's verdict, that of every move, and one optimal continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<Move> {
    /// The position's verdict, for the player to move.
    pub verdict: Verdict,
    /// Every move in the game's order with its verdict, for the player who makes
    /// it: a best move repeats the position's own. If the goal does not include every move,
    /// the best moves that are known.
    pub moves: Vec<(Move, Verdict)>,
    /// Best moves to the end; empty if the goal is an outcome.
    pub line: Vec<Move>,
}

impl<Move: Copy> Solution<Move> {
    /// Returns the moves that reach the position's verdict.
    pub fn best_moves(&self) -> impl Iterator<Item = Move> {
        let best = self.verdict;
        self.moves.iter().filter(move |(_, verdict)| *verdict == best).map(|&(mv, _)| mv)
    }

    /// Returns the solution of a complete answer; `None` if the answer is not complete.
    #[must_use]
    pub fn from_answer(answer: &Answer<Move>) -> Option<Self> {
        let verdict = answer.verdict().filter(|_| answer.complete)?;
        let verdict_of = |bounds| answer.verdict_for(bounds).unwrap_or(verdict);
        let moves = answer.moves_to_show().map(|(mv, bounds)| (mv, verdict_of(bounds))).collect();
        Some(Self { verdict, moves, line: answer.line.clone() })
    }
}

/// Solves `position` with `solver` up to `goal`. An [`Engine`](crate::Engine) chooses the solver itself and reports every
/// step.
///
/// Cost: the value, a null-window test for each move and for the moves up to the first best one of each position along
/// the line; with [`Goal::MoveValues`], the values of all moves.
///
/// # Errors
/// [`Stopped`] if the solver's watch stops the search.
///
/// ```
/// use balpan::{Game, Goal, Minimax, Outcome, Watch, solve_with};
///
/// /// One or two are taken at a time; whoever takes the last wins.
/// struct Heap;
/// impl Game for Heap {
///     type Position = u32;
///     type Move = u32;
///     fn start(&self) -> u32 { 4 }
///     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(2) }
///     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
/// }
/// let (game, watch) = (Heap, Watch::default());
/// let solution = solve_with(&game, &4, Goal::Value, &mut Minimax::new(&game, &watch), &watch)?;
/// assert_eq!(solution.verdict.outcome, Outcome::Win);
/// assert_eq!(solution.line, [1, 1, 2]);
/// # Ok::<(), balpan::Stopped>(())
/// ```
pub fn solve_with<G: Game>(
    game: &G,
    position: &G::Position,
    goal: Goal,
    solver: &mut dyn Solver<G::Position>,
    watch: &Watch,
) -> Result<Solution<G::Move>, Stopped> {
    let mut ignore = |_: &Answer<G::Move>| {};
    let mut steps = AnswerBuilder::new(game, position, goal, solver, watch, &mut ignore);
    steps.run()?;
    Solution::from_answer(&steps.answer).ok_or(Stopped::Broken(BrokenPromise::Contradiction))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_formatted_with_their_best_moves() {
        let (win, loss) = (Bounds::exact(Value::win(3)), Bounds::exact(Value::loss(2)));
        let mut answer = Answer {
            goal: Goal::MoveValues,
            bounds: win,
            is_over: false,
            moves: vec![('a', win), ('b', loss), ('c', win)],
            line: Vec::new(),
            complete: true,
            positions: 0,
        };
        assert_eq!(answer.to_string(), "win in 3 by 'a' or 'c'");
        answer.bounds = Bounds::ANY;
        assert_eq!(answer.to_string(), "unknown");
    }

    #[test]
    fn verdicts_are_formatted_as_values_are() {
        assert_eq!(Verdict::from(Value::loss(6)).to_string(), Value::loss(6).to_string());
        assert_eq!(format!("{:>5}|{}", Verdict::from(Value::DRAW), Verdict::from(Outcome::Win)), " draw|win");
    }
}
