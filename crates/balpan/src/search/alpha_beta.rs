//! Alpha-beta search with a transposition table.

mod in_order;
mod search;

use std::iter;
use std::ops::Deref;
use std::sync::Mutex;

use crate::game::{Game, OracleProbe, repeats, usable_key_bits};
use crate::search::checkpoint::{Journal, JournalEntry};
use crate::search::codes::ValueCodec;
use crate::search::keys::Keys;
use crate::search::length::{self, MAX_PLIES};
use crate::search::solver::{self, Solver};
use crate::search::table::TranspositionTable;
use crate::search::watch::{Stopped, Watch};
use crate::search::workers::Workers;
use crate::value::{Bounds, Outcome, Value};
use in_order::{InOrderSearch, PositionTable};
use search::{Entry, Search, SearchContext};

/// Alpha-beta with null windows: every search tests whether the value is better than a threshold, and its
/// fail-soft answer is often a tighter bound than the threshold. The first test is who wins, within few
/// positions; the next ones are whether play ends soon; then who wins, without a limit, and in how many plies.
///
/// The game's [`bounds`](Game::bounds) and a transposition table of canonical positions cut off what they
/// can. Of the [`candidates`](Game::candidates), the table's best move is tried first, the others by
/// [`rank`](Game::rank). The table lives as long as the solver, so related positions are solved faster.
///
/// One thread searches a game that does not [look ahead](Game::looks_ahead) as plain recursion would: it generates a move
/// once those before it are searched, and calls [`moves`](Game::moves) once for each position, [`play`](Game::play) and
/// [`canonical`](Game::canonical) once for each child.
///
/// Recursion is as deep as the game is long. Where play [may repeat](Game::may_repeat), each test is whether a player wins
/// within a number of plies, for ever more plies until the query is answered: such tests end, and their answers hold
/// whatever the path to a position was. A draw without end is never found that way.
///
/// Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning",
/// Artificial Intelligence 6 (1975); null windows: J. Pearl, "Scout" (1980);
/// fail-soft: J. P. Fishburn (1983); null windows that step to the value: A. Plaat et
/// al., "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87
/// (1996).
///
/// `P` points to the game: a reference or an `Arc`.
#[derive(Debug)]
pub struct AlphaBeta<P: Deref<Target: Game>> {
    game: P,
    keys: Keys<<P::Target as Game>::Position>,
    codec: ValueCodec,
    table_bytes: usize,
    oracle: Option<OracleProbe>,
    /// The positions that one thread has searched in order.
    positions: Mutex<PositionTable<<P::Target as Game>::Position>>,
    workers: Workers,
}

impl<G: Game, P: Deref<Target = G>> AlphaBeta<P> {
    /// Creates a solver whose table grows to `table_bytes` at most, and that reports to `watch`. While the
    /// table grows, the old one of a quarter or half that size takes memory as well. A small table costs
    /// time, never exactness.
    ///
    /// For a game without keys, positions take half of the bytes.
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Self {
        // A search in order replaces no position as long as there is room; a search that looks ahead has one table only.
        let (whole_bytes, table_bytes) = match (game.looks_ahead(), usable_key_bits(&*game)) {
            (true, _) => (0, table_bytes),
            (false, 0) => (table_bytes, table_bytes),
            (false, _) => (table_bytes / 4, table_bytes / 4 * 3),
        };
        let (keys, table_bytes) = Keys::new(&*game, table_bytes);
        let positions = Mutex::new(PositionTable::new(whole_bytes, &keys));
        let codec = ValueCodec::for_position(&*game, &game.start());
        let table = TranspositionTable::new(keys.bits(), Entry::bits(codec), table_bytes);
        Self {
            game,
            keys,
            codec,
            table_bytes,
            oracle: None,
            positions,
            workers: Workers::new::<G::Position>(table, watch),
        }
    }

    /// Replaces the table by one with wider values, if play from the position may last longer than the values
    /// in the table can express.
    fn widen_entries(&mut self, position: &G::Position) {
        let codec = ValueCodec::for_position(&*self.game, position);
        if codec.bits() > self.codec.bits() {
            self.codec = codec;
            self.workers.set_table(TranspositionTable::new(
                self.keys.bits(),
                Entry::bits(self.codec),
                self.table_bytes,
            ));
            self.workers.journal =
                self.workers.journal.take().map(|journal| journal.for_solver(JOURNAL_SOLVER, self.codec.bits()));
        }
    }

    /// Sets the number of threads for tests that take long enough to be worth it. The values are the same,
    /// the number of positions searched is not.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads.max(1);
        self
    }

    /// Sets the oracle that the search probes.
    pub(crate) fn with_oracle(mut self, oracle: Option<OracleProbe>) -> Self {
        self.oracle = oracle;
        self
    }

    /// Sets the number of positions that one thread searches for each test before others join; 1,024 by
    /// default.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.workers.parallel_threshold = positions;
        self
    }

    /// Tests whether the value of the position is better than `threshold`, as [`Solver::test`].
    fn run_test(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        if repeats(&*self.game) {
            let decide = |known: Bounds| known.decide(threshold);
            let known = self.deepen(position, Bounds::ANY, u64::MAX, |known| decide(known).is_some())?;
            return decide(known).ok_or(Stopped::Interrupted);
        }
        loop {
            if let Some(answer) = self.test_with_limit(position, threshold, u64::MAX)? {
                return Ok(answer);
            }
        }
    }

    /// As [`run_test`](Self::run_test); `None` if it takes more than about this number of positions.
    fn test_with_limit(
        &mut self,
        position: &G::Position,
        threshold: Value,
        max_positions: u64,
    ) -> Result<Option<Value>, Stopped> {
        self.widen_entries(position);
        let is_in_order = self.is_in_order();
        let Self { game, keys, codec, oracle, positions, workers, .. } = self;
        let context = SearchContext { game: &**game, keys, codec: *codec, oracle: oracle.as_ref() };
        length::search(context.game, position, || {
            workers.search_within(max_positions, |shared, worker| {
                if is_in_order {
                    return InOrderSearch::new(context, shared, positions, worker).run(position, threshold);
                }
                Search::new(context, shared, position, worker).run(position, threshold)
            })
        })
    }

    /// Narrows `known` by tests who wins within ever more plies, until `is_enough` or about this number of positions are
    /// searched. Gives up at [`MAX_PLIES`].
    ///
    /// A bound of such a value says that a player wins, or does not win, within a number of plies. So it holds on every path
    /// to the position, unlike the bounds of a search that counts repetition as a draw.
    ///
    /// Source: the danger, A. Kishimoto and M. Müller, "A general solution to the graph history interaction problem"
    /// (2004).
    pub(crate) fn deepen(
        &mut self,
        position: &G::Position,
        known: Bounds,
        max_positions: u64,
        is_enough: impl Fn(Bounds) -> bool,
    ) -> Result<Bounds, Stopped> {
        let mut known = self.known_bounds(position).intersect(known);
        let end = self.workers.positions.saturating_add(max_positions);
        for plies in 1..=MAX_PLIES {
            for threshold in [Value::win(plies + 1), Value::loss(plies)] {
                if is_enough(known) {
                    return Ok(known);
                }
                if known.decide(threshold).is_some() {
                    continue;
                }
                let left = end.saturating_sub(self.workers.positions);
                let answer = loop {
                    match self.test_with_limit(position, threshold, left)? {
                        Some(answer) => break answer,
                        None if max_positions < u64::MAX => return Ok(known),
                        None => {}
                    }
                };
                known = known.intersect(Bounds::from_test(answer, threshold));
            }
        }
        Ok(known)
    }

    /// As [`run_test`](Self::run_test); `None` if it takes more than about [`BRIEF_TEST_POSITIONS`].
    pub(crate) fn test_briefly(&mut self, position: &G::Position, threshold: Value) -> Result<Option<Value>, Stopped> {
        self.test_with_limit(position, threshold, BRIEF_TEST_POSITIONS)
    }

    /// Stores bounds that another solver found in `work` positions in the table and in the journal.
    pub(crate) fn store_bounds(&mut self, position: &G::Position, bounds: Bounds, work: u64) {
        self.widen_entries(position);
        let bounds = self.probe(position).unwrap_or(Bounds::ANY).intersect(bounds);
        if self.game.is_cacheable(position)
            && let Some(key) = self.keys.key(&*self.game, &self.game.canonical(position))
        {
            self.workers.learn(key, Entry::from_bounds(bounds).pack(self.codec), work);
        }
    }

    /// Returns whether one thread searches, in the order of the moves.
    fn is_in_order(&self) -> bool {
        self.workers.threads == 1 && !self.game.looks_ahead()
    }

    /// Returns the bounds in the tables.
    fn probe(&self, position: &G::Position) -> Option<Bounds> {
        if !self.game.is_cacheable(position) {
            return None;
        }
        let canonical = self.game.canonical(position);
        let key = if self.keys.are_from_game() { self.keys.key(&*self.game, &canonical) } else { None };
        if self.is_in_order() {
            let stored = PositionTable::lock(&self.positions).find(&canonical, key);
            if stored.is_some() || key.is_none() {
                return stored;
            }
        }
        let key = key.or_else(|| self.keys.key(&*self.game, &canonical))?;
        Some(Entry::unpack(self.workers.table.probe(self.workers.table.slot(key))?, self.codec).bounds)
    }

    /// Sets the journal of expensive results, and stores those of `entries` that belong to this solver in the
    /// table.
    pub(crate) fn set_journal(&mut self, journal: Journal, entries: &[JournalEntry]) {
        if self.keys.are_from_game() && !journal.is_of_parts() {
            let journal = journal.for_solver(JOURNAL_SOLVER, self.codec.bits());
            self.workers.set_journal(journal, entries, |table, key| Some(table.slot(key)));
        }
    }

    /// Narrows `known` by tests with few positions each: who wins, and whether play ends soon.
    ///
    /// A search for any win can get lost in long ones, a search for a short win cannot; and the answer "not
    /// so soon" narrows the bounds for the tests that follow.
    pub(crate) fn narrow_by_quick_tests(
        &mut self,
        position: &G::Position,
        mut known: Bounds,
    ) -> Result<Bounds, Stopped> {
        if repeats(&*self.game) {
            return Ok(known);
        }
        let longest = self.game.max_plies(position).unwrap_or(MAX_PLIES);
        let who = (Value::DRAW, FIRST_TEST_POSITIONS);
        // Play for scores is not a race.
        let is_race = self.game.max_score() == 0;
        let soon = QUICK_TESTS.into_iter().filter(|soon| is_race && soon.min_longest_play <= longest);
        let soon = soon.flat_map(|QuickTest { plies, positions, .. }| {
            [(Value::win(plies + 1), positions), (Value::loss(plies), positions)]
        });
        for (threshold, positions) in iter::once(who).chain(soon) {
            if known.decide(threshold).is_none()
                && let Some(answer) = self.test_with_limit(position, threshold, positions)?
            {
                known = known.intersect(Bounds::from_test(answer, threshold));
            }
        }
        Ok(known)
    }
}

/// The limit of a test that runs before another method is tried, in positions.
const BRIEF_TEST_POSITIONS: u64 = 1 << 10;

/// The limit of the first test, who wins, in positions.
const FIRST_TEST_POSITIONS: u64 = 1 << 7;

/// A test whether play ends within a number of plies, with a limit in positions.
struct QuickTest {
    plies: u32,
    positions: u64,
    /// The test is skipped if the longest play has fewer plies than this: who wins is then found about as
    /// quickly.
    min_longest_play: u32,
}

/// The tests after the first one (measured: Connect Four on 6×7).
const QUICK_TESTS: [QuickTest; 3] = [
    QuickTest { plies: 7, positions: 1 << 10, min_longest_play: 14 },
    QuickTest { plies: 13, positions: 1 << 13, min_longest_play: 0 },
    QuickTest { plies: 19, positions: 1 << 13, min_longest_play: 28 },
];

/// The number of this solver in a journal.
const JOURNAL_SOLVER: u8 = 1;

impl<G: Game, P: Deref<Target = G>> Solver<G::Position> for AlphaBeta<P> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        if repeats(&*self.game) {
            return self.value_within(position, Bounds::ANY);
        }
        let known = self.known_bounds(position);
        let known = self.narrow_by_quick_tests(position, known)?;
        solver::find_value(known, self.game.max_score(), &mut |threshold| self.run_test(position, threshold))
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        solver::find_outcome(&mut |threshold| self.run_test(position, threshold))
    }

    fn test(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        self.run_test(position, threshold)
    }

    fn outcome_bounds(&mut self, position: &G::Position) -> Result<Bounds, Stopped> {
        let known = self.known_bounds(position);
        if known.outcome().is_some() {
            return Ok(known);
        }
        let known = self.narrow_by_quick_tests(position, known)?;
        solver::find_outcome_bounds(known, &mut |threshold| self.run_test(position, threshold))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        if repeats(&*self.game) {
            let known = self.deepen(position, bounds, u64::MAX, |known| known.value().is_some())?;
            return known.value().ok_or(Stopped::Interrupted);
        }
        solver::find_value(bounds.intersect(self.known_bounds(position)), self.game.max_score(), &mut |threshold| {
            self.run_test(position, threshold)
        })
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        if self.game.is_over(position) {
            return Bounds::exact(self.game.end_value(position));
        }
        self.probe(position).unwrap_or(Bounds::ANY)
    }

    fn bytes(&self) -> u64 {
        self.workers.table.bytes() + PositionTable::lock(&self.positions).bytes() as u64
    }

    fn positions_searched(&self) -> u64 {
        self.workers.positions
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.workers.watch = watch.clone();
    }
}
