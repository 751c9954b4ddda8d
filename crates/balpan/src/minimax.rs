//! Plain exhaustive minimax: the reference that every other solver is tested
//! against. No memory, no pruning, no hook; nothing that could be wrong quietly.

use crate::game::Game;
use crate::solver::Solver;
use crate::value::Value;
use crate::watch::{Counter, Stopped, Watch};

/// The value of a position, by visiting every continuation of it.
///
/// Cost: one visit for each node of the whole game tree; memory for one path.
///
/// ```
/// use balpan::{Game, Value, minimax};
///
/// /// A heap from which one or two are taken; who takes the last wins.
/// struct Heap;
/// impl Game for Heap {
///     type Position = u32;
///     type Move = u32;
///     fn start(&self) -> u32 { 4 }
///     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(2) }
///     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
/// }
/// assert_eq!(minimax(&Heap, &4), Value::win(3));
/// assert_eq!(minimax(&Heap, &3), Value::loss(2));
/// ```
pub fn minimax<G: Game>(game: &G, position: &G::Position) -> Value {
    game.moves(position)
        .map(|mv| minimax(game, &game.play(position, mv)).back())
        .max()
        .unwrap_or_else(|| Value::ended(game.end(position)))
}

/// [`minimax`] as a [`Solver`]: it counts positions and can be stopped.
#[derive(Debug)]
pub struct Minimax<'a, G> {
    game: &'a G,
    counter: Counter<'a>,
}

impl<'a, G: Game> Minimax<'a, G> {
    /// A solver that reports to `watch`.
    pub const fn new(game: &'a G, watch: &'a Watch) -> Self {
        Self { game, counter: Counter::new(watch) }
    }
}

impl<G: Game> Solver<G> for Minimax<'_, G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        self.counter.count()?;
        let mut best = None;
        for mv in self.game.moves(position) {
            best = best.max(Some(self.value(&self.game.play(position, mv))?.back()));
        }
        Ok(best.unwrap_or_else(|| Value::ended(self.game.end(position))))
    }

    fn positions_searched(&self) -> u64 {
        self.counter.total()
    }
}
