//! The moves of a table by the numbers of its positions, and the passes that carry values back along them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::*};

use super::index::{MAX_POSITIONS, Run, extend};
use super::run_tasks;
use crate::search::watch::{Stopped, Watch};
use crate::value::{Turn, Value};

/// The moves of runs of positions that one thread has listed: the number of the position after each, four times, plus
/// [`LAST`] for the last move of a position and [`KEPT`] if the move keeps the turn. An end has one entry, [`END`].
///
/// The lists are long, so that the allocator takes them from the system and gives them back.
#[derive(Default)]
pub(super) struct Moves {
    moves: Vec<u32>,
    /// The values of the ends, in order.
    ends: Vec<Value>,
    /// The runs, and where their moves and ends begin.
    runs: Vec<(Run, usize, usize)>,
}

pub(super) const LAST: u32 = 2;
pub(super) const KEPT: u32 = 1;
pub(super) const END: u32 = (MAX_POSITIONS as u32) << 2 | LAST;

/// The value of a position that has none yet; no position has it.
const OPEN: i32 = i32::MIN;

/// The moves of a layer.
#[derive(Default)]
pub(super) struct LayerMoves {
    pub(super) lists: Vec<Moves>,
    /// The number of moves that stay in the layer.
    pub(super) internal: usize,
}

impl Moves {
    /// Appends the moves and ends of a run. Returns their bytes.
    pub(super) fn push(&mut self, run: Run, moves: &[u32], ends: &[Value]) -> usize {
        self.runs.push((run, self.moves.len(), self.ends.len()));
        extend(&mut self.moves, moves);
        extend(&mut self.ends, ends);
        size_of_val(moves) + size_of_val(ends) + size_of_val(&self.runs[0])
    }

    /// Calls `visit` with the number of each position of a run, and its moves or its value if play has ended.
    fn visit(&self, run: usize, mut visit: impl FnMut(u32, Result<&[u32], Value>)) {
        let (run, first, first_end) = self.runs[run];
        let mut ends = self.ends[first_end..].iter();
        for (number, moves) in run.numbers().zip(self.moves[first..].split_inclusive(|mv| mv & LAST != 0)) {
            let end = if moves[0] == END { ends.next() } else { None };
            visit(number, end.map_or(Ok(moves), |value| Err(*value)));
        }
    }
}

impl LayerMoves {
    /// Returns the numbers of all positions.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.lists.iter().flat_map(|list| &list.runs).flat_map(move |(run, ..)| run.numbers())
    }
}

const fn turn_of(mv: u32) -> Turn {
    if mv & KEPT == 0 { Turn::Passes } else { Turn::Kept }
}

/// The values of positions by number, while they become known.
pub(super) struct Values {
    /// Each value, XOR [`OPEN`]: a system's new page is all open, and takes no memory before a value is stored there.
    values: Vec<AtomicI32>,
    threads: usize,
    /// The data of the passes in a layer; empty if no move stays in a layer.
    loops: Vec<LoopState>,
}

/// The state of a position while values pass back within its layer.
#[derive(Default)]
struct LoopState {
    /// The best value of a move so far.
    best: AtomicI32,
    /// The moves without a value; 0 as soon as the position has one.
    left: AtomicU32,
    /// Where the moves to the position begin in the list of sources.
    sources: AtomicU32,
}

/// The bytes that values take, and those that [`LoopState`]s take, for a position.
pub(super) const VALUE_BYTES: usize = size_of::<AtomicI32>();
pub(super) const LOOP_BYTES: usize = size_of::<LoopState>();

/// A mark of a number in a list of positions: the position has no value yet, but one of its moves has this one.
const CANDIDATE: u32 = 1 << 31;

/// Positions by how extreme their values are.
type Levels = BTreeMap<u32, Vec<u32>>;

/// The positions of a task.
const TASK_POSITIONS: usize = 1 << 12;

impl Values {
    pub(super) fn new(end: usize, threads: usize, has_loops: bool) -> Self {
        let loops = (0..if has_loops { end } else { 0 }).map(|_| LoopState::default()).collect();
        Self { values: vec![0; end].into_iter().map(AtomicI32::new).collect(), threads, loops }
    }

    pub(super) fn into_values(self) -> Vec<Value> {
        self.values.into_iter().map(|value| Value(value.into_inner() ^ OPEN)).collect()
    }

    fn get(&self, number: u32) -> Value {
        Value(self.values[number as usize].load(Relaxed) ^ OPEN)
    }

    fn set(&self, number: u32, value: Value) {
        self.values[number as usize].store(value.0 ^ OPEN, Relaxed);
    }

    /// Finds the values of a layer, given those of the layers below.
    pub(super) fn solve_layer(&self, layer: LayerMoves, watch: &Watch) -> Result<(), Stopped> {
        if layer.internal > 0 {
            return self.solve_loops(layer, watch);
        }
        self.for_positions(&layer, watch, |_: &mut (), number, moves| {
            let of_moves = |moves: &[u32]| {
                moves.iter().map(|mv| turn_of(*mv).to_parent(self.get(mv >> 2))).max().unwrap_or(Value::DRAW)
            };
            self.set(number, moves.map_or_else(|end| end, of_moves));
        })?;
        Ok(())
    }

    /// Runs `work` for every position of a layer, with its moves or its value if play has ended. Returns the state of each
    /// thread.
    fn for_positions<T: Default + Send>(
        &self,
        layer: &LayerMoves,
        watch: &Watch,
        work: impl Fn(&mut T, u32, Result<&[u32], Value>) + Sync,
    ) -> Result<Vec<T>, Stopped> {
        let runs_of = layer.lists.iter().map(|list| (list, 0..list.runs.len()));
        let tasks: Vec<_> = runs_of.flat_map(|(list, runs)| runs.map(move |run| (list, run))).collect();
        run_tasks(self.threads, tasks.len(), |n, state| {
            let (list, run) = tasks[n];
            list.visit(run, |number, moves| work(state, number, moves));
            watch.count(0)
        })
    }

    /// Finds the values of a layer in which play can stay: passes them back, the most extreme first.
    fn solve_loops(&self, layer: LayerMoves, watch: &Watch) -> Result<(), Stopped> {
        self.count_open_moves(&layer, watch)?;
        let sources = self.list_sources(&layer, watch)?;
        let started = self.for_positions(&layer, watch, |levels: &mut Levels, number, moves| {
            let state = &self.loops[number as usize];
            let best = moves.err().unwrap_or(Value(state.best.load(Relaxed)));
            if state.left.load(Relaxed) == 0 {
                self.set(number, best);
                if best != Value::DRAW {
                    levels.entry(best.0.unsigned_abs()).or_default().push(number);
                }
            } else if best > Value::DRAW {
                levels.entry(best.0.unsigned_abs()).or_default().push(number | CANDIDATE);
            }
        })?;
        let runs: Vec<_> = layer.lists.into_iter().flat_map(|list| list.runs).collect();
        self.pass_back(started, &sources, watch)?;
        for number in runs.into_iter().flat_map(|(run, ..)| run.numbers()) {
            if self.get(number).0 == OPEN {
                self.set(number, Value::DRAW);
            }
        }
        Ok(())
    }

    /// Counts the moves of each position that stay in the layer, and those to each position; finds the best of the others.
    fn count_open_moves(&self, layer: &LayerMoves, watch: &Watch) -> Result<(), Stopped> {
        self.for_positions(layer, watch, |_: &mut (), number, moves| {
            let (mut best, mut left) = (Value::loss(1), 0);
            for mv in moves.into_iter().flatten() {
                let value = self.get(mv >> 2);
                if value.0 == OPEN {
                    left += 1;
                    self.loops[(mv >> 2) as usize].sources.fetch_add(1, Relaxed);
                } else {
                    best = best.max(turn_of(*mv).to_parent(value));
                }
            }
            let state = &self.loops[number as usize];
            state.best.store(best.0, Relaxed);
            state.left.store(left, Relaxed);
        })?;
        Ok(())
    }

    /// Lists the moves within the layer by the position after them: four times the number of the position before, plus
    /// [`LAST`] and [`KEPT`].
    fn list_sources(&self, layer: &LayerMoves, watch: &Watch) -> Result<Vec<AtomicU32>, Stopped> {
        let sources: Vec<_> = (0..layer.internal).map(|_| AtomicU32::new(0)).collect();
        let mut end = 0;
        for number in layer.numbers() {
            let state = &self.loops[number as usize].sources;
            let count = state.load(Relaxed);
            end += count;
            state.store(if count == 0 { NO_SOURCES } else { end }, Relaxed);
            if count > 0 {
                sources[end as usize - 1].store(LAST, Relaxed);
            }
        }
        self.for_positions(layer, watch, |_: &mut (), number, moves| {
            for mv in moves.into_iter().flatten() {
                if self.get(mv >> 2).0 == OPEN {
                    let place = self.loops[(mv >> 2) as usize].sources.fetch_sub(1, Relaxed) - 1;
                    sources[place as usize].fetch_or(number << 2 | mv & KEPT, Relaxed);
                }
            }
        })?;
        Ok(sources)
    }

    /// Passes values back, level by level. What a level adds to itself is passed back in another round.
    fn pass_back(&self, started: Vec<Levels>, sources: &[AtomicU32], watch: &Watch) -> Result<(), Stopped> {
        let mut levels = BTreeMap::<u32, Vec<Vec<u32>>>::new();
        let add = |levels: &mut BTreeMap<u32, Vec<Vec<u32>>>, found: Vec<Levels>| {
            for (level, numbers) in found.into_iter().flatten() {
                levels.entry(level).or_default().push(numbers);
            }
        };
        add(&mut levels, started);
        while let Some((_, lists)) = levels.pop_last() {
            let tasks: Vec<&[u32]> = lists.iter().flat_map(|list| list.chunks(TASK_POSITIONS)).collect();
            let found = run_tasks(self.threads, tasks.len(), |n, found: &mut Levels| {
                for &number in tasks[n] {
                    self.pass_back_from(number, sources, found);
                }
                watch.count(0)
            })?;
            add(&mut levels, found);
        }
        Ok(())
    }

    /// Passes the value of a position back to those before it.
    fn pass_back_from(&self, number: u32, sources: &[AtomicU32], found: &mut Levels) {
        let is_candidate = number & CANDIDATE != 0;
        let number = number & !CANDIDATE;
        let state = &self.loops[number as usize];
        if is_candidate {
            if state.left.swap(0, AcqRel) == 0 {
                return;
            }
            self.set(number, Value(state.best.load(Relaxed)));
        }
        let value = self.get(number);
        let begin = state.sources.load(Relaxed);
        for source in sources.get(begin as usize..).into_iter().flatten() {
            let source = source.load(Relaxed);
            let before = &self.loops[(source >> 2) as usize];
            if before.left.load(Relaxed) > 0 {
                let of_move = turn_of(source).to_parent(value);
                let best = of_move.max(Value(before.best.fetch_max(of_move.0, AcqRel)));
                // A negative value is that of the last move; a positive one suffices, as it is the best of the moves left.
                let is_decided = if of_move > Value::DRAW {
                    before.left.swap(0, AcqRel) > 0
                } else {
                    before.left.fetch_update(AcqRel, Acquire, |left| left.checked_sub(1)) == Ok(1)
                };
                if is_decided {
                    let best = best.max(Value(before.best.load(Acquire)));
                    self.set(source >> 2, best);
                    if best != Value::DRAW {
                        found.entry(best.0.unsigned_abs()).or_default().push(source >> 2);
                    }
                }
            }
            if source & LAST != 0 {
                break;
            }
        }
    }
}

/// Where the list of a position that no move in the layer leads to begins: beyond the end.
const NO_SOURCES: u32 = u32::MAX;
