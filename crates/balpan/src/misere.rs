//! Impartial games by the misère convention, as sums of their parts.

mod games;
mod sums;

use std::fmt;
use std::ops::Deref;

use crate::df_pn::{EXACT_BITS, NUMBER_BITS};
use crate::game::Game;
use crate::impartial::Impartial;
use crate::keyed::MOST_KEY_BITS;
use crate::keys::Keys;
use crate::nimbers::NotImpartial;
use crate::proof::{Choice, Effort, code, number};
use crate::table::Table;
use crate::value::Outcome;
use crate::watch::{Counter, Stopped, Watch};
use sums::{Limits, Sum, Sums};

/// Misère values of impartial games that fall apart into parts.
///
/// The misère value of a position is the number n such that it and a nim heap of n
/// are lost together for the player to move, who wins if there is no move left: 0 if
/// the position itself is lost. It is 1 for an ended game, and for others the least
/// number that no move leads to.
///
/// What makes nimbers easy is not true here: the values of parts do not tell that of
/// their sum. So whole sums are searched, by depth-first proof-number search as
/// [`DfPn`](crate::DfPn) does it, with a nim heap beside the position; but small
/// parts are replaced by games in simplest form, which says all that matters of them
/// in any sum. Parts that look different are the same game so often that this saves
/// nearly all of the search.
///
/// The table lives as long as the solver, and a value asked again costs nothing.
/// A small one costs time, never exactness. Beside it there is a hundred bytes or so
/// for every small part and every sum of the smaller parts that was met: some
/// megabytes for what a minute searches.
///
/// Source: the value, P. M. Grundy and C. A. B. Smith, "Disjunctive games with the
/// last player losing" (1956), and J. H. Conway, "On Numbers and Games" (1976),
/// chapter 12, who calls it g⁻; small parts in simplest form, J. Lemoine and S.
/// Viennot, "Analysis of misère Sprouts game with reduced canonical trees" (2009).
///
/// `P` points to the game: a reference or an `Arc`.
pub struct Misere<P: Deref<Target: Game>> {
    sums: Sums<P>,
    game: P,
    keys: Keys<<P::Target as Game>::Position>,
    table: Table,
    /// Entries of the table that are in use.
    filled: u64,
    counter: Counter,
}

impl<P: Deref<Target: Game>> fmt::Debug for Misere<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Misere").field("filled", &self.filled).finish_non_exhaustive()
    }
}

/// What is known of a sum: who wins, or what it may take to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Won,
    Lost,
    /// A proof shows that the player to move wins.
    Left(Effort),
}

/// An option of which it is open who wins.
#[derive(Debug)]
struct Open<P> {
    sum: Sum<P>,
    /// For the player who moves to it.
    effort: Effort,
    visits: u32,
}

impl<G: Impartial, P: Deref<Target = G> + Clone> Misere<P> {
    /// A solver whose table takes no more than `table_bytes`, and that reports to
    /// `watch`.
    ///
    /// A game without keys may take as many bytes again for its positions.
    ///
    /// # Errors
    /// [`NotImpartial`] if the game is not, by the
    /// [misère convention](Impartial::is_impartial_misere).
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Result<Self, NotImpartial> {
        if game.is_impartial_misere() {
            Ok(Self::with_limits(game, table_bytes, watch, Limits::USUAL))
        } else {
            Err(NotImpartial)
        }
    }

    fn with_limits(game: P, table_bytes: usize, watch: &Watch, limits: Limits) -> Self {
        let keys = Keys::new(&*game, table_bytes);
        let table = Table::new(keys.bits() + Self::rest_bits(&keys), Known::BITS, table_bytes);
        let sums = Sums::new(game.clone(), limits);
        Self { sums, game, keys, table, filled: 0, counter: Counter::new(watch) }
    }

    /// Reports to `watch` from now on.
    pub fn set_watch(&mut self, watch: &Watch) {
        self.counter.watch = watch.clone();
    }

    /// The bytes of the table now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// The position's misère value.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    pub fn value(&mut self, position: &G::Position) -> Result<u32, Stopped> {
        for heap in 0.. {
            if self.is_lost(position, heap)? {
                return Ok(heap);
            }
        }
        unreachable!("a position has fewer moves than there are numbers")
    }

    /// Whether the player to move loses the sum of the position and a nim heap.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    pub fn is_lost(&mut self, position: &G::Position, heap: u32) -> Result<bool, Stopped> {
        let sum = self.sums.new_sum(position, heap);
        loop {
            let known = match self.look(&sum)? {
                Known::Left(_) => self.search(&sum, Effort::ANY)?,
                answer => answer,
            };
            match known {
                Known::Won => return Ok(false),
                Known::Lost => return Ok(true),
                Known::Left(_) => {}
            }
        }
    }

    /// A move that wins: the first one known to, or else the first one that does; `None` in
    /// a position that is lost, or without a move.
    ///
    /// # Errors
    /// [`Stopped`] if the solver's watch told it to stop.
    pub fn winning_move(&mut self, position: &G::Position) -> Result<Option<G::Move>, Stopped> {
        if self.is_lost(position, 0)? {
            return Ok(None);
        }
        let game = self.game.clone();
        // The answer for the position has left that of an option, unless the table has given it up.
        for mv in game.moves(position) {
            let after = self.sums.new_sum(&game.play(position, mv), 0);
            if self.look(&after)? == Known::Lost {
                return Ok(Some(mv));
            }
        }
        for mv in game.moves(position) {
            if self.is_lost(&game.play(position, mv), 0)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// What the solver remembers of who wins, or sees at a glance.
    pub fn known(&mut self, position: &G::Position) -> Option<Outcome> {
        let sum = self.sums.new_sum(position, 0);
        match self.look(&sum) {
            Ok(Known::Won) => Some(Outcome::Win),
            Ok(Known::Lost) => Some(Outcome::Loss),
            Ok(Known::Left(_)) | Err(_) => None,
        }
    }

    /// How many sums this solver has looked at in its life.
    #[must_use]
    pub fn positions_searched(&self) -> u64 {
        self.counter.total()
    }

    /// How many bits of the table's keys say what there is besides the largest part.
    fn rest_bits(keys: &Keys<G::Position>) -> u32 {
        (MOST_KEY_BITS - keys.bits()).min(u32::BITS)
    }

    /// The table's key; `None` if the sum is not to be remembered.
    fn key(&self, sum: &Sum<G::Position>) -> Option<u128> {
        let (_, largest) = sum.largest.as_ref()?;
        let fits = u64::from(sum.rest) >> Self::rest_bits(&self.keys) == 0;
        if !fits || !self.game.is_memorable(largest) {
            return None;
        }
        Some(u128::from(sum.rest) << self.keys.bits() | self.keys.key(&*self.game, largest)?)
    }

    /// What is known of a sum without a search.
    fn look(&mut self, sum: &Sum<G::Position>) -> Result<Known, Stopped> {
        self.counter.count()?;
        if sum.largest.is_none() {
            return Ok(if self.sums.is_lost(sum.rest) { Known::Lost } else { Known::Won });
        }
        let kept = self.key(sum).and_then(|key| self.table.get(self.table.place(key)));
        let fresh = || Known::Left(Effort::fresh(self.sums.moves(sum).into()));
        Ok(kept.map_or_else(fresh, Known::unpacked))
    }

    /// Searches a sum that [`look`](Self::look) left open, until it is known who wins, or
    /// what is left to tell has come to `most`.
    fn search(&mut self, sum: &Sum<G::Position>, most: Effort) -> Result<Known, Stopped> {
        let before = self.counter.total();
        let key = self.key(sum);
        let known = self.search_options(sum, if key.is_some() { most } else { Effort::ANY })?;
        if let Some(key) = key {
            let work = self.counter.total() - before;
            self.filled += u64::from(self.table.put(self.table.place(key), known.packed(), work));
            if self.filled >= self.table.capacity() / 8 * 5 && self.table.can_grow() {
                self.table.grow();
            }
        }
        Ok(known)
    }

    /// Whether an option is known to be lost, and so answers its sum; if nothing is known
    /// of it, it is added to those `open`.
    fn answers(&mut self, option: Sum<G::Position>, open: &mut Vec<Open<G::Position>>) -> Result<bool, Stopped> {
        match self.look(&option)? {
            Known::Lost => return Ok(true),
            Known::Won => {}
            Known::Left(effort) => open.push(Open { sum: option, effort: effort.turned(), visits: 0 }),
        }
        Ok(false)
    }

    /// As [`search`](Self::search); what is found is not kept.
    fn search_options(&mut self, sum: &Sum<G::Position>, most: Effort) -> Result<Known, Stopped> {
        let mut open: Vec<Open<G::Position>> = Vec::new();
        for option in self.sums.options_in_rest(sum) {
            if self.answers(option, &mut open)? {
                return Ok(Known::Won);
            }
        }
        if let Some((_, part)) = &sum.largest {
            let game = self.game.clone();
            for mv in game.moves(part) {
                let option = self.sums.play(sum, part, mv);
                if self.answers(option, &mut open)? {
                    return Ok(Known::Won);
                }
            }
        }
        open.sort_by_cached_key(|open| self.sums.order(&open.sum));
        open.dedup_by(|one, other| one.sum == other.sum);
        loop {
            let Some(choice) = Choice::among(open.iter().map(|open| open.effort)) else {
                return Ok(Known::Lost);
            };
            if choice.left.reaches(most) {
                return Ok(Known::Left(choice.left));
            }
            let next = choice.at;
            let most = choice.most(most, open[next].visits);
            match self.search(&open[next].sum, most.turned())? {
                Known::Lost => return Ok(Known::Won),
                Known::Won => {
                    open.remove(next);
                }
                Known::Left(effort) => {
                    open[next].effort = effort.turned();
                    open[next].visits += 1;
                }
            }
        }
    }
}

impl Known {
    /// Two numbers, or, with 0 for the first one, an answer.
    const BITS: u32 = 2 * NUMBER_BITS;

    fn packed(self) -> u64 {
        match self {
            Self::Lost => 0,
            Self::Won => 1,
            Self::Left(effort) => code(effort.proof, EXACT_BITS) << NUMBER_BITS | code(effort.disproof, EXACT_BITS),
        }
    }

    fn unpacked(payload: u64) -> Self {
        match (payload >> NUMBER_BITS, payload & ((1 << NUMBER_BITS) - 1)) {
            (0, 0) => Self::Lost,
            (0, _) => Self::Won,
            (proof, disproof) => {
                Self::Left(Effort { proof: number(proof, EXACT_BITS), disproof: number(disproof, EXACT_BITS) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::keyed::Keyed;
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
    fn a_stopped_watch_stops_it() {
        let watch = Watch::limited(5000);
        let mut solver = Misere::with_limits(&Kayles, 0, &watch, Limits { small: 0, short: 0 });
        assert_eq!(solver.value(&vec![30, 31]), Err(Stopped));
    }
}
