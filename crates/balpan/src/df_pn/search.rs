//! One thread's proof-number search.

use std::cmp::Reverse;

use super::{EXACT_BITS, NUMBER_BITS};
use crate::codes::ValueCodec;
use crate::hints::Hints;
use crate::keyed::Keyed;
use crate::keys::Keys;
use crate::length::DepthLimit;
use crate::parallel::{Claim, Worker};
use crate::parallel::{Interrupt, Searcher};
use crate::proof::{Choice, Effort, Handicap, code, number};
use crate::table::{Slot, TranspositionTable};
use crate::value::Value;
use crate::workers::TableSearch;

/// What is known of a position, where it is asked whether it is worth more than a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// A lower bound that is more, or an upper bound that is not.
    Answer(Value),
    /// No answer yet: what it may take.
    Left(Effort),
}

/// A move of which it is open whether it is better than asked.
#[derive(Clone, Copy, Debug)]
struct Child<Move> {
    mv: Move,
    rank: i32,
    effort: Effort,
    visits: u32,
    handicap: Handicap,
}

/// One thread's search.
pub(super) struct Search<'a, G: Keyed + Hints> {
    game: &'a G,
    keys: &'a Keys<G::Position>,
    codec: ValueCodec,
    shared: &'a TableSearch<'a>,
    table: &'a TranspositionTable,
    /// Moves not yet answered of all positions on the current path, end to end.
    children: Vec<Child<G::Move>>,
    searcher: Searcher<'a>,
    limit: DepthLimit,
    /// The plies from the root to the position that is searched.
    plies: u32,
}

/// A search reports its positions each time it has looked at this many positions.
const REPORT_INTERVAL: u64 = 1 << 10;

/// The bits of the table's keys: one more than the game's, as yes may be easy to prove where no
/// is hard.
pub(super) const fn key_bits(game_bits: u32) -> u32 {
    game_bits + 1
}

impl<'a, G: Keyed + Hints> Search<'a, G> {
    pub(super) fn new(
        game: &'a G,
        keys: &'a Keys<G::Position>,
        codec: ValueCodec,
        shared: &'a TableSearch<'a>,
        worker: Worker<'a>,
    ) -> Self {
        Self {
            game,
            keys,
            codec,
            shared,
            table: shared.table,
            children: Vec::new(),
            searcher: Searcher::new(shared, worker, REPORT_INTERVAL),
            limit: DepthLimit::new(None),
            plies: 0,
        }
    }

    /// Whether the position is worth more than `threshold`: a lower bound that is more, or an upper
    /// bound that is not.
    pub(super) fn run(mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        self.limit = DepthLimit::new(self.game.layer(position));
        let answer = self.answer(position, threshold);
        self.searcher.report();
        answer
    }

    fn answer(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        // Once round: no effort is too much.
        loop {
            let known = match self.evaluate(position, threshold)? {
                Proof::Left(_) => self.search(position, threshold, Effort::ANY)?,
                answer => answer,
            };
            if let Proof::Answer(value) = known {
                return Ok(value);
            }
        }
    }

    /// The answer that the table has, if it has one.
    pub(super) fn probe_answer(&self, position: &G::Position, threshold: Value) -> Option<Value> {
        let kept = self.key(position, threshold).and_then(|key| self.table.probe(self.table.slot(key)))?;
        match Proof::unpack(kept, threshold, self.codec)? {
            Proof::Answer(answer) => Some(answer),
            Proof::Left(_) => None,
        }
    }

    /// Counts one position, and looks up from the work now and then.
    #[inline]
    fn count(&mut self) -> Result<(), Interrupt> {
        self.searcher.count().map(|_| ())
    }

    /// The table's key for a question; `None` if it is not to be remembered.
    fn key(&self, position: &G::Position, threshold: Value) -> Option<u128> {
        if !self.game.is_cacheable(position) {
            return None;
        }
        let key = self.keys.key(self.game, &self.game.canonical(position))?;
        Some(key << 1 | u128::from(threshold >= Value::DRAW))
    }

    fn slot(&self, position: &G::Position, threshold: Value) -> Option<Slot> {
        self.key(position, threshold).map(|key| self.table.slot(key))
    }

    /// What is known of a position without a search.
    fn evaluate(&mut self, position: &G::Position, threshold: Value) -> Result<Proof, Interrupt> {
        self.count()?;
        let game = self.game;
        let slot = self.slot(position, threshold);
        if let Some(slot) = slot {
            self.table.prefetch(slot);
        }
        if game.is_over(position) {
            return Ok(Proof::Answer(Value::terminal(game.end(position))));
        }
        if let Some(answer) = game.bounds(position, threshold).decide(threshold) {
            return Ok(Proof::Answer(answer));
        }
        let kept = slot
            .and_then(|slot| self.table.probe(slot))
            .and_then(|payload| Proof::unpack(payload, threshold, self.codec));
        let fresh = || Effort::fresh(game.candidates(position).count() as u64);
        Ok(kept.unwrap_or_else(|| Proof::Left(fresh())))
    }

    /// Searches a position that [`look`](Self::look) left open, until there is an answer, or
    /// what is left for a yes or for a no has come to `most`.
    fn search(&mut self, position: &G::Position, threshold: Value, most: Effort) -> Result<Proof, Interrupt> {
        self.limit.check(self.plies)?;
        let before = self.searcher.positions();
        let key = self.key(position, threshold);
        let first = self.children.len();
        let known = match self.game.settle(position, threshold) {
            Some(answer) => Proof::Answer(answer),
            None => self.search_moves(position, threshold, if key.is_some() { most } else { Effort::ANY }, first)?,
        };
        self.children.truncate(first);
        if let Some(key) = key {
            let work = self.searcher.positions() - before;
            let packed = known.pack(threshold, self.codec);
            self.searcher.note_filled(self.table.store(self.table.slot(key), packed, work));
            if let Some(journal) = self.shared.journal.filter(|journal| work >= journal.min_work()) {
                journal.keep(key, packed, work);
            }
        }
        Ok(known)
    }

    /// As [`search`](Self::search), with the moves in `self.children` from `first` on.
    fn search_moves(
        &mut self,
        position: &G::Position,
        threshold: Value,
        most: Effort,
        first: usize,
    ) -> Result<Proof, Interrupt> {
        let game = self.game;
        // No move is worth as little as this: it takes a ply at least.
        let mut best = Value::loss(0);
        for mv in game.candidates(position) {
            let after = game.play(position, mv);
            match self.evaluate(&after, threshold.child_threshold())? {
                Proof::Answer(value) if value.to_parent() > threshold => return Ok(Proof::Answer(value.to_parent())),
                Proof::Answer(value) => best = best.max(value.to_parent()),
                Proof::Left(effort) => {
                    let (rank, effort) = (game.rank(position, mv, &after), effort.turned());
                    self.children.push(Child { mv, rank, effort, visits: 0, handicap: Handicap::default() });
                }
            }
        }
        // Among equals, the first is tried first.
        self.children[first..].sort_by_key(|open| Reverse(open.rank));
        loop {
            let Some(choice) = Choice::among(self.children[first..].iter().map(|open| (open.effort, open.handicap)))
            else {
                return Ok(Proof::Answer(best));
            };
            if choice.left.reaches(most) {
                return Ok(Proof::Left(choice.left));
            }
            let at = first + choice.at;
            let open = self.children[at];
            let after = game.play(position, open.mv);
            let claim = self.claim(&after, threshold.child_threshold());
            if let Claim::Another(name) = claim
                && !open.handicap.is_set()
                && choice.left.expects_no()
            {
                self.children[at].handicap = Handicap::new(self.searcher.worker(), name);
                continue;
            }
            self.plies += 1;
            let known = self.visit(&after, threshold.child_threshold(), choice.most(most, open.visits).turned());
            self.plies -= 1;
            self.shared.release(claim);
            match known? {
                Proof::Answer(value) if value.to_parent() > threshold => return Ok(Proof::Answer(value.to_parent())),
                Proof::Answer(value) => {
                    best = best.max(value.to_parent());
                    self.children.remove(at);
                }
                Proof::Left(effort) => {
                    let open = &mut self.children[at];
                    *open = Child {
                        effort: effort.turned(),
                        visits: open.visits + 1,
                        handicap: Handicap::default(),
                        ..*open
                    };
                }
            }
        }
    }

    /// Searches the position that a move leads to, unless another thread has found as much.
    fn visit(&mut self, after: &G::Position, threshold: Value, most: Effort) -> Result<Proof, Interrupt> {
        if self.shared.claims().is_some() {
            let kept = self.slot(after, threshold).and_then(|slot| self.table.probe(slot));
            match kept.and_then(|payload| Proof::unpack(payload, threshold, self.codec)) {
                Some(Proof::Answer(value)) => return Ok(Proof::Answer(value)),
                Some(Proof::Left(effort)) if effort.reaches(most) => return Ok(Proof::Left(effort)),
                _ => {}
            }
        }
        self.search(after, threshold, most)
    }

    /// Claims a position, where threads share the work.
    fn claim(&self, position: &G::Position, threshold: Value) -> Claim {
        if self.shared.claims().is_some() {
            self.shared.claim(self.slot(position, threshold).map(Slot::hash))
        } else {
            Claim::None
        }
    }
}

impl Proof {
    /// The number of bits of two numbers, or, with 0 for the first one, of an answer.
    pub(super) const fn bits(codec: ValueCodec) -> u32 {
        NUMBER_BITS + Self::low_bits(codec)
    }

    const fn low_bits(codec: ValueCodec) -> u32 {
        if codec.bits() < NUMBER_BITS { NUMBER_BITS } else { codec.bits() + 1 }
    }

    fn pack(self, threshold: Value, codec: ValueCodec) -> u64 {
        match self {
            Self::Left(effort) => {
                code(effort.proof, EXACT_BITS) << Self::low_bits(codec) | code(effort.disproof, EXACT_BITS)
            }
            Self::Answer(value) if value > threshold => 1 << codec.bits() | codec.encode_lower(value),
            Self::Answer(value) => codec.encode_upper(value),
        }
    }

    /// As it was packed for another question, maybe: `None` if it does not help with
    /// this one.
    fn unpack(payload: u64, threshold: Value, codec: ValueCodec) -> Option<Self> {
        let low_bits = Self::low_bits(codec);
        let (proof, low) = (payload >> low_bits, payload & ((1 << low_bits) - 1));
        if proof > 0 {
            return Some(Self::Left(Effort { proof: number(proof, EXACT_BITS), disproof: number(low, EXACT_BITS) }));
        }
        let value = codec.decode(low & ((1 << codec.bits()) - 1));
        let is_lower = low >> codec.bits() == 1;
        (is_lower == (value > threshold)).then_some(Self::Answer(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_kept_for_the_questions_that_it_answers() {
        let codec = ValueCodec::for_plies(300);
        for value in [Value::win(1), Value::win(300), Value::DRAW, Value::loss(6)] {
            let (yes, no) =
                (Proof::Answer(value).pack(value.just_below(), codec), Proof::Answer(value).pack(value, codec));
            assert_eq!(Proof::unpack(yes, value.just_below(), codec), Some(Proof::Answer(value)));
            assert_eq!(Proof::unpack(no, value, codec), Some(Proof::Answer(value)));
            assert_eq!(Proof::unpack(yes, value, codec), None);
            assert_eq!(Proof::unpack(no, value.just_below(), codec), None);
        }
        let left = Proof::Left(Effort { proof: 1, disproof: 127 });
        assert_eq!(Proof::unpack(left.pack(Value::DRAW, codec), Value::win(9), codec), Some(left));
    }
}
