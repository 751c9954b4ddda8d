//! The nimber search of one worker: tests whether a part has a nimber, by proof numbers.

use std::hash::{Hash, Hasher};
use std::mem;

use super::options::{
    DuplicateFilter, HELPER_HANDICAPS, OpenOption, OptionChoice, SLACK_DIVISOR, TestNumbers, TestState,
};
use crate::game::Game;
use crate::search::keys::Keys;
use crate::search::length::DepthLimit;
use crate::search::parallel::{Claim, Interrupt, Path, Searcher, Worker, is_path_check_due};
use crate::search::proof::{Handicap, least_after};
use crate::search::ranking::sort_by_rank;
use crate::search::table::{Slot, TranspositionTable};
use crate::search::watch::BrokenPromise;
use crate::search::workers::TableSearch;
use crate::value::Outcome;

/// The search of one worker.
pub(super) struct Search<'a, G: Game> {
    shared: &'a TableSearch<'a>,
    game: &'a G,
    keys: &'a Keys<G::Position>,
    table: &'a TranspositionTable,
    /// The open options of all parts on the current path, end to end.
    options: Vec<OpenOption>,
    /// The parts of these options, except those of known nimbers.
    parts: Vec<Part<G::Position>>,
    /// A buffer for the parts of a position.
    part_buffer: Vec<G::Position>,
    searcher: Searcher<'a>,
    /// The tests on the path, if several workers share the search.
    path: Path<PathNode, TestState>,
    limit: DepthLimit,
    /// The number of parts on the current path.
    depth: u32,
}

/// A test on the current path: the slot of its part, its target, and the limits of its search.
struct PathNode {
    slot: Slot,
    target: u32,
    limits: TestNumbers,
}

/// A part whose nimber the game does not know.
#[derive(Clone, Debug)]
struct Part<P> {
    position: P,
    /// The part's slot in the table; `None` if the part is not stored.
    slot: Option<Slot>,
}

impl<P: PartialEq> PartialEq for Part<P> {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
    }
}

impl<P: Hash> Hash for Part<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
    }
}

/// Tests for larger nimbers are not stored.
const MAX_STORED_NIMBER: u32 = (1 << TAG_BITS) - 2;
/// The bits of a tag: the target of a test, or [`NIMBER`].
pub(super) const TAG_BITS: u32 = 7;
/// The tag of the entry that holds a part's nimber.
pub(super) const NIMBER: u128 = (1 << TAG_BITS) - 1;

/// The number of positions after which a worker reports its count.
const REPORT_INTERVAL: u64 = 1 << 10;

/// For parts with at most this many moves, the mex of the options costs no more than a test. Their nimbers are no
/// larger than that, and so fit in four bits.
const MAX_MEX_MOVES: usize = 14;

/// The number of options generated before the first of them are probed, while the processor prefetches their table
/// entries.
const PREFETCH_OPTIONS: usize = 16;

/// Returns the state of a test in the table.
fn probe_test(table: &TranspositionTable, slot: Slot, target: u32) -> Option<TestState> {
    if let Some(nimber) = table.probe(slot.with_tag(NIMBER)) {
        return Some(if nimber == target.into() { TestState::Proved } else { TestState::Disproved });
    }
    table.probe(slot.with_tag(target.into())).map(TestState::unpack)
}

/// Returns the slot of a key in the journal.
pub(super) fn journal_slot(table: &TranspositionTable, key: u128) -> Slot {
    table.slot(key >> TAG_BITS).with_tag(key & NIMBER)
}

impl<'a, G: Game> Search<'a, G> {
    pub(super) fn new(
        game: &'a G,
        keys: &'a Keys<G::Position>,
        shared: &'a TableSearch<'a>,
        worker: Worker<'a>,
    ) -> Self {
        Self {
            shared,
            game,
            keys,
            table: shared.table,
            options: Vec::new(),
            parts: Vec::new(),
            part_buffer: Vec::new(),
            searcher: Searcher::new(shared, worker, REPORT_INTERVAL),
            path: Path::default(),
            limit: DepthLimit::new(None),
            depth: 0,
        }
    }

    /// Runs a test, then reports the counts to the other workers.
    pub(super) fn run<T>(mut self, test: impl FnOnce(&mut Self) -> Result<T, Interrupt>) -> Result<T, Interrupt> {
        let result = test(&mut self);
        self.searcher.report();
        result
    }

    /// Counts one position, and polls for an interrupt now and then.
    #[inline]
    fn count(&mut self) -> Result<(), Interrupt> {
        if self.searcher.count()? {
            self.shared.watch.set_table_usage(self.shared.filled(), self.table.bytes());
        }
        if self.shared.claims().is_some() && is_path_check_due(self.searcher.positions()) {
            let table = self.table;
            self.path.check(|node| {
                probe_test(table, node.slot, node.target).filter(|state| match state {
                    TestState::Open(numbers) => numbers.reaches(node.limits),
                    TestState::Proved | TestState::Disproved => true,
                })
            })?;
        }
        Ok(())
    }

    /// Begins the search of a part's options, which ends with [`leave`](Self::leave) unless it is interrupted. Counts
    /// one position.
    fn enter(&mut self) -> Result<(), Interrupt> {
        self.limit.check(self.depth)?;
        self.depth += 1;
        self.count()
    }

    /// Ends the search of a part's options.
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Returns the part's nimber.
    pub(super) fn nimber(&mut self, position: &G::Position) -> Result<u32, Interrupt> {
        match self.game.nimber(position) {
            Some(nimber) => Ok(nimber),
            None => self.part_nimber(&self.part(position.clone())),
        }
    }

    /// Returns the nimber of a part whose nimber the game does not know, by tests from 0 on.
    fn part_nimber(&mut self, part: &Part<G::Position>) -> Result<u32, Interrupt> {
        if let Some(nimber) = self.probe_nimber(part) {
            return Ok(nimber);
        }
        if self.game.mobility(&part.position) <= MAX_MEX_MOVES {
            return self.mex(part);
        }
        let moves = self.game.mobility(&part.position);
        for target in (0..).take(moves.saturating_add(1)) {
            if self.test_part(part, target)? {
                return Ok(target);
            }
        }
        Err(BrokenPromise::Mobility.into())
    }

    /// Tests whether the part has the nimber `target`.
    pub(super) fn test(&mut self, position: &G::Position, target: u32) -> Result<bool, Interrupt> {
        match self.game.nimber(position) {
            Some(nimber) => Ok(nimber == target),
            None => self.test_part(&self.part(position.clone()), target),
        }
    }

    /// Like [`test`](Self::test), for a part whose nimber the game does not know.
    fn test_part(&mut self, part: &Part<G::Position>, target: u32) -> Result<bool, Interrupt> {
        loop {
            let state = match self.evaluate(part, target) {
                TestState::Open(_) => self.search(part, target, TestNumbers::ANY)?,
                answer => answer,
            };
            match state {
                TestState::Proved => return Ok(true),
                TestState::Disproved => return Ok(false),
                // The limits are infinite, so one search decides.
                TestState::Open(_) => {}
            }
        }
    }

    /// Returns whether the part has the nimber `target`, if that is known without a search.
    pub(super) fn known_test(&self, position: &G::Position, target: u32) -> Option<bool> {
        if let Some(nimber) = self.game.nimber(position) {
            return Some(nimber == target);
        }
        match self.evaluate(&self.part(position.clone()), target) {
            TestState::Proved => Some(true),
            TestState::Disproved => Some(false),
            TestState::Open(_) => None,
        }
    }

    /// Returns the position's nimber, if those of all its parts are known.
    pub(super) fn known_nimber(&mut self, position: &G::Position) -> Option<u32> {
        let option = self.open_parts(position);
        self.parts.truncate(option.first as usize);
        (option.parts == 0).then_some(option.target)
    }

    /// Returns the least nimber that is not excluded for the position.
    pub(super) fn at_least(&mut self, position: &G::Position) -> u32 {
        let option = self.open_parts(position);
        let min_nimber = match option.parts {
            0 => option.target,
            // The bound ends the loop even if the game understates its number of moves. Tests for larger nimbers are
            // not stored.
            _ => (0..=MAX_STORED_NIMBER + 1)
                .find(|target| {
                    self.evaluate_option(&OpenOption { target: target ^ option.target, ..option })
                        != TestState::Disproved
                })
                .unwrap_or(0),
        };
        self.parts.truncate(option.first as usize);
        min_nimber
    }

    /// Adds a position's parts of unknown nimbers to `self.parts`, as those of an option. The option's target is the
    /// sum of the known nimbers.
    fn open_parts(&mut self, position: &G::Position) -> OpenOption {
        let begin = self.parts.len();
        let known_sum = self.add_parts(position);
        let mut option = OpenOption::new(begin, self.parts.len() - begin, known_sum);
        self.remove_known_parts(&mut option);
        option
    }

    /// Adds the parts of a position whose nimbers the game does not know to `self.parts`. Returns the sum of the other
    /// nimbers.
    fn add_parts(&mut self, position: &G::Position) -> u32 {
        let begin = self.parts.len();
        let mut sum = 0;
        let mut split = mem::take(&mut self.part_buffer);
        self.game.split(position, &mut split);
        for part in split.drain(..) {
            if let Some(nimber) = self.game.nimber(&part) {
                sum ^= nimber;
                continue;
            }
            // Two equal parts cancel out.
            match self.parts[begin..].iter().position(|other| other.position == part) {
                Some(equal) => {
                    self.parts.swap_remove(begin + equal);
                }
                None => self.parts.push(self.part(part)),
            }
        }
        self.part_buffer = split;
        sum
    }

    /// Returns a part, whose nimber the game does not know, with its slot in the table.
    #[inline]
    fn part(&self, position: G::Position) -> Part<G::Position> {
        let is_cacheable = self.game.is_cacheable(&position);
        let key = if is_cacheable { self.keys.key(self.game, &position) } else { None };
        Part { position, slot: key.map(|key| self.table.slot(key)) }
    }

    /// Returns the part's nimber, if the table has it.
    #[inline]
    fn probe_nimber(&self, part: &Part<G::Position>) -> Option<u32> {
        self.table.probe(part.slot?.with_tag(NIMBER)).map(|nimber| nimber as u32)
    }

    /// Stores a result about a part in the table and, if it took long, appends it to the journal. The proof numbers of an open test are
    /// of no use to another board: they would change the order in which it is searched.
    fn store(&mut self, part: &Part<G::Position>, tag: u128, payload: u64, work: u64) {
        let Some(slot) = part.slot else {
            return;
        };
        self.searcher.note_filled(self.table.store(slot.with_tag(tag), payload, work));
        if let Some(journal) = self.shared.journal
            && work >= journal.min_work()
            && let Some(key) = match journal.is_of_parts() {
                false => self.keys.key(self.game, &part.position),
                true if tag == NIMBER || TestState::unpack(payload) == TestState::Disproved => {
                    self.game.part_key(&part.position)
                }
                true => None,
            }
        {
            journal.append(key << TAG_BITS | tag, payload, work);
        }
    }

    /// Returns the state of the test whether the part has the nimber `target`, from the table or by the number of
    /// moves.
    fn evaluate(&self, part: &Part<G::Position>, target: u32) -> TestState {
        if let Some(nimber) = self.probe_nimber(part) {
            return if nimber == target { TestState::Proved } else { TestState::Disproved };
        }
        self.evaluate_unknown(part, target)
    }

    /// Like [`evaluate`](Self::evaluate), for a part whose nimber is not in the table.
    #[inline]
    fn evaluate_unknown(&self, part: &Part<G::Position>, target: u32) -> TestState {
        let slot = part.slot.filter(|_| target <= MAX_STORED_NIMBER);
        if let Some(payload) = slot.and_then(|slot| self.table.probe(slot.with_tag(target.into()))) {
            return TestState::unpack(payload);
        }
        let moves = self.game.mobility(&part.position);
        // A nimber is at most the number of options.
        if target as usize > moves { TestState::Disproved } else { TestState::Open(TestNumbers::for_moves(moves)) }
    }

    /// Searches a part that [`evaluate`](Self::evaluate) left open, until the test is answered, or its proof or
    /// disproof number reaches that of `limits`.
    fn search(&mut self, part: &Part<G::Position>, target: u32, limits: TestNumbers) -> Result<TestState, Interrupt> {
        if self.game.mobility(&part.position) <= MAX_MEX_MOVES {
            let nimber = self.mex(part)?;
            return Ok(if nimber == target { TestState::Proved } else { TestState::Disproved });
        }
        let (before, depth) = (self.searcher.positions(), self.depth);
        self.enter()?;
        let is_cacheable = part.slot.is_some() && target <= MAX_STORED_NIMBER;
        let (first_option, first_part) = (self.options.len(), self.parts.len());
        let limits = if is_cacheable { limits } else { TestNumbers::ANY };
        let slot = part.slot.filter(|_| is_cacheable && self.shared.claims().is_some());
        let index = self.path.enter(slot.map(|slot| PathNode { slot, target, limits }));
        let result = self.search_options(part, target, limits, first_option);
        let answer = self.path.leave(index, &result);
        let is_own = answer.is_none();
        let state = answer.map_or(result, Ok)?;
        self.depth = depth;
        self.options.truncate(first_option);
        self.parts.truncate(first_part);
        if is_cacheable && is_own {
            let work = self.searcher.positions() - before;
            match state {
                TestState::Proved => self.store(part, NIMBER, target.into(), work),
                state => self.store(part, target.into(), state.pack(), work),
            }
        }
        Ok(state)
    }

    /// Searches the options of a part until they answer the test for `target`, even if the answer is known.
    pub(super) fn search_again(&mut self, position: &G::Position, target: u32) -> Result<(), Interrupt> {
        let part = self.part(position.clone());
        if self.game.nimber(position).is_some() {
            return Ok(());
        }
        if self.game.mobility(position) <= MAX_MEX_MOVES {
            return self.mex(&part).map(|_| ());
        }
        self.enter()?;
        let (first_option, first_part) = (self.options.len(), self.parts.len());
        let result = self.search_options(&part, target, TestNumbers::ANY, first_option);
        self.options.truncate(first_option);
        self.parts.truncate(first_part);
        result.map(|_| ())
    }

    /// Returns the nimber of a part with few moves as the mex of its options, and stores it.
    fn mex(&mut self, part: &Part<G::Position>) -> Result<u32, Interrupt> {
        let before = self.searcher.positions();
        self.enter()?;
        let game = self.game;
        let (mut option_nimbers, mut has_moves) = (0_u64, false);
        let first = self.parts.len();
        for mv in game.moves(&part.position) {
            let mut sum = self.add_parts(&game.play(&part.position, mv));
            while self.parts.len() > first {
                let option = self.parts.swap_remove(first);
                sum ^= self.part_nimber(&option)?;
            }
            // A larger nimber cannot affect the mex of so few options.
            option_nimbers |= 1_u64.checked_shl(sum).unwrap_or(0);
            has_moves = true;
        }
        if !has_moves && game.end_value(&part.position).outcome() != Outcome::Loss {
            return Err(BrokenPromise::ImpartialEnd.into());
        }
        self.leave();
        let nimber = option_nimbers.trailing_ones();
        self.store(part, NIMBER, nimber.into(), self.searcher.positions() - before);
        Ok(nimber)
    }

    /// Like [`search`](Self::search), with the options in `self.options` from `first` on, and without storing the
    /// result.
    fn search_options(
        &mut self,
        part: &Part<G::Position>,
        target: u32,
        limits: TestNumbers,
        first: usize,
    ) -> Result<TestState, Interrupt> {
        let Some(option_nimbers) = self.expand(part, target, first) else {
            return Ok(TestState::Disproved);
        };
        // A smaller nimber disproves the target, so tests for smaller nimbers are options as well.
        for smaller in (0..target).filter(|&smaller| smaller >= 128 || option_nimbers >> smaller & 1 == 0) {
            match self.evaluate_unknown(part, smaller) {
                TestState::Proved => return Ok(TestState::Disproved),
                TestState::Disproved => {}
                TestState::Open(numbers) => {
                    let begin = self.parts.len();
                    self.parts.push(part.clone());
                    self.options.push(OpenOption { numbers, ..OpenOption::new(begin, 1, smaller) });
                }
            }
        }
        loop {
            let Some(choice) = OptionChoice::select(&self.options[first..]) else {
                return Ok(TestState::Proved);
            };
            let numbers = TestNumbers {
                proof: choice.hardest.saturating_add(choice.others).min(u32::MAX - 1),
                disproof: choice.least,
            };
            if numbers.reaches(limits) {
                return Ok(TestState::Open(numbers));
            }
            let at = first + choice.at;
            let least = u32::try_from(least_after(self.options[at].visits.into())).unwrap_or(u32::MAX);
            let limits = TestNumbers {
                proof: limits.disproof.min(choice.second.saturating_add(choice.second / SLACK_DIVISOR + 1)).max(least),
                disproof: if limits.proof == u32::MAX {
                    u32::MAX
                } else {
                    limits.proof.saturating_sub(choice.others).max(least)
                },
            };
            let claim = self.claim(at);
            if let Claim::Another(name) = claim
                && !self.options[at].handicap.is_set()
            {
                self.options[at].handicap = Handicap::new(self.searcher.worker(), name, HELPER_HANDICAPS);
                continue;
            }
            let state = self.visit(at, limits);
            self.shared.release(claim);
            match state? {
                TestState::Proved => return Ok(TestState::Disproved),
                TestState::Disproved => {
                    self.options.swap_remove(at);
                }
                TestState::Open(numbers) => {
                    let option = &mut self.options[at];
                    (option.numbers, option.handicap) = (numbers, Handicap::default());
                    option.visits = option.visits.saturating_add(1);
                }
            }
        }
    }

    /// Adds the part's open options to `self.options`, from `first` on. Returns the set of nimbers that the other
    /// options are known to have; `None` if one of these is `target`.
    fn expand(&mut self, part: &Part<G::Position>, target: u32, first: usize) -> Option<u128> {
        let game = self.game;
        let first_part = self.parts.len();
        let mut duplicates = DuplicateFilter::default();
        let mut option_nimbers = 0_u128;
        // Options before this index have been evaluated.
        let mut evaluated = first;
        for mv in game.part_moves(&part.position) {
            let begin = self.parts.len();
            let known_sum = self.add_parts(&game.play(&part.position, mv));
            if self.parts.len() == begin {
                if known_sum == target {
                    return None;
                }
                option_nimbers |= 1_u128.checked_shl(known_sum).unwrap_or(0);
                continue;
            }
            let option = OpenOption::new(begin, self.parts.len() - begin, target ^ known_sum);
            if !duplicates.is_new(&self.parts[first_part..], begin - first_part, option.target) {
                self.parts.truncate(begin);
                continue;
            }
            for part in &self.parts[begin..] {
                if let Some(slot) = part.slot {
                    self.table.prefetch(slot);
                }
            }
            self.options.push(option);
            // The entries of the earlier options have been prefetched by this point.
            if self.options.len() - evaluated >= PREFETCH_OPTIONS {
                evaluated = self.evaluate_options(target, evaluated, PREFETCH_OPTIONS / 2, &mut option_nimbers)?;
            }
        }
        self.evaluate_options(target, evaluated, PREFETCH_OPTIONS, &mut option_nimbers)?;
        Some(option_nimbers)
    }

    /// Evaluates up to `count` options from `first` on, and removes those that are answered. Returns the index after
    /// the remaining ones; `None` if an option has the nimber `target`. Adds the other known nimbers to
    /// `option_nimbers`.
    fn evaluate_options(
        &mut self,
        target: u32,
        first: usize,
        count: usize,
        option_nimbers: &mut u128,
    ) -> Option<usize> {
        let end = self.options.len().min(first + count);
        let mut open_end = first;
        for at in first..end {
            let mut option = self.options[at];
            self.remove_known_parts(&mut option);
            let numbers = if option.parts == 0 {
                // The nimber of an option is the sum of its known parts.
                *option_nimbers |= 1_u128.checked_shl(target ^ option.target).unwrap_or(0);
                match option.target {
                    0 => return None,
                    _ => continue,
                }
            } else {
                match self.evaluate_option(&option) {
                    TestState::Proved => return None,
                    TestState::Disproved => continue,
                    TestState::Open(numbers) => numbers,
                }
            };
            self.options[open_end] = OpenOption { numbers, ..option };
            open_end += 1;
        }
        self.options.drain(open_end..end);
        Some(open_end)
    }

    /// Removes the parts whose nimbers the table has from an option, and adds them to its target.
    fn remove_known_parts(&mut self, option: &mut OpenOption) {
        for at in option.range().rev() {
            if let Some(nimber) = self.probe_nimber(&self.parts[at]) {
                option.target ^= nimber;
                option.parts -= 1;
                self.parts.swap(at, option.range().end);
            }
        }
    }

    /// Returns the state of an option's test, which has one or more parts of unknown nimbers. If there are several,
    /// sorts them, the smallest last.
    fn evaluate_option(&mut self, option: &OpenOption) -> TestState {
        let game = self.game;
        if let [part] = &self.parts[option.range()] {
            return self.evaluate_unknown(part, option.target);
        }
        let parts = &mut self.parts[option.range()];
        sort_by_rank(parts, |part| game.mobility(&part.position) as i32);
        let moves: usize = parts.iter().map(|part| game.mobility(&part.position)).sum();
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        TestState::Open(TestNumbers { proof: moves / 4 + 1, disproof: moves / 2 + 1 })
    }

    /// Claims an option with one part, if several workers share the search.
    fn claim(&self, at: usize) -> Claim {
        let option = &self.options[at];
        match &self.parts[option.range()] {
            [part] => self.shared.claim(part.slot.map(|slot| slot.with_tag(option.target.into()).hash())),
            _ => Claim::None,
        }
    }

    /// Searches an option until its test is answered or reaches `limits`.
    fn visit(&mut self, at: usize, limits: TestNumbers) -> Result<TestState, Interrupt> {
        let mut option = self.options[at];
        if option.parts > 1 {
            // All nimbers but that of the largest part have to be found.
            let smallest = self.parts[option.range().end - 1].clone();
            // Uses the result directly, as the table may not store it.
            option.target ^= self.part_nimber(&smallest)?;
            option.parts -= 1;
        }
        self.remove_known_parts(&mut option);
        self.options[at] = option;
        match &self.parts[option.range()] {
            [] if option.target == 0 => Ok(TestState::Proved),
            [] => Ok(TestState::Disproved),
            [part] => match self.evaluate_unknown(part, option.target) {
                TestState::Open(numbers) if !numbers.reaches(limits) => {
                    let part = part.clone();
                    self.search(&part, option.target, limits)
                }
                state => Ok(state),
            },
            _ => Ok(self.evaluate_option(&option)),
        }
    }
}
