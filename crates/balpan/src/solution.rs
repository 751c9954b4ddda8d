//! Solving a position with a solver of your choice.

use crate::answer::{Answer, Goal, Verdict};
use crate::hints::Hints;
use crate::keyed::Keyed;
use crate::solver::Solver;
use crate::steps::AnswerBuilder;
use crate::watch::{BrokenPromise, Stopped, Watch};

/// A position's verdict, that of every move, and one optimal continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<Move> {
    /// The position's verdict, for the player to move.
    pub verdict: Verdict,
    /// Every move in the game's order with its verdict, for the player who makes
    /// it: a best move repeats the position's own. If not every move was asked for, the
    /// best moves that are known.
    pub moves: Vec<(Move, Verdict)>,
    /// Best moves to the end; empty if only the outcome was asked for.
    pub line: Vec<Move>,
}

impl<Move: Copy> Solution<Move> {
    /// The moves that reach the position's verdict.
    pub fn best_moves(&self) -> impl Iterator<Item = Move> {
        let best = self.verdict;
        self.moves.iter().filter(move |(_, verdict)| *verdict == best).map(|&(mv, _)| mv)
    }

    /// What an answer says, if it is complete.
    #[must_use]
    pub fn from_answer(answer: &Answer<Move>) -> Option<Self> {
        let verdict = answer.verdict().filter(|_| answer.complete)?;
        let told = |bounds| answer.verdict_for(bounds).unwrap_or(verdict);
        let moves = answer.moves_to_show().map(|(mv, bounds)| (mv, told(bounds))).collect();
        Some(Self { verdict, moves, line: answer.line.clone() })
    }
}

/// Solves `position` with `solver`, as far as is asked. An [`Engine`](crate::Engine) chooses the
/// solver itself and reports every step.
///
/// Cost: the value, a yes-or-no question for each move and for the moves up to the first
/// best one along the line; with [`Goal::MoveValues`], the values of all moves.
///
/// # Errors
/// [`Stopped`] if the solver's watch says so.
///
/// ```
/// use balpan::{Goal, Game, Minimax, Outcome, Plain, Watch, solve};
///
/// /// One or two are taken at a time; who takes the last wins.
/// struct Heap;
/// impl Game for Heap {
///     type Position = u32;
///     type Move = u32;
///     fn start(&self) -> u32 { 4 }
///     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(2) }
///     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
/// }
/// let (game, watch) = (Plain(Heap), Watch::default());
/// let solution = solve(&game, &4, Goal::Value, &mut Minimax::new(&game, &watch), &watch)?;
/// assert_eq!(solution.verdict.outcome, Outcome::Win);
/// assert_eq!(solution.line, [1, 1, 2]);
/// # Ok::<(), balpan::Stopped>(())
/// ```
pub fn solve<G: Keyed + Hints>(
    game: &G,
    position: &G::Position,
    goal: Goal,
    solver: &mut impl Solver<G::Position>,
    watch: &Watch,
) -> Result<Solution<G::Move>, Stopped> {
    let mut ignore = |_: &Answer<G::Move>| {};
    let mut steps = AnswerBuilder::new(game, position, goal, solver, watch, &mut ignore);
    steps.run()?;
    Solution::from_answer(&steps.answer).ok_or(Stopped::Broken(BrokenPromise::Contradiction))
}
