//! Every position that play can reach, with its value.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use rustc_hash::FxHashMap;

use crate::keyed::Keyed;
use crate::length::{TooLong, with_room};
use crate::value::{Outcome, Value};
use crate::watch::{Counter, Stopped, Watch};

/// Why not all positions were visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    /// The watch says to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Play may last longer than the recursion can go.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The positions do not fit in the memory allowed.
    #[error("more than {0} positions can be reached: too many for the memory allowed")]
    TooMany(usize),
}

/// Whether positions that a symmetry turns into each other are counted once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Every position.
    Positions,
    /// One canonical position for each class.
    Classes,
}

/// The value of every position that can follow from `start`, itself included.
///
/// Cost: one hash table entry a position, one look-up an edge, no pruning.
///
/// # Errors
/// [`ReachError::TooMany`] as soon as the positions do not fit in `memory` bytes.
pub fn values<G: Keyed>(
    game: &G,
    start: &G::Position,
    count: Count,
    memory: usize,
    watch: &Watch,
) -> Result<HashMap<G::Position, Value, impl BuildHasher + Clone + Default + Send + Sync + use<G>>, ReachError> {
    fold(
        game,
        start,
        count,
        memory,
        watch,
        |position| Value::ended(game.end(position)),
        |best: Option<Value>, after| Some(best.map_or(after.back(), |best| best.max(after.back()))),
    )
}

/// The number of different games, by their outcome for the player who moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// Games won by that player.
    pub wins: u128,
    /// Drawn games.
    pub draws: u128,
    /// Games lost by that player.
    pub losses: u128,
}

impl Games {
    /// All of them.
    ///
    /// # Panics
    /// Never: [`games`] gives up where the sum would not fit.
    #[must_use]
    pub const fn total(&self) -> u128 {
        self.wins + self.draws + self.losses
    }
}

/// Counts the games from `start` on: two are different if a move is.
/// `None` if there are more than a `u128` can count.
///
/// Cost: as [`values`].
///
/// # Errors
/// [`ReachError::TooMany`] as soon as the positions do not fit in `memory` bytes.
pub fn games<G: Keyed>(
    game: &G,
    start: &G::Position,
    memory: usize,
    watch: &Watch,
) -> Result<Option<Games>, ReachError> {
    let one = |outcome| {
        let mut games = Games::default();
        *match outcome {
            Outcome::Win => &mut games.wins,
            Outcome::Draw => &mut games.draws,
            Outcome::Loss => &mut games.losses,
        } = 1;
        Some(games)
    };
    let add = |so_far: Games, after: Games| {
        let sum = Games {
            wins: so_far.wins.checked_add(after.losses)?,
            draws: so_far.draws.checked_add(after.draws)?,
            losses: so_far.losses.checked_add(after.wins)?,
        };
        sum.wins.checked_add(sum.draws)?.checked_add(sum.losses)?;
        Some(sum)
    };
    let counts = fold(
        game,
        start,
        Count::Positions,
        memory,
        watch,
        |position| one(game.end(position)),
        |so_far: Option<Option<Games>>, after: Option<Games>| {
            let so_far = so_far.unwrap_or(Some(Games::default()));
            Some(so_far.zip(after).and_then(|(so_far, after)| add(so_far, after)))
        },
    )?;
    Ok(counts.get(start).copied().flatten())
}

/// How many entries of `size` bytes a hash table can hold within `memory`: it has
/// a power of two of slots, of which an eighth stays free, a byte more for each,
/// and doubles by copying into a new one.
const fn most_entries(memory: usize, size: usize) -> usize {
    let slots = memory / (size + 1) / 3 * 2;
    match slots.checked_ilog2() {
        Some(log) => (1 << log) / 8 * 7,
        None => 0,
    }
}

/// Visits every position once, those after it first. An end is worth `end`; any
/// other position what `join` makes of the moves one by one, from `None` on.
fn fold<G: Keyed, T: Copy + Send>(
    game: &G,
    start: &G::Position,
    count: Count,
    memory: usize,
    watch: &Watch,
    end: impl Fn(&G::Position) -> T + Send,
    join: impl Fn(Option<T>, T) -> Option<T> + Send,
) -> Result<FxHashMap<G::Position, T>, ReachError> {
    struct Fold<'a, G, P, T, E, J> {
        game: &'a G,
        count: Count,
        most: usize,
        counter: Counter,
        end: E,
        join: J,
        done: FxHashMap<P, T>,
    }

    impl<G, P, T, E, J> Fold<'_, G, P, T, E, J>
    where
        G: Keyed<Position = P>,
        P: Clone + Eq + Hash,
        T: Copy,
        E: Fn(&P) -> T,
        J: Fn(Option<T>, T) -> Option<T>,
    {
        fn visit(&mut self, position: P) -> Result<T, ReachError> {
            let position = match self.count {
                Count::Positions => position,
                Count::Classes => self.game.canonical(&position),
            };
            if let Some(&result) = self.done.get(&position) {
                return Ok(result);
            }
            let game = self.game;
            let mut joined = None;
            for mv in game.moves(&position) {
                let after = self.visit(game.play(&position, mv))?;
                joined = (self.join)(joined, after);
            }
            let result = joined.unwrap_or_else(|| (self.end)(&position));
            self.counter.count()?;
            if self.done.len() == self.most {
                return Err(ReachError::TooMany(self.most));
            }
            self.done.insert(position, result);
            Ok(result)
        }
    }

    let mut fold = Fold {
        game,
        count,
        most: most_entries(memory, size_of::<(G::Position, T)>()),
        counter: Counter::new(watch),
        end,
        join,
        done: FxHashMap::default(),
    };
    TooLong::check(game, start)?;
    with_room(game.layer(start), || fold.visit(start.clone()).map(|_| fold.done))
}
