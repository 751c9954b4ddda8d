//! Depth-first proof-number search: first where the least is left to prove.

use std::cmp::Reverse;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::Deref;

use crate::codes::Codes;
use crate::game::Game;
use crate::hints::Hints;
use crate::journal::{Entry, Journal};
use crate::keyed::Keyed;
use crate::keys::Keys;
use crate::proof::{Choice, Effort, code, number};
use crate::questions;
use crate::solver::Solver;
use crate::table::Table;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Counter, Stopped, Watch};

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
/// (2007); the hardest move in place of the sum of all: T. Ueda et al., "Weak
/// proof-number search" (2008); as many to disprove as there are moves: L. V. Allis,
/// "Searching for Solutions in Games and Artificial Intelligence" (1994).
///
/// `P` points to the game: a reference or an `Arc`.
pub struct DfPn<P: Deref<Target: Game>> {
    game: P,
    search: Search<<P::Target as Game>::Position, <P::Target as Game>::Move>,
    table_bytes: usize,
}

/// All but the game.
struct Search<P, M> {
    keys: Keys<P>,
    codes: Codes,
    table: Table,
    /// Entries of the table that are in use.
    filled: u64,
    counter: Counter,
    journal: Option<Journal>,
    /// Moves not yet answered of all positions on the current path, end to end.
    moves: Vec<Open<M>>,
}

/// What is known of a position, where it is asked whether it is worth more than so
/// much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// A lower bound that is more, or an upper bound that is not.
    Answer(Value),
    /// Nothing yet but what it may take.
    Left(Effort),
}

/// A move of which it is open whether it is better than asked.
#[derive(Clone, Copy, Debug)]
struct Open<Move> {
    mv: Move,
    rank: i32,
    effort: Effort,
    visits: u32,
}

impl<G: Keyed + Hints, P: Deref<Target = G>> DfPn<P> {
    /// A solver whose table takes no more than `table_bytes`, and that reports to
    /// `watch`. A small table costs time, never exactness.
    ///
    /// A game without keys may take as many bytes again for its positions.
    pub fn new(game: P, table_bytes: usize, watch: &Watch) -> Self {
        let keys = Keys::new(&*game, table_bytes);
        let codes = Codes::of(&*game, &game.start());
        let table = Search::<_, G::Move>::table(&keys, codes, table_bytes);
        let counter = Counter::new(watch);
        let search = Search { keys, codes, table, filled: 0, counter, journal: None, moves: Vec::new() };
        Self { game, search, table_bytes }
    }

    /// Keeps results that took long in `journal`, and remembers those of `entries` that are
    /// this solver's own.
    pub(crate) fn keep(&mut self, journal: Journal, entries: &[Entry]) {
        let search = &mut self.search;
        if !search.keys.are_own() {
            return;
        }
        let journal = journal.of(SOLVER, search.codes.bits());
        for entry in entries.iter().filter(|entry| journal.is_own(entry)) {
            search.put(entry.key, entry.payload, 1 << entry.work.min(63));
        }
        search.journal = Some(journal);
    }

    /// Whether the position is worth more than `asked`: a lower bound that is more,
    /// or an upper bound that is not.
    fn question(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        let Self { game, search, table_bytes } = self;
        let codes = Codes::of(&**game, position);
        if codes.bits() > search.codes.bits() {
            // Values of games that last longer than the start does need more room.
            search.codes = codes;
            search.table = Search::<_, G::Move>::table(&search.keys, search.codes, *table_bytes);
            search.filled = 0;
            search.journal = search.journal.take().map(|journal| journal.of(SOLVER, search.codes.bits()));
        }
        search.ask(&**game, position, asked)
    }
}

impl<P: Clone + Eq + Hash, M: Copy> Search<P, M> {
    fn table(keys: &Keys<P>, codes: Codes, table_bytes: usize) -> Table {
        // One bit more than the game's keys: yes may be easy to prove where no is hard.
        Table::new(keys.bits() + 1, Known::bits(codes), table_bytes)
    }

    fn put(&mut self, key: u128, payload: u64, work: u64) {
        self.filled += u64::from(self.table.put(self.table.place(key), payload, work));
        if self.filled >= self.table.capacity() / 8 * 5 && self.table.can_grow() {
            self.table.grow();
        }
    }

    /// As [`DfPn::question`].
    fn ask<G: Keyed<Position = P, Move = M> + Hints>(
        &mut self,
        game: &G,
        position: &P,
        asked: Value,
    ) -> Result<Value, Stopped> {
        // What a stopped search has left.
        self.moves.clear();
        // Once round: no effort is too much.
        loop {
            let known = match self.look(game, position, asked)? {
                Known::Left(_) => self.search(game, position, asked, Effort::ANY)?,
                answer => answer,
            };
            if let Known::Answer(value) = known {
                return Ok(value);
            }
        }
    }

    /// The table's key for a question; `None` if it is not to be remembered.
    fn key<G: Keyed<Position = P> + Hints>(&self, game: &G, position: &P, asked: Value) -> Option<u128> {
        if !game.is_memorable(position) {
            return None;
        }
        Some(self.keys.key(game, &game.canonical(position))? << 1 | u128::from(asked >= Value::DRAW))
    }

    /// What is known of a position without a search.
    fn look<G: Keyed<Position = P, Move = M> + Hints>(
        &mut self,
        game: &G,
        position: &P,
        asked: Value,
    ) -> Result<Known, Stopped> {
        self.counter.count()?;
        let place = self.key(game, position, asked).map(|key| self.table.place(key));
        if let Some(place) = place {
            self.table.prefetch(place);
        }
        if game.is_over(position) {
            return Ok(Known::Answer(Value::ended(game.end(position))));
        }
        if let Some(answer) = game.bounds(position, asked).answer(asked) {
            return Ok(Known::Answer(answer));
        }
        let kept = place
            .and_then(|place| self.table.get(place))
            .and_then(|payload| Known::unpacked(payload, asked, self.codes));
        let fresh = || Effort::fresh(game.candidates(position).count() as u64);
        Ok(kept.unwrap_or_else(|| Known::Left(fresh())))
    }

    /// Searches a position that [`look`](Self::look) left open, until there is an
    /// answer, or what is left for a yes or for a no has come to `most`.
    fn search<G: Keyed<Position = P, Move = M> + Hints>(
        &mut self,
        game: &G,
        position: &P,
        asked: Value,
        most: Effort,
    ) -> Result<Known, Stopped> {
        let before = self.counter.total();
        let key = self.key(game, position, asked);
        let first = self.moves.len();
        let known = match game.settle(position, asked) {
            Some(answer) => Known::Answer(answer),
            None => self.search_moves(game, position, asked, if key.is_some() { most } else { Effort::ANY }, first)?,
        };
        self.moves.truncate(first);
        if let Some(key) = key {
            let work = self.counter.total() - before;
            let packed = known.packed(asked, self.codes);
            self.put(key, packed, work);
            if let Some(journal) = self.journal.as_ref().filter(|journal| work >= journal.least_work()) {
                journal.keep(key, packed, work);
            }
        }
        Ok(known)
    }

    /// As [`search`](Self::search), with the moves in `self.moves` from `first` on.
    fn search_moves<G: Keyed<Position = P, Move = M> + Hints>(
        &mut self,
        game: &G,
        position: &P,
        asked: Value,
        most: Effort,
        first: usize,
    ) -> Result<Known, Stopped> {
        // No move is worth as little as this: it takes a ply at least.
        let mut best = Value::loss(0);
        for mv in game.candidates(position) {
            let after = game.play(position, mv);
            match self.look(game, &after, asked.ahead())? {
                Known::Answer(value) if value.back() > asked => return Ok(Known::Answer(value.back())),
                Known::Answer(value) => best = best.max(value.back()),
                Known::Left(effort) => {
                    let (rank, effort) = (game.rank(position, mv, &after), effort.turned());
                    self.moves.push(Open { mv, rank, effort, visits: 0 });
                }
            }
        }
        // Among equals, the first is tried first.
        self.moves[first..].sort_by_key(|open| Reverse(open.rank));
        loop {
            let Some(choice) = Choice::among(self.moves[first..].iter().map(|open| open.effort)) else {
                return Ok(Known::Answer(best));
            };
            if choice.left.reaches(most) {
                return Ok(Known::Left(choice.left));
            }
            let next = choice.at;
            let open = self.moves[first + next];
            let most = choice.most(most, open.visits);
            match self.search(game, &game.play(position, open.mv), asked.ahead(), most.turned())? {
                Known::Answer(value) if value.back() > asked => return Ok(Known::Answer(value.back())),
                Known::Answer(value) => {
                    best = best.max(value.back());
                    self.moves.remove(first + next);
                }
                Known::Left(effort) => {
                    let open = &mut self.moves[first + next];
                    open.effort = effort.turned();
                    open.visits += 1;
                }
            }
        }
    }
}

impl Known {
    /// The number of bits of two numbers, or, with 0 for the first one, of an answer.
    const fn bits(codes: Codes) -> u32 {
        NUMBER_BITS + Self::low_bits(codes)
    }

    const fn low_bits(codes: Codes) -> u32 {
        if codes.bits() < NUMBER_BITS { NUMBER_BITS } else { codes.bits() + 1 }
    }

    fn packed(self, asked: Value, codes: Codes) -> u64 {
        match self {
            Self::Left(effort) => {
                code(effort.proof, EXACT_BITS) << Self::low_bits(codes) | code(effort.disproof, EXACT_BITS)
            }
            Self::Answer(value) if value > asked => 1 << codes.bits() | codes.lower(value),
            Self::Answer(value) => codes.upper(value),
        }
    }

    /// As it was packed for another question, maybe: `None` if it does not help with
    /// this one.
    fn unpacked(payload: u64, asked: Value, codes: Codes) -> Option<Self> {
        let low_bits = Self::low_bits(codes);
        let (proof, low) = (payload >> low_bits, payload & ((1 << low_bits) - 1));
        if proof > 0 {
            return Some(Self::Left(Effort { proof: number(proof, EXACT_BITS), disproof: number(low, EXACT_BITS) }));
        }
        let value = codes.value(low & ((1 << codes.bits()) - 1));
        let is_lower = low >> codes.bits() == 1;
        (is_lower == (value > asked)).then_some(Self::Answer(value))
    }
}

/// The number of bits of a number, in the [`code`] that keeps this many exactly.
pub(crate) const NUMBER_BITS: u32 = EXACT_BITS + 6;
pub(crate) const EXACT_BITS: u32 = 6;

/// The solver's number in a journal.
const SOLVER: u8 = 2;

impl<G: Keyed + Hints, P: Deref<Target = G>> Solver<G::Position> for DfPn<P> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        questions::value(|asked| self.question(position, asked))
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        questions::outcome(|asked| self.question(position, asked))
    }

    fn ask(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        self.question(position, asked)
    }

    fn verdict(&mut self, position: &G::Position) -> Result<Bounds, Stopped> {
        let known = self.known(position);
        if known.outcome().is_some() {
            return Ok(known);
        }
        let value = questions::bound(|asked| self.question(position, asked))?;
        Ok(questions::bounds(value).and(known))
    }

    fn value_within(&mut self, position: &G::Position, bounds: Bounds) -> Result<Value, Stopped> {
        questions::value_within(bounds.and(self.known(position)), |asked| self.question(position, asked))
    }

    fn known(&mut self, position: &G::Position) -> Bounds {
        let Self { game, search, .. } = self;
        if game.is_over(position) {
            return Bounds::exactly(Value::ended(game.end(position)));
        }
        let mut bounds = Bounds::ANY;
        for asked in [Value::DRAW, Value::BELOW_DRAW] {
            let key = search.key(&**game, position, asked);
            let kept = key.and_then(|key| search.table.get(search.table.place(key)));
            let known = kept.and_then(|payload| Known::unpacked(payload, asked, search.codes));
            if let Some(Known::Answer(answer)) = known {
                bounds = bounds.and(Bounds::told(answer, asked));
            }
        }
        bounds
    }

    fn bytes(&self) -> u64 {
        self.search.table.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.search.counter.total()
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.search.counter.watch = watch.clone();
    }
}

impl<P: Deref<Target: Game>> Debug for DfPn<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DfPn").field("table", &self.search.table).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_kept_for_the_questions_that_it_answers() {
        let codes = Codes::of_plies(300);
        for value in [Value::win(1), Value::win(300), Value::DRAW, Value::loss(6)] {
            let (yes, no) =
                (Known::Answer(value).packed(value.or_better(), codes), Known::Answer(value).packed(value, codes));
            assert_eq!(Known::unpacked(yes, value.or_better(), codes), Some(Known::Answer(value)));
            assert_eq!(Known::unpacked(no, value, codes), Some(Known::Answer(value)));
            assert_eq!(Known::unpacked(yes, value, codes), None);
            assert_eq!(Known::unpacked(no, value.or_better(), codes), None);
        }
        let left = Known::Left(Effort { proof: 1, disproof: 127 });
        assert_eq!(Known::unpacked(left.packed(Value::DRAW, codes), Value::win(9), codes), Some(left));
    }
}
