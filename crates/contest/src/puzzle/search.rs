//! The search for puzzles, in all positions or in a sample.

use std::collections::HashSet;

use balpan::{Budget, Engine, EngineError, Game, Keyed, MAX_PLIES, Solver, SplitMix, Stopped, TooLong, Value, Watch};
use balpan_games::KnownOf;

use super::chance::Puzzling;
use super::claim::Claims;
use super::thin::{Ranked, ranked};
use super::walk::{NotAll, values};
use super::{Examined, Found, Plies, PuzzleIn, PuzzleQuery};

/// Looks for puzzles, the best first.
///
/// If `watch` says to stop, what was found until then is the result. Where
/// [`PuzzleQuery::tries`] says how much is tried, the result is the same on every machine, given
/// the same [`PuzzleQuery::memory`].
///
/// # Errors
/// If play may last too long for a search.
pub fn find<G: Puzzling>(
    game: &G,
    asked: &PuzzleQuery,
    watch: &Watch,
) -> Result<Found<G::Position, G::Move>, EngineError> {
    TooLong::check(game, &game.start())?;
    // Where play has ended, chance has nowhere to go.
    if !asked.by_chance || game.is_over(&game.start()) {
        match values(game, watch) {
            Ok(values) => {
                let positions: Vec<_> = values.keys().cloned().collect();
                return Ok(everywhere(game, &positions, ReachedValues { game, values }, asked, watch));
            }
            Err(NotAll::Stopped) => {
                return Ok(Found { search: Examined::Stopped, tried: 0, left_out: Some(0), puzzles: Vec::new() });
            }
            Err(NotAll::TooMany) => {}
        }
    }
    Ok(by_chance(game, asked, watch))
}

/// Values that are known of all positions that can be asked for.
struct ReachedValues<'a, G: Game> {
    game: &'a G,
    values: rustc_hash::FxHashMap<G::Position, Value>,
}

impl<G: Keyed> Solver<G::Position> for ReachedValues<'_, G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        self.values.get(&self.game.canonical(position)).copied().ok_or(Stopped::Interrupted)
    }

    fn positions_searched(&self) -> u64 {
        self.values.len() as u64
    }

    fn set_watch(&mut self, _watch: &Watch) {}
}

/// The puzzles among all these positions.
fn everywhere<G: Puzzling>(
    game: &G,
    positions: &[G::Position],
    solver: impl Solver<G::Position>,
    asked: &PuzzleQuery,
    watch: &Watch,
) -> Found<G::Position, G::Move> {
    let mut claims = Claims { game, solver, plies: asked.plies, watch };
    let (mut puzzles, mut tried) = (Vec::new(), 0);
    for position in positions {
        if watch.count(1).is_err() {
            break;
        }
        let Ok(puzzle) = claims.look(position) else {
            break;
        };
        tried += 1;
        puzzles.extend(puzzle);
    }
    let search = if tried == positions.len() as u64 { Examined::Everywhere } else { Examined::Stopped };
    let Ranked { mut puzzles, left_out } = ranked(game, puzzles, asked.all);
    puzzles.truncate(asked.most.unwrap_or(usize::MAX));
    Found { search, tried, left_out: Some(left_out), puzzles }
}

/// The best puzzles among random positions.
fn by_chance<G: Puzzling>(game: &G, asked: &PuzzleQuery, watch: &Watch) -> Found<G::Position, G::Move> {
    let mut chance = Chance::new(game, asked);
    while chance.goes_on(watch) {
        // A position that takes too long is given up, and the solver with it: what has
        // been told to stop does not go on.
        let of_one = watch.child(Reach::HARD);
        let engine = Engine::new(game.clone(), Budget { memory: asked.memory, threads: 1 });
        let mut engine = KnownOf::inform(asked.known.as_ref(), engine);
        if engine.prepare(&game.start(), watch).is_err() {
            break;
        }
        engine.set_watch(&of_one);
        chance.go_on(engine, &of_one, watch);
    }
    let most = asked.most.unwrap_or(PuzzleQuery::USUAL);
    let Ranked { mut puzzles, .. } = ranked(game, chance.puzzles, asked.all);
    puzzles.truncate(most);
    Found { search: Examined::Chance, tried: chance.tried, left_out: None, puzzles }
}

/// A search at random, as far as it has come.
struct Chance<'a, G: Game> {
    game: &'a G,
    asked: &'a PuzzleQuery,
    /// The plies to the win: as are asked for, until there are better puzzles than are kept.
    plies: Plies,
    /// Some more are kept than are asked for: among them may be some that follow others.
    kept: usize,
    random: SplitMix,
    reach: Reach,
    tried: u64,
    puzzles: Vec<PuzzleIn<G>>,
    /// Their positions.
    known: HashSet<G::Position>,
}

impl<'a, G: Puzzling> Chance<'a, G> {
    fn new(game: &'a G, asked: &'a PuzzleQuery) -> Self {
        Self {
            game,
            asked,
            plies: asked.plies,
            kept: asked.most.unwrap_or(PuzzleQuery::USUAL).saturating_mul(4).max(1),
            random: SplitMix(asked.seed),
            reach: Reach::new(game.layer(&game.start()).unwrap_or(MAX_PLIES) as usize),
            tried: 0,
            puzzles: Vec::new(),
            known: HashSet::new(),
        }
    }

    fn goes_on(&self, watch: &Watch) -> bool {
        !watch.is_stopping() && self.asked.tries.is_none_or(|tries| self.tried < tries)
    }

    /// Tries one position after the other, to the end or to the first that is too hard.
    fn go_on(&mut self, solver: impl Solver<G::Position>, of_one: &Watch, watch: &Watch) {
        let mut claims = Claims { game: self.game, solver, plies: self.plies, watch };
        while self.goes_on(watch) {
            let left = self.reach.choose(claims.plies.least as usize, &mut self.random);
            let position = self.game.by_chance(left, &mut self.random).map(|position| self.game.canonical(&position));
            let Some(position) = position.filter(|position| !self.known.contains(position)) else {
                self.tried += 1;
                continue;
            };
            let before = claims.solver.positions_searched();
            of_one.restart_counts();
            let looked = claims.look(&position);
            let cost = claims.solver.positions_searched() - before;
            // Whether to stop is asked before the next one.
            let _ = watch.count(cost.max(1));
            if looked.is_err() && watch.is_stopping() {
                // Not tried to its end, so that it does not count.
                return;
            }
            self.tried += 1;
            let Ok(found) = looked else {
                self.reach.learn(left, Reach::HARD);
                return;
            };
            self.reach.learn(left, cost);
            if let Some(puzzle) = found.filter(|puzzle| self.asked.all || puzzle.difficulty.label.is_none()) {
                self.keep(puzzle);
                claims.plies = self.plies;
            }
        }
    }

    fn keep(&mut self, puzzle: PuzzleIn<G>) {
        self.known.insert(puzzle.position.clone());
        self.puzzles.push(puzzle);
        if self.puzzles.len() < self.kept.saturating_mul(2) {
            return;
        }
        self.puzzles = ranked(self.game, std::mem::take(&mut self.puzzles), self.asked.all).puzzles;
        self.puzzles.truncate(self.kept);
        self.known = self.puzzles.iter().map(|puzzle| puzzle.position.clone()).collect();
        // Those that follow others come last: as long as there are such, or too few, even a
        // shorter one that follows none would be better.
        if self.puzzles.len() == self.kept && !self.puzzles.iter().any(|puzzle| puzzle.rank.follows) {
            let worst = self.puzzles.iter().map(|puzzle| puzzle.rank.plies).min();
            self.plies.least = self.plies.least.max(worst.unwrap_or(0));
        }
    }
}

/// How many cells are left in positions that are solved in a moment: learnt on the way,
/// by how many positions each one takes, so that it is the same on every machine.
struct Reach {
    left: usize,
    most: usize,
    easy: u32,
}

impl Reach {
    /// So few are left at first.
    const FEW: usize = 12;
    /// A position that takes at most this many positions searched is easy. Easy ones in a row
    /// lead to larger ones.
    const EASY: u64 = 1 << 13;
    const IN_A_ROW: u32 = 8;
    /// A position that takes this many is given up, and leads back to smaller ones.
    const HARD: u64 = 1 << 19;

    fn new(most: usize) -> Self {
        Self { left: most.min(Self::FEW), most, easy: 0 }
    }

    /// How many cells to leave, more likely many than few, enough for so long a puzzle.
    fn choose(&self, plies: usize, random: &mut SplitMix) -> usize {
        let least = plies.min(self.left);
        let range = self.left - least + 1;
        least + random.below(range).max(random.below(range))
    }

    fn learn(&mut self, left: usize, cost: u64) {
        match cost {
            Self::HARD.. => (self.left, self.easy) = (left.saturating_sub(1).max(Self::FEW).min(self.most), 0),
            0..=Self::EASY if left + 2 > self.left => self.easy += 1,
            0..=Self::EASY => {}
            _ => self.easy = 0,
        }
        if self.easy >= Self::IN_A_ROW {
            (self.left, self.easy) = ((self.left + 1).min(self.most), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easy_positions_lead_to_larger_ones_and_hard_ones_back() {
        let mut reach = Reach::new(25);
        assert_eq!(reach.left, 12);
        for _ in 0..200 {
            reach.learn(reach.left, 10);
        }
        assert_eq!(reach.left, 25);
        reach.learn(20, Reach::HARD);
        assert_eq!(reach.left, 19);
        let mut random = SplitMix(1);
        assert!((0..1000).all(|_| (5..=19).contains(&reach.choose(5, &mut random))));
        assert_eq!(reach.choose(30, &mut random), 19);
    }

    #[test]
    fn a_small_game_leaves_few() {
        let mut reach = Reach::new(3);
        reach.learn(1, u64::MAX);
        assert_eq!(reach.left, 3);
        assert!(reach.choose(0, &mut SplitMix(1)) <= 3);
    }
}
