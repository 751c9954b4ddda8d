//! Alpha-beta: minimax that does not look at what cannot matter, and remembers.

mod search;

use std::iter;
use std::ops::Deref;

use crate::codes::ValueCodec;
use crate::game::Game;
use crate::hints::Hints;
use crate::journal::{Journal, JournalEntry};
use crate::keyed::Keyed;
use crate::keys::Keys;
use crate::length::{self, MAX_PLIES};
use crate::oracle::OracleProbe;
use crate::questions;
use crate::solver::Solver;
use crate::table::TranspositionTable;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Stopped, Watch};
use crate::workers::Workers;
use search::{Entry, Search, SearchContext};

/// Alpha-beta with null windows: every search asks one yes-or-no question, whether
/// the value is better than some bound, and its fail-soft answer bounds the value
/// better than asked. First it is asked who wins, for a moment; then whether play ends
/// soon; then who wins, however long it takes, and in how many plies.
///
/// The game's [`bounds`](Hints::bounds) and a transposition table over canonical
/// positions answer what they can; [`candidates`](Hints::candidates) are tried from
/// the table's best on by [`rank`](Hints::rank). The table lives as long as the
/// solver, so that related positions are solved the faster.
///
/// Recursion is as deep as the game is long.
///
/// Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning",
/// Artificial Intelligence 6 (1975); null windows: J. Pearl, "Scout" (1980);
/// fail-soft: J. P. Fishburn (1983); questions that step to the value: A. Plaat et
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
    workers: Workers,
}

impl<G: Keyed + Hints, P: Deref<Target = G>> AlphaBeta<P> {
    /// A solver whose table grows to `table_bytes` at most (for the moment of
    /// growing, the old one of a quarter or half that size is there too), and that reports to
    /// `watch`. A small table costs time, never exactness.
    ///
    /// Of a game without keys, positions take half of the bytes.
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Self {
        let (keys, table_bytes) = Keys::new(&*game, table_bytes);
        let codec = ValueCodec::for_position(&*game, &game.start());
        let table = TranspositionTable::new(keys.bits(), Entry::bits(codec), table_bytes);
        Self {
            game,
            keys,
            codec,
            table_bytes,
            oracle: None,
            workers: Workers::new::<G::Position>(table, watch, PARALLEL_THRESHOLD),
        }
    }

    /// Makes room in the table for values of games that last longer than the start does.
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
                self.workers.journal.take().map(|journal| journal.of(JOURNAL_SOLVER, self.codec.bits()));
        }
    }

    /// The same solver on `threads` threads, wherever a question takes long enough to
    /// be worth it. The values are the same, the positions searched are not.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads.max(1);
        self
    }

    /// The same solver, which asks the oracle about what it meets.
    pub(crate) fn with_oracle(mut self, oracle: Option<OracleProbe>) -> Self {
        self.oracle = oracle;
        self
    }

    /// The same solver with one thread alone at each question for its first
    /// `positions` positions; 1,024 unless set otherwise.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.workers.alone = positions;
        self
    }

    /// Whether the position is worth more than `threshold`: a lower bound that is more,
    /// or an upper bound that is not.
    fn run_test(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        self.widen_entries(position);
        let Self { game, keys, codec, oracle, workers, .. } = self;
        let context = SearchContext { game: &**game, keys, codec: *codec, oracle: oracle.as_ref() };
        length::search(context.game, position, || {
            workers.search(|shared, worker| Search::new(context, shared, position, worker).run(position, threshold))
        })
    }

    /// The answer if it takes at most `positions` positions, or a few more.
    fn test_with_limit(
        &mut self,
        position: &G::Position,
        threshold: Value,
        positions: u64,
    ) -> Result<Option<Value>, Stopped> {
        self.widen_entries(position);
        let Self { game, keys, codec, oracle, workers, .. } = self;
        let context = SearchContext { game: &**game, keys, codec: *codec, oracle: oracle.as_ref() };
        length::search(context.game, position, || {
            workers.search_within(positions, |shared, worker| {
                Search::new(context, shared, position, worker).run(position, threshold)
            })
        })
    }

    /// The answer to a question if it is found quickly.
    pub(crate) fn test_briefly(&mut self, position: &G::Position, threshold: Value) -> Result<Option<Value>, Stopped> {
        self.test_with_limit(position, threshold, BRIEF_TEST_POSITIONS)
    }

    /// Remembers what another solver found in `work` positions, and keeps it if a journal is kept.
    pub(crate) fn store_bounds(&mut self, position: &G::Position, bounds: Bounds, work: u64) {
        self.widen_entries(position);
        let bounds = self.probe(position).unwrap_or(Bounds::ANY).intersect(bounds);
        if self.game.is_cacheable(position)
            && let Some(key) = self.keys.key(&*self.game, &self.game.canonical(position))
        {
            self.workers.learn(key, Entry::from_bounds(bounds).pack(self.codec), work);
        }
    }

    /// What the table knows of the value.
    fn probe(&self, position: &G::Position) -> Option<Bounds> {
        if !self.game.is_cacheable(position) {
            return None;
        }
        let key = self.keys.key(&*self.game, &self.game.canonical(position))?;
        Some(Entry::unpack(self.workers.table.probe(self.workers.table.slot(key))?, self.codec).bounds)
    }

    /// Keeps results that took long in `journal`, and remembers those of `entries` that are
    /// this solver's own.
    pub(crate) fn set_journal(&mut self, journal: Journal, entries: &[JournalEntry]) {
        if self.keys.are_from_game() {
            self.workers.set_journal(journal.of(JOURNAL_SOLVER, self.codec.bits()), entries, TranspositionTable::slot);
        }
    }

    /// Narrows what is known of the value by questions that are answered quickly: who wins, and
    /// whether play ends soon.
    ///
    /// A search for any win can lose itself in long ones, a search for a short one
    /// cannot; and the answer "not so soon" narrows what comes after.
    pub(crate) fn narrow_by_quick_tests(
        &mut self,
        position: &G::Position,
        mut known: Bounds,
    ) -> Result<Bounds, Stopped> {
        let longest = self.game.layer(position).unwrap_or(MAX_PLIES);
        let who = (Value::DRAW, FIRST_TEST_POSITIONS);
        let soon = QUICK_TESTS.into_iter().filter(|soon| soon.min_longest_play <= longest);
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

/// What is asked before something else is tried is asked within this number of positions.
const BRIEF_TEST_POSITIONS: u64 = 1 << 10;

/// Who wins is asked first, within this number of positions.
const FIRST_TEST_POSITIONS: u64 = 1 << 7;

/// Whether play ends within a number of plies, asked within a number of positions.
struct QuickTest {
    plies: u32,
    positions: u64,
    /// Where play lasts fewer plies than this at the longest, it is not asked: there who wins
    /// is found about as quickly.
    min_longest_play: u32,
}

/// What is asked then (measured: Connect Four on 6×7).
const QUICK_TESTS: [QuickTest; 3] = [
    QuickTest { plies: 7, positions: 1 << 10, min_longest_play: 14 },
    QuickTest { plies: 13, positions: 1 << 13, min_longest_play: 0 },
    QuickTest { plies: 19, positions: 1 << 13, min_longest_play: 28 },
];

/// A question that takes more positions is worth starting threads.
const PARALLEL_THRESHOLD: u64 = 1 << 10;

/// The solver's number in a journal.
const JOURNAL_SOLVER: u8 = 1;

impl<G: Keyed + Hints, P: Deref<Target = G>> Solver<G::Position> for AlphaBeta<P> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        let known = self.known_bounds(position);
        let known = self.narrow_by_quick_tests(position, known)?;
        questions::find_value(known, |threshold| self.run_test(position, threshold))
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        questions::find_outcome(|threshold| self.run_test(position, threshold))
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
        questions::find_outcome_bounds(known, |threshold| self.run_test(position, threshold))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        questions::find_value(bounds.intersect(self.known_bounds(position)), |threshold| {
            self.run_test(position, threshold)
        })
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        if self.game.is_over(position) {
            return Bounds::exact(Value::terminal(self.game.end(position)));
        }
        self.probe(position).unwrap_or(Bounds::ANY)
    }

    fn bytes(&self) -> u64 {
        self.workers.table.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.workers.positions
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.workers.watch = watch.clone();
    }
}
