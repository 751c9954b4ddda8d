//! The nimber search of one worker.

use std::hash::{Hash, Hasher};
use std::mem;

use super::effort::{Effort, Known};
use super::options::{Choice, Open, SLACK, Twins};
use crate::game::{Game, Impartial};
use crate::search::keys::Keys;
use crate::search::length::DepthLimit;
use crate::search::parallel::{Claim, Interrupt, Searcher, Worker};
use crate::search::proof::{Handicap, least_after};
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
    /// Options not yet answered of all parts on the current path, end to end.
    options: Vec<Open>,
    /// The parts that they consist of, as far as their nimbers are not known.
    parts: Vec<Part<G::Position>>,
    /// Parts that have just been made.
    made: Vec<G::Position>,
    searcher: Searcher<'a>,
    limit: DepthLimit,
    /// How many parts are searched at the moment, each for the answer of the one before.
    depth: u32,
}

/// A part whose nimber the game does not know.
#[derive(Clone, Debug)]
struct Part<P> {
    position: P,
    /// Where it belongs in the table; `None` if it is not to be remembered.
    place: Option<Slot>,
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

/// Parts of larger nimbers are searched but not remembered.
const MOST_ASKED: u32 = (1 << TAG_BITS) - 2;
pub(super) const TAG_BITS: u32 = 7;
/// The tag of the entry that holds a part's nimber.
const NIMBER: u128 = (1 << TAG_BITS) - 1;

/// The number of positions after which a worker reports its count.
const BATCH: u64 = 1 << 10;

/// Of parts of so few moves the nimber itself costs no more than a question about it.
/// Nimbers are no larger than that, and so fit in half a byte.
const FEW_MOVES: usize = 14;

/// So many options are made before the first of them are looked up in the table: the
/// machine fetches what they need meanwhile.
const AHEAD: usize = 16;

/// Returns the slot of a key in the journal.
pub(super) fn place(table: &TranspositionTable, key: u128) -> Slot {
    table.slot(key >> TAG_BITS).with_tag(key & NIMBER)
}

impl<'a, G: Impartial> Search<'a, G> {
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
            made: Vec::new(),
            searcher: Searcher::new(shared, worker, BATCH),
            limit: DepthLimit::new(None),
            depth: 0,
        }
    }

    /// The answer to a question, after which the others are told how far this one is.
    pub(super) fn run<T>(mut self, question: impl FnOnce(&mut Self) -> Result<T, Interrupt>) -> Result<T, Interrupt> {
        let result = question(&mut self);
        self.searcher.report();
        result
    }

    /// Counts one position, and polls for an interrupt now and then.
    #[inline]
    fn count(&mut self) -> Result<(), Interrupt> {
        if self.searcher.count()? {
            self.shared.watch.set_table_usage(self.shared.filled(), self.table.bytes());
        }
        Ok(())
    }

    /// Begins the search of a part's options, which ends with [`leave`](Self::leave) unless it is interrupted.
    fn enter(&mut self) -> Result<(), Interrupt> {
        self.limit.check(self.depth)?;
        self.depth += 1;
        self.count()
    }

    /// Ends the search of a part's options.
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The part's nimber.
    pub(super) fn nimber(&mut self, position: &G::Position) -> Result<u32, Interrupt> {
        match self.game.nimber(position) {
            Some(nimber) => Ok(nimber),
            None => self.nimber_of(&self.part(position.clone())),
        }
    }

    /// Finds the part's nimber by tests from 0 on.
    fn nimber_of(&mut self, part: &Part<G::Position>) -> Result<u32, Interrupt> {
        if let Some(nimber) = self.kept(part) {
            return Ok(nimber);
        }
        if self.game.mobility(&part.position) <= FEW_MOVES {
            return self.mex(part);
        }
        let moves = self.game.mobility(&part.position);
        for asked in (0..).take(moves.saturating_add(1)) {
            if self.asks(part, asked)? {
                return Ok(asked);
            }
        }
        Err(BrokenPromise::Mobility.into())
    }

    /// Whether the part has the nimber `asked`.
    pub(super) fn ask(&mut self, position: &G::Position, asked: u32) -> Result<bool, Interrupt> {
        match self.game.nimber(position) {
            Some(nimber) => Ok(nimber == asked),
            None => self.asks(&self.part(position.clone()), asked),
        }
    }

    /// As [`ask`](Self::ask), of a part whose nimber the game does not know.
    fn asks(&mut self, part: &Part<G::Position>, asked: u32) -> Result<bool, Interrupt> {
        loop {
            let known = match self.look(part, asked) {
                Known::Left(_) => self.search(part, asked, Effort::ANY)?,
                answer => answer,
            };
            match known {
                Known::Yes => return Ok(true),
                Known::No => return Ok(false),
                // The limit is infinite, so one search decides.
                Known::Left(_) => {}
            }
        }
    }

    /// Whether the part has the nimber `asked`, if that is known.
    pub(super) fn knows(&self, position: &G::Position, asked: u32) -> Option<bool> {
        if let Some(nimber) = self.game.nimber(position) {
            return Some(nimber == asked);
        }
        match self.look(&self.part(position.clone()), asked) {
            Known::Yes => Some(true),
            Known::No => Some(false),
            Known::Left(_) => None,
        }
    }

    /// The position's nimber, if those of all its parts are known.
    pub(super) fn known_sum(&mut self, position: &G::Position) -> Option<u32> {
        let rest = self.rest(position);
        self.parts.truncate(rest.first as usize);
        (rest.parts == 0).then_some(rest.asked)
    }

    /// The least nimber that the position is not known not to have.
    pub(super) fn at_least(&mut self, position: &G::Position) -> u32 {
        let rest = self.rest(position);
        let least = match rest.parts {
            0 => rest.asked,
            // More nimbers than that are no answer, whatever the game says of its moves.
            _ => (0..=MOST_ASKED + 1)
                .find(|asked| self.look_at_sum(&Open { asked: asked ^ rest.asked, ..rest }) != Known::No)
                .unwrap_or(0),
        };
        self.parts.truncate(rest.first as usize);
        least
    }

    /// Adds a position's parts of unknown nimbers to `self.parts`, as those of an option, which is asked for what
    /// the others add up to.
    fn rest(&mut self, position: &G::Position) -> Open {
        let begin = self.parts.len();
        let known = self.add(position);
        let mut rest = Open::new(begin, self.parts.len() - begin, known);
        self.leave_out_known(&mut rest);
        rest
    }

    /// Adds to `self.parts` those parts of a position whose nimbers the game does not know.
    /// Returns the sum of the others.
    fn add(&mut self, position: &G::Position) -> u32 {
        let begin = self.parts.len();
        let mut sum = 0;
        let mut made = mem::take(&mut self.made);
        self.game.split(position, &mut made);
        for part in made.drain(..) {
            if let Some(nimber) = self.game.nimber(&part) {
                sum ^= nimber;
                continue;
            }
            // Two of the same make none.
            match self.parts[begin..].iter().position(|other| other.position == part) {
                Some(twin) => {
                    self.parts.swap_remove(begin + twin);
                }
                None => self.parts.push(self.part(part)),
            }
        }
        self.made = made;
        sum
    }

    /// A part whose nimber the game does not know.
    #[inline]
    fn part(&self, position: G::Position) -> Part<G::Position> {
        let is_cacheable = self.game.is_cacheable(&position);
        let key = if is_cacheable { self.keys.key(self.game, &position) } else { None };
        Part { position, place: key.map(|key| self.table.slot(key)) }
    }

    /// The nimber that the table has for a part.
    #[inline]
    fn kept(&self, part: &Part<G::Position>) -> Option<u32> {
        self.table.probe(part.place?.with_tag(NIMBER)).map(|nimber| nimber as u32)
    }

    /// Keeps what has been found of a part, in the table and, if it took long, for good.
    fn keep(&mut self, part: &Part<G::Position>, tag: u128, payload: u64, work: u64) {
        let Some(place) = part.place else {
            return;
        };
        self.searcher.note_filled(self.table.store(place.with_tag(tag), payload, work));
        if let Some(journal) = self.shared.journal
            && work >= journal.min_work()
            && let Some(key) = self.keys.key(self.game, &part.position)
        {
            journal.append(key << TAG_BITS | tag, payload, work);
        }
    }

    /// What is known of whether the part has the nimber `asked`.
    fn look(&self, part: &Part<G::Position>, asked: u32) -> Known {
        if let Some(nimber) = self.kept(part) {
            return if nimber == asked { Known::Yes } else { Known::No };
        }
        self.look_unknown(part, asked)
    }

    /// As [`look`](Self::look), of a part whose nimber is not known.
    #[inline]
    fn look_unknown(&self, part: &Part<G::Position>, asked: u32) -> Known {
        let place = part.place.filter(|_| asked <= MOST_ASKED);
        if let Some(kept) = place.and_then(|place| self.table.probe(place.with_tag(asked.into()))) {
            return Known::unpacked(kept);
        }
        let moves = self.game.mobility(&part.position);
        // No nimber is larger than the number of options.
        if asked as usize > moves { Known::No } else { Known::Left(Effort::fresh(moves)) }
    }

    /// Searches a part that [`look`](Self::look) left open, until there is an answer, or
    /// what is left for a yes or a no has come to `most`.
    fn search(&mut self, part: &Part<G::Position>, asked: u32, most: Effort) -> Result<Known, Interrupt> {
        if self.game.mobility(&part.position) <= FEW_MOVES {
            let nimber = self.mex(part)?;
            return Ok(if nimber == asked { Known::Yes } else { Known::No });
        }
        let before = self.searcher.positions();
        self.enter()?;
        let is_cacheable = part.place.is_some() && asked <= MOST_ASKED;
        let (first_option, first_part) = (self.options.len(), self.parts.len());
        let most = if is_cacheable { most } else { Effort::ANY };
        let known = self.search_options(part, asked, most, first_option)?;
        self.leave();
        self.options.truncate(first_option);
        self.parts.truncate(first_part);
        if is_cacheable {
            let work = self.searcher.positions() - before;
            match known {
                Known::Yes => self.keep(part, NIMBER, asked.into(), work),
                known => self.keep(part, asked.into(), known.packed(), work),
            }
        }
        Ok(known)
    }

    /// Searches the options of a part until they show whether it has the nimber `asked`, although that
    /// may be known.
    pub(super) fn search_again(&mut self, position: &G::Position, asked: u32) -> Result<(), Interrupt> {
        let part = self.part(position.clone());
        if self.game.nimber(position).is_some() {
            return Ok(());
        }
        if self.game.mobility(position) <= FEW_MOVES {
            return self.mex(&part).map(|_| ());
        }
        self.enter()?;
        let (first_option, first_part) = (self.options.len(), self.parts.len());
        let result = self.search_options(&part, asked, Effort::ANY, first_option);
        self.options.truncate(first_option);
        self.parts.truncate(first_part);
        result.map(|_| ())
    }

    /// The nimber of a part of few moves that is not known: the least that no option
    /// has.
    fn mex(&mut self, part: &Part<G::Position>) -> Result<u32, Interrupt> {
        let before = self.searcher.positions();
        self.enter()?;
        let game = self.game;
        let (mut met, mut has_moves) = (0_u64, false);
        let first = self.parts.len();
        for mv in game.moves(&part.position) {
            let mut sum = self.add(&game.play(&part.position, mv));
            while self.parts.len() > first {
                let option = self.parts.swap_remove(first);
                sum ^= self.nimber_of(&option)?;
            }
            // So few options cannot have all of even the smallest.
            met |= 1_u64.checked_shl(sum).unwrap_or(0);
            has_moves = true;
        }
        if !has_moves && game.end(&part.position) != Outcome::Loss {
            return Err(BrokenPromise::ImpartialEnd.into());
        }
        self.leave();
        let nimber = met.trailing_ones();
        self.keep(part, NIMBER, nimber.into(), self.searcher.positions() - before);
        Ok(nimber)
    }

    /// As [`search`](Self::search), with the options in `self.options` from `first` on.
    fn search_options(
        &mut self,
        part: &Part<G::Position>,
        asked: u32,
        most: Effort,
        first: usize,
    ) -> Result<Known, Interrupt> {
        let Some(met) = self.open(part, asked, first) else {
            return Ok(Known::No);
        };
        // It is another nimber if it is a smaller one.
        for smaller in (0..asked).filter(|&smaller| smaller >= 128 || met >> smaller & 1 == 0) {
            match self.look_unknown(part, smaller) {
                Known::Yes => return Ok(Known::No),
                Known::No => {}
                Known::Left(effort) => {
                    let begin = self.parts.len();
                    self.parts.push(part.clone());
                    self.options.push(Open { effort, ..Open::new(begin, 1, smaller) });
                }
            }
        }
        loop {
            let Some(choice) = Choice::among(&self.options[first..]) else {
                return Ok(Known::Yes);
            };
            let left = Effort { yes: choice.hardest.saturating_add(choice.others).min(u32::MAX - 1), no: choice.least };
            if left.yes >= most.yes || left.no >= most.no {
                return Ok(Known::Left(left));
            }
            let at = first + choice.at;
            let least = u32::try_from(least_after(self.options[at].visits.into())).unwrap_or(u32::MAX);
            let most = Effort {
                yes: most.no.min(choice.second.saturating_add(choice.second / SLACK + 1)).max(least),
                no: if most.yes == u32::MAX { u32::MAX } else { most.yes.saturating_sub(choice.others).max(least) },
            };
            let claim = self.claim(at);
            if let Claim::Another(name) = claim
                && !self.options[at].handicap.is_set()
            {
                self.options[at].handicap = Handicap::new(self.searcher.worker(), name);
                continue;
            }
            let known = self.visit(at, most);
            self.shared.release(claim);
            match known? {
                Known::Yes => return Ok(Known::No),
                Known::No => {
                    self.options.swap_remove(at);
                }
                Known::Left(effort) => {
                    let option = &mut self.options[at];
                    (option.effort, option.handicap) = (effort, Handicap::default());
                    option.visits = option.visits.saturating_add(1);
                }
            }
        }
    }

    /// Adds the part's options, from `first` on, to those that are open: `None` if one
    /// is known to have the nimber `asked`. Returns the set of other nimbers that
    /// options are known to have.
    fn open(&mut self, part: &Part<G::Position>, asked: u32, first: usize) -> Option<u128> {
        let game = self.game;
        let first_part = self.parts.len();
        let mut twins = Twins::default();
        let mut met = 0_u128;
        // Options below this one have been looked at.
        let mut looked = first;
        for mv in game.part_moves(&part.position) {
            let begin = self.parts.len();
            let known = self.add(&game.play(&part.position, mv));
            if self.parts.len() == begin {
                if known == asked {
                    return None;
                }
                met |= 1_u128.checked_shl(known).unwrap_or(0);
                continue;
            }
            let option = Open::new(begin, self.parts.len() - begin, asked ^ known);
            if !twins.is_new(&self.parts[first_part..], begin - first_part, option.asked) {
                self.parts.truncate(begin);
                continue;
            }
            for part in &self.parts[begin..] {
                if let Some(place) = part.place {
                    self.table.prefetch(place);
                }
            }
            self.options.push(option);
            // By now, what has been asked for first is there.
            if self.options.len() - looked >= AHEAD {
                looked = self.look_at(asked, looked, AHEAD / 2, &mut met)?;
            }
        }
        self.look_at(asked, looked, AHEAD, &mut met)?;
        Some(met)
    }

    /// Looks at `count` options from `first` on, or at as many as there are, and leaves out those
    /// that are answered; `None` if one has the nimber `asked`. Adds the nimbers that
    /// others have to `met`. Returns the first option after those that are left.
    fn look_at(&mut self, asked: u32, first: usize, count: usize, met: &mut u128) -> Option<usize> {
        let end = self.options.len().min(first + count);
        let mut kept = first;
        for at in first..end {
            let mut option = self.options[at];
            self.leave_out_known(&mut option);
            let effort = if option.parts == 0 {
                // What the parts that are known add up to.
                *met |= 1_u128.checked_shl(asked ^ option.asked).unwrap_or(0);
                match option.asked {
                    0 => return None,
                    _ => continue,
                }
            } else {
                match self.look_at_sum(&option) {
                    Known::Yes => return None,
                    Known::No => continue,
                    Known::Left(effort) => effort,
                }
            };
            self.options[kept] = Open { effort, ..option };
            kept += 1;
        }
        self.options.drain(kept..end);
        Some(kept)
    }

    /// Leaves out of an option the parts whose nimbers are known.
    fn leave_out_known(&mut self, option: &mut Open) {
        for at in option.range().rev() {
            if let Some(nimber) = self.kept(&self.parts[at]) {
                option.asked ^= nimber;
                option.parts -= 1;
                self.parts.swap(at, option.range().end);
            }
        }
    }

    /// What is known of an option of one part or more of unknown nimbers. Of more than
    /// one, the smallest becomes the last.
    fn look_at_sum(&mut self, option: &Open) -> Known {
        let game = self.game;
        if let [part] = &self.parts[option.range()] {
            return self.look_unknown(part, option.asked);
        }
        let parts = &mut self.parts[option.range()];
        parts.sort_by_key(|part| std::cmp::Reverse(game.mobility(&part.position)));
        let moves: usize = parts.iter().map(|part| game.mobility(&part.position)).sum();
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        Known::Left(Effort { yes: moves / 4 + 1, no: moves / 2 + 1 })
    }

    /// Claims an option of one part, if several workers share the search.
    fn claim(&self, at: usize) -> Claim {
        let option = &self.options[at];
        match &self.parts[option.range()] {
            [part] => self.shared.claim(part.place.map(|place| place.with_tag(option.asked.into()).hash())),
            _ => Claim::None,
        }
    }

    /// Searches an option, until there is an answer or `most` is left.
    fn visit(&mut self, at: usize, most: Effort) -> Result<Known, Interrupt> {
        let mut option = self.options[at];
        if option.parts > 1 {
            // All but the largest have to be known.
            let smallest = self.parts[option.range().end - 1].clone();
            // The table may not keep it.
            option.asked ^= self.nimber_of(&smallest)?;
            option.parts -= 1;
        }
        self.leave_out_known(&mut option);
        self.options[at] = option;
        match &self.parts[option.range()] {
            [] if option.asked == 0 => Ok(Known::Yes),
            [] => Ok(Known::No),
            [part] => match self.look_unknown(part, option.asked) {
                Known::Left(effort) if effort.yes < most.yes && effort.no < most.no => {
                    let part = part.clone();
                    self.search(&part, option.asked, most)
                }
                known => Ok(known),
            },
            _ => Ok(self.look_at_sum(&option)),
        }
    }
}
