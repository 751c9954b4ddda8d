//! Games that have only rules.

use crate::expert::Expert;
use crate::game::Game;
use crate::hints::Hints;
use crate::impartial::Impartial;
use crate::keyed::Keyed;
use crate::value::Outcome;

/// A [`Game`] with all optional traits at their defaults. A game that implements `Game` only is
/// solved as `Plain(game)`.
///
/// ```
/// use balpan::{Goal, Budget, Engine, Game, Plain, Outcome, Watch};
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
/// let mut engine = Engine::new(Plain(Heap), Budget::default());
/// let answer = engine.solve(&4, Goal::MoveValues, &Watch::default(), |_| {})?;
/// assert_eq!(answer.outcome(), Some(Outcome::Win));
/// assert_eq!(answer.line, [1, 1, 2]);
/// # Ok::<(), balpan::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain<G>(pub G);

impl<G: Game> Game for Plain<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start(&self) -> G::Position {
        self.0.start()
    }

    #[inline]
    fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.0.moves(position)
    }

    #[inline]
    fn play(&self, position: &G::Position, mv: G::Move) -> G::Position {
        self.0.play(position, mv)
    }

    #[inline]
    fn is_over(&self, position: &G::Position) -> bool {
        self.0.is_over(position)
    }

    #[inline]
    fn end(&self, position: &G::Position) -> Outcome {
        self.0.end(position)
    }

    fn is_legal(&self, position: &G::Position) -> bool {
        self.0.is_legal(position)
    }
}

impl<G: Game> Keyed for Plain<G> {}
impl<G: Game> Hints for Plain<G> {}
impl<G: Game> Impartial for Plain<G> {}
impl<G: Game + Send + 'static> Expert for Plain<G> {}
