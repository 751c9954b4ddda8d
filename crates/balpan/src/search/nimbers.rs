//! Nimbers of impartial games, part by part.

mod effort;
mod options;
mod search;

use std::ops::Deref;

use crate::game::{Game, Impartial};
use crate::search::checkpoint::{Journal, JournalEntry};
use crate::search::keys::Keys;
use crate::search::length;
use crate::search::parallel::{Interrupt, Worker};
use crate::search::table::TranspositionTable;
use crate::search::watch::{Stopped, Watch};
use crate::search::workers::Workers;
use effort::Known;
use search::{Search, TAG_BITS};

/// Nimbers (Grundy values) of the positions of an [impartial](Impartial::is_impartial)
/// game: a position is worth as much as a heap of that many tokens in Nim, and its player to
/// move loses if that is 0.
///
/// A position is [split](Impartial::split) into parts, whose nimbers add up by XOR. The
/// questions asked of a part are whether its nimber is 0, 1, and so on: the answer is
/// no if a move leads to that nimber, or if the nimber is known to be a smaller one.
/// Proof numbers say where to look first for an option that says no; of a sum of parts
/// all but the largest are searched for their own nimbers. What the game knows itself
/// of a part ([`nimber`](Impartial::nimber)), a small complete table for instance, is
/// never searched.
///
/// The table lives as long as the solver. It keeps the nimbers of parts, the nimbers
/// that they do not have, and what open questions may take. A small table costs time,
/// never exactness.
///
/// Recursion is as deep as the game is long.
///
/// Source: J. Lemoine and S. Viennot, "Nimbers are inevitable", Theoretical Computer
/// Science 462 (2012), for questions about pairs of a part and a nimber; T. Čížek,
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

/// A game that has no nimbers or misère values: see
/// [`is_impartial`](Impartial::is_impartial) and
/// [`is_impartial_misere`](Impartial::is_impartial_misere).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is not impartial, or not by this convention")]
pub struct NotImpartial;

impl<G: Impartial, P: Deref<Target = G>> Nimbers<P> {
    /// A solver whose table grows to `table_bytes` at most (for the moment of
    /// growing, the old one of a quarter or half that size is there too), and that
    /// reports to `watch`.
    ///
    /// Of a game without keys, positions take half of the bytes.
    ///
    /// # Errors
    /// [`NotImpartial`] if the game is not, by the normal convention.
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Result<Self, NotImpartial> {
        if !game.is_impartial() {
            return Err(NotImpartial);
        }
        let (keys, table_bytes) = Keys::new(&*game, table_bytes);
        let table = TranspositionTable::with_tags(keys.bits(), TAG_BITS, Known::BITS, table_bytes);
        Ok(Self { game, keys, workers: Workers::new::<G::Position>(table, watch, LONG) })
    }

    /// Reports to `watch` from now on.
    pub fn set_watch(&mut self, watch: &Watch) {
        self.workers.watch = watch.clone();
    }

    /// Keeps results that took long in `journal`, and remembers those of `entries` that are
    /// this solver's own.
    pub(crate) fn set_journal(&mut self, journal: Journal, entries: &[JournalEntry]) {
        if self.keys.are_from_game() {
            // Parts are met again and again, and what they are worth is a few bytes.
            let journal = journal.for_solver(SOLVER, TAG_BITS).with_min_work(1 << 7);
            self.workers.set_journal(journal, entries, search::place);
        }
    }

    /// The bytes of the table now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.workers.table.bytes()
    }

    /// What is known of the position's nimber, without a search.
    pub fn known(&self, position: &G::Position) -> Option<u32> {
        let shared = self.workers.share(1, u64::MAX);
        Search::new(&*self.game, &self.keys, &shared, Worker::alone()).known_sum(position)
    }

    /// The least nimber that the position may have, as far as that is known without a search: of one
    /// part whose nimber is not known, all nimbers that it is known not to have are left out.
    pub fn at_least(&self, position: &G::Position) -> u32 {
        let shared = self.workers.share(1, u64::MAX);
        Search::new(&*self.game, &self.keys, &shared, Worker::alone()).at_least(position)
    }

    /// The same solver on `threads` threads, wherever a part takes long enough to be
    /// worth it. The nimbers are the same, the positions searched are not.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads.max(1);
        self
    }

    /// The same solver with one thread alone at each part for its first `positions`
    /// positions; 1,024 unless set otherwise.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.workers.alone = positions;
        self
    }

    /// The position's nimber.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    pub fn nimber(&mut self, position: &G::Position) -> Result<u32, Stopped> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        parts.iter().try_fold(0, |sum, part| Ok(sum ^ self.of_part(part)?))
    }

    /// Whether the player to move loses: whether the position's nimber is 0, which may
    /// be much less work to tell than another nimber.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    pub fn is_lost(&mut self, position: &G::Position) -> Result<bool, Stopped> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        parts.sort_by_key(|part| self.game.mobility(part));
        let Some(largest) = parts.pop() else {
            return Ok(true);
        };
        let mut others = 0;
        for part in &parts {
            others ^= self.of_part(part)?;
        }
        self.answer(&largest, |search| search.ask(&largest, others))
    }

    /// Whether a part has this nimber. The part has to be one that
    /// [`split`](Impartial::split) has made.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    pub fn has(&mut self, part: &G::Position, nimber: u32) -> Result<bool, Stopped> {
        self.answer(part, |search| search.ask(part, nimber))
    }

    /// Searches the options of a part until they show whether it has this nimber, also where that is
    /// known: the table has them then. [`keep`](crate::Engine::keeping) keeps the answers about a part, but not those
    /// about its options that took little.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    pub fn search_again(&mut self, part: &G::Position, nimber: u32) -> Result<(), Stopped> {
        self.answer(part, |search| search.search_again(part, nimber))
    }

    /// Whether a part has this nimber, if it is known without a search.
    pub fn knows(&self, part: &G::Position, nimber: u32) -> Option<bool> {
        let shared = self.workers.share(1, u64::MAX);
        Search::new(&*self.game, &self.keys, &shared, Worker::alone()).knows(part, nimber)
    }

    /// Moves that win: all that are known to leave the nimber 0, and one at least
    /// unless the position's own is 0.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    pub fn winning_moves(&mut self, position: &G::Position) -> Result<Vec<G::Move>, Stopped> {
        if self.is_lost(position)? {
            return Ok(Vec::new());
        }
        // The answer for the position has left the nimbers of some options.
        let known = self.known_winning_moves(position);
        if !known.is_empty() {
            return Ok(known);
        }
        // Unless the table has given them up.
        let moves: Vec<_> = self.game.moves(position).collect();
        for mv in moves {
            if self.is_lost(&self.game.play(position, mv))? {
                return Ok(vec![mv]);
            }
        }
        Ok(Vec::new())
    }

    /// The moves that are known to leave the nimber 0.
    fn known_winning_moves(&self, position: &G::Position) -> Vec<G::Move> {
        let game = &*self.game;
        let shared = self.workers.share(1, u64::MAX);
        let mut search = Search::new(game, &self.keys, &shared, Worker::alone());
        game.moves(position).filter(|&mv| search.known_sum(&game.play(position, mv)) == Some(0)).collect()
    }

    /// How many positions this solver has searched in its life.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        self.workers.positions
    }

    fn of_part(&mut self, part: &G::Position) -> Result<u32, Stopped> {
        self.answer(part, |search| search.nimber(part))
    }

    fn answer<T: Send>(
        &mut self,
        part: &G::Position,
        question: impl Fn(&mut Search<'_, G>) -> Result<T, Interrupt> + Send + Sync,
    ) -> Result<T, Stopped> {
        let Self { game, keys, workers } = self;
        let (game, keys) = (&**game, &*keys);
        length::search(game, part, || {
            workers.search(|shared, worker| Search::new(game, keys, shared, worker).run(&question))
        })
    }
}

/// The solver's number in a journal.
const SOLVER: u8 = 3;

/// A question that takes more positions is worth starting threads.
const LONG: u64 = 1 << 10;
