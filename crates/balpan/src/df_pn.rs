//! Depth-first proof-number search: first where the least is left to prove.

mod search;

use std::fmt::{self, Debug};
use std::ops::Deref;

use crate::codes::ValueCodec;
use crate::game::Game;
use crate::hints::Hints;
use crate::journal::{Journal, JournalEntry};
use crate::keyed::Keyed;
use crate::keys::Keys;
use crate::length;
use crate::parallel::Worker;
use crate::questions;
use crate::solver::Solver;
use crate::table::TranspositionTable;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Stopped, Watch};
use crate::workers::Workers;
use search::{Proof, Search, key_bits};

/// Depth-first proof-number search. It asks the yes-or-no questions that
/// [`AlphaBeta`](crate::AlphaBeta) asks, but goes where the fewest positions seem
/// left to be proven, and heeds the game's [`rank`](Hints::rank)s between equals only:
/// strong where some positions leave far fewer moves than others, as when pieces are
/// placed, or where wins are forced; weak where positions differ little, or ranks know
/// better. Made for [`outcome`](Solver::outcome); [`value`](Solver::value) goes on to
/// ask for the remoteness.
///
/// The table lives as long as the solver. What cannot be remembered is searched to
/// its end at once, and a move tried over and over is given ever more, so a search
/// ends however small the table is; but it is slow if it keeps forgetting.
///
/// Memory: the table, and for each position on the current path its moves.
/// Recursion is as deep as the game is long.
///
/// Source: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
/// applications" (thesis, Tokyo 2002); moves are left only when they fall behind by a
/// quarter: J. Pawlewicz and Ł. Lew, "Improving depth-first PN-search: 1 + ε trick"
/// (2007); the hardest move in slot of the sum of all: T. Ueda et al., "Weak
/// proof-number search" (2008); as many to disprove as there are moves: L. V. Allis,
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

impl<G: Keyed + Hints, P: Deref<Target = G>> DfPn<P> {
    /// A solver whose table takes no more than `table_bytes`, half as much again while it grows, and that
    /// reports to `watch`. A small table costs time, never exactness.
    ///
    /// Of a game without keys, positions take half of the bytes.
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Self {
        let (keys, table_bytes) = Keys::new(&*game, table_bytes);
        let codec = ValueCodec::for_position(&*game, &game.start());
        let workers = Workers::new::<G::Position>(table(&keys, codec, table_bytes), watch, PARALLEL_THRESHOLD);
        Self { game, keys, codec, workers, table_bytes }
    }

    /// The same solver on `threads` threads, wherever a question takes long enough to be worth
    /// it. Outcomes are the same, the positions searched are not, nor need a remoteness that was
    /// not asked for be.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads.max(1);
        self
    }

    /// The same solver with one thread alone at each question for its first `positions`
    /// positions; 1,024 unless set otherwise.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.workers.alone = positions;
        self
    }

    /// Keeps results that took long in `journal`, and remembers those of `entries` that are
    /// this solver's own.
    pub(crate) fn set_journal(&mut self, journal: Journal, entries: &[JournalEntry]) {
        if self.keys.are_from_game() {
            self.workers.set_journal(journal.of(JOURNAL_SOLVER, self.codec.bits()), entries, TranspositionTable::slot);
        }
    }

    /// Whether the position is worth more than `threshold`: a lower bound that is more,
    /// or an upper bound that is not.
    fn run_test(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Stopped> {
        let codec = ValueCodec::for_position(&*self.game, position);
        if codec.bits() > self.codec.bits() {
            // Values of games that last longer than the start does need more room.
            self.codec = codec;
            self.workers.set_table(table(&self.keys, codec, self.table_bytes));
            self.workers.journal = self.workers.journal.take().map(|journal| journal.of(JOURNAL_SOLVER, codec.bits()));
        }
        let Self { game, keys, codec, workers, .. } = self;
        let (game, keys, codec) = (&**game, &*keys, *codec);
        length::search(game, position, || {
            workers.search(|shared, worker| Search::new(game, keys, codec, shared, worker).run(position, threshold))
        })
    }
}

fn table<P: Clone + Eq + std::hash::Hash>(keys: &Keys<P>, codec: ValueCodec, table_bytes: usize) -> TranspositionTable {
    TranspositionTable::new(key_bits(keys.bits()), Proof::bits(codec), table_bytes)
}

/// The number of bits of a number, in the [`code`](crate::proof::code) that keeps this many
/// exactly.
pub(crate) const NUMBER_BITS: u32 = EXACT_BITS + 6;
pub(crate) const EXACT_BITS: u32 = 6;

/// A question that takes more positions is worth starting threads.
const PARALLEL_THRESHOLD: u64 = 1 << 10;

/// The solver's number in a journal.
const JOURNAL_SOLVER: u8 = 2;

impl<G: Keyed + Hints, P: Deref<Target = G>> Solver<G::Position> for DfPn<P> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        questions::find_value(Bounds::ANY, |threshold| self.run_test(position, threshold))
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
        questions::find_outcome_bounds(known, |threshold| self.run_test(position, threshold))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        questions::find_value(bounds.intersect(self.known_bounds(position)), |threshold| {
            self.run_test(position, threshold)
        })
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        let game = &*self.game;
        if game.is_over(position) {
            return Bounds::exact(Value::terminal(game.end(position)));
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
