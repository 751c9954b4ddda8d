//! Retrograde analysis: the value of every position that play can reach, where play may repeat.

mod index;
mod passes;

use std::fmt::{self, Debug};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::game::Game;
use crate::search::parallel;
use crate::search::solver::{Budget, Solver, TableError};
use crate::search::watch::{BrokenPromise, Stopped, Watch};
use crate::value::{Bounds, Turn, Value};
use index::{Batch, Index, MAX_POSITIONS, Numbers, Places, Run, SHARDS, Stored, Whole};
use passes::{END, KEPT, LAST, LOOP_BYTES, LayerMoves, Moves, VALUE_BYTES, Values};

/// The values of all positions that play can reach from one position, in a game in which play may
/// [repeat](Game::may_repeat). Play without end is a draw.
///
/// Positions are listed forwards with their moves, layer by layer if the game has [layers](Game::layer), and values are
/// passed backwards from the ends. A layer that every move leaves takes one pass. Within another layer the most extreme
/// values are passed back first: a win in few plies before one in many, and a large score before a small one. A position
/// gets a positive value from the first move that has one, and a negative value once its last move has one. What gets none
/// is a draw. All threads take part in every pass, and the values do not depend on their number.
///
/// Cost: each move is generated once. A position takes its key, or is stored whole if the game cannot [read its
/// keys](Game::position_from_key), 5 bytes to look it up and 4 bytes for its value; meanwhile 4 bytes a move, 8 an end, and
/// where moves stay in a layer 4 bytes more for each of these and 12 a position.
///
/// Source: retrograde analysis, K. Thompson, "Retrograde analysis of certain endgames" (1986); with scores, J. W. Romein and
/// H. E. Bal, "Solving Awari with parallel retrograde analysis" (2003).
pub struct Retrograde<P: Deref<Target: Game>> {
    game: P,
    /// Whether positions that are equal by symmetry are one.
    is_folded: bool,
    numbers: Box<dyn Lookup<P::Target>>,
    /// By position number.
    values: Vec<Value>,
}

impl<P: Deref<Target: Game>> Debug for Retrograde<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retrograde").field("positions", &self.numbers.len()).finish_non_exhaustive()
    }
}

impl<G: Game, P: Deref<Target = G>> Retrograde<P> {
    /// Solves all positions that play can reach from `start`, within the budget.
    ///
    /// # Errors
    /// [`TableError::TooManyPositions`] if the positions do not fit, or [`TableError::Stopped`].
    pub fn new(game: P, start: &G::Position, budget: Budget, watch: &Watch) -> Result<Self, TableError> {
        Self::with_folding(game, true, start, budget, watch)
    }

    /// As [`new`](Self::new); if not `is_folded`, of each position and not of each symmetry class.
    pub(crate) fn with_folding(
        game: P,
        is_folded: bool,
        start: &G::Position,
        budget: Budget,
        watch: &Watch,
    ) -> Result<Self, TableError> {
        let canonical = game.canonical(start);
        let reads_keys = is_folded && game.key_bits() > 0 && game.position_from_key(game.key(&canonical)).is_some();
        let list = PositionList { game: &*game, is_folded, budget, watch };
        let (numbers, values) = match game.key_bits() {
            1..=64 if reads_keys => list.solve::<u64>(canonical),
            65..=128 if reads_keys => list.solve::<u128>(canonical),
            _ => list.solve::<Whole<G::Position>>(if is_folded { canonical } else { start.clone() }),
        }?;
        Ok(Self { game, is_folded, numbers, values })
    }

    /// Returns the value of a position; `None` if it is not one of those.
    #[must_use]
    pub fn get(&self, position: &G::Position) -> Option<Value> {
        self.number(position).map(|number| self.values[number as usize])
    }

    /// Returns the values of all positions, one of each symmetry class.
    pub fn into_values(self) -> impl Iterator<Item = (G::Position, Value)> {
        let Self { game, numbers, values, .. } = self;
        let position = move |number: u32| numbers.position(&game, number);
        values.into_iter().zip(0..).filter_map(move |(value, number)| Some((position(number)?, value)))
    }

    fn number(&self, position: &G::Position) -> Option<u32> {
        let position = if self.is_folded { self.game.canonical(position) } else { position.clone() };
        self.numbers.find(&self.game, position)
    }
}

/// The numbers of positions, whatever is stored of them.
trait Lookup<G: Game>: Send + Sync {
    fn find(&self, game: &G, canonical: G::Position) -> Option<u32>;

    fn position(&self, game: &G, number: u32) -> Option<G::Position>;

    fn len(&self) -> usize;

    fn bytes(&self) -> usize;
}

impl<G: Game, K: Stored<G>> Lookup<G> for Numbers<K> {
    fn find(&self, game: &G, canonical: G::Position) -> Option<u32> {
        Numbers::find(self, &K::from_position(game, canonical))
    }

    fn position(&self, game: &G, number: u32) -> Option<G::Position> {
        self.get(number)?.position(game)
    }

    fn len(&self) -> usize {
        self.positions().map(<[K]>::len).sum()
    }

    fn bytes(&self) -> usize {
        Numbers::bytes(self)
    }
}

/// The numbers of all positions, and their values by number.
type Solved<G> = (Box<dyn Lookup<G>>, Vec<Value>);

/// The forward pass: positions and their moves, layer by layer from the highest.
struct PositionList<'a, G> {
    game: &'a G,
    is_folded: bool,
    budget: Budget,
    watch: &'a Watch,
}

/// The buffers of a thread that lists moves.
struct Lister<K> {
    listed: Moves,
    /// The moves that stay in the layer.
    internal: usize,
    /// The positions of a run, the positions after their moves with their layers and their numbers, and working memory.
    positions: Vec<K>,
    children: Vec<(u32, K)>,
    numbers: Vec<u32>,
    moves: Vec<u32>,
    ends: Vec<Value>,
    batch: Batch,
}

impl<K> Default for Lister<K> {
    fn default() -> Self {
        let (positions, children, numbers, moves, ends) = Default::default();
        Self {
            listed: Moves::default(),
            internal: 0,
            positions,
            children,
            numbers,
            moves,
            ends,
            batch: Batch::default(),
        }
    }
}

impl<G: Game> PositionList<'_, G> {
    fn solve<K: Stored<G> + 'static>(self, start: G::Position) -> Result<Solved<G>, TableError> {
        let threads = self.budget.threads.max(1);
        let index = Index::<K>::new();
        let start = (self.game.layer(&start).unwrap_or(0), K::from_position(self.game, start));
        index.number_all(&[start], &mut Batch::default(), |position| position.heap_bytes(self.game), |_, _| {});
        let mut layers = Vec::<(u32, LayerMoves)>::new();
        let (move_bytes, internal) = (AtomicUsize::new(0), AtomicUsize::new(0));
        while let Some((layer, runs)) = index.take_pending() {
            let count: u32 = runs.iter().map(|run| run.count).sum();
            let size = (count / (4 * threads as u32)).clamp(64, 1024);
            let tasks: Vec<Run> = runs.into_iter().flat_map(|run| run.split(size)).collect();
            let threads = threads.min(count.div_ceil(256) as usize);
            let listed = run_tasks(threads, tasks.len(), |n, lister: &mut Lister<K>| {
                let before = lister.internal;
                let bytes = self.list_moves(&index, layer, tasks[n], lister)?;
                self.watch.count(u64::from(tasks[n].count))?;
                let move_bytes = move_bytes.fetch_add(bytes, Relaxed) + bytes;
                let internal = internal.fetch_add(lister.internal - before, Relaxed) + lister.internal - before;
                self.check_memory(&index, move_bytes, internal)
            })?;
            if layers.last().is_none_or(|(last, _)| *last != layer) {
                layers.push((layer, LayerMoves::default()));
            }
            let (_, moves) = layers.last_mut().unwrap_or_else(|| unreachable!("it was just added"));
            for lister in listed {
                moves.lists.push(lister.listed);
                moves.internal += lister.internal;
            }
        }
        let end = index.end();
        let (positions, heap_bytes) = index.into_positions();
        let has_loops = layers.iter().any(|(_, moves)| moves.internal > 0);
        let values = Values::new(end, threads, has_loops);
        while let Some((_, moves)) = layers.pop() {
            values.solve_layer(moves, self.watch)?;
        }
        let values = values.into_values();
        let places = run_tasks(threads, SHARDS, |shard, places: &mut Vec<_>| {
            places.push((shard, Places::new(&positions[shard])));
            Ok::<_, Stopped>(())
        })?;
        let mut by_shard: Vec<_> = positions.iter().map(|_| None).collect();
        places.into_iter().flatten().for_each(|(shard, places)| by_shard[shard] = Some(places));
        let places = by_shard.into_iter().flatten().collect();
        Ok((Box::new(Numbers::new(positions, places, heap_bytes)), values))
    }

    fn check_memory<K: Stored<G>>(&self, index: &Index<K>, moves: usize, internal: usize) -> Result<(), TableError> {
        let count = index.len();
        let loops = if internal > 0 { count * LOOP_BYTES + internal * size_of::<u32>() } else { 0 };
        let bytes = index.bytes() + moves + count * VALUE_BYTES + loops;
        let is_full = count > MAX_POSITIONS - 1024 * self.budget.threads || internal >= u32::MAX as usize;
        if bytes > self.budget.memory || is_full { Err(TableError::TooManyPositions(count)) } else { Ok(()) }
    }

    /// Lists the moves of a run of positions of a layer. Returns the bytes that the list takes.
    fn list_moves<K: Stored<G>>(
        &self,
        index: &Index<K>,
        layer: u32,
        run: Run,
        lister: &mut Lister<K>,
    ) -> Result<usize, TableError> {
        let Lister { positions, children, numbers, moves, ends, batch, .. } = lister;
        let game = self.game;
        positions.clear();
        children.clear();
        index.copy(run, positions);
        moves.clear();
        ends.clear();
        let has_layers = game.layer(&game.start()).is_some();
        for stored in &*positions {
            let first = moves.len();
            let by_key = stored.key().filter(|_| has_layers);
            if let Some(key) = by_key {
                let found = |turn, layer, after| {
                    moves.push(if turn == Turn::Kept { KEPT } else { 0 });
                    children.push((layer, K::from_key(after)));
                };
                match game.successors(key, found) {
                    Some(Ok(_)) => {}
                    Some(Err(value)) => ends.push(value),
                    None => return Err(Stopped::Broken(BrokenPromise::Form).into()),
                }
            } else {
                let position = stored.position(game).ok_or(Stopped::Broken(BrokenPromise::Form))?;
                for mv in game.moves(&position) {
                    let after = game.play(&position, mv);
                    moves.push(if game.turn(&position, mv, &after) == Turn::Kept { KEPT } else { 0 });
                    let after = if self.is_folded { game.canonical(&after) } else { after };
                    let layer = if has_layers { game.layer(&after).unwrap_or(u32::MAX) } else { 0 };
                    children.push((layer, K::from_position(game, after)));
                }
                if moves.len() == first {
                    ends.push(game.end_value(&position));
                }
            }
            match moves[first..].last_mut() {
                Some(last) => *last |= LAST,
                None => moves.push(END),
            }
        }
        if children.iter().any(|(after, _)| *after > layer) {
            return Err(Stopped::Broken(BrokenPromise::Layer).into());
        }
        numbers.resize(children.len(), 0);
        let heap_bytes = |position: &K| position.heap_bytes(game);
        index.number_all(children, batch, heap_bytes, |child, number| numbers[child] = number << 2);
        moves.iter_mut().filter(|mv| **mv != END).zip(&*numbers).for_each(|(mv, number)| *mv |= number);
        lister.internal += children.iter().filter(|(after, _)| *after == layer).count();
        Ok(lister.listed.push(run, moves, ends))
    }
}

/// A position outside the table has no value: check [`covers`](Solver::covers).
impl<G: Game, P: Deref<Target = G>> Solver<G::Position> for Retrograde<P> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        self.get(position).ok_or(Stopped::Interrupted)
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        self.get(position).map_or(Bounds::ANY, Bounds::exact)
    }

    fn covers(&self, position: &G::Position) -> bool {
        self.number(position).is_some()
    }

    fn bytes(&self) -> u64 {
        (self.numbers.bytes() + self.values.len() * size_of::<Value>()) as u64
    }

    fn positions_searched(&self) -> u64 {
        self.numbers.len() as u64
    }

    fn set_watch(&mut self, _watch: &Watch) {}
}

/// Runs `work` for each number below `tasks`, by up to this number of threads. Returns the state of each thread.
///
/// # Errors
/// The first error, after which no more tasks begin.
fn run_tasks<T: Default + Send, E: Send>(
    threads: usize,
    tasks: usize,
    work: impl Fn(usize, &mut T) -> Result<(), E> + Sync,
) -> Result<Vec<T>, E> {
    let (next, is_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let run = || {
        let mut state = T::default();
        while !is_failed.load(Relaxed) {
            let task = next.fetch_add(1, Relaxed);
            if task >= tasks {
                break;
            }
            if let Err(error) = work(task, &mut state) {
                is_failed.store(true, Relaxed);
                return Err(error);
            }
        }
        Ok(state)
    };
    let states = Mutex::new(Vec::new());
    run_in_threads(threads.min(tasks), &|| {
        let state = run();
        states.lock().unwrap_or_else(PoisonError::into_inner).push(state);
    });
    states.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
}

/// Runs `work` in the calling thread and in up to this number of threads in all. It is not generic, so that the code that
/// starts threads is compiled once.
fn run_in_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let helpers: Vec<_> = (1..threads).map_while(spawn).collect();
        work();
        helpers.into_iter().for_each(parallel::join);
    });
}
