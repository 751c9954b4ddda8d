//! Misère nim values of impartial games, searched as sums of parts.

mod cache;
mod games;
mod search;
mod splitter;
mod sums;

use std::fmt;
use std::ops::Deref;

use crate::game::Game;
use crate::game::tame::Tame;
use crate::search::keys::Keys;
use crate::search::length;
use crate::search::nimbers::NotImpartial;
use crate::search::parallel::Worker;
use crate::search::table::TranspositionTable;
use crate::search::watch::{BrokenPromise, Stopped, Watch};
use crate::search::workers::{TableSearch, Workers};
use crate::value::Outcome;
use cache::SumCache;
use search::{Search, SumState, rest_bits};
use sums::Limits;

/// A solver of misère nim values of impartial games whose positions split into parts.
///
/// The misère nim value of a position is the size of the nim heap whose sum with it is lost for the player to move. A
/// player without a move wins, so an ended game has the value 1. The value of any other position is the mex of the
/// values of its options. A position is lost if its value is 0.
///
/// Unlike Grundy values, the misère values of the parts do not determine the value of their sum. The solver therefore
/// searches sums, by the depth-first proof-number search of [`DfPn`](crate::DfPn), with a nim heap beside the
/// position. It replaces small parts by their simplest forms, which determine them in every sum. Different parts so
/// often have the same simplest form that this saves nearly all of the search.
///
/// The table lives as long as the solver, so a repeated query costs nothing. The solver also stores some hundred bytes
/// for every small part and for every distinct sum of parts without the largest one, and more for sums of many games:
/// some megabytes for a minute's search of one large part, some hundred megabytes for sums of small parts only. When
/// the memory is full, the results that took the least work are evicted. Little memory costs time, never exactness.
/// Threads share the results.
///
/// Sums of [tame games](Tame) are evaluated without a search, whatever their number.
///
/// Source: the value, P. M. Grundy and C. A. B. Smith, "Disjunctive games with the last player losing" (1956), and J.
/// H. Conway, "On Numbers and Games" (1976), chapter 12, who calls it g⁻; small parts in simplest form, J. Lemoine and
/// S. Viennot, "Analysis of misère Sprouts game with reduced canonical trees" (2009).
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

impl<G: Game, P: Deref<Target = G>> Misere<P> {
    /// Creates a solver that takes about `memory` bytes and reports to `watch`. Half of `memory` is for the table,
    /// which takes a quarter of that more while it grows; half is for sums and games. The heap bytes of positions are
    /// not counted.
    ///
    /// # Errors
    /// [`NotImpartial`] if the game is not [impartial under misère play](Game::is_impartial_misere).
    pub fn new(game: P, memory: usize, watch: &Watch) -> Result<Self, NotImpartial> {
        if game.is_impartial_misere() {
            Ok(Self::with_limits(game, memory, watch, Limits::DEFAULT))
        } else {
            Err(NotImpartial)
        }
    }

    fn with_limits(game: P, memory: usize, watch: &Watch, limits: Limits) -> Self {
        let half = memory / 2;
        let (keys, table_bytes) = Keys::new(&*game, half);
        let table = TranspositionTable::new(keys.bits() + rest_bits(&keys), SumState::BITS, table_bytes);
        // With less, no search can finish.
        let cache = SumCache::new(limits, half.max(MIN_CACHE_BYTES));
        Self { game, keys, cache, workers: Workers::new::<G::Position>(table, watch) }
    }

    /// Sets the number of threads of long searches. It does not affect the values, only the number of sums searched.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.workers.threads = threads.max(1);
        self
    }

    /// Sets the number of sums that one thread searches before helpers join; 1,024 by default.
    #[must_use]
    pub fn with_parallel_threshold(mut self, positions: u64) -> Self {
        self.workers.parallel_threshold = positions;
        self
    }

    /// Sets the watch that the solver reports to, and that can stop it.
    pub fn set_watch(&mut self, watch: &Watch) {
        self.workers.watch = watch.clone();
    }

    /// Returns the current size of the tables in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.workers.table.bytes() + self.cache.bytes() as u64
    }

    /// Returns the position's misère nim value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn value(&mut self, position: &G::Position) -> Result<u32, Stopped> {
        if let Some(tame) = self.tame(position) {
            return Ok(tame.misere_value());
        }
        // The value is at most the number of moves; for an ended game it is 1.
        for heap in (0..).take(self.game.mobility(position).saturating_add(2)) {
            if self.is_lost(position, heap)? {
                return Ok(heap);
            }
        }
        Err(Stopped::Broken(BrokenPromise::Mobility))
    }

    /// Returns whether the player to move loses the sum of the position and a nim heap of this size.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn is_lost(&mut self, position: &G::Position, heap: u32) -> Result<bool, Stopped> {
        if let Some(tame) = self.tame(position) {
            return Ok((tame + Tame::heap(heap)).is_lost());
        }
        loop {
            if self.cache.is_full() {
                self.evict();
            }
            let Self { game, keys, cache, workers } = self;
            let (game, keys, cache) = (&**game, &*keys, &*cache);
            let search = |shared: &TableSearch<'_>, worker: Worker<'_>| {
                Search::new(game, keys, cache, shared, worker).run(position, heap)
            };
            if let Some(is_lost) = length::search(game, position, || workers.search_within(u64::MAX, search))? {
                return Ok(is_lost);
            }
        }
    }

    /// Evicts the results that took the least work.
    fn evict(&mut self) {
        let rests = self.cache.evict();
        let bits = self.keys.bits();
        self.workers.retain(|key| rests.get((key >> bits) as usize).is_some_and(|is_retained| *is_retained));
    }

    /// Returns a winning move: preferably one whose option is a known loss, otherwise the first that a search finds.
    /// Returns `None` if the position is lost or has no moves.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch stops the search.
    pub fn winning_move(&mut self, position: &G::Position) -> Result<Option<G::Move>, Stopped> {
        if self.is_lost(position, 0)? {
            return Ok(None);
        }
        let moves: Vec<_> = self.game.moves(position).collect();
        // The search of the position has stored a lost option, unless the table has replaced it.
        for &mv in &moves {
            if self.known_outcome(&self.game.play(position, mv)) == Some(Outcome::Loss) {
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

    /// Returns the outcome, if it is stored or follows from tame parts. Does not search.
    pub fn known_outcome(&self, position: &G::Position) -> Option<Outcome> {
        let is_lost = match self.tame(position) {
            Some(tame) => tame.is_lost(),
            None => {
                let shared = self.workers.share(1, u64::MAX);
                Search::new(&*self.game, &self.keys, &self.cache, &shared, Worker::alone()).probe_answer(position)?
            }
        };
        Some(if is_lost { Outcome::Loss } else { Outcome::Win })
    }

    /// Returns the tame game that equals the position in sums of tame games; `None` unless the game knows that every
    /// part is tame.
    fn tame(&self, position: &G::Position) -> Option<Tame> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        parts.iter().map(|part| self.game.tame(part)).sum()
    }

    /// Returns the number of sums that this solver has searched so far.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        self.workers.positions
    }
}

/// The minimum memory for sums and games, in bytes.
const MIN_CACHE_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::Game;
    use crate::value::Outcome;

    /// Rows of pins; a move takes one pin or two neighbouring pins, and may split the row in two.
    struct Kayles;

    impl Game for Kayles {
        /// Sorted.
        type Position = Vec<u8>;
        /// The row, and the pins left of and right of the taken ones.
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

        fn is_impartial_misere(&self) -> bool {
            true
        }

        fn split(&self, rows: &Vec<u8>, parts: &mut Vec<Vec<u8>>) {
            parts.extend(rows.iter().map(|&pins| vec![pins]));
        }

        /// Room for four rows: parts have one row, and the tested positions at most four.
        fn key_bits(&self) -> u32 {
            20
        }

        fn key(&self, rows: &Vec<u8>) -> u128 {
            rows.iter().fold(0, |key, &pins| key << 5 | u128::from(pins))
        }
    }

    fn brute_force_value(rows: &Vec<u8>, memo: &mut HashMap<Vec<u8>, u32>) -> u32 {
        if let Some(&value) = memo.get(rows) {
            return value;
        }
        let after: Vec<u32> = Kayles.moves(rows).map(|mv| brute_force_value(&Kayles.play(rows, mv), memo)).collect();
        let value = games::mex(after.into_iter());
        memo.insert(rows.clone(), value);
        value
    }

    #[test]
    fn values_of_sums_agree_with_brute_force_under_any_limits() {
        let watch = Watch::default();
        let mut memo = HashMap::new();
        for limits in [
            Limits::DEFAULT,
            Limits { max_small_moves: 0, max_sum_plies: 0 },
            Limits { max_small_moves: 6, max_sum_plies: 3 },
            Limits { max_small_moves: 9, max_sum_plies: 9 },
        ] {
            for table_bytes in [0, 1 << 20] {
                let mut solver = Misere::with_limits(&Kayles, table_bytes, &watch, limits);
                let max_pins = if table_bytes == 0 { 4 } else { 7 };
                for a in 0..=max_pins {
                    for b in a..=max_pins {
                        for c in b..=max_pins {
                            let mut rows = vec![a, b, c];
                            rows.retain(|&pins| pins > 0);
                            let value = solver.value(&rows).unwrap();
                            assert_eq!(value, brute_force_value(&rows, &mut memo), "{rows:?} {limits:?}");
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
    fn memory_limit_is_respected_and_suffices() {
        let watch = Watch::default();
        let no_simplification = Limits { max_small_moves: 0, max_sum_plies: 0 };
        for threads in [1, 3] {
            let solver = |memory| {
                Misere::with_limits(&Kayles, memory, &watch, no_simplification)
                    .with_threads(threads)
                    .with_parallel_threshold(2_000)
            };
            let (mut small, mut large) = (solver(1 << 21), solver(64 << 20));
            for rows in [vec![14, 14], vec![14, 15]] {
                assert_eq!(small.value(&rows), large.value(&rows), "{rows:?}");
                // Workers check the limit only once per batch of sums.
                assert!(small.bytes() < 5 << 19, "{rows:?}: {} bytes", small.bytes());
            }
            assert!(large.bytes() > 3 << 20, "{} bytes", large.bytes());
            assert!(small.positions_searched() > large.positions_searched());
        }
    }

    #[test]
    fn a_stopped_watch_stops_the_search() {
        let watch = Watch::with_limit(5000);
        let mut solver = Misere::with_limits(&Kayles, 0, &watch, Limits { max_small_moves: 0, max_sum_plies: 0 });
        assert_eq!(solver.value(&vec![30, 31]), Err(Stopped::Interrupted));
    }
}
