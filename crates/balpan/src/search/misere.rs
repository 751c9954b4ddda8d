//! Misère values of impartial games, by sums of their parts.

mod cache;
mod games;
mod search;
mod splitter;
mod sums;

use std::fmt;
use std::ops::Deref;

use crate::game::tame::Tame;
use crate::game::{Game, Impartial};
use crate::search::keys::Keys;
use crate::search::length;
use crate::search::nimbers::NotImpartial;
use crate::search::parallel::Worker;
use crate::search::table::TranspositionTable;
use crate::search::watch::{BrokenPromise, Stopped, Watch};
use crate::search::workers::{TableSearch, Workers};
use crate::value::Outcome;
use cache::SumCache;
use search::{Known, Search, rest_bits};
use sums::Limits;

/// A solver of misère values of impartial games whose positions split into parts.
///
/// The misère value of a position is the number n such that it and a nim heap of n
/// are lost together for the player to move, who wins if there is no move left: 0 if
/// the position itself is lost. It is 1 for an ended game, and for others the least
/// number that no move leads to.
///
/// Unlike nimbers, the misère values of parts do not determine that of their sum. So whole sums are searched, by the
/// depth-first proof-number search of [`DfPn`](crate::DfPn), with a nim heap beside the position. Small parts are
/// replaced by games in simplest form, which determine them in any sum. Different parts are so often the same game that
/// this saves nearly all of the search.
///
/// The table lives as long as the solver, and a value asked again costs nothing. Beside it some hundred bytes are taken
/// for every small part and every sum of the smaller parts that was met, and more for sums of many games:
/// some megabytes for what a minute searches of one large part, some hundred for sums of small ones alone.
/// If the memory is used up, the results of the least work are dropped. Little memory costs time, never exactness.
/// Threads share the results.
///
/// Sums of [tame games](Tame) are known without a search, whatever their number.
///
/// Source: the value, P. M. Grundy and C. A. B. Smith, "Disjunctive games with the
/// last player losing" (1956), and J. H. Conway, "On Numbers and Games" (1976),
/// chapter 12, who calls it g⁻; small parts in simplest form, J. Lemoine and S.
/// Viennot, "Analysis of misère Sprouts game with reduced canonical trees" (2009).
///
/// `P` points to the game: a reference or an `Arc`.
pub struct Misere<P: Deref<Target: Game>> {
    game: P,
    keys: Keys<<P::Target as Game>::Position>,
    cache: SumCache<P::Target>,
    workers: Workers,
}

impl<P: Deref<Target: Game>> fmt::Debug for Misere<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Misere").field("workers", &self.workers).finish_non_exhaustive()
    }
}

impl<G: Impartial, P: Deref<Target = G>> Misere<P> {
    /// Creates a solver that takes about `memory` bytes, and reports to `watch`: half of them for its table, a quarter more of
    /// that while it grows, and half for sums and games. The heap bytes of positions are not counted.
    ///
    /// # Errors
    /// [`NotImpartial`] if the game is not [impartial under misère play](Impartial::is_impartial_misere).
    pub fn new(game: P, memory: usize, watch: &Watch) -> Result<Self, NotImpartial> {
        if game.is_impartial_misere() {
            Ok(Self::with_limits(game, memory, watch, Limits::USUAL))
        } else {
            Err(NotImpartial)
        }
    }

    fn with_limits(game: P, memory: usize, watch: &Watch, limits: Limits) -> Self {
        let half = memory / 2;
        let (keys, table_bytes) = Keys::new(&*game, half);
        let table = TranspositionTable::new(keys.bits() + rest_bits(&keys), Known::BITS, table_bytes);
        // Less holds no search at all.
        let cache = SumCache::new(limits, half.max(LEAST_BYTES));
        Self { game, keys, cache, workers: Workers::new::<G::Position>(table, watch, LONG) }
    }

    /// Sets the number of threads for searches that take long enough to be worth it. The values are the same, the number of
    /// sums searched is not.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads.max(1);
        self
    }

    /// Sets the number of sums that one thread searches before others join; 1,024 by default.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.workers.alone = positions;
        self
    }

    /// Sets the watch that the solver reports to and is stopped by.
    pub fn set_watch(&mut self, watch: &Watch) {
        self.workers.watch = watch.clone();
    }

    /// Returns the present size of the tables in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.workers.table.bytes() + self.cache.bytes() as u64
    }

    /// Returns the position's misère value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn value(&mut self, position: &G::Position) -> Result<u32, Stopped> {
        if let Some(tame) = self.tame(position) {
            return Ok(tame.misere_value());
        }
        // A misère value is no larger than the number of moves, and that of an ended game is 1.
        for heap in (0..).take(self.game.mobility(position).saturating_add(2)) {
            if self.is_lost(position, heap)? {
                return Ok(heap);
            }
        }
        Err(Stopped::Broken(BrokenPromise::Mobility))
    }

    /// Returns whether the player to move loses the sum of the position and a nim heap.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn is_lost(&mut self, position: &G::Position, heap: u32) -> Result<bool, Stopped> {
        if let Some(tame) = self.tame(position) {
            return Ok((tame + Tame::heap(heap)).is_lost());
        }
        loop {
            if self.cache.is_full() {
                self.forget();
            }
            let Self { game, keys, cache, workers } = self;
            let (game, keys, cache) = (&**game, &*keys, &*cache);
            let search = |shared: &TableSearch<'_>, worker: Worker<'_>| {
                Search::new(game, keys, cache, shared, worker).ask(position, heap)
            };
            if let Some(is_lost) = length::search(game, position, || workers.search_within(u64::MAX, search))? {
                return Ok(is_lost);
            }
        }
    }

    /// Drops the results that took the least work.
    fn forget(&mut self) {
        let rests = self.cache.forget();
        let bits = self.keys.bits();
        self.workers.retain(|key| rests.get((key >> bits) as usize).is_some_and(|is_kept| *is_kept));
    }

    /// Returns a winning move: the first one that is known to win, or else the first one that does; `None` in a lost
    /// position, or one without moves.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn winning_move(&mut self, position: &G::Position) -> Result<Option<G::Move>, Stopped> {
        if self.is_lost(position, 0)? {
            return Ok(None);
        }
        let moves: Vec<_> = self.game.moves(position).collect();
        // The answer for the position has left that of an option, unless the table has given it up.
        for &mv in &moves {
            if self.known(&self.game.play(position, mv)) == Some(Outcome::Loss) {
                return Ok(Some(mv));
            }
        }
        for mv in moves {
            if self.is_lost(&self.game.play(position, mv), 0)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Returns the outcome, if it is known without a search.
    pub fn known(&self, position: &G::Position) -> Option<Outcome> {
        let is_lost = match self.tame(position) {
            Some(tame) => tame.is_lost(),
            None => {
                let shared = self.workers.share(1, u64::MAX);
                Search::new(&*self.game, &self.keys, &self.cache, &shared, Worker::alone()).knows(position)?
            }
        };
        Some(if is_lost { Outcome::Loss } else { Outcome::Win })
    }

    /// What the position is in sums of tame games, if the game tells that each of its parts is one.
    fn tame(&self, position: &G::Position) -> Option<Tame> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        parts.iter().map(|part| self.game.tame(part)).sum()
    }

    /// Returns the number of sums searched by this solver so far.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        self.workers.positions
    }
}

/// The least memory of a search for sums and games, in bytes.
const LEAST_BYTES: usize = 1 << 20;

/// The number of sums from which a search is worth starting threads.
const LONG: u64 = 1 << 10;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::Keyed;
    use crate::value::Outcome;

    /// Rows of pins; a move takes one, or two neighbours, and may leave two rows of one.
    struct Kayles;

    impl Game for Kayles {
        /// Sorted.
        type Position = Vec<u8>;
        /// A row, the pins to the left, the pins to the right.
        type Move = (usize, u8, u8);

        fn start(&self) -> Vec<u8> {
            vec![9]
        }

        fn moves(&self, rows: &Vec<u8>) -> impl Iterator<Item = Self::Move> {
            (0..).zip(rows.clone()).flat_map(|(row, pins)| {
                let takes = move |taken: u8| {
                    (0..(pins + 1).saturating_sub(taken)).map(move |left| (row, left, pins - left - taken))
                };
                takes(1).chain(takes(2))
            })
        }

        fn play(&self, rows: &Vec<u8>, (row, left, right): Self::Move) -> Vec<u8> {
            let mut rows = rows.clone();
            rows[row] = left;
            rows.push(right);
            rows.retain(|&pins| pins > 0);
            rows.sort_unstable();
            rows
        }

        fn end(&self, _: &Vec<u8>) -> Outcome {
            Outcome::Win
        }
    }

    impl Impartial for Kayles {
        fn is_impartial_misere(&self) -> bool {
            true
        }

        fn split(&self, rows: &Vec<u8>, parts: &mut Vec<Vec<u8>>) {
            parts.extend(rows.iter().map(|&pins| vec![pins]));
        }
    }

    impl Keyed for Kayles {
        /// Of a single row, for parts; of up to four, for positions.
        fn key_bits(&self) -> u32 {
            20
        }

        fn key(&self, rows: &Vec<u8>) -> u128 {
            rows.iter().fold(0, |key, &pins| key << 5 | u128::from(pins))
        }
    }

    fn naive(rows: &Vec<u8>, met: &mut HashMap<Vec<u8>, u32>) -> u32 {
        if let Some(&known) = met.get(rows) {
            return known;
        }
        let after: Vec<u32> = Kayles.moves(rows).map(|mv| naive(&Kayles.play(rows, mv), met)).collect();
        let value = games::mex(after.into_iter());
        met.insert(rows.clone(), value);
        value
    }

    #[test]
    fn sums_are_worth_what_they_naively_are_however_little_is_worked_out_beforehand() {
        let watch = Watch::default();
        let mut met = HashMap::new();
        for limits in
            [Limits::USUAL, Limits { small: 0, short: 0 }, Limits { small: 6, short: 3 }, Limits { small: 9, short: 9 }]
        {
            for table_bytes in [0, 1 << 20] {
                let mut solver = Misere::with_limits(&Kayles, table_bytes, &watch, limits);
                let most = if table_bytes == 0 { 4 } else { 7 };
                for a in 0..=most {
                    for b in a..=most {
                        for c in b..=most {
                            let mut rows = vec![a, b, c];
                            rows.retain(|&pins| pins > 0);
                            let value = solver.value(&rows).unwrap();
                            assert_eq!(value, naive(&rows, &mut met), "{rows:?} {limits:?}");
                        }
                    }
                }
            }
        }
    }

    /// Lost rows of misère Kayles. W. L. Sibert and J. H. Conway, "Mathematical Kayles"
    /// (1992).
    #[test]
    fn rows_of_misere_kayles() {
        let watch = Watch::default();
        let mut solver = Misere::new(&Kayles, 1 << 20, &watch).unwrap();
        let lost: Vec<u8> = (1..=14).filter(|&pins| solver.is_lost(&vec![pins], 0).unwrap()).collect();
        assert_eq!(lost, [1, 4, 9, 12]);
    }

    #[test]
    fn little_memory_is_enough_and_is_not_exceeded() {
        let watch = Watch::default();
        let nothing_beforehand = Limits { small: 0, short: 0 };
        for threads in [1, 3] {
            let solver = |memory| {
                Misere::with_limits(&Kayles, memory, &watch, nothing_beforehand)
                    .with_threads(threads)
                    .with_parallel_threshold(2_000)
            };
            let (mut small, mut large) = (solver(1 << 21), solver(64 << 20));
            for rows in [vec![14, 14], vec![14, 15]] {
                assert_eq!(small.value(&rows), large.value(&rows), "{rows:?}");
                // A batch of sums is added before anybody looks.
                assert!(small.bytes() < 5 << 19, "{rows:?}: {} bytes", small.bytes());
            }
            assert!(large.bytes() > 3 << 20, "{} bytes", large.bytes());
            assert!(small.positions_searched() > large.positions_searched());
        }
    }

    #[test]
    fn a_stopped_watch_stops_it() {
        let watch = Watch::with_limit(5000);
        let mut solver = Misere::with_limits(&Kayles, 0, &watch, Limits { small: 0, short: 0 });
        assert_eq!(solver.value(&vec![30, 31]), Err(Stopped::Interrupted));
    }
}
