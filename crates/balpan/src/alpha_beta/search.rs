//! One question asked of one position, by one thread or several.

use crate::codes::Codes;
use crate::game::Game;
use crate::hints::Hints;
use crate::keyed::Keyed;
use crate::keys::Keys;
use crate::length::DepthLimit;
use crate::oracle::Asked;
use crate::parallel::{Worker, deferred_rank};
use crate::table::{Place, Table};
use crate::team::{Interrupt, Member, Round};
use crate::value::{Bounds, Value};

/// What is searched, and how it is remembered.
pub(super) struct Searched<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) keys: &'a Keys<G::Position>,
    pub(super) codes: Codes,
    pub(super) oracle: Option<&'a Asked>,
}

impl<G: Game> Clone for Searched<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Searched<'_, G> {}

/// One thread's search.
pub(super) struct Search<'a, G: Game> {
    round: &'a Round<'a>,
    game: &'a G,
    keys: &'a Keys<G::Position>,
    codes: Codes,
    oracle: Option<&'a Asked>,
    table: &'a Table,
    /// What is still to be visited after the positions on the current path, end to
    /// end.
    open: Vec<Candidate<G::Position>>,
    member: Member<'a>,
    /// The questions that led here, where threads share the work: from the root, as far as they
    /// are remembered.
    path: Vec<Question>,
    /// The first of them that another thread has answered, by its place in `path`, and the answer.
    answered: (usize, Value),
    /// Of the whole work, how much is done and how much is in hand, for the watch;
    /// `None` for all threads but one.
    share: Option<(f64, f64)>,
    /// Whether, in the position that is visited next, no candidate is expected to be more than is asked.
    /// Where one is expected to be, it is the first, and none is after that; after any other candidate one is.
    none_expected: bool,
    limit: DepthLimit,
}

/// Whether a position is worth more than `asked`, and where its answer is to be found.
#[derive(Clone, Copy)]
struct Question {
    place: Place,
    asked: Value,
}

/// A position to be visited.
#[derive(Clone)]
struct Open<Position> {
    /// In canonical form if it has a place.
    position: Position,
    /// What the game says of it.
    bounds: Bounds,
    /// Where it belongs in the table; `None` if it is not to be remembered.
    place: Option<Place>,
    /// The plies to it from the position that was opened, along which there was one candidate.
    plies: u32,
}

/// Where a candidate leads.
#[derive(Clone)]
struct Candidate<Position> {
    rank: i32,
    /// Its place in the game's own order.
    number: u8,
    open: Open<Position>,
}

/// The number of no candidate that can be kept.
const NO_NUMBER: u8 = u8::MAX;

/// Candidates that another worker was searching have this rank or a lower one: they are tried last.
const DEFERRED: i32 = i32::MIN + u8::MAX as i32;

/// Where no candidate is expected to be more than is asked, and there are at most this many, the first may be deferred as
/// well: workers that all begin with it would have hardly anything left to share. Wider positions have enough to share, and
/// what is searched beside the first candidate is in vain where the expectation is wrong.
const NARROW: usize = 8;

/// The work is shared out, to report how much is done, up to this many plies from the
/// root.
const SHARE_PLIES: u32 = 5;

const NUMBER_BITS: u32 = 6;

/// A candidate that is the only one is followed for at most this many plies without a search, which
/// heeds others and the stack: a game that is wrong may go on for ever.
const MOST_FOLLOWED: u32 = 16;

/// A search reports its positions each time it has visited this many positions.
const BATCH: u64 = 1 << 12;

/// It looks whether others have answered what led to its question, each time it has visited this many.
const HEED: u64 = 1 << 8;

impl<'a, G: Keyed + Hints> Search<'a, G> {
    pub(super) fn new(searched: Searched<'a, G>, round: &'a Round<'a>, root: &G::Position, worker: Worker<'a>) -> Self {
        let Searched { game, keys, codes, oracle } = searched;
        Self {
            round,
            game,
            keys,
            codes,
            oracle,
            table: round.table,
            open: Vec::new(),
            member: Member::new(round, worker, BATCH),
            path: Vec::new(),
            answered: (0, Value::DRAW),
            share: (worker.number() == 0).then_some((0.0, 1.0)),
            none_expected: true,
            limit: DepthLimit::new(game.layer(root)),
        }
    }

    pub(super) fn run(mut self, position: &G::Position, asked: Value) -> Result<Value, Interrupt> {
        let result = self.search(position, asked);
        self.member.report();
        result
    }

    /// Whether the position is worth more than `asked`: a lower bound that is more,
    /// or an upper bound that is not.
    fn search(&mut self, position: &G::Position, asked: Value) -> Result<Value, Interrupt> {
        match self.open(position, asked) {
            Ok(open) => self.visit_from(&open, asked, 0),
            Err(answer) => Ok(answer),
        }
    }

    /// A position that is to be searched; or what can be said of it without. While there is one
    /// candidate, for some plies, it is what that leads to.
    #[inline]
    fn open(&self, position: &G::Position, mut asked: Value) -> Result<Open<G::Position>, Value> {
        let game = self.game;
        let mut followed;
        let mut position = position;
        let mut plies = 0;
        loop {
            if game.is_over(position) {
                return Err(back_by(Value::terminal(game.end(position)), plies));
            }
            let bounds = game.bounds(position, asked);
            if let Some(answer) = bounds.decide(asked) {
                return Err(back_by(answer, plies));
            }
            if plies < MOST_FOLLOWED
                && let Some(mv) = only(game.candidates(position))
            {
                followed = game.play(position, mv);
                position = &followed;
                asked = asked.child_threshold();
                plies += 1;
                continue;
            }
            // Where there is one candidate, what it leads to has a place.
            if plies == MOST_FOLLOWED || !game.is_cacheable(position) {
                return Ok(Open { position: position.clone(), bounds, place: None, plies });
            }
            let position = game.canonical(position);
            let place = self.keys.key(game, &position).map(|key| self.table.place(key));
            if let Some(place) = place {
                self.table.prefetch(place);
            }
            return Ok(Open { position, bounds, place, plies });
        }
    }

    /// As [`search`](Self::search), of the position that was opened.
    fn visit_from(&mut self, open: &Open<G::Position>, mut asked: Value, ply: u32) -> Result<Value, Interrupt> {
        for _ in 0..open.plies {
            asked = asked.child_threshold();
        }
        Ok(back_by(self.visit(open, asked, ply + open.plies)?, open.plies))
    }

    /// As [`search`](Self::search), of an open position.
    fn visit(&mut self, open: &Open<G::Position>, asked: Value, ply: u32) -> Result<Value, Interrupt> {
        self.limit.check(ply)?;
        self.member.count()?;
        let Open { ref position, mut bounds, place, .. } = *open;
        let known = place.and_then(|place| self.table.get(place)).map(|kept| Known::unpacked(kept, self.codes));
        if let Some(known) = known {
            bounds.lower = bounds.lower.max(known.bounds.lower);
            bounds.upper = bounds.upper.min(known.bounds.upper);
            if let Some(answer) = bounds.decide(asked) {
                return Ok(answer);
            }
        }
        if self.member.positions.is_multiple_of(HEED) && self.round.claims().is_some() {
            self.heed()?;
        }
        let before = self.member.positions;
        let first = self.open.len();
        let led_here = self.path.len();
        let shares = self.round.claims().is_some();
        self.path.extend(place.filter(|_| shares).map(|place| Question { place, asked }));
        let best_number = known.map_or(NO_NUMBER, |known| known.best);
        let told = self.oracle.and_then(|oracle| oracle.value_in_search(self.game, position));
        let best = match told.or_else(|| self.game.settle(position, asked)) {
            Some(answer) => Ok((answer, best_number)),
            None => self.visit_moves(position, best_number, asked, ply),
        };
        self.open.truncate(first);
        let is_on_path = self.path.len() > led_here;
        self.path.truncate(led_here);
        let (value, number) = match best {
            Err(Interrupt::Answered) if is_on_path && self.answered.0 == led_here => return Ok(self.answered.1),
            best => best?,
        };
        let value = value.max(bounds.lower).min(bounds.upper);
        if let Some(place) = place {
            if value > asked {
                bounds.lower = value;
            } else {
                bounds.upper = value;
            }
            let known = Known { bounds, best: number };
            let (packed, work) = (known.packed(self.codes), self.member.positions - before);
            self.member.filled += u64::from(self.table.put(place, packed, work));
            if let Some(journal) = self.round.journal
                && work >= journal.least_work()
                && let Some(key) = self.keys.key(self.game, position)
            {
                journal.keep(key, packed, work);
            }
        }
        Ok(value)
    }

    /// The best of the position's candidates and its number: the first that is more than
    /// `asked`, if any is. Leaves in `self.open` what was to be visited.
    #[inline]
    fn visit_moves(
        &mut self,
        position: &G::Position,
        best_number: u8,
        asked: Value,
        ply: u32,
    ) -> Result<(Value, u8), Interrupt> {
        let first = self.open.len();
        let best = self.look_ahead(position, best_number, asked);
        let best = if best.0 > asked { best } else { self.look_up(best, asked, first) };
        if best.0 > asked { Ok(best) } else { self.visit_open(best, asked, first, ply) }
    }

    /// Appends to `self.open` the candidates that have to be visited. Of the others,
    /// the best, as far as it is known: the first that is more than `asked`, if any
    /// is.
    #[inline]
    fn look_ahead(&mut self, position: &G::Position, best_number: u8, asked: Value) -> (Value, u8) {
        let game = self.game;
        // No move is worth as little as this: it takes a ply at least.
        let mut best = (Value::loss(0), NO_NUMBER);
        for (number, mv) in game.candidates(position).enumerate() {
            let number = number.min(NO_NUMBER.into()) as u8;
            let after = game.play(position, mv);
            match self.open(&after, asked.child_threshold()) {
                Ok(open) => {
                    let is_best = number == best_number && u64::from(number) < Known::NUMBERS;
                    let rank = if is_best { i32::MAX } else { game.rank(position, mv, &after).max(DEFERRED + 1) };
                    self.open.push(Candidate { rank, number, open });
                }
                Err(answer) => {
                    let value = answer.to_parent();
                    if value > best.0 {
                        best = (value, number);
                    }
                    if value > asked {
                        break;
                    }
                }
            }
        }
        best
    }

    /// Removes from `self.open`, from `first` on, what the table answers. The best of
    /// those and `best`: the first that is more than `asked`, if any is.
    ///
    /// Source: A. Plaat et al., "Nearly optimal minimax tree search?" (1994), where it
    /// is called enhanced transposition cutoffs.
    #[inline]
    fn look_up(&mut self, mut best: (Value, u8), asked: Value, first: usize) -> (Value, u8) {
        let mut next = first;
        while let Some(Candidate { number, open, .. }) = self.open.get(next) {
            let known =
                open.place.and_then(|place| self.table.get(place)).map(|kept| Known::unpacked(kept, self.codes));
            let then = (0..=open.plies).fold(asked, |asked, _| asked.child_threshold());
            let Some(answer) = known.and_then(|known| known.bounds.decide(then)) else {
                next += 1;
                continue;
            };
            let value = back_by(answer, open.plies + 1);
            if value > best.0 {
                best = (value, *number);
            }
            if value > asked {
                break;
            }
            self.open.remove(next);
        }
        best
    }

    /// The best of `best` and the candidates in `self.open` from `first` on, up to one
    /// that is more than `asked`.
    fn visit_open(
        &mut self,
        mut best: (Value, u8),
        asked: Value,
        first: usize,
        ply: u32,
    ) -> Result<(Value, u8), Interrupt> {
        let end = self.open.len();
        let (share, none_expected) = (self.share, self.none_expected);
        let shares_first = none_expected && end - first <= NARROW;
        let mut next = first;
        // The positions that were searched when the first candidate was deferred.
        let mut deferred = None;
        while next < end {
            self.bring_best(next);
            let Candidate { rank, number, open } = self.open[next].clone();
            let mut claimed = None;
            // Where one candidate is expected to be enough, it is not left for others.
            if let (Some(claims), Some(place)) = (self.round.claims(), open.place)
                && (next > first || shares_first)
                && rank > DEFERRED
            {
                if claims.claim(place.name()) {
                    claimed = Some((claims, place.name()));
                } else if self.member.may_defer() {
                    self.open[next].rank = i32::MIN + i32::from(deferred_rank(self.member.worker, place.name()));
                    deferred = deferred.or(Some(self.member.positions));
                    continue;
                }
            }
            let before = self.member.positions;
            self.enter_share(share, ply, next - first, end - first);
            // With each ply along which there is one candidate it is the other way round.
            self.none_expected = (next == first && !none_expected) == open.plies.is_multiple_of(2);
            let value = self.visit_from(&open, asked.child_threshold(), ply + 1);
            if let Some((claims, name)) = claimed {
                claims.release(name);
            }
            let value = value?.to_parent();
            if value > best.0 {
                best = (value, number);
            }
            if value > asked {
                if let Some(deferred) = deferred.filter(|_| rank <= DEFERRED) {
                    self.member.note_waste(before - deferred);
                }
                break;
            }
            next += 1;
        }
        self.share = share;
        Ok(best)
    }

    /// Leaves what is searched here if another thread has answered a question that led to it: the
    /// first such question has that answer.
    fn heed(&mut self) -> Result<(), Interrupt> {
        self.round.check()?;
        for (at, question) in self.path.iter().enumerate() {
            let kept = self.table.get(question.place);
            if let Some(answer) = kept.and_then(|kept| Known::unpacked(kept, self.codes).bounds.decide(question.asked))
            {
                self.answered = (at, answer);
                return Err(Interrupt::Answered);
            }
        }
        Ok(())
    }

    /// Brings the best ranked candidate from `next` on to that place.
    #[inline]
    fn bring_best(&mut self, next: usize) {
        let mut best = next;
        for i in next + 1..self.open.len() {
            if self.open[i].rank > self.open[best].rank {
                best = i;
            }
        }
        if best != next {
            self.open.swap(next, best);
        }
    }

    /// Tells the watch, near the root, that the first `done` of `all` candidates are
    /// done, and goes on with the next one's share of the whole work.
    fn enter_share(&mut self, share: Option<(f64, f64)>, ply: u32, done: usize, all: usize) {
        if ply < SHARE_PLIES
            && let Some((before, width)) = share
        {
            let width = width / all as f64;
            let before = before + width * done as f64;
            self.round.watch.set_progress(before);
            self.share = Some((before, width));
        }
    }
}

/// The item, if there is one alone.
#[inline]
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

/// What a value is worth to whoever moved `plies` plies before.
#[inline]
fn back_by(value: Value, plies: u32) -> Value {
    (0..plies).fold(value, |value, _| value.to_parent())
}

/// What the table keeps of a position.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) bounds: Bounds,
    /// The number of the candidate that was best, or refuted; [`Known::NUMBERS`] or more if it is
    /// not known, or too large to be kept.
    best: u8,
}

impl Known {
    const NUMBERS: u64 = (1 << NUMBER_BITS) - 1;

    /// The number of bits of what the table keeps: a lower and an upper bound, and the
    /// best candidate's number.
    pub(super) const fn bits(codes: Codes) -> u32 {
        2 * codes.bits() + NUMBER_BITS
    }

    /// Bounds without a best candidate.
    pub(super) const fn of(bounds: Bounds) -> Self {
        Self { bounds, best: NO_NUMBER }
    }

    #[inline]
    pub(super) fn packed(self, codes: Codes) -> u64 {
        let best = u64::from(self.best).min(Self::NUMBERS);
        (codes.lower(self.bounds.lower) << codes.bits() | codes.upper(self.bounds.upper)) << NUMBER_BITS | best
    }

    #[inline]
    pub(super) fn unpacked(payload: u64, codes: Codes) -> Self {
        let code = |shift| codes.value(payload >> shift & ((1 << codes.bits()) - 1));
        let bounds = Bounds { lower: code(NUMBER_BITS + codes.bits()), upper: code(NUMBER_BITS) };
        Self { bounds, best: (payload & Self::NUMBERS) as u8 }
    }
}
