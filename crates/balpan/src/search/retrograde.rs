//! Retrograde analysis: the value of every position that play can reach, where play may repeat.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Debug};
use std::ops::Deref;

use rustc_hash::FxHashMap;

use crate::game::Game;
use crate::search::memory::{block_bytes, map_bytes};
use crate::search::solver::{Solver, TableError};
use crate::search::watch::{Counter, Stopped, Watch};
use crate::value::{Bounds, Turn, Value};

/// The values of all positions that play can reach from one position, in a game in which play may
/// [repeat](Game::may_repeat). Play without end is a draw.
///
/// Positions are listed forwards with their moves, and values passed backwards from the ends, the most extreme first: a
/// win in few plies before one in many, and a large score before a small one. A position gets a positive value from the
/// first move that has one, and a negative value once its last move has one. What gets none is a draw.
///
/// Cost: each move is generated once; a hash table entry and 16 bytes a position, 8 bytes a move.
///
/// Source: retrograde analysis, K. Thompson, "Retrograde analysis of certain endgames" (1986); with scores, J. W. Romein and
/// H. E. Bal, "Solving Awari with parallel retrograde analysis" (2003).
pub struct Retrograde<P: Deref<Target: Game>> {
    game: P,
    /// Whether positions that are equal by symmetry are one.
    is_folded: bool,
    numbers: FxHashMap<<P::Target as Game>::Position, u32>,
    /// By position number.
    values: Vec<Value>,
    heap_bytes: usize,
}

impl<P: Deref<Target: Game>> Debug for Retrograde<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retrograde").field("positions", &self.values.len()).finish_non_exhaustive()
    }
}

/// The moves of all positions, by the numbers of positions.
#[derive(Default)]
struct Edges {
    /// The position after each move, in the order of the positions before them, twice its number; plus 1 if the move keeps
    /// the turn.
    after: Vec<u32>,
    /// The number of moves of each position.
    counts: Vec<u32>,
}

/// Positions have numbers below this, so that twice a number fits 32 bits.
const MAX_POSITIONS: usize = 1 << 31;

/// The value of a position that has none yet; no position has it.
const OPEN: Value = Value(i32::MIN);

impl<G: Game, P: Deref<Target = G>> Retrograde<P> {
    /// Solves all positions that play can reach from `start`, within `memory` bytes.
    ///
    /// # Errors
    /// [`TableError::TooManyPositions`] if the positions do not fit, or [`TableError::Stopped`].
    pub fn new(game: P, start: &G::Position, memory: usize, watch: &Watch) -> Result<Self, TableError> {
        Self::with_folding(game, true, start, memory, watch)
    }

    /// As [`new`](Self::new); if not `is_folded`, of each position and not of each symmetry class.
    pub(crate) fn with_folding(
        game: P,
        is_folded: bool,
        start: &G::Position,
        memory: usize,
        watch: &Watch,
    ) -> Result<Self, TableError> {
        let mut table = Self { game, is_folded, numbers: FxHashMap::default(), values: Vec::new(), heap_bytes: 0 };
        let edges = table.list_positions(start, memory, watch)?;
        table.pass_values_back(edges, watch)?;
        Ok(table)
    }

    /// Numbers the positions in the order in which they are met, with the values of ends. Returns all moves.
    fn list_positions(&mut self, start: &G::Position, memory: usize, watch: &Watch) -> Result<Edges, TableError> {
        let mut edges = Edges::default();
        let mut counter = Counter::new(watch);
        let start = self.representative(start);
        self.numbers.insert(start.clone(), 0);
        let mut waiting = VecDeque::from([start]);
        while let Some(position) = waiting.pop_front() {
            counter.count()?;
            let first = edges.after.len();
            for mv in self.game.moves(&position) {
                let after = self.game.play(&position, mv);
                let turn = self.game.turn(&position, mv, &after);
                let after = self.representative(&after);
                let next = self.numbers.len() as u32;
                let number = *self.numbers.entry(after).or_insert_with_key(|after| {
                    waiting.push_back(after.clone());
                    next
                });
                edges.after.push(2 * number + u32::from(turn == Turn::Kept));
            }
            edges.counts.push((edges.after.len() - first) as u32);
            let is_over = edges.after.len() == first;
            self.values.push(if is_over { self.game.end_value(&position) } else { OPEN });
            self.heap_bytes += block_bytes(self.game.heap_bytes(&position));
            // The moves are stored twice, by the position before and by the one after.
            let bytes = map_bytes(&self.numbers) + self.heap_bytes + 16 * self.numbers.len() + 8 * edges.after.len();
            let waiting_bytes = waiting.len() * size_of::<G::Position>();
            if bytes + waiting_bytes > memory || self.numbers.len() >= MAX_POSITIONS {
                return Err(TableError::TooManyPositions(self.numbers.len()));
            }
        }
        Ok(edges)
    }

    /// Passes the values of ends back along the moves.
    fn pass_values_back(&mut self, edges: Edges, watch: &Watch) -> Result<(), TableError> {
        let (sources, begins) = edges.by_position_after();
        let mut left = edges.counts;
        let mut counter = Counter::new(watch);
        let values = &mut self.values;
        // The positions whose values have to be passed back, by how extreme these are.
        let mut levels = BTreeMap::<u32, Vec<u32>>::new();
        for (number, value) in values.iter().enumerate().filter(|(_, value)| ![OPEN, Value::DRAW].contains(value)) {
            levels.entry(value.0.unsigned_abs()).or_default().push(number as u32);
        }
        while let Some((level, mut positions)) = levels.pop_last() {
            let mut next = 0;
            while let Some(&number) = positions.get(next) {
                next += 1;
                counter.count()?;
                let number = number as usize;
                for &source in &sources[begins[number] as usize..begins[number + 1] as usize] {
                    let turn = if source % 2 == 0 { Turn::Passes } else { Turn::Kept };
                    let source = (source / 2) as usize;
                    if values[source] != OPEN {
                        continue;
                    }
                    let value = turn.to_parent(values[number]);
                    left[source] -= 1;
                    // A negative value is that of the last move: of those before, all are as bad or worse.
                    if value > Value::DRAW || left[source] == 0 {
                        values[source] = value;
                        match value.0.unsigned_abs() {
                            same if same == level => positions.push(source as u32),
                            other => levels.entry(other).or_default().push(source as u32),
                        }
                    }
                }
            }
        }
        values.iter_mut().filter(|value| **value == OPEN).for_each(|value| *value = Value::DRAW);
        Ok(())
    }

    /// Returns the value of a position; `None` if it is not one of those.
    #[must_use]
    pub fn get(&self, position: &G::Position) -> Option<Value> {
        self.numbers.get(&self.representative(position)).map(|number| self.values[*number as usize])
    }

    /// Returns the values of all positions, one of each symmetry class.
    pub fn into_values(self) -> impl Iterator<Item = (G::Position, Value)> {
        let Self { numbers, values, .. } = self;
        numbers.into_iter().map(move |(position, number)| (position, values[number as usize]))
    }

    fn representative(&self, position: &G::Position) -> G::Position {
        if self.is_folded { self.game.canonical(position) } else { position.clone() }
    }
}

impl Edges {
    /// Returns the positions before each move, twice their numbers plus 1 if the move keeps the turn, sorted by the position
    /// after it, and where those of each position after begin.
    fn by_position_after(&self) -> (Vec<u32>, Vec<u32>) {
        let mut begins = vec![0; self.counts.len() + 2];
        for after in &self.after {
            begins[(after / 2) as usize + 2] += 1;
        }
        for number in 2..begins.len() {
            begins[number] += begins[number - 1];
        }
        let mut sources = vec![0; self.after.len()];
        let mut moves = self.after.iter();
        for (number, count) in self.counts.iter().enumerate() {
            for after in moves.by_ref().take(*count as usize) {
                let place = &mut begins[(after / 2) as usize + 1];
                sources[*place as usize] = 2 * number as u32 + after % 2;
                *place += 1;
            }
        }
        begins.pop();
        (sources, begins)
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
        self.numbers.contains_key(&self.representative(position))
    }

    fn bytes(&self) -> u64 {
        (map_bytes(&self.numbers) + self.heap_bytes + self.values.len() * size_of::<Value>()) as u64
    }

    fn positions_searched(&self) -> u64 {
        self.values.len() as u64
    }

    fn set_watch(&mut self, _watch: &Watch) {}
}
