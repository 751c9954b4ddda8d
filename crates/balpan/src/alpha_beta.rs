//! Alpha-beta: minimax that does not look at what cannot matter, and remembers.

mod search;

use std::iter;
use std::ops::Deref;

use crate::codes::Codes;
use crate::game::Game;
use crate::hints::Hints;
use crate::journal::{Journal, JournalEntry};
use crate::keyed::Keyed;
use crate::keys::Keys;
use crate::length::{self, MAX_PLIES};
use crate::oracle::Asked;
use crate::questions;
use crate::solver::Solver;
use crate::table::Table;
use crate::team::Team;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Stopped, Watch};
use search::{Known, Search, Searched};

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
    codes: Codes,
    table_bytes: usize,
    oracle: Option<Asked>,
    team: Team,
}

impl<G: Keyed + Hints, P: Deref<Target = G>> AlphaBeta<P> {
    /// A solver whose table grows to `table_bytes` at most (for the moment of
    /// growing, the old one of a quarter or half that size is there too), and that reports to
    /// `watch`. A small table costs time, never exactness.
    ///
    /// Of a game without keys, positions take half of the bytes.
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Self {
        let (keys, table_bytes) = Keys::within(&*game, table_bytes);
        let codes = Codes::of(&*game, &game.start());
        let table = Table::new(keys.bits(), Known::bits(codes), table_bytes);
        Self { game, keys, codes, table_bytes, oracle: None, team: Team::new::<G::Position>(table, watch, LONG) }
    }

    /// Makes room in the table for values of games that last longer than the start does.
    fn fit(&mut self, position: &G::Position) {
        let codes = Codes::of(&*self.game, position);
        if codes.bits() > self.codes.bits() {
            self.codes = codes;
            self.team.renew(Table::new(self.keys.bits(), Known::bits(self.codes), self.table_bytes));
            self.team.journal = self.team.journal.take().map(|journal| journal.of(SOLVER, self.codes.bits()));
        }
    }

    /// The same solver on `threads` threads, wherever a question takes long enough to
    /// be worth it. The values are the same, the positions searched are not.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.team.threads = threads.max(1);
        self
    }

    /// The same solver, which asks the oracle about what it meets.
    pub(crate) fn with_oracle(mut self, oracle: Option<Asked>) -> Self {
        self.oracle = oracle;
        self
    }

    /// The same solver with one thread alone at each question for its first
    /// `positions` positions; 1,024 unless set otherwise.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.team.alone = positions;
        self
    }

    /// Whether the position is worth more than `asked`: a lower bound that is more,
    /// or an upper bound that is not.
    fn question(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        self.fit(position);
        let Self { game, keys, codes, oracle, team, .. } = self;
        let searched = Searched { game: &**game, keys, codes: *codes, oracle: oracle.as_ref() };
        length::search(searched.game, position, || {
            team.ask(|round, worker| Search::new(searched, round, position, worker).run(position, asked))
        })
    }

    /// The answer if it takes at most `positions` positions, or a few more.
    fn ask_within(&mut self, position: &G::Position, asked: Value, positions: u64) -> Result<Option<Value>, Stopped> {
        self.fit(position);
        let Self { game, keys, codes, oracle, team, .. } = self;
        let searched = Searched { game: &**game, keys, codes: *codes, oracle: oracle.as_ref() };
        length::search(searched.game, position, || {
            team.ask_within(positions, |round, worker| {
                Search::new(searched, round, position, worker).run(position, asked)
            })
        })
    }

    /// The answer to a question if it is found quickly.
    pub(crate) fn ask_briefly(&mut self, position: &G::Position, asked: Value) -> Result<Option<Value>, Stopped> {
        self.ask_within(position, asked, BRIEF)
    }

    /// Remembers what another solver found in `work` positions, and keeps it if a journal is kept.
    pub(crate) fn learn(&mut self, position: &G::Position, told: Bounds, work: u64) {
        self.fit(position);
        let bounds = self.remembered(position).unwrap_or(Bounds::ANY).intersect(told);
        if self.game.is_cacheable(position)
            && let Some(key) = self.keys.key(&*self.game, &self.game.canonical(position))
        {
            self.team.learn(key, Known::of(bounds).packed(self.codes), work);
        }
    }

    /// What the table knows of the value.
    fn remembered(&self, position: &G::Position) -> Option<Bounds> {
        if !self.game.is_cacheable(position) {
            return None;
        }
        let key = self.keys.key(&*self.game, &self.game.canonical(position))?;
        Some(Known::unpacked(self.team.table.get(self.team.table.place(key))?, self.codes).bounds)
    }

    /// Keeps results that took long in `journal`, and remembers those of `entries` that are
    /// this solver's own.
    pub(crate) fn keep(&mut self, journal: Journal, entries: &[JournalEntry]) {
        if self.keys.are_own() {
            self.team.keep(journal.of(SOLVER, self.codes.bits()), entries, Table::place);
        }
    }

    /// Narrows what is known of the value by questions that are answered quickly: who wins, and
    /// whether play ends soon.
    ///
    /// A search for any win can lose itself in long ones, a search for a short one
    /// cannot; and the answer "not so soon" narrows what comes after.
    pub(crate) fn narrow_quickly(&mut self, position: &G::Position, mut known: Bounds) -> Result<Bounds, Stopped> {
        let longest = self.game.layer(position).unwrap_or(MAX_PLIES);
        let who = (Value::DRAW, AT_ONCE);
        let soon = SOON.into_iter().filter(|soon| soon.where_at_least <= longest);
        let soon = soon.flat_map(|Soon { plies, positions, .. }| {
            [(Value::win(plies + 1), positions), (Value::loss(plies), positions)]
        });
        for (asked, positions) in iter::once(who).chain(soon) {
            if known.decide(asked).is_none()
                && let Some(answer) = self.ask_within(position, asked, positions)?
            {
                known = known.intersect(Bounds::from_test(answer, asked));
            }
        }
        Ok(known)
    }
}

/// What is asked before something else is tried is asked within this number of positions.
const BRIEF: u64 = 1 << 10;

/// Who wins is asked first, within this number of positions.
const AT_ONCE: u64 = 1 << 7;

/// Whether play ends within a number of plies, asked within a number of positions.
struct Soon {
    plies: u32,
    positions: u64,
    /// Where play lasts fewer plies than this at the longest, it is not asked: there who wins
    /// is found about as quickly.
    where_at_least: u32,
}

/// What is asked then (measured: Connect Four on 6×7).
const SOON: [Soon; 3] = [
    Soon { plies: 7, positions: 1 << 10, where_at_least: 14 },
    Soon { plies: 13, positions: 1 << 13, where_at_least: 0 },
    Soon { plies: 19, positions: 1 << 13, where_at_least: 28 },
];

/// A question that takes more positions is worth starting threads.
const LONG: u64 = 1 << 10;

/// The solver's number in a journal.
const SOLVER: u8 = 1;

impl<G: Keyed + Hints, P: Deref<Target = G>> Solver<G::Position> for AlphaBeta<P> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        let known = self.known_bounds(position);
        let known = self.narrow_quickly(position, known)?;
        questions::value_within(known, |asked| self.question(position, asked))
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        questions::outcome(|asked| self.question(position, asked))
    }

    fn test(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        self.question(position, asked)
    }

    fn outcome_bounds(&mut self, position: &G::Position) -> Result<Bounds, Stopped> {
        let known = self.known_bounds(position);
        if known.outcome().is_some() {
            return Ok(known);
        }
        let known = self.narrow_quickly(position, known)?;
        questions::verdict_within(known, |asked| self.question(position, asked))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        questions::value_within(bounds.intersect(self.known_bounds(position)), |asked| self.question(position, asked))
    }

    fn known_bounds(&mut self, position: &G::Position) -> Bounds {
        if self.game.is_over(position) {
            return Bounds::exact(Value::terminal(self.game.end(position)));
        }
        self.remembered(position).unwrap_or(Bounds::ANY)
    }

    fn bytes(&self) -> u64 {
        self.team.table.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.team.positions
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.team.watch = watch.clone();
    }
}
