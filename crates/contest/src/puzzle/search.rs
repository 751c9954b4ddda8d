//! The search for puzzles, among all positions or in a sample.

use std::collections::HashSet;

use balpan::{
    BoxedSolver, Budget, EngineError, Game, MAX_PLIES, Solver, SplitMix, Stopped, TableError, TooLong, Value, Watch,
    with_stack_for,
};
use balpan_games::{AnyGame, FamilyGame};
use rustc_hash::{FxHashMap, FxHashSet};

use super::checker::PuzzleChecker;
use super::ranking::rank_puzzles;
use super::{PlyRange, PuzzleIn, PuzzleQuery, PuzzleSet, SearchScope};

/// Finds puzzles, the best first.
///
/// If `watch` stops the search, the result has the puzzles found up to there. With
/// [`PuzzleQuery::tries`] and the same [`PuzzleQuery::memory`], a sample gives the same result on every
/// machine.
///
/// # Errors
/// If play may last too long for a search.
pub fn find_puzzles<G: FamilyGame>(
    game: &G,
    query: &PuzzleQuery,
    watch: &Watch,
) -> Result<PuzzleSet<G::Position, G::Move>, EngineError> {
    search(&AnyGame::from(game.clone()), game, query, watch)
}

/// Finds puzzles as [`find_puzzles`]. `any` is the same game.
pub(super) fn search<G: FamilyGame>(
    any: &AnyGame,
    game: &G,
    query: &PuzzleQuery,
    watch: &Watch,
) -> Result<PuzzleSet<G::Position, G::Move>, EngineError> {
    TooLong::check(game, &game.start())?;
    if game.may_repeat() {
        // No position has a value before all have.
        let budget = Budget { memory: query.memory.max(MIN_TABLE_BYTES), threads: 1 };
        return match any.solver(budget, None, watch) {
            Ok(solver) => Ok(examine_all(game, &reachable_positions(game), solver, query, watch)),
            Err(TableError::Stopped(_)) => Ok(nothing_examined()),
            Err(error) => Err(error.into()),
        };
    }
    // There is nothing to sample if the game is over.
    if !query.sample || game.is_over(&game.start()) {
        match reachable_values(game, watch) {
            Ok(Some(values)) => {
                let positions: Vec<_> = values.keys().cloned().collect();
                let solver = Box::new(ReachedValues { game: game.clone(), values });
                return Ok(examine_all(game, &positions, solver, query, watch));
            }
            Err(_) => return Ok(nothing_examined()),
            Ok(None) => {}
        }
    }
    Ok(examine_sample(any, game, query, watch))
}

/// The least memory for the values of a game in which play may repeat.
const MIN_TABLE_BYTES: usize = 16 << 20;

/// The result of a search that was stopped before it examined a position.
const fn nothing_examined<P, M>() -> PuzzleSet<P, M> {
    PuzzleSet { search: SearchScope::Stopped, tried: 0, left_out: Some(0), puzzles: Vec::new() }
}

/// A solver that looks up the values of all reachable positions.
struct ReachedValues<G: Game> {
    game: G,
    values: FxHashMap<G::Position, Value>,
}

impl<G: Game> Solver<G::Position> for ReachedValues<G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        self.values.get(&self.game.canonical(position)).copied().ok_or(Stopped::Interrupted)
    }

    fn positions_searched(&self) -> u64 {
        self.values.len() as u64
    }

    fn set_watch(&mut self, _watch: &Watch) {}
}

/// Returns all positions that play can reach from the start, up to symmetry.
fn reachable_positions<G: Game>(game: &G) -> Vec<G::Position> {
    let mut positions = vec![game.canonical(&game.start())];
    let mut seen: FxHashSet<_> = positions.iter().cloned().collect();
    let mut done = 0;
    while let Some(position) = positions.get(done).cloned() {
        for mv in game.moves(&position) {
            let after = game.canonical(&game.play(&position, mv));
            if seen.insert(after.clone()) {
                positions.push(after);
            }
        }
        done += 1;
    }
    positions
}

/// Returns the puzzles among all reachable positions.
fn examine_all<G: FamilyGame>(
    game: &G,
    positions: &[G::Position],
    solver: BoxedSolver<G::Position>,
    query: &PuzzleQuery,
    watch: &Watch,
) -> PuzzleSet<G::Position, G::Move> {
    let mut checker = PuzzleChecker { game, solver, plies: query.plies, watch };
    let (mut puzzles, mut tried) = (Vec::new(), 0);
    for position in positions {
        if watch.count(1).is_err() {
            break;
        }
        let Ok(puzzle) = checker.check(position) else {
            break;
        };
        tried += 1;
        puzzles.extend(puzzle);
    }
    let search = if tried == positions.len() as u64 { SearchScope::Everywhere } else { SearchScope::Stopped };
    let (mut puzzles, left_out) = rank_puzzles(game, puzzles, query.all);
    puzzles.truncate(query.limit.unwrap_or(usize::MAX));
    PuzzleSet { search, tried, left_out: Some(left_out), puzzles }
}

/// Returns the best puzzles of a sample.
fn examine_sample<G: FamilyGame>(
    any: &AnyGame,
    game: &G,
    query: &PuzzleQuery,
    watch: &Watch,
) -> PuzzleSet<G::Position, G::Move> {
    let mut sampler = Sampler::new(game, query);
    while sampler.goes_on(watch) {
        // A position that takes too long is given up with its engine: an interrupted engine cannot
        // continue.
        let position_watch = watch.child(SizeControl::MAX_SEARCHED);
        let budget = Budget { memory: query.memory, threads: 1 };
        let Ok(mut solver) = any.solver(budget, query.oracle.as_ref(), watch) else {
            break;
        };
        solver.set_watch(&position_watch);
        sampler.run(solver, &position_watch, watch);
    }
    let (mut puzzles, _) = rank_puzzles(game, sampler.puzzles, query.all);
    puzzles.truncate(query.limit.unwrap_or(PuzzleQuery::DEFAULT_LIMIT));
    PuzzleSet { search: SearchScope::Chance, tried: sampler.tried, left_out: None, puzzles }
}

/// A search of random positions, and its results so far.
struct Sampler<'a, G: Game> {
    game: &'a G,
    query: &'a PuzzleQuery,
    /// The range of plies to the win: the query's, until enough longer puzzles are found.
    plies: PlyRange,
    /// The number of puzzles to keep: more than the query's limit, because some may follow others.
    max_kept: usize,
    random: SplitMix,
    size_control: SizeControl,
    tried: u64,
    puzzles: Vec<PuzzleIn<G>>,
    /// The positions of the puzzles.
    positions: HashSet<G::Position>,
}

impl<'a, G: FamilyGame> Sampler<'a, G> {
    fn new(game: &'a G, query: &'a PuzzleQuery) -> Self {
        Self {
            game,
            query,
            plies: query.plies,
            max_kept: query.limit.unwrap_or(PuzzleQuery::DEFAULT_LIMIT).saturating_mul(4).max(1),
            random: SplitMix(query.seed),
            size_control: SizeControl::new(game.layer(&game.start()).unwrap_or(MAX_PLIES) as usize),
            tried: 0,
            puzzles: Vec::new(),
            positions: HashSet::new(),
        }
    }

    fn goes_on(&self, watch: &Watch) -> bool {
        !watch.is_stopping() && self.query.tries.is_none_or(|tries| self.tried < tries)
    }

    /// Tries positions to the end of the sample, or to the first that is too hard.
    fn run(&mut self, solver: BoxedSolver<G::Position>, position_watch: &Watch, watch: &Watch) {
        let mut checker = PuzzleChecker { game: self.game, solver, plies: self.plies, watch };
        while self.goes_on(watch) {
            let left = self.size_control.choose(checker.plies.min as usize, &mut self.random);
            let position =
                self.game.random_position(left, &mut self.random).map(|position| self.game.canonical(&position));
            let Some(position) = position.filter(|position| !self.positions.contains(position)) else {
                self.tried += 1;
                continue;
            };
            let before = checker.solver.positions_searched();
            position_watch.restart_counts();
            let checked = checker.check(&position);
            let cost = checker.solver.positions_searched() - before;
            // A stop is noticed before the next position.
            let _ = watch.count(cost.max(1));
            if checked.is_err() && watch.is_stopping() {
                // An interrupted position does not count.
                return;
            }
            self.tried += 1;
            let Ok(found) = checked else {
                self.size_control.update(left, SizeControl::MAX_SEARCHED);
                return;
            };
            self.size_control.update(left, cost);
            if let Some(puzzle) = found.filter(|puzzle| self.query.all || puzzle.difficulty.label.is_none()) {
                self.keep(puzzle);
                checker.plies = self.plies;
            }
        }
    }

    fn keep(&mut self, puzzle: PuzzleIn<G>) {
        self.positions.insert(puzzle.position.clone());
        self.puzzles.push(puzzle);
        if self.puzzles.len() < self.max_kept.saturating_mul(2) {
            return;
        }
        (self.puzzles, _) = rank_puzzles(self.game, std::mem::take(&mut self.puzzles), self.query.all);
        self.puzzles.truncate(self.max_kept);
        self.positions = self.puzzles.iter().map(|puzzle| puzzle.position.clone()).collect();
        // Puzzles that follow others come last. As long as there are such, or too few puzzles, a shorter one
        // that follows none would be better.
        if self.puzzles.len() == self.max_kept && !self.puzzles.iter().any(|puzzle| puzzle.rank.follows) {
            let min = self.puzzles.iter().map(|puzzle| puzzle.rank.plies).min();
            self.plies.min = self.plies.min.max(min.unwrap_or(0));
        }
    }
}

/// Controls how many cells random positions have, so that they are solved quickly. It adapts to the number
/// of positions searched for each, which is the same on every machine.
struct SizeControl {
    /// The most cells at present.
    left: usize,
    /// The cells of the start.
    max: usize,
    /// The number of easy positions in a row.
    easy: u32,
}

impl SizeControl {
    /// The most cells at first, and the least value after hard positions.
    const INITIAL_CELLS: usize = 12;
    /// The most positions searched for an easy position.
    const MAX_EASY_SEARCHED: u64 = 1 << 13;
    /// The number of easy positions in a row after which positions may have one more cell.
    const EASY_IN_A_ROW: u32 = 8;
    /// The number of positions searched at which a position is given up as too hard. The next ones have
    /// fewer cells.
    const MAX_SEARCHED: u64 = 1 << 19;

    fn new(max: usize) -> Self {
        Self { left: max.min(Self::INITIAL_CELLS), max, easy: 0 }
    }

    /// Draws a number of cells, enough for a win in `plies`. The maximum of two draws favors many cells.
    fn choose(&self, plies: usize, random: &mut SplitMix) -> usize {
        let min = plies.min(self.left);
        let range = self.left - min + 1;
        min + random.below(range).max(random.below(range))
    }

    /// Adapts to a position of `left` cells for which `cost` positions were searched.
    fn update(&mut self, left: usize, cost: u64) {
        match cost {
            Self::MAX_SEARCHED.. => {
                (self.left, self.easy) = (left.saturating_sub(1).max(Self::INITIAL_CELLS).min(self.max), 0)
            }
            0..=Self::MAX_EASY_SEARCHED if left + 2 > self.left => self.easy += 1,
            0..=Self::MAX_EASY_SEARCHED => {}
            _ => self.easy = 0,
        }
        if self.easy >= Self::EASY_IN_A_ROW {
            (self.left, self.easy) = ((self.left + 1).min(self.max), 0);
        }
    }
}

/// The most positions, up to symmetry.
const MAX_POSITIONS: usize = (1 << 18) / 8 * 7;

/// The most moves that are followed. A limit by the clock would not be the same on every machine.
const MAX_MOVES: u64 = 1 << 22;

/// Returns the values of all positions that play can reach from the start, up to symmetry; `None` if there are more than
/// [`MAX_POSITIONS`], or more than [`MAX_MOVES`] between them.
fn reachable_values<G: Game>(game: &G, watch: &Watch) -> Result<Option<FxHashMap<G::Position, Value>>, Stopped> {
    let mut walk = Walk { game, watch, moves: 0, values: FxHashMap::default() };
    with_stack_for(game.layer(&game.start()), || Ok(walk.visit(game.start())?.map(|_| walk.values)))
}

struct Walk<'a, G: Game> {
    game: &'a G,
    watch: &'a Watch,
    moves: u64,
    values: FxHashMap<G::Position, Value>,
}

impl<G: Game> Walk<'_, G> {
    /// Returns the value of a position; `None` if there are too many.
    fn visit(&mut self, position: G::Position) -> Result<Option<Value>, Stopped> {
        let position = self.game.canonical(&position);
        if let Some(&value) = self.values.get(&position) {
            return Ok(Some(value));
        }
        let game = self.game;
        let mut best: Option<Value> = None;
        for mv in game.moves(&position) {
            self.moves += 1;
            if self.moves > MAX_MOVES {
                return Ok(None);
            }
            let after = game.play(&position, mv);
            let turn = game.turn(&position, mv, &after);
            let Some(value) = self.visit(after)? else { return Ok(None) };
            best = best.max(Some(turn.to_parent(value)));
        }
        self.watch.count(1)?;
        if self.values.len() == MAX_POSITIONS {
            return Ok(None);
        }
        let value = best.unwrap_or_else(|| game.end_value(&position));
        self.values.insert(position, value);
        Ok(Some(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easy_positions_lead_to_larger_ones_and_hard_ones_back() {
        let mut control = SizeControl::new(25);
        assert_eq!(control.left, 12);
        for _ in 0..200 {
            control.update(control.left, 10);
        }
        assert_eq!(control.left, 25);
        control.update(20, SizeControl::MAX_SEARCHED);
        assert_eq!(control.left, 19);
        let mut random = SplitMix(1);
        assert!((0..1000).all(|_| (5..=19).contains(&control.choose(5, &mut random))));
        assert_eq!(control.choose(30, &mut random), 19);
    }

    #[test]
    fn a_small_game_leaves_few() {
        let mut control = SizeControl::new(3);
        control.update(1, u64::MAX);
        assert_eq!(control.left, 3);
        assert!(control.choose(0, &mut SplitMix(1)) <= 3);
    }
}
