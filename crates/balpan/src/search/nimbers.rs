//! Nimbers of impartial games, by tests of their parts.

mod options;
mod search;

use std::ops::Deref;

use crate::game::Game;
use crate::search::checkpoint::{Journal, JournalEntry};
use crate::search::keys::Keys;
use crate::search::length;
use crate::search::parallel::{Interrupt, Worker};
use crate::search::ranking::sort_by_rank;
use crate::search::table::TranspositionTable;
use crate::search::watch::{Stopped, Watch};
use crate::search::workers::Workers;
use options::TestState;
use search::{NIMBER, Search, TAG_BITS};

/// A solver of nimbers (Grundy values) of the positions of an [impartial](Game::is_impartial) game. A position is equal
/// to a Nim heap of that many tokens, and its player to move loses if the nimber is 0.
///
/// A position is [split](Game::split) into parts, whose nimbers add up by XOR. A part is tested for the nimber 0, 1,
/// and so on: it does not have the nimber if a move leads to that nimber, or if its nimber is known to be smaller. Proof
/// numbers select the option to search first. In a sum of parts, all but the largest are searched for their own nimbers.
/// Parts whose [`nimber`](Game::nimber) the game knows, for instance from a small complete table, are never searched.
///
/// The table lives as long as the solver. It stores the nimbers of parts, the nimbers that they do not have, and the proof
/// numbers of open tests. A small table costs time, never exactness.
///
/// Recursion is as deep as the game is long.
///
/// Source: J. Lemoine and S. Viennot, "Nimbers are inevitable", Theoretical Computer
/// Science 462 (2012), for tests of pairs of a part and a nimber; T. Čížek,
/// M. Balko and M. Schmid, "A massively parallel proof-number search algorithm for impartial
/// games and beyond" (2025), for proof numbers with nimbers of parts; A. Nagai (2002)
/// for depth-first proof-number search.
///
/// `P` points to the game: a reference or an `Arc`.
#[derive(Debug)]
pub struct Nimbers<P: Deref<Target: Game>> {
    game: P,
    keys: Keys<<P::Target as Game>::Position>,
    workers: Workers,
}

/// The error that a game has no nimbers or misère values: see
/// [`is_impartial`](Game::is_impartial) and
/// [`is_impartial_misere`](Game::is_impartial_misere).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is not impartial, or not by this convention")]
pub struct NotImpartial;

impl<G: Game, P: Deref<Target = G>> Nimbers<P> {
    /// Creates a solver whose table grows to `table_bytes` at most, and that reports to `watch`. While the table grows, the old
    /// one of a quarter or half that size takes memory as well.
    ///
    /// For a game without keys, positions take half of the bytes.
    ///
    /// # Errors
    /// [`NotImpartial`] if the game is not impartial under normal play.
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Result<Self, NotImpartial> {
        if !game.is_impartial() {
            return Err(NotImpartial);
        }
        let (keys, table_bytes) = Keys::new(&*game, table_bytes);
        let table = TranspositionTable::with_tags(keys.bits(), TAG_BITS, TestState::BITS, table_bytes);
        Ok(Self { game, keys, workers: Workers::new::<G::Position>(table, watch) })
    }

    /// Sets the watch that the solver reports to, and that can stop it.
    pub fn set_watch(&mut self, watch: &Watch) {
        self.workers.watch = watch.clone();
    }

    /// Sets the journal of expensive results, and stores those of `entries` that belong to this solver in the table.
    pub(crate) fn set_journal(&mut self, journal: Journal, entries: &[JournalEntry]) {
        let Self { game, keys, workers } = self;
        let (game, keys, is_of_parts) = (&**game, &*keys, journal.is_of_parts());
        if !is_of_parts && !keys.are_from_game() {
            return;
        }
        // Parts recur often, on other boards more so, and a nimber takes few bytes, so the threshold is low.
        let min_work = if is_of_parts { 1 << 5 } else { 1 << 7 };
        workers.set_journal(journal.for_solver(SOLVER, TAG_BITS).with_min_work(min_work), entries, |table, key| {
            if !is_of_parts {
                return Some(search::journal_slot(table, key));
            }
            let part = game.part_from_key(key >> TAG_BITS).filter(|part| game.is_cacheable(part))?;
            Some(search::journal_slot(table, keys.key(game, &part)? << TAG_BITS | key & NIMBER))
        });
    }

    /// Returns the present size of the table in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.workers.table.bytes()
    }

    /// Returns the position's nimber, if it is known without a search.
    pub fn known_nimber(&self, position: &G::Position) -> Option<u32> {
        let shared = self.workers.share(1, u64::MAX);
        Search::new(&*self.game, &self.keys, &shared, Worker::alone()).known_nimber(position)
    }

    /// Returns the least nimber that the position may have, without a search. If the nimber of a single part is open, nimbers
    /// that it is known not to have are excluded.
    pub fn at_least(&self, position: &G::Position) -> u32 {
        let shared = self.workers.share(1, u64::MAX);
        Search::new(&*self.game, &self.keys, &shared, Worker::alone()).at_least(position)
    }

    /// Sets the number of threads of long searches. It does not affect the nimbers, only the number of positions
    /// searched.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads.max(1);
        self
    }

    /// Sets the number of positions that one thread searches for each part before helpers join; 1,024 by default.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.workers.parallel_threshold = positions;
        self
    }

    /// Returns the position's nimber.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn nimber(&mut self, position: &G::Position) -> Result<u32, Stopped> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        parts.iter().try_fold(0, |sum, part| Ok(sum ^ self.part_nimber(part)?))
    }

    /// Returns whether the player to move loses, which is whether the nimber is 0. This may be much less work than the
    /// nimber.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn is_lost(&mut self, position: &G::Position) -> Result<bool, Stopped> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        sort_by_rank(&mut parts, |part| -(self.game.mobility(part) as i32));
        let Some(largest) = parts.pop() else {
            return Ok(true);
        };
        let mut others = 0;
        for part in &parts {
            others ^= self.part_nimber(part)?;
        }
        self.run(&largest, |search| search.test(&largest, others))
    }

    /// Tests whether a part that [`split`](Game::split) has returned has this nimber.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn has(&mut self, part: &G::Position, nimber: u32) -> Result<bool, Stopped> {
        self.run(part, |search| search.test(part, nimber))
    }

    /// Tests by its options whether a part has this nimber, even if the answer is known, so that the table then
    /// contains the options. [`with_checkpoint`](crate::Engine::with_checkpoint) restores the answers about a part,
    /// but not those about its cheap options.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn search_again(&mut self, part: &G::Position, nimber: u32) -> Result<(), Stopped> {
        self.run(part, |search| search.search_again(part, nimber))
    }

    /// Returns whether a part has this nimber, if that is known without a search.
    pub fn knows(&self, part: &G::Position, nimber: u32) -> Option<bool> {
        let shared = self.workers.share(1, u64::MAX);
        Search::new(&*self.game, &self.keys, &shared, Worker::alone()).known_test(part, nimber)
    }

    /// Returns winning moves: all that are known to leave the nimber 0, and at least one unless the position's own nimber
    /// is 0.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn winning_moves(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Stopped> {
        if self.is_lost(position)? {
            return Ok(Vec::new());
        }
        // The search of the position has stored the nimbers of some options.
        let known = self.known_winning_moves(position);
        if !known.is_empty() {
            return Ok(known);
        }
        // The table may have replaced them.
        let moves: Vec<_> = self.game.moves(position).collect();
        for mv in moves {
            if self.is_lost(&self.game.play(position, mv))? {
                return Ok(vec![mv]);
            }
        }
        Ok(Vec::new())
    }

    /// Returns the moves that are known to leave the nimber 0.
    fn known_winning_moves(&self, position: &G::Position) -> Vec<G::Move> {
        let game = &*self.game;
        let shared = self.workers.share(1, u64::MAX);
        let mut search = Search::new(game, &self.keys, &shared, Worker::alone());
        game.moves(position).filter(|&mv| search.known_nimber(&game.play(position, mv)) == Some(0)).collect()
    }

    /// Returns the number of positions searched by this solver so far.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        self.workers.positions
    }

    fn part_nimber(&mut self, part: &G::Position) -> Result<u32, Stopped> {
        match self.game.nimber(part) {
            // A search may begin a thread for its stack.
            Some(nimber) => Ok(nimber),
            None => self.run(part, |search| search.nimber(part)),
        }
    }

    fn run<T: Send>(
        &mut self,
        part: &G::Position,
        test: impl Fn(&mut Search<'_, G>) -> Result<T, Interrupt> + Send + Sync,
    ) -> Result<T, Stopped> {
        let Self { game, keys, workers } = self;
        let (game, keys) = (&**game, &*keys);
        length::search(game, part, || {
            workers.search(|shared, worker| Search::new(game, keys, shared, worker).run(&test))
        })
    }
}

/// This solver's number in a journal.
const SOLVER: u8 = 3;
