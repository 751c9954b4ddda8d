//! Depth-first proof-number search: first where the least is left to prove.

use std::cmp::Reverse;

use crate::game::{Game, usable_key_bits};
use crate::questions;
use crate::solver::Solver;
use crate::table::Table;
use crate::value::{Bounds, Outcome, Value};
use crate::watch::{Counter, Stopped, Watch};

/// Depth-first proof-number search. It asks the yes-or-no questions that
/// [`AlphaBeta`](crate::AlphaBeta) asks, but goes where the fewest positions seem
/// left to be proven, and heeds the game's [`rank`](Game::rank)s between equals only:
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
#[derive(Debug)]
pub struct DfPn<'a, G: Game> {
    game: &'a G,
    table: Table,
    /// Entries of the table that are in use.
    filled: u64,
    counter: Counter<'a>,
    /// Moves not yet answered of all positions on the current path, end to end.
    moves: Vec<Open<G::Move>>,
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

/// How many positions at least are left to answer, it seems. Where a [`Table`] kept
/// it, it may be about a question of another remoteness: a hint, no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// For a yes.
    pub(crate) proof: u64,
    /// For a no.
    pub(crate) disproof: u64,
}

/// A move of which it is open whether it is better than asked.
#[derive(Clone, Copy, Debug)]
struct Open<Move> {
    mv: Move,
    rank: i32,
    effort: Effort,
    visits: u32,
}

impl<'a, G: Game> DfPn<'a, G> {
    /// A solver whose table takes no more than `table_bytes`, and that reports to
    /// `watch`. A small table costs time, never exactness.
    pub fn new(game: &'a G, table_bytes: usize, watch: &'a Watch) -> Self {
        // One bit more than the game's keys: yes may be easy to prove where no is hard.
        let table = Table::new(usable_key_bits(game) + 1, Known::BITS, table_bytes);
        Self { game, table, filled: 0, counter: Counter::new(watch), moves: Vec::new() }
    }

    /// Whether the position is worth more than `asked`: a lower bound that is more,
    /// or an upper bound that is not.
    fn ask(&mut self, position: &G::Position, asked: Value) -> Result<Value, Stopped> {
        // What a stopped search has left.
        self.moves.clear();
        // Once round: no effort is too much.
        loop {
            let known = match self.look(position, asked)? {
                Known::Left(_) => self.search(position, asked, Effort::ANY)?,
                answer => answer,
            };
            if let Known::Answer(value) = known {
                return Ok(value);
            }
        }
    }

    /// The table's key for a question; `None` if it is not to be remembered.
    fn key(&self, position: &G::Position, asked: Value) -> Option<u128> {
        let game = self.game;
        let memorable = usable_key_bits(game) > 0 && game.is_memorable(position);
        memorable.then(|| game.key(&game.canonical(position)) << 1 | u128::from(asked >= Value::DRAW))
    }

    /// What is known of a position without a search.
    fn look(&mut self, position: &G::Position, asked: Value) -> Result<Known, Stopped> {
        self.counter.count()?;
        let place = self.key(position, asked).map(|key| self.table.place(key));
        if let Some(place) = place {
            self.table.prefetch(place);
        }
        let game = self.game;
        if game.is_over(position) {
            return Ok(Known::Answer(Value::ended(game.end(position))));
        }
        if let Some(answer) = game.bounds(position, asked).answer(asked) {
            return Ok(Known::Answer(answer));
        }
        let kept = place.and_then(|place| self.table.get(place)).and_then(|payload| Known::unpacked(payload, asked));
        // A yes may take one move; a no takes an answer to each.
        let fresh = || Effort { proof: 1, disproof: game.candidates(position).count().max(1) as u64 };
        Ok(kept.unwrap_or_else(|| Known::Left(fresh())))
    }

    /// Searches a position that [`look`](Self::look) left open, until there is an
    /// answer, or what is left for a yes or for a no has come to `most`.
    fn search(&mut self, position: &G::Position, asked: Value, most: Effort) -> Result<Known, Stopped> {
        let before = self.counter.total();
        let key = self.key(position, asked);
        let first = self.moves.len();
        let known = match self.game.settle(position, asked) {
            Some(answer) => Known::Answer(answer),
            None => self.search_moves(position, asked, if key.is_some() { most } else { Effort::ANY }, first)?,
        };
        self.moves.truncate(first);
        if let Some(key) = key {
            let work = self.counter.total() - before;
            self.filled += u64::from(self.table.put(self.table.place(key), known.packed(asked), work));
            if self.filled >= self.table.capacity() / 8 * 5 && self.table.can_grow() {
                self.table.grow();
            }
        }
        Ok(known)
    }

    /// As [`search`](Self::search), with the moves in `self.moves` from `first` on.
    fn search_moves(
        &mut self,
        position: &G::Position,
        asked: Value,
        most: Effort,
        first: usize,
    ) -> Result<Known, Stopped> {
        let game = self.game;
        // No move is worth as little as this: it takes a ply at least.
        let mut best = Value::loss(0);
        for mv in game.candidates(position) {
            let after = game.play(position, mv);
            match self.look(&after, asked.ahead())? {
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
            let Some((next, second)) = least_two(&self.moves[first..]) else {
                return Ok(Known::Answer(best));
            };
            let open = self.moves[first + next];
            let left = Effort { proof: open.effort.proof, disproof: disproof(&self.moves[first..]) };
            if left.proof >= most.proof || left.disproof >= most.disproof {
                return Ok(Known::Left(left));
            }
            let least = 1_u64.checked_shl(open.visits / PATIENCE).unwrap_or(u64::MAX);
            let most = Effort {
                proof: most.proof.min(second.saturating_add(second / 4 + 1)).max(least),
                disproof: match most.disproof {
                    u64::MAX => u64::MAX,
                    most => (most - others(&self.moves[first..])).max(least),
                },
            };
            match self.search(&game.play(position, open.mv), asked.ahead(), most.turned())? {
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

/// After so many visits more, a move is given twice as much at the least. Where the
/// table keeps what is found, that is less than it would be given anyway.
pub(crate) const PATIENCE: u32 = 8;

/// The first of the moves that take least to prove, and what the others take at the
/// least.
fn least_two<Move>(moves: &[Open<Move>]) -> Option<(usize, u64)> {
    let mut least = None;
    let (mut first, mut second) = (u64::MAX, u64::MAX);
    for (i, open) in moves.iter().enumerate() {
        let proof = open.effort.proof;
        if proof < first {
            (least, first, second) = (Some(i), proof, first);
        } else {
            second = second.min(proof);
        }
    }
    least.map(|i| (i, second))
}

/// What it takes to show that no move is better than asked: what the hardest move
/// takes, and one for each other. The sum would count again and again what moves have
/// in common, which is nearly everything where they can be played in any order.
fn disproof<Move>(moves: &[Open<Move>]) -> u64 {
    let hardest = moves.iter().map(|open| open.effort.disproof).max().unwrap_or(0);
    hardest.saturating_add(others(moves)).min(u64::MAX - 1)
}

/// How many there are besides one.
const fn others<Move>(moves: &[Open<Move>]) -> u64 {
    (moves.len() as u64).saturating_sub(1)
}

impl Effort {
    /// No effort is too much.
    pub(crate) const ANY: Self = Self { proof: u64::MAX, disproof: u64::MAX };

    /// The same, where a yes for the one player is a no for the other.
    pub(crate) const fn turned(self) -> Self {
        Self { proof: self.disproof, disproof: self.proof }
    }
}

impl Known {
    /// Two numbers, or, with 0 for the first one, an answer.
    const BITS: u32 = 2 * NUMBER_BITS;

    fn packed(self, asked: Value) -> u64 {
        match self {
            Self::Left(effort) => code(effort.proof) << NUMBER_BITS | code(effort.disproof),
            Self::Answer(value) if value > asked => 1 << Value::CODE_BITS | value.lower_code(),
            Self::Answer(value) => value.upper_code(),
        }
    }

    /// As it was packed for another question, maybe: `None` if it does not help with
    /// this one.
    fn unpacked(payload: u64, asked: Value) -> Option<Self> {
        let (proof, low) = (payload >> NUMBER_BITS, payload & ((1 << NUMBER_BITS) - 1));
        if proof > 0 {
            return Some(Self::Left(Effort { proof: number(proof), disproof: number(low) }));
        }
        let value = Value::of_code(low & ((1 << Value::CODE_BITS) - 1));
        let is_lower = low >> Value::CODE_BITS == 1;
        (is_lower == (value > asked)).then_some(Self::Answer(value))
    }
}

/// A number of 1 or more in so many bits, rounded down: exact below 128, to within
/// 1 in 64 above.
pub(crate) const NUMBER_BITS: u32 = 12;

pub(crate) const fn code(number: u64) -> u64 {
    let shift = number.ilog2().saturating_sub(6);
    ((shift as u64) << 6) + (number >> shift)
}

pub(crate) const fn number(code: u64) -> u64 {
    let shift = (code >> 6).saturating_sub(1);
    (code - (shift << 6)) << shift
}

impl<G: Game> Solver<G> for DfPn<'_, G> {
    fn value(&mut self, position: &G::Position) -> Result<Value, Stopped> {
        questions::value(|asked| self.ask(position, asked))
    }

    fn outcome(&mut self, position: &G::Position) -> Result<Outcome, Stopped> {
        questions::outcome(|asked| self.ask(position, asked))
    }

    fn known(&self, position: &G::Position) -> Bounds {
        if self.game.is_over(position) {
            return Bounds::exactly(Value::ended(self.game.end(position)));
        }
        let mut bounds = Bounds::ANY;
        for asked in [Value::DRAW, Value::BELOW_DRAW] {
            let kept = self.key(position, asked).and_then(|key| self.table.get(self.table.place(key)));
            match kept.and_then(|payload| Known::unpacked(payload, asked)) {
                Some(Known::Answer(lower)) if lower > asked => bounds.lower = bounds.lower.max(lower),
                Some(Known::Answer(upper)) => bounds.upper = bounds.upper.min(upper),
                _ => {}
            }
        }
        bounds
    }

    fn positions_searched(&self) -> u64 {
        self.counter.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_or_rounded_down_a_little() {
        let round = (0..64).flat_map(|bit| [1_u64 << bit, (1 << bit) + 1, u64::MAX >> bit]);
        for n in (1..100_000).chain(round) {
            let kept = number(code(n));
            assert!(code(n) > 0 && code(n) >> NUMBER_BITS == 0, "{n}");
            assert!(kept <= n && n - kept <= n / 64 && (n >= 128 || kept == n), "{n} is kept as {kept}");
        }
    }

    #[test]
    fn what_is_known_is_kept_for_the_questions_that_it_answers() {
        for value in [Value::win(1), Value::win(6), Value::DRAW, Value::loss(6)] {
            let (yes, no) = (Known::Answer(value).packed(value.or_better()), Known::Answer(value).packed(value));
            assert_eq!(Known::unpacked(yes, value.or_better()), Some(Known::Answer(value)));
            assert_eq!(Known::unpacked(no, value), Some(Known::Answer(value)));
            assert_eq!(Known::unpacked(yes, value), None);
            assert_eq!(Known::unpacked(no, value.or_better()), None);
        }
        let left = Known::Left(Effort { proof: 1, disproof: 127 });
        assert_eq!(Known::unpacked(left.packed(Value::DRAW), Value::win(9)), Some(left));
    }
}
