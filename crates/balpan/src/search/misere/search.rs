//! The misère search of one worker.

use super::cache::SumCache;
use super::splitter::{MIN_NOTED_WORK, Splitter};
use super::sums::{Rest, Sum};
use crate::game::{Game, Impartial, MAX_KEY_BITS};
use crate::search::df_pn::{EXACT_BITS, NUMBER_BITS};
use crate::search::keys::Keys;
use crate::search::length::DepthLimit;
use crate::search::parallel::{Claim, Interrupt, Searcher, Worker};
use crate::search::proof::{Choice, Handicap, ProofNumbers, code, number};
use crate::search::table::{Slot, TranspositionTable};
use crate::search::workers::TableSearch;

/// The state of a sum: who wins, or its proof numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Won,
    Lost,
    /// A proof shows that the player to move wins.
    Left(ProofNumbers),
}

/// An option of which it is open who wins.
#[derive(Debug)]
struct Open<P> {
    sum: Sum<P>,
    /// For the player who moves to it.
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
    sums: Splitter<'a, G>,
    searcher: Searcher<'a>,
    limit: DepthLimit,
    /// The plies from the root, those in nim heaps included.
    plies: u32,
}

/// The number of sums after which a worker reports its count.
const BATCH: u64 = 1 << 10;

/// The number of bits of the table's keys that tell what there is besides the largest part.
pub(super) fn rest_bits<P: Clone + Eq + std::hash::Hash>(keys: &Keys<P>) -> u32 {
    (MAX_KEY_BITS - keys.bits()).min(u32::BITS)
}

impl<'a, G: Impartial> Search<'a, G> {
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
            sums: Splitter::new(game, cache, shared.threads()),
            searcher: Searcher::new(shared, worker, BATCH),
            limit: DepthLimit::new(None),
            plies: 0,
        }
    }

    /// Whether the player to move loses the sum of the position and a nim heap.
    pub(super) fn ask(mut self, position: &G::Position, heap: u32) -> Result<bool, Interrupt> {
        let sum = self.sums.new_sum(position, heap);
        let is_lost = self.answer(&sum);
        self.sums.share_notes();
        self.searcher.report();
        is_lost
    }

    fn answer(&mut self, sum: &Sum<G::Position>) -> Result<bool, Interrupt> {
        loop {
            let known = match self.look(sum)? {
                Known::Left(_) => self.search(sum, ProofNumbers::ANY)?,
                answer => answer,
            };
            match known {
                Known::Won => return Ok(false),
                Known::Lost => return Ok(true),
                // The limit is infinite, so one search decides.
                Known::Left(_) => {}
            }
        }
    }

    /// Whether the player to move loses the position, if that is known without a search.
    pub(super) fn knows(mut self, position: &G::Position) -> Option<bool> {
        let sum = self.sums.new_sum(position, 0);
        if self.sums.fault.is_some() {
            return None;
        }
        if sum.largest.is_none() {
            return self.sums.known_lost(sum.rest);
        }
        match self.kept(self.place(&sum))? {
            Known::Won => Some(false),
            Known::Lost => Some(true),
            Known::Left(_) => None,
        }
    }

    /// Returns the sum's slot in the table; `None` if the sum is not stored.
    fn place(&self, sum: &Sum<G::Position>) -> Option<Slot> {
        let (_, largest) = sum.largest.as_ref()?;
        let rest = sum.rest.number;
        let fits = u64::from(rest) >> rest_bits(self.keys) == 0;
        if !fits || !self.game.is_cacheable(largest) {
            return None;
        }
        let key = self.keys.key(self.game, largest)?;
        Some(self.table.slot(u128::from(rest) << self.keys.bits() | key))
    }

    /// What is known of a sum. It counts as one position; without a large part it is settled at once,
    /// by as many more as that takes.
    fn look(&mut self, sum: &Sum<G::Position>) -> Result<Known, Interrupt> {
        self.count()?;
        if sum.largest.is_none() {
            return Ok(if self.is_lost(sum.rest)? { Known::Lost } else { Known::Won });
        }
        Ok(self.kept(self.place(sum)).unwrap_or_else(|| Known::Left(ProofNumbers::for_moves(sum.moves().into()))))
    }

    fn count(&mut self) -> Result<(), Interrupt> {
        if let Some(fault) = self.sums.fault {
            return Err(fault);
        }
        if self.searcher.count()? {
            self.sums.limit(self.cache.bytes_per_thread(self.shared.threads()));
            if self.cache.is_full() {
                self.shared.end(Interrupt::Crowded);
            }
        }
        Ok(())
    }

    /// Whether the player to move loses a sum that has no large part.
    fn is_lost(&mut self, rest: Rest) -> Result<bool, Interrupt> {
        if let Some(known) = self.sums.known_lost(rest) {
            return Ok(known);
        }
        self.limit.check(self.plies)?;
        let before = self.searcher.positions();
        let mut is_lost = true;
        for &option in self.sums.options_of_rest(rest).iter() {
            self.count()?;
            self.plies += 1;
            let option_is_lost = self.is_lost(option)?;
            self.plies -= 1;
            if option_is_lost {
                is_lost = false;
                break;
            }
        }
        self.sums.set_lost(rest, is_lost, self.searcher.positions() - before);
        Ok(is_lost)
    }

    fn kept(&self, place: Option<Slot>) -> Option<Known> {
        place.and_then(|place| self.table.probe(place)).map(Known::unpacked)
    }

    /// Searches a sum that [`look`](Self::look) left open, until it is known who wins, or
    /// its proof or its disproof number reaches that of `limits`.
    fn search(&mut self, sum: &Sum<G::Position>, limits: ProofNumbers) -> Result<Known, Interrupt> {
        self.limit.check(self.plies)?;
        let before = self.searcher.positions();
        let place = self.place(sum);
        self.plies += 1;
        let known = self.search_options(sum, if place.is_some() { limits } else { ProofNumbers::ANY })?;
        self.plies -= 1;
        if let Some(place) = place {
            let work = self.searcher.positions() - before;
            self.searcher.note_filled(self.table.store(place, known.packed(), work));
            if work >= MIN_NOTED_WORK {
                self.sums.note_work(sum.rest, work);
            }
        }
        Ok(known)
    }

    /// Whether an option is known to be lost, and so answers its sum; if nothing is known
    /// of it, it is added to those `open`.
    fn answers(&mut self, option: Sum<G::Position>, open: &mut Vec<Open<G::Position>>) -> Result<bool, Interrupt> {
        match self.look(&option)? {
            Known::Lost => return Ok(true),
            Known::Won => {}
            Known::Left(numbers) => {
                open.push(Open { sum: option, numbers: numbers.swapped(), visits: 0, handicap: Handicap::default() });
            }
        }
        Ok(false)
    }

    /// As [`search`](Self::search); what is found is not kept.
    fn search_options(&mut self, sum: &Sum<G::Position>, limits: ProofNumbers) -> Result<Known, Interrupt> {
        let game = self.game;
        let mut open: Vec<Open<G::Position>> = Vec::new();
        for option in self.sums.options_in_rest(sum) {
            if self.answers(option, &mut open)? {
                return Ok(Known::Won);
            }
        }
        if let Some((_, part)) = &sum.largest {
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
            let Some(choice) = Choice::select(open.iter().map(|open| (open.numbers, open.handicap))) else {
                return Ok(Known::Lost);
            };
            if choice.left.reaches(limits) {
                return Ok(Known::Left(choice.left));
            }
            let next = &mut open[choice.at];
            let place = self.place(&next.sum);
            let claim = self.shared.claim(place.map(Slot::hash));
            if let Claim::Another(name) = claim
                && !next.handicap.is_set()
            {
                next.handicap = Handicap::new(self.searcher.worker(), name);
                continue;
            }
            let limits = choice.child_limits(limits, next.visits).swapped();
            let known = match self.kept(place.filter(|_| self.shared.claims().is_some())) {
                // Another thread has found as much.
                Some(Known::Left(numbers)) if !numbers.reaches(limits) => self.search(&next.sum, limits),
                Some(known) => Ok(known),
                None => self.search(&next.sum, limits),
            };
            self.shared.release(claim);
            match known? {
                Known::Lost => return Ok(Known::Won),
                Known::Won => {
                    open.remove(choice.at);
                }
                Known::Left(numbers) => {
                    (next.numbers, next.handicap) = (numbers.swapped(), Handicap::default());
                    next.visits += 1;
                }
            }
        }
    }
}

impl Known {
    /// Two numbers, or, with 0 for the first one, an answer.
    pub(super) const BITS: u32 = 2 * NUMBER_BITS;

    fn packed(self) -> u64 {
        match self {
            Self::Lost => 0,
            Self::Won => 1,
            Self::Left(numbers) => code(numbers.proof, EXACT_BITS) << NUMBER_BITS | code(numbers.disproof, EXACT_BITS),
        }
    }

    fn unpacked(payload: u64) -> Self {
        match (payload >> NUMBER_BITS, payload & ((1 << NUMBER_BITS) - 1)) {
            (0, 0) => Self::Lost,
            (0, _) => Self::Won,
            (proof, disproof) => {
                Self::Left(ProofNumbers { proof: number(proof, EXACT_BITS), disproof: number(disproof, EXACT_BITS) })
            }
        }
    }
}
