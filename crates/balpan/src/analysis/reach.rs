//! Values and nimbers of every position that play can reach.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxHashMap;

use crate::game::Game;
use crate::search::length::{self, DepthLimit, TooDeep, TooLong};
use crate::search::retrograde::Retrograde;
use crate::search::solver::{Budget, TableError};
use crate::search::watch::{Counter, Stopped, Watch};
use crate::value::{Outcome, Turn, Value};

/// Why a walk over all positions ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    /// The watch stopped the walk, or play repeats or is too long.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The positions do not fit in the allowed memory.
    #[error("more than {0} positions can be reached: too many for the memory allowed")]
    TooMany(usize),
}

/// Which positions are counted: all, or one of each symmetry class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Every position.
    Positions,
    /// One canonical position of each symmetry class.
    Classes,
}

/// Returns the value of every position that can follow from `start`, itself included.
///
/// Cost: one hash table entry a position, one look-up an edge, no pruning.
///
/// # Errors
/// [`ReachError::TooMany`] as soon as the positions do not fit in `memory` bytes.
pub fn values<G: Game>(
    game: &G,
    start: &G::Position,
    count: Count,
    memory: usize,
    watch: &Watch,
) -> Result<HashMap<G::Position, Value, impl BuildHasher + Clone + Default + Send + Sync + use<G>>, ReachError> {
    if G::MAY_REPEAT && game.may_repeat() {
        let budget = Budget { memory, threads: 1 };
        return match Retrograde::with_folding(game, count == Count::Classes, start, budget, watch) {
            Ok(table) => Ok(table.into_values().collect()),
            Err(TableError::TooManyPositions(count)) => Err(ReachError::TooMany(count)),
            Err(TableError::Stopped(stopped)) => Err(stopped.into()),
            Err(_) => Err(Stopped::Interrupted.into()),
        };
    }
    fold(game, start, count, memory, watch, Turn::to_parent, |position, moves: &[Value]| {
        moves.iter().max().copied().unwrap_or_else(|| game.end_value(position))
    })
}

/// Returns the nimber of every position that can follow from `start`, itself included: the least number that no move leads
/// to. For a game that is [impartial under misère play](Game::is_impartial_misere) it returns misère values: the
/// same, except that an end of play has 1.
///
/// The game has to be impartial under either convention. For other games the numbers mean nothing.
///
/// Cost: as [`values`].
///
/// # Errors
/// As [`values`].
pub fn nimbers<G: Game>(
    game: &G,
    start: &G::Position,
    count: Count,
    memory: usize,
    watch: &Watch,
) -> Result<HashMap<G::Position, u32, impl BuildHasher + Clone + Default + Send + Sync + use<G>>, ReachError> {
    let end = u32::from(game.is_impartial_misere());
    fold(
        game,
        start,
        count,
        memory,
        watch,
        |_, nimber| nimber,
        |_, moves: &[u32]| {
            if moves.is_empty() { end } else { mex(moves) }
        },
    )
}

/// Returns the minimum excludant: the least number that is not in `numbers`.
fn mex(numbers: &[u32]) -> u32 {
    let mut seen = vec![false; numbers.len()];
    for &number in numbers {
        if let Some(seen) = seen.get_mut(number as usize) {
            *seen = true;
        }
    }
    // The result is at most the number of moves, which fits a `u32`.
    seen.iter().position(|seen| !seen).unwrap_or(numbers.len()) as u32
}

/// The numbers of different games by their outcome for the player who moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Games won by that player.
    pub wins: u128,
    /// Drawn games.
    pub draws: u128,
    /// Games lost by that player.
    pub losses: u128,
}

impl GameCounts {
    /// Returns the number of all games.
    ///
    /// # Panics
    /// Never: [`count_games`] returns `None` if the sum does not fit.
    #[must_use]
    pub const fn total(&self) -> u128 {
        self.wins + self.draws + self.losses
    }
}

/// Counts the games from `start` on. Two games are different if a move is.
/// Returns `None` if there are more than a `u128` can count.
///
/// Cost: as [`values`].
///
/// # Errors
/// [`ReachError::TooMany`] as soon as the positions do not fit in `memory` bytes.
pub fn count_games<G: Game>(
    game: &G,
    start: &G::Position,
    memory: usize,
    watch: &Watch,
) -> Result<Option<GameCounts>, ReachError> {
    let one = |outcome| {
        let mut games = GameCounts::default();
        *match outcome {
            Outcome::Win => &mut games.wins,
            Outcome::Draw => &mut games.draws,
            Outcome::Loss => &mut games.losses,
        } = 1;
        Some(games)
    };
    let to_parent = |turn, counts: Option<GameCounts>| match turn {
        Turn::Passes => counts.map(|counts| GameCounts { wins: counts.losses, losses: counts.wins, ..counts }),
        Turn::Kept => counts,
    };
    let add = |so_far: GameCounts, mv: GameCounts| {
        let sum = GameCounts {
            wins: so_far.wins.checked_add(mv.wins)?,
            draws: so_far.draws.checked_add(mv.draws)?,
            losses: so_far.losses.checked_add(mv.losses)?,
        };
        sum.wins.checked_add(sum.draws)?.checked_add(sum.losses)?;
        Some(sum)
    };
    let counts = fold(game, start, Count::Positions, memory, watch, to_parent, |position, moves: &[Option<_>]| {
        if moves.is_empty() {
            return one(game.end_value(position).outcome());
        }
        moves.iter().try_fold(GameCounts::default(), |so_far, mv| add(so_far, (*mv)?))
    })?;
    Ok(counts.get(start).copied().flatten())
}

/// Returns the number of entries of `size` bytes that a hash table can hold within `memory` bytes. Its slots are a power
/// of two, of which an eighth stay free, with a control byte each, and it doubles by copying to a new table.
pub(super) const fn max_entries(memory: usize, size: usize) -> usize {
    let slots = memory / (size + 1) / 3 * 2;
    match slots.checked_ilog2() {
        Some(log) => (1 << log) / 8 * 7,
        None => 0,
    }
}

/// Visits every position once, in post-order. `to_parent` turns the result of a position into that of the move to it,
/// `combine` computes the result of a position from those of its moves; there are none at an end.
fn fold<G: Game, T: Copy + Send>(
    game: &G,
    start: &G::Position,
    count: Count,
    memory: usize,
    watch: &Watch,
    to_parent: impl Fn(Turn, T) -> T + Sync,
    combine: impl Fn(&G::Position, &[T]) -> T + Sync,
) -> Result<FxHashMap<G::Position, T>, ReachError> {
    struct Fold<'a, G, P, T, M, W> {
        game: &'a G,
        limit: DepthLimit,
        count: Count,
        most: usize,
        counter: Counter,
        to_parent: &'a M,
        combine: &'a W,
        /// The results of the moves so far, for all positions on the current path, end to end.
        moves: Vec<T>,
        done: FxHashMap<P, T>,
    }

    impl<G, P, T, M, W> Fold<'_, G, P, T, M, W>
    where
        G: Game<Position = P>,
        P: Clone + Eq + Hash,
        T: Copy,
        M: Fn(Turn, T) -> T,
        W: Fn(&P, &[T]) -> T,
    {
        fn visit(&mut self, position: P, plies: u32) -> Result<T, ReachError> {
            let position = match self.count {
                Count::Positions => position,
                Count::Classes => self.game.canonical(&position),
            };
            if let Some(&result) = self.done.get(&position) {
                return Ok(result);
            }
            self.limit.check(plies).map_err(TooDeep::stopped)?;
            let game = self.game;
            let first = self.moves.len();
            for mv in game.moves(&position) {
                let after = game.play(&position, mv);
                let turn = game.turn(&position, mv, &after);
                let result = self.visit(after, plies + 1)?;
                self.moves.push((self.to_parent)(turn, result));
            }
            let result = (self.combine)(&position, &self.moves[first..]);
            self.moves.truncate(first);
            self.counter.count()?;
            if self.done.len() == self.most {
                return Err(ReachError::TooMany(self.most));
            }
            self.done.insert(position, result);
            Ok(result)
        }
    }

    TooLong::check(game, start).map_err(Stopped::TooLong)?;
    let layer = game.layer(start);
    length::search(game, start, || {
        let mut fold = Fold {
            game,
            limit: DepthLimit::new(layer),
            count,
            most: max_entries(memory, size_of::<(G::Position, T)>()),
            counter: Counter::new(watch),
            to_parent: &to_parent,
            combine: &combine,
            moves: Vec::new(),
            done: FxHashMap::default(),
        };
        match fold.visit(start.clone(), 0) {
            Ok(_) => Ok(Ok(fold.done)),
            Err(ReachError::Stopped(stopped)) => Err(stopped),
            Err(too_many) => Ok(Err(too_many)),
        }
    })?
}
