//! Alpha-beta: minimax that does not look at what cannot matter, and remembers.

use crate::game::Game;
use crate::solver::Solver;
use crate::table::{Known, Table};
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Counter, Stopped, Watch};

/// Fail-soft alpha-beta in negamax form, on whole [`Value`]s, with a
/// transposition table over canonical positions.
///
/// The window narrows by the game's [`bounds`](Game::bounds) and by what the
/// table knows; moves are tried from the table's best on by
/// [`rank`](Game::rank). The table lives as long as the solver, so that related
/// positions are solved the faster. Recursion is as deep as the game is long.
///
/// Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning",
/// Artificial Intelligence 6 (1975); fail-soft: J. P. Fishburn (1983).
#[derive(Debug)]
pub struct AlphaBeta<'a, G: Game> {
    game: &'a G,
    table: Table<G::Position, G::Move>,
    counter: Counter<'a>,
    /// Ranked moves of all positions on the current path, end to end.
    moves: Vec<(i32, G::Move)>,
}

impl<'a, G: Game> AlphaBeta<'a, G> {
    /// A solver whose table takes no more than `table_bytes`, and that reports to
    /// `watch`. A small table costs time, never exactness.
    pub fn new(game: &'a G, table_bytes: usize, watch: &'a Watch) -> Self {
        Self { game, table: Table::new(table_bytes), counter: Counter::new(watch), moves: Vec::new() }
    }

    /// The value if it lies between `alpha` and `beta`; otherwise a bound on it
    /// from the far side: at most `alpha` if the value is, at least `beta` if the
    /// value is.
    fn search(&mut self, position: &G::Position, alpha: Value, beta: Value) -> Result<Value, Stopped> {
        self.counter.count()?;
        let memorable = self.game.is_memorable(position);
        let canonical;
        let position = if memorable {
            canonical = self.game.canonical(position);
            &canonical
        } else {
            position
        };
        let first = self.moves.len();
        self.moves.extend(self.game.moves(position).map(|mv| (0, mv)));
        if self.moves.len() == first {
            return Ok(Value::ended(self.game.end(position)));
        }
        let value = self.search_moves(position, memorable, first, alpha, beta);
        self.moves.truncate(first);
        value
    }

    /// As [`search`](Self::search), with the position's moves in `self.moves`
    /// from `first` on.
    fn search_moves(
        &mut self,
        position: &G::Position,
        memorable: bool,
        first: usize,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        let mut bounds = self.game.bounds(position);
        let known = if memorable { self.table.get(position) } else { None };
        if let Some(known) = &known {
            bounds.lower = bounds.lower.max(known.bounds.lower);
            bounds.upper = bounds.upper.min(known.bounds.upper);
        }
        if bounds.lower >= beta || bounds.lower == bounds.upper {
            return Ok(bounds.lower);
        }
        if bounds.upper <= alpha {
            return Ok(bounds.upper);
        }
        // No move passes the upper bound, so reaching it is as good as a cut.
        let (alpha, beta) = (alpha.max(bounds.lower), beta.min(bounds.upper));

        let game = self.game;
        let moves = &mut self.moves[first..];
        if moves.len() > 1 {
            for (rank, mv) in moves.iter_mut() {
                *rank = match known {
                    Some(Known { best, .. }) if best == *mv => i32::MAX,
                    _ => game.rank(position, *mv),
                };
            }
            moves.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        }

        let before = self.counter.total();
        // No move is worth as little as this: it takes a ply at least.
        let mut best = (Value::loss(0), self.moves[first].1);
        for next in first..self.moves.len() {
            let mv = self.moves[next].1;
            let after = game.play(position, mv);
            let value = self.search(&after, beta.ahead(), alpha.max(best.0).ahead())?.back();
            if value > best.0 {
                best = (value, mv);
                if value >= beta {
                    break;
                }
            }
        }
        let value = best.0.max(bounds.lower);
        if !memorable {
            return Ok(value);
        }
        // Below alpha the moves' best is an upper bound only; above beta, a lower.
        if value <= alpha {
            bounds.upper = bounds.upper.min(value);
        } else if value >= beta {
            bounds.lower = value;
        } else {
            bounds = Bounds::exactly(value);
        }
        let work = self.counter.total() - before;
        self.table.put(position.clone(), Known { bounds, best: best.1 }, work);
        Ok(value)
    }
}

impl<G: Game> Solver<G> for AlphaBeta<'_, G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        self.moves.clear();
        // The outcome first, which takes the narrowest window: its result bounds the
        // remoteness from one side, and only sooner wins or later losses are left.
        let guess = self.search(position, Value::BELOW_DRAW, Value::ABOVE_DRAW)?;
        match guess.outcome() {
            Outcome::Draw => Ok(guess),
            Outcome::Win => self.search(position, guess, Value::win(0)),
            Outcome::Loss => self.search(position, Value::loss(0), guess),
        }
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        self.moves.clear();
        self.search(position, Value::BELOW_DRAW, Value::ABOVE_DRAW).map(Value::outcome)
    }

    fn positions_searched(&self) -> u64 {
        self.counter.total()
    }
}
