//! The proof-number search of one worker.

use super::{EXACT_BITS, NUMBER_BITS};
use crate::game::Game;
use crate::search::codes::ValueCodec;
use crate::search::keys::Keys;
use crate::search::length::DepthLimit;
use crate::search::parallel::{Claim, Interrupt, Path, Searcher, Worker, is_path_check_due};
use crate::search::proof::{Choice, Handicap, ProofNumbers, code, number};
use crate::search::ranking::sort_by_rank;
use crate::search::table::{Slot, TranspositionTable};
use crate::search::workers::TableSearch;
use crate::value::{Turn, Value};

/// The state of the test whether a position's value is better than a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProofState {
    /// A lower bound that is better, or an upper bound that is not.
    Decided(Value),
    /// The proof and disproof numbers of an open test.
    Open(ProofNumbers),
}

/// A move whose test is open.
#[derive(Clone, Copy, Debug)]
struct Child<Move> {
    mv: Move,
    turn: Turn,
    rank: i32,
    /// The numbers of the test of the move, for the player who makes it.
    numbers: ProofNumbers,
    visits: u32,
    handicap: Handicap,
}

/// The search of one worker.
pub(super) struct Search<'a, G: Game> {
    game: &'a G,
    keys: &'a Keys<G::Position>,
    codec: ValueCodec,
    shared: &'a TableSearch<'a>,
    table: &'a TranspositionTable,
    /// The open moves of all positions on the current path, end to end.
    children: Vec<Child<G::Move>>,
    searcher: Searcher<'a>,
    /// The tests on the path, if several workers share the search.
    path: Path<PathNode, ProofState>,
    limit: DepthLimit,
    /// The number of plies from the root to the current position.
    plies: u32,
}

/// A test on the current path: its slot in the table, its threshold, and the limits of its search.
struct PathNode {
    slot: Slot,
    threshold: Value,
    limits: ProofNumbers,
}

/// The number of positions after which a worker reports its count.
const REPORT_INTERVAL: u64 = 1 << 10;

/// Returns the bits of the table's keys: one more than the game's, which says whether the threshold is a draw or better.
/// Such tests are stored apart, as one may be easy to prove and the other hard.
pub(super) const fn key_bits(game_bits: u32) -> u32 {
    game_bits + 1
}

impl<'a, G: Game> Search<'a, G> {
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
            path: Path::default(),
            limit: DepthLimit::new(None),
            plies: 0,
        }
    }

    /// Tests whether the value of the position is better than `threshold`. Returns a lower bound that is better, or an
    /// upper bound that is not.
    pub(super) fn run(mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        self.limit = DepthLimit::new(self.game.max_plies(position));
        let answer = self.answer(position, threshold);
        self.searcher.report();
        answer
    }

    fn answer(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        // The limit is infinite, so one search decides.
        loop {
            let known = match self.evaluate(position, threshold)? {
                ProofState::Open(_) => self.search(position, threshold, ProofNumbers::ANY)?,
                answer => answer,
            };
            if let ProofState::Decided(value) = known {
                return Ok(value);
            }
        }
    }

    /// Returns the answer in the table, if there is one.
    pub(super) fn probe_answer(&self, position: &G::Position, threshold: Value) -> Option<Value> {
        let kept = self.key(position, threshold).and_then(|key| self.table.probe(self.table.slot(key)))?;
        match ProofState::unpack(kept, threshold, self.codec)? {
            ProofState::Decided(answer) => Some(answer),
            ProofState::Open(_) => None,
        }
    }

    /// Counts one position, and polls for an interrupt now and then.
    #[inline]
    fn count(&mut self) -> Result<(), Interrupt> {
        self.searcher.count()?;
        if self.shared.claims().is_some() && is_path_check_due(self.searcher.positions()) {
            let (table, codec) = (self.table, self.codec);
            self.path.check(|node| ProofState::probe(table, codec, node.slot, node.threshold, node.limits))?;
        }
        Ok(())
    }

    /// Returns the table's key of a test; `None` if it is not stored.
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

    /// Returns the state of a test without a search: from the rules, the game's bounds, or the table.
    fn evaluate(&mut self, position: &G::Position, threshold: Value) -> Result<ProofState, Interrupt> {
        self.count()?;
        let game = self.game;
        let slot = self.slot(position, threshold);
        if let Some(slot) = slot {
            self.table.prefetch(slot);
        }
        if game.is_over(position) {
            return Ok(ProofState::Decided(game.end_value(position)));
        }
        if let Some(answer) = game.bounds(position, threshold).decide(threshold) {
            return Ok(ProofState::Decided(answer));
        }
        let kept = slot
            .and_then(|slot| self.table.probe(slot))
            .and_then(|payload| ProofState::unpack(payload, threshold, self.codec));
        let fresh = || ProofNumbers::for_moves(game.candidates(position).count() as u64);
        Ok(kept.unwrap_or_else(|| ProofState::Open(fresh())))
    }

    /// Searches a position that [`evaluate`](Self::evaluate) left open, until it is decided, or its proof or its
    /// disproof number reaches that of `limits`.
    fn search(
        &mut self,
        position: &G::Position,
        threshold: Value,
        limits: ProofNumbers,
    ) -> Result<ProofState, Interrupt> {
        self.limit.check(self.plies)?;
        let before = self.searcher.positions();
        let key = self.key(position, threshold);
        let first = self.children.len();
        let known = match self.game.settle(position, threshold) {
            Some(answer) => ProofState::Decided(answer),
            None => {
                let limits = if key.is_some() { limits } else { ProofNumbers::ANY };
                let shared_key = key.filter(|_| self.shared.claims().is_some());
                let node = shared_key.map(|key| PathNode { slot: self.table.slot(key), threshold, limits });
                let index = self.path.enter(node);
                let plies = self.plies;
                let known = self.search_moves(position, threshold, limits, first);
                if let Some(state) = self.path.leave(index, &known) {
                    self.children.truncate(first);
                    self.plies = plies;
                    return Ok(state);
                }
                known?
            }
        };
        self.children.truncate(first);
        if let Some(key) = key {
            let work = self.searcher.positions() - before;
            let packed = known.pack(threshold, self.codec);
            self.searcher.note_filled(self.table.store(self.table.slot(key), packed, work));
            if let Some(journal) = self.shared.journal.filter(|journal| work >= journal.min_work()) {
                journal.append(key, packed, work);
            }
        }
        Ok(known)
    }

    /// As [`search`](Self::search), with the moves in `self.children` from `first` on.
    fn search_moves(
        &mut self,
        position: &G::Position,
        threshold: Value,
        limits: ProofNumbers,
        first: usize,
    ) -> Result<ProofState, Interrupt> {
        let game = self.game;
        // Lower than the value of every move, which takes a ply at least.
        let mut best = Value::loss(0);
        for mv in game.candidates(position) {
            let after = game.play(position, mv);
            let turn = game.turn(position, mv, &after);
            match self.evaluate(&after, turn.child_threshold(threshold))? {
                ProofState::Decided(value) => {
                    best = best.max(turn.to_parent(value));
                    if best > threshold {
                        return Ok(ProofState::Decided(best));
                    }
                }
                ProofState::Open(numbers) => {
                    let (rank, numbers) = (game.rank(position, mv, &after), numbers.to_parent(turn));
                    self.children.push(Child { mv, turn, rank, numbers, visits: 0, handicap: Handicap::default() });
                }
            }
        }
        // The sort is stable, and the first of equal moves is searched first.
        sort_by_rank(&mut self.children[first..], |open| open.rank);
        loop {
            let Some(choice) = Choice::select(self.children[first..].iter().map(|open| (open.numbers, open.handicap)))
            else {
                return Ok(ProofState::Decided(best));
            };
            if choice.numbers.reaches(limits) {
                return Ok(ProofState::Open(choice.numbers));
            }
            let at = first + choice.at;
            let open = self.children[at];
            let after = game.play(position, open.mv);
            let child_threshold = open.turn.child_threshold(threshold);
            let claim = self.claim(&after, child_threshold);
            if let Claim::Another(name) = claim
                && !open.handicap.is_set()
            {
                self.children[at].handicap = Handicap::new(self.searcher.worker(), name, Handicap::FOR_HELPERS);
                continue;
            }
            self.plies += 1;
            let child_limits = choice.child_limits(limits, open.visits).to_parent(open.turn);
            let known = self.visit(&after, child_threshold, child_limits);
            self.plies -= 1;
            self.shared.release(claim);
            match known? {
                ProofState::Decided(value) => {
                    best = best.max(open.turn.to_parent(value));
                    if best > threshold {
                        return Ok(ProofState::Decided(best));
                    }
                    self.children.remove(at);
                }
                ProofState::Open(numbers) => {
                    let open = &mut self.children[at];
                    *open = Child {
                        numbers: numbers.to_parent(open.turn),
                        visits: open.visits + 1,
                        handicap: Handicap::default(),
                        ..*open
                    };
                }
            }
        }
    }

    /// Searches the position after a move, unless another worker has decided it or has reached the limit.
    fn visit(&mut self, after: &G::Position, threshold: Value, limits: ProofNumbers) -> Result<ProofState, Interrupt> {
        let slot = if self.shared.claims().is_some() { self.slot(after, threshold) } else { None };
        match slot.and_then(|slot| ProofState::probe(self.table, self.codec, slot, threshold, limits)) {
            Some(state) => Ok(state),
            None => self.search(after, threshold, limits),
        }
    }

    /// Claims a position, if several workers share the search.
    fn claim(&self, position: &G::Position, threshold: Value) -> Claim {
        if self.shared.claims().is_some() {
            self.shared.claim(self.slot(position, threshold).map(Slot::hash))
        } else {
            Claim::None
        }
    }
}

impl ProofState {
    /// Returns the number of bits of a packed state: two proof numbers; or 0 for the first one, and an answer.
    pub(super) const fn bits(codec: ValueCodec) -> u32 {
        NUMBER_BITS + Self::low_bits(codec)
    }

    const fn low_bits(codec: ValueCodec) -> u32 {
        if codec.bits() < NUMBER_BITS { NUMBER_BITS } else { codec.bits() + 1 }
    }

    fn pack(self, threshold: Value, codec: ValueCodec) -> u64 {
        match self {
            Self::Open(numbers) => {
                code(numbers.proof, EXACT_BITS) << Self::low_bits(codec) | code(numbers.disproof, EXACT_BITS)
            }
            Self::Decided(value) if value > threshold => 1 << codec.bits() | codec.encode_lower(value),
            Self::Decided(value) => codec.encode_upper(value),
        }
    }

    /// Returns the state of a test in the table, if it is decided or reaches the limits.
    fn probe(
        table: &TranspositionTable,
        codec: ValueCodec,
        slot: Slot,
        threshold: Value,
        limits: ProofNumbers,
    ) -> Option<Self> {
        Self::unpack(table.probe(slot)?, threshold, codec).filter(|state| match state {
            Self::Decided(_) => true,
            Self::Open(numbers) => numbers.reaches(limits),
        })
    }

    /// Unpacks a state, which may have been packed for another threshold: `None` if it does not apply to this one.
    fn unpack(payload: u64, threshold: Value, codec: ValueCodec) -> Option<Self> {
        let low_bits = Self::low_bits(codec);
        let (proof, low) = (payload >> low_bits, payload & ((1 << low_bits) - 1));
        if proof > 0 {
            return Some(Self::Open(ProofNumbers {
                proof: number(proof, EXACT_BITS),
                disproof: number(low, EXACT_BITS),
            }));
        }
        let value = codec.decode(low & ((1 << codec.bits()) - 1));
        let is_lower = low >> codec.bits() == 1;
        (is_lower == (value > threshold)).then_some(Self::Decided(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_unpacked_for_the_thresholds_that_they_decide() {
        let codec = ValueCodec::new(300, 0);
        for value in [Value::win(1), Value::win(300), Value::DRAW, Value::loss(6)] {
            let (yes, no) = (
                ProofState::Decided(value).pack(value.just_below(), codec),
                ProofState::Decided(value).pack(value, codec),
            );
            assert_eq!(ProofState::unpack(yes, value.just_below(), codec), Some(ProofState::Decided(value)));
            assert_eq!(ProofState::unpack(no, value, codec), Some(ProofState::Decided(value)));
            assert_eq!(ProofState::unpack(yes, value, codec), None);
            assert_eq!(ProofState::unpack(no, value.just_below(), codec), None);
        }
        let left = ProofState::Open(ProofNumbers { proof: 1, disproof: 127 });
        assert_eq!(ProofState::unpack(left.pack(Value::DRAW, codec), Value::win(9), codec), Some(left));
    }
}
