//! The misère proof-number search of one worker.

use super::cache::SumCache;
use super::splitter::{MIN_NOTED_WORK, Splitter};
use super::sums::{Rest, Sum};
use crate::game::{Game, MAX_KEY_BITS};
use crate::search::df_pn::{EXACT_BITS, NUMBER_BITS};
use crate::search::keys::Keys;
use crate::search::length::DepthLimit;
use crate::search::parallel::{Claim, Interrupt, Searcher, Worker};
use crate::search::proof::{Choice, Handicap, ProofNumbers, code, number};
use crate::search::table::{Slot, TranspositionTable};
use crate::search::workers::TableSearch;
use crate::value::Turn;

/// The state of a sum: decided, or its proof and disproof numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SumState {
    Won,
    Lost,
    /// The numbers of an open sum; a proof shows that the player to move wins.
    Open(ProofNumbers),
}

/// An option that is not decided.
#[derive(Debug)]
struct Child<P> {
    sum: Sum<P>,
    /// The numbers for the player who moves to the option.
    numbers: ProofNumbers,
    visits: u32,
    handicap: Handicap,
}

/// The search of one worker.
pub(super) struct Search<'a, G: Game> {
    game: &'a G,
    keys: &'a Keys<G::Position>,
    shared: &'a TableSearch<'a>,
    table: &'a TranspositionTable,
    cache: &'a SumCache<G>,
    splitter: Splitter<'a, G>,
    searcher: Searcher<'a>,
    limit: DepthLimit,
    /// The number of plies from the root, moves in nim heaps included.
    plies: u32,
}

/// The number of sums after which a worker reports its count.
const REPORT_INTERVAL: u64 = 1 << 10;

/// Returns the number of bits of the table's keys that hold the number of the rest.
pub(super) fn rest_bits<P: Clone + Eq + std::hash::Hash>(keys: &Keys<P>) -> u32 {
    (MAX_KEY_BITS - keys.bits()).min(u32::BITS)
}

impl<'a, G: Game> Search<'a, G> {
    pub(super) fn new(
        game: &'a G,
        keys: &'a Keys<G::Position>,
        cache: &'a SumCache<G>,
        shared: &'a TableSearch<'a>,
        worker: Worker<'a>,
    ) -> Self {
        Self {
            game,
            keys,
            shared,
            table: shared.table,
            cache,
            splitter: Splitter::new(game, cache, shared.threads()),
            searcher: Searcher::new(shared, worker, REPORT_INTERVAL),
            limit: DepthLimit::new(None),
            plies: 0,
        }
    }

    /// Tests whether the player to move loses the sum of the position and a nim heap.
    pub(super) fn run(mut self, position: &G::Position, heap: u32) -> Result<bool, Interrupt> {
        let sum = self.splitter.new_sum(position, heap);
        let is_lost = self.answer(&sum);
        self.splitter.share_notes();
        self.searcher.report();
        is_lost
    }

    fn answer(&mut self, sum: &Sum<G::Position>) -> Result<bool, Interrupt> {
        loop {
            let state = match self.evaluate(sum)? {
                SumState::Open(_) => self.search(sum, ProofNumbers::ANY)?,
                answer => answer,
            };
            match state {
                SumState::Won => return Ok(false),
                SumState::Lost => return Ok(true),
                // The limits are infinite, so one search decides.
                SumState::Open(_) => {}
            }
        }
    }

    /// Returns whether the player to move loses the position, if that is stored.
    pub(super) fn probe_answer(mut self, position: &G::Position) -> Option<bool> {
        let sum = self.splitter.new_sum(position, 0);
        if self.splitter.fault.is_some() {
            return None;
        }
        if sum.largest.is_none() {
            return self.splitter.known_lost(sum.rest);
        }
        match self.probe(self.slot(&sum))? {
            SumState::Won => Some(false),
            SumState::Lost => Some(true),
            SumState::Open(_) => None,
        }
    }

    /// Returns the sum's slot in the table; `None` if the sum is not stored.
    fn slot(&self, sum: &Sum<G::Position>) -> Option<Slot> {
        let (_, largest) = sum.largest.as_ref()?;
        let rest = sum.rest.number;
        let fits = u64::from(rest) >> rest_bits(self.keys) == 0;
        if !fits || !self.game.is_cacheable(largest) {
            return None;
        }
        let key = self.keys.key(self.game, largest)?;
        Some(self.table.slot(u128::from(rest) << self.keys.bits() | key))
    }

    /// Returns the state of a sum from the table, or its initial numbers. Counts one position. A sum without a large
    /// part is decided at once, and each sum that this searches counts as well.
    fn evaluate(&mut self, sum: &Sum<G::Position>) -> Result<SumState, Interrupt> {
        self.count()?;
        if sum.largest.is_none() {
            return Ok(if self.is_rest_lost(sum.rest)? { SumState::Lost } else { SumState::Won });
        }
        Ok(self.probe(self.slot(sum)).unwrap_or_else(|| SumState::Open(ProofNumbers::for_moves(sum.moves().into()))))
    }

    fn count(&mut self) -> Result<(), Interrupt> {
        if let Some(fault) = self.splitter.fault {
            return Err(fault);
        }
        if self.searcher.count()? {
            self.splitter.trim(self.cache.bytes_per_thread(self.shared.threads()));
            if self.cache.is_full() {
                self.shared.end(Interrupt::Crowded);
            }
        }
        Ok(())
    }

    /// Returns whether the player to move loses a sum without a large part. Searches it depth-first, without proof
    /// numbers.
    fn is_rest_lost(&mut self, rest: Rest) -> Result<bool, Interrupt> {
        if let Some(is_lost) = self.splitter.known_lost(rest) {
            return Ok(is_lost);
        }
        self.limit.check(self.plies)?;
        let before = self.searcher.positions();
        let mut is_lost = true;
        for &option in self.splitter.options_of_rest(rest).iter() {
            self.count()?;
            self.plies += 1;
            let option_is_lost = self.is_rest_lost(option)?;
            self.plies -= 1;
            if option_is_lost {
                is_lost = false;
                break;
            }
        }
        self.splitter.set_lost(rest, is_lost, self.searcher.positions() - before);
        Ok(is_lost)
    }

    /// Returns the state that the table holds.
    fn probe(&self, slot: Option<Slot>) -> Option<SumState> {
        slot.and_then(|slot| self.table.probe(slot)).map(SumState::unpack)
    }

    /// Searches a sum that [`evaluate`](Self::evaluate) left open, until it is decided, or its proof or disproof
    /// number reaches that of `limits`.
    fn search(&mut self, sum: &Sum<G::Position>, limits: ProofNumbers) -> Result<SumState, Interrupt> {
        self.limit.check(self.plies)?;
        let before = self.searcher.positions();
        let slot = self.slot(sum);
        self.plies += 1;
        let state = self.search_options(sum, if slot.is_some() { limits } else { ProofNumbers::ANY })?;
        self.plies -= 1;
        if let Some(slot) = slot {
            let work = self.searcher.positions() - before;
            self.searcher.note_filled(self.table.store(slot, state.pack(), work));
            if work >= MIN_NOTED_WORK {
                self.splitter.note_work(sum.rest, work);
            }
        }
        Ok(state)
    }

    /// Returns whether an option is known to be lost, so that its sum is won. Adds the option to `children` if it is
    /// open.
    fn add_option(
        &mut self,
        option: Sum<G::Position>,
        children: &mut Vec<Child<G::Position>>,
    ) -> Result<bool, Interrupt> {
        match self.evaluate(&option)? {
            SumState::Lost => return Ok(true),
            SumState::Won => {}
            SumState::Open(numbers) => {
                children.push(Child {
                    sum: option,
                    numbers: numbers.to_parent(Turn::Passes),
                    visits: 0,
                    handicap: Handicap::default(),
                });
            }
        }
        Ok(false)
    }

    /// Like [`search`](Self::search), without storing the result.
    fn search_options(&mut self, sum: &Sum<G::Position>, limits: ProofNumbers) -> Result<SumState, Interrupt> {
        let game = self.game;
        let mut children: Vec<Child<G::Position>> = Vec::new();
        for option in self.splitter.options_in_rest(sum) {
            if self.add_option(option, &mut children)? {
                return Ok(SumState::Won);
            }
        }
        if let Some((_, part)) = &sum.largest {
            for mv in game.moves(part) {
                let option = self.splitter.play(sum, part, mv);
                if self.add_option(option, &mut children)? {
                    return Ok(SumState::Won);
                }
            }
        }
        children.sort_by_cached_key(|child| self.splitter.sort_key(&child.sum));
        children.dedup_by(|one, other| one.sum == other.sum);
        loop {
            let Some(choice) = Choice::select(children.iter().map(|child| (child.numbers, child.handicap))) else {
                return Ok(SumState::Lost);
            };
            if choice.numbers.reaches(limits) {
                return Ok(SumState::Open(choice.numbers));
            }
            let next = &mut children[choice.at];
            let slot = self.slot(&next.sum);
            let claim = self.shared.claim(slot.map(Slot::hash));
            if let Claim::Another(name) = claim
                && !next.handicap.is_set()
            {
                next.handicap = Handicap::new(self.searcher.worker(), name, Handicap::FOR_HELPERS);
                continue;
            }
            let limits = choice.child_limits(limits, next.visits).to_parent(Turn::Passes);
            let state = match self.probe(slot.filter(|_| self.shared.claims().is_some())) {
                // Another worker has stored the result, or numbers that reach the limits.
                Some(SumState::Open(numbers)) if !numbers.reaches(limits) => self.search(&next.sum, limits),
                Some(state) => Ok(state),
                None => self.search(&next.sum, limits),
            };
            self.shared.release(claim);
            match state? {
                SumState::Lost => return Ok(SumState::Won),
                SumState::Won => {
                    children.remove(choice.at);
                }
                SumState::Open(numbers) => {
                    (next.numbers, next.handicap) = (numbers.to_parent(Turn::Passes), Handicap::default());
                    next.visits += 1;
                }
            }
        }
    }
}

impl SumState {
    /// The bits of [`pack`](Self::pack): two numbers. A first number of 0 marks a decided sum.
    pub(super) const BITS: u32 = 2 * NUMBER_BITS;

    fn pack(self) -> u64 {
        match self {
            Self::Lost => 0,
            Self::Won => 1,
            Self::Open(numbers) => code(numbers.proof, EXACT_BITS) << NUMBER_BITS | code(numbers.disproof, EXACT_BITS),
        }
    }

    fn unpack(payload: u64) -> Self {
        match (payload >> NUMBER_BITS, payload & ((1 << NUMBER_BITS) - 1)) {
            (0, 0) => Self::Lost,
            (0, _) => Self::Won,
            (proof, disproof) => {
                Self::Open(ProofNumbers { proof: number(proof, EXACT_BITS), disproof: number(disproof, EXACT_BITS) })
            }
        }
    }
}
