//! Plain exhaustive minimax, the reference that every other solver is tested against: without a table, pruning or
//! optional traits.

use std::ops::Deref;

use crate::game::Game;
use crate::search::length::{self, DepthLimit, TooDeep};
use crate::search::solver::Solver;
use crate::search::watch::{Counter, Stopped, Watch};
use crate::value::Value;

/// Returns the value of a position, by visiting every continuation.
///
/// Cost: one visit for each node of the whole game tree; memory for one path.
///
/// # Errors
/// [`Stopped::TooLong`] if play may last longer than [`MAX_PLIES`](crate::MAX_PLIES) plies.
///
/// ```
/// use balpan::{Game, Value, minimax};
///
/// /// A heap from which one or two are taken; whoever takes the last wins.
/// struct Heap;
/// impl Game for Heap {
///     type Position = u32;
///     type Move = u32;
///     fn start(&self) -> u32 { 4 }
///     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(2) }
///     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
/// }
/// assert_eq!(minimax(&Heap, &4)?, Value::win(3));
/// assert_eq!(minimax(&Heap, &3)?, Value::loss(2));
/// # Ok::<(), balpan::Stopped>(())
/// ```
pub fn minimax<G: Game>(game: &G, position: &G::Position) -> Result<Value, Stopped> {
    Minimax::new(game, &Watch::default()).value(position)
}

/// [`minimax`] as a [`Solver`]: it counts positions and can be stopped.
#[derive(Debug)]
pub struct Minimax<P> {
    game: P,
    counter: Counter,
}

impl<P: Deref<Target: Game>> Minimax<P> {
    /// Creates a solver of the game that `game` points to, which reports to `watch`.
    pub fn new(game: P, watch: &Watch) -> Self {
        Self { game, counter: Counter::new(watch) }
    }
}

impl<G: Game, P: Deref<Target = G>> Solver<G::Position> for Minimax<P> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        let (game, counter) = (&*self.game, &mut self.counter);
        length::search_plies(game, position, None, || visit(game, position, counter, DepthLimit::new(None), 0))
    }

    fn positions_searched(&self) -> u64 {
        self.counter.total()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.counter.watch = watch.clone();
    }
}

/// Returns the value of a position that is `plies` from the root.
fn visit<G: Game>(
    game: &G,
    position: &G::Position,
    counter: &mut Counter,
    limit: DepthLimit,
    plies: u32,
) -> Result<Value, Stopped> {
    counter.count()?;
    limit.check(plies).map_err(TooDeep::stopped)?;
    let mut best = None;
    for mv in game.moves(position) {
        let after = game.play(position, mv);
        let value = visit(game, &after, counter, limit, plies + 1)?;
        best = best.max(Some(game.turn(position, mv, &after).to_parent(value)));
    }
    Ok(best.unwrap_or_else(|| game.end_value(position)))
}
