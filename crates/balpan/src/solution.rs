//! Everything that one asks of a position: its value, every move's, and a line.

use crate::game::Game;
use crate::solver::Solver;
use crate::value::{Outcome, Value};
use crate::watch::{Stopped, Watch};

/// What a [`Solution`] is to contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Outcome and remoteness, and a line.
    Value,
    /// The outcome alone, of every move.
    Outcome,
    /// The outcome alone, and one move that reaches it. Other moves are not asked, which
    /// can spare nearly all the work.
    Winner,
}

/// An outcome, and the remoteness where it was asked for and there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end under optimal play; `None` for a draw, or if only the
    /// outcome was asked for.
    pub remoteness: Option<u32>,
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Self {
        Self { outcome: value.outcome(), remoteness: value.remoteness() }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, remoteness: None }
    }
}

/// A position's verdict, that of every move, and one optimal continuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<Move> {
    /// The position's verdict, for the player to move.
    pub verdict: Verdict,
    /// Every move in the game's order with its verdict, for the player who makes
    /// it: a best move repeats the position's own. If only the winner was asked for, the
    /// moves that are known: one, or, in a loss, all.
    pub moves: Vec<(Move, Verdict)>,
    /// Best moves to the end; empty if only the outcome was asked for.
    pub line: Vec<Move>,
}

impl<Move: Copy> Solution<Move> {
    /// The moves that reach the position's verdict.
    pub fn best(&self) -> impl Iterator<Item = Move> {
        let best = self.verdict;
        self.moves.iter().filter(move |(_, verdict)| *verdict == best).map(|&(mv, _)| mv)
    }
}

/// Solves `position` and each move from it, and follows a best line to the end.
///
/// Cost: one exact solve for each move at the root and, along the line, for the
/// moves up to the first best one; with a solver that remembers, the line is
/// nearly free.
///
/// # Errors
/// [`Stopped`] if `watch`, to which the solver reports too, says so.
///
/// ```
/// # use balpan::{Ask, Game, Minimax, Outcome, Watch, solve};
/// # struct Heap;
/// # impl Game for Heap {
/// #     type Position = u32;
/// #     type Move = u32;
/// #     fn start(&self) -> u32 { 4 }
/// #     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(2) }
/// #     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
/// # }
/// // `Heap`: one or two are taken at a time; who takes the last wins.
/// let watch = Watch::default();
/// let solution = solve(&Heap, &4, Ask::Value, &mut Minimax::new(&Heap, &watch), &watch)?;
/// assert_eq!(solution.verdict.outcome, Outcome::Win);
/// assert_eq!(solution.line, [1, 1, 2]);
/// # Ok::<(), balpan::Stopped>(())
/// ```
pub fn solve<G: Game>(
    game: &G,
    position: &G::Position,
    ask: Ask,
    solver: &mut impl Solver<G>,
    watch: &Watch,
) -> Result<Solution<G::Move>, Stopped> {
    if ask == Ask::Winner && !game.is_over(position) {
        return winner(game, position, solver, watch);
    }
    let moves: Vec<_> = game.moves(position).collect();
    watch.begin_moves(moves.len());
    let mut values = Vec::with_capacity(moves.len());
    for &mv in &moves {
        let after = game.play(position, mv);
        values.push(match ask {
            Ask::Value => solver.value(&after)?.back(),
            // A stand-in in the right order; its remoteness is never shown.
            Ask::Outcome | Ask::Winner => Value::ended(solver.outcome(&after)?.reversed()),
        });
        watch.move_done();
    }
    let value = values.iter().max().copied().unwrap_or_else(|| Value::ended(game.end(position)));
    let (shown, line): (fn(Value) -> Verdict, _) = match ask {
        Ask::Value => (Verdict::from, line(game, position, value, solver)?),
        Ask::Outcome | Ask::Winner if moves.is_empty() => (Verdict::from, Vec::new()),
        Ask::Outcome | Ask::Winner => (|value| value.outcome().into(), Vec::new()),
    };
    Ok(Solution { verdict: shown(value), moves: moves.into_iter().zip(values.into_iter().map(shown)).collect(), line })
}

/// The outcome of a position that has a move, and one move that reaches it: by what the
/// solver has learnt on the way, or else by asking one after the other.
fn winner<G: Game>(
    game: &G,
    position: &G::Position,
    solver: &mut impl Solver<G>,
    watch: &Watch,
) -> Result<Solution<G::Move>, Stopped> {
    watch.begin_moves(1);
    let outcome = solver.outcome(position)?;
    let verdict = Verdict::from(outcome);
    let mut moves = Vec::new();
    if outcome == Outcome::Loss {
        moves.extend(game.moves(position).map(|mv| (mv, verdict)));
    } else {
        let at_most = outcome.reversed();
        let is_known = |mv: &G::Move| solver.known(&game.play(position, *mv)).upper.outcome() <= at_most;
        let mut found = game.moves(position).find(is_known);
        let mut others = game.moves(position);
        while found.is_none()
            && let Some(mv) = others.next()
        {
            found = (solver.outcome(&game.play(position, mv))? <= at_most).then_some(mv);
        }
        moves.extend(found.map(|mv| (mv, verdict)));
    }
    watch.move_done();
    Ok(Solution { verdict, moves, line: Vec::new() })
}

/// From a position of known value, the first best move each time, to the end.
fn line<G: Game>(
    game: &G,
    position: &G::Position,
    mut value: Value,
    solver: &mut impl Solver<G>,
) -> Result<Vec<G::Move>, Stopped> {
    let mut position = position.clone();
    let mut line = Vec::new();
    loop {
        let mut next = None;
        for mv in game.moves(&position) {
            let after = game.play(&position, mv);
            let after_value = solver.value(&after)?;
            if after_value.back() == value {
                next = Some((mv, after, after_value));
                break;
            }
        }
        let Some((mv, after, after_value)) = next else {
            return Ok(line);
        };
        line.push(mv);
        (position, value) = (after, after_value);
    }
}
