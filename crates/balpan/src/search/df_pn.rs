//! Depth-first proof-number search (df-pn).

mod search;

use std::fmt::{self, Debug};
use std::ops::Deref;

use crate::game::Game;
use crate::search::checkpoint::{Journal, JournalEntry};
use crate::search::codes::ValueCodec;
use crate::search::keys::Keys;
use crate::search::length;
use crate::search::parallel::Worker;
use crate::search::solver::{self, Solver};
use crate::search::table::TranspositionTable;
use crate::search::watch::{Stopped, Watch};
use crate::search::workers::Workers;
use crate::value::{Bounds, Outcome, Value};
use search::{ProofState, Search, key_bits};

/// Depth-first proof-number search. It runs the same null-window tests as [`AlphaBeta`](crate::AlphaBeta), but
/// searches first where the fewest positions seem left to prove, and uses the game's [`rank`](Game::rank)s only
/// between equals. It is strong where some positions leave far fewer moves than others, as when pieces are placed,
/// or where wins are forced; and weak where positions differ little, or ranks are a better guide. It is made for
/// [`outcome`](Solver::outcome); [`value`](Solver::value) goes on to find the remoteness.
///
/// The table lives as long as the solver. A position that cannot be stored is searched to its end at once, and a move
/// that is searched again and again gets an ever higher limit. So a search ends however small the table is, but it is
/// slow if entries are replaced too soon.
///
/// Memory: the table, and the moves of each position on the current path.
/// Recursion is as deep as the game is long.
///
/// Source: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
/// applications" (thesis, Tokyo 2002); a move is left only when it falls behind by a
/// quarter: J. Pawlewicz and Ł. Lew, "Improving depth-first PN-search: 1 + ε trick"
/// (2007); the hardest move instead of the sum of all: T. Ueda et al., "Weak
/// proof-number search" (2008); the number of moves as the first disproof number: L. V. Allis,
/// "Searching for Solutions in Games and Artificial Intelligence" (1994).
///
/// `P` points to the game: a reference or an `Arc`.
pub struct DfPn<P: Deref<Target: Game>> {
    game: P,
    keys: Keys<<P::Target as Game>::Position>,
    codec: ValueCodec,
    workers: Workers,
    table_bytes: usize,
}

impl<G: Game, P: Deref<Target = G>> DfPn<P> {
    /// Creates a solver whose table takes at most `table_bytes`, half as much again while it grows, and that reports to
    /// `watch`. A small table costs time, never exactness.
    ///
    /// For a game without keys, positions take half of the bytes.
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Self {
        let (keys, table_bytes) = Keys::new(&*game, table_bytes);
        let codec = ValueCodec::for_position(&*game, &game.start());
        let workers = Workers::new::<G::Position>(table(&keys, codec, table_bytes), watch);
        Self { game, keys, codec, workers, table_bytes }
    }

    /// Sets the number of threads for tests that take long enough to be worth it. Outcomes are the same. The number of
    /// positions searched is not, nor is a remoteness that is only a bound.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads.max(1);
        self
    }

    /// Sets the number of positions that one thread searches for each test before others join; 1,024 by default.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.workers.parallel_threshold = positions;
        self
    }

    /// Sets the journal of expensive results, and stores those of `entries` that belong to this solver in the table.
    pub(crate) fn set_journal(&mut self, journal: Journal, entries: &[JournalEntry]) {
        if self.keys.are_from_game() && !journal.is_of_parts() {
            let journal = journal.for_solver(JOURNAL_SOLVER, self.codec.bits());
            self.workers.set_journal(journal, entries, |table, key| Some(table.slot(key)));
        }
    }

    /// Tests whether the value of the position is better than `threshold`, as [`Solver::test`].
    fn run_test(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        let codec = ValueCodec::for_position(&*self.game, position);
        if codec.bits() > self.codec.bits() {
            // Play from here may last longer than from the start, so values need more bits.
            self.codec = codec;
            self.workers.set_table(table(&self.keys, codec, self.table_bytes));
            self.workers.journal =
                self.workers.journal.take().map(|journal| journal.for_solver(JOURNAL_SOLVER, codec.bits()));
        }
        let Self { game, keys, codec, workers, .. } = self;
        let (game, keys, codec) = (&**game, &*keys, *codec);
        length::search(game, position, || {
            workers.search(|shared, worker| Search::new(game, keys, codec, shared, worker).run(position, threshold))
        })
    }
}

fn table<P: Clone + Eq + std::hash::Hash>(keys: &Keys<P>, codec: ValueCodec, table_bytes: usize) -> TranspositionTable {
    TranspositionTable::new(key_bits(keys.bits()), ProofState::bits(codec), table_bytes)
}

/// The number of bits of a proof number in the [`code`](crate::search::proof::code) that stores numbers of [`EXACT_BITS`] exactly.
pub(crate) const NUMBER_BITS: u32 = EXACT_BITS + 6;
pub(crate) const EXACT_BITS: u32 = 6;

/// The number of this solver in a journal.
const JOURNAL_SOLVER: u8 = 2;

impl<G: Game, P: Deref<Target = G>> Solver<G::Position> for DfPn<P> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        solver::find_value(Bounds::ANY, self.game.max_score(), &mut |threshold| self.run_test(position, threshold))
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
        solver::find_outcome_bounds(known, &mut |threshold| self.run_test(position, threshold))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        solver::find_value(bounds.intersect(self.known_bounds(position)), self.game.max_score(), &mut |threshold| {
            self.run_test(position, threshold)
        })
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        let game = &*self.game;
        if game.is_over(position) {
            return Bounds::exact(game.end_value(position));
        }
        let shared = self.workers.share(1, u64::MAX);
        let search = Search::new(game, &self.keys, self.codec, &shared, Worker::alone());
        let mut bounds = Bounds::ANY;
        for threshold in [Value::DRAW, Value::BELOW_DRAW] {
            if let Some(answer) = search.probe_answer(position, threshold) {
                bounds = bounds.intersect(Bounds::from_test(answer, threshold));
            }
        }
        bounds
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

impl<P: Deref<Target: Game>> Debug for DfPn<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DfPn").field("workers", &self.workers).finish_non_exhaustive()
    }
}
